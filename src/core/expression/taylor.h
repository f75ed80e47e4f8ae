// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Taylor arithmetic: one instruction at a time, over any range of orders. A tape (a function of time) goes
// through all orders of one instruction before the next one; a program (a function of the motion) through all
// instructions at one order before the next, because there the motion itself is found order by order. Both
// use the recurrences here.
#ifndef SLIPSTICK_CORE_TAYLOR_H
#define SLIPSTICK_CORE_TAYLOR_H

#include "core/expression/expression.h"

#include <float.h>

/// Coefficients below this many round-offs of what they were computed from are taken as zero: a kink was
/// located by rounding t, and the noise leaves out factors near 1.
#define SS_SIGNIFICANT 4

typedef struct ss_taylor {
    double t;
    int length;    ///< of a row: highest order + 1
    double* rows;  ///< row r, rows + r length, holds the coefficients of register r
    double* noise; ///< the same: bounds of their errors, in units of round-off; NULL where nobody asks
    double* aux;   ///< rows of helpers: f'(a), or what a recurrence needs besides
    double* sum;   ///< one row of scratch
    int* degree;   ///< of each register: coefficients beyond are zero, and products with it are short
    double*
        piece;   ///< of each kink: NaN while not decided; +1 or -1; of jumps their value; of PACE its middle
    double* met; ///< of each register: its kink was located where the series begin, so that its argument is 0
                 ///< (or on its edge) there where it is found within this; 0 elsewhere. NULL in tapes
    bool* level; ///< of each register: its function has a singular place here, or next to here, and stays at
                 ///< its value for a step too short to matter (piece/singular.c). NULL in tapes
} ss_taylor;

static inline double* ss_taylor_row(const ss_taylor* w, int r)
{
    return w->rows + (size_t)r * (size_t)w->length;
}
static inline double* ss_taylor_aux(const ss_taylor* w, const ss_instruction* in)
{
    return w->aux + (size_t)in->aux * (size_t)w->length;
}

/// Coefficients from .. to of the instruction's register, those below from being known, and those of its
/// operands up to to. False where the function is not finite or not analytic (what leaves the finite numbers
/// in the middle of a tape is caught at its end).
bool ss_taylor_step(ss_taylor* w, const ss_instruction* in, int from, int to);
/// The noise of coefficients 0 .. to, after they have been computed; a kink's operands need theirs before.
void ss_taylor_noise(ss_taylor* w, const ss_instruction* in, int to);

/// c b = a, orders from .. to; a may be NULL for the constant p. False where b_0 = 0.
bool ss_taylor_divide(const double a[], double p, const double b[], int b_degree, int from, int to,
                      double c[]);
/// c = a^p for a_0 not 0 (and positive unless p is an integer).
void ss_taylor_raise(const double a[], int a_degree, double p, int from, int to, double c[]);

/// piece/singular.c: where the instruction stands on a singular place at which it has a value, or is held
/// next to one, its coefficients are that value and zeros; false where it is an ordinary one.
bool ss_taylor_stays_level(ss_taylor* w, const ss_instruction* in, int from, int to);

/// taylor_kink.c: the step of an instruction that has a kink.
bool ss_taylor_kink_step(ss_taylor* w, const ss_instruction* in, int from, int to);
/// The switching function of its kink, orders 0 .. n: positive on the piece that was decided, zero to all
/// orders where it is not decided.
void ss_taylor_switch(const ss_taylor* w, const ss_instruction* in, int n, double out[]);
/// The value of a jump at a: side +1 just above it, -1 just below, 0 on the spot.
double ss_jump_value(ss_op op, double a, double side);
/// The edge of a jump nearest to a.
double ss_jump_edge(ss_op op, double a);
/// The piece of a jump whose argument has the coefficients a (orders 0 .. n, noise e): by the first
/// significant one where a is on an edge; NaN where all of them vanish there.
double ss_jump_decide(ss_op op, const double a[], const double e[], int n);

#endif
