// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The lowest modes of a large structure: K phi = lambda M phi, phi^T M phi = 1.
#ifndef SLIPSTICK_CORE_MODES_H
#define SLIPSTICK_CORE_MODES_H

#include "core/algebra/ldl.h"

#include <stdbool.h>

typedef struct ss_modes {
    int count;
    double* values;  ///< 1/s^2, ascending
    double* vectors; ///< n x count, row by row; the largest entry of each is positive
    double next;     ///< the lowest eigenvalue left out; INFINITY where there is none
} ss_modes;

typedef enum ss_modes_answer {
    SS_MODES_FOUND,
    SS_MODES_NO_MEMORY,
    SS_MODES_NOT_FOUND, ///< not to rounding, or not proved to be the lowest
} ss_modes_answer;

/// The `count` <= n lowest modes of symmetric positive definite K (with its factor) and positive definite M.
/// That none below is missing is proved by the signs of a factor of K - sigma M.
ss_modes_answer ss_modes_lowest(ss_pool* pool, const ss_sparse* K, const ss_ldl* factor, const ss_sparse* M,
                                int count, ss_modes* out);

/// Where to begin (krylov.c): the `width` vectors of a Krylov space that come nearest to the lowest modes,
/// x^T M x = 1, with their eigenvalues. False without memory.
bool ss_krylov_begin(const ss_ldl* factor, const ss_sparse* M, int width, double x[], double values[]);

#endif
