// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Harmonic forces on a model that has a propagator: what varies in time becomes variables of its tables.
#ifndef SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_WAVES_H
#define SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_WAVES_H

#include "engine/flow/linear/linear_propagator_tables.h"

/// The frequencies of all that varies in time; false where something does that is no harmonic force, or there
/// are too many.
bool ss_waves_find(const ss_model* model, ss_linear_propagator_waves* out);
/// Cosines and sines at time t.
void ss_waves_now(ss_linear_propagator_waves* waves, double t, double out[]);
/// The series of forces from here on, to the order of the step.
void ss_waves_prepare(ss_sim* sim);
/// The series of forces on the cell at hand, by the table, for the variables y.
void ss_waves_sum(ss_sim* sim, const double y[]);
/// Rows of a column that tell the forces and the waves after one cell, where one wave is 1 where its cosine
/// (even `wave`) or sine (odd) is, and all others are 0. wave < 0: the column of a state; 2 count: of the
/// means.
void ss_waves_fill(const ss_sim* sim, int wave, double column[]);

#endif
