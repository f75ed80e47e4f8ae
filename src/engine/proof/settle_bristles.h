// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Whether a motion in bristles provably dies out.
#ifndef SLIPSTICK_FLOW_SETTLE_BRISTLES_H
#define SLIPSTICK_FLOW_SETTLE_BRISTLES_H

#include "engine/sim.h"

void ss_settle_bristles_allocate(ss_sim* sim);
/// A step begins, its modes decided: whether what is left of the motion provably dies out and is below all
/// that numbers tell of it.
bool ss_settle_bristles_stand(ss_sim* sim);
/// As ss_sim_settles, for models whose contacts are bristles and stops that stay open.
bool ss_settle_bristles_proved(const ss_sim* sim, double limit_x[]);

#endif
