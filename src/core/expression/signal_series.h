// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the flow asks of a signal: its Taylor series, where it kinks, and what is known of all its future.
#ifndef SLIPSTICK_CORE_EXPRESSION_SIGNAL_SERIES_H
#define SLIPSTICK_CORE_EXPRESSION_SIGNAL_SERIES_H

#include "slipstick/signal.h"

#include <stdint.h>

enum { SS_MAX_ORDER = 40 }; ///< no series in the library is longer than SS_MAX_ORDER + 1 coefficients

/// Scratch doubles that ss_signal_series needs for this signal at the given order.
size_t ss_signal_scratch_size(const ss_signal* signal, int order);

/// A signal that is a function of something else than time, called `argument` in the text ("v", of that
/// dimension): its value, series, size and kinks are then over that, and t is not known.
ss_status ss_signal_parse_of(const char* text, const ss_scope* scope, const char* argument,
                             ss_dimension argument_dimension, ss_dimension expected, ss_signal** out,
                             ss_error* err);

/// Number of places where the expression may kink (abs, min, max). Tables kink at breakpoints instead.
int ss_signal_kink_count(const ss_signal* signal);

/// Taylor coefficients of the signal at t from the right: signal(t + s) = sum_k out[k] s^k, k = 0..order, on
/// the smooth piece that follows t. kinks (may be NULL) receives for each kink j the series
/// kinks[j * (order + 1) + k] of a function that is positive (or zero to all orders) on this piece and
/// crosses zero where the piece ends. A kink whose argument vanishes at t (to rounding) is resolved by its
/// first significant derivative. Returns false when the signal is not finite or not analytic at t
/// (division by zero, sqrt or log of a number that is not positive, tan at its pole).
bool ss_signal_series(const ss_signal* signal, double t, int order, double out[], double kinks[],
                      double scratch[]);

/// How far the series of signals can be trusted besides what their coefficients say: functions in them have
/// places, real or complex, where they are not analytic (piece/singular.c).
typedef struct ss_clearance {
    double span;     ///< s: length of ordinary steps, given; series are not asked for more than 8 of them
    int derivatives; ///< that must be there: 1 for the position of a driven body, which has a speed; else 0
    double reach;    ///< s: becomes the least of it and of what the signal allows
} ss_clearance;
/// As ss_signal_series. Next to a place where a function of it has a value (the root of 0), that is held at
/// its value for a stretch too short to matter: the reach.
bool ss_signal_series_clear(const ss_signal* signal, double t, int order, double out[], double kinks[],
                            ss_clearance* clear, double scratch[]);

/// The same on pieces that are given: `pieces` has a number per kink; those that are NaN are decided as
/// above, and written there. Signals of neighbouring models are compared on the same pieces.
bool ss_signal_series_on(const ss_signal* signal, double t, int order, double out[], double kinks[],
                         double pieces[], double scratch[]);

/// Sum of the magnitudes of the terms that the signal adds up at t, at least |signal(t)|: rounding is a share
/// of this size, where the terms cancel too. Of a table, its largest value.
double ss_signal_size(const ss_signal* signal, double t);

/// The first breakpoint strictly after t (a table's point), or INFINITY.
double ss_signal_next_breakpoint(const ss_signal* signal, double t);

/// Whether derivatives of high order are bounded by those of frequency *rate (rad/s): for constants,
/// polynomials, tables (0) and sums of harmonics (the highest frequency).
bool ss_signal_rate(const ss_signal* signal, double* rate);
/// Whether it is a straight line (of a table: one after the other) and harmonics. Other signals with a known
/// rate are polynomials, whose derivatives end only with their degree.
bool ss_signal_is_line(const ss_signal* signal);

typedef struct ss_harmonic {
    double frequency; ///< rad/s, > 0
    double sine, cosine;
} ss_harmonic;

/// Where the signal is, for all t >= after, a constant plus harmonics (at most max): fills them and returns
/// their number; otherwise -1. Equal frequencies are merged. A table qualifies after its last point.
int ss_signal_spectrum(const ss_signal* signal, double after, double* constant, ss_harmonic harmonics[],
                       int max);

/// Goes on with a hash (core/hash.h) by all that makes the signal what it is; NULL is welcome.
uint64_t ss_signal_hash(uint64_t hash, const ss_signal* signal);

/// Whether the signal keeps its value from t on, for ever. scratch: as of a series of order 1.
bool ss_signal_stays(const ss_signal* signal, double t, double scratch[]);

bool ss_signal_is_table(const ss_signal* signal);
/// Whether its value jumps somewhere (sign, floor, ceil, round, step).
bool ss_signal_jumps(const ss_signal* signal);
/// Whether its value may jump where kink j ends its piece.
bool ss_signal_kink_jumps(const ss_signal* signal, int j);
/// The frequencies (rad/s, > 0) of which the signal is made where it repeats: their number, 0 for a constant;
/// -1 where it does not repeat, or is not known to (or is made of more than max). `combined`: they are
/// combined by more than sums, and the signal may repeat sooner than all of them do.
int ss_signal_frequencies(const ss_signal* signal, double frequencies[], int max, bool* combined);

#endif
