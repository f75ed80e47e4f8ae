// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that a model file writes itself:
//
//     laws: {mine: {keys: {k: 50 N/m}, states: {z: {rate: "v"}}, force: "-(k*z)", stored: "k*z^2/2"}}
//
// and contacts that name them. A text is looked at along the row of each contact that uses it, because that
// tells its dimensions; faults are told of the place in `laws`.
#include "core/expression/expression.h"
#include "law/formula/own.h"
#include "model/read/read_law.h"

#include <string.h>

static const ss_node* laws_of(const ss_reader* r) { return ss_node_find(r->root, "laws"); }

const ss_node* ss_read_own_law(const ss_reader* r, const char* name)
{
    const ss_node* laws = laws_of(r);
    return laws && laws->kind == SS_NODE_MAP ? ss_node_find(laws, name) : NULL;
}

// ---- the section

static ss_status check_name(ss_reader* r, const ss_node* node)
{
    static const char* const reserved[] = {"v", "x", "t", "between", "along", "law"};
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (strcmp(node->key, reserved[k]) == 0)
            return ss_read_fail_key(r, node, "'%s' cannot be the name of a key or state here", node->key);
    if (ss_function_exists(node->key))
        return ss_read_fail_key(r, node, "'%s' is the name of a function", node->key);
    return ss_read_name(r, node);
}

static ss_status check_text(ss_reader* r, const ss_node* map, const char* key, bool needed)
{
    const ss_node* node = ss_node_find(map, key);
    if (!node && needed) return ss_read_fail_missing(r, map, key, "is missing; expected an expression");
    if (!node || (node->kind == SS_NODE_SCALAR && node->text[0] != '\0')) return SS_OK;
    return ss_read_fail(r, node, "expected an expression");
}

static ss_status check_states(ss_reader* r, const ss_node* law)
{
    static const char* const keys[] = {"rate", NULL};
    const ss_node *map = ss_node_find(law, "states"), *numbers = ss_node_find(law, "keys");
    if (ss_read_is_empty(map))
        return ss_read_fail_missing(r, law, "states",
                                    "is missing; a force without a state is written under forces");
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{z: {rate: \"v - abs(v)*k*z/f\"}}");
    if (status != SS_OK) return status;
    if (map->count > 1) return ss_read_fail_key(r, map->last, "a law has one state");
    const ss_node* state = map->first;
    status = check_name(r, state);
    if (status == SS_OK && numbers && ss_node_find(numbers, state->key))
        return ss_read_fail_key(r, state, "'%s' is one of the keys, too", state->key);
    if (status == SS_OK) status = ss_read_expect(r, state, SS_NODE_MAP, "{rate: \"v\"}");
    if (status == SS_OK) status = ss_read_keys(r, state, keys);
    return status == SS_OK ? check_text(r, state, "rate", true) : status;
}

static ss_status check_numbers(ss_reader* r, const ss_node* law)
{
    const ss_node* map = ss_node_find(law, "keys");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{k: 50 N/m, f: 0.6 N}");
    if (status == SS_OK && map->count > SS_LAW_NUMBERS)
        return ss_read_fail(r, map, "a law has at most %d keys", SS_LAW_NUMBERS);
    for (const ss_node* key = status == SS_OK ? map->first : NULL; key && status == SS_OK; key = key->next)
        status = check_name(r, key);
    return status;
}

static ss_status check_law(ss_reader* r, const ss_node* law)
{
    static const char* const keys[] = {"keys", "states", "force", "stored", NULL};
    ss_status status = ss_read_name(r, law);
    for (int k = 0; k < ss_law_count(); k++)
        if (strcmp(ss_law_name((ss_law_kind)k), law->key) == 0)
            return ss_read_fail_key(r, law, "'%s' is the name of a law already", law->key);
    if (status == SS_OK) status = ss_read_expect(r, law, SS_NODE_MAP, "{keys: {k: 50 N/m}, force: \"-k*v\"}");
    if (status == SS_OK) status = ss_read_keys(r, law, keys);
    if (status == SS_OK) status = check_numbers(r, law);
    if (status == SS_OK) status = check_states(r, law);
    if (status == SS_OK) status = check_text(r, law, "force", true);
    return status == SS_OK ? check_text(r, law, "stored", false) : status;
}

ss_status ss_read_own_laws(ss_reader* r)
{
    const ss_node* laws = laws_of(r);
    if (ss_read_is_empty(laws)) return SS_OK;
    ss_status status = ss_read_expect(r, laws, SS_NODE_MAP, "{mine: {force: \"-v*(2 N*s/m)\"}}");
    for (const ss_node* law = status == SS_OK ? laws->first : NULL; law && status == SS_OK; law = law->next)
        status = check_law(r, law);
    return status;
}

// ---- a contact that uses one

static bool has_key(const ss_node* law, const char* name)
{
    const ss_node* keys = ss_node_find(law, "keys");
    return keys && keys->kind == SS_NODE_MAP && ss_node_find(keys, name);
}

ss_status ss_read_own_kind(ss_reader* r, const ss_node* contact, const ss_node* law, ss_law_kind* out)
{
    const char* names[SS_LAW_NUMBERS + 5] = {"between", "along", "law"};
    const ss_node* map = ss_node_find(law, "keys");
    int count = 3;
    if (!has_key(law, "normal")) names[count++] = "normal";
    for (const ss_node* key = map ? map->first : NULL; key; key = key->next) names[count++] = key->key;
    for (int k = 0; k < ss_law_count(); k++)
        if (ss_law_has((ss_law_kind)k, SS_TRAIT_OWN)) *out = (ss_law_kind)k;
    return ss_read_keys(r, contact, names);
}

// The number of a key, and its dimension: both as in the law, or as the contact has it.
static ss_status read_key(ss_contact_reader* c, const ss_node* key, double* number, ss_dimension* dimension)
{
    bool has_unit;
    const ss_node* own = ss_node_find(c->node, key->key);
    ss_status status = ss_read_any(c->r, key, number, dimension, &has_unit);
    return status == SS_OK && own ? ss_read_number(c->r, own, *dimension, number) : status;
}

static ss_status fail_text(ss_contact_reader* c, const ss_node* law)
{
    const ss_node* states = ss_node_find(law, "states");
    const ss_node* at = strcmp(c->r->error.field, "rate") == 0 ? ss_node_find(states->first, "rate")
                                                               : ss_node_find(law, c->r->error.field);
    return ss_read_fail_text(c->r, at ? at : law);
}

ss_status ss_read_own_fields(ss_contact_reader* c, const ss_node* law)
{
    const ss_node *keys = ss_node_find(law, "keys"), *states = ss_node_find(law, "states"),
                  *stored = ss_node_find(law, "stored");
    size_t count = keys ? (size_t)keys->count : 0;
    ss_law_text* text = ss_pool_new(&c->r->pool, 1, sizeof *text);
    const char** names = ss_pool_new(&c->r->pool, count + 1, sizeof *names);
    ss_dimension* dimensions = ss_pool_new(&c->r->pool, count + 1, sizeof *dimensions);
    if (!text || !names || !dimensions) return ss_fail_no_memory(&c->r->error);
    ss_formula_law* out = &c->contact->numbers;
    *out = (ss_formula_law){.text = text};
    ss_status status = SS_OK;
    for (const ss_node* key = keys ? keys->first : NULL; key && status == SS_OK; key = key->next) {
        names[key->index] = key->key;
        status = read_key(c, key, &out->number[key->index], &dimensions[key->index]);
    }
    if (status != SS_OK) return status;
    const ss_node* state = ss_read_is_empty(states) ? NULL : states->first;
    *text = (ss_law_text){.name = law->key,
                          .keys = names,
                          .dimensions = dimensions,
                          .key_count = (int)count,
                          .state = state ? state->key : NULL,
                          .rate = state ? ss_node_find(state, "rate")->text : NULL,
                          .force = ss_node_find(law, "force")->text,
                          .stored = stored ? stored->text : NULL};
    ss_scope scope = {.parameters = c->r->parameters, .parameter_count = c->r->parameter_count};
    bool loaded = !has_key(law, "normal") && ss_node_find(c->node, "normal");
    const ss_law_making with = {
        .scope = &scope, .force = loaded ? ss_plain : ss_force_along(c->row), .speed = ss_per_time(c->row)};
    status = ss_own_check(text, &with, &c->r->error);
    if (status != SS_OK) return status == SS_BAD_INPUT ? fail_text(c, law) : status;
    return loaded ? ss_read_normal(c) : SS_OK;
}
