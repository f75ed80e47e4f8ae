// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Small dense systems of linear equations, and banded ones.
#ifndef SLIPSTICK_CORE_LU_H
#define SLIPSTICK_CORE_LU_H

#include <stdbool.h>

/// Factors a (n x n, row-major) in place with row pivots. False where it is singular.
bool ss_lu_factor(double a[], int n, int pivots[]);
/// x <- a^-1 x, with a and pivots as factored.
void ss_lu_solve(const double a[], int n, const int pivots[], double x[]);

/// Band matrices: `band` diagonals below the main one and as many above it. Rows have 3 band + 1 elements,
/// room for what pivots fill in included: element (r, c) is a[r (3 band + 1) + c - r + band].
bool ss_band_factor(double a[], int n, int band, int pivots[]);
void ss_band_solve(const double a[], int n, int band, const int pivots[], double x[]);

#endif
