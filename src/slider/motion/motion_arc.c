// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions with one degree of freedom and nothing applied, in closed form: rotation about a held spot, or what
// two held wheels leave. The direction q of the motion is fixed in the body, so the load P of what slips is
// constant, u = v q with v' = -P.q, and the load of what is held is affine in v^2: convection is all that
// changes it. Those v^2 it can bear form an interval.
#include "core/tolerance.h"
#include "slider/motion/floor_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The margin of what is held at speed^2.
static double margin_at(const ss_slide* s, double square)
{
    const ss_segment* g = &s->step.segment;
    const double a[3] = {square * g->q[2] * g->q[1] - g->load[0], -square * g->q[2] * g->q[0] - g->load[1],
                         -g->load[2]};
    return ss_slide_hold_margin(s, s->course.now.angle, a);
}

// The largest square of the speed below the present one at which the margin is 0, where it is negative at 0.
static double find_break(const ss_slide* s, double square)
{
    enum { ROUNDS = 200 };
    double low = 0.0, high = square;
    for (int i = 0; i < ROUNDS && high - low > SS_LAST_BIT * square; i++) {
        double middle = 0.5 * (low + high);
        *(margin_at(s, middle) > 0.0 ? &high : &low) = middle;
    }
    return high;
}

// Whether the direction of motion stays as it is: there is no other, or the load is along it and convection
// does nothing (a pure translation or a pure rotation that is an eigen-direction).
static bool is_straight(const ss_slide* s)
{
    const ss_segment* g = &s->step.segment;
    double across = 0.0;
    if (s->mode.dof == 1) return true;
    if (s->mode.dof < 3) return false;
    for (int i = 0; i < 3; i++) across = fmax(across, fabs(g->load[i] - g->brake * g->q[i]));
    return across <= 4.0 * DBL_EPSILON * s->made.total_level;
}

bool ss_slide_make_arc(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    const double* u = s->course.now.u;
    if (s->made.loaded || s->slider->floor_is_anisotropic || isfinite(s->def.escape)) return false;
    g->speed = sqrt(ss_dot3(u, u));
    for (int i = 0; i < 3; i++) g->q[i] = u[i] / g->speed;
    // The cheapest test comes first.
    if (s->mode.dof > 1 && g->q[2] != 0.0 && (g->q[0] != 0.0 || g->q[1] != 0.0)) return false;
    ss_slide_slip_load(s, g->q, s->course.now.angle, g->load);
    g->brake = ss_dot3(g->load, g->q);
    if (!is_straight(s)) return false;
    g->phase = SS_PHASE_ARC;
    g->t0 = s->course.now.t;
    bool holds = s->mode.dof == 3 || margin_at(s, 0.0) >= 0.0;
    double end = holds ? 0.0 : sqrt(find_break(s, g->speed * g->speed));
    g->ending = holds ? SS_END_REST : SS_END_HOLD;
    g->t1 = g->brake > 0.0 ? g->t0 + (g->speed - end) / g->brake : INFINITY;
    if (g->brake <= 0.0) g->ending = SS_END_NONE;
    return true;
}

// sin(x)/x
static double sinc(double x) { return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : sin(x) / x; }

// A floor with constant velocity V puts in V.(what the momentum gains).
static double work_of_belt(const ss_slide* s, const ss_place* to)
{
    const ss_place* from = &s->course.now;
    ss_floor_rates rates;
    ss_floor_rates_at(s, from->t, from->t, INFINITY, &rates);
    double c = cos(from->angle), n = sin(from->angle), d = cos(to->angle), m = sin(to->angle);
    return rates.v[0] * (d * to->u[0] - m * to->u[1] - c * from->u[0] + n * from->u[1]) +
           rates.v[1] * (m * to->u[0] + d * to->u[1] - n * from->u[0] - c * from->u[1]);
}

void ss_slide_look_arc(const ss_slide* s, double t, ss_place* out)
{
    const ss_segment* g = &s->step.segment;
    const ss_place* now = &s->course.now;
    double time = t - g->t0, speed = g->speed - g->brake * time;
    if (t == g->t1 && g->ending == SS_END_REST) {
        time = g->speed / g->brake;
        speed = 0.0;
    }
    double way = 0.5 * (g->speed + speed) * time, turn = g->q[2] * way; // a chord of length way sinc(turn/2)
    double c = cos(now->angle + 0.5 * turn), n = sin(now->angle + 0.5 * turn), chord = way * sinc(0.5 * turn);
    out->t = t;
    out->angle = now->angle;
    out->spun = now->spun;
    ss_slide_turn(s, turn, out);
    out->x = now->x + chord * (c * g->q[0] - n * g->q[1]);
    out->y = now->y + chord * (n * g->q[0] + c * g->q[1]);
    for (int i = 0; i < 3; i++) out->u[i] = speed * g->q[i];
    out->friction = now->friction + g->brake * way;
    out->input = now->input;
    if (s->slider->motion.moves) out->input += work_of_belt(s, out);
}
