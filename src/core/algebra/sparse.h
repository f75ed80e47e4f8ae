// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sparse matrices: rows one after the other, columns ascending within a row, no entry twice.
#ifndef SLIPSTICK_CORE_SPARSE_H
#define SLIPSTICK_CORE_SPARSE_H

#include "core/pool.h"
#include "slipstick/matrix.h"

#include <math.h>

/// Row i is index/value [start[i], start[i+1]).
typedef struct ss_sparse {
    int rows;
    int* start;
    int* index;
    double* value;
} ss_sparse;

/// Row `row` of a sparse matrix times x.
static inline double ss_sparse_dot(const ss_sparse* a, int row, const double x[])
{
    double sum = 0.0;
    for (int l = a->start[row]; l < a->start[row + 1]; l++) sum += a->value[l] * x[a->index[l]];
    return sum;
}

/// The same with the magnitudes of all terms.
static inline double ss_sparse_size(const ss_sparse* a, int row, const double x[])
{
    double sum = 0.0;
    for (int l = a->start[row]; l < a->start[row + 1]; l++) sum += fabs(a->value[l] * x[a->index[l]]);
    return sum;
}

/// Entries (i, j, value) in any order, summed where they coincide, to sparse rows. The pool's flag tells when
/// there is no memory.
typedef struct ss_entry {
    int row, column;
    double value;
} ss_entry;
ss_sparse ss_sparse_build(ss_pool* pool, int rows, const ss_entry entries[], size_t count);

/// The same of a matrix as users give it; entries that are 0 are left out.
ss_sparse ss_sparse_from(ss_pool* pool, const ss_matrix_def* def);
/// a + factor b
ss_sparse ss_sparse_add(ss_pool* pool, const ss_sparse* a, double factor, const ss_sparse* b);
ss_sparse ss_sparse_transpose(ss_pool* pool, const ss_sparse* a, int columns);
/// out = a b, b with `width` columns, row by row.
void ss_sparse_times(const ss_sparse* a, const double b[], int width, double out[]);

#endif
