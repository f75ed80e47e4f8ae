// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random systems with dry friction, each described twice: as a definition for the library, and as plain
// matrices assembled here for the second opinion of peer.h.
#ifndef TESTS_RANDOM_SYSTEM_H
#define TESTS_RANDOM_SYSTEM_H

#include "peer.h"
#include "rig.h"

#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_next(random_source* source);
double random_between(random_source* source, double low, double high);
int random_integer(random_source* source, int low, int high); ///< both included

/// How many random cases a test draws where it usually draws this many: times SLIPSTICK_TEST_SHARE (1 unless
/// set in the environment), a fifth of that under sanitizers; at least 1.
int random_count(int usual);

typedef enum random_kind {
    RANDOM_BODIES,    ///< springs, dampers of either sign, contacts between bodies and along rows
    RANDOM_MATRICES,  ///< the same given by dense M, C, K, W
    RANDOM_REDUNDANT, ///< contacts that repeat or combine others: A is singular
    RANDOM_TIED,      ///< rigid combinations of coordinates
    RANDOM_FORCED,    ///< harmonic forces
    RANDOM_FALLING,   ///< levels that differ by direction, or are higher at rest
    RANDOM_SHAKEN,    ///< such levels, with harmonic forces and contacts that repeat others
    RANDOM_KINDS
} random_kind;

typedef struct random_system {
    random_kind kind;
    int bodies, contacts;
    double x[PEER_MAX], v[PEER_MAX]; ///< start of the bodies
    double until;
    peer_system full; ///< in the bodies' coordinates
    peer_system peer; ///< in independent ones, x = start + N y
    double N[PEER_MAX][PEER_MAX];
    double y_speed[PEER_MAX]; ///< start of y'; y starts at 0
    rig rig;
    double flat[3][PEER_MAX * PEER_MAX], W[PEER_MAX * PEER_MAX]; ///< M, C, K and W, row-major
    ss_matrices_def matrices;
} random_system;

static inline bool random_is_forced(random_kind kind)
{
    return kind == RANDOM_FORCED || kind == RANDOM_SHAKEN;
}

static inline bool random_falls(random_kind kind) { return kind == RANDOM_FALLING || kind == RANDOM_SHAKEN; }

void random_system_make(random_system* system, random_kind kind, uint64_t seed);
ss_model* random_system_model(random_system* system);
void random_system_expand(const random_system* system, const double y[], bool speeds, double x[]);

#endif
