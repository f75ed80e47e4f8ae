// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The event loop, and what starts, cuts and copies a run.
#ifndef SLIPSTICK_ENGINE_LOOP_H
#define SLIPSTICK_ENGINE_LOOP_H

#include "engine/sim.h"

// create.c
/// A run that has memory and no start yet.
ss_status ss_sim_make(const ss_model* model, const ss_sim_def* def, ss_sim** out, ss_error* err);
/// Gives a run whose motion is over another definition, so that it can be restarted in place of a new one.
/// False where its memory and tables were made for other settings, or the definition makes no sense.
bool ss_sim_redefine(ss_sim* sim, const ss_sim_def* def);

// mark.c
/// Tells the image where pointers stand, once all is allocated.
void ss_mark_run(ss_sim* sim);

// start.c
/// A motion begins at time t. Bodies, driven ones too, are put in their places and everything else is reset;
/// no step is made.
ss_status ss_start_at(ss_sim* sim, double t, const double start_x[], const double start_v[], ss_error* err);

// loop.c
/// The first instant and step of a motion that has been started.
ss_status ss_begin_run(ss_sim* sim, ss_error* err);

// instant.c
/// Comes to the present instant: what is written or ticks there, then ss_pass_instant. Each instant goes this
/// way: the start, a tick, an input that was set, an event, and those of a run whose time is somebody else's.
ss_status ss_come_to_instant(ss_sim* sim, int* order, ss_error* err);
/// Contacts that met their event at the end of the last step take part in the next decision.
void ss_wake_contacts(ss_sim* sim);
/// All that happens at the present instant, up to the modes that follow it. *order receives the order from
/// which the series is to be continued, or -1 where the run ended.
ss_status ss_pass_instant(ss_sim* sim, int* order, ss_error* err);

// input_values.c
/// Ends the present step where the caller has got to, at time t; false where numbers overflow.
bool ss_cut_step(ss_sim* sim, double t);
/// Values have changed at this instant: what follows from them, before modes are decided.
void ss_take_input_values(ss_sim* sim);

#endif
