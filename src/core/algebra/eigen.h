// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues and eigenvectors of a real general matrix, no allocation.
#ifndef SLIPSTICK_CORE_EIGEN_H
#define SLIPSTICK_CORE_EIGEN_H

#include <complex.h>
#include <stdbool.h>

/// A = V diag(values) V^-1. Complex values come in pairs that are conjugate to rounding. The variables are
/// scaled by powers of two before anything is computed; norm, condition and the length 1 of the vectors refer
/// to that scale.
typedef struct ss_spectrum {
    double complex* values;  ///< n
    double complex* vectors; ///< n x n, row-major: column k belongs to values[k]
    double complex* inverse; ///< n x n: row k times x is the share of vector k in x
    double norm;             ///< Frobenius norm of the scaled matrix
    double condition;        ///< of the scaled vectors; INFINITY where they do not span the space (defective)
} ss_spectrum;

/// Computes the spectrum of a (n x n, row-major; destroyed). work holds 2 n^2, scale n elements. False where
/// an entry is not finite, or the iteration does not converge.
bool ss_eigen_solve(double a[], int n, ss_spectrum* out, double complex work[], double scale[]);

#endif
