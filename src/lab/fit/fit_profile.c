// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Intervals by profile: how far one number can be moved, the others following as best they can, before the
// sum of squares has risen by more than noise explains.
#include "lab/fit/fit_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DOUBLINGS = 12, MAX_REFINEMENTS = 8 };
static const double little =
    1e-3; // of the rise that is allowed: what the others need not be led down further

typedef struct profile {
    ss_fit* fit;
    int j;
    double cost, threshold; // at the minimum; allowed rise
    bool* fixed;
    double* x; // 2 n: the numbers, the others following; and room for them
} profile;

// Moves number j by d from where it is, and the others as the derivatives at the minimum say they follow.
static void predict(profile* f, double d)
{
    const ss_fit* fit = f->fit;
    int n = fit->problem->n, j = f->j;
    double moved = fit->x[j] + d - f->x[j];
    for (int k = 0; k < n; k++) {
        const ss_fit_binding* b = &fit->problem->free[k];
        double follows =
            fit->spread[j] > 0.0 ? fit->correlation[j * n + k] * fit->spread[k] / fit->spread[j] : 0.0;
        if (k != j) f->x[k] = fmin(fmax(f->x[k] + follows * moved, b->least), b->most);
    }
    f->x[j] = fit->x[j] + d;
}

// Rise of the cost where number j is moved by d; INFINITY where the model refuses it.
static double rise(profile* f, double d)
{
    size_t size = (size_t)f->fit->problem->n * sizeof *f->x;
    double cost, *kept = f->x + f->fit->problem->n;
    memcpy(kept, f->x, size);
    predict(f, d);
    if (isinf(ss_fit_cost(f->fit->problem, f->x))) { // they cannot follow: try without
        memcpy(f->x, kept, size);
        f->x[f->j] = f->fit->x[f->j] + d;
    }
    f->fit->problem->manner.goal = little * f->threshold / f->cost;
    ss_fit_descend(f->fit->problem, f->fixed, f->x, &cost);
    f->fit->problem->manner.goal = 0.0;
    if (!isfinite(cost)) memcpy(f->x, kept, size);
    return cost - f->cost;
}

static double first_distance(const profile* f)
{
    const ss_fit_parameter* q = &f->fit->parameters[f->j];
    if (isfinite(q->standard_error) && q->standard_error > 0.0) return sqrt(f->threshold) * q->standard_error;
    if (q->value != 0.0) return 0.1 * fabs(q->value);
    double step = f->fit->problem->free[f->j].step;
    return step > 0.0 ? 1e4 * step : 1.0;
}

// Where the rise crosses the threshold between `in` and `out`. Its root is close to a straight line there.
static double refine(profile* f, double in, double rise_in, double out, double rise_out)
{
    for (int k = 0; k < MAX_REFINEMENTS && fabs(out - in) > 0.01 * fabs(out); k++) {
        double share = 0.5;
        if (isfinite(rise_out) && rise_out > rise_in) {
            double low = sqrt(fmax(rise_in, 0.0)), high = sqrt(rise_out);
            share = fmin(fmax((sqrt(f->threshold) - low) / (high - low), 0.05), 0.95);
        }
        double d = in + share * (out - in), r = rise(f, d);
        if (fabs(r - f->threshold) < 0.02 * f->threshold) return d;
        if (r > f->threshold) {
            out = d;
            rise_out = r;
        } else {
            in = d;
            rise_in = r;
        }
    }
    return isfinite(rise_out) ? 0.5 * (in + out) : in;
}

// The end of the interval on one side (sign = -1: below), relative to the value; may be infinite.
static double find_end(profile* f, double sign)
{
    const ss_fit_binding* binding = &f->fit->problem->free[f->j];
    double value = f->fit->x[f->j], in = 0.0, rise_in = 0.0;
    double room = fabs((sign > 0.0 ? binding->most : binding->least) - value);
    double d = fmin(first_distance(f), room), far = fmax(10.0 * fabs(value), 20.0 * d);
    memcpy(f->x, f->fit->x, (size_t)f->fit->problem->n * sizeof *f->x);
    for (int k = 0; k < MAX_DOUBLINGS; k++) {
        double r = rise(f, sign * d);
        if (f->fit->problem->effort.interrupted) return sign * first_distance(f);
        if (r > f->threshold) return refine(f, sign * in, rise_in, sign * d, r);
        if (d >= room) return sign * room;
        if (d > far) break;
        in = d;
        rise_in = r;
        d = fmin(2.0 * d, room);
    }
    return sign * INFINITY;
}

void ss_fit_profile(ss_fit* fit, int j, double cost, double threshold, double* low, double* high)
{
    size_t n = (size_t)fit->problem->n;
    profile f = {.fit = fit, .j = j, .cost = cost, .threshold = threshold};
    f.fixed = calloc(n, sizeof *f.fixed);
    f.x = calloc(2 * n, sizeof *f.x);
    if (f.fixed && f.x) {
        f.fixed[j] = true;
        *low = fit->x[j] + find_end(&f, -1.0);
        *high = fit->x[j] + find_end(&f, 1.0);
    }
    free(f.fixed);
    free(f.x);
}
