// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bouc-Wen hysteresis (docs/theory/bouc-wen.md), with d = level/stiffness:
//
//     z' = v (1 - |z/d|^n (beta sgn(v z) + gamma)/(beta + gamma)),     force = -stiffness z
//
// With u = z/d and s = sgn v the power times the sign is s sgn u |u|^n, which for n = 1 is s u.
#include "core/error.h"
#include "core/number_length.h"
#include "law/formula/formula.h"

#include <math.h>

extern const ss_law ss_bouc_wen_law;

enum { STIFFNESS, LEVEL, BETA, GAMMA, EXPONENT };

static double number(const void* law, int which) { return ((const ss_formula_law*)law)->number[which]; }

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    const ss_jet* key = at->key;
    ss_jet spring = ss_jet_mul(key[STIFFNESS], at->z), u = ss_jet_div(spring, key[LEVEL]);
    ss_jet size = ss_jet_of(SS_OP_ABS, u), power = ss_jet_power(size, key[EXPONENT]);
    ss_jet turned = number(law, EXPONENT) == 1.0
                        ? ss_jet_mul(u, ss_jet_power(size, ss_jet_shift(key[EXPONENT], -1.0)))
                        : ss_jet_mul(power, ss_jet_of(SS_OP_SIGN, u));
    turned = ss_jet_mul(key[BETA], ss_jet_mul(at->sign, turned));
    ss_jet slip =
        ss_jet_div(ss_jet_add(turned, ss_jet_mul(key[GAMMA], power)), ss_jet_add(key[BETA], key[GAMMA]));
    out->rate = ss_jet_mul(at->v, ss_jet_sub(ss_jet_number(1.0), slip));
    out->force = ss_jet_neg(spring);
    out->stored = ss_jet_scale(0.5, ss_jet_mul(spring, at->z));
}

// The force takes k z v and stores k z z': their difference is not negative where |gamma| <= beta.
static bool is_passive(const void* law) { return fabs(number(law, GAMMA)) <= number(law, BETA); }

// ---- at rest and in steady sliding

static void facts(const void* law, double v, ss_law_facts* out)
{
    (void)v; // the same at every speed
    out->limit = number(law, LEVEL);
    out->stiffness = number(law, STIFFNESS);
    out->steady = out->limit / out->stiffness;
    out->damping = 0.0;
}

// z'/v, which depends on z and the direction alone.
static double share_at(const void* law, double z, double sign)
{
    return sign * ss_formula_value(&ss_bouc_wen_law, law, sign, z).rate;
}

// It is monotone on either side of z = 0: it is farthest off at an end, or there.
static void near_rest(const void* law, double z, double dz, double v, ss_law_near_rest* out)
{
    (void)v;
    *out = (ss_law_near_rest){.off = 0.0};
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? 1.0 : -1.0, share = out->share[k] = share_at(law, z, sign);
        double far[3] = {z - dz, z + dz, fabs(z) <= dz ? 0.0 : z};
        for (int j = 0; j < 3; j++) out->off = fmax(out->off, fabs(share_at(law, far[j], sign) - share));
    }
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "stiffness",
     .form = SS_KEY_STIFFNESS,
     .place = SS_NUMBER(STIFFNESS),
     .range = SS_RANGE_POSITIVE},
    {.name = "level", .form = SS_KEY_FORCE, .place = SS_NUMBER(LEVEL), .range = SS_RANGE_POSITIVE},
    {.name = "beta",
     .place = SS_NUMBER(BETA),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true,
     .standard = 0.5},
    {.name = "gamma", .place = SS_NUMBER(GAMMA), .optional = true, .standard = 0.5},
    {.name = "exponent",
     .place = SS_NUMBER(EXPONENT),
     .range = SS_RANGE_FROM_ONE,
     .optional = true,
     .standard = 1.0},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    ss_status status = ss_numbers_check(keys, def, err);
    (void)law, (void)with; // a copy of its definition
    if (status != SS_OK || number(def, BETA) + number(def, GAMMA) > 0.0) return status;
    return ss_fail(err, SS_BAD_INPUT, "gamma", "must be above -beta (%g), not %g: the force had no limit",
                   -number(def, BETA), number(def, GAMMA));
}

static void report_numbers(const void* law, const ss_law_place* place, ss_law_said* to)
{
    ss_law_say_flag(to, "passive", is_passive(law));
    ss_law_say_number(to, "damping_ratio", isfinite(place->mass) ? 0.0 : NAN);
    ss_numbers_tell(keys, law, to);
}

static void report_words(const void* law, const ss_law_place* place, ss_law_said* out)
{
    double k = number(law, STIFFNESS), level = number(law, LEVEL);
    ss_law_words_doubt(out, !is_passive(law),
                       "not passive: gamma = %g is beyond beta = %g, so that small loops may give energy",
                       number(law, GAMMA), number(law, BETA));
    ss_law_words_add(out, "tends to %g %s after some %g %s, a loop of %g %s/%s%s", level, place->unit,
                     level / k, place->way, k, place->unit, place->way, is_passive(law) ? "; passive" : "");
    ss_law_words_resonance(out, place, k, 0.0);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

const ss_law ss_bouc_wen_law = {
    .name = "bouc-wen",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z,
    .size = sizeof(ss_formula_law),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    SS_BY_FORMULA,
    .facts = facts,
    .point.near_rest = near_rest,
    .report = {.say = report, .drifts = true},
};
