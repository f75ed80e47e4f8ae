// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works of a linear model. Every force that the ledger counts is affine in y = (q, q', s). Constant parts do
// work by displacement; of the rest
//
//     dampers take v^T D y,     forces put in v^T I y (1)
//
// in a second, which along a motion that is linear in where it begins makes quadratic forms of that.
#ifndef SLIPSTICK_ENGINE_FLOW_LINEAR_WORKS_H
#define SLIPSTICK_ENGINE_FLOW_LINEAR_WORKS_H

#include "engine/sim.h"

/// D and I of (1), n x (2 n + states) each, by rows.
void ss_works_matrices(const ss_sim* sim, double damping[], double input[]);
/// out = a y, a of n x size: the forces of (1).
void ss_works_forces(const double a[], int n, int size, const double y[], double out[]);
/// v^T a y
double ss_works_power(const double a[], int n, int size, const double v[], const double y[]);
/// Whether contact i slips at a force that does not vary on a step.
bool ss_slips_at_constant_force(const ss_sim* sim, int i);
/// Works of constant forces, where the coordinates, and behind 2 n numbers the drives, move so far. pulls:
/// the constant forces of an open model, NaN where there is none (open.steady, or open.fixed beside (1)).
/// passed: adds the magnitudes of the works.
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
