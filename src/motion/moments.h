// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The moments that are wanted of a motion, one after the other.
#ifndef SLIPSTICK_MOTION_MOMENTS_H
#define SLIPSTICK_MOTION_MOMENTS_H

typedef struct ss_moments {
    const double* at; ///< s, ascending
    int at_count;
    double every, until; ///< s; every = 0 for none
    int next_at;         ///< index into at
    long next_every;
} ss_moments;

/// The next moment, INFINITY when there is none left. Two that are the same to rounding are one.
double ss_moments_next(ss_moments* moments);

#endif
