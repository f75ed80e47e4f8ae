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
void ss_works_matrices(const ss_model* model, const ss_open_run* open_run, double damping[], double input[]);
/// out = a y, a of n x size: the forces of (1).
void ss_works_forces(const double a[], int n, int size, const double y[], double out[]);
/// v^T a y
double ss_works_power(const double a[], int n, int size, const double v[], const double y[]);

#endif
