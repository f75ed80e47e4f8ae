// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions for which the time asked for is out of reach: they grow and quicken, or there is no end to them.
// docs/theory/flow.md tells.
#ifndef SLIPSTICK_ENGINE_PROOF_RUNAWAY_H
#define SLIPSTICK_ENGINE_PROOF_RUNAWAY_H

#include "engine/sim.h"

void ss_runaway_restart(ss_course* course);

typedef enum ss_runaway_verdict {
    SS_DOES_NOT_RUN_AWAY,
    SS_RUNS_AWAY, ///< the motion has grown and quickened for so long, and so fast, that the end is out of
                  ///< reach
    SS_TOO_FAR,   ///< at the pace of a million steps the end is out of reach
} ss_runaway_verdict;

/// A step has been taken: whether `until` is more than 1e11 steps away; now and then only.
ss_runaway_verdict ss_runaway_look(const ss_model* model, ss_step* step, ss_step_control* control,
                                   ss_course* course, double until);

#endif
