// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Names that hide units: with a parameter m, `5 N/m` divides by the parameter. That is the rule (after * or /
// a name comes before a unit), but seldom meant where it is written like a unit. Told are, in a product that
// goes on from a number with its unit,
//
//     5 N/m             what is divided by, alone
//     3 kN/(m*s)        or in parentheses together with units
//     12 kg*m/s^2       a factor before a further unit
//     5 N*m             a factor of the dimension of the unit it hides: no check of dimensions would see it
//
// and not `2 kg * g`, where g is an acceleration, nor anything in parentheses of its own: `20 N/(g)`.
#include "core/expression/expression_name.h"
#include "model/read/read.h"
#include "share/node.h"
#include "share/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hiding {
    const char *name, *kind; ///< kind: "parameter", "state"
    const ss_node* node;
    ss_dimension dimension;
    bool follows_motion; ///< can be used only where the motion can
    bool known;          ///< its dimension
} hiding;

typedef struct search {
    ss_doubt* visit;
    void* user;
    const ss_document* document;
    hiding* names;
    int count, room;
    bool failed;
    // of the text at hand
    const ss_node* node;
    bool moves;
    ss_builder builder; ///< takes the faults of the lexer
    ss_lexer lexer;
    ss_token token;
} search;

// ---- which names there are

static void add_name(search* s, const ss_node* node, const char* kind, bool follows_motion)
{
    ss_unit unit;
    if (s->failed || !node->key || !ss_unit_find(node->key, strlen(node->key), &unit)) return;
    if (s->count == s->room) {
        int room = 2 * s->room + 8;
        hiding* names = realloc(s->names, (size_t)room * sizeof *names);
        s->failed = !names;
        if (s->failed) return;
        s->names = names;
        s->room = room;
    }
    s->names[s->count++] =
        (hiding){.name = node->key, .kind = kind, .node = node, .follows_motion = follows_motion};
}

static void add_map(search* s, const ss_node* map, const char* kind, bool follows_motion)
{
    if (!map || map->kind != SS_NODE_MAP) return;
    for (const ss_node* node = map->first; node; node = node->next) add_name(s, node, kind, follows_motion);
}

static void find_names(search* s)
{
    const ss_node* root = s->document->root;
    add_map(s, ss_node_find(root, "parameters"), "parameter", false);
    add_map(s, ss_node_find(root, "inputs"), "input", true);
    add_map(s, ss_node_find(root, "states"), "state", true);
    add_map(s, ss_node_find(root, "signals"), "signal", true);
    const ss_node* sampled = ss_node_find(root, "sampled");
    if (!sampled || sampled->kind != SS_NODE_MAP) return;
    for (const ss_node* block = sampled->first; block; block = block->next)
        if (block->kind == SS_NODE_MAP) add_map(s, ss_node_find(block, "memory"), "memory", true);
}

// Dimensions of the parameters; what cannot be read is left unknown.
static void find_dimensions(search* s)
{
    const ss_node* map = ss_node_find(s->document->root, "parameters");
    if (!map || map->kind != SS_NODE_MAP || s->failed) return;
    ss_parameter* parameters = calloc((size_t)map->count + 1, sizeof *parameters);
    ss_scope scope = {.parameters = parameters};
    s->failed = !parameters;
    for (const ss_node* p = s->failed ? NULL : map->first; p && p->kind == SS_NODE_SCALAR; p = p->next) {
        ss_parameter* to = &parameters[scope.parameter_count];
        to->name = p->key;
        if (ss_quantity_parse_any(p->text, &scope, &to->value_si, &to->dimension, &to->has_unit, NULL) !=
            SS_OK)
            break;
        scope.parameter_count++;
        for (int i = 0; i < s->count; i++) {
            if (s->names[i].node != p) continue;
            s->names[i].dimension = to->dimension;
            s->names[i].known = true;
        }
    }
    free(parameters);
}

// ---- one text

// A name that means something else than its unit in the text at hand; a parameter sees those before it.
static const hiding* find_hiding(const search* s, const ss_token* token)
{
    for (int i = 0; i < s->count && token->kind == SS_TOKEN_NAME; i++) {
        const hiding* h = &s->names[i];
        if (!ss_token_is(token, h->name) || (h->follows_motion && !s->moves)) continue;
        if (h->node->parent == s->node->parent && !h->follows_motion && h->node->index >= s->node->index)
            continue;
        return h;
    }
    return NULL;
}

static bool is_unit(const search* s, const ss_token* token)
{
    ss_unit unit;
    return token->kind == SS_TOKEN_NAME && !find_hiding(s, token) &&
           ss_unit_find(token->text, token->length, &unit);
}

static bool next(search* s)
{
    if (ss_lexer_next(&s->lexer, &s->builder, &s->token)) return true;
    s->token.kind = SS_TOKEN_END;
    return false;
}

static bool at(const search* s, char sign) { return s->token.kind == SS_TOKEN_SIGN && s->token.sign == sign; }

// Past `^2`, `^-1`, `^(1/3)` behind a name.
static void skip_exponent(search* s)
{
    if (!at(s, '^')) return;
    next(s);
    while (at(s, '-') || at(s, '+')) next(s);
    int depth = 0;
    do {
        depth += at(s, '(') - at(s, ')');
        next(s);
    } while (depth > 0 && s->token.kind != SS_TOKEN_END);
}

static void visit(search* s, const ss_token* token, const hiding* h)
{
    ss_unit unit;
    ss_reader r = {.document = s->document};
    ss_unit_find(token->text, token->length, &unit);
    snprintf(r.error.text, sizeof r.error.text,
             "'%s' is the %s here, not the %s%s; give the %s another name, or write (%s) where it is meant",
             h->name, h->kind, unit.prefix_word, unit.word, h->kind, h->name);
    r.error.status = SS_BAD_INPUT;
    r.error.column = token->column;
    ss_read_fail_text(&r, s->node);
    char text[1024];
    s->visit(s->user, ss_error_format(&r.error, text, sizeof text));
}

// In parentheses behind units, the present token being the first of them: whether they hold units alone, one
// of them beyond doubt. Then the names that hide others are told.
static void look_into_group(search* s)
{
    search ahead = *s;
    ss_token found[8];
    int count = 0, units = 0;
    for (;; next(&ahead)) {
        if (ahead.token.kind != SS_TOKEN_NAME) return;
        bool unit = is_unit(&ahead, &ahead.token), hides = find_hiding(&ahead, &ahead.token);
        if (!unit && !hides) return;
        units += unit;
        if (hides && count < 8) found[count++] = ahead.token;
        next(&ahead);
        skip_exponent(&ahead);
        if (!at(&ahead, '*') && !at(&ahead, '/')) break;
    }
    if (!at(&ahead, ')') || units == 0) return;
    for (int i = 0; i < count; i++) visit(s, &found[i], find_hiding(s, &found[i]));
}

// Behind * or / after units, the present token being a name: whether the product goes on as one of units.
static bool follow_units(search* s, char sign)
{
    ss_token name = s->token;
    const hiding* h = find_hiding(s, &name);
    bool unit = is_unit(s, &name);
    next(s);
    if (at(s, '(') || (!h && !unit)) return false;
    skip_exponent(s);
    if (unit) return true;
    search ahead = *s;
    bool more = (at(&ahead, '*') || at(&ahead, '/')) && next(&ahead) && is_unit(&ahead, &ahead.token);
    ss_unit hidden;
    ss_unit_find(name.text, name.length, &hidden);
    bool same = h->known && ss_dimension_equal(h->dimension, hidden.dimension);
    if (sign == '/' || more || same) visit(s, &name, h);
    return sign == '/' || more;
}

// A number, the present token, and the units that follow it.
static void look_at_number(search* s)
{
    bool units = false;
    next(s);
    if (s->token.kind == SS_TOKEN_NUMBER) { // 12 1/s
        next(s);
        if (at(s, '/')) next(s);
    }
    if (s->token.kind == SS_TOKEN_NAME) {
        units = true;
        next(s);
        skip_exponent(s);
    }
    while (units && (at(s, '*') || at(s, '/'))) {
        char sign = s->token.sign;
        next(s);
        bool group = at(s, '(');
        if (group && next(s)) look_into_group(s);
        units = !group && s->token.kind == SS_TOKEN_NAME && follow_units(s, sign);
    }
}

static void look_at_text(search* s, const ss_node* node, bool moves)
{
    s->node = node;
    s->moves = moves;
    s->builder = (ss_builder){0};
    s->lexer = (ss_lexer){.text = node->text, .digits = malloc(strlen(node->text) + 32)};
    s->failed = s->failed || !s->lexer.digits;
    if (s->failed) return;
    next(s);
    while (s->token.kind != SS_TOKEN_END) {
        if (s->token.kind == SS_TOKEN_NUMBER)
            look_at_number(s);
        else
            next(s);
    }
    free(s->lexer.digits);
}

// ---- the document

// Whether expressions at the node may follow the motion, given whether its parent's may.
static bool may_move(const ss_node* node, bool parent_moves)
{
    static const char* const keys[] = {"forces",  "signals",  "potentials", "rate",
                                       "at_tick", "friction", "normal",     "static"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && node->key; i++)
        if (strcmp(node->key, keys[i]) == 0) return true;
    return parent_moves;
}

static void look_below(search* s, const ss_node* node, bool moves)
{
    moves = may_move(node, moves);
    if (node->kind == SS_NODE_SCALAR) look_at_text(s, node, moves);
    for (const ss_node* child = node->first; child && !s->failed; child = child->next)
        look_below(s, child, moves);
}

bool ss_document_doubt_units(const ss_document* document, ss_doubt* visit_one, void* user)
{
    if (!document->root || document->root->kind != SS_NODE_MAP) return true;
    search s = {.visit = visit_one, .user = user, .document = document};
    find_names(&s);
    find_dimensions(&s);
    for (const ss_node* part = s.count > 0 ? document->root->first : NULL; part && !s.failed;
         part = part->next)
        if (strcmp(part->key, "title") != 0) look_below(&s, part, false);
    free(s.names);
    return !s.failed;
}
