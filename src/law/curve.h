// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Powers of laws beyond where they end: the Stribeck curve where v has passed 0, the force of a stop that has
// opened. Whoever lays a polynomial through points on both sides needs one formula for both.
#ifndef SLIPSTICK_LAW_CURVE_H
#define SLIPSTICK_LAW_CURVE_H

#include <stdbool.h>

/// Whether x^shape goes on smoothly to x < 0, as a polynomial: 1, 2, 3 and 4 do.
bool ss_curve_is_whole(double shape);
/// exp(-(u/speed)^shape) and its derivative by u. u < 0 is beyond a reversal: whole shapes go on, others come
/// back.
double ss_curve_at(double speed, double shape, double u, double* slope);

#endif
