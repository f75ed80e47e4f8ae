// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A stop that is a spring with a damper beside it:
//     f = max(0, k p^n + d p'),   p > 0 the penetration
// Limited, as Modelica's ElastoGap has it, the part d p' stays within +-k p^n. So there are two formulas,
//     branch 0   f = k p^n + d p'         where |d p'| <= k p^n, or wherever it pushes if not limited
//     branch 1   f = 2 k p^n              limited, d p' > k p^n
// and the cut: where k p^n + d p' < 0 the stop is open though p > 0.
//
// A body that arrives meets d p' at once, so without the limit the force jumps at the touch; on both edges,
// and where it lets go, it does not.
#include "core/error.h"
#include "law/fall.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

ss_status ss_elastic_stop_check(const ss_elastic_stop* law, ss_error* err)
{
    ss_status status = ss_stop_check(law->position, law->side, law->stiffness, law->exponent, err);
    if (status != SS_OK) return status;
    if (!(law->damping >= 0.0 && isfinite(law->damping)))
        return ss_fail(err, SS_BAD_INPUT, "damping", "must be a number >= 0, not %g", law->damping);
    return SS_OK;
}

double ss_elastic_stop_push(const ss_elastic_stop* law, double p, double p_rate)
{
    if (!(p > 0.0)) return 0.0;
    double spring = law->stiffness * pow(p, law->exponent), damper = law->damping * p_rate;
    if (law->limited) damper = fmin(damper, spring);
    return fmax(0.0, spring + damper);
}

double ss_elastic_stop_force(const ss_elastic_stop* law, double x, double v)
{
    return -law->side * ss_elastic_stop_push(law, law->side * (x - law->position), law->side * v);
}

double ss_elastic_stop_energy(const ss_elastic_stop* law, double p)
{
    return p > 0.0 ? law->stiffness * pow(p, law->exponent + 1.0) / (law->exponent + 1.0) : 0.0;
}

// ---- the law: its formulas end at k p^n + d p' and, limited, at k p^n - d p'

static void describe(const void* self, ss_stop* out)
{
    const ss_elastic_stop* law = self;
    double k = law->stiffness, n = law->exponent, d = law->damping;
    *out = (ss_stop){.side = law->side,
                     .form = {{k, n, 1.0, 0.0, d}, {k, n, 2.0, 0.0, 0.0}},
                     .edge = {{0.0, k, d}, {0.0, k, -d}},
                     .edge_count = d == 0.0       ? 0
                                   : law->limited ? 2
                                                  : 1};
}

static void at(const void* law, const ss_law_point* point, ss_response* out)
{
    ss_stop stop;
    describe(law, &stop);
    ss_stop_at(&stop, point, out);
}

static void facts(const void* law, double v, ss_law_facts* out)
{
    (void)v;
    describe(law, &out->stop);
}

// ---- what it says of itself

// Damping ratio of the mass on it, where its spring is linear: below 1 it would swing.
static double damping_ratio(const ss_elastic_stop* law, double mass)
{
    return law->exponent == 1.0 && isfinite(mass) ? 0.5 * law->damping / sqrt(law->stiffness * mass) : NAN;
}

// Speed after over speed before of a free mass that meets a linear, unlimited stop. With D the ratio of its
// damping, D = cos b, the force falls to 0 after the phase 2 b of the swing: e = exp(-2 b cot b).
static double restitution(double ratio)
{
    double root = sqrt(fabs((1.0 - ratio) * (1.0 + ratio)));
    if (ratio == 1.0) return exp(-2.0);
    return exp(-2.0 * ratio / root * (ratio < 1.0 ? atan2(root, ratio) : acosh(ratio)));
}

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_elastic_stop* law = self;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, law->side > 0 ? "above" : "below", law->position);
    ss_law_say_number(to, "stiffness", law->stiffness);
    ss_law_say_number(to, "exponent", law->exponent);
    ss_law_say_number(to, "damping", law->damping);
    ss_law_say_flag(to, "limited", law->limited);
    double ratio = damping_ratio(law, place->mass);
    ss_law_say_number(to, "damping_ratio", ratio);
    ss_law_say_number(to, "restitution", law->limited && law->damping > 0.0 ? NAN : restitution(ratio));
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_elastic_stop* law = self;
    ss_law_words_doubt(out, law->damping == 0.0, "damping 0, impacts lose nothing");
    ss_stop_say(out, place, law->stiffness, law->exponent, law->side, law->position);
    if (law->damping == 0.0) {
        ss_law_words_add(out, ", without loss");
        return;
    }
    ss_law_words_add(out, ", damping %g %s*s/%s", law->damping, place->unit, place->way);
    if (law->limited) ss_law_words_add(out, " within the force of the spring");
    double ratio = damping_ratio(law, place->mass);
    if (!isfinite(ratio)) return;
    ss_law_words_add(out, "\n      damping ratio %.4g", ratio);
    if (!law->limited)
        ss_law_words_add(out, "; a free body leaves with %.6f of its speed", restitution(ratio));
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
    {.name = "exponent",
     .place = offsetof(ss_elastic_stop, exponent),
     .range = SS_RANGE_FROM_ONE,
     .optional = true,
     .standard = 1.0},
    {.name = "stiffness",
     .form = SS_KEY_POWER,
     .place = offsetof(ss_elastic_stop, stiffness),
     .range = SS_RANGE_POSITIVE},
    {.name = "damping",
     .form = SS_KEY_DAMPING,
     .place = offsetof(ss_elastic_stop, damping),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true},
    {.name = "limited", .form = SS_KEY_FLAG, .place = offsetof(ss_elastic_stop, limited), .optional = true},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_elastic_stop_check(def, err);
}

const ss_law ss_elastic_stop_law = {
    .name = "elastic-stop",
    .traits = SS_TRAIT_STOPS | SS_TRAIT_GIVES_WAY,
    .size = sizeof(ss_elastic_stop),
    .keys = {.list = keys, .make = make},
    .point = {.at = at},
    .facts = facts,
    .report = {.say = report},
};
