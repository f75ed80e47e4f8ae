// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Long steps over cells without events, in closed form (linear_propagator.c).
#ifndef SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_H
#define SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_H

#include "engine/sim.h"

// linear_propagator_tables.c
void ss_linear_propagator_allocate(ss_sim* sim);
void ss_linear_propagator_reset(ss_sim* sim); ///< a new run begins
/// The constant forces have changed: tables made before say nothing now.
void ss_linear_propagator_forget(ss_ways* ways);
void ss_linear_propagator_mark(ss_sim* sim);
void ss_linear_propagator_loaded(ss_sim* sim); ///< the run has been loaded: sets what no image holds

// linear_propagator.c
/// Finds the long step from here; false where no table applies, and the series must be computed.
bool ss_linear_propagator_begin(ss_sim* sim);
/// For who wants to see every cell before ss_linear_propagator_to leaves it behind: puts the run at the next
/// cell that ends before `until`; false where none is left.
bool ss_linear_propagator_next(ss_sim* sim, double until);
/// linear_propagator_works.c: how far the coordinates move on the cell that ss_linear_propagator_next has
/// entered, what the dampers take on it, and what forces put in, constant ones aside.
void ss_linear_propagator_works_of_cell(const ss_sim* sim, double moved[], double* damping, double* input);
/// Accelerations, rates and forces of the run where the long step at hand begins.
void ss_linear_propagator_look_at_start(ss_sim* sim);
/// Accelerations at y = (q, q') in the mode of the present step, by its table; false where there is none, or
/// more than y makes them.
bool ss_linear_propagator_accelerations(const ss_sim* sim, const double y[], double a[]);
bool ss_linear_propagator_is_under_way(const ss_sim* sim);
/// When the long step at hand ends.
double ss_linear_propagator_end(const ss_sim* sim);
/// Moves to the end of the long step, or into the cell that holds `until`, and provides the series from
/// there.
void ss_linear_propagator_to(ss_sim* sim, double until);
/// Magnitude of state variable i where the long step that led to the present step began; 0 where none did.
double ss_linear_propagator_size(const ss_sim* sim, int i);
/// Event function of contact i on the cell at hand, coefficients scaled to it; returns the degree. c has room
/// for SS_MAX_ORDER + 1 numbers.
int ss_linear_propagator_function(const ss_sim* sim, int i, double c[]);

#endif
