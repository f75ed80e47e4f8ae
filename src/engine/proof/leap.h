// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Leaps over the rest of a motion that has reached its last mode. docs/theory/settle.md tells when.
#ifndef SLIPSTICK_ENGINE_PROOF_LEAP_H
#define SLIPSTICK_ENGINE_PROOF_LEAP_H

#include "engine/sim.h"

void ss_leap_allocate(ss_sim* sim);
void ss_leap_restart(ss_sim* sim); ///< a new run, or a new mode, begins
void ss_leap_mark(ss_sim* sim);
void ss_leap_loaded(ss_sim* sim); ///< the run has been loaded: what no image holds is to be made again
void ss_leap_count(ss_sim* sim);  ///< a step has been taken
/// Whether it is time to ask for one: seldom, and where the run alone decides, not who asks for states.
bool ss_leap_is_due(const ss_sim* sim);
/// Proves that the present mode is the last one; from now on states are found by ss_leap_to.
bool ss_leap_begin(ss_sim* sim);
bool ss_leap_is_begun(const ss_sim* sim);
/// Puts the run less than a cell before `until`, with no step at hand. Where numbers overflow on the way, the
/// run is put back to the start of the leap, and the leap is over.
void ss_leap_to(ss_sim* sim, double until);

#endif
