// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Singular places (singular.c) of functions of time. As with expressions of the motion, no step goes further
// than a share of the distance to the nearest place, so that steps shrink towards it and grow again behind
// it; where the function has a value there it is passed with that function held at its value.
//
// With f = |s|^q about the place and T the length of ordinary steps, a stretch of T e^(1/(1+q)) changes
// speeds by e = 1e-15 of what the force does in T. Of a given position the speed counts: q is less by one,
// and a speed that is infinite there is refused. A double zero of the argument (1 - cos(t)) doubles q.
//
// Series of order n next to a place have coefficients up to (1/s)^n; stretches are so long that these are
// numbers. Where rounding hides how far away the place is (acos(cos(t)) next to 0) they are as long as that;
// a given position whose speed is then unknown for longer than matters is refused.
#include "core/expression/piece/singular.h"

#include <math.h>

static const double share = 0.95;                 // of the distance
static const double unclear = 64 * DBL_EPSILON;   // of its noise: an argument is not known below
static const double shortest = 512 * DBL_EPSILON; // of t: stretches that time can tell

// What of the argument rounding hides.
static double noise_of(const ss_taylor* w, const ss_instruction* in)
{
    size_t length = (size_t)w->length;
    double a = w->noise[(size_t)in->a * length], b = w->noise[(size_t)in->b * length];
    if (in->op == SS_OP_HYPOT || in->op == SS_OP_ATAN2) return unclear * (a + b);
    return unclear * (in->op == SS_OP_DIV ? b : a);
}

// How far the argument is beyond the domain of its function.
static double beyond(const ss_instruction* in, double a)
{
    switch (in->op) {
    case SS_OP_SQRT: return -a;
    case SS_OP_POWER: return in->p > 0 ? -a : 0;
    case SS_OP_ASIN:
    case SS_OP_ACOS: return fabs(a) - 1;
    default: return 0;
    }
}

// Whether the argument has a double zero where it comes to its place at the distance d: d - a_1 s + a_2 s^2
// is a square then.
static bool is_double(const ss_taylor* w, const ss_instruction* in, double d, double noise)
{
    const double* a = ss_taylor_row(w, in->a);
    if (in->op == SS_OP_HYPOT || in->op == SS_OP_ATAN2 || in->op == SS_OP_DIV || w->length < 3) return false;
    return a[1] * a[1] <= 5 * fabs(a[2]) * (d + noise);
}

// The exponent of the function at its place, or a negative number where it has no value there. A quotient
// grows towards a pole, and not where its numerator vanishes as well.
static double exponent_of(const ss_taylor* w, const ss_instruction* in, double d, double noise)
{
    if (in->op == SS_OP_ATAN2) return -1;
    if (in->op == SS_OP_DIV) { // a, taken on to the zero of b, vanishes there
        const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
        bool removable =
            w->length > 1 && b[0] != 0 && fabs(a[0] * b[1] - a[1] * b[0]) <= 0.5 * fabs(a[1] * b[0]);
        return removable ? 1 : -1;
    }
    double q = ss_singular_exponent(in);
    return q > 0 && is_double(w, in, d, noise) ? 2 * q : q;
}

bool ss_tape_freeze_singular(const ss_taylor* w, const ss_instruction* in, ss_clearance* clear)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    int order = w->length - 1;
    double noise = noise_of(w, in), span = clear->span, longest = 8 * span;
    double d = ss_singular_distance(in, a[0], b[0]);
    if (beyond(in, a[0]) > noise) return false; // where it fails
    double far = ss_taylor_within(w, in, d, order, longest);
    double q = far < 0.1 * span || d <= noise ? exponent_of(w, in, d, noise) - clear->derivatives : -1;
    double gap = fmax(span * pow(1e-15, 1 / (1 + fmax(q, 0))), shortest * fabs(w->t));
    if (order > 0) gap = fmax(gap, pow(1e-290, 1.0 / order));
    if (q < 0 || (far > 0.25 * gap && d > noise)) {
        if (far > 0 && far < longest) clear->reach = fmin(clear->reach, share * far);
        return false;
    }
    double away = ss_taylor_within(w, in, 4 * noise, order, longest);
    if (clear->derivatives > 0 && away > 1e-10 * span && away < longest) return false;
    clear->reach = fmin(clear->reach, fmax(gap, away));
    return true;
}
