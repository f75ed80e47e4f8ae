// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Walking along a motion, and what is known of numbers on the way: extremes, integrals, when they settle.
#ifndef SLIPSTICK_LAB_TALLY_H
#define SLIPSTICK_LAB_TALLY_H

#include "share/quantity_table.h"
#include "slipstick/simulation.h"

/// What is known of a number along the way.
typedef struct ss_tally {
    ss_quantity of;
    double drift;             ///< per s: what is tallied is the number less this times the time
    bool extremes, integrals; ///< which of the following are wanted
    double low, high;
    double sum, square;  ///< integrals over time
    double rate;         ///< rad/s; 0: no harmonic is wanted
    double cosine, sine; ///< integrals of the number times cos(rate t), sin(rate t)
    bool settles;        ///< the following are wanted:
    double last, band;   ///< what it comes to, and how far off it may be
    double outside;      ///< s: when it was farther off the last time; -INFINITY: never
} ss_tally;

typedef struct ss_tally_walk {
    struct ss_sim* sim;
    ss_tally* tallies;
    int count;
    double* numbers; ///< of an open model: scratch
    double* held;    ///< per contact: s during which it has stuck, or was closed
    int contacts;
} ss_tally_walk;

/// Goes on to `until`, or to the end of the step on which *stop becomes true, whichever is first. What is
/// tallied is exact along the steps of the run: extremes are located and integrals are by quadrature of the
/// series.
ss_status ss_walk_to(ss_tally_walk* walk, double until, const bool* stop, ss_outcome* outcome, ss_error* err);
/// The model is at rest from a time on, for so long.
void ss_walk_rest(ss_tally_walk* walk, double from, double time);

#endif
