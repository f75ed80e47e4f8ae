// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The direction along which a motion comes to rest. The limit of q = u/|u| is where the flow of
// directions ends, dq/ds = -(part of P across q): down the gradient of the power on the unit sphere
// [GRP91, (8), (9)]. It is followed with the very steps of the motion, without convection, and its end is
// read from the limit surface: an eigen-direction that draws.
#include "core/tolerance.h"
#include "slider/motion/slide_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DECADES = 40 }; // by which |u| falls: many more than anybody could measure

static void normalise(double q[3])
{
    double size = sqrt(ss_dot3(q, q));
    for (int i = 0; i < 3; i++) q[i] /= size;
}

// How the power curves on the unit sphere at a direction q: radii of curvature less the brake, over the
// brake, the larger one first, in directions across q; and the acceleration there.
typedef struct bend {
    int count; // of directions the mode leaves across q
    double brake, stiffness[2], across[2][3], acceleration[3];
} bend;

// A radius of curvature that equals the load to this is one along a circle of eigen-directions, or cannot be
// told from it.
static const double neutral = SS_ROOT_NOISE;

static void bend_at(const ss_slide* s, const double q[3], bend* b)
{
    ss_place at = {.t = s->course.start.t, .angle = s->course.now.angle, .u = {q[0], q[1], q[2]}};
    ss_slide_free_acceleration(s, &at, b->acceleration);
    ss_slide_project(s, b->acceleration, b->acceleration);
    b->brake = -ss_dot3(b->acceleration, q);
    b->count = ss_slide_radii(s, q, b->stiffness, b->across);
    for (int i = 0; i < b->count; i++) b->stiffness[i] = (b->stiffness[i] - b->brake) / fabs(b->brake);
}

// One step of Newton's method for an eigen-direction from q, in the plane of the mode across q. Neutral
// directions are left alone. Returns the length of the step.
static double improve(const ss_slide* s, double q[3])
{
    double step[3] = {0.0, 0.0, 0.0};
    bend b;
    bend_at(s, q, &b);
    for (int i = 0; i < b.count; i++) {
        if (fabs(b.stiffness[i]) <= neutral || !isfinite(b.stiffness[i])) continue;
        double length = ss_dot3(b.acceleration, b.across[i]) / (b.stiffness[i] * fabs(b.brake));
        for (int k = 0; k < 3; k++) step[k] += length * b.across[i][k];
    }
    for (int k = 0; k < 3; k++) q[k] += step[k];
    normalise(q);
    return sqrt(ss_dot3(step, step));
}

// Whether eigen-directions go on from q along e: on the great circle, or where e is across the velocity on
// the circle of motions of a body of revolution.
static bool is_circle(const ss_slide* s, const double q[3], const double e[3])
{
    static const double looks[] = {-0.3, -0.02, 0.02, 0.3}, nothing = SS_FAINT;
    bool great = true, turned = fabs(e[2]) < SS_ROOT_NOISE;
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        double c = cos(looks[i]), n = sin(looks[i]);
        double on[2][3] = {{c * q[0] + n * e[0], c * q[1] + n * e[1], c * q[2] + n * e[2]},
                           {c * q[0] - n * q[1], n * q[0] + c * q[1], q[2]}};
        for (int k = 0; k < 2; k++) {
            bend b;
            bend_at(s, on[k], &b);
            double all = ss_dot3(b.acceleration, b.acceleration) - b.brake * b.brake;
            bool stays = sqrt(fmax(all, 0.0)) <= SS_ROOT_NOISE * fabs(b.brake); // a root: half the digits
            for (int j = 0; j < b.count; j++)
                stays = stays && fabs(ss_dot3(b.acceleration, b.across[j])) <= nothing * fabs(b.brake);
            *(k == 0 ? &great : &turned) &= stays;
        }
    }
    return great || turned;
}

// Whether the eigen-direction x draws motions as near to it as q. Both radii exceed the load there, and at q
// clearly or no less than half as much; along a circle of eigen-directions one of them may equal it. Where
// more than that is flat, nothing is known.
static bool draws(const ss_slide* s, const double x[3], const double q[3])
{
    static const double clearly = 0.2;
    bend at, from;
    bend_at(s, x, &at);
    bend_at(s, q, &from);
    if (!(at.brake > 0.0)) return false;
    int last = at.count - 1;
    bool flat = last >= 0 && fabs(at.stiffness[last]) <= neutral;
    if (flat && !is_circle(s, x, at.across[last])) return false;
    for (int i = 0; i < at.count - flat; i++)
        if (!(at.stiffness[i] > neutral && from.stiffness[i] > 0.5 * fmin(at.stiffness[i], clearly)))
            return false;
    return true;
}

// The eigen-direction near q, where Newton's method finds one close by that draws.
static bool snap(const ss_slide* s, double q[3])
{
    enum { ROUNDS = 12 };
    static const double close = 1e-2;
    double x[3] = {q[0], q[1], q[2]}, moved = INFINITY, way = 0.0;
    for (int i = 0; i < ROUNDS && moved > SS_UNIT_NOISE && way < close; i++) {
        moved = improve(s, x);
        way += moved;
    }
    if (!(way < close) || !(moved < SS_CLEAR) || !draws(s, x, q)) return false;
    memcpy(q, x, sizeof x);
    return true;
}

// The state of the motion at unit speed and time 0, for the flow of directions.
static void begin_again(ss_slide* s, const double u[3])
{
    memcpy(s->course.now.u, u, sizeof s->course.now.u);
    normalise(s->course.now.u);
    s->course.now.t = s->step.since = s->step.path = 0.0;
    s->step.speed_scale = 1.0;
    s->step.time = 0.05;
    s->step.reference_known = -1;
    s->step.has_segment = false;
}

// dq/dsigma, sigma = -log |u|: what bends the direction of motion, over the brake.
static void direction_rate(void* user, const double y[], int stage, double dy[])
{
    const ss_slide* s = user;
    ss_place at = {.t = s->course.start.t, .angle = s->course.now.angle, .u = {y[0], y[1], y[2]}};
    double a[3], size2 = ss_dot3(at.u, at.u);
    (void)stage;
    memset(dy, 0, SS_SLIDE_STATE * sizeof *dy);
    ss_slide_free_acceleration(s, &at, a);
    double brake = -ss_dot3(a, at.u) / size2;
    for (int i = 0; i < 3; i++) dy[i] = a[i] / brake + at.u[i];
}

// Follows the flow of directions where nothing can stick meanwhile, with sigma for a clock: its steps are as
// long as the radii of curvature allow, also along a circle where directions hardly creep.
static bool follow_patches(ss_slide* s, double q[3])
{
    enum { STEPS = 1000 };
    double y[SS_SLIDE_STATE] = {q[0], q[1], q[2]}, end[SS_SLIDE_STATE], scale[SS_SLIDE_STATE] = {0};
    double left = DECADES * log(10.0), h = 0.05, (*k)[SS_SLIDE_STATE] = s->step.k;
    for (int i = 0; i < 3; i++) scale[i] = 1.0 / fmax(s->def.tolerance, 4.0 * DBL_EPSILON);
    bool fresh = true;
    for (int n = 0; n < STEPS && left > 0.0; n++) {
        h = fmin(h, left);
        if (fresh) direction_rate(s, y, 0, k[0]);
        ss_rk_step(direction_rate, s, y, h, SS_RK_LIVE, k, end);
        double error = ss_rk_error(h, k, scale);
        fresh = error <= 1.0;
        double factor = error > 0.0 ? 0.9 / sqrt(sqrt(sqrt(error))) : 6.0, now = h;
        h *= fresh ? fmin(6.0, fmax(factor, 0.3)) : factor > 0.1 ? fmin(factor, 0.8) : 0.1;
        if (!fresh) continue;
        left -= now;
        memcpy(y, end, sizeof y);
        normalise(y);
        memcpy(q, y, 3 * sizeof *q);
        if (snap(s, q)) return true;
    }
    return false;
}

// Follows the flow of directions while |u| falls by many decades. Directions that creep even then are told as
// they are.
static bool follow(ss_slide* s, double q[3])
{
    enum { SEGMENTS = 2000 };
    double decades = 0.0;
    if (s->made.spot_count == 0 && s->made.line_count == 0) return follow_patches(s, q);
    begin_again(s, q);
    for (int k = 0; decades < DECADES && k < SEGMENTS; k++) {
        ss_slide_make_segment(s);
        const ss_segment* g = &s->step.segment;
        if (g->ending != SS_END_REST) {
            ss_slide_pass_silently(s);
            continue;
        }
        double speed = sqrt(ss_dot3(s->course.now.u, s->course.now.u));
        memcpy(q, s->course.now.u, 3 * sizeof *q);
        normalise(q);
        if (g->phase == SS_PHASE_ARC && s->mode.dof == 1) return true;
        if (snap(s, q)) return true;
        decades += fmax(-log10(speed), 1.0);
        begin_again(s, q);
    }
    return false;
}

static void set_final(ss_slide* s, const double q[3], bool converged)
{
    ss_final_motion* f = &s->course.final;
    // Components below the rounding of a unit vector are 0.
    for (int i = 0; i < 3; i++) f->q[i] = fabs(q[i]) <= 16.0 * DBL_EPSILON ? 0.0 : q[i];
    f->translates = fabs(q[2]) < SS_RELATIVE_ZERO;
    if (f->translates) f->q[2] = 0.0;
    f->converged = converged;
    s->course.has_final = true;
}

double ss_slide_turn_left(const ss_slide* s)
{
    const ss_segment* g = &s->step.segment;
    return g->phase == SS_PHASE_TAIL ? 0.5 * ss_slide_frame_spin(s, s->course.now.u) * (g->t1 - g->t0) : 0.0;
}

void ss_slide_find_final(ss_slide* s)
{
    double q[3] = {s->course.now.u[0], s->course.now.u[1], s->course.now.u[2]};
    bool converged = true;
    normalise(q);
    // On the way that is left convection turns q, by little that matters.
    double turn = ss_slide_turn_left(s);
    if (s->step.segment.phase == SS_PHASE_TAIL) { // on circles
        double x = q[0] + turn * q[1], y = q[1] - turn * q[0];
        q[0] = x;
        q[1] = y;
        ss_slide_project(s, q, q);
        normalise(q);
    }
    if (s->step.segment.phase != SS_PHASE_ARC || s->mode.dof > 1) {
        ss_slide kept = *s;
        s->step.limit_flow = true;
        s->course.now.angle += turn;
        s->course.start = s->course.now;
        s->def.escape = INFINITY;
        converged =
            snap(s, q) || (s->step.segment.phase != SS_PHASE_ARC && !kept.step.straight && follow(s, q));
        *s = kept;
    }
    set_final(s, q, converged);
}
