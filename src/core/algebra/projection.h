// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The one projection: minimise 1/2 l^T A l + b^T l over l_i in [low_i, high_i], A symmetric positive
// semidefinite. Intervals (friction), half-lines (stops) and the whole line (what is known to hold) are its
// sets. It chooses modes, and it solves simultaneous impacts.
#ifndef SLIPSTICK_CORE_PROJECTION_H
#define SLIPSTICK_CORE_PROJECTION_H

#include <stdbool.h>

typedef struct ss_projection {
    int n;
    const double* a; ///< n x n
    const double* b;
    const double *low, *high; ///< may be infinite
    double* l;                ///< out: the minimiser; of several, the one of least norm
    double* residual;         ///< out: A l + b
    signed char* at;          ///< out: -1 at low, +1 at high, 0 between
} ss_projection;

/// Doubles of scratch for a projection of size n.
int ss_projection_scratch(int n);
void ss_project(const ss_projection* problem, double scratch[]);

/// After ss_project, where A is singular. True: the variables that are well inside their sets do all that is
/// to be done, and those that nothing pulls and that are at their bounds may stay there. Otherwise these are
/// moved off the bounds they need not be at, without changing A l: a variable that stays at its bound is
/// there in every minimiser.
bool ss_project_inward(const ss_projection* problem, double scratch[]);

#endif
