// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What pushes the body besides its supports, as seen from the floor, and when that is not smooth: at the
// points of tables, and where the arguments of abs, min and max change sign. Steps end there.
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "slider/motion/floor_motion.h"
#include "slider/motion/signal_window.h"

#include <math.h>
#include <string.h>

static double value_of(const ss_signal* signal, double t_s)
{
    return signal ? ss_signal_value(signal, t_s) : 0.0;
}

// A vector of space in a frame that is turned by an angle.
static void add_turned(const double v[2], double angle, double out[3])
{
    if (v[0] == 0.0 && v[1] == 0.0) return;
    double c = cos(angle), n = sin(angle);
    out[0] += c * v[0] + n * v[1];
    out[1] += c * v[1] - n * v[0];
}

// Force and moment of one load; angle: of the body's frame in space.
static void add_load(const ss_slider* slider, const ss_load* load, double t_s, double angle, double out[3])
{
    const double force[2] = {value_of(load->force_x, t_s) / slider->unit_force,
                             value_of(load->force_y, t_s) / slider->unit_force};
    double own[3] = {force[0], force[1], 0.0};
    if (!load->in_body) {
        own[0] = own[1] = 0.0;
        add_turned(force, angle, own);
    }
    out[0] += own[0];
    out[1] += own[1];
    out[2] += value_of(load->moment, t_s) / slider->unit_moment + load->x * own[1] - load->y * own[0];
}

// The loads and the weight on an inclined floor.
static void add_real(const ss_slide* s, double t, double angle, double out[3])
{
    const ss_slider* slider = s->slider;
    for (int i = 0; i < slider->load_count; i++)
        add_load(slider, &slider->loads[i], t * slider->unit_time, angle, out);
    double pull = ss_slide_pull(s, t);
    const double weight[2] = {pull * slider->motion.weight[0], pull * slider->motion.weight[1]};
    add_turned(weight, angle, out);
}

// How the floor moves at time t, on the piece of its signals on which the present step lies.
static void floor_rates(const ss_slide* s, double t, ss_floor_rates* out)
{
    double from = s->step.limit_flow ? t : s->course.now.t, to = s->inputs.break_at;
    if (s->step.limit_flow || !(to > from + SS_NOISE * (1.0 + from))) to = INFINITY;
    ss_floor_rates_at(s, t, from, to, out);
}

void ss_slide_pushes(const ss_slide* s, const ss_place* at, ss_pushes* out)
{
    const ss_floor_motion* floor = &s->slider->motion;
    ss_place there = *at;
    if (s->step.limit_flow) { // the moment and the place of the stop
        there.t = s->course.start.t;
        there.x = s->course.start.x;
        there.y = s->course.start.y;
    }
    double angle = at->angle;
    memset(out, 0, sizeof *out);
    if (floor->turns && (s->slider->load_count > 0 || floor->weight[0] != 0.0 || floor->weight[1] != 0.0))
        angle += ss_floor_pose_at(s, there.t).angle;
    add_real(s, there.t, angle, out->real);
    memcpy(out->seen, out->real, sizeof out->seen);
    if (!floor->moves) return;
    ss_floor_rates rates;
    floor_rates(s, there.t, &rates);
    if (!s->slider->quasistatic) ss_floor_add_inertia(s, &there, &rates, out->seen);
    ss_floor_velocity(s, &there, &rates, out->floor);
}

void ss_slide_applied(const ss_slide* s, const ss_place* at, double load[3])
{
    ss_pushes pushes;
    ss_slide_pushes(s, at, &pushes);
    memcpy(load, pushes.seen, sizeof pushes.seen);
}

double ss_slide_input_power(const ss_pushes* pushes, const double u[3], const double ground[3])
{
    double power = ss_dot3(pushes->real, u);
    for (int i = 0; i < 3; i++) power += (pushes->real[i] - ground[i]) * pushes->floor[i];
    return power;
}

double ss_slide_kinetic(const ss_slide* s, const ss_place* at)
{
    double w[3] = {at->u[0], at->u[1], at->u[2]};
    if (s->slider->quasistatic) return 0.0;
    if (s->slider->motion.moves) {
        ss_floor_rates rates;
        double under[3];
        floor_rates(s, at->t, &rates);
        ss_floor_velocity(s, at, &rates, under);
        for (int i = 0; i < 3; i++) w[i] += under[i];
    }
    return 0.5 * ss_dot3(w, w);
}

// ---- where that is not smooth

size_t ss_slide_kink_room(const ss_slider* slider)
{
    size_t most = 0;
    for (int i = 0; i < slider->varying.signal_count; i++) {
        size_t own = ss_window_kink_room(slider->varying.signals[i]);
        if (own > most) most = own;
    }
    return most;
}

double ss_slide_next_break(ss_slide* s, double t, double within)
{
    double unit = s->slider->unit_time, past = SS_NOISE * (1.0 + t); // one so near has been reached
    ss_slide_inputs* in = &s->inputs;
    if (t >= in->break_from && t + within <= in->break_to && in->break_at > t + past) return in->break_at;
    in->break_from = t;
    in->break_to = t + 2.0 * within;
    in->break_at = INFINITY;
    for (int i = 0; i < s->slider->varying.signal_count; i++) {
        const ss_signal* signal = s->slider->varying.signals[i];
        double from = (t + past) * unit, until = in->break_to * unit;
        double kink = ss_window_kink(signal, from, until, in->scratch, in->kink_series);
        in->break_at = fmin(in->break_at, fmin(ss_signal_next_breakpoint(signal, from), kink) / unit);
    }
    return in->break_at;
}
