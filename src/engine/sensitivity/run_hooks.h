// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a derivative that is attached to a run wants to know of it.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_RUN_HOOKS_H
#define SLIPSTICK_ENGINE_SENSITIVITY_RUN_HOOKS_H

#include "engine/sim.h"

// start_change.c
void ss_sensitivity_begin(struct ss_derivative* derivative, const ss_step* step); ///< a motion begins
void ss_sensitivity_take_back_ticks(struct ss_derivative* derivative); ///< memory is as at the start

// sensitivity_instant.c
/// The present step ends at s, where the state is this (ss_state_at, one list).
void ss_sensitivity_commit(struct ss_derivative* derivative, const ss_step* step, const ss_modes* modes,
                           double s, const double state[]);
void ss_sensitivity_pass(struct ss_derivative* derivative, ss_step* step,
                         const ss_open_run* open_run); ///< an instant has been passed, the next step is there

// linear_propagator_sensitivity.c
void ss_sensitivity_propagate(ss_sim* sim); ///< the run has entered a cell of its long step

// ticks.c
void ss_sensitivity_tick(ss_sim* sim, int block); ///< a sampled controller has computed what it writes
void ss_sensitivity_write(const ss_model* model, struct ss_derivative* derivative,
                          int block); ///< what it wrote before holds from now on
/// Whether sensitivities stay as they are where everything sticks, but for memory.
bool ss_sensitivity_sticks(struct ss_derivative* derivative);

#endif
