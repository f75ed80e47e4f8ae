// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stops of a model file: where they stand, and what they do to what runs into them.
#include "model/read/read_law.h"

static const ss_node* field(const ss_contact_reader* c, const char* key)
{
    return ss_node_find(c->node, key);
}

// above: X or below: X.
static ss_status read_side(ss_contact_reader* c, double* position, int* side)
{
    const ss_node *above = field(c, "above"), *below = field(c, "below");
    if (above && below)
        return ss_read_fail_key(c->r, above->index > below->index ? above : below,
                                "expected above or below, not both; two stops are two contacts");
    if (!above && !below)
        return ss_read_fail_missing(c->r, c->node, "above",
                                    "is missing; expected above or below, where the stop is");
    *side = above ? 1 : -1;
    return ss_read_coordinate(c->r, above ? above : below, c->row, false, position);
}

ss_status ss_read_rigid_stop(ss_contact_reader* c)
{
    c->contact->law = SS_LAW_RIGID_STOP;
    ss_rigid_stop* law = &c->contact->rigid_stop;
    *law = (ss_rigid_stop){.side = 1};
    ss_status status = read_side(c, &law->position, &law->side);
    if (status == SS_OK && !field(c, "restitution"))
        return ss_read_fail_missing(c->r, c->node, "restitution",
                                    "is missing; expected a number from 0 to 1");
    if (status == SS_OK) status = ss_read_required(c->r, c->node, "restitution", ss_plain, &law->restitution);
    if (status == SS_OK && !(law->restitution >= 0.0 && law->restitution <= 1.0))
        return ss_read_fail(c->r, field(c, "restitution"), "must be between 0 and 1, not %g",
                            law->restitution);
    return status;
}

// N/m^n, or N*m (per rad^n).
static ss_dimension stiffness_unit(const ss_contact_reader* c, double exponent)
{
    ss_dimension force = ss_force_along(c->row);
    return ss_dimension_of(force.m - exponent * c->row.m, force.kg, force.s);
}

// The unit is that of the exponent in the file: where an option changes the exponent, the number in SI stays.
// A stiffness that comes from an option may also be written for the exponent as it is now.
static ss_status read_stiffness(ss_contact_reader* c, double exponent, double* out)
{
    const ss_node* node = field(c, "stiffness");
    double original;
    ss_dimension now = stiffness_unit(c, exponent), unit = now;
    if (!node) return ss_read_required(c->r, c->node, "stiffness", now, out);
    bool changed = ss_read_original(c->r, field(c, "exponent"), &original) && original != exponent;
    if (changed && !(node->option && ss_read_is_in(c->r, node, now))) unit = stiffness_unit(c, original);
    return ss_read_number(c->r, node, unit, out);
}

ss_status ss_read_hunt_crossley(ss_contact_reader* c)
{
    c->contact->law = SS_LAW_HUNT_CROSSLEY;
    ss_hunt_crossley* law = &c->contact->hunt_crossley;
    *law = (ss_hunt_crossley){.side = 1};
    ss_reader* r = c->r;
    ss_dimension per_speed = ss_dimension_of(-c->row.m, 0, 1);
    ss_status status = read_side(c, &law->position, &law->side);
    if (status == SS_OK) status = ss_read_required(r, c->node, "exponent", ss_plain, &law->exponent);
    if (status == SS_OK && !(law->exponent >= 1.0))
        return ss_read_fail(r, field(c, "exponent"), "must be at least 1, not %g", law->exponent);
    if (status == SS_OK) status = read_stiffness(c, law->exponent, &law->stiffness);
    if (status == SS_OK && !(law->stiffness > 0.0))
        return ss_read_fail(r, field(c, "stiffness"), "must be positive, not %g", law->stiffness);
    if (status == SS_OK) status = ss_read_required(r, c->node, "alpha", per_speed, &law->alpha);
    if (status == SS_OK) status = ss_read_not_negative(r, field(c, "alpha"), law->alpha, per_speed);
    return status;
}
