// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The direction along which a motion comes to rest. The limit of q = u/|u| is where the flow of
// directions ends, dq/ds = -(part of P across q): down the gradient of the power on the unit sphere
// [GRP91, (8), (9)]. It is followed with the very steps of the motion, without convection, and its end is
// read from the limit surface: an eigen-direction that draws.
#include "slider/motion/motion.h"

#include <math.h>
#include <string.h>

static void normalise(double q[3])
{
    double size = sqrt(ss_dot3(q, q));
    for (int i = 0; i < 3; i++) q[i] /= size;
}

// One step of Newton's method for an eigen-direction from q, in the plane of the mode across q. Directions in
// which the radius of curvature equals the load (a circle of eigen-directions) are left alone. Returns
// whether all others draw, and the length of the step.
static bool improve(const ss_slide* s, double q[3], double* moved)
{
    static const double neutral = 1e-7;
    double c[3], value[2], across[2][3];
    ss_place at = {.t = s->start.t, .angle = s->now.angle, .u = {q[0], q[1], q[2]}};
    ss_slide_free_acceleration(s, &at, c);
    ss_slide_project(s, c, c);
    double brake = -ss_dot3(c, q), step[3] = {0.0, 0.0, 0.0};
    int count = ss_slide_radii(s, q, value, across);
    bool draws = brake > 0.0;
    for (int i = 0; i < count; i++) {
        double stiffness = value[i] - brake;
        if (fabs(stiffness) <= neutral * brake) continue;
        if (!(stiffness > 0.0)) draws = false;
        double length = isfinite(stiffness) ? ss_dot3(c, across[i]) / stiffness : 0.0;
        for (int k = 0; k < 3; k++) step[k] += length * across[i][k];
    }
    *moved = sqrt(ss_dot3(step, step));
    for (int k = 0; k < 3; k++) q[k] += step[k];
    normalise(q);
    return draws;
}

// The eigen-direction near q, where Newton's method finds one close by that draws.
static bool snap(const ss_slide* s, double q[3])
{
    enum { ROUNDS = 12 };
    static const double close = 1e-2;
    double x[3] = {q[0], q[1], q[2]}, moved = INFINITY, way = 0.0;
    bool draws = true;
    for (int i = 0; i < ROUNDS && moved > 1e-15 && way < close; i++) {
        draws = improve(s, x, &moved); // at the end it counts
        way += moved;
    }
    if (!draws || !(way < close) || !(moved < 1e-9)) return false;
    memcpy(q, x, sizeof x);
    return true;
}

// The state of the motion at unit speed and time 0, for the flow of directions.
static void begin_again(ss_slide* s, const double u[3])
{
    memcpy(s->now.u, u, sizeof s->now.u);
    normalise(s->now.u);
    s->now.t = s->since = s->path = 0.0;
    s->speed_scale = 1.0;
    s->step_time = 0.05;
    s->reference_known = -1;
    s->has_segment = false;
}

// Follows the flow of directions while |u| falls by many decades more than anybody could measure. Directions
// that creep even then are told as they are.
static bool follow(ss_slide* s, double q[3])
{
    enum { DECADES = 40, SEGMENTS = 2000 };
    double decades = 0.0;
    begin_again(s, q);
    for (int k = 0; decades < DECADES && k < SEGMENTS; k++) {
        ss_slide_make_segment(s);
        const ss_segment* g = &s->segment;
        if (g->ending != SS_END_REST) {
            ss_slide_pass_silently(s);
            continue;
        }
        double speed = sqrt(ss_dot3(s->now.u, s->now.u));
        memcpy(q, s->now.u, 3 * sizeof *q);
        normalise(q);
        if (g->phase == SS_PHASE_ARC && s->dof == 1) return true;
        if (snap(s, q)) return true;
        decades += fmax(-log10(speed), 1.0);
        begin_again(s, q);
    }
    return false;
}

static void set_final(ss_slide* s, const double q[3], bool converged)
{
    ss_final_motion* f = &s->final;
    memcpy(f->q, q, sizeof f->q);
    f->translates = fabs(q[2]) < 1e-12;
    if (f->translates) f->q[2] = 0.0;
    f->center[0] = f->translates ? 0.0 : -q[1] / q[2] * s->slider->unit_length;
    f->center[1] = f->translates ? 0.0 : q[0] / q[2] * s->slider->unit_length;
    f->converged = converged;
    s->has_final = true;
}

void ss_slide_find_final(ss_slide* s)
{
    double q[3] = {s->now.u[0], s->now.u[1], s->now.u[2]};
    bool converged = true;
    normalise(q);
    if (s->segment.phase != SS_PHASE_ARC || s->dof > 1) {
        ss_slide kept = *s;
        s->limit_flow = true;
        s->start.t = s->now.t;
        s->def.escape = INFINITY;
        converged = snap(s, q) || (s->segment.phase != SS_PHASE_ARC && follow(s, q));
        *s = kept;
    }
    set_final(s, q, converged);
}
