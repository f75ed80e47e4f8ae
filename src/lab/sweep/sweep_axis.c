// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The values of an axis of a map: even steps, steps by a factor, values as given; and what random cells draw.
//
// Draws are inverted distribution functions of one uniform number per cell and axis, so that a cell depends
// on the seed and on its number alone:
//     normal      m + s z,        z = Phi^-1(u)
//     lognormal   m exp(s z):     m is the median, s the standard deviation of the logarithm
// Phi^-1 begins with a rational guess good to 4.5e-4 [AS64, 26.2.23]; three steps of Halley's method on erfc
// leave no more than rounding.
//
//  [AS64]  Abramowitz, Stegun, Handbook of Mathematical Functions (1964)
#define _POSIX_C_SOURCE 200809L // strdup
#include "core/error.h"
#include "lab/sweep/sweep.h"
#include "share/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- grids

double ss_basin_grid_value(const ss_basin_axis* axis, int64_t index)
{
    double last = (double)(axis->count - 1), i = (double)index;
    if (axis->kind == SS_AXIS_VALUES) return axis->values[index];
    if (axis->from == axis->to || index == 0) return axis->from;
    if (index == axis->count - 1) return axis->to;
    if (axis->kind == SS_AXIS_LOG) return axis->from * pow(axis->to / axis->from, i / last);
    return (axis->from * (last - i) + axis->to * i) / last;
}

// ---- draws

static const double root_two_pi = 2.50662827463100050; // sqrt(2 pi)

// z with Phi(z) = p, for 0 < p <= 1/2.
static double lower_quantile(double p)
{
    double t = sqrt(-2.0 * log(p));
    double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                         (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int step = 0; step < 3; step++) { // Halley: the density's slope is -z times it
        double off = (0.5 * erfc(-z * sqrt(0.5)) - p) * root_two_pi * exp(0.5 * z * z);
        z -= off / (1.0 + 0.5 * z * off);
    }
    return z;
}

static double normal_quantile(double u)
{
    double p = u + 0x1p-54; // u is a multiple of 2^-53 from 0 on: the middle of its cell
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1.0 - p);
}

double ss_basin_draw(const ss_basin_axis* axis, double u)
{
    switch (axis->kind) {
    case SS_AXIS_NORMAL: return axis->mean + axis->deviation * normal_quantile(u);
    case SS_AXIS_LOGNORMAL: return axis->mean * exp(axis->deviation * normal_quantile(u));
    case SS_AXIS_LOG: return axis->from * pow(axis->to / axis->from, u);
    default: return axis->from + (axis->to - axis->from) * u;
    }
}

double ss_basin_axis_value(const ss_basin* basin, int axis, int64_t cell)
{
    const ss_basin_axis* a = &basin->axes[axis];
    if (a->kind == SS_AXIS_VALUES) return a->values[cell];
    return ss_basin_draw(a, ss_random_uniform(basin->seed, (uint64_t)cell, (uint32_t)axis));
}

// ---- checking and copying

const char* ss_basin_axis_fault(const ss_basin_axis* axis, int64_t random)
{
    bool drawn = axis->kind == SS_AXIS_NORMAL || axis->kind == SS_AXIS_LOGNORMAL;
    if (drawn && random == 0) return "a distribution needs random cells (--random N)";
    if (drawn && !(isfinite(axis->mean) && isfinite(axis->deviation) && axis->deviation >= 0.0))
        return "a distribution needs a finite middle and a spread of at least 0";
    if (axis->kind == SS_AXIS_LOGNORMAL && axis->mean == 0.0) return "the median must not be 0";
    if (drawn) return NULL;
    if (axis->kind == SS_AXIS_VALUES) {
        if (axis->count < 1 || !axis->values) return "needs at least one value";
        if (random > 0 && axis->count != random) return "needs one value per cell";
        for (int64_t k = 0; k < axis->count; k++)
            if (!isfinite(axis->values[k])) return "the values must be finite";
        return NULL;
    }
    if (!isfinite(axis->from) || !isfinite(axis->to)) return "the ends must be finite";
    if (axis->kind == SS_AXIS_LOG && !(axis->from * axis->to > 0.0))
        return "steps by a factor need two ends of the same sign, neither of them 0";
    if (random > 0) return NULL;
    if (axis->count < 1) return "needs at least one value";
    if (axis->count == 1 && axis->from != axis->to)
        return "one value cannot be both ends of a range; give at least 2";
    return NULL;
}

// The range of what values and draws come to: there the model is tried before anything is computed. Of many
// draws the first ten million are looked at.
static void find_range(ss_basin_axis* axis, int number, int64_t random, uint64_t seed)
{
    enum { LOOKED_AT = 10000000 };
    bool given = axis->kind == SS_AXIS_VALUES;
    int64_t count = given ? axis->count : random < LOOKED_AT ? random : LOOKED_AT;
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < count; k++) {
        double value = given ? axis->values[k]
                             : ss_basin_draw(axis, ss_random_uniform(seed, (uint64_t)k, (uint32_t)number));
        low = fmin(low, value);
        high = fmax(high, value);
    }
    bool falls = given && axis->values[0] > axis->values[axis->count - 1];
    axis->from = falls ? high : low;
    axis->to = falls ? low : high;
}

ss_status ss_basin_axis_copy(const ss_basin_def* def, int number, ss_basin_axis* out, ss_error* err)
{
    const ss_basin_axis* axis = &def->axes[number];
    *out = *axis;
    out->values = NULL;
    out->path = strdup(axis->path);
    out->option = strdup(axis->option ? axis->option : axis->path);
    if (!out->path || !out->option) return ss_fail_no_memory(err);
    if (axis->kind == SS_AXIS_VALUES) {
        double* values = ss_new((size_t)axis->count, sizeof *values);
        if (!values) return ss_fail_no_memory(err);
        memcpy(values, axis->values, (size_t)axis->count * sizeof *values);
        out->values = values;
    }
    if (axis->kind != SS_AXIS_EVEN && axis->kind != SS_AXIS_LOG)
        find_range(out, number, def->random, def->seed);
    return SS_OK;
}

void ss_basin_axis_free(ss_basin_axis* axis)
{
    free((char*)axis->path);
    free((char*)axis->option);
    free((double*)axis->values);
}
