// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops along a step, and the clock that a step may have in contact with one.
#ifndef SLIPSTICK_ENGINE_FLOW_ELASTIC_H
#define SLIPSTICK_ENGINE_FLOW_ELASTIC_H

#include "engine/sim.h"

// clock.c
void ss_clock_allocate(ss_sim* sim);
/// Whether the stop has use for a clock.
bool ss_clock_applies(const ss_sim* sim, const ss_elastic* stop);
/// Chooses the clock of the step that begins; false where s is the time.
bool ss_clock_choose(ss_sim* sim);
/// The series of the step on that clock.
void ss_clock_flow(ss_sim* sim);
/// From here on s is the time.
void ss_clock_end(ss_step* step);
/// Time since the start of the step at parameter s, and the parameter at such a time.
double ss_elapsed(const ss_step* step, double s);
double ss_parameter_at(const ss_step* step, const ss_step_clock* clock, double time);

// elastic.c
void ss_elastic_allocate(ss_sim* sim);
/// Value of edge w of its law at p >= 0; *size, where it is wanted, receives the magnitudes of its terms.
double ss_elastic_edge_at(const ss_elastic* stop, int w, double p, double rate, double* size);
/// Event function number w of a stop: an edge, positive on the step. Coefficients up to the degree that is
/// returned; -1 where it cannot vanish now.
int ss_elastic_edge_series(const ss_step* step, const ss_modes* modes, const ss_elastic* stop, int w,
                           double c[]);
/// Whether a stop on a quiet step still has the part of its force that goes with p' alone.
bool ss_elastic_drags_quietly(const ss_elastic* stop);
void ss_elastic_restart(ss_law_series* laws);
/// The modes of elastic stops in dirty groups, by the present state.
void ss_elastic_classify(ss_sim* sim);
/// Decides those on the verge by the orders up to k; true where some still wait for more.
bool ss_elastic_decide(ss_sim* sim, int k);
/// The modes are decided and a step begins.
void ss_elastic_begin(ss_sim* sim);
/// Adds the forces of elastic stops at order k.
void ss_add_elastic_forces(ss_sim* sim, int k);
/// The motion is known along the step by other means: penetrations and their rates.
void ss_elastic_update_series(const ss_model* model, ss_step* step, const ss_modes* modes);
/// How much of h the series of the elastic stops reach.
double ss_elastic_step_bound(const ss_sim* sim, double h);

#endif
