// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What laws built on LuGre's share with it: their struct begins with an ss_lugre.
#ifndef SLIPSTICK_LAW_LUGRE_H
#define SLIPSTICK_LAW_LUGRE_H

#include "law/formula/formula.h"
#include "slipstick/bristle.h"

/// Where its numbers stand among its keys.
enum { SS_SIGMA0, SS_SIGMA1, SS_SIGMA2, SS_COULOMB, SS_STATIC, SS_SPEED, SS_SHAPE };
/// g(|v|) of the formula, and force and energy once the rate is there.
ss_jet ss_lugre_formula_level(const ss_formula_point* at);
void ss_lugre_formula_force(const ss_formula_point* at, ss_formula_answer* out);

/// g(u), N, and its derivative; u < 0 is beyond a reversal.
double ss_lugre_level_and_slope(const ss_lugre* law, double u, double* slope);

/// N: no less than |u g'(u)| for all |u| <= |v|.
double ss_lugre_slope_bound(const ss_lugre* law, double v);

/// How the level at |v| = u changes with the numbers of the law.
double ss_lugre_level_change(const ss_lugre* law, const ss_lugre* by, double u);

/// Its keys in the table of laws (law/table.h).
#define SS_LUGRE_KEYS                                                                                        \
    {.name = "sigma0",                                                                                       \
     .form = SS_KEY_STIFFNESS,                                                                               \
     .place = offsetof(ss_lugre, sigma0),                                                                    \
     .range = SS_RANGE_POSITIVE,                                                                             \
     .reason = "bristles are springs"},                                                                      \
        {.name = "sigma1",                                                                                   \
         .form = SS_KEY_DAMPING,                                                                             \
         .place = offsetof(ss_lugre, sigma1),                                                                \
         .range = SS_RANGE_NOT_NEGATIVE},                                                                    \
        {.name = "sigma2",                                                                                   \
         .form = SS_KEY_DAMPING,                                                                             \
         .place = offsetof(ss_lugre, sigma2),                                                                \
         .range = SS_RANGE_NOT_NEGATIVE},                                                                    \
        {.name = "coulomb",                                                                                  \
         .form = SS_KEY_FORCE,                                                                               \
         .place = offsetof(ss_lugre, coulomb),                                                               \
         .range = SS_RANGE_POSITIVE,                                                                         \
         .reason = "without it the bristles could not slip"},                                                \
        {.name = "static",                                                                                   \
         .form = SS_KEY_FORCE,                                                                               \
         .place = offsetof(ss_lugre, static_level),                                                          \
         .optional = true,                                                                                   \
         .floor = "coulomb"},                                                                                \
        {.name = "stribeck_speed",                                                                           \
         .form = SS_KEY_SPEED,                                                                               \
         .place = offsetof(ss_lugre, speed),                                                                 \
         .range = SS_RANGE_POSITIVE,                                                                         \
         .optional = true,                                                                                   \
         .standard = NAN},                                                                                   \
    {                                                                                                        \
        .name = "shape", .place = offsetof(ss_lugre, shape), .range = SS_RANGE_POSITIVE, .optional = true,   \
        .standard = 2.0, .reason = "below 0 the curve would run backwards, from coulomb to static"           \
    }

#endif
