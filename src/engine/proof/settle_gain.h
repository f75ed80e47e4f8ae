// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A quadratic bound for a linear system with creep, in the coordinates of its modes (settle_gain.c).
#ifndef SLIPSTICK_ENGINE_PROOF_SETTLE_GAIN_H
#define SLIPSTICK_ENGINE_PROOF_SETTLE_GAIN_H

#include <complex.h>
#include <stdbool.h>

/// xi' = diag(values) xi + sum_j push_j e_j with |e_j| <= kappa_j |row_j xi|, whatever else e_j is.
typedef struct ss_gain {
    int size, count;                ///< of xi; of the e_j
    const double complex* values;   ///< size
    double uncertain;               ///< 1/s: the modes are known to that
    double complex *push, *row;     ///< count x size each
    const double* kappa;            ///< count
    double complex *p, *next, *own; ///< size x size each: scratch, and the factor L of P = L L^H
    double complex* pushed;         ///< count x size: scratch
} ss_gain;

/// Finds P with (xi^H P xi)' <= -2 rate xi^H P xi, rate > 0 in 1/s, and leaves its factor L in `own`. False
/// where none is found.
bool ss_gain_find(ss_gain* gain, double fastest, double* rate);
/// |L^H xi|.
double ss_gain_size(const ss_gain* gain, const double complex xi[]);
/// |L^-1 row^H|: what |row xi| is at most, per |L^H xi|. Uses `scratch`, of the size of xi.
double ss_gain_row(const ss_gain* gain, const double complex row[], double complex scratch[]);

#endif
