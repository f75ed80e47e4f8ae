// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Forces that are constants and harmonics, for propagators: cos(w t) and sin(w t) of each frequency are
// variables of the motion, and with them it is steady.
#ifndef SLIPSTICK_ENGINE_PROOF_HARMONIC_H
#define SLIPSTICK_ENGINE_PROOF_HARMONIC_H

#include "engine/sim.h"

enum { SS_HARMONICS = 8 }; ///< frequencies of all forces together

typedef struct ss_harmonics {
    int count;
    double frequency[SS_HARMONICS]; ///< rad/s
    double* mean;                   ///< per force
    double* part;                   ///< forces x 2 SS_HARMONICS: factors of cos and sin, of each frequency
} ss_harmonics;

/// Finds them, with room from the spare part of the pool. False where some force is of another kind, or
/// something else varies in time.
bool ss_harmonics_find(ss_sim* sim, ss_harmonics* out);
/// rad/s: the highest.
double ss_harmonics_rate(const ss_harmonics* all);
/// cos and sin of each at time t.
void ss_harmonics_at(const ss_harmonics* all, double t, double out[]);
/// Force f where these are `wave`.
double ss_harmonics_force(const ss_harmonics* all, int f, const double wave[]);

#endif
