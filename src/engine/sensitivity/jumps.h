// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Jumps of what is given in time, and of expressions of the motion, that a step ends at.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_JUMPS_H
#define SLIPSTICK_ENGINE_SENSITIVITY_JUMPS_H

#include "engine/sensitivity/sensitivity.h"

/// Room for them; false where there was none.
bool ss_sensitivity_make_edges(ss_derivative* der);
/// Those that the present step ends at, at s; before->motion is filled. False where one is not crossed.
bool ss_jumps_find(ss_derivative* der, double s);
void ss_jumps_forget(ss_derivative* der); ///< none is met
int ss_jumps_count(const ss_derivative* der);
/// How the time of these changes, in to->edge; delta holds how everything else does. False where they come
/// apart, or where that is not known.
bool ss_jumps_time(ss_derivative* der, ss_sensitivity* to, double s);

/// Whether the motion starts on a jump that some sensitivity leaves.
bool ss_jumps_leave_start(ss_derivative* der);

#endif
