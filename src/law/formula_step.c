// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law that is a formula alone, at constant speed: z' = rate(v, z) over dt by the modified midpoint rule
// with 2, 4, .. substeps, extrapolated to none. A step is taken where the last two columns agree to rounding,
// else halved; pieces of the formula meet continuously, so that a few halvings pass a kink. Where the state
// does not change any more beside rounding it stays: what relaxes costs no more the longer dt is.
#include "law/formula.h"

#include <float.h>
#include <math.h>

enum { COLUMNS = 8, MOST_STEPS = 20000 };

typedef struct alone {
    ss_law_formula_fn* formula;
    const void* law;
    const double* key;
    int count;
    double v;
} alone;

static double rate_at(const alone* a, double z)
{
    return ss_formula_value(a->formula, a->law, a->key, a->count, a->v, z).rate;
}

static double midpoint(const alone* a, double z, double first, double h, int steps)
{
    double part = h / steps, before = z, now = z + part * first;
    for (int k = 1; k < steps; k++) {
        double next = before + 2.0 * part * rate_at(a, now);
        before = now;
        now = next;
    }
    return 0.5 * (now + before + part * rate_at(a, now));
}

// z after h; *error: how far the last two columns are apart.
static double extrapolate(const alone* a, double z, double first, double h, double* error)
{
    double row[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        double last = midpoint(a, z, first, h, 2 * (i + 1));
        for (int j = 0; j < i; j++) {
            double ratio = (double)(i + 1) / (double)(i - j), before = row[j];
            row[j] = last;
            last += (last - before) / (ratio * ratio - 1.0);
        }
        row[i] = last;
    }
    *error = fabs(row[COLUMNS - 1] - row[COLUMNS - 2]);
    return row[COLUMNS - 1];
}

static double walk(const alone* a, double z, double dt)
{
    double left = dt, h = dt;
    for (int k = 0; k < MOST_STEPS && left > 0.0; k++) {
        double first = rate_at(a, z), error;
        h = fmin(h, left);
        double next = extrapolate(a, z, first, h, &error), size = fmax(fabs(z), fabs(next));
        bool finest = h <= 64.0 * DBL_EPSILON * dt;
        if (!(error <= 8.0 * DBL_EPSILON * size) && !finest) {
            h *= 0.5;
            continue;
        }
        if (fabs(first) * left <= 0.25 * DBL_EPSILON * fabs(z)) break;
        if (next == z && fabs(first * h) <= 4.0 * DBL_EPSILON * fabs(z)) break;
        z = next;
        left -= h;
        h *= 1.5;
    }
    return z;
}

double ss_formula_step(ss_law_formula_fn* formula, const void* law, const double key[], int count, double* z,
                       double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    alone a = {formula, law, key, count, v};
    if (dt > 0.0) *z = walk(&a, *z, dt);
    return ss_formula_value(formula, law, key, count, v, *z).force;
}
