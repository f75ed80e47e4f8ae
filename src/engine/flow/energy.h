// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Energy of the motion at a point of the present step.
#ifndef SLIPSTICK_ENGINE_FLOW_ENERGY_H
#define SLIPSTICK_ENGINE_FLOW_ENERGY_H

#include "engine/sim.h"

// energy.c
/// Kinetic and stored energy at s.
double ss_stored_energy(const ss_sim* sim, double s);
/// The same; *parts is the sum of the magnitudes of what it consists of.
double ss_energy_and_parts(const ss_sim* sim, double s, double* parts);
/// Kinetic energy where the step begins.
double ss_kinetic_energy(const ss_model* model, const ss_step* step);

#endif
