// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Small dense systems of linear equations.
#ifndef SLIPSTICK_CORE_LU_H
#define SLIPSTICK_CORE_LU_H

#include <stdbool.h>

/// Factors a (n x n, row-major) in place with row pivots. False where it is singular.
bool ss_lu_factor(double a[], int n, int pivots[]);
/// x <- a^-1 x, with a and pivots as factored.
void ss_lu_solve(const double a[], int n, const int pivots[], double x[]);

#endif
