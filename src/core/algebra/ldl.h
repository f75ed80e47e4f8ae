// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Large sparse symmetric systems: P A P^T = L D L^T with L a unit lower triangle and D diagonal. P is found
// by nested dissection, so that chains and beams fill nothing, and nets little.
#ifndef SLIPSTICK_CORE_LDL_H
#define SLIPSTICK_CORE_LDL_H

#include "core/algebra/sparse.h"

typedef struct ss_ldl {
    int n;
    int *order, *place; ///< row k of P A is row order[k] of A; place is its inverse
    size_t* start;      ///< column k of L below its diagonal is index/value [start[k], start[k+1])
    int* index;
    double *value, *d;
    int negative;    ///< entries of D below 0: as many as A has negative eigenvalues [Sylvester]
    double smallest; ///< the least |d_k| as a share of |a_kk|: 0 where A is singular to rounding
} ss_ldl;

/// Factors A, whose pattern is symmetric and whose lower triangle is what its upper one says. No pivots are
/// chosen: safe for definite matrices, and for others unless `smallest` is near rounding. The pool's flag
/// tells when there is no memory.
void ss_ldl_factor(ss_pool* pool, const ss_sparse* a, ss_ldl* out);
/// Solves A x = b in place for `width` right sides: x has n rows of them. work: n * width doubles.
void ss_ldl_solve(const ss_ldl* f, double x[], int width, double work[]);

/// An order of the rows of a symmetric pattern in which elimination fills little (dissection.c).
void ss_dissect(ss_pool* pool, const ss_sparse* a, int order[]);

#endif
