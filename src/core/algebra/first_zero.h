// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Polynomials on [0, 1], and the first zero of one that starts positive. The search cannot miss a zero. From
// a point where g > 0 it moves by the largest s with
//     g + g' s - B s^2 / 2 >= 0,    B >= |g''| on the whole interval,
// and on that stretch g > 0 is proved. Near a simple zero this is Newton's method from the safe side; at a
// touch the steps shrink geometrically down to rounding.
#ifndef SLIPSTICK_CORE_FIRST_ZERO_H
#define SLIPSTICK_CORE_FIRST_ZERO_H

#include "core/algebra/polynomial.h"
#include "core/expression/signal_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// g(u) = sum_k c[k] u^k, u in [0, 1].
typedef struct ss_unit_polynomial {
    int degree;
    double c[SS_MAX_ORDER + 2]; ///< one zero beyond the degree, so that pairs can be read
    double terms;               ///< magnitude of the terms that were added up to it, where they may cancel
    double size;                ///< sum |c_k|, at least terms: zero to rounding is a few epsilons of it
} ss_unit_polynomial;

/// Even and odd powers are summed apart, g = E(u^2) + u O(u^2): two short chains of operations instead of a
/// long one. g' = O + 2 u (E' + u O').
static inline double ss_unit_value_up_to(const ss_unit_polynomial* g, int degree, double u, double* slope)
{
    double u2 = u * u, even = 0.0, odd = 0.0, even_slope = 0.0, odd_slope = 0.0;
    for (int k = degree & ~1; k >= 0; k -= 2) {
        even_slope = even_slope * u2 + even;
        odd_slope = odd_slope * u2 + odd;
        even = even * u2 + g->c[k];
        odd = odd * u2 + g->c[k + 1];
    }
    *slope = odd + 2.0 * u * (even_slope + u * odd_slope);
    return even + u * odd;
}

static inline double ss_unit_value(const ss_unit_polynomial* g, double u, double* slope)
{
    return ss_unit_value_up_to(g, g->degree, u, slope);
}

/// Adds up |c_k| and drops what is below rounding at the end. c[degree + 1] becomes 0.
static inline void ss_unit_measure(ss_unit_polynomial* g)
{
    double even = 0.0, odd = 0.0, dropped = 0.0;
    g->c[g->degree + 1] = 0.0;
    for (int k = 0; k <= g->degree; k += 2) {
        even += fabs(g->c[k]);
        odd += fabs(g->c[k + 1]);
    }
    double size = even + odd;
    while (g->degree > 0) {
        dropped += fabs(g->c[g->degree]);
        if (dropped > 0x1p-57 * size) break;
        g->degree--;
    }
    g->c[g->degree + 1] = 0.0;
    g->size = fmax(size, g->terms);
}

/// True where the constant term alone outweighs all others up to w: no zero there.
static inline bool ss_unit_is_clear(const ss_unit_polynomial* g, double w)
{
    if (2.0 * g->c[0] > g->size) return true;
    if (w == 1.0) return false;
    double rest = 0.0;
    for (int k = g->degree; k >= 1; k--) rest = (rest + fabs(g->c[k])) * w;
    // A zero at w itself must not be lost to rounding.
    return g->c[0] - rest > 128.0 * DBL_EPSILON * g->size;
}

static inline double ss_unit_second_derivative(const ss_unit_polynomial* g, double u)
{
    return ss_poly_second_derivative(g->c, 1, g->degree, u);
}

/// Divides by u^lead: the leading coefficients are known to be 0.
static inline void ss_unit_deflate(ss_unit_polynomial* g, int lead)
{
    if (lead <= 0) return;
    if (lead > g->degree) lead = g->degree;
    memmove(g->c, g->c + lead, (size_t)(g->degree + 1 - lead) * sizeof(double));
    g->degree -= lead;
}

/// First zero of g in (0, w], or INFINITY. g.c[0] > 0, and g is not clear.
double ss_first_zero(const ss_unit_polynomial* g, double w);
/// The same where the first zero is near and simple; bound: of |g''|. INFINITY where it is not that simple.
double ss_near_zero(const ss_unit_polynomial* g, double bound, double w);
/// The search ended at u, perhaps next to a double zero: where g touches 0.
double ss_refine_touch(const ss_unit_polynomial* g, double u, double w);

#endif
