// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What stops that give way have in common: while one is closed it pushes back with
//     f = stiffness p^exponent (weight + grip p') + drag p',     p > 0 the penetration,
// by one of its branches, and at its edges, zeros of  constant + power p^exponent + rate p',  another formula
// begins. So the engine computes series, clocks and events of all of them alike.
#ifndef SLIPSTICK_LAW_STOP_H
#define SLIPSTICK_LAW_STOP_H

#include "law/law_description.h"

struct ss_law_point;
struct ss_response;

enum { SS_STOP_EDGES = 2, SS_STOP_BRANCHES = 2 };

/// A formula of the force.
typedef struct ss_stop_form {
    double stiffness; ///< N/m^exponent
    double exponent;  ///< at least 1
    double weight;    ///< 1
    double grip;      ///< s/m
    double drag;      ///< N*s/m
} ss_stop_form;

/// An edge. The first one is the cut: negative where the formula would pull, and the stop is open though
/// p > 0. The second is negative in branch 1. On neither the force jumps.
typedef struct ss_stop_edge {
    double constant, power, rate;
} ss_stop_edge;

/// All that is known of a stop that gives way: its other answers follow from this.
typedef struct ss_stop {
    int side; ///< +1: it pushes back what is above its position, -1: below
    ss_stop_form form[SS_STOP_BRANCHES];
    ss_stop_edge edge[SS_STOP_EDGES];
    int edge_count; ///< those of them that exist
} ss_stop;

/// Its law at a point, by the formula of the branch. Not cut to 0 where it would pull: a closed stop does not
/// get there, and formulas stay smooth. Beyond the touch, p < 0, a power that is whole goes on; of others
/// there is no force.
void ss_stop_at(const ss_stop* stop, const struct ss_law_point* point, struct ss_response* out);
/// J, at penetration p: stiffness p^(exponent + 1)/(exponent + 1).
double ss_stop_stored(const ss_stop* stop, double p);
/// W: what the push takes beyond the work that is stored, (f - stiffness p^exponent) p'.
double ss_stop_loss(const ss_stop* stop, int branch, double p, double rate);

/// Checks position, side, stiffness (N/m^exponent) and exponent of a stop.
ss_status ss_stop_check(double position, int side, double stiffness, double exponent, ss_error* err);
/// Says stiffness and place.
void ss_stop_say(ss_law_said* words, const ss_law_place* at, double stiffness, double exponent, int side,
                 double position);

#endif
