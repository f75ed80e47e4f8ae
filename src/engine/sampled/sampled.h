// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ticks of sampled controllers.
#ifndef SLIPSTICK_ENGINE_SAMPLED_SAMPLED_H
#define SLIPSTICK_ENGINE_SAMPLED_SAMPLED_H

#include "engine/sim.h"

// sampled.c
void ss_sampled_allocate(ss_sim* sim);
/// The run begins at time t: ticks before that have never been.
void ss_begin_ticks(const ss_model* model, ss_input_values* values, double t);
/// An input is set before anybody has gone on from the start: the ticks there have not been, and will see it.
void ss_take_back_ticks(ss_sim* sim);
/// Somebody goes on from the start: the ticks there have been.
void ss_leave_start(ss_input_values* values);
/// Ticks go on as those of another run do.
void ss_take_ticks(ss_sim* sim, const ss_sim* from);
/// Whether a tick or a delayed write falls on t, or should have been before.
bool ss_tick_is_due(const ss_input_values* values, double t);
/// Carries out the writes and ticks that are due at the present instant.
ss_status ss_pass_ticks(ss_sim* sim, ss_error* err);
/// Nothing moves before t: the ticks up to then change nothing, and are passed over.
void ss_skip_ticks(const ss_model* model, ss_input_values* values, double t);
/// Whether no tick will ever change anything while nothing moves.
bool ss_ticks_stand(const ss_sim* sim);

#endif
