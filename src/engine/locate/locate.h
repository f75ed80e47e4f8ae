// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Locate: the first event on the present step.
#ifndef SLIPSTICK_ENGINE_LOCATE_LOCATE_H
#define SLIPSTICK_ENGINE_LOCATE_LOCATE_H

#include "engine/sim.h"

// locate.c
/// Shortens sim->step.length to the first event and marks the contacts it belongs to.
void ss_locate(ss_sim* sim);
/// The step ends before what was located on it.
void ss_forget_events(const ss_model* model, const ss_open_run* open_run, ss_law_series* laws,
                      ss_modes* modes);

#endif
