// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Flow in one mode, step by step, on the clock that the contact nearest to a stop needs.
#include "slider/motion/motion_press.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The slipping spot that would stop first if it were braked with full strength, and when; -1 if there is
// none.
static int nearest_stop(const ss_slide* s, const double u[3], double strength, double* when)
{
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < s->mode.slip_count; i++) {
        double x = s->mode.slip_x[i], y = s->mode.slip_y[i], vx = u[0] - u[2] * y, vy = u[1] + u[2] * x;
        double square = (vx * vx + vy * vy) / (1.0 + x * x + y * y);
        if (square < least) {
            least = square;
            nearest = s->mode.slip_spot[i];
        }
    }
    for (int i = 0; i < s->mode.odd_count; i++) {
        const ss_spot* spot = &s->made.spots[s->mode.odd[i]];
        double z[2];
        ss_spot_velocity(spot, u, z);
        double square = (z[0] * z[0] + z[1] * z[1]) / (1.0 + spot->x * spot->x + spot->y * spot->y);
        if (square < least) {
            least = square;
            nearest = s->mode.odd[i];
        }
    }
    *when = sqrt(least) / strength;
    return nearest;
}

static void refer_to(ss_slide* s, ss_clock clock, int spot)
{
    ss_segment* g = &s->step.segment;
    g->clock = clock;
    g->reference = spot;
    g->cx = spot < 0 ? 0.0 : s->made.spots[spot].x;
    g->cy = spot < 0 ? 0.0 : s->made.spots[spot].y;
}

// Whether a body on a straight way gains speed: its friction does not change then, and time is a good clock
// however slow it is.
static bool gains_speed(const ss_slide* s)
{
    double a[3];
    bool alike = s->course.now.u[2] == 0.0 || s->made.spot_count + s->made.line_count == 0;
    if (!s->step.straight || !alike) return false;
    ss_slide_free_acceleration(s, &s->course.now, a);
    ss_slide_project(s, a, a);
    return ss_dot3(a, s->step.along) > 0.0;
}

// Whether it does so all along the step that was tried: elsewhere it may have stopped meanwhile.
static bool keeps_gaining(const ss_slide* s)
{
    double least = ss_norm3(s->course.now.u);
    for (int i = 1; i < SS_RK_STAGES; i++)
        if (ss_dot3(s->step.seen_u[i], s->step.along) < least) return false;
    return true;
}

// Chooses clock and reference for a step that would last step_time: the clock of a spot or of the whole body
// where that may stop within a few such steps.
static void choose_clock(ss_slide* s)
{
    static const double soon = 6.0, hardly = 1e-3;
    const double* u = s->course.now.u;
    double applied[3] = {0.0, 0.0, 0.0}, when, speed = ss_norm3(u);
    s->step.gains = gains_speed(s);
    if (s->step.gains) {
        refer_to(s, SS_CLOCK_TIME, -1);
        return;
    }
    if (s->made.loaded) ss_slide_applied(s, &s->course.now, applied);
    double strength = s->made.strength + ss_norm3(applied) +
                      fabs(ss_slide_frame_spin(s, u)) * speed; // no acceleration is larger
    int spot = nearest_stop(s, u, strength, &when);
    // A spot that hardly slips keeps its own digits, whatever the clock.
    bool slow = spot >= 0 && when * strength < hardly * speed;
    refer_to(s, SS_CLOCK_TIME, slow ? spot : -1);
    bool near = s->slaved.now || when < soon * s->step.time;
    if (spot >= 0 && near && when < 0.3 * speed / strength)
        refer_to(s, SS_CLOCK_SPOT, spot);
    else if (speed < soon * s->step.time * strength)
        refer_to(s, SS_CLOCK_BODY, -1);
}

static void begin_step(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    const double* u = s->course.now.u;
    memset(g->begin, 0, sizeof g->begin);
    g->begin[SS_Y_ZX] = u[0] - u[2] * g->cy;
    g->begin[SS_Y_ZY] = u[1] + u[2] * g->cx;
    if (g->reference >= 0 && s->step.reference_known == g->reference) // kept apart: its digits are its own
        memcpy(g->begin, s->step.reference_z, sizeof s->step.reference_z);
    g->begin[SS_Y_SPIN] = u[2];
    g->t0 = s->course.now.t;
    ss_slide_rate(s, g->begin, 0, s->step.k[0]);
    memcpy(g->rate, s->step.k[0], sizeof g->rate);
}

// What a floor that moves puts in has the size of its own speed, however slowly the body slips over it.
static double carried_work(const ss_slide* s, double tolerance, double lost)
{
    ss_pushes pushes;
    if (!s->slider->motion.moves) return 0.0;
    ss_slide_pushes(s, &s->course.now, &pushes);
    double speed = ss_norm3(pushes.floor);
    return tolerance * speed * speed + lost * speed;
}

// One over the error allowed per component. Velocities: the tolerance times the largest speed of the motion,
// but never so much that the direction of what is about to stop would be lost; and never less than what the
// rounding of the forces makes in this time.
static void error_scale(const ss_slide* s, double h, double scale[])
{
    const ss_segment* g = &s->step.segment;
    double tolerance = fmax(s->def.tolerance, 4.0 * DBL_EPSILON), speed = ss_norm3(s->course.now.u);
    double small = g->reference >= 0 ? hypot(g->begin[0], g->begin[1]) : speed;
    double lax = tolerance * fmax(s->step.speed_scale, speed);
    double top = fmax(s->step.speed_scale, speed), time = h * ss_slide_clock(g, g->begin, s->course.now.u);
    double lost = 8.0 * DBL_EPSILON * s->made.strength * time;
    double z = fmax(fmax(tolerance * small, fmin(lax, 1e-5 * small)), lost);
    double w = fmax(fmax(tolerance * speed, fmin(lax, 1e-5 * speed)), lost);
    // The motion lasts about as long as this.
    double whole = fmax(s->course.now.t - s->step.since + time, top / s->made.total_level);
    double moved = fmax(tolerance * fmax(s->step.path + speed * time, 0.5 * top * whole), lost * time),
           spent = tolerance * whole;
    double work = fmax(tolerance * (s->step.speed_scale * s->step.speed_scale + speed * speed),
                       lost * (speed + s->made.strength * time));
    scale[SS_Y_ZX] = scale[SS_Y_ZY] = 1.0 / z;
    scale[SS_Y_SPIN] = 1.0 / w;
    scale[SS_Y_ANGLE] = scale[SS_Y_DX] = scale[SS_Y_DY] = 1.0 / moved;
    scale[SS_Y_TIME] = 1.0 / spent;
    scale[SS_Y_FRICTION] = 1.0 / work;
    scale[SS_Y_INPUT] = 1.0 / (work + carried_work(s, tolerance, lost));
}

static void try_steps(ss_slide* s, double y[])
{
    enum { TRIES = 60 };
    ss_segment* g = &s->step.segment;
    double c = ss_slide_clock(g, g->begin, s->course.now.u), sure, hoped;
    ss_slide_rim_limit(s, &sure, &hoped);
    s->step.passes_rim = s->step.passes_rim && s->step.time > sure;
    double h = fmin(s->step.time, fmin(ss_slide_turn_limit(s), s->step.passes_rim ? sure : hoped)) / c;
    double grow = 6.0, scale[SS_SLIDE_STATE];
    if (s->slider->pusher_count > 0) h = fmin(h, 1.0 / (s->made.pace * c)); // what fingers do is followed
    if (s->made.pushed && !s->step.limit_flow)
        h = fmin(h, (ss_slide_next_break(s, s->course.now.t, h * c) - s->course.now.t) / c);
    for (int i = 0; i < TRIES; i++) {
        error_scale(s, h, scale);
        ss_rk_step(ss_slide_rate, s, g->begin, h, s->made.live, s->step.k, y);
        double error = ss_rk_error(h, s->step.k, scale);
        double factor = error > 0.0 ? 0.9 / sqrt(sqrt(sqrt(error))) : grow;
        if (error <= 1.0 && s->step.gains && !keeps_gaining(s)) {
            h *= 0.5;
            grow = 1.0;
            continue;
        }
        if (error <= 1.0 && !s->step.passes_rim && y[SS_Y_TIME] > sure) {
            double allowed = ss_slide_rim_verdict(s, y[SS_Y_TIME]);
            s->step.passes_rim = y[SS_Y_TIME] > allowed;
            if (s->step.passes_rim) {
                h = allowed / c;
                grow = 1.0;
                continue;
            }
        }
        if (error <= 1.0) {
            double u[3];
            ss_slide_velocity(g, y, u);
            s->step.time = h * fmin(grow, fmax(factor, 0.3)) * ss_slide_clock(g, y, u);
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
    if (s->stiff.begun)
        refer_to(s, SS_CLOCK_TIME, s->stiff.spot);
    else
        choose_clock(s);
    begin_step(s);
    if (ss_slide_find_tail(s)) return false;
    if (!s->step.straight && s->fingers.closed == 0) ss_slide_watch_stability(s);
    bool implicit = s->stiff.begun && ss_slide_stiff_step(s, y);
    if (!implicit && s->slaved.now) implicit = ss_slide_slaved_step(s, y);
    if (!implicit && s->slaved.now) ss_slide_leave_slaved(s);
    if (!implicit) try_steps(s, y);
    return true;
}

// Whether something other than rounding pushed a body off its straight way during the step.
static bool is_pushed_off(const ss_slide* s)
{
    double applied[3] = {0.0, 0.0, 0.0};
    if (s->made.loaded) ss_slide_applied(s, &s->course.now, applied);
    return s->step.strays > 64.0 * DBL_EPSILON * (s->made.strength + ss_norm3(applied));
}

static void make_step(ss_slide* s)
{
    double y[SS_SLIDE_STATE];
    s->step.segment.phase = SS_PHASE_STEP;
    s->step.segment.ending = SS_END_NONE;
    s->step.segment.stiff_length = 0.0;
    s->course.steps++;
    s->step.straight = ss_slide_is_straight(s);
    if (s->stiff.begun && s->stiff.last > 0.0) s->stiff.begun = ss_slide_stays_stiff(s);
    // Along a straight way the direction is not drawn anywhere.
    s->stiff.begun = s->stiff.begun && !s->step.straight;
    s->slaved.now = s->slaved.now && !s->step.straight;
    s->slaved.now = s->slaved.now && s->fingers.closed == 0; // these steps do not know of fingers
    if (s->slaved.now) ss_slide_keep_slaved(s);
    if (!take_step(s, y)) return;
    if (s->step.straight && is_pushed_off(s)) {
        s->step.straight = false;
        if (!take_step(s, y)) return;
    }
    bool implicit = s->step.segment.stiff_length > 0.0;
    double whole = s->step.segment.length;
    ss_slide_watch(s, y);
    memcpy(s->step.segment.end, y, sizeof y);
    s->slaved.last_explicit = implicit || s->step.segment.length != whole ? 0.0 : y[SS_Y_TIME];
    memcpy(s->slaved.last_u, s->step.seen_u[SS_RK_STAGES - 1], sizeof s->slaved.last_u);
    memcpy(s->slaved.last_a, s->step.seen_a[SS_RK_STAGES - 1], sizeof s->slaved.last_a);
    s->step.segment.t1 = s->course.now.t + y[SS_Y_TIME];
}

static void make_jump(ss_slide* s)
{
    s->step.segment.phase = SS_PHASE_JUMP;
    s->step.segment.ending = SS_END_NONE;
    s->step.segment.t0 = s->course.now.t;
    s->step.segment.t1 = s->step.jump.t;
    s->step.has_jump = false;
}

static void make_rest(ss_slide* s)
{
    ss_slide_make_rest(s);
    if (s->slider->pusher_count > 0) ss_press_watch_rest(s);
}

void ss_slide_make_segment(ss_slide* s)
{
    s->step.has_segment = true;
    if (s->slider->quasistatic)
        ss_quasi_make_segment(s);
    else if (s->step.has_jump)
        make_jump(s);
    else if (s->mode.dof == 0)
        make_rest(s);
    else if (!ss_slide_make_arc(s))
        make_step(s);
}

void ss_slide_finish_step(ss_slide* s)
{
    const ss_segment* g = &s->step.segment;
    ss_place at;
    ss_slide_place(s, g->end, &at);
    s->step.path += ss_norm3(s->course.now.u) * g->end[SS_Y_TIME];
    s->course.now = at;
    if (s->slider->quasistatic) { // its velocity follows from where it is
        if (s->fingers.closed > 0) ss_fingers_tidy(s);
        return;
    }
    s->step.reference_known = g->reference;
    s->step.reference_z[0] = g->end[SS_Y_ZX];
    s->step.reference_z[1] = g->end[SS_Y_ZY];
    if (s->mode.dof < 3) { // held contacts do not creep, not even by rounding
        ss_slide_project(s, at.u, s->course.now.u);
        double spin = s->course.now.u[2] - at.u[2];
        s->step.reference_z[0] += s->course.now.u[0] - at.u[0] - spin * g->cy;
        s->step.reference_z[1] += s->course.now.u[1] - at.u[1] + spin * g->cx;
    }
    s->step.speed_scale = fmax(s->step.speed_scale, ss_norm3(s->course.now.u));
    if (s->fingers.closed > 0) {
        ss_fingers_tidy(s);
        ss_press_tidy(s);
    }
}
