// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies of 1 kg in a row on a LuGre belt or floor, joined by springs, the first one to the ground: two ways
// through their motion, Slipstick and CVODE as an expert writes it.
#ifndef SLIPSTICK_BENCH_BRISTLE_CHAIN_H
#define SLIPSTICK_BENCH_BRISTLE_CHAIN_H

#include "slipstick/bristle.h"

enum { BRISTLES_MOST = 4 };

typedef struct bristles {
    int count;            ///< bodies, up to BRISTLES_MOST
    ss_lugre law;         ///< of each contact
    double belt;          ///< m/s: speed of the belt, 0 for a floor
    double ground, joint; ///< N/m: spring of the first body to the ground, between neighbours
    double v0;            ///< m/s: speed of all bodies at the start
    double saturation;    ///< of all bristles at the start
    double until;         ///< s
    int samples;          ///< times at which positions and speeds are noted, the last at `until`
} bristles;

/// Positions and speeds at the samples: samples x 2 count numbers. Returns the time it took (s), or a
/// negative number where it failed.
double bristles_by_slipstick(const bristles* b, double tolerance, double out[]);
/// CVODE: BDF with Newton's method and the dense analytic Jacobian. `absolute` is for z; relative tolerance
/// otherwise.
double bristles_by_cvode(const bristles* b, double relative, double out[]);

#endif
