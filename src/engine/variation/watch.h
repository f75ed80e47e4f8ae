// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a derivative that is attached to a run wants to know of it.
#ifndef SLIPSTICK_ENGINE_VARIATION_WATCH_H
#define SLIPSTICK_ENGINE_VARIATION_WATCH_H

#include "engine/sim.h"

// change_start.c
void ss_vary_begin(ss_sim* sim);           ///< a motion begins
void ss_vary_take_back_ticks(ss_sim* sim); ///< memory is as at the start

// instant.c
/// The present step ends at s, where the state is this (ss_state_at, one list).
void ss_vary_commit(ss_sim* sim, double s, const double state[]);
void ss_vary_pass(ss_sim* sim); ///< an instant has been passed, the next step is there

// strides.c
void ss_vary_stride(ss_sim* sim); ///< the run has entered a cell of its stride

// ticks.c
void ss_vary_tick(ss_sim* sim, int block);  ///< a sampled controller has computed what it writes
void ss_vary_write(ss_sim* sim, int block); ///< what it wrote before holds from now on

// glides.c
bool ss_vary_glides(const ss_sim* sim); ///< whether headings go with a run that glides through ticks
void ss_vary_glide_from(ss_sim* sim);   ///< it begins to
/// It has got over a stretch: from y, which changed at this rate at first.
void ss_vary_glide(ss_sim* sim, int part, const double y[], const double rate[]);
/// Whether headings stay as they are where everything sticks, but for memory.
bool ss_vary_sits(const ss_sim* sim);

#endif
