// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Jumps of what is given in time, and of expressions of the motion, that a step ends at.
#ifndef SLIPSTICK_VARIATION_EDGES_H
#define SLIPSTICK_VARIATION_EDGES_H

#include "engine/variation/variation.h"

/// Room for them; false where there was none.
bool ss_vary_make_edges(ss_variation* var);
/// Those that the present step ends at, at s; before->motion is filled. False where one is not crossed.
bool ss_edges_find(ss_variation* var, double s);
void ss_edges_forget(ss_variation* var); ///< none is met
int ss_edges_count(const ss_variation* var);
/// How the time of these changes, in to->edge; delta holds how everything else does. False where they come
/// apart, or where that is not known.
bool ss_edges_time(ss_variation* var, ss_heading* to, double s);

/// Whether the motion starts on a jump that some heading leaves.
bool ss_edges_leave_start(ss_variation* var);

#endif
