// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The problem behind rho_energy (certify_level.c), its relaxation on a box (certify_relax.c), and its
// solution in a cell of signs (certify_polish.c).
#ifndef SLIPSTICK_LAB_CERTIFY_LEVEL_H
#define SLIPSTICK_LAB_CERTIFY_LEVEL_H

#include "core/pool.h"

typedef struct ss_level {
    int n, m, negative;
    double* theta; ///< n, ascending: the first `negative` belong to y
    double* b;     ///< m x n
    int slack;     ///< sign of the damping where no contact rubs; 1 where there is no such velocity
    double lower;  ///< proved
    double least_y;
    double best; ///< level of the best point
    double* best_x;
    bool exact;
    double* x; ///< n: solution of the last relaxation
    struct ss_relaxation* relaxation;
    ss_pool pool;
} ss_level;

double ss_level_friction(const ss_level* p, const double x[]);
/// The level at which V' turns positive along the ray through x; INFINITY if it never does.
double ss_level_on_ray(const ss_level* p, const double x[]);

/// Allocates what ss_level_bound needs.
bool ss_level_prepare(ss_level* p);
/// A proved lower bound of 1/2 |x|^2 over the points with y in the box (l and u alternate in ends); p->x is
/// the solution of the relaxed problem, *multiplier where the search for the best bound begins and ends.
double ss_level_bound(ss_level* p, const double ends[], double* multiplier);

/// Improves p->best_x to the nearest stationary point in its cell of signs, to rounding.
bool ss_level_polish(ss_level* p);

#endif
