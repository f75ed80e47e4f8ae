// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Small dense algebra, row-major, no allocation.
#ifndef SLIPSTICK_CORE_DENSE_H
#define SLIPSTICK_CORE_DENSE_H

#include <stdbool.h>

/// A = L L^T in place (lower triangle). False where A is not positive definite.
bool ss_cholesky(double a[], int n);
/// Solves L L^T x = b in place.
void ss_cholesky_solve(const double l[], int n, double b[]);
/// a = L^-1 a L^-T: what a is against L L^T.
void ss_congruence(const double l[], int n, double a[]);

/// Eigenvalues (ascending not guaranteed) and orthonormal eigenvectors (columns of v) of a symmetric matrix
/// by cyclic Jacobi rotations; a is destroyed.
void ss_symmetric_eigen(double a[], int n, double values[], double v[]);

/// Pseudo-inverse of a symmetric positive semidefinite matrix; singular values below tolerance times the
/// largest count as zero. work holds 2 n^2 + n doubles. free_share[i] (may be NULL) is the squared share of
/// unit vector i in the null space. Returns the rank.
int ss_pseudo_inverse(const double a[], int n, double tolerance, double out[], double free_share[],
                      double work[]);

/// Inverse of any square matrix; where its rank by elimination with pivots above tolerance times its largest
/// entry is less than n, the pseudo-inverse, by which solutions have the least norm. work holds 4 n^2 + n
/// doubles, order n integers. free_share as above. *positive (may be NULL): whether the determinant is, or
/// the rank less than n. Returns the rank.
int ss_general_inverse(const double a[], int n, double tolerance, double out[], double free_share[],
                       bool* positive, double work[], int order[]);

#endif
