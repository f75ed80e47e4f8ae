// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of a motion with respect to its state, where the run has got to. Widths: n coordinates, then
// their n speeds.
#ifndef SLIPSTICK_FLOW_TANGENT_H
#define SLIPSTICK_FLOW_TANGENT_H

#include "engine/sim.h"

/// Acceleration of the coordinates (n).
void ss_present_acceleration(const ss_sim* sim, double a[]);
/// What the driven bodies add to the relative acceleration of contact i.
double ss_present_drive_acceleration(const ss_sim* sim, int i);

/// Doubles of scratch the next two need.
size_t ss_jacobian_size(const ss_model* model);
/// Jacobian of the acceleration in the present mode: n x 2 n, row-major.
void ss_mode_jacobian(const ss_sim* sim, double out[], double scratch[]);
/// Gradient (2 n) of the force of contact i, which holds.
void ss_hold_gradient(const ss_sim* sim, int i, double out[], double scratch[]);
/// How fast the force of contact i, which holds, moves past the bound on its side, N/s.
double ss_hold_rate(const ss_sim* sim, int i);

#endif
