// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long a body stays at rest: while the applied load is inside the limit surface. A load that is
// constant from now on, or a constant with harmonics in a box that is inside, is borne for ever; any other is
// followed in steps too short for it to reach the surface, as far as its derivatives tell.
#include "slider/motion/motion.h"

#include "core/expression/series.h"
#include "core/tolerance.h"
#include "slider/surface/surface_load.h"

#include <math.h>

enum { HARMONICS = 32, ORDER = 8 };

static void signals_of(const ss_slide* s, const ss_signal* signals[3])
{
    signals[0] = s->slider->force_x;
    signals[1] = s->slider->force_y;
    signals[2] = s->slider->moment;
}

double ss_slide_rest_margin(const ss_slide* s, double t)
{
    double load[3];
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_slide_applied(s, t, s->course.now.angle, load);
    if (load[0] == 0.0 && load[1] == 0.0 && load[2] == 0.0) return 1.0;
    return 1.0 - ss_surface_gauge(s->slider, &floor, load, NULL);
}

// Whether the load is inside for all times from t on: every corner of the box its signals stay in is.
static bool is_borne_for_ever(const ss_slide* s, double t)
{
    const ss_signal* signals[3];
    const double unit[3] = {s->slider->unit_force, s->slider->unit_force, s->slider->unit_moment};
    double middle[3] = {0}, half[3] = {0};
    signals_of(s, signals);
    for (int i = 0; i < 3; i++) {
        ss_harmonic harmonics[HARMONICS];
        if (!signals[i]) continue;
        int count =
            ss_signal_spectrum(signals[i], t * s->slider->unit_time, &middle[i], harmonics, HARMONICS);
        if (count < 0) return false;
        for (int k = 0; k < count; k++) half[i] += hypot(harmonics[k].sine, harmonics[k].cosine);
        middle[i] /= unit[i];
        half[i] /= unit[i];
    }
    bool turns = s->slider->applied_in_body;
    double c = turns ? 1.0 : cos(s->course.now.angle), n = turns ? 0.0 : sin(s->course.now.angle);
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    bool constant = half[0] == 0.0 && half[1] == 0.0 && half[2] == 0.0;
    for (int corner = 0; corner < 8 && !constant; corner++) {
        double x = middle[0] + (corner & 1 ? half[0] : -half[0]),
               y = middle[1] + (corner & 2 ? half[1] : -half[1]);
        double load[3] = {c * x + n * y, c * y - n * x, middle[2] + (corner & 4 ? half[2] : -half[2])};
        if (!(ss_surface_gauge(s->slider, &floor, load, NULL) <= 1.0)) return false;
    }
    return true; // a constant load was found to be borne when the body stopped
}

// How far a unit of each signal reaches by the limit surface, whichever sign it has: a sum of loads reaches
// no farther than they do one after the other.
static void reaches(const ss_slide* s, double reach[3])
{
    const ss_signal* signals[3];
    bool turns = s->slider->applied_in_body;
    double c = turns ? 1.0 : cos(s->course.now.angle), n = turns ? 0.0 : sin(s->course.now.angle);
    const double unit[3][3] = {{c, -n, 0.0}, {n, c, 0.0}, {0.0, 0.0, 1.0}};
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    signals_of(s, signals);
    for (int i = 0; i < 3; i++) {
        const double back[3] = {-unit[i][0], -unit[i][1], -unit[i][2]};
        reach[i] = signals[i] ? fmax(ss_surface_gauge(s->slider, &floor, unit[i], NULL),
                                     ss_surface_gauge(s->slider, &floor, back, NULL))
                              : 0.0;
    }
}

// How fast the margin falls at most between t and t + h, as the Taylor series of the load tell; infinite
// where there are none.
static double pace(const ss_slide* s, const double reach[3], double t, double h)
{
    const ss_signal* signals[3];
    double sum = 0.0, unit = s->slider->unit_time;
    signals_of(s, signals);
    for (int i = 0; i < 3; i++) {
        double c[ORDER + 1], power = 1.0, own = 0.0;
        if (!signals[i]) continue;
        if (!ss_signal_series(signals[i], t * unit, ORDER, c, NULL, s->inputs.scratch)) return INFINITY;
        for (int k = 1; k <= ORDER; k++, power *= h * unit) own += k * fabs(c[k]) * power;
        if (own > 0.0)
            sum += reach[i] * own * unit / (i < 2 ? s->slider->unit_force : s->slider->unit_moment);
    }
    return sum;
}

// Where the margin falls below `slack` between `low` and `high`: Illinois' variant of false position, for
// each margin is a search of its own; halving where that is slow.
static double find_release(const ss_slide* s, double low, double high, double slack, double at_low,
                           double at_high)
{
    int side = 0;
    at_low -= slack;
    at_high -= slack;
    for (int i = 0; i < 100 && high - low > 4.0 * SS_LAST_BIT * high; i++) {
        double middle = i % 4 < 3 ? low + (high - low) * at_low / (at_low - at_high) : 0.5 * (low + high);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        double value = ss_slide_rest_margin(s, middle) - slack;
        if (value > 0.0) {
            low = middle;
            at_low = value;
            if (side > 0) at_high *= 0.5;
            side = 1;
        } else {
            high = middle;
            at_high = value;
            if (side < 0) at_low *= 0.5;
            side = -1;
        }
    }
    return high;
}

// The longest step worth looking at.
static double longest_step(const ss_slide* s)
{
    const ss_signal* signals[3];
    double rate = 0.0, one;
    signals_of(s, signals);
    for (int i = 0; i < 3; i++)
        if (signals[i] && ss_signal_rate(signals[i], &one)) rate = fmax(rate, one * s->slider->unit_time);
    return rate > 0.0 ? 0.25 / rate : 0.25;
}

// Follows the load from now on for a while: to where it leaves the limit surface, or not.
static void watch_load(ss_slide* s)
{
    enum { STEPS = 256, FINEST = 1024 };
    ss_segment* g = &s->step.segment;
    double t = s->course.now.t, reach[3], most = longest_step(s), margin = ss_slide_rest_margin(s, t);
    reaches(s, reach);
    // The supports were found to hold: what rounding says against that is granted.
    double slack = fmin(2.0 * margin, 0.0);
    for (int k = 0; k < STEPS; k++) {
        double h = fmax(most / FINEST, fmin(most, fmax(margin, 0.0) / pace(s, reach, t, most)));
        double next = fmin(t + h, ss_slide_next_break(s, t, h)), after = ss_slide_rest_margin(s, next);
        if (after < slack) {
            g->t1 = find_release(s, t, next, slack, margin, after);
            g->ending = SS_END_HOLD;
            return;
        }
        t = next;
        margin = after;
    }
    g->t1 = t;
}

void ss_slide_make_rest(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    g->phase = SS_PHASE_REST;
    g->ending = SS_END_NONE;
    g->t0 = s->course.now.t;
    g->t1 = INFINITY;
    if (s->made.loaded && !is_borne_for_ever(s, s->course.now.t)) watch_load(s);
}
