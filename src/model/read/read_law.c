// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The law of a contact, read by its row in the table of laws (law/table.h): which keys it has, their units
// and ranges. What is not a plain number has a reader for its form; no law has one of its own.
#include "model/read/read_law.h"

#include "law/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 24 };

// ---- where numbers go

static void* law_of(const ss_contact_reader* c)
{
    return (char*)c->contact + offsetof(ss_contact_def, coulomb); // all laws begin where the union does
}

static double* place_of(const ss_contact_reader* c, const ss_key* key)
{
    return (double*)((char*)law_of(c) + key->place);
}

static const ss_key* find_key(const ss_law* law, const char* name)
{
    for (const ss_key* key = law->keys.list; key->name; key++)
        if (strcmp(key->name, name) == 0) return key;
    return NULL;
}

// ---- units

// N/m^n, or N*m (per rad^n).
static ss_dimension power_unit(const ss_contact_reader* c, double exponent)
{
    ss_dimension force = ss_force_along(c->row);
    return ss_dimension_of(force.m - exponent * c->row.m, force.kg, force.s);
}

// The unit of a stiffness is that of the exponent in the file: where an option changes the exponent, the
// number in SI stays. A stiffness that comes from an option may also be written for the exponent as it is
// now.
static ss_dimension unit_by_exponent(const ss_contact_reader* c, const ss_law* law, const ss_key* key)
{
    double exponent = *place_of(c, find_key(law, "exponent")), original;
    ss_dimension now = power_unit(c, exponent);
    const ss_node *node = ss_node_find(c->node, key->name), *power = ss_node_find(c->node, "exponent");
    if (!node || !power || !ss_read_original(c->r, power, &original) || original == exponent ||
        (node->option && ss_read_is_in(c->r, node, now)))
        return now;
    return power_unit(c, original);
}

static ss_dimension unit_of(const ss_contact_reader* c, const ss_law* law, const ss_key* key)
{
    switch (key->form) {
    case SS_KEY_FORCE: return ss_law_unit(c, ss_force_along(c->row));
    case SS_KEY_STIFFNESS: return ss_law_unit(c, ss_stiffness_along(c->row));
    case SS_KEY_DAMPING: return ss_law_unit(c, ss_damping_along(c->row));
    case SS_KEY_LENGTH: return c->row;
    case SS_KEY_SPEED: return ss_per_time(c->row);
    case SS_KEY_PER_SPEED: return ss_dimension_of(-c->row.m, 0, 1);
    case SS_KEY_GROWTH: return ss_law_unit(c, ss_per_time(ss_force_along(c->row)));
    case SS_KEY_POWER: return unit_by_exponent(c, law, key);
    default: return ss_plain;
    }
}

// ---- numbers

static ss_status fail_range(const ss_contact_reader* c, const ss_key* key, const char* expected, double value,
                            ss_dimension unit)
{
    char shown[64];
    const ss_node* node = ss_node_find(c->node, key->name);
    if (!key->reason) return ss_read_fail_range(c->r, node, "must be %s, not %g", expected, value);
    return ss_read_fail_range(c->r, node, "must be %s, not %s: %s", expected,
                              ss_read_show(value, unit, shown, sizeof shown), key->reason);
}

static ss_status check_range(const ss_contact_reader* c, const ss_key* key, double value, ss_dimension unit)
{
    switch (key->range) {
    case SS_RANGE_ANY: break;
    case SS_RANGE_NOT_NEGATIVE:
        return ss_read_not_negative(c->r, ss_node_find(c->node, key->name), value, unit);
    case SS_RANGE_POSITIVE:
        if (!(value > 0.0)) return fail_range(c, key, "positive", value, unit);
        break;
    case SS_RANGE_FROM_ONE:
        if (!(value >= 1.0)) return fail_range(c, key, "at least 1", value, unit);
        break;
    case SS_RANGE_SHARE:
        if (!(value >= 0.0 && value <= 1.0)) return fail_range(c, key, "between 0 and 1", value, unit);
        break;
    }
    return SS_OK;
}

static ss_status read_number(ss_contact_reader* c, const ss_law* law, const ss_key* key)
{
    const ss_key* floor_key = key->floor ? find_key(law, key->floor) : NULL;
    const ss_node* node = ss_node_find(c->node, key->name);
    double *out = place_of(c, key), least = floor_key ? *place_of(c, floor_key) : 0.0;
    if (!node && key->optional) {
        *out = floor_key ? least : key->standard;
        return SS_OK;
    }
    if (!node && key->missing)
        return ss_read_fail_missing(c->r, c->node, key->name, "is missing; expected %s", key->missing);
    ss_dimension unit = unit_of(c, law, key);
    ss_status status = ss_read_required(c->r, c->node, key->name, unit, out);
    if (status == SS_OK) status = check_range(c, key, *out, unit);
    if (status != SS_OK || !floor_key) return status;
    return ss_read_order(c->r, node, key->name, *out, ss_node_find(c->node, key->floor), key->floor, least,
                         unit);
}

// above: X or below: X. The struct of a stop begins with its position and its side.
static ss_status read_side(ss_contact_reader* c)
{
    _Static_assert(offsetof(ss_rigid_stop, position) == 0 && offsetof(ss_rigid_stop, side) == sizeof(double),
                   "as all stops begin");
    _Static_assert(offsetof(ss_hunt_crossley, position) == 0 &&
                       offsetof(ss_hunt_crossley, side) == sizeof(double),
                   "as all stops begin");
    _Static_assert(offsetof(ss_elastic_stop, position) == 0 &&
                       offsetof(ss_elastic_stop, side) == sizeof(double),
                   "as all stops begin");
    const ss_node *above = ss_node_find(c->node, "above"), *below = ss_node_find(c->node, "below");
    if (above && below)
        return ss_read_fail_key(c->r, above->index > below->index ? above : below,
                                "expected above or below, not both; two stops are two contacts");
    if (!above && !below)
        return ss_read_fail_missing(c->r, c->node, "above",
                                    "is missing; expected above or below, where the stop is");
    double* position = law_of(c);
    int* side = (int*)(position + 1);
    *side = above ? 1 : -1;
    return ss_read_coordinate(c->r, above ? above : below, c->row, false, position);
}

static ss_status read_flag(ss_contact_reader* c, const ss_key* key)
{
    const ss_node* node = ss_node_find(c->node, key->name);
    bool* out = (bool*)((char*)law_of(c) + key->place);
    if (!node) return SS_OK; // false, as all is before
    bool is_true = node->kind == SS_NODE_SCALAR && strcmp(node->text, "true") == 0;
    if (!is_true && !(node->kind == SS_NODE_SCALAR && strcmp(node->text, "false") == 0))
        return ss_read_fail(c->r, node, "expected true or false");
    *out = is_true;
    return SS_OK;
}

static ss_status read_key(ss_contact_reader* c, const ss_law* law, const ss_key* key)
{
    switch (key->form) {
    case SS_KEY_SIDE: return read_side(c);
    case SS_KEY_LEVELS: return ss_read_levels(c);
    case SS_KEY_TENSIONS: return ss_read_tensions(c);
    case SS_KEY_ELEMENTS: return ss_read_elements(c);
    case SS_KEY_SHARES: return ss_read_shares(c);
    case SS_KEY_CURVE: return ss_read_curve(c);
    case SS_KEY_NORMAL: return ss_read_normal_key(c, place_of(c, key));
    case SS_KEY_FLAG: return read_flag(c, key);
    case SS_KEY_PART: return SS_OK;
    default: return read_number(c, law, key);
    }
}

// ---- the law

static ss_status check_keys(ss_reader* r, const ss_node* contact, const ss_law* law)
{
    const char* names[MOST_KEYS] = {"between", "along", "law"};
    int count = 3;
    for (const ss_key* key = law->keys.list; key->name && count < MOST_KEYS - 2; key++)
        names[count++] = key->name;
    if (ss_law_takes_normal(law)) names[count] = "normal";
    return ss_read_keys(r, contact, names);
}

// "coulomb, stribeck or lugre", all of them
static const char* list_laws(char* out, size_t size)
{
    size_t used = 0;
    int last = ss_law_count() - 1;
    while (ss_law_has((ss_law_kind)last, SS_TRAIT_OWN)) last--; // it goes by the names of the file
    for (int i = 0; i <= last && used < size; i++) {
        const char* before = i == 0 ? "" : i < last ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before, ss_law_name((ss_law_kind)i));
    }
    return out;
}

static ss_status fail_unknown_law(ss_reader* r, const ss_node* node)
{
    const char* names[MOST_KEYS] = {NULL};
    char hint[128], expected[256];
    for (int i = 0; i < ss_law_count() && i < MOST_KEYS - 1; i++) names[i] = ss_law_name((ss_law_kind)i);
    ss_read_suggest_word(node->text, names, hint, sizeof hint);
    if (strcmp(node->text, "viscous") == 0 || strcmp(node->text, "damper") == 0)
        return ss_read_fail(r, node, "unknown law '%s'; a damper is a connection with damping", node->text);
    return ss_read_fail(r, node, "unknown law '%.60s'%s%s", node->text, hint[0] ? hint : "; expected ",
                        hint[0] ? "" : list_laws(expected, sizeof expected));
}

static ss_status find_law(ss_reader* r, const ss_node* contact, ss_law_kind* out)
{
    char expected[256];
    const ss_node* node = ss_node_find(contact, "law");
    if (!node) {
        ss_status status = check_keys(r, contact, ss_law_entry(0)); // "lw: coulomb" is a misspelt key
        if (status != SS_OK) return status;
        return ss_read_fail_missing(r, contact, "law", "is missing; expected %s",
                                    list_laws(expected, sizeof expected));
    }
    if (node->kind != SS_NODE_SCALAR || node->text[0] == '\0')
        return ss_read_fail(r, node, "expected the name of a law: %s", list_laws(expected, sizeof expected));
    for (int i = 0; i < ss_law_count(); i++) {
        if (strcmp(ss_law_name((ss_law_kind)i), node->text) != 0 || ss_law_has((ss_law_kind)i, SS_TRAIT_OWN))
            continue;
        *out = (ss_law_kind)i;
        return SS_OK;
    }
    return fail_unknown_law(r, node);
}

// A law that the file writes itself, where the contact names one.
static const ss_node* own_law(const ss_reader* r, const ss_node* contact)
{
    const ss_node* name = ss_node_find(contact, "law");
    return name && name->kind == SS_NODE_SCALAR ? ss_read_own_law(r, name->text) : NULL;
}

ss_status ss_read_law_kind(ss_reader* r, const ss_node* contact, ss_law_kind* out)
{
    const ss_node* own = own_law(r, contact);
    if (own) return ss_read_own_kind(r, contact, own, out);
    ss_status status = find_law(r, contact, out);
    return status == SS_OK ? check_keys(r, contact, ss_law_entry(*out)) : status;
}

// A unit may be wrong because of the normal force beside the law.
static void explain_units(ss_contact_reader* c)
{
    char* text = c->r->error.text;
    size_t used = strlen(text), room = sizeof c->r->error.text;
    if (strncmp(text, "expected", 8) == 0)
        snprintf(text + used, room - used, "; beside normal the law is per newton");
}

// A key that is necessary by the others: the law misses it.
static ss_status check_missing(const ss_contact_reader* c, const ss_law* law)
{
    ss_error fault;
    if (law->keys.make(law_of(c), NULL, NULL, &fault) == SS_OK) return SS_OK;
    const ss_key* key = find_key(law, fault.field);
    if (!key || !isnan(key->standard)) return SS_OK; // told where the model is made
    if (ss_node_find(c->node, key->name)) return SS_OK;
    return ss_read_fail_missing(c->r, c->node, key->name, "%s", fault.text);
}

ss_status ss_read_law_fields(ss_contact_reader* c)
{
    const ss_law* law = ss_law_entry(c->contact->law);
    if (law->traits & SS_TRAIT_OWN) return ss_read_own_fields(c, own_law(c->r, c->node));
    ss_status status = SS_OK;
    memset(law_of(c), 0, law->size);
    c->per_newton = ss_law_takes_normal(law) && ss_node_find(c->node, "normal");
    for (const ss_key* key = law->keys.list; key->name && status == SS_OK; key++)
        status = read_key(c, law, key);
    if (status == SS_BAD_INPUT && c->per_newton) explain_units(c);
    if (status == SS_OK) status = check_missing(c, law);
    return status == SS_OK && c->per_newton ? ss_read_normal(c) : status;
}

ss_status ss_read_directions(ss_contact_reader* c, const ss_node* node, const ss_node* out[2], bool* two)
{
    static const char* const names[] = {"forward", "backward", NULL};
    for (int k = 0; k < 2; k++) out[k] = ss_node_find(node, names[k]);
    *two = out[0] || out[1];
    ss_status status = *two ? ss_read_keys(c->r, node, names) : SS_OK;
    for (int k = 0; k < 2 && status == SS_OK; k++) {
        if (!*two) out[k] = node;
        if (!out[k])
            status = ss_read_fail_missing(c->r, node, names[k], "is missing; expected both %s",
                                          "forward and backward");
    }
    return status;
}
