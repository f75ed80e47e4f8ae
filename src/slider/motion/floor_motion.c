// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/motion/floor_motion.h"

#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "share/quantity.h"
#include "slider/motion/signal_window.h"

#include <math.h>
#include <string.h>

// ---- the signals of the floor, in its units

// The k-th derivatives of a signal at time t, k = 0 .. 2, in units of length or angle (unit, SI) and of time.
static void derivatives(const ss_slide* s, const ss_signal* signal, double t, double unit, double out[3])
{
    double c[3] = {0}, time = s->slider->unit_time;
    // Behind the place where a root has come to 0 and stays there it has a series, which is 0.
    ss_clearance clear = {.span = time};
    if (!ss_signal_series_clear(signal, t * time, 2, c, s->inputs.kink_series, &clear, s->inputs.scratch))
        c[0] = c[1] = c[2] = NAN; // the run ends where it is no number any more
    out[0] = c[0] / unit;
    out[1] = c[1] * time / unit;
    out[2] = 2.0 * c[2] * time * time / unit;
}

void ss_motion_rates(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t, double unit,
                     double* v, double* a)
{
    double d[3];
    *v = *a = 0.0;
    if (speed) {
        derivatives(s, speed, t, unit / s->slider->unit_time, d);
        *v = d[0];
        *a = d[1];
    } else if (place) {
        derivatives(s, place, t, unit, d);
        *v = d[1];
        *a = d[2];
    }
}

static bool all_rates(const ss_slide* s, double t, ss_floor_rates* out)
{
    const ss_floor_motion* floor = &s->slider->motion;
    for (int i = 0; i < 2; i++)
        ss_motion_rates(s, floor->speed[i], floor->place[i], t, s->slider->unit_length, &out->v[i],
                        &out->a[i]);
    ss_motion_rates(s, floor->spin, floor->angle, t, 1.0, &out->spin, &out->spin_rate);
    return !isnan(out->v[0] + out->v[1] + out->spin);
}

double ss_motion_inside(double t, double from, double to)
{
    // A signal is asked a little inside the stretch: at its very end it is that of the next piece.
    t = fmax(t, from + SS_NOISE * (1.0 + fabs(from)));
    return fmin(t, to - SS_RELATIVE_ZERO * (1.0 + fabs(to)));
}

void ss_floor_rates_at(const ss_slide* s, double t, double from, double to, ss_floor_rates* out)
{
    t = ss_motion_inside(t, from, to);
    if (all_rates(s, t, out)) return;
    (void)all_rates(s, t - SS_RELATIVE_ZERO * (1.0 + fabs(t)), out); // its domain may end here
}

double ss_motion_way(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t,
                     double base_t, double base)
{
    double unit = s->slider->unit_time;
    if (place) return ss_signal_value(place, t * unit) - ss_signal_value(place, 0.0);
    if (!speed) return 0.0;
    if (ss_signal_is_constant(speed)) return ss_signal_value(speed, 0.0) * t * unit;
    return base +
           ss_window_integral(speed, base_t * unit, t * unit, s->inputs.scratch, s->inputs.kink_series);
}

ss_floor_pose ss_floor_pose_at(const ss_slide* s, double t)
{
    const ss_floor_motion* floor = &s->slider->motion;
    ss_floor_pose base = {0};
    double from = s->course.floor_t <= t ? s->course.floor_t : 0.0, length = s->slider->unit_length;
    if (from > 0.0) base = s->course.floor;
    return (ss_floor_pose){
        ss_motion_way(s, floor->speed[0], floor->place[0], t, from, base.x * length) / length,
        ss_motion_way(s, floor->speed[1], floor->place[1], t, from, base.y * length) / length,
        ss_motion_way(s, floor->spin, floor->angle, t, from, base.angle)};
}

// ---- what a body feels of it

// A vector of space in the frame of the body; the floor's own turning counts.
static void to_frame(const ss_slide* s, const ss_place* at, const double v[2], double out[2])
{
    double angle = at->angle;
    if (s->slider->motion.turns && (v[0] != 0.0 || v[1] != 0.0)) angle += ss_floor_pose_at(s, at->t).angle;
    double c = cos(angle), n = sin(angle);
    out[0] = c * v[0] + n * v[1];
    out[1] = c * v[1] - n * v[0];
}

// The body's place over the floor from its centre, in the frame of the body.
static void place_in_frame(const ss_place* at, double r[2])
{
    double c = cos(at->angle), n = sin(at->angle);
    r[0] = c * at->x + n * at->y;
    r[1] = c * at->y - n * at->x;
}

void ss_floor_velocity(const ss_slide* s, const ss_place* at, const ss_floor_rates* floor, double out[3])
{
    double r[2];
    to_frame(s, at, floor->v, out);
    out[2] = floor->spin;
    if (floor->spin == 0.0) return;
    place_in_frame(at, r);
    out[0] -= floor->spin * r[1];
    out[1] += floor->spin * r[0];
}

void ss_floor_add_inertia(const ss_slide* s, const ss_place* at, const ss_floor_rates* floor, double push[3])
{
    double a[2], r[2], w = floor->spin, turn = s->step.limit_flow ? 0.0 : 2.0 * w;
    if (floor->a[0] != 0.0 || floor->a[1] != 0.0) {
        to_frame(s, at, floor->a, a);
        push[0] -= a[0];
        push[1] -= a[1];
    }
    if (!s->slider->motion.turns) return;
    place_in_frame(at, r);
    push[0] += w * w * r[0] + floor->spin_rate * r[1] + turn * at->u[1];
    push[1] += w * w * r[1] - floor->spin_rate * r[0] - turn * at->u[0];
    push[2] -= floor->spin_rate;
}

void ss_floor_to_space(const ss_slide* s, const ss_place* at, double place[2], double* angle)
{
    const ss_floor_motion* floor = &s->slider->motion;
    ss_floor_pose pose = {0};
    if (floor->moves) pose = ss_floor_pose_at(s, at->t);
    double c = cos(pose.angle), n = sin(pose.angle);
    place[0] = floor->turns ? floor->center[0] + c * at->x - n * at->y : at->x;
    place[1] = floor->turns ? floor->center[1] + n * at->x + c * at->y : at->y;
    place[0] += pose.x;
    place[1] += pose.y;
    *angle = at->angle + pose.angle;
}

// ---- the future, and jumps

static bool keeps(const ss_slide* s, const ss_signal* speed, const ss_signal* place, double t)
{
    double seconds = t * s->slider->unit_time, rate;
    if (speed) return ss_signal_stays(speed, seconds, s->inputs.scratch);
    if (!place || ss_signal_stays(place, seconds, s->inputs.scratch)) return true;
    bool line = ss_signal_is_line(place) && ss_signal_rate(place, &rate) && rate == 0.0;
    return line && isinf(ss_signal_next_breakpoint(place, seconds));
}

bool ss_floor_is_steady(const ss_slide* s, double t)
{
    const ss_floor_motion* floor = &s->slider->motion;
    double after = t + SS_RELATIVE_ZERO * (1.0 + t); // clear of a kink at t
    return keeps(s, floor->speed[0], floor->place[0], after) &&
           keeps(s, floor->speed[1], floor->place[1], after) && keeps(s, floor->spin, floor->angle, after);
}

bool ss_floor_jumps(const ss_slide* s, const ss_place* at, double t, double jump[3])
{
    ss_floor_rates before, after;
    double from[3];
    if (!s->slider->motion.moves) return false;
    ss_place there = *at;
    there.t = t;
    ss_floor_rates_at(s, t, -INFINITY, t, &before);
    ss_floor_rates_at(s, t, t, INFINITY, &after);
    ss_floor_velocity(s, &there, &before, from);
    ss_floor_velocity(s, &there, &after, jump);
    double size = ss_norm3(from) + ss_norm3(jump) + hypot(before.a[0], before.a[1]) +
                  hypot(after.a[0], after.a[1]) + fabs(before.spin_rate) + fabs(after.spin_rate);
    for (int i = 0; i < 3; i++) jump[i] -= from[i];
    return ss_norm3(jump) > SS_CLEAR * size;
}
