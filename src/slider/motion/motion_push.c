// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The Taylor series of what pushes a body that lies on its floor: loads and weight, turned as the floor
// turns, and the inertia of the floor's motion (floor_motion.h).
#include "core/expression/signal_series.h"
#include "slider/motion/floor_motion.h"

#include <math.h>
#include <string.h>

enum { ORDER = SS_PUSH_ORDER, LONG = ORDER + 3 };

// Coefficients of a signal in units of its own and of time; 0 where there is none.
static bool series_of(const ss_slide* s, const ss_signal* signal, double t, double unit, double c[LONG])
{
    double power = 1.0 / unit;
    memset(c, 0, LONG * sizeof *c);
    if (!signal) return true;
    if (!ss_signal_series(signal, t * s->slider->unit_time, LONG - 1, c, s->inputs.kink_series,
                          s->inputs.scratch))
        return false;
    for (int k = 0; k < LONG; k++, power *= s->slider->unit_time) c[k] *= power;
    return true;
}

// c becomes its derivative; of the last coefficient nothing is known any more.
static void differentiate(double c[LONG])
{
    for (int k = 1; k < LONG; k++) c[k - 1] = k * c[k];
    c[LONG - 1] = 0.0;
}

// The rate of what is given by either of two signals.
static bool speed_of(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t, double unit,
                     double c[LONG])
{
    if (speed || !place) return series_of(s, speed, t, unit / s->slider->unit_time, c);
    bool known = series_of(s, place, t, unit, c);
    differentiate(c);
    return known;
}

// Cosine and sine of an angle that begins at `angle` and changes with this spin.
static void circle(double angle, const double spin[LONG], double cosine[LONG], double sine[LONG])
{
    cosine[0] = cos(angle);
    sine[0] = sin(angle);
    for (int k = 0; k + 1 < LONG; k++) {
        double dc = 0.0, ds = 0.0;
        for (int i = 0; i <= k; i++) {
            dc -= spin[i] * sine[k - i];
            ds += spin[i] * cosine[k - i];
        }
        cosine[k + 1] = dc / (k + 1);
        sine[k + 1] = ds / (k + 1);
    }
}

// Adds a vector (x, y) of space, seen in a frame that turns, at a place of the body.
static void add_turned(const double x[LONG], const double y[LONG], const double cosine[LONG],
                       const double sine[LONG], const ss_load* at, double out[3][ORDER + 1])
{
    for (int k = 0; k <= ORDER; k++) {
        double fx = 0.0, fy = 0.0;
        for (int i = 0; i <= k; i++) {
            fx += cosine[i] * x[k - i] + sine[i] * y[k - i];
            fy += cosine[i] * y[k - i] - sine[i] * x[k - i];
        }
        out[0][k] += fx;
        out[1][k] += fy;
        out[2][k] += at->x * fy - at->y * fx;
    }
}

static bool add_load(const ss_slide* s, const ss_load* load, double t, const double cosine[LONG],
                     const double sine[LONG], double out[3][ORDER + 1])
{
    const double one[LONG] = {1.0}, none[LONG] = {0.0};
    double x[LONG], y[LONG], moment[LONG], force = s->slider->unit_force;
    if (!series_of(s, load->force_x, t, force, x) || !series_of(s, load->force_y, t, force, y) ||
        !series_of(s, load->moment, t, s->slider->unit_moment, moment))
        return false;
    add_turned(x, y, load->in_body ? one : cosine, load->in_body ? none : sine, load, out);
    for (int k = 0; k <= ORDER; k++) out[2][k] += moment[k];
    return true;
}

// Centrifugal and Euler forces on a body at rest over the floor.
static void add_turning(const ss_slide* s, const ss_place* at, const double spin[LONG],
                        double out[3][ORDER + 1])
{
    double c = cos(at->angle), n = sin(at->angle), rx = c * at->x + n * at->y, ry = c * at->y - n * at->x;
    if (!s->slider->motion.turns) return;
    for (int k = 0; k <= ORDER; k++) {
        double square = 0.0, rise = (k + 1) * spin[k + 1];
        for (int i = 0; i <= k; i++) square += spin[i] * spin[k - i];
        out[0][k] += square * rx + rise * ry;
        out[1][k] += square * ry - rise * rx;
        out[2][k] -= rise;
    }
}

bool ss_slide_push_series(const ss_slide* s, const ss_place* at, double out[3][ORDER + 1])
{
    static const ss_load center = {.in_body = false};
    const ss_floor_motion* floor = &s->slider->motion;
    double spin[LONG], cosine[LONG], sine[LONG], a[2][LONG], angle = at->angle, pull[LONG] = {1.0};
    const ss_signal* gravity = s->slider->varying.gravity;
    memset(out, 0, 3 * sizeof out[0]);
    if (!speed_of(s, floor->spin, floor->angle, at->t, 1.0, spin)) return false;
    if (floor->turns) angle += ss_floor_pose_at(s, at->t).angle;
    circle(angle, spin, cosine, sine);
    if (gravity && !series_of(s, gravity, at->t, s->slider->gravity, pull)) return false;
    for (int i = 0; i < 2; i++) {
        if (!speed_of(s, floor->speed[i], floor->place[i], at->t, s->slider->unit_length, a[i])) return false;
        differentiate(a[i]);
        for (int k = 0; k < LONG; k++) a[i][k] = floor->weight[i] * pull[k] - a[i][k];
    }
    add_turned(a[0], a[1], cosine, sine, &center, out);
    for (int i = 0; i < s->slider->load_count; i++)
        if (!add_load(s, &s->slider->loads[i], at->t, cosine, sine, out)) return false;
    add_turning(s, at, spin, out);
    return true;
}
