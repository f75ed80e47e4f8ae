// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The first zero of a polynomial on [0, 1].
#include "core/algebra/first_zero.h"

static double curvature_bound(const ss_unit_polynomial* g, double w)
{
    double bound = 0.0, factor = g->degree; // k as a number
    for (int k = g->degree; k >= 2; k--, factor -= 1.0)
        bound = bound * w + factor * (factor - 1.0) * fabs(g->c[k]);
    return bound;
}

// The search ends at u. That may be next to a double zero, which is told from a near miss to rounding only
// and to the root of it in u. Its slope has a simple zero there: that is where g touches 0.
double ss_refine_touch(const ss_unit_polynomial* g, double u, double w)
{
    double at = u, slope, zero = 64.0 * DBL_EPSILON * g->size;
    ss_unit_value(g, u, &slope);
    if (slope * slope > 2.0 * zero * ss_unit_second_derivative(g, u)) return u; // a simple zero
    for (int round = 0; round < 4; round++) {
        ss_unit_value(g, at, &slope);
        double bend = ss_unit_second_derivative(g, at);
        if (!(bend > 0.0)) return u;
        at -= slope / bend;
        if (!(at >= u && at < w) || ss_unit_value(g, at, &slope) > zero) return u;
    }
    return ss_unit_value(g, at, &slope) >= -zero ? at : u;
}

// The march: first zero of g in (from, w], or INFINITY, where g > 0 up to `from` is known.
static double march(const ss_unit_polynomial* g, double bound, double from, double w)
{
    double zero = 4.0 * DBL_EPSILON * g->size, u = from, slope, value = ss_unit_value(g, u, &slope);
    for (;;) {
        if (value <= zero) {
            double rest = slope < 0.0 ? value / -slope : 0.0; // the last digits, where the zero is simple
            if (bound * rest > -slope) rest = 0.0;            // a touch: the slope is rounding
            return fmin(fmax(u + rest, 0.0), w);
        }
        double root = sqrt(slope * slope + 2.0 * bound * value);
        double step = slope < 0.0   ? 2.0 * value / (root - slope)
                      : bound > 0.0 ? (slope + root) / bound
                                    : INFINITY;
        if (!(u + step < w)) return u < w && ss_unit_value(g, w, &slope) <= zero ? w : INFINITY;
        if (u + step == u) return u;
        u += step;
        value = ss_unit_value(g, u, &slope);
    }
}

enum { GRID = 8 };

// g on a grid: cell j lies between its points j and j + 1, j = 0 .. GRID.
typedef struct grid {
    double cell;            // width
    double value[GRID + 1]; // of g, from its first coefficients only
    double rest;            // bounds what that leaves out
    double bend[GRID + 1];  // |g''|
    double between;         // by how much it may exceed the larger of two neighbours between them
} grid;

static void sample_grid(const ss_unit_polynomial* g, double w, grid* out)
{
    int degree = g->degree;
    double rest = 0.0, u[GRID];
    out->cell = w / GRID;
    while (degree > 2 && rest + fabs(g->c[degree]) < 1e-5 * g->size) rest += fabs(g->c[degree--]);
    for (int j = 0; j < GRID; j++) {
        u[j] = w * (j + 1) / GRID;
        out->value[j + 1] = g->c[degree];
    }
    for (int k = degree - 1; k >= 0; k--)
        for (int j = 0; j < GRID; j++) out->value[j + 1] = out->value[j + 1] * u[j] + g->c[k];
    out->value[0] = g->c[0];
    out->rest = rest;
}

// On a short step the magnitudes of the coefficients bound g'' well enough.
static void bound_evenly(double bound, grid* out)
{
    for (int j = 0; j <= GRID; j++) out->bend[j] = bound;
    out->between = 0.0;
}

// On a long one, half a swing say, coefficients alternate, and g'' is a small part of that: its values tell,
// and those of the fourth derivative what it can do between two of them, up to the sixth.
static void bound_by_values(const ss_unit_polynomial* g, double w, grid* out)
{
    double second[GRID + 1] = {0.0}, fourth[GRID + 1] = {0.0}, sixth = 0.0, most = 0.0, u[GRID + 1];
    double k = g->degree, share = 0.125 * out->cell * out->cell;
    for (int p = 0; p <= GRID; p++) u[p] = p * out->cell;
    for (int j = g->degree; j >= 4; j--, k -= 1.0) {
        double c = k * (k - 1.0) * g->c[j], c4 = (k - 2.0) * (k - 3.0) * c;
        if (j >= 6) sixth = sixth * w + (k - 4.0) * (k - 5.0) * fabs(c4);
        for (int p = 0; p <= GRID; p++) {
            second[p] = second[p] * u[p] + c;
            fourth[p] = fourth[p] * u[p] + c4;
        }
    }
    double c3 = g->degree >= 3 ? 6.0 * g->c[3] : 0.0, c2 = g->degree >= 2 ? 2.0 * g->c[2] : 0.0;
    for (int p = 0; p <= GRID; p++) {
        out->bend[p] = fabs((second[p] * u[p] + c3) * u[p] + c2);
        most = fmax(most, fabs(fourth[p]));
    }
    out->between = share * (most + share * sixth);
}

// Bound on |g''| from point `from` of the grid to point `to`.
static double bend_between(const grid* on, int from, int to)
{
    double most = 0.0;
    for (int j = from; j <= to; j++) most = on->bend[j] > most ? on->bend[j] : most;
    return most + on->between;
}

// Newton's method from u for a zero in [low, high]; INFINITY where it leaves that interval. It ends when the
// error left by the next step, at most bound / (2 |g'|) times the square of the last one, is below rounding.
static double newton(const ss_unit_polynomial* g, double bound, double low, double high, double u,
                     double* slope)
{
    for (int round = 0; round < 12; round++) {
        double value = ss_unit_value(g, u, slope), step = value / *slope, next = u - step;
        if (!(next >= low && next <= high)) return INFINITY;
        if (bound * step * step <= DBL_EPSILON * u * fabs(*slope) ||
            fabs(value) <= 2.0 * DBL_EPSILON * g->size)
            return next;
        u = next;
    }
    return INFINITY;
}

// A guess at the first zero: that of the first three terms, mended once by the first eight.
static double guess_zero(const ss_unit_polynomial* g)
{
    double a = g->degree > 1 ? g->c[2] : 0.0, b = g->degree > 0 ? g->c[1] : 0.0, c = g->c[0];
    double root = b * b - 4.0 * a * c;
    if (!(root >= 0.0 && b < 0.0)) return INFINITY;
    double u = 2.0 * c / (sqrt(root) - b), slope;
    double value = ss_unit_value_up_to(g, g->degree < 7 ? g->degree : 7, u, &slope);
    return slope < 0.0 ? u - value / slope : u;
}

// The first zero of g in (0, w] where it is near and simple, as it is on a short step; otherwise INFINITY.
double ss_near_zero(const ss_unit_polynomial* g, double bound, double w)
{
    double slope, guess = guess_zero(g);
    if (!(guess > 0.0 && guess < w)) return INFINITY;
    double zero = newton(g, bound, 0.0, w, guess, &slope);
    return zero <= w && slope < 0.0 && zero * bound <= 1.9 * -slope ? zero : INFINITY;
}

// Where in cell j, as a share of it, the parabola through its ends and the point before has its zero: to
// first order around that of the straight line.
static double cell_zero(const grid* on, int j)
{
    double fall = on->value[j] - on->value[j + 1], x = on->value[j] / fall;
    if (j == 0) return x;
    double bend = on->value[j + 1] - 2.0 * on->value[j] + on->value[j - 1];
    double better = x + 0.5 * bend * x * (x - 1.0) / (fall - (x - 0.5) * bend);
    return better > 0.0 && better < 1.0 ? better : x;
}

// Whether g > 0 is proved on cell j: between two points above B cell^2 / 8 there is no zero, B >= |g''|, nor
// where g begins to rise fast enough.
static bool is_positive(const ss_unit_polynomial* g, const grid* on, int j)
{
    double bound = bend_between(on, j, j + 1), cell = on->cell;
    double sag = 0.125 * bound * cell * cell + on->rest + 64.0 * DBL_EPSILON * g->size;
    if (on->value[j] > sag && on->value[j + 1] > sag) return true;
    return j == 0 && on->value[1] > 0.0 && g->degree > 0 && 2.0 * g->c[1] >= bound * cell;
}

// Most functions are simple: after the cells that are clear, the zero u* is the first one if it lies within
// 2 |g'(u*)| / B of them, because before it g(s) >= |g'(u*)| (u* - s) - B (u* - s)^2 / 2. False where that
// does not decide; g > 0 is known up to point *clear then.
static bool simple_zero(const ss_unit_polynomial* g, const grid* on, double w, int* clear, double* zero)
{
    int j = 0;
    while (j < GRID && is_positive(g, on, j)) j++;
    *clear = j;
    *zero = INFINITY;
    if (j == GRID) return true;
    while (j < GRID - 1 && on->value[j + 1] > 0.0) j++;
    if (!(on->value[j + 1] < 0.0 && on->value[j] > 0.0)) return false;
    double left = j * on->cell, bound = bend_between(on, *clear, j + 1), slope;
    *zero = newton(g, bound, left, left + on->cell, left + on->cell * cell_zero(on, j), &slope);
    return *zero <= w && slope < 0.0 && (*zero - *clear * on->cell) * bound <= 1.9 * -slope;
}

// First zero of g in (0, w], or INFINITY. g.c[0] > 0, and g is not clear. What is not simple is left to the
// march.
double ss_first_zero(const ss_unit_polynomial* g, double w)
{
    double bound = curvature_bound(g, w), zero;
    bool is_long = bound * w * w > 16.0 * g->c[0];
    if (!is_long && (zero = ss_near_zero(g, bound, w)) <= w) return zero;
    grid on;
    int clear;
    sample_grid(g, w, &on);
    if (is_long)
        bound_by_values(g, w, &on);
    else
        bound_evenly(bound, &on);
    if (simple_zero(g, &on, w, &clear, &zero)) return zero;
    return march(g, fmin(bound, bend_between(&on, clear, GRID)), clear * on.cell, w);
}
