// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What may happen within a step: a line stops, a ratchet begins or ends to roll, a hold breaks, an input
// kinks, the body is too far away. Stages of the step tell whether, steps of full order from its beginning
// tell when.
#include "core/tolerance.h"
#include "slider/motion/motion_press.h"

#include <float.h>
#include <math.h>
#include <string.h>

void ss_slide_partial(ss_slide* s, double h, double y[])
{
    if (s->step.segment.stiff_length > 0.0) {
        ss_slide_stiff_partial(s, h, y);
        return;
    }
    memcpy(s->step.k[0], s->step.segment.rate, sizeof s->step.k[0]);
    ss_rk_step(ss_slide_rate, s, s->step.segment.begin, h, s->made.live, s->step.k, y);
}

void ss_slide_place(const ss_slide* s, const double y[], ss_place* out)
{
    const ss_place* now = &s->course.now;
    ss_slide_velocity(&s->step.segment, y, out->u);
    out->t = now->t + y[SS_Y_TIME];
    out->angle = now->angle;
    out->spun = now->spun;
    ss_slide_turn(s, y[SS_Y_ANGLE], out);
    double c = cos(out->angle), n = sin(out->angle);
    out->x = now->x + c * y[SS_Y_DX] - n * y[SS_Y_DY];
    out->y = now->y + n * y[SS_Y_DX] + c * y[SS_Y_DY];
    out->friction = now->friction + y[SS_Y_FRICTION];
    out->input = now->input + y[SS_Y_INPUT];
    out->impact = now->impact;
    if (s->slider->quasistatic) ss_quasi_velocity(s, out);
}

typedef enum watch_kind { WATCH_LINE, WATCH_ROLL, WATCH_HOLD, WATCH_TIME, WATCH_ESCAPE } watch_kind;
typedef struct watch {
    watch_kind kind;
    int which;   // line or ratchet
    double time; // since the step began
} watch;

static double line_speed(const ss_slide* s, int line, const double u[3])
{
    double row[3];
    ss_line_row(s, line, row);
    return s->mode.line_mode[line] * (row[0] * u[0] + row[1] * u[1] + row[2] * u[2]);
}

// Positive while a ratchet that moves rolls, or stays locked. What is only rounding does not count: no load
// jumps where that changes.
static double roll_speed(const ss_slide* s, int ratchet, double angle, const double u[3])
{
    double speed = ss_ratchet_roll_speed(s, ratchet, angle, u);
    double rounding = SS_NOISE * s->made.strength * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    return (s->mode.spot_off[s->made.ratchets[ratchet].spot] ? speed : -speed) + rounding;
}

static double distance(const ss_slide* s, const ss_place* at)
{
    double from[2], to[2], angle;
    ss_floor_to_space(s, &s->course.start, from, &angle);
    ss_floor_to_space(s, at, to, &angle);
    return hypot(to[0] - from[0], to[1] - from[1]);
}

// Positive before what is watched, negative after it.
static double watch_value(ss_slide* s, const watch* w, const double y[])
{
    ss_place at;
    double a[3];
    if (w->kind == WATCH_TIME) return w->time - y[SS_Y_TIME];
    ss_slide_place(s, y, &at);
    switch (w->kind) {
    case WATCH_LINE: return line_speed(s, w->which, at.u);
    case WATCH_ROLL: return roll_speed(s, w->which, at.angle, at.u);
    case WATCH_ESCAPE: return s->def.escape / s->slider->unit_length - distance(s, &at);
    default: break;
    }
    ss_slide_free_acceleration(s, &at, a);
    return ss_slide_hold_margin(s, at.angle, a) + s->step.hold_slack;
}

// The length at which a watched value that is positive at `low` and not at `high` passes zero; the state
// there in y. Illinois' variant of false position, on steps of full order from the beginning.
static double locate(ss_slide* s, const watch* w, double low, double at_low, double high, double at_high,
                     double y[])
{
    enum { ROUNDS = 60 };
    double h = high;
    int side = 0;
    for (int i = 0; i < ROUNDS && high - low > 2.0 * DBL_EPSILON * high; i++) {
        h = at_low > 0.0 && at_low < INFINITY ? low + (high - low) * at_low / (at_low - at_high)
                                              : 0.5 * (low + high);
        if (!(h > low && h < high)) h = 0.5 * (low + high);
        ss_slide_partial(s, h, y);
        double value = watch_value(s, w, y);
        if (value == 0.0) return h;
        if (value > 0.0) {
            low = h;
            at_low = value;
            if (side > 0) at_high *= 0.5;
            side = 1;
        } else {
            high = h;
            at_high = value;
            if (side < 0) at_low *= 0.5;
            side = -1;
        }
    }
    ss_slide_partial(s, high, y);
    return high;
}

// A share of the step before which the watched value is still positive and after which it is not, as the
// stages saw it; false if no stage saw that.
static bool bracket(const double value[], double* low, double* high)
{
    double before = 0.0;
    for (int i = 1; i < SS_RK_STAGES; i++) {
        int stage = ss_rk_by_time[i];
        if (value[stage] < 0.0) {
            *low = before;
            *high = ss_rk_nodes[stage];
            return true;
        }
        before = ss_rk_nodes[stage];
    }
    return false;
}

// Shortens the step to where the watched value passes zero, if it does.
static bool shorten(ss_slide* s, const watch* w, const double value[], double y[])
{
    double low = 0.0, high = 1.0, end[SS_SLIDE_STATE], at_low = INFINITY;
    double h = s->step.segment.length, at_end = watch_value(s, w, y);
    bool seen = value && bracket(value, &low, &high);
    if (!(seen && high < 1.0) && at_end > 0.0) return false;
    if (high < 1.0) { // stages are rough: a step of full order tells
        ss_slide_partial(s, high * h, end);
        double at_high = watch_value(s, w, end);
        if (at_high >= 0.0 && at_end > 0.0) {
            ss_slide_partial(s, h, y); // what the stages saw belongs to the whole step again
            return false;
        }
        if (at_high >= 0.0) {
            low = high;
            at_low = at_high;
            high = 1.0;
        } else {
            at_end = at_high;
        }
    }
    if (at_low == INFINITY && low > 0.0) {
        ss_slide_partial(s, low * h, end);
        at_low = watch_value(s, w, end);
        if (at_low <= 0.0) low = 0.0, at_low = INFINITY;
    }
    s->step.segment.length = locate(s, w, low * h, at_low, high * h, at_end, y);
    return true;
}

// A speed that is positive when the step begins, as its stages saw it.
static void watch_speed(ss_slide* s, const watch* w, double value[], ss_ending ending, double y[])
{
    double most = 0.0, low, high;
    for (int i = 0; i < SS_RK_STAGES; i++) most = fmax(most, fabs(value[i]));
    for (int i = 0; i < SS_RK_STAGES; i++) value[i] += 1e-7 * most; // stages are rough
    if (!bracket(value, &low, &high) && watch_value(s, w, y) > 0.0) return;
    if (!shorten(s, w, value, y)) return;
    s->step.segment.ending = ending;
    s->step.segment.which = w->which;
}

static void watch_lines(ss_slide* s, double y[])
{
    double value[SS_RK_STAGES];
    for (int j = 0; j < s->made.line_count; j++) {
        if (s->mode.line_held[j] || s->mode.line_mode[j] == 0) continue;
        for (int i = 0; i < SS_RK_STAGES; i++) value[i] = line_speed(s, j, s->step.seen_u[i]);
        watch_speed(s, &(watch){.kind = WATCH_LINE, .which = j}, value, SS_END_LINE, y);
    }
    for (int r = 0; r < s->made.ratchet_count; r++) {
        if (s->mode.spot_held[s->made.ratchets[r].spot]) continue;
        for (int i = 0; i < SS_RK_STAGES; i++)
            value[i] = roll_speed(s, r, s->step.seen_angle[i], s->step.seen_u[i]);
        watch_speed(s, &(watch){.kind = WATCH_ROLL, .which = r}, value, SS_END_ROLL, y);
    }
}

static void watch_hold(ss_slide* s, double y[])
{
    if (s->mode.dof == 3) return;
    double value[SS_RK_STAGES];
    for (int i = 0; i < SS_RK_STAGES; i++)
        value[i] = ss_slide_hold_margin(s, s->step.seen_angle[i], s->step.seen_a[i]) + s->step.hold_slack;
    watch w = {.kind = WATCH_HOLD};
    if (!shorten(s, &w, value, y)) return;
    s->step.segment.ending = SS_END_HOLD;
}

static void watch_rest_of_world(ss_slide* s, double y[])
{
    bool breaks = s->made.pushed && !s->step.limit_flow;
    double end = breaks ? ss_slide_next_break(s, s->course.now.t, y[SS_Y_TIME]) - s->course.now.t : INFINITY;
    if (end < y[SS_Y_TIME]) {
        watch w = {.kind = WATCH_TIME, .time = end};
        double jump[3];
        shorten(s, &w, NULL, y);
        // What holds may not any more.
        bool holds = (s->slider->motion.moves && s->mode.dof < 3) || s->fingers.closed > 0;
        if (holds || ss_floor_jumps(s, &s->course.now, s->course.now.t + end, jump))
            s->step.segment.ending = SS_END_FLOOR;
    }
    if (isinf(s->def.escape)) return;
    watch w = {.kind = WATCH_ESCAPE};
    if (shorten(s, &w, NULL, y)) s->step.segment.ending = SS_END_ESCAPE;
}

void ss_slide_watch(ss_slide* s, double y[])
{
    watch_rest_of_world(s, y);
    watch_lines(s, y);
    watch_hold(s, y);
    if (s->slider->pusher_count > 0 && !s->step.limit_flow) ss_press_watch(s, y);
}

void ss_slide_look_step(ss_slide* s, double t, ss_place* out)
{
    const ss_segment* g = &s->step.segment;
    double y[SS_SLIDE_STATE], h = t - g->t0;
    if (g->clock != SS_CLOCK_TIME && t > g->t1) { // a moment beyond: where a hold broke
        double u[3];
        ss_slide_velocity(g, g->end, u);
        ss_slide_partial(s, g->length + (t - g->t1) / ss_slide_clock(g, g->end, u), y);
        ss_slide_place(s, y, out);
        return;
    }
    if (g->clock != SS_CLOCK_TIME) {
        watch w = {.kind = WATCH_TIME, .time = h};
        locate(s, &w, 0.0, h, g->length, h - g->end[SS_Y_TIME], y);
    } else {
        ss_slide_partial(s, h, y);
    }
    ss_slide_place(s, y, out);
    out->t = t;
}
