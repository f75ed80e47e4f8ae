// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Strides over cells without events, in closed form (coast.c).
#ifndef SLIPSTICK_ENGINE_FLOW_COAST_H
#define SLIPSTICK_ENGINE_FLOW_COAST_H

#include "engine/sim.h"

// coast_tables.c
void ss_coast_allocate(ss_sim* sim);
void ss_coast_stop(ss_sim* sim); ///< a new run begins
/// The constant forces have changed: tables made before say nothing now.
void ss_coast_forget(ss_sim* sim);
void ss_coast_mark(ss_sim* sim);
void ss_coast_loaded(ss_sim* sim); ///< the run has been loaded: sets what no image holds

// coast.c
/// Finds the stride from here; false where no table applies, and the series must be computed.
bool ss_coast_begin(ss_sim* sim);
/// For who wants to see every cell before ss_coast_to leaves it behind: puts the run at the next cell that
/// ends before `until`; false where none is left.
bool ss_coast_next(ss_sim* sim, double until);
/// coast_works.c: how far the coordinates move on the cell that ss_coast_next has entered, what the dampers
/// take on it, and what forces put in, constant ones aside.
void ss_coast_works_of_cell(const ss_sim* sim, double moved[], double* damping, double* input);
/// Accelerations, rates and forces of the run where the stride at hand begins.
void ss_coast_look_at_start(ss_sim* sim);
/// Accelerations at y = (q, q') in the mode of the present step, by its table; false where there is none, or
/// more than y makes them.
bool ss_coast_accelerations(const ss_sim* sim, const double y[], double a[]);
bool ss_coast_is_under_way(const ss_sim* sim);
/// When the stride at hand ends.
double ss_coast_end(const ss_sim* sim);
/// Moves to the end of the stride, or into the cell that holds `until`, and provides the series from there.
void ss_coast_to(ss_sim* sim, double until);
/// Magnitude of state variable i where the stride that led to the present step began; 0 where none did.
double ss_coast_size(const ss_sim* sim, int i);
/// Event function of contact i on the cell at hand, coefficients scaled to it; returns the degree. c has room
/// for SS_MAX_ORDER + 1 numbers.
int ss_coast_function(const ss_sim* sim, int i, double c[]);

#endif
