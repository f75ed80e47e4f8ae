// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Singular values and vectors of small dense matrices, row-major, no allocation.
#ifndef SLIPSTICK_CORE_SVD_H
#define SLIPSTICK_CORE_SVD_H

#include <stdbool.h>

/// A = U diag(values) V^T for rows >= columns, by one-sided Jacobi rotations, which keep small singular
/// values to full relative accuracy. a (rows x columns) is overwritten by the first `columns` columns of U;
/// values descend; v (columns x columns) takes V, a vector per column. Columns of U whose singular value is 0
/// are completed to an orthonormal set. False where an entry is not finite or the rotations do not converge.
bool ss_svd(double a[], int rows, int columns, double values[], double v[]);

/// Completes `have` orthonormal columns of q (size x width, row-major, row length `width`) to `want` of them.
void ss_complete_basis(double q[], int size, int width, int have, int want);

#endif
