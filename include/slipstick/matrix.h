// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Matrices as they are handed over: whole, or by their entries.
#ifndef SLIPSTICK_MATRIX_H
#define SLIPSTICK_MATRIX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A matrix. value NULL: none.
typedef struct ss_matrix_def {
    int rows, columns;
    size_t count;            ///< of entries
    const int *row, *column; ///< of each entry, from 0; entries of one place are summed, other places hold 0.
                             ///< NULL: all entries are given, row by row
    const double* value;
} ss_matrix_def;

/// The matrix of rows x columns numbers, row by row; borrowed.
static inline ss_matrix_def ss_matrix_whole(int rows, int columns, const double* value)
{
    ss_matrix_def whole = {rows, columns, (size_t)rows * (size_t)columns, NULL, NULL, value};
    return whole;
}

#ifdef __cplusplus
}
#endif
#endif
