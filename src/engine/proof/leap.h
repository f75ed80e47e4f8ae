// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Leaps over a motion whose mode is proved to last: the rest of it in its last mode, or a window in which no
// contact can end the mode. docs/theory/settle.md tells when.
#ifndef SLIPSTICK_ENGINE_PROOF_LEAP_H
#define SLIPSTICK_ENGINE_PROOF_LEAP_H

#include "engine/sim.h"

void ss_leap_allocate(ss_sim* sim);
void ss_leap_restart(ss_sim* sim); ///< a new run, or a new mode, begins
void ss_leap_mark(ss_sim* sim);
/// Another motion begins: modes that the last one had seen are none of it, though what they do is kept.
void ss_leap_forget(ss_sim* sim);
void ss_leap_count(ss_sim* sim); ///< a step has been taken
bool ss_leap_is_begun(const ss_sim* sim);
bool ss_leap_is_last(const ss_sim* sim); ///< of a mode that is never left

#endif
