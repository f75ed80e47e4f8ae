// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dense algebra by LAPACK, row-major, in the few forms that certificates need. Everything returns false (or
// a negative count) only where memory is missing or LAPACK does not converge.
#ifndef SLIPSTICK_LAB_ALGEBRA_H
#define SLIPSTICK_LAB_ALGEBRA_H

#include <stdbool.h>

/// Whether an answer of LAPACKE means that it found no memory for its own work.
bool ss_algebra_ran_out(int info);

/// Eigenvalues of a symmetric matrix, ascending; a is overwritten by orthonormal eigenvectors, one per row.
bool ss_algebra_eigen(double a[], int n, double values[]);
/// Eigenvalues of any matrix; a is destroyed.
bool ss_algebra_spectrum(double a[], int n, double real[], double imaginary[]);
/// Singular values (min(rows, columns), descending) and all right singular vectors, one per row of vectors
/// (columns x columns). left may be NULL, or takes the left ones as the columns of a rows x min matrix.
bool ss_algebra_svd(const double a[], int rows, int columns, double values[], double left[],
                    double vectors[]);
/// Orthonormal basis of the x with |a x| = 0, one per row of basis (room for columns x columns). Singular
/// values up to `tolerance` count as zero. Returns the dimension.
int ss_algebra_null_space(const double a[], int rows, int columns, double tolerance, double basis[]);
/// The largest subspace that a (n x n) maps into itself inside the null space of c (rows x n): orthonormal
/// rows of basis (room for n x n). Returns its dimension.
int ss_algebra_invariant(const double a[], int n, const double c[], int rows, double tolerance,
                         double basis[]);

/// A = L L^T in place (lower triangle); false where A is not positive definite.
bool ss_algebra_cholesky(double a[], int n);
/// x = (L L^T)^-1 x.
void ss_algebra_cholesky_solve(const double l[], int n, double x[]);
/// x = L^-1 x, and x = L^-T x.
void ss_algebra_forward(const double l[], int n, double x[]);
void ss_algebra_backward(const double l[], int n, double x[]);

/// out (rows x columns) = a (rows x inner) b (inner x columns).
void ss_algebra_multiply(const double a[], const double b[], int rows, int inner, int columns, double out[]);
/// out (rows x columns) = a (rows x inner) b^T, b given as columns x inner.
void ss_algebra_multiply_rows(const double a[], const double b[], int rows, int inner, int columns,
                              double out[]);
double ss_algebra_dot(const double a[], const double b[], int n);
double ss_algebra_norm(const double a[], int n);

#endif
