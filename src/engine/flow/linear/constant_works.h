// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works of forces that are constant on a stretch, however it is passed: force times way.
#ifndef SLIPSTICK_ENGINE_FLOW_CONSTANT_WORKS_H
#define SLIPSTICK_ENGINE_FLOW_CONSTANT_WORKS_H

#include "engine/sim.h"

/// Whether contact i slips at a force that does not vary on a step.
bool ss_slips_at_constant_force(const ss_sim* sim, int i);
/// Works of constant forces, where the coordinates, and behind 2 n numbers the drives, move so far. pulls:
/// the constant forces of an open model, NaN where there is none: open.steady, or open.fixed where the rest
/// of affine forces is accounted for by linear_works.h. passed: adds the magnitudes of the works.
void ss_works_of_constants(const ss_sim* sim, const double pulls[], const double moved[], ss_energy* e,
                           double* passed);
/// Adds a work to an entry. Works that cancel leave their rounding behind: passed has their magnitudes.
static inline void ss_add_work(double work, double* entry, double* passed)
{
    *entry += work;
    *passed += work < 0.0 ? -work : work;
}
/// The largest entry of a ledger so far.
double ss_largest_work(const ss_energy* e);

#endif
