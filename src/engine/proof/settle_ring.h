// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A bound on what rings in bristles, whatever they carry (settle_ring.c).
#ifndef SLIPSTICK_ENGINE_PROOF_SETTLE_RING_H
#define SLIPSTICK_ENGINE_PROOF_SETTLE_RING_H

#include "law/table.h"
#include "model/model_impl.h"

/// Bristles as a ring sees them: z' = share v and their force is -(sigma0 z + sigma1 z' + sigma2 v).
typedef struct ss_ring_bristle {
    const ss_row* row;
    double mobility; ///< 1/kg: W^T M^-1 W
    double sigma0, sigma1, sigma2;
    ss_law_near_rest near_rest;
} ss_ring_bristle;

/// Speeds v with M v'' + D v' + K v = 0, where D and K include the bristles, by the signs of their speeds.
typedef struct ss_ring {
    int n, count;
    double *mass, *damping, *stiffness; ///< n x n each, without bristles
    ss_ring_bristle* bristles;          ///< count
    double *low, *full;                 ///< factors of the least K, and of that with shares of 1
    double *x, *y, *test;               ///< n x n each: scratch
    double blend;                       ///< epsilon, 1/s
    double loss;                        ///< epsilon over the lowest frequency
} ss_ring;

/// Finds the blend for which V' <= -2 rate V, rate > 0 in 1/s. False where there is none.
bool ss_ring_find(ss_ring* ring, double* rate);
/// The size of a motion with speeds v and accelerations a, which are known to `noise` (m/s^2, each).
double ss_ring_size(const ss_ring* ring, const double v[], const double a[], const double noise[]);
/// What the speed along a row is at most, per size; and how far it is from balance there, s.
double ss_ring_speed(const ss_ring* ring, const ss_row* row);
double ss_ring_place(const ss_ring* ring, const ss_row* row);

#endif
