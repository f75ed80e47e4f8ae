// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The period of a motion: set by the inputs, or guessed from a motion that nearly returns.
#ifndef SLIPSTICK_LAB_PERIOD_H
#define SLIPSTICK_LAB_PERIOD_H

#include "lab/cycle/orbit.h"

typedef struct ss_guess {
    bool found;
    double t;      ///< s: where on the motion the guess was taken
    double period; ///< s
} ss_guess;

/// Lets the model's motion run to `from` and takes a state there, away from events, that the motion comes
/// back to before `until`, or within half as long again; fills it, the extents of the variables (scale), and
/// the time it took. A given period (not NaN) is that of the inputs where they set the period (forced), and
/// otherwise tells which return is wanted.
/// tick (0: none): the state is taken at a multiple of it, and the period is rounded to one.
ss_status ss_guess_period(ss_orbit* orbit, bool forced, double tick, double given, double from, double until,
                          double state[], double scale[], ss_guess* out, ss_error* err);

enum { SS_MOST_MULTIPLE = 32 }; ///< so many periods of the inputs may make one of the motion

typedef struct ss_repeats {
    bool found;                            ///< the motion got there
    double t;                              ///< s
    double distance[SS_MOST_MULTIPLE + 1]; ///< [k]: from where it was k periods before, relative
    int best;                              ///< the k of the smallest
} ss_repeats;

/// Lets the model's motion under inputs of period `forcing_period` run until it repeats after some of them,
/// at most to `until`; fills the state there, at the same phase as at t = 0, and the extents of the last
/// period.
ss_status ss_guess_repeats(ss_orbit* orbit, double forcing_period, double until, double state[],
                           double scale[], ss_repeats* out, ss_error* err);

#endif
