// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where motions end: at small speed a motion q turns down the slope of Phi on the unit sphere [GRP91, (8)]. A
// thousand of them, on a spiral that covers the sphere evenly, are followed on the power with its kinks
// rounded off a little, until they are close to a stable direction. Steps are linearly implicit, x = -h g/(1
// + h a) along the eigenvectors of the second derivative a: in a narrow valley the slope across it is taken
// back at once, and the way goes on along it.
#include "core/tolerance.h"
#include "core/watch_part.h"
#include "slider/surface/surface_load.h"
#include "surface/eigen/eigen_directions.h"

#include <float.h>
#include <math.h>

enum { STARTS = 1000, STEPS = 4000 };
static const double rounding = 0.005, close = 0.04, longest = 0.05;

// Phi at q, its slope in the eigenvectors of its second derivative along the sphere, and these.
typedef struct slope {
    double phi, g[2], bend[2], e[2][3];
} slope;

static void slope_at(const ss_slider* s, const ss_floor* floor, const double q[3], slope* out)
{
    ss_power f;
    double t[2][3], a[3], first[2];
    ss_rounded_power(s, floor, NULL, NULL, rounding, q, &f);
    ss_tangents(q, t);
    ss_bending(&f, t, a);
    ss_eigen2(a, out->bend, first);
    out->phi = f.phi;
    for (int i = 0; i < 3; i++) {
        out->e[0][i] = first[0] * t[0][i] + first[1] * t[1][i];
        out->e[1][i] = first[0] * t[1][i] - first[1] * t[0][i];
    }
    for (int k = 0; k < 2; k++) out->g[k] = ss_dot3(f.p, out->e[k]);
}

// The step for a time h of the flow.
static double step_for(const slope* at, double h, double x[2])
{
    for (int k = 0; k < 2; k++) x[k] = -at->g[k] * h / (1.0 + h * fmax(at->bend[k], 0.0));
    return hypot(x[0], x[1]);
}

// The step of a given length, or the longest there is: its length grows with h.
static double step_of(const slope* at, double length, double x[2])
{
    double low = 0.0, high = length / (hypot(at->g[0], at->g[1]) + DBL_MIN);
    for (int i = 0; i < 60 && step_for(at, high, x) < length; i++) {
        low = high;
        high *= 4.0;
    }
    for (int i = 0; i < 12; i++) {
        double middle = 0.5 * (low + high);
        *(step_for(at, middle, x) < length ? &low : &high) = middle;
    }
    return step_for(at, low > 0.0 ? low : high, x);
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
static bool descend(const ss_slider* s, const ss_floor* floor, double q[3], slope* at, double* length,
                    long* looks)
{
    for (; *length > SS_ROOT_NOISE; *length *= 0.5) {
        slope there;
        double x[2], trial[3];
        step_of(at, *length, x);
        for (int i = 0; i < 3; i++) trial[i] = q[i] + x[0] * at->e[0][i] + x[1] * at->e[1][i];
        double size = sqrt(ss_dot3(trial, trial)), falls = -(x[0] * at->g[0] + x[1] * at->g[1]);
        for (int i = 0; i < 3; i++) trial[i] /= size;
        slope_at(s, floor, trial, &there);
        ++*looks;
        if (!(there.phi < at->phi - 0.3 * falls)) continue;
        for (int i = 0; i < 3; i++) q[i] = trial[i];
        *at = there;
        *length = fmin(2.0 * *length, longest);
        return true;
    }
    return false;
}

static int follow(const ss_slider* s, const ss_floor* floor, const ss_eigen_set* set, double q[3],
                  long* looks)
{
    double length = longest;
    slope at;
    slope_at(s, floor, q, &at);
    for (int n = 0; n < STEPS; n++) {
        int k = arrived(set, q, close);
        if (k >= 0) return k;
        if (!descend(s, floor, q, &at, &length, looks)) break;
    }
    return arrived(set, q, INFINITY);
}

ss_status ss_basin_shares(const ss_slider* slider, double angle_rad, const ss_eigen_set* set,
                          const ss_watch* watch, double shares[], long* looks, ss_error* err)
{
    ss_floor floor = ss_floor_at(slider, angle_rad);
    *looks = 0;
    for (int k = 0; k < set->count; k++) shares[k] = 0.0;
    for (int n = 0; n < STARTS && set->count > 0; n++) {
        ss_status status = ss_watch_ask(watch, (double)n / STARTS, err);
        if (status != SS_OK) return status;
        double height = 1.0 - (2.0 * n + 1.0) / STARTS, angle = 2.39996322972865332 * n;
        double width = sqrt(1.0 - height * height), q[3] = {width * cos(angle), width * sin(angle), height};
        int k = follow(slider, &floor, set, q, looks);
        if (k >= 0) shares[k] += 1.0 / STARTS;
    }
    return ss_watch_ask(watch, 1.0, err);
}

ss_status ss_slider_basin(const ss_slider* slider, double angle_rad, const ss_eigen_set* set,
                          const ss_watch* watch, double shares[], ss_error* err)
{
    long looks;
    return ss_basin_shares(slider, angle_rad, set, watch, shares, &looks, err);
}
