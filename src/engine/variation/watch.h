// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a derivative that is attached to a run wants to know of it.
#ifndef SLIPSTICK_ENGINE_VARIATION_WATCH_H
#define SLIPSTICK_ENGINE_VARIATION_WATCH_H

#include "engine/sim.h"

// instant.c
void ss_vary_begin(ss_sim* sim);            ///< a motion begins
void ss_vary_commit(ss_sim* sim, double s); ///< the present step ends at s
void ss_vary_pass(ss_sim* sim);             ///< an instant has been passed, the next step is there

// strides.c
void ss_vary_stride(ss_sim* sim); ///< the run has entered a cell of its stride

// ticks.c
void ss_vary_tick(ss_sim* sim, int block);  ///< a sampled controller has computed what it writes
void ss_vary_write(ss_sim* sim, int block); ///< what it wrote before holds from now on

#endif
