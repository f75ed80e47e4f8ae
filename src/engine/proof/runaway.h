// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions that grow and quicken so fast that the time asked for is out of reach. docs/theory/flow.md tells.
#ifndef SLIPSTICK_ENGINE_PROOF_RUNAWAY_H
#define SLIPSTICK_ENGINE_PROOF_RUNAWAY_H

#include "engine/sim.h"

void ss_runaway_restart(ss_sim* sim);
/// A step has been taken. Whether the motion has grown and quickened for so long, and so fast, that `until`
/// is more than 1e11 steps away; now and then only.
bool ss_runaway_is_hopeless(ss_sim* sim, double until);

#endif
