// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The series of a step: what pulls, what holds against it, how long a step they allow.
#ifndef SLIPSTICK_ENGINE_FLOW_MOTION_SERIES_H
#define SLIPSTICK_ENGINE_FLOW_MOTION_SERIES_H

#include "engine/sim.h"

// pulls.c
/// Sum of the magnitudes that make up the acceleration of coordinate `row` at order k, contacts that hold
/// included.
double ss_pull_size(const ss_sim* sim, int row, int k);
/// The same for the relative acceleration of contact i.
double ss_acceleration_size(const ss_sim* sim, int i, int k);
/// How much coefficient k + 1 of what is given in time counts for the size of coefficient k, because the time
/// is rounded.
double ss_time_rounding(const ss_step* step, int k);
/// What forces that vary add to the acceleration of coordinate `row` where the step begins; how large their
/// terms are is added to *size.
double ss_input_pull(const ss_sim* sim, int row, double* size);
/// Which kinds of pull the model has: once, when all else is allocated.
void ss_list_pulls(ss_sim* sim);
/// Free acceleration at order k, everything but the forces of contacts that hold.
void ss_free_acceleration(ss_sim* sim, int k);

// constants.c
/// Accelerations and rates by all that is constant.
void ss_gather_constants(ss_sim* sim);

// series.c
/// Whether the series of the step at hand are numbers throughout; if not, the motion is about to overflow.
bool ss_series_is_finite(const ss_model* model, const ss_step* step, const ss_open_run* open_run);

// balance.c
/// Adds the forces of contacts that hold in group g at order k.
void ss_apply_hold(ss_sim* sim, int g, int k);
/// Something else has been added: the forces that hold change to take away what it moves.
void ss_update_hold(ss_sim* sim, int g, int k);
/// Accelerations at order k by all forces, those that hold included.
void ss_balance(ss_sim* sim, int k);
/// The same, stored as q[k + 2].
void ss_accelerate(ss_sim* sim, int k);
/// Adds what a force of contact i does to the accelerations at hand.
void ss_add_force(const ss_model* model, ss_pulls* pulls, int i, double force);
/// Writes q[k + 2] from the acceleration and enforces what holds.
void ss_store_acceleration(ss_sim* sim, int k);
/// The same of n accelerations a, where no contact holds, nor an edge.
static inline void ss_store_free_accelerations(ss_step* step, int k, int n, const double a[])
{
    double *next = step->q + (size_t)(k + 2) * (size_t)n, scale = 1.0 / ((k + 1.0) * (k + 2.0));
    for (int i = 0; i < n; i++) next[i] = a[i] * scale;
}
/// Coordinates that are held follow the others at order k, exactly; so do their speeds where a clock runs.
void ss_constrain_order(const ss_model* model, const ss_step* step, const ss_modes* modes, int k);
void ss_constrain_speed(const ss_model* model, const ss_step* step, const ss_modes* modes, int k);
/// Sum of the magnitudes that make up the force of contact i, which holds, where the step begins.
double ss_hold_size(const ss_sim* sim, int i);

// step_bound.c
/// The part of h on which the series at hand are good.
double ss_series_step_bound(const ss_sim* sim, double h);
/// The part of h on which the series of all inputs are good.
double ss_input_step_bound(const ss_sim* sim, double h);

#endif
