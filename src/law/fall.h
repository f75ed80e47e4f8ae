// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The Stribeck curve exp(-(u/speed)^shape), u = |v|: at a point, also where v has passed 0 (whoever lays a
// polynomial through points on both sides needs one formula for both), and along a series.
#ifndef SLIPSTICK_LAW_FALL_H
#define SLIPSTICK_LAW_FALL_H

#include "core/jet/jet.h"

#include <stdbool.h>

/// Whether x^shape goes on smoothly to x < 0, as a polynomial: 1, 2, 3 and 4 do.
bool ss_power_is_whole(double shape);
/// The level on it, coulomb + (static - coulomb) exp(-(u/speed)^shape), for formulas; without a surplus the
/// speed need not be a number.
ss_jet ss_fall_level(ss_jet coulomb, ss_jet static_level, ss_jet speed, ss_jet shape, ss_jet u);
/// exp(-(u/speed)^shape) and its derivative by u. u < 0 is beyond a reversal: whole shapes go on, others come
/// back.
double ss_fall_at(double speed, double shape, double u, double* slope);

/// How it changes with speed and shape.
double ss_fall_change_at(double speed, double shape, double u, double by_speed, double by_shape);

/// Coefficient k of the curve. u is known up to k; square (u^2), power ((u/speed)^shape) and fall (the curve)
/// up to k - 1, and receive their coefficient k.
double ss_fall_coefficient(double speed, double shape, const double u[], double square[], double power[],
                           double fall[], int k);
/// Coefficients up to `last` of the derivative of the curve by u, from those of u, square and fall. False
/// where the shape is fractional: it may be no series.
bool ss_fall_slopes(double speed, double shape, const double u[], const double square[], const double fall[],
                    int last, double out[]);
/// The same of its derivative by the speed, from those of power and fall.
void ss_fall_by_speed(double speed, double shape, const double power[], const double fall[], int last,
                      double out[]);
/// Whether nothing is left of the curve on a step that it can reach (ss_fall_step_bound), from its start on.
bool ss_fall_is_gone(const double power[]);
/// Whether the curve counts as constant: its shape is fractional, so that it is not analytic at u = 0, and u
/// is there.
bool ss_fall_is_quiet(double shape, const double power[]);
/// The part of h on which these series are good, of which coefficients up to order - 1 are known. tolerance:
/// of the curve, beside 1; 0: as good as numbers are. faint: rounding of u[0], m/s; least: of the time, s.
double ss_fall_step_bound(double speed, double shape, const double u[], const double power[], int order,
                          double tolerance, double faint, double least, double h);
/// From where on (u/speed)^shape leaves nothing of the curve: less than the tolerance, beside 1.
double ss_fall_nothing(double tolerance);
/// How much of h the speed, of which coefficients up to order - 1 are known, stays above `least`: proved for
/// its polynomial.
double ss_fall_absent_bound(const double u[], int order, double least, double h);
/// How much of h the series of the curve itself reaches: there its last terms are below the tolerance. For
/// events that depend on the curve where no force does.
double ss_fall_tail(const double fall[], int order, double tolerance, double h);

#endif
