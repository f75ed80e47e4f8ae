// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is known of the whole future: rest, and settling.
#ifndef SLIPSTICK_ENGINE_PROOF_PROOF_H
#define SLIPSTICK_ENGINE_PROOF_PROOF_H

#include "engine/sim.h"

// rest.c
/// Whether everything rests now.
bool ss_is_resting(const ss_sim* sim);
/// Whether it will for ever.
bool ss_rests_forever(ss_sim* sim);
/// A step begins, whose series are known below `order`: whether bristles stand still with all that is about
/// them, and no input ever changes that. It is what the run computes from here on, however often it is asked;
/// of the motion that has come to it, which never ends, it says nothing.
bool ss_stands_for_good(const ss_sim* sim, int order);
/// Whether all inputs are constant from now on and no driven body moves.
bool ss_inputs_stay(const ss_sim* sim);

// settle.c
void ss_settle_allocate(ss_sim* sim);
/// Remembers the motion at the start of each mode.
void ss_settle_mark(const ss_model* model, ss_step* step, const ss_open_run* open_run, ss_proof* proof);

#endif
