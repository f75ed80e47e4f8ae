// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A normal force beside a law of friction multiplies the whole force of the law, whose other numbers are then
// per newton of it. All of them that have a force in their unit are proportional to it, and none else: which
// these are the row of the law tells, by the forms of its keys. So a constant one makes another law of the
// same kind; one that varies is kept beside the law (ss_contact.loaded).
#include "model/read/read_law.h"
#include "model/read/read_open.h"

#include "law/table.h"
#include "share/quantity.h"

#include <math.h>
#include <string.h>

bool ss_law_takes_normal(const ss_law* law)
{
    if (law->traits & SS_TRAIT_LEVELS) return false; // it has its own, or a level that is made for it
    for (const ss_key* key = law->keys.list; key->name; key++)
        if (strcmp(key->name, "normal") == 0) return false; // it has its own
    return (law->traits & (SS_TRAIT_HOLDS | SS_TRAIT_BRISTLES)) != 0;
}

ss_dimension ss_law_unit(const ss_contact_reader* c, ss_dimension unit)
{
    ss_dimension force = ss_force_along(c->row);
    if (!c->per_newton) return unit;
    return (ss_dimension){unit.m - force.m, unit.kg - force.kg, unit.s - force.s, unit.A - force.A};
}

static ss_status scale_array(ss_contact_reader* c, const double** numbers, int count, double normal)
{
    double* scaled = ss_pool_new(&c->r->pool, (size_t)count, sizeof *scaled);
    if (!scaled) return ss_fail_no_memory(&c->r->error);
    for (int i = 0; i < count; i++) scaled[i] = (*numbers)[i] * normal;
    *numbers = scaled;
    return SS_OK;
}

static ss_status scale_curve(ss_contact_reader* c, double normal)
{
    ss_curve* law = &c->contact->curve;
    bool same = law->side[0].force == law->side[1].force; // of tables; both are NULL where there is none
    ss_status status = SS_OK;
    for (int way = 0; way < 2 && status == SS_OK; way++) {
        ss_curve_side* side = &law->side[way];
        law->hold[way] *= normal;
        side->per_newton = true;
        side->normal = normal;
        if (side->count > 0 && way == 1 && same)
            side->force = law->side[0].force;
        else if (side->count > 0)
            status = scale_array(c, &side->force, side->count, normal);
    }
    return status;
}

static ss_status scale_key(ss_contact_reader* c, const ss_key* key, double normal)
{
    ss_maxwell_def* elements = &c->contact->maxwell_slip;
    switch (key->form) {
    case SS_KEY_FORCE:
    case SS_KEY_STIFFNESS:
    case SS_KEY_DAMPING:
    case SS_KEY_GROWTH: *(double*)((char*)&c->contact->coulomb + key->place) *= normal; return SS_OK;
    case SS_KEY_ELEMENTS: {
        ss_status status = scale_array(c, &elements->breakaway, elements->count, normal);
        return status == SS_OK ? scale_array(c, &elements->stiffness, elements->count, normal) : status;
    }
    case SS_KEY_SHARES: return scale_array(c, &c->contact->gms.stiffness, c->contact->gms.count, normal);
    case SS_KEY_CURVE: return scale_curve(c, normal);
    default: return SS_OK; // no force
    }
}

// The normal force beside a law whose numbers are per newton of it.
static ss_status read_varying(ss_contact_reader* c, const ss_node* node)
{
    if (!ss_read_follows_motion(c->r, node)) return ss_read_varying_level(c, node, &c->contact->normal);
    c->contact->normal_level = (ss_level_def){node->text, 1.0, ss_force_along(c->row), "normal"};
    return SS_OK;
}

// The force where it is constant; NaN where it is not.
static ss_status read_constant(ss_contact_reader* c, const ss_node* node, double* out)
{
    const ss_signal* signal = NULL;
    *out = NAN;
    if (ss_read_follows_motion(c->r, node)) return SS_OK;
    ss_status status = ss_read_signal(c->r, node, ss_force_along(c->row), &signal);
    if (status != SS_OK || !ss_signal_is_constant(signal)) return status;
    *out = ss_signal_value(signal, 0.0);
    if (!isfinite(*out)) return ss_read_fail(c->r, node, "is not a finite number");
    return ss_read_not_negative(c->r, node, *out, ss_force_along(c->row));
}

ss_status ss_read_normal(ss_contact_reader* c)
{
    const ss_law* law = ss_law_entry(c->contact->law);
    const ss_node* node = ss_node_find(c->node, "normal");
    double normal = 0.0;
    ss_status status = read_constant(c, node, &normal);
    if (status != SS_OK) return status;
    bool unable = normal == 0.0 && (law->traits & SS_TRAIT_BRISTLES); // such a law has no bristles
    if (isnan(normal) || unable || (law->traits & SS_TRAIT_OWN)) return read_varying(c, node);
    for (const ss_key* key = law->keys.list; key->name && status == SS_OK; key++)
        status = scale_key(c, key, normal);
    return status;
}

ss_status ss_read_normal_key(ss_contact_reader* c, double* out)
{
    const ss_node* node = ss_node_find(c->node, "normal");
    if (!node)
        return ss_read_fail_missing(c->r, c->node, "normal",
                                    "is missing; expected a number or an expression");
    ss_status status = read_constant(c, node, out);
    if (status != SS_OK || !isnan(*out)) return status;
    *out = 1.0;
    return read_varying(c, node);
}
