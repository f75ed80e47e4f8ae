// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Intervals by profile: how far one number can be moved, the others following as best they can, before the
// sum of squares has risen by more than noise explains.
#include "lab/fit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DOUBLINGS = 12, MAX_REFINEMENTS = 8 };

typedef struct profile {
    ss_fit* fit;
    int j;
    double cost, threshold; // at the minimum; allowed rise
    bool* fixed;
    double* x; // n: the others follow from here
} profile;

// Rise of the cost where number j is moved by d; INFINITY where the model refuses it.
static double rise(profile* f, double d)
{
    double cost;
    f->x[f->j] = f->fit->x[f->j] + d;
    double* kept = malloc((size_t)f->fit->problem->n * sizeof *kept);
    if (!kept) return INFINITY;
    memcpy(kept, f->x, (size_t)f->fit->problem->n * sizeof *kept);
    ss_fit_descend(f->fit->problem, f->fixed, f->x, &cost);
    if (!isfinite(cost)) memcpy(f->x, kept, (size_t)f->fit->problem->n * sizeof *kept);
    free(kept);
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
        if (f->fit->problem->interrupted) return sign * first_distance(f);
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
    f.x = calloc(n, sizeof *f.x);
    if (f.fixed && f.x) {
        f.fixed[j] = true;
        *low = fit->x[j] + find_end(&f, -1.0);
        *high = fit->x[j] + find_end(&f, 1.0);
    }
    free(f.fixed);
    free(f.x);
}
