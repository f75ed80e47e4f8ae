// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where motions end: at small speed a motion q turns down the slope of Phi on the unit sphere [GRP91, (8)]. A
// thousand of them, on a spiral that covers the sphere evenly, are followed on the power with its kinks
// rounded off a little, each step as long as Phi falls, until they are close to a stable direction.
#include "slider/surface/field.h"
#include "slider/surface/surface.h"

#include <math.h>

enum { STARTS = 1000, STEPS = 4000 };
static const double rounding = 0.005, close = 0.04;

static double power_at(const ss_slider* s, const ss_floor* floor, const double q[3], double t[2][3],
                       double g[2])
{
    ss_power f;
    ss_rounded_power(s, floor, NULL, NULL, rounding, q, &f);
    ss_tangents(q, t);
    ss_tangential(f.p, t, g);
    return f.phi;
}

// Distance from a stable direction, or from the circle it stands for.
static double distance(const ss_eigen_direction* d, const double q[3])
{
    if (d->is_circle)
        return fabs(asin(fmax(-1.0, fmin(1.0, ss_dot3(q, d->axis)))) - asin(ss_dot3(d->q, d->axis)));
    double x = q[0] - d->q[0], y = q[1] - d->q[1], z = q[2] - d->q[2];
    return sqrt(x * x + y * y + z * z);
}

static int arrived(const ss_eigen_set* set, const double q[3], double within)
{
    int best = -1;
    for (int k = 0; k < set->count; k++) {
        double d = distance(&set->items[k], q);
        if (set->items[k].stability != SS_STABLE || d > within) continue;
        best = k;
        within = d;
    }
    return best;
}

// One step downhill; the step grows where it can. False where there is no way down any more.
static bool descend(const ss_slider* s, const ss_floor* floor, double q[3], double* step)
{
    double t[2][3], g[2], own[2][3], other[2], phi = power_at(s, floor, q, t, g), slope = hypot(g[0], g[1]);
    for (; *step > 1e-7; *step *= 0.5) {
        double trial[3], length;
        for (int i = 0; i < 3; i++) trial[i] = q[i] - *step / slope * (g[0] * t[0][i] + g[1] * t[1][i]);
        length = sqrt(ss_dot3(trial, trial));
        for (int i = 0; i < 3; i++) trial[i] /= length;
        if (!(power_at(s, floor, trial, own, other) < phi - 0.3 * *step * slope)) continue;
        for (int i = 0; i < 3; i++) q[i] = trial[i];
        *step = fmin(1.5 * *step, 0.02);
        return true;
    }
    return false;
}

static int follow(const ss_slider* s, const ss_floor* floor, const ss_eigen_set* set, double q[3])
{
    double step = 0.02;
    for (int n = 0; n < STEPS; n++) {
        int k = arrived(set, q, close);
        if (k >= 0) return k;
        if (!descend(s, floor, q, &step)) break;
    }
    return arrived(set, q, INFINITY);
}

ss_status ss_slider_basin(const ss_slider* slider, double angle_rad, const ss_eigen_set* set, double shares[],
                          ss_error* err)
{
    (void)err;
    ss_floor floor = ss_floor_at(slider, angle_rad);
    for (int k = 0; k < set->count; k++) shares[k] = 0.0;
    for (int n = 0; n < STARTS && set->count > 0; n++) {
        double height = 1.0 - (2.0 * n + 1.0) / STARTS, angle = 2.39996322972865332 * n;
        double width = sqrt(1.0 - height * height), q[3] = {width * cos(angle), width * sin(angle), height};
        int k = follow(slider, &floor, set, q);
        if (k >= 0) shares[k] += 1.0 / STARTS;
    }
    return SS_OK;
}
