// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles of a model file: lists of elements, and how states start.
#include "model/read/read_law.h"

#include "core/tolerance.h"
#include "law/table.h"
#include "share/law.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ELEMENTS = 1000000 };

static const ss_node* field(const ss_contact_reader* c, const char* key)
{
    return ss_node_find(c->node, key);
}

// ---- Maxwell-slip

typedef struct elements {
    double *stiffness, *breakaway;
    int count;
} elements;

static ss_status make_room(ss_contact_reader* c, int count, elements* out)
{
    out->count = count;
    out->stiffness = ss_pool_new(&c->r->pool, (size_t)count, sizeof(double));
    out->breakaway = ss_pool_new(&c->r->pool, (size_t)count, sizeof(double));
    return out->stiffness && out->breakaway ? SS_OK : ss_fail_no_memory(&c->r->error);
}

static ss_status expect_positive(ss_contact_reader* c, const ss_node* node, const char* what, double value,
                                 ss_dimension unit, int index)
{
    char shown[64];
    if (value > 0.0 && isfinite(value)) return SS_OK;
    ss_read_show(value, unit, shown, sizeof shown);
    if (index > 0)
        return ss_read_fail_range(c->r, node, "%s must be positive, not %s at i = %d", what, shown, index);
    return ss_read_fail_range(c->r, node, "%s must be positive, not %s", what, shown);
}

// Pairs of a stiffness and something else: a breakaway force, or a share.
static ss_status read_element_list(ss_contact_reader* c, const ss_node* list, const char* what,
                                   ss_dimension unit, elements* out)
{
    ss_dimension stiffness = ss_law_unit(c, ss_stiffness_along(c->row));
    ss_status status = make_room(c, list->count, out);
    char of[48];
    snprintf(of, sizeof of, "the %s", what);
    for (const ss_node* pair = list->first; pair && status == SS_OK; pair = pair->next) {
        int i = pair->index;
        if (pair->kind != SS_NODE_LIST || pair->count != 2)
            return ss_read_fail(c->r, pair, "expected an element, [stiffness, %s]", what);
        status = ss_read_number(c->r, pair->first, stiffness, &out->stiffness[i]);
        if (status == SS_OK) status = ss_read_number(c->r, pair->last, unit, &out->breakaway[i]);
        if (status == SS_OK)
            status = expect_positive(c, pair->first, "the stiffness", out->stiffness[i], stiffness, 0);
        if (status == SS_OK) status = expect_positive(c, pair->last, of, out->breakaway[i], unit, 0);
    }
    return status;
}

// An expression in i at i = 1 .. count. What cannot be followed as a function of i, such as 2^i, is read anew
// for every element.
static ss_status read_series(ss_contact_reader* c, const char* key, const char* what, ss_dimension unit,
                             const ss_node* map, int count, double out[])
{
    const ss_node* node = ss_node_find(map, key);
    if (!node)
        return ss_read_fail_missing(c->r, map, key, "is missing; expected a number or an expression in i");
    ss_signal* signal = NULL;
    ss_status status = ss_read_index_signal(c->r, node, unit, &signal);
    if (status == SS_NO_MEMORY) return status;
    status = SS_OK;
    for (int i = 1; i <= count && status == SS_OK; i++) {
        if (signal)
            out[i - 1] = ss_signal_value(signal, i);
        else
            status = ss_read_at_index(c->r, node, unit, i, &out[i - 1]);
        if (status == SS_OK) status = expect_positive(c, node, what, out[i - 1], unit, i);
    }
    ss_signal_destroy(signal);
    return status;
}

static ss_status read_element_rule(ss_contact_reader* c, const ss_node* map, elements* out)
{
    static const char* const keys[] = {"count", "stiffness", "breakaway", NULL};
    double count = 0.0;
    ss_status status = ss_read_keys(c->r, map, keys);
    if (status == SS_OK) status = ss_read_required(c->r, map, "count", ss_plain, &count);
    if (status != SS_OK) return status;
    if (!(count >= 1.0 && count <= MOST_ELEMENTS && count == floor(count)))
        return ss_read_fail(c->r, ss_node_find(map, "count"), "must be a whole number from 1 to %d, not %g",
                            MOST_ELEMENTS, count);
    status = make_room(c, (int)count, out);
    if (status == SS_OK)
        status = read_series(c, "stiffness", "the stiffness", ss_law_unit(c, ss_stiffness_along(c->row)), map,
                             out->count, out->stiffness);
    if (status == SS_OK)
        status = read_series(c, "breakaway", "the breakaway force", ss_law_unit(c, ss_force_along(c->row)),
                             map, out->count, out->breakaway);
    return status;
}

ss_status ss_read_elements(ss_contact_reader* c)
{
    const ss_node* node = field(c, "elements");
    static const char expected[] = "[[stiffness, breakaway], ..] or {count: N, stiffness: .., breakaway: ..}";
    elements found = {0};
    ss_status status;
    if (!node) return ss_read_fail_missing(c->r, c->node, "elements", "is missing; expected %s", expected);
    if (node->kind == SS_NODE_LIST && node->count > 0)
        status =
            read_element_list(c, node, "breakaway force", ss_law_unit(c, ss_force_along(c->row)), &found);
    else if (node->kind == SS_NODE_MAP && node->count > 0)
        status = read_element_rule(c, node, &found);
    else
        status = ss_read_fail(c->r, node, "expected %s", expected);
    c->contact->maxwell_slip = (ss_maxwell_def){found.stiffness, found.breakaway, found.count};
    return status;
}

// ---- generalised Maxwell-slip

ss_status ss_read_shares(ss_contact_reader* c)
{
    const ss_node* node = field(c, "elements");
    static const char expected[] = "[[stiffness, share], ..]";
    elements found = {0};
    double sum = 0.0;
    if (!node) return ss_read_fail_missing(c->r, c->node, "elements", "is missing; expected %s", expected);
    if (node->kind != SS_NODE_LIST || node->count == 0)
        return ss_read_fail(c->r, node, "expected %s", expected);
    ss_status status = read_element_list(c, node, "share", ss_plain, &found);
    for (int i = 0; i < found.count && status == SS_OK; i++) sum += found.breakaway[i];
    if (status == SS_OK && !(fabs(sum - 1.0) <= SS_SAME))
        return ss_read_fail(c->r, node, "the shares must sum to 1, not %.10g", sum);
    c->contact->gms.count = found.count;
    c->contact->gms.stiffness = found.stiffness;
    c->contact->gms.share = found.breakaway;
    return status;
}

// ---- starts

static ss_status read_element_start(ss_reader* r, const ss_node* list, ss_dimension row,
                                    ss_contact_def* contact)
{
    const ss_law* law = ss_law_entry(contact->law);
    int count = law->elements.bounds(&contact->coulomb, NULL);
    ss_dimension unit = law->elements.force ? ss_force_along(row) : row;
    ss_status status =
        ss_read_expect(r, list, SS_NODE_LIST, law->elements.force ? "[0 N, 1 N]" : "[0 m, 0.1 m]");
    if (status != SS_OK) return status;
    if (list->count != count)
        return ss_read_fail(r, list, "expected %d %s, one per element, not %d", count, law->elements.word,
                            list->count);
    double* out = ss_pool_new(&r->pool, (size_t)list->count, sizeof *out);
    double* most = ss_pool_new(&r->pool, (size_t)list->count, sizeof *most);
    if (!out || !most) return ss_fail_no_memory(&r->error);
    law->elements.bounds(&contact->coulomb, most);
    for (const ss_node* node = list->first; node; node = node->next) {
        int i = node->index;
        status = ss_read_number(r, node, unit, &out[i]);
        if (status != SS_OK) return status;
        char shown[64], limit[64];
        if (fabs(out[i]) > most[i] * (1.0 + SS_RELATIVE_ZERO))
            return ss_read_fail(r, node, "%s is beyond its %s (%s): it would have slipped before",
                                ss_read_show(out[i], unit, shown, sizeof shown), law->elements.most_word,
                                ss_read_show(most[i], unit, limit, sizeof limit));
    }
    contact->start.elements = out;
    return SS_OK;
}

ss_status ss_read_bristle_start(ss_reader* r, const ss_node* node, ss_dimension row, ss_contact_def* contact)
{
    const ss_law_state_row* state = &ss_law_entry(contact->law)->state;
    const char* name = state->word ? state->word : "z";
    const char* const one_keys[] = {name, state->unit ? NULL : "saturation", NULL};
    const char* word = ss_law_element_word(contact->law);
    const char* const many_keys[] = {word, "saturation", NULL};
    bool many = word != NULL;
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, many ? "{saturation: 1}" : "{z: 0 m}");
    if (status == SS_OK) status = ss_read_keys(r, node, many ? many_keys : one_keys);
    if (status != SS_OK) return status;
    if (node->count > 1)
        return ss_read_fail_key(r, node->last, "expected only one of %s and %s", node->first->key,
                                node->last->key);
    const ss_node *share = ss_node_find(node, "saturation"), *list = many ? ss_node_find(node, word) : NULL;
    if (list) return read_element_start(r, list, row, contact);
    const ss_node* z = ss_node_find(node, name);
    if (z && ss_law_has(contact->law, SS_TRAIT_OWN)) { // whatever its unit is
        ss_dimension dimension;
        bool has_unit;
        return ss_read_any(r, z, &contact->start.z, &dimension, &has_unit);
    }
    status = ss_read_optional(r, node, name, state->unit ? *state->unit : row, &contact->start.z);
    if (status == SS_OK)
        status = ss_read_optional(r, node, "saturation", ss_plain, &contact->start.saturation);
    if (status == SS_OK && share && !(fabs(contact->start.saturation) <= 1.0))
        return ss_read_fail(r, share, "must be between -1 and 1, not %g", contact->start.saturation);
    return status;
}
