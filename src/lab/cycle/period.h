// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The period of a motion: set by the inputs, or guessed from a motion that nearly returns.
#ifndef SLIPSTICK_LAB_PERIOD_H
#define SLIPSTICK_LAB_PERIOD_H

#include "lab/cycle/orbit.h"

/// Whether inputs set the rhythm, and the shortest time after which all of them repeat (NaN if not known).
/// Inputs that never repeat, such as a spring to a body that drives away, are an error.
ss_status ss_rhythm(const ss_model* model, bool* forced, double* period, ss_error* err);

typedef struct ss_guess {
    bool found;
    double t;      ///< s: where on the motion the guess was taken
    double period; ///< s
} ss_guess;

/// Lets the model's motion run to `from` and takes a state there, away from events, that the motion comes
/// back to before `until`; fills it, the extents of the variables (scale), and the time it took. With a given
/// period (not NaN) that time is not looked for.
ss_status ss_guess_period(ss_orbit* orbit, bool forced, double given, double from, double until,
                          double state[], double scale[], ss_guess* out, ss_error* err);

#endif
