// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of a motion between events.
#ifndef SLIPSTICK_LAB_VARIATION_H
#define SLIPSTICK_LAB_VARIATION_H

#include "lab/cycle/orbit.h"

void ss_variation_create(ss_orbit* orbit); ///< nodes and weights of the collocation
void ss_variation_begin(ss_orbit* orbit);  ///< the monodromy of no time: 1

/// Takes the monodromy over a step of length h, given the Jacobians at its stages. False where the equations
/// have no solution: the step is too long.
bool ss_variation_step(ss_orbit* orbit, double h);
/// Where the Jacobian does not vary in a mode: what a step does to the monodromy, and such a step.
bool ss_variation_make_stride(ss_orbit* orbit, double h);
void ss_variation_stride(ss_orbit* orbit);

#endif
