// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Backlash: play between two stops of one kind. A model makes two stops of it, one above and one below,
// which are one contact for all who ask.
#include "core/error.h"
#include "law/table.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

static bool is_rigid(const ss_backlash* law) { return !isnan(law->restitution); }

static ss_status check_numbers(const ss_backlash* law, ss_error* err)
{
    if (is_rigid(law)) {
        if (!(law->restitution >= 0.0 && law->restitution <= 1.0))
            return ss_fail(err, SS_BAD_INPUT, "restitution", "must be in [0, 1], not %g", law->restitution);
        return SS_OK;
    }
    if (isnan(law->stiffness))
        return ss_fail(err, SS_BAD_INPUT,
                       isnan(law->damping) && isnan(law->alpha) ? "restitution" : "stiffness",
                       "is missing; expected restitution, or stiffness");
    if (!isnan(law->damping) && !(law->damping >= 0.0 && isfinite(law->damping)))
        return ss_fail(err, SS_BAD_INPUT, "damping", "must not be negative, not %g", law->damping);
    if (!isnan(law->alpha) && !(law->alpha >= 0.0 && isfinite(law->alpha)))
        return ss_fail(err, SS_BAD_INPUT, "alpha", "must not be negative, not %g", law->alpha);
    return ss_stop_check(law->center, 1, law->stiffness, law->exponent, err);
}

ss_status ss_backlash_check(const ss_backlash* law, ss_error* err)
{
    if (!(law->gap >= 0.0 && isfinite(law->gap)))
        return ss_fail(err, SS_BAD_INPUT, "gap", "must not be negative, not %g: it is all of the play",
                       law->gap);
    if (!isfinite(law->center)) return ss_fail(err, SS_BAD_INPUT, "center", "must be a finite position");
    const char* elastic = !isnan(law->stiffness) ? "stiffness"
                          : !isnan(law->damping) ? "damping"
                          : !isnan(law->alpha)   ? "alpha"
                                                 : NULL;
    if (is_rigid(law) && elastic)
        return ss_fail(err, SS_BAD_INPUT, elastic,
                       "goes without restitution: the flanks are rigid, or give way");
    if (!isnan(law->damping) && !isnan(law->alpha))
        return ss_fail(err, SS_BAD_INPUT, "alpha", "goes without damping: expected one of both");
    return check_numbers(law, err);
}

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_backlash_check(def, err);
}

ss_law_kind ss_law_half(const void* def, int which, void* out)
{
    const ss_backlash* law = def;
    int side = which == 0 ? 1 : -1;
    double position = law->center + side * 0.5 * law->gap;
    if (is_rigid(law)) {
        *(ss_rigid_stop*)out = (ss_rigid_stop){position, side, law->restitution};
        return SS_LAW_RIGID_STOP;
    }
    if (!isnan(law->alpha)) {
        *(ss_hunt_crossley*)out =
            (ss_hunt_crossley){position, side, law->stiffness, law->exponent, law->alpha};
        return SS_LAW_HUNT_CROSSLEY;
    }
    *(ss_elastic_stop*)out = (ss_elastic_stop){
        position, side, law->stiffness, law->exponent, isnan(law->damping) ? 0.0 : law->damping, false};
    return SS_LAW_ELASTIC_STOP;
}

// ---- what it says of itself

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_backlash* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "gap", law->gap);
    ss_law_say_number(to, "center", law->center);
    if (is_rigid(law)) {
        ss_law_say_number(to, "restitution", law->restitution);
        return;
    }
    ss_law_say_number(to, "stiffness", law->stiffness);
    ss_law_say_number(to, "exponent", law->exponent);
    if (!isnan(law->alpha))
        ss_law_say_number(to, "alpha", law->alpha);
    else
        ss_law_say_number(to, "damping", isnan(law->damping) ? 0.0 : law->damping);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_backlash* law = self;
    bool lossless = !is_rigid(law) && !(law->alpha > 0.0) && !(law->damping > 0.0);
    ss_law_words_doubt(out, lossless, "impacts lose nothing");
    ss_law_words_doubt(out, law->restitution == 1.0, "restitution 1, bounces never die out");
    ss_law_words_add(out, "play of %g %s about %g %s; ", law->gap, place->way, law->center, place->way);
    if (is_rigid(law)) {
        ss_law_words_add(out, "an impact returns %g of the speed, %g of the energy", law->restitution,
                         law->restitution * law->restitution);
        return;
    }
    ss_law_words_add(out, "flanks of %g %s/%s", law->stiffness, place->unit, place->way);
    if (law->exponent != 1.0) ss_law_words_add(out, "^%g", law->exponent);
    if (!isnan(law->alpha)) ss_law_words_add(out, ", alpha %g s/%s", law->alpha, place->way);
    if (!isnan(law->damping))
        ss_law_words_add(out, ", damped by %g %s*s/%s", law->damping, place->unit, place->way);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "gap",
     .form = SS_KEY_LENGTH,
     .place = offsetof(ss_backlash, gap),
     .range = SS_RANGE_NOT_NEGATIVE},
    {.name = "center", .form = SS_KEY_LENGTH, .place = offsetof(ss_backlash, center), .optional = true},
    {.name = "restitution",
     .place = offsetof(ss_backlash, restitution),
     .range = SS_RANGE_SHARE,
     .optional = true,
     .standard = NAN},
    {.name = "exponent",
     .place = offsetof(ss_backlash, exponent),
     .range = SS_RANGE_FROM_ONE,
     .optional = true,
     .standard = 1.0},
    {.name = "stiffness",
     .form = SS_KEY_POWER,
     .place = offsetof(ss_backlash, stiffness),
     .range = SS_RANGE_POSITIVE,
     .optional = true,
     .standard = NAN},
    {.name = "damping",
     .form = SS_KEY_DAMPING,
     .place = offsetof(ss_backlash, damping),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true,
     .standard = NAN},
    {.name = "alpha",
     .form = SS_KEY_PER_SPEED,
     .place = offsetof(ss_backlash, alpha),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true,
     .standard = NAN},
    {.name = NULL},
};

const ss_law ss_backlash_law = {
    .name = "backlash",
    .traits = SS_TRAIT_STOPS,
    .size = sizeof(ss_backlash),
    .keys = {.list = keys, .make = make},
    .report = {.say = report},
};
