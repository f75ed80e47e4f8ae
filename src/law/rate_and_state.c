// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rate-and-state friction with ageing (docs/theory/rate-and-state.md):
//
//     theta' = 1 - |v| theta/Dc
//     force  = -normal a asinh(v/(2 V0) exp((mu0 + b ln(V0 theta/Dc))/a))
//
// theta (s) is the age of the contacts. It grows while nothing moves.
#include "core/error.h"
#include "law/formula/formula.h"

#include <math.h>

extern const ss_law ss_rate_and_state_law;

enum { A, B, DC, MU0, V0, NORMAL };

static double number(const void* law, int which) { return ((const ss_formula_law*)law)->number[which]; }

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    const ss_jet* key = at->key;
    ss_jet age = ss_jet_of(SS_OP_LOG, ss_jet_div(ss_jet_mul(key[V0], at->z), key[DC]));
    ss_jet level = ss_jet_div(ss_jet_add(key[MU0], ss_jet_mul(key[B], age)), key[A]);
    ss_jet slip = ss_jet_div(ss_jet_scale(0.5, at->v), key[V0]);
    ss_jet share = ss_jet_of(SS_OP_ASINH, ss_jet_mul(slip, ss_jet_of(SS_OP_EXP, level)));
    (void)law;
    out->rate = ss_jet_sub(ss_jet_number(1.0), ss_jet_div(ss_jet_mul(at->speed, at->z), key[DC]));
    out->force = ss_jet_neg(ss_jet_mul(ss_jet_mul(key[NORMAL], key[A]), share));
    out->stored = ss_jet_number(0.0);
}

// ---- in steady sliding

static void facts(const void* law, double v, ss_law_facts* out)
{
    out->start = number(law, DC) / number(law, V0);
    out->steady = number(law, DC) / fmax(fabs(v), number(law, V0));
    out->limit = -ss_formula_value(&ss_rate_and_state_law, law, fabs(v), out->steady).force;
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "a",
     .place = SS_NUMBER(A),
     .range = SS_RANGE_POSITIVE,
     .reason = "friction grows with a jump of speed"},
    {.name = "b", .place = SS_NUMBER(B), .range = SS_RANGE_NOT_NEGATIVE},
    {.name = "Dc", .form = SS_KEY_LENGTH, .place = SS_NUMBER(DC), .range = SS_RANGE_POSITIVE},
    {.name = "mu0", .place = SS_NUMBER(MU0), .range = SS_RANGE_POSITIVE},
    {.name = "V0", .form = SS_KEY_SPEED, .place = SS_NUMBER(V0), .range = SS_RANGE_POSITIVE},
    {.name = "normal", .form = SS_KEY_NORMAL, .place = SS_NUMBER(NORMAL), .range = SS_RANGE_NOT_NEGATIVE},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_numbers_check(keys, def, err);
}

static void report_numbers(const void* law, const ss_law_place* place, ss_law_said* to)
{
    (void)place;
    ss_law_say_flag(to, "passive", true);
    ss_numbers_tell(keys, law, to);
}

static void report_words(const void* law, const ss_law_place* place, ss_law_said* out)
{
    double a = number(law, A), b = number(law, B), normal = number(law, NORMAL), v0 = number(law, V0);
    ss_law_words_add(out, "slides against %g %s at %g %s/s, %s, on the scale of %g %s",
                     number(law, MU0) * normal, place->unit, v0, place->way,
                     b > a ? "less the faster (b > a)" : "more the faster (b <= a)", number(law, DC),
                     place->way);
    double critical = (b - a) * normal / number(law, DC);
    if (b > a && place->stiffness > 0.0)
        ss_law_words_add(out, "\n      steady sliding on the spring of %g %s/%s is %s: below %g it is not",
                         place->stiffness, place->unit, place->way,
                         place->stiffness < critical ? "unstable" : "stable where inertia is small",
                         critical);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

static const ss_dimension seconds = {.s = 1};

const ss_law ss_rate_and_state_law = {
    .name = "rate-and-state",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z | SS_TRAIT_AGES,
    .size = sizeof(ss_formula_law),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    .state = {.word = "theta", .unit = &seconds},
    SS_BY_FORMULA,
    .facts = facts,
    .report = {.say = report, .drifts = true},
};
