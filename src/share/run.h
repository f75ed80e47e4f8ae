// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the laboratory and the front ends of this repository ask of a run beside slipstick/simulation.h,
// without copies: parts of what ss_sim_numbers, ss_sim_state and ss_sim_state_rate tell, and its pace.
#ifndef SLIPSTICK_SHARE_RUN_H
#define SLIPSTICK_SHARE_RUN_H

#include "slipstick/batch.h"
#include "slipstick/simulation.h"

/// The numbers of all bristles, contact after contact: one deflection (m), or one number per element, written
/// to out (may be NULL). Returns how many there are.
int ss_sim_bristles(const ss_sim* sim, double out[]);
/// 1/s: how fast a linear model turns; a bound, 0 where nothing pulls.
double ss_sim_rate(const ss_sim* sim);
/// The time (s) of the next point of a table among the inputs, where the motion has a corner; INFINITY: none.
double ss_sim_next_break(const ss_sim* sim);
/// Accelerations of the independent coordinates at ss_sim_time (m/s^2, rad/s^2), in the order of
/// ss_model_coordinate_body; at an event, those after it.
void ss_sim_acceleration(const ss_sim* sim, double a[]);

/// States of an open model at ss_sim_time, in the order of the model, borrowed until the next advance.
const double* ss_sim_states(const ss_sim* sim);
/// Their rates at ss_sim_time, per second, one per state, written to out; at an event, those after it.
void ss_sim_rates(const ss_sim* sim, double out[]);
/// Its named expressions at ss_sim_time, one per signal of the model, written to out; false where one is not
/// finite.
bool ss_sim_signals(const ss_sim* sim, double out[]);
/// The value of one of its inputs at ss_sim_time.
double ss_sim_input(const ss_sim* sim, int input);
/// Memory of its sampled controllers, in the order of the model.
const double* ss_sim_memory(const ss_sim* sim);
/// The branch that a contact with bristles is on, from its last reversal to now; zeros for other laws.
ss_branch ss_sim_branch(const ss_sim* sim, int contact);

/// Starts so far that ran one after the other.
long ss_batch_alone_count(const ss_batch* batch);

#endif
