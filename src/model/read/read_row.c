// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rows: combinations of coordinates, written `between: [A, B]` or `along: {A: 1, B: -0.5}`. A row is a length
// or an angle; every term must be the same. A bare factor on an angular body counts as whatever the other
// terms need (m per rad where they are lengths), because a bare number is SI.
#include "model/read/read.h"
#include "share/quantity.h"

#include <string.h>

int ss_read_find_body(const ss_reader* r, const char* name)
{
    const ss_node* found = ss_node_find(r->bodies_node, name);
    int body = found ? r->coordinates + r->body_at[found->index] : ss_read_find_coordinate(r, name);
    if (body < 0) return ss_read_find_planar_coordinate(r, name);
    return r->bodies[body].plane == SS_PLANE_NONE ? body : -1; // of the plane: not one of its coordinates
}

bool ss_read_is_point(const ss_reader* r, const char* name)
{
    const ss_node* points = ss_node_find(r->root, "points");
    return !ss_read_is_empty(points) && points->kind == SS_NODE_MAP && ss_node_find(points, name);
}

static ss_status find_body(ss_reader* r, const ss_node* node, const char* name, bool at_key, int* body)
{
    *body = SS_GROUND;
    if (strcmp(name, "ground") == 0) return SS_OK;
    *body = ss_read_find_body(r, name);
    if (*body >= 0) return SS_OK;
    char hint[128];
    if (ss_read_find_planar(r, name, strlen(name)) >= 0) {
        const char* text =
            "'%.60s' moves in the plane and has three coordinates; expected %.60s.x, %.60s.y or "
            "%.60s.angle";
        return at_key ? ss_read_fail_key(r, node, text, name, name, name, name)
                      : ss_read_fail(r, node, text, name, name, name, name);
    }
    if (ss_read_is_point(r, name)) {
        const char* text =
            "'%.60s' is a point, not a body; points are taken by connections (between: [%.60s, ..]) and by "
            "forces (at: %.60s)";
        return at_key ? ss_read_fail_key(r, node, text, name, name, name)
                      : ss_read_fail(r, node, text, name, name, name);
    }
    ss_read_suggest(name, r->bodies_node ? r->bodies_node : r->names_node, "ground", hint, sizeof hint);
    if (!hint[0]) ss_read_coordinates_text(r, name, hint, sizeof hint);
    return at_key ? ss_read_fail_key(r, node, "there is no body '%.60s'%s", name, hint)
                  : ss_read_fail(r, node, "there is no body '%.60s'%s", name, hint);
}

ss_status ss_read_body(ss_reader* r, const ss_node* node, int* body)
{
    if (node->kind != SS_NODE_SCALAR || node->text[0] == '\0')
        return ss_read_fail(r, node, "expected the name of a body");
    return find_body(r, node, node->text, false, body);
}

static ss_dimension coordinate_of(const ss_reader* r, int body)
{
    return body == SS_GROUND || !r->bodies[body].angular ? ss_length : ss_plain;
}

static const char* kind_name(const ss_reader* r, int body)
{
    return r->bodies[body].angular ? "turns (angular)" : "slides";
}

static ss_status read_between(ss_reader* r, const ss_node* list, ss_row_def* row, ss_dimension* dimension)
{
    if (list->kind != SS_NODE_LIST || list->count != 2)
        return ss_read_fail(r, list, "expected two bodies, [A, B]");
    ss_term* terms = ss_pool_new(&r->pool, 2, sizeof *terms);
    if (!terms) return ss_fail_no_memory(&r->error);
    terms[0].factor = 1.0;
    terms[1].factor = -1.0;
    ss_status status = ss_read_body(r, list->first, &terms[0].body);
    if (status == SS_OK) status = ss_read_body(r, list->last, &terms[1].body);
    if (status != SS_OK) return status;
    int a = terms[0].body, b = terms[1].body;
    if (a == b) return ss_read_fail(r, list->last, "expected two different bodies");
    if (a != SS_GROUND && b != SS_GROUND && r->bodies[a].angular != r->bodies[b].angular)
        return ss_read_fail(r, list,
                            "%.60s %s and %.60s %s; use along: {%.40s: 1 m, ..} to say how they mesh",
                            r->bodies[a].name, kind_name(r, a), r->bodies[b].name, kind_name(r, b),
                            r->bodies[r->bodies[a].angular ? a : b].name);
    *dimension = coordinate_of(r, a != SS_GROUND ? a : b);
    *row = (ss_row_def){terms, 2};
    return SS_OK;
}

// What one term of a row is: a length or an angle, or, for a bare factor on an angular body, either.
typedef struct term_kind {
    ss_dimension dimension;
    bool open;
} term_kind;

static ss_status read_term(ss_reader* r, const ss_node* node, ss_term* term, term_kind* kind)
{
    ss_dimension factor = ss_plain;
    bool has_unit = false;
    ss_status status = find_body(r, node, node->key, true, &term->body);
    if (status == SS_OK) status = ss_read_any(r, node, &term->factor, &factor, &has_unit);
    if (status != SS_OK) return status;
    ss_dimension x = coordinate_of(r, term->body);
    kind->dimension = ss_dimension_combine(x, factor, 1);
    kind->open = term->body == SS_GROUND || (!has_unit && r->bodies[term->body].angular) ||
                 (!has_unit && term->factor == 0.0);
    if (kind->open || ss_dimension_equal(kind->dimension, ss_length) ||
        ss_dimension_equal(kind->dimension, ss_plain))
        return SS_OK;
    char unit[40];
    return ss_read_fail(r, node, "expected a plain number or %s as the factor of a body that %s, not %s",
                        r->bodies[term->body].angular ? "m" : "1/m", kind_name(r, term->body),
                        ss_dimension_format(factor, unit, sizeof unit));
}

ss_status ss_read_factors(ss_reader* r, const ss_node* map, ss_row_def* row, ss_dimension* dimension)
{
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{A: 1, B: -1}");
    if (status != SS_OK) return status;
    ss_term* terms = ss_pool_new(&r->pool, (size_t)map->count, sizeof *terms);
    if (!terms) return ss_fail_no_memory(&r->error);
    const ss_node* decided = NULL; // the term that says what the row is
    bool something = false;
    *dimension = ss_plain;
    for (const ss_node* node = map->first; node; node = node->next) {
        ss_term* term = &terms[node->index];
        term_kind kind = {ss_plain, false};
        status = read_term(r, node, term, &kind);
        if (status != SS_OK) return status;
        something = something || (term->body != SS_GROUND && term->factor != 0.0);
        if (kind.open) continue;
        if (decided && !ss_dimension_equal(kind.dimension, *dimension))
            return ss_read_fail(r, node, "this term is %s, that of %.60s %s; the terms of a sum must agree",
                                ss_dimension_equal(kind.dimension, ss_length) ? "a length" : "an angle",
                                decided->key,
                                ss_dimension_equal(*dimension, ss_length) ? "a length" : "an angle");
        decided = node;
        *dimension = kind.dimension;
    }
    if (!something) return ss_read_fail(r, map, "expected at least one body with a factor other than 0");
    *row = (ss_row_def){terms, map->count};
    return SS_OK;
}

ss_status ss_read_row(ss_reader* r, const ss_node* owner, ss_row_def* row, ss_dimension* dimension)
{
    const ss_node* between = ss_node_find(owner, "between");
    const ss_node* along = ss_node_find(owner, "along");
    if (between && along) return ss_read_fail_key(r, along, "expected between or along, not both");
    if (between) return read_between(r, between, row, dimension);
    if (along) return ss_read_factors(r, along, row, dimension);
    return ss_read_fail_missing(r, owner, "between", "is missing; expected the two bodies, [A, B]");
}
