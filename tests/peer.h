// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A second opinion on systems with dry friction, written apart from the library and by other means:
//
//     M q'' + C q' + K q = f0 + f1 sin(omega t + phase) + sum_i W_i lambda_i
//
// Modes at zero velocity are found by trying every combination of "holds", "at its lower", "at its upper
// limit"; whether a set of contacts goes on holding is read off the facets of the zonotope of forces they can
// give together. Whoever integrates between events (CVODE in test_peer_systems.c) brings the clock.
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include <stdbool.h>

enum { PEER_MAX = 8, PEER_FACETS = 160 };

typedef struct peer_system {
    int n, m; ///< coordinates, contacts: at most PEER_MAX
    double M[PEER_MAX][PEER_MAX], C[PEER_MAX][PEER_MAX], K[PEER_MAX][PEER_MAX];
    double W[PEER_MAX][PEER_MAX]; ///< row per coordinate, column per contact
    double f0[PEER_MAX], f1[PEER_MAX], omega, phase;
    double forward[PEER_MAX], backward[PEER_MAX];               ///< kinetic levels
    double static_forward[PEER_MAX], static_backward[PEER_MAX]; ///< levels at rest
} peer_system;

/// One set of modes (+1, -1, 0 for stick) made ready: acceleration, and how far the sticking contacts are
/// from giving way.
typedef struct peer_flow {
    const peer_system* system;
    int mode[PEER_MAX];
    double L[PEER_MAX][PEER_MAX]; ///< Cholesky factor of M
    double slip[PEER_MAX];        ///< generalised force of the slipping contacts
    double P[PEER_MAX][PEER_MAX]; ///< acceleration = P * force: M^-1 within what the sticking contacts allow
    int rank;                     ///< of the sticking contacts
    int facets;
    double d[PEER_FACETS][PEER_MAX], s[PEER_FACETS]; ///< distance to facet j: s_j - d_j * force
} peer_flow;

void peer_flow_init(peer_flow* flow, const peer_system* system, const int mode[]);
void peer_acceleration(const peer_flow* flow, double t, const double x[], const double v[], double a[]);
/// Distances to all facets (N/sqrt(kg)); the contacts hold while all are positive.
void peer_margins(const peer_flow* flow, double t, const double x[], const double v[], double margin[]);
/// Removes from v what the sticking contacts do not allow (round-off, at most).
void peer_project(const peer_flow* flow, double v[]);
double peer_velocity(const peer_system* system, int contact, const double v[]);

/// Decides the modes at t. zero[i] tells whether contact i has zero velocity; the others keep mode[i]. With
/// ahead > 0 the decision is the one an instant later, as the load goes on in the present mode: needed where
/// a contact gives way, which starts with zero acceleration. Returns how clear the decision is: the smallest
/// distance from any other one, 0 where it contradicts itself.
double peer_decide(const peer_system* system, double t, const double x[], const double v[], const bool zero[],
                   double ahead, int mode[]);

#endif
