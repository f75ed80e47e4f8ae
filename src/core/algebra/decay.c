// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// g stays positive once its constant outweighs all that can still pull it down. Until then the proof marches:
// from a time where g > 0, by the largest s with
//     g + g' s - B s^2 / 2 >= 0,    B = sum |w_k| |r_k|^2 e^(Re r_k t) >= |g''| from t on,
// so that no zero can be stepped over.
#include "core/algebra/decay.h"
#include "core/tolerance.h"

#include <math.h>

enum { LONGEST_MARCH = 20000 };
static const double rounding = SS_SUM_NOISE; // of a sum, per size of its terms

bool ss_decay_divide(ss_decay* g, double noise, double* rate)
{
    int slowest = -1;
    for (int k = 0; k < g->count; k++)
        if (g->weights[k] != 0.0 && (slowest < 0 || creal(g->rates[k]) > creal(g->rates[slowest])))
            slowest = k;
    if (slowest < 0 || cabs(g->weights[slowest]) <= noise) return false;
    *rate = creal(g->rates[slowest]);
    if (cimag(g->rates[slowest]) == 0.0) {
        g->constant = creal(g->weights[slowest]);
        g->weights[slowest] = 0.0;
    }
    for (int k = 0; k < g->count; k++)
        if (g->weights[k] != 0.0) g->rates[k] -= *rate;
    return true;
}

// What is known of g at one time.
typedef struct view {
    double value, slope;
    double bend;  // bound on |g''| from here on
    double size;  // sum of the magnitudes of all terms
    double below; // bound on g from below from here on
} view;

static view look(const ss_decay* g, double t)
{
    view at = {.value = g->constant, .size = fabs(g->constant), .below = g->constant};
    for (int k = 0; k < g->count; k++) {
        if (g->weights[k] == 0.0) continue;
        double complex rate = g->rates[k], term = g->weights[k] * cexp(rate * t);
        double size = cabs(term), speed = cabs(rate);
        at.value += creal(term);
        at.slope += creal(rate * term);
        at.bend += size * speed * speed;
        at.size += size;
        at.below += cimag(rate) == 0.0 ? fmin(creal(term), 0.0) : -size;
    }
    return at;
}

bool ss_decay_is_positive(const ss_decay* g, double from, double until)
{
    if (isinf(until) && !(g->constant > 0.0)) return false;
    double t = from;
    for (int round = 0; round < LONGEST_MARCH; round++) {
        view at = look(g, t);
        if (at.below > rounding * at.size) return true;
        if (!(at.value > rounding * at.size)) return false;
        double root = sqrt(at.slope * at.slope + 2.0 * at.bend * at.value);
        double step = at.slope < 0.0 ? 2.0 * at.value / (root - at.slope) : (at.slope + root) / at.bend;
        if (!(t + step > t)) return false;
        t += step;
        if (t > until) return true;
    }
    return false;
}
