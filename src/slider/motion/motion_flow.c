// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Flow in one mode, step by step, on the clock that the contact nearest to a stop needs.
#include "slider/motion/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The slipping spot that would stop first if it were braked with full strength, and when; -1 if there is
// none.
static int nearest_stop(const ss_slide* s, const double u[3], double strength, double* when)
{
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < s->slip_count; i++) {
        double x = s->slip_x[i], y = s->slip_y[i], vx = u[0] - u[2] * y, vy = u[1] + u[2] * x;
        double square = (vx * vx + vy * vy) / (1.0 + x * x + y * y);
        if (square < least) {
            least = square;
            nearest = s->slip_spot[i];
        }
    }
    for (int i = 0; i < s->odd_count; i++) {
        const ss_spot* spot = &s->spots[s->odd[i]];
        double z[2];
        ss_spot_velocity(spot, u, z);
        double square = (z[0] * z[0] + z[1] * z[1]) / (1.0 + spot->x * spot->x + spot->y * spot->y);
        if (square < least) {
            least = square;
            nearest = s->odd[i];
        }
    }
    *when = sqrt(least) / strength;
    return nearest;
}

static void refer_to(ss_slide* s, ss_clock clock, int spot)
{
    ss_segment* g = &s->segment;
    g->clock = clock;
    g->reference = spot;
    g->cx = spot < 0 ? 0.0 : s->spots[spot].x;
    g->cy = spot < 0 ? 0.0 : s->spots[spot].y;
}

// Chooses clock and reference for a step that would last step_time: the clock of a spot or of the whole body
// where that may stop within a few such steps.
static void choose_clock(ss_slide* s)
{
    static const double soon = 6.0;
    const double* u = s->now.u;
    double applied[3] = {0.0, 0.0, 0.0}, when, speed = ss_norm3(u);
    if (s->loaded) ss_slide_applied(s, s->now.t, s->now.angle, applied);
    double strength = s->strength + ss_norm3(applied) + fabs(u[2]) * speed; // no acceleration is larger
    int spot = nearest_stop(s, u, strength, &when);
    refer_to(s, SS_CLOCK_TIME, -1);
    bool near = s->slaved || when < soon * s->step_time;
    if (spot >= 0 && near && when < 0.3 * speed / strength)
        refer_to(s, SS_CLOCK_SPOT, spot);
    else if (speed < soon * s->step_time * strength)
        refer_to(s, SS_CLOCK_BODY, -1);
}

static void begin_step(ss_slide* s)
{
    ss_segment* g = &s->segment;
    const double* u = s->now.u;
    memset(g->begin, 0, sizeof g->begin);
    g->begin[SS_Y_ZX] = u[0] - u[2] * g->cy;
    g->begin[SS_Y_ZY] = u[1] + u[2] * g->cx;
    if (g->reference >= 0 && s->reference_known == g->reference) // kept apart: its digits are its own
        memcpy(g->begin, s->reference_z, sizeof s->reference_z);
    g->begin[SS_Y_SPIN] = u[2];
    g->t0 = s->now.t;
    ss_slide_rate(s, g->begin, 0, s->k[0]);
    memcpy(g->rate, s->k[0], sizeof g->rate);
}

// One over the error allowed per component. Velocities: the tolerance times the largest speed of the motion,
// but never so much that the direction of what is about to stop would be lost.
static void error_scale(const ss_slide* s, double h, double scale[])
{
    const ss_segment* g = &s->segment;
    double tolerance = fmax(s->def.tolerance, 4.0 * DBL_EPSILON), speed = ss_norm3(s->now.u);
    double small = g->clock == SS_CLOCK_SPOT ? hypot(g->begin[0], g->begin[1]) : speed;
    double lax = tolerance * fmax(s->speed_scale, speed);
    double z = fmax(tolerance * small, fmin(lax, 1e-5 * small));
    double w = fmax(tolerance * speed, fmin(lax, 1e-5 * speed));
    double top = fmax(s->speed_scale, speed), time = h * ss_slide_clock(g, g->begin, s->now.u);
    double whole =
        fmax(s->now.t - s->since + time, top / s->total_level); // about as long as the motion lasts
    double moved = tolerance * fmax(s->path + speed * time, 0.5 * top * whole), spent = tolerance * whole;
    double work = tolerance * (s->speed_scale * s->speed_scale + speed * speed);
    scale[SS_Y_ZX] = scale[SS_Y_ZY] = 1.0 / z;
    scale[SS_Y_SPIN] = 1.0 / w;
    scale[SS_Y_ANGLE] = scale[SS_Y_DX] = scale[SS_Y_DY] = 1.0 / moved;
    scale[SS_Y_TIME] = 1.0 / spent;
    scale[SS_Y_FRICTION] = scale[SS_Y_INPUT] = 1.0 / work;
}

static void try_steps(ss_slide* s, double y[])
{
    enum { TRIES = 60 };
    ss_segment* g = &s->segment;
    double c = ss_slide_clock(g, g->begin, s->now.u);
    double h = fmin(s->step_time, ss_slide_turn_limit(s)) / c, grow = 6.0, scale[SS_SLIDE_STATE];
    if (s->loaded && !s->limit_flow) h = fmin(h, (ss_slide_next_break(s, s->now.t, h * c) - s->now.t) / c);
    for (int i = 0; i < TRIES; i++) {
        error_scale(s, h, scale);
        ss_rk_step(ss_slide_rate, s, g->begin, h, s->live, s->k, y);
        double error = ss_rk_error(h, s->k, scale);
        double factor = error > 0.0 ? 0.9 / sqrt(sqrt(sqrt(error))) : grow;
        if (error <= 1.0) {
            double u[3];
            ss_slide_velocity(g, y, u);
            s->step_time = h * fmin(grow, fmax(factor, 0.3)) * ss_slide_clock(g, y, u);
            break;
        }
        h *= factor > 0.1 ? fmin(factor, 0.8) : 0.1; // NaN shortens, too
        grow = 1.0;
    }
    g->length = h;
}

// A step from now on, with y as its end; false where a tail is left instead.
static bool take_step(ss_slide* s, double y[])
{
    if (s->stiff)
        refer_to(s, SS_CLOCK_TIME, s->stiff_spot);
    else
        choose_clock(s);
    begin_step(s);
    if (ss_slide_find_tail(s)) return false;
    if (!s->straight) ss_slide_watch_stability(s);
    bool implicit = s->stiff && ss_slide_stiff_step(s, y);
    if (!implicit && s->slaved) implicit = ss_slide_slaved_step(s, y);
    if (!implicit && s->slaved) ss_slide_leave_slaved(s);
    if (!implicit) try_steps(s, y);
    return true;
}

// Whether something other than rounding pushed a body off its straight way during the step.
static bool is_pushed_off(const ss_slide* s)
{
    double applied[3] = {0.0, 0.0, 0.0};
    if (s->loaded) ss_slide_applied(s, s->now.t, s->now.angle, applied);
    return s->strays > 64.0 * DBL_EPSILON * (s->strength + ss_norm3(applied));
}

static void make_step(ss_slide* s)
{
    double y[SS_SLIDE_STATE];
    s->segment.phase = SS_PHASE_STEP;
    s->segment.ending = SS_END_NONE;
    s->segment.stiff_length = 0.0;
    s->steps++;
    s->straight = ss_slide_is_straight(s);
    if (s->stiff && s->stiff_last > 0.0) s->stiff = ss_slide_stays_stiff(s);
    s->stiff = s->stiff && !s->straight; // along a straight way no direction is drawn
    s->slaved = s->slaved && !s->straight;
    if (s->slaved) ss_slide_keep_slaved(s);
    if (!take_step(s, y)) return;
    if (s->straight && is_pushed_off(s)) {
        s->straight = false;
        if (!take_step(s, y)) return;
    }
    bool implicit = s->segment.stiff_length > 0.0;
    double whole = s->segment.length;
    ss_slide_watch(s, y);
    memcpy(s->segment.end, y, sizeof y);
    s->last_explicit = implicit || s->segment.length != whole ? 0.0 : y[SS_Y_TIME];
    memcpy(s->last_u, s->seen_u[SS_RK_STAGES - 1], sizeof s->last_u);
    memcpy(s->last_a, s->seen_a[SS_RK_STAGES - 1], sizeof s->last_a);
    s->segment.t1 = s->now.t + y[SS_Y_TIME];
}

static void make_jump(ss_slide* s)
{
    s->segment.phase = SS_PHASE_JUMP;
    s->segment.ending = SS_END_NONE;
    s->segment.t0 = s->now.t;
    s->segment.t1 = s->jump.t;
    s->has_jump = false;
}

void ss_slide_make_segment(ss_slide* s)
{
    s->has_segment = true;
    if (s->has_jump)
        make_jump(s);
    else if (s->dof == 0)
        ss_slide_make_rest(s);
    else if (!ss_slide_make_arc(s))
        make_step(s);
}

void ss_slide_finish_step(ss_slide* s)
{
    const ss_segment* g = &s->segment;
    ss_place at;
    ss_slide_place(s, g->end, &at);
    s->path += ss_norm3(s->now.u) * g->end[SS_Y_TIME];
    s->now = at;
    s->reference_known = g->reference;
    s->reference_z[0] = g->end[SS_Y_ZX];
    s->reference_z[1] = g->end[SS_Y_ZY];
    if (s->dof < 3) { // nothing creeps, not even by rounding
        ss_slide_project(s, at.u, s->now.u);
        double spin = s->now.u[2] - at.u[2];
        s->reference_z[0] += s->now.u[0] - at.u[0] - spin * g->cy;
        s->reference_z[1] += s->now.u[1] - at.u[1] + spin * g->cx;
    }
    s->speed_scale = fmax(s->speed_scale, ss_norm3(s->now.u));
}
