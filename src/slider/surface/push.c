// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/surface/push.h"

#include "core/tolerance.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A velocity that is on an edge of the cone to this angle sticks.
static const double on_edge = SS_SOLVED;

static void tangent_of(const ss_finger* f, double t[2])
{
    t[0] = f->normal[1];
    t[1] = -f->normal[0];
}

static void velocity_of(const ss_finger* f, const double q[3], double u[2])
{
    u[0] = q[0] - q[2] * f->y;
    u[1] = q[1] + q[2] * f->x;
}

// From the normal towards t.
static double angle_of(const ss_finger* f, const double u[2])
{
    double t[2];
    tangent_of(f, t);
    return atan2(t[0] * u[0] + t[1] * u[1], f->normal[0] * u[0] + f->normal[1] * u[1]);
}

static void load_of(const ss_finger* f, const double force[2], double load[3])
{
    load[0] = force[0];
    load[1] = force[1];
    load[2] = f->x * force[1] - f->y * force[0];
}

void ss_push_edge_of(const ss_slider* slider, const ss_floor* floor, const ss_finger* f, int way,
                     const double applied[3], ss_push_edge* out)
{
    double t[2], load[3], u[2];
    tangent_of(f, t);
    const double e[2] = {f->normal[0] + way * f->mu * t[0], f->normal[1] + way * f->mu * t[1]};
    load_of(f, e, load);
    out->force = ss_surface_reach(slider, floor, applied, load, out->q, &out->determined);
    velocity_of(f, out->q, u);
    out->angle = angle_of(f, u);
}

// ---- the finger sticks

// The force at the finger whose load is this, up to what the motion's line takes.
static void force_of(const ss_finger* f, const double load[3], double force[2])
{
    // Least squares of B^T force = load; where there is a balance it is exact.
    double x = f->x, y = f->y, a = load[0] - y * load[2], b = load[1] + x * load[2];
    double det = 1.0 + x * x + y * y; // of B B^T = [1 + y^2, -x y; -x y, 1 + x^2]
    force[0] = ((1.0 + x * x) * a + x * y * b) / det;
    force[1] = ((1.0 + y * y) * b + x * y * a) / det;
}

/// Forces base + s way, low <= s <= high.
typedef struct beam {
    double base[2], way[2], low, high;
} beam;

// Keeps what is in the finger's cone: g(s) = mu n.F -+ t.F >= 0 on both sides.
static bool cut_by_cone(const ss_finger* f, beam* b)
{
    double t[2], size = hypot(b->base[0], b->base[1]) + hypot(b->way[0], b->way[1]) * fabs(b->high - b->low);
    tangent_of(f, t);
    for (int side = -1; side <= 1; side += 2) {
        const double c[2] = {f->mu * f->normal[0] + side * t[0], f->mu * f->normal[1] + side * t[1]};
        double at = c[0] * b->base[0] + c[1] * b->base[1], rise = c[0] * b->way[0] + c[1] * b->way[1];
        double slack = on_edge * (1.0 + f->mu) * size;
        if (fabs(rise) * (1.0 + fabs(b->high) + fabs(b->low)) <= slack) {
            if (at < -slack) return false;
        } else if (rise > 0.0) {
            b->low = fmax(b->low, (-slack - at) / rise);
        } else {
            b->high = fmin(b->high, (-slack - at) / rise);
        }
    }
    return b->low <= b->high;
}

// One point that does not move: f = share w/|w| + s (w turned) within its disc, and w.f known.
static bool beam_of_point(const ss_motion_line* line, const ss_element* e, const ss_finger* f,
                          const double load[3], double lack, beam* b)
{
    double w[2], m[4], held[3], force[2];
    ss_element_velocity(e, line->across, w);
    ss_point_ellipse(e, line->floor, m);
    double size = w[0] * w[0] + w[1] * w[1], det = m[0] * m[3] - m[1] * m[2];
    if (!(size > 0.0) || det == 0.0) return false;
    const double base[2] = {lack * w[0] / size, lack * w[1] / size}, way[2] = {-w[1], w[0]};
    // |M^-1 (base + s way)| <= 1
    const double p[2] = {(m[3] * base[0] - m[1] * base[1]) / det, (m[0] * base[1] - m[2] * base[0]) / det};
    const double d[2] = {(m[3] * way[0] - m[1] * way[1]) / det, (m[0] * way[1] - m[2] * way[0]) / det};
    double dd = d[0] * d[0] + d[1] * d[1], pd = p[0] * d[0] + p[1] * d[1], pp = p[0] * p[0] + p[1] * p[1];
    double root = pd * pd - dd * (pp - 1.0);
    if (root < -SS_SOLVED * dd) return false;
    root = sqrt(fmax(root, 0.0));
    b->low = (-pd - root) / dd;
    b->high = (-pd + root) / dd;
    memcpy(held, load, sizeof held);
    ss_element_push(e, base, held);
    force_of(f, held, b->base);
    memset(held, 0, sizeof held);
    ss_element_push(e, way, held);
    force_of(f, held, force);
    memcpy(b->way, force, sizeof force);
    return true;
}

// Several that do not move share what lacks as their strengths are.
static bool beam_of_many(const ss_motion_line* line, const ss_balance* at, const ss_finger* f, double lack,
                         beam* b)
{
    double all = 0.0, load[3];
    memcpy(load, at->load, sizeof load);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < at->still_count; k++) {
            const ss_element* e = &line->slider->elements[at->still[k]];
            double w[2], g[2] = {0.0, 0.0}, power;
            ss_element_velocity(e, line->across, w);
            double slip = e->along[0] * w[0] + e->along[1] * w[1], speed = hypot(w[0], w[1]);
            if (e->kind == SS_ELEMENT_LINE) {
                power = ss_line_level(e, line->floor) * fabs(slip);
                for (int i = 0; i < 2; i++)
                    g[i] = copysign(ss_line_level(e, line->floor), slip) * e->along[i];
            } else {
                power = e->level * speed;
                for (int i = 0; i < 2 && speed > 0.0; i++) g[i] = e->level * w[i] / speed;
            }
            if (pass == 0) all += power;
            const double part[2] = {g[0] * lack / all, g[1] * lack / all};
            if (pass == 1) ss_element_push(e, part, load);
        }
    *b = (beam){.low = 0.0, .high = 0.0};
    force_of(f, load, b->base);
    return all > 0.0 && fabs(lack) <= all * (1.0 + SS_SOLVED);
}

static bool beam_of(const ss_motion_line* line, const ss_balance* at, const ss_finger* f, beam* b)
{
    double lack = -ss_dot3(line->across, at->load);
    *b = (beam){.low = 0.0, .high = 0.0};
    if (at->still_count == 0) {
        force_of(f, at->load, b->base);
        return true;
    }
    const ss_element* e = &line->slider->elements[at->still[0]];
    if (at->still_count == 1 && e->kind == SS_ELEMENT_POINT)
        return beam_of_point(line, e, f, at->load, lack, b);
    return beam_of_many(line, at, f, lack, b);
}

bool ss_push_stick(const ss_slider* slider, const ss_floor* floor, const ss_finger* f,
                   const double applied[3], ss_pushed* out)
{
    // B q = v: the least of these, and how the body may turn about the finger besides.
    double x = f->x, y = f->y, det = 1.0 + x * x + y * y;
    double a = ((1.0 + x * x) * f->v[0] + x * y * f->v[1]) / det,
           c = ((1.0 + y * y) * f->v[1] + x * y * f->v[0]) / det;
    ss_motion_line line = {slider, floor, applied, {a, c, x * c - y * a}, {y, -x, 1.0}, {y, -x, 1.0}};
    ss_balance at;
    beam b;
    if (!ss_line_balance(&line, &at)) return false;
    if (!beam_of(&line, &at, f, &b) || !cut_by_cone(f, &b)) return false;
    double way2 = b.way[0] * b.way[0] + b.way[1] * b.way[1];
    double s = way2 > 0.0 ? -(b.base[0] * b.way[0] + b.base[1] * b.way[1]) / way2 : 0.0;
    s = fmin(fmax(s, b.low), b.high);
    out->mode = SS_MODE_STICK;
    memcpy(out->q, at.q, sizeof out->q);
    for (int i = 0; i < 2; i++) out->force[i] = b.base[i] + s * b.way[i];
    bool one_force = (b.high - b.low) * sqrt(way2) <= SS_CLEAR * hypot(out->force[0], out->force[1]);
    out->determined = at.determined && one_force && at.still_count < 2;
    return true;
}

// ---- stick or slip

static void set_slip(const ss_finger* f, int way, const ss_push_edge* edge, ss_pushed* out)
{
    double t[2], u[2];
    tangent_of(f, t);
    velocity_of(f, edge->q, u);
    double rate = f->normal[0] * u[0] + f->normal[1] * u[1],
           wanted = f->normal[0] * f->v[0] + f->normal[1] * f->v[1];
    out->mode = way > 0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
    for (int i = 0; i < 3; i++) out->q[i] = edge->q[i] * wanted / rate;
    for (int i = 0; i < 2; i++) out->force[i] = edge->force * (f->normal[i] + way * f->mu * t[i]);
    out->determined = edge->determined;
}

void ss_push_decide(const ss_slider* slider, const ss_floor* floor, const ss_finger* f,
                    const double applied[3], ss_pushed* out)
{
    ss_push_edge edge[2];
    memset(out, 0, sizeof *out);
    out->mode = SS_MODE_OPEN;
    out->determined = true;
    for (int k = 0; k < 2; k++) {
        if (k == 1 && f->mu == 0.0)
            edge[1] = edge[0];
        else
            ss_push_edge_of(slider, floor, f, k == 0 ? -1 : 1, applied, &edge[k]);
        double u[2], size;
        velocity_of(f, edge[k].q, u);
        size = hypot(u[0], u[1]);
        for (int i = 0; i < 2 && size > 0.0; i++) out->cone[k][i] = u[i] / size;
    }
    if (!(f->normal[0] * f->v[0] + f->normal[1] * f->v[1] > 0.0)) return;
    double angle = angle_of(f, f->v), middle = 0.5 * (edge[0].angle + edge[1].angle);
    int near = angle > middle; // the edge
    if (angle > edge[1].angle + on_edge || angle < edge[0].angle - on_edge) {
        set_slip(f, near ? 1 : -1, &edge[near], out);
        return;
    }
    // Within the cone it sticks; on an edge of it, as far as digits tell, it may not.
    if (!ss_push_stick(slider, floor, f, applied, out)) set_slip(f, near ? 1 : -1, &edge[near], out);
    if (fabs(angle - edge[near].angle) <= on_edge) out->determined = out->determined && edge[near].determined;
}
