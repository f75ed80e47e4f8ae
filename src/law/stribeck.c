// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction that falls with speed from its level at rest to its level in motion, and a viscous part:
//     level(v) = coulomb + (static - coulomb) exp(-(|v|/speed)^shape) + viscous |v|
// Set-valued at rest. The level is continuous at v -> 0, so a contact that breaks loose starts to slip with
// no jump of its force.
#include "core/error.h"
#include "core/tolerance.h"
#include "law/fall.h"
#include "law/formula/formula.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

ss_status ss_stribeck_check(const ss_stribeck* law, ss_error* err)
{
    if (!(law->coulomb >= 0.0 && isfinite(law->coulomb)))
        return ss_fail(err, SS_BAD_INPUT, "coulomb", "must be a number >= 0, not %g", law->coulomb);
    if (!(law->static_level >= law->coulomb && isfinite(law->static_level)))
        return ss_fail(err, SS_BAD_INPUT, "static", "must be at least coulomb (%g), not %g", law->coulomb,
                       law->static_level);
    if (!(law->speed > 0.0 && isfinite(law->speed)))
        return ss_fail(err, SS_BAD_INPUT, "stribeck_speed", "must be positive, not %g", law->speed);
    if (!(law->shape >= 1.0 && isfinite(law->shape)))
        return ss_fail(err, SS_BAD_INPUT, "shape", "must be at least 1, not %g", law->shape);
    if (!(law->viscous >= 0.0 && isfinite(law->viscous)))
        return ss_fail(err, SS_BAD_INPUT, "viscous", "must be a number >= 0, not %g", law->viscous);
    return SS_OK;
}

double ss_stribeck_level(const ss_stribeck* law, double v)
{
    double fall = exp(-pow(fabs(v) / law->speed, law->shape));
    return law->coulomb + (law->static_level - law->coulomb) * fall + law->viscous * fabs(v);
}

double ss_stribeck_slope(const ss_stribeck* law, double v)
{
    double u = fabs(v) / law->speed, power = pow(u, law->shape - 1.0);
    double fall = exp(-power * u) * law->shape * power / law->speed;
    return law->viscous - (law->static_level - law->coulomb) * fall;
}

double ss_stribeck_force(const ss_stribeck* law, double v, double holding)
{
    if (v != 0.0) return -copysign(ss_stribeck_level(law, v), v);
    return fmin(fmax(holding, -law->static_level), law->static_level);
}

// ---- the law at a point

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    enum { COULOMB, STATIC, SPEED, SHAPE, VISCOUS };
    const ss_jet* key = at->key;
    ss_jet level = ss_fall_level(key[COULOMB], key[STATIC], key[SPEED], key[SHAPE], at->speed);
    (void)law;
    out->rate = out->stored = ss_jet_number(0.0);
    out->force = ss_jet_neg(ss_jet_add(ss_jet_mul(at->sign, level), ss_jet_mul(key[VISCOUS], at->v)));
}

static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_stribeck* law = self;
    double u = point->sign * point->v, drop = law->static_level - law->coulomb, slope;
    double fall = ss_fall_at(law->speed, law->shape, u, &slope);
    double level = law->coulomb + drop * fall + law->viscous * u;
    *out =
        (ss_response){.force = -point->sign * level, .force_v = -(drop * slope + law->viscous), .fall = fall};
}

static void by_numbers_at(const void* self, const void* change, const ss_law_point* point, double* force,
                          double* rate)
{
    const ss_stribeck *law = self, *by = change;
    double u = point->sign * point->v, drop = law->static_level - law->coulomb, slope;
    double level = by->coulomb + by->viscous * u, more = by->static_level - by->coulomb;
    if (more != 0.0)
        level += more * (point->fall ? *point->fall : ss_fall_at(law->speed, law->shape, u, &slope));
    if (drop != 0.0 && (by->speed != 0.0 || by->shape != 0.0))
        level += drop * ss_fall_change_at(law->speed, law->shape, u, by->speed, by->shape);
    *force = -point->sign * level;
    *rate = 0.0;
}

static bool ends(const void* self, const ss_along* along, double v, double moved)
{
    (void)moved;
    return along->sign * v < 0.0 && !ss_power_is_whole(((const ss_stribeck*)self)->shape);
}

// ---- the law along a step
//
// u: |v|; square: |v|^2; power: (|v|/speed)^shape; fall: exp(-power); branch: 1 where the speed is so high
// that nothing is left of it, to the tolerance, and stays so along the step.

// The speed above which that may begin, or (less than e^3 times as much is left) where it ends.
static double high_speed(const ss_stribeck* law, double tolerance, bool ends_there)
{
    double power = ss_fall_nothing(tolerance) - (ends_there ? 3.0 : 0.0);
    return law->speed * (law->shape == 2.0 ? sqrt(power) : pow(power, 1.0 / law->shape));
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_stribeck* law = self;
    along->u[k] = along->sign * along->v[k];
    if (k == 0) along->branch = along->u[0] > high_speed(law, along->tolerance, false);
    if (along->branch) return -along->sign * (law->viscous * along->u[k] + (k == 0 ? law->coulomb : 0.0));
    ss_fall_coefficient(law->speed, law->shape, along->u, along->square, along->power, along->fall, k);
    double level = (law->static_level - law->coulomb) * along->fall[k] + law->viscous * along->u[k];
    return -along->sign * (level + (k == 0 ? law->coulomb : 0.0));
}

static bool slopes(const void* self, const ss_along* along, int last, ss_along_slopes* out)
{
    const ss_stribeck* law = self;
    double drop = law->static_level - law->coulomb;
    out->by_v = -law->viscous;
    out->bends = along->branch == 0 && drop != 0.0;
    if (!out->bends) return true;
    if (!ss_fall_slopes(law->speed, law->shape, along->u, along->square, along->fall, last, out->force_v))
        return false;
    for (int k = 0; k <= last; k++) out->force_v[k] *= -drop;
    return true;
}

// By the shape the curve changes like (u/speed)^shape ln(u/speed), which is no power series at rest.
static bool by_numbers(const void* self, const void* change, const ss_along* along, int last, double force[],
                       double rate[])
{
    const ss_stribeck *law = self, *by = change;
    double drop = law->static_level - law->coulomb, more = by->static_level - by->coulomb, curve[SS_ALONG];
    bool moves = by->speed != 0.0 && drop != 0.0;
    (void)rate;
    if (by->shape != 0.0) return false;
    for (int k = 0; k <= last; k++) force[k] = by->viscous * along->u[k];
    force[0] += by->coulomb;
    if (moves && along->branch == 0)
        ss_fall_by_speed(law->speed, law->shape, along->power, along->fall, last, curve);
    for (int k = 0; k <= last; k++) {
        if (along->branch == 0) force[k] += more * along->fall[k];
        if (along->branch == 0 && moves) force[k] += drop * by->speed * curve[k];
        force[k] *= -along->sign;
    }
    return true;
}

static double step_bound(const void* self, const ss_along* along, int order, double least, double h)
{
    const ss_stribeck* law = self;
    if (along->branch)
        return ss_fall_absent_bound(along->u, order, high_speed(law, along->tolerance, true), h);
    return ss_fall_step_bound(law->speed, law->shape, along->u, along->power, order, along->tolerance,
                              along->faint, least, h);
}

// Fractional shapes are not analytic at rest. Where the curve is left out from then on, `series` sees so.
static double smooth(const void* self, double u, double tolerance)
{
    const ss_stribeck* law = self;
    double end = (1.0 + SS_CLEAR) * high_speed(law, tolerance, false);
    return u < end && ss_power_is_whole(law->shape) ? end : 0.0;
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_stribeck* law = self;
    (void)v;
    for (int k = 0; k < SS_LEVELS; k++) out->levels[k] = law->static_level;
    out->least[0] = out->least[1] = law->coulomb;
    out->viscous = law->viscous;
}

// ---- what it says of itself

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_stribeck* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "coulomb", law->coulomb);
    ss_law_say_number(to, "static", law->static_level);
    ss_law_say_number(to, "stribeck_speed", law->speed);
    ss_law_say_number(to, "shape", law->shape);
    ss_law_say_number(to, "viscous", law->viscous);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_stribeck* law = self;
    const char* unit = place->unit;
    ss_law_words_doubt(out, law->static_level == 0.0, "friction is 0 at rest");
    ss_law_words_add(
        out, "sticks while %g %s suffices to hold it, slips against %g %s falling to %g %s around %g %s/s",
        law->static_level, unit, law->static_level, unit, law->coulomb, unit, law->speed, place->way);
    if (law->viscous > 0.0) ss_law_words_add(out, ", plus %g %s*s/%s", law->viscous, unit, place->way);
    ss_law_words_band(out, place, law->static_level);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "coulomb",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_stribeck, coulomb),
     .range = SS_RANGE_NOT_NEGATIVE},
    {.name = "static",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_stribeck, static_level),
     .floor = "coulomb"},
    {.name = "stribeck_speed",
     .form = SS_KEY_SPEED,
     .place = offsetof(ss_stribeck, speed),
     .range = SS_RANGE_POSITIVE},
    {.name = "shape",
     .place = offsetof(ss_stribeck, shape),
     .range = SS_RANGE_FROM_ONE,
     .optional = true,
     .standard = 2.0},
    {.name = "viscous",
     .form = SS_KEY_DAMPING,
     .place = offsetof(ss_stribeck, viscous),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_stribeck_check(def, err);
}

const ss_law ss_stribeck_law = {
    .name = "stribeck",
    .traits = SS_TRAIT_HOLDS,
    .size = sizeof(ss_stribeck),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    .facts = facts,
    .point = {.at = at, .by_numbers = by_numbers_at, .ends = ends, .smooth = smooth},
    .series = {.next = series, .step_bound = step_bound, .slopes = slopes, .by_numbers = by_numbers},
    .report = {.say = report},
};
