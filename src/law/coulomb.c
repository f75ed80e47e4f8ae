// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dry friction: lambda in -f Sign(v), the set-valued law [VL04, (7)], with a level of its own for each
// direction and for rest.
#include "core/error.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

ss_coulomb ss_coulomb_make(double friction) { return (ss_coulomb){friction, friction, friction, friction}; }

ss_status ss_coulomb_check(const ss_coulomb* law, ss_error* err)
{
    const double levels[] = {law->forward, law->backward, law->static_forward, law->static_backward};
    static const char* const names[] = {"forward", "backward", "static_forward", "static_backward"};
    for (int i = 0; i < 4; i++)
        if (!(levels[i] >= 0.0 && (isfinite(levels[i]) || isinf(levels[i % 2])))) // it never slips that way
            return ss_fail(err, SS_BAD_INPUT, names[i], "friction must be a number >= 0, not %g", levels[i]);
    if (isinf(law->forward) && isinf(law->backward))
        return ss_fail(err, SS_BAD_INPUT, names[1], "friction cannot be infinite in both directions");
    if (law->static_forward < law->forward || law->static_backward < law->backward)
        return ss_fail(err, SS_BAD_INPUT, "static", "static friction is below the kinetic one");
    return SS_OK;
}

double ss_coulomb_force(const ss_coulomb* law, double v, double holding)
{
    if (v > 0.0) return -law->forward;
    if (v < 0.0) return law->backward;
    return fmin(fmax(holding, -law->static_forward), law->static_backward);
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_coulomb* law = self;
    (void)v; // the same at every speed
    out->levels[SS_FORWARD] = out->least[0] = law->forward;
    out->levels[SS_BACKWARD] = out->least[1] = law->backward;
    out->levels[SS_STATIC_FORWARD] = law->static_forward;
    out->levels[SS_STATIC_BACKWARD] = law->static_backward;
    out->viscous = 0.0;
}

// ---- what it says of itself: dry friction never gives energy, whatever its numbers

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_coulomb* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "forward", law->forward);
    ss_law_say_number(to, "backward", law->backward);
    ss_law_say_number(to, "static_forward", law->static_forward);
    ss_law_say_number(to, "static_backward", law->static_backward);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_coulomb* law = self;
    const char* unit = place->unit;
    bool even = law->forward == law->backward && law->static_forward == law->static_backward;
    bool falls = law->static_forward > law->forward || law->static_backward > law->backward;
    ss_law_words_doubt(out, falls, "static above kinetic friction; futures may not be unique");
    ss_law_words_doubt(out, law->static_forward == 0.0 && law->static_backward == 0.0,
                       "friction is 0 at t = 0");
    if (even) {
        ss_law_words_add(out, "sticks while %g %s suffices to hold it, slips against %g %s",
                         law->static_forward, unit, law->forward, unit);
        ss_law_words_band(out, place, law->static_forward);
        return;
    }
    ss_law_words_add(
        out, "forward: sticks up to %g %s, slips against %g %s; backward: up to %g %s, against %g %s",
        law->static_forward, unit, law->forward, unit, law->static_backward, unit, law->backward, unit);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "friction", .form = SS_KEY_LEVELS},
    {.name = "mu", .form = SS_KEY_PART},
    {.name = "normal", .form = SS_KEY_PART},
    {.name = "static", .form = SS_KEY_PART},
    {.name = "mu_static", .form = SS_KEY_PART},
    {.name = "restitution", .form = SS_KEY_PART},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_coulomb_check(def, err);
}

const ss_law ss_coulomb_law = {
    .name = "coulomb",
    .traits = SS_TRAIT_HOLDS | SS_TRAIT_LINEAR | SS_TRAIT_LEVELS,
    .size = sizeof(ss_coulomb),
    .keys = {.list = keys, .make = make},
    .facts = facts,
    .report = {.say = report},
};

// ---- a rope on a drum: at the limit tensions of ratio exp(mu angle), so that its friction is at most
// (exp(mu angle) - 1) times the smaller of the two; the reader of model files makes that a level

static const ss_key capstan_keys[] = {
    {.name = "tensions", .form = SS_KEY_TENSIONS},
    {.name = "mu", .form = SS_KEY_PART},
    {.name = "angle", .form = SS_KEY_PART},
    {.name = NULL},
};

const ss_law ss_capstan_law = {
    .name = "capstan",
    .traits = SS_TRAIT_HOLDS | SS_TRAIT_LINEAR | SS_TRAIT_LEVELS,
    .size = sizeof(ss_coulomb),
    .keys = {.list = capstan_keys, .make = make},
    .facts = facts,
    .report = {.say = report},
};
