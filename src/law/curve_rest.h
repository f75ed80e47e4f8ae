// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction curves given by expressions, next to rest: v^1.5 and other roots are not analytic at v = 0. Below
// a speed at which nothing of that is left to rounding, such a curve counts as its tangent.
#ifndef SLIPSTICK_LAW_CURVE_REST_H
#define SLIPSTICK_LAW_CURVE_REST_H

#include "core/expression/program.h"
#include "law/along.h"
#include "slipstick/law.h"

/// Finds that speed and the slope at rest, once the level at rest is known; `run` gives level and slope.
void ss_curve_find_quiet(ss_curve_side* side, ss_run* run);
/// Whether a step that begins with along->u[0] is below it.
bool ss_curve_is_quiet(const ss_curve_side* side, const ss_along* along);
/// Coefficient k of the tangent, N.
double ss_curve_tangent(const ss_curve_side* side, const ss_along* along, int k);
/// How much of h it lasts. least: rounding of the time, s.
double ss_curve_quiet_step_bound(const ss_curve_side* side, const ss_along* along, double least, double h);

#endif
