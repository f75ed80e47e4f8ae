// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The parts that ss_derivative_get gives, by functions of their own.
#ifndef SLIPSTICK_SHARE_DERIVATIVE_H
#define SLIPSTICK_SHARE_DERIVATIVE_H

#include "slipstick/derivative.h"

/// Places and speeds of all bodies (one number each, may be NULL) where the run has got to, at a fixed time;
/// false, and NaN, where the derivative is lost.
bool ss_derivative_bodies(ss_derivative* derivative, int direction, double x[], double v[]);
/// Forces of all contacts (N), on A, as ss_sim_contact tells them.
bool ss_derivative_forces(ss_derivative* derivative, int direction, double out[]);
/// States, signals, inputs and memory of an open model, as ss_sim_numbers tells them.
bool ss_derivative_numbers(ss_derivative* derivative, int direction, double out[]);
/// Everything that the future of a run depends on, in the order of ss_sim_state.
bool ss_derivative_state(ss_derivative* derivative, int direction, double out[]);
double ss_path_direction_value(const ss_path_direction* direction); ///< the number itself, SI

#endif
