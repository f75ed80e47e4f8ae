// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A hard stop: a gap that never becomes negative, a force that never pulls, and Newton's restitution when
// the gap closes with speed.
#include "core/error.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

ss_status ss_rigid_stop_check(const ss_rigid_stop* law, ss_error* err)
{
    if (!isfinite(law->position))
        return ss_fail(err, SS_BAD_INPUT, law->side > 0 ? "above" : "below", "must be a finite position");
    if (law->side != 1 && law->side != -1)
        return ss_fail(err, SS_BAD_INPUT, "side", "must be +1 (above) or -1 (below), not %d", law->side);
    if (!(law->restitution >= 0.0 && law->restitution <= 1.0))
        return ss_fail(err, SS_BAD_INPUT, "restitution", "must be in [0, 1], not %g", law->restitution);
    return SS_OK;
}

double ss_rigid_stop_gap(const ss_rigid_stop* law, double x) { return law->side * (law->position - x); }

// It pushes out of itself with any force, and never pulls.
static void facts(const void* law, double v, ss_law_facts* out)
{
    int side = ((const ss_rigid_stop*)law)->side;
    (void)v; // the same at every speed
    out->levels[SS_FORWARD] = out->levels[SS_BACKWARD] = 0.0;
    out->levels[SS_STATIC_FORWARD] = side > 0 ? INFINITY : 0.0;
    out->levels[SS_STATIC_BACKWARD] = side > 0 ? 0.0 : INFINITY;
}

// ---- what it says of itself

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_rigid_stop* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, law->side > 0 ? "above" : "below", law->position);
    ss_law_say_number(to, "restitution", law->restitution);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_rigid_stop* law = self;
    ss_law_words_doubt(out, law->restitution == 1.0, "restitution 1, bounces never die out");
    ss_law_words_add(out, "x stays %s %g %s; an impact returns %g of the speed, %g of the energy",
                     law->side > 0 ? "below" : "above", law->position, place->way, law->restitution,
                     law->restitution * law->restitution);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "above", .form = SS_KEY_SIDE},
    {.name = "below", .form = SS_KEY_PART},
    {.name = "restitution",
     .place = offsetof(ss_rigid_stop, restitution),
     .range = SS_RANGE_SHARE,
     .missing = "a number from 0 to 1"},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_rigid_stop_check(def, err);
}

const ss_law ss_rigid_stop_law = {
    .name = "rigid-stop",
    .traits = SS_TRAIT_STOPS | SS_TRAIT_LINEAR | SS_TRAIT_RIGID,
    .size = sizeof(ss_rigid_stop),
    .keys = {.list = keys, .make = make},
    .facts = facts,
    .report = {.say = report},
};
