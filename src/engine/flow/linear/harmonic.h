// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Forces that are constants and harmonics, for propagators: cos(w t) and sin(w t) of each frequency are
// variables of the motion, and with them it is steady.
#ifndef SLIPSTICK_ENGINE_FLOW_HARMONIC_H
#define SLIPSTICK_ENGINE_FLOW_HARMONIC_H

#include "engine/sim.h"

enum { SS_HARMONICS = 8 }; ///< frequencies of all forces together

typedef struct ss_harmonics {
    int count;
    double frequency[SS_HARMONICS]; ///< rad/s
    double* mean;                   ///< per force
    ss_harmonic* part;              ///< forces x SS_HARMONICS
} ss_harmonics;

/// The frequencies of all forces, at most `most` (up to SS_HARMONICS): how many they are, or -1 where there
/// are more, some force is of another kind, or something else varies in time. mean: per force; part: forces x
/// most, zeros before.
int ss_harmonics_of(const ss_model* model, int most, double frequency[], double mean[], ss_harmonic part[]);
/// The highest of some frequencies, 0 of none.
double ss_highest_frequency(int count, const double frequency[]);
/// Coefficients k of cos(w t) and sin(w t) of each become those of k + 1.
void ss_harmonics_next(int count, const double frequency[], double wave[], int k);

/// Finds them, with room from the spare part of the pool. False where ss_harmonics_of has none.
bool ss_harmonics_find(ss_sim* sim, ss_harmonics* out);
/// cos and sin of each at time t.
void ss_harmonics_at(const ss_harmonics* all, double t, double out[]);
/// Factor of cosine (even k) or sine (odd) k / 2 in force f.
static inline double ss_harmonics_part(const ss_harmonics* all, int f, int k)
{
    const ss_harmonic* part = &all->part[f * SS_HARMONICS + k / 2];
    return k % 2 == 0 ? part->cosine : part->sine;
}
/// Force f where these are `wave`.
double ss_harmonics_force(const ss_harmonics* all, int f, const double wave[]);

#endif
