// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of a linear plant that slips on from tick to tick of its controller (sampled/tick_propagator.c).
#ifndef SLIPSTICK_ENGINE_FLOW_TICK_PROPAGATOR_TABLES_H
#define SLIPSTICK_ENGINE_FLOW_TICK_PROPAGATOR_TABLES_H

#include <stdbool.h>

enum { SS_TICK_PROPAGATOR_LARGEST = 8, SS_TICK_PROPAGATOR_PARTS = 2 };

typedef long double ss_tick_propagator_matrix[SS_TICK_PROPAGATOR_LARGEST][SS_TICK_PROPAGATOR_LARGEST];

struct ss_tick_propagator {
    int size;                                                         ///< of y
    double a[SS_TICK_PROPAGATOR_LARGEST][SS_TICK_PROPAGATOR_LARGEST]; ///< A
    double length[SS_TICK_PROPAGATOR_PARTS]; ///< s: of a stretch, before and after a delayed write
    double psi[SS_TICK_PROPAGATOR_PARTS][SS_TICK_PROPAGATOR_LARGEST][SS_TICK_PROPAGATOR_LARGEST];
    double bend[SS_TICK_PROPAGATOR_PARTS][SS_TICK_PROPAGATOR_LARGEST]
               [SS_TICK_PROPAGATOR_LARGEST]; ///< contacts x y: h^2/8 |w A| e^(|A| h)
    double* by_memory;                       ///< y x memory: what c changes by
    bool has_works;
    /// Quadratic forms of (y, y'), both at the start, 2 y x 2 y: works on a stretch (linear_works.h).
    double *damping[SS_TICK_PROPAGATOR_PARTS], *input[SS_TICK_PROPAGATOR_PARTS];
};

/// Psi of length h, and e^(A h), by their series for a small part of h, which is doubled. da: how A changes,
/// or NULL; then dpsi is how Psi does.
void ss_tick_propagator_integrate(int n, ss_tick_propagator_matrix a, ss_tick_propagator_matrix da, double h,
                                  ss_tick_propagator_matrix psi, ss_tick_propagator_matrix dpsi,
                                  ss_tick_propagator_matrix flow);
/// The form of the work v^T F y per second over a stretch of length h, with n speeds behind n places and F of
/// n x size.
void ss_tick_propagator_form(int n, int size, ss_tick_propagator_matrix a, const double f[], double h,
                             double form[]);

#endif
