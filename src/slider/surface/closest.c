// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The point of the limit surface closest to a load. The acceleration g minimises the strictly convex
//
//     E(g) = 1/2 |g|^2 + sum Phi_i(g) - b . g,       load = b - g
//
// which has kinks where elements do not move. Each Phi_i is first rounded off to sqrt(Phi_i^2 + (f_i eps)^2),
// and eps brought down to rounding: Newton's method follows. Elements that end with a velocity of order eps
// hold; among the motions that keep them at rest E is smooth, and Newton's method finishes there, exactly.
//
// A load beyond the limit surface by a share d of itself has an E of order d^2, which is lost in its rounding
// from d = 1e-8 on. There the gauge decides, which is of order d: it is more than 1 outside, and the motion
// it belongs to is the direction of the acceleration.
#include "core/tolerance.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct problem {
    const ss_slider* slider;
    const ss_floor* floor;
    const bool* use;
    const double* at; // the motion, or NULL at rest
    const double* b;
    double eps;           // of the rounding off; 0: none
    const double* before; // the minimiser at ten times this eps
    double noise;         // of the terms of a speed, relative
} problem;

// Solves the symmetric positive definite 3 x 3 system h x = r; false where it is not.
static bool solve3(const double h[9], const double r[3], double x[3])
{
    double l00 = h[0], l10 = h[3] / l00, l20 = h[6] / l00, d1 = h[4] - l10 * h[3], e = h[7] - l20 * h[3];
    double l21 = e / d1, d2 = h[8] - l20 * h[6] - l21 * e;
    if (!(l00 > 0.0 && d1 > 0.0 && d2 > 0.0)) return false;
    double y0 = r[0], y1 = r[1] - l10 * y0, y2 = r[2] - l20 * y0 - l21 * y1;
    x[2] = y2 / d2;
    x[1] = y1 / d1 - l21 * x[2];
    x[0] = y0 / l00 - l10 * x[1] - l20 * x[2];
    return true;
}

static ss_power evaluate(const problem* p, const double g[3])
{
    ss_power f;
    ss_rounded_power(p->slider, p->floor, p->use, p->at, p->eps, g, &f);
    for (int i = 0; i < 3; i++) {
        f.phi += g[i] * (0.5 * g[i] - p->b[i]);
        f.p[i] += g[i] - p->b[i];
        f.h[4 * i] += 1.0;
    }
    return f;
}

// E, its gradient and Hessian stand in an ss_power. A Newton step with halving until E falls (or the
// gradient, where E can no longer tell). False at the end.
static bool newton_step(const problem* p, double g[3], ss_power* f)
{
    double step[3], trial[3], slope = 0.0;
    if (!solve3(f->h, f->p, step)) return false;
    for (int i = 0; i < 3; i++) slope += step[i] * f->p[i];
    if (!(slope > 0.0)) return false;
    double t = 2.5;
    for (int k = 0; k < 50; k++) { // beside a kink the step may be longer than all that matters, by 1e20
        t *= 0.4;
        for (int i = 0; i < 3; i++) trial[i] = g[i] - t * step[i];
        ss_power next = evaluate(p, trial);
        bool falls = next.phi < f->phi - 1e-4 * t * slope;
        bool flat =
            fabs(next.phi - f->phi) <= 8.0 * DBL_EPSILON * (fabs(f->phi) + ss_norm3(p->b) * ss_norm3(g)) &&
            ss_norm3(next.p) < 0.5 * ss_norm3(f->p);
        if (!falls && !flat) continue;
        memcpy(g, trial, sizeof trial);
        *f = next;
        return true;
    }
    return false;
}

static void minimise(const problem* p, double g[3])
{
    ss_power f = evaluate(p, g);
    double enough = 4.0 * DBL_EPSILON * ss_norm3(p->b);
    for (int n = 0; n < 100 && ss_norm3(f.p) > enough; n++)
        if (!newton_step(p, g, &f)) break;
}

// A speed that goes down with eps is one of the rounding off: the kink holds.
static bool vanishes(double speed, double before) { return speed <= 0.3 * before; }

// The line a ratchet acts like, if its kink under g is one: where the body moves already, the kink of that
// motion.
static bool face_of(const problem* p, const ss_element* e, const double g[3], ss_element* face)
{
    if (e->kind != SS_ELEMENT_RATCHET) return false;
    if (p->at && ss_ratchet_face(e, p->at, face)) return true;
    double v[2], w[2];
    ss_element_velocity(e, g, v);
    ss_element_velocity(e, p->before, w);
    return !vanishes(hypot(v[0], v[1]), hypot(w[0], w[1])) && ss_ratchet_face(e, g, face);
}

// What the kinks of E ask of a motion that keeps an element at rest: row . g = 0. Returns how many rows.
static int rows_of(const problem* p, const ss_element* e, const double g[3], double rows[3][3])
{
    ss_element face;
    if (face_of(p, e, g, &face)) e = &face;
    const double place[2][3] = {{1.0, 0.0, -e->y}, {0.0, 1.0, e->x}};
    if (e->kind == SS_ELEMENT_PATCH) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) rows[i][j] = i == j;
        return 3;
    }
    if (e->kind == SS_ELEMENT_LINE) {
        for (int j = 0; j < 3; j++) rows[0][j] = e->along[0] * place[0][j] + e->along[1] * place[1][j];
        return 1;
    }
    memcpy(rows, place, sizeof place);
    return 2;
}

// Does the element rest under g?
static bool is_held(const problem* p, int i, const double g[3])
{
    const ss_element* e = &p->slider->elements[i];
    double rows[3][3], now = 0.0, then = 0.0;
    if (p->use && !p->use[i]) return false;
    int n = rows_of(p, e, g, rows);
    for (int k = 0; k < n; k++) {
        double v = ss_dot3(rows[k], g), w = ss_dot3(rows[k], p->before);
        now += v * v;
        then += w * w;
    }
    double rounding = p->noise * ss_norm3(g) * (1.0 + hypot(e->x, e->y)); // of the terms of the speed
    return vanishes(sqrt(now), sqrt(then)) || sqrt(now) <= rounding;
}

// Takes the share of the first `count` orthonormal vectors of `base` out of x; returns what is left of its
// length.
static double take_out(double base[3][3], int count, double x[3])
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            double share = base[k][0] * x[0] + base[k][1] * x[1] + base[k][2] * x[2];
            for (int j = 0; j < 3; j++) x[j] -= share * base[k][j];
        }
    return ss_norm3(x);
}

// Orthonormal vectors: first those the held elements forbid, then the free ones. Returns how many are
// forbidden.
static int split_space(const problem* p, const bool held[], const double g[3], double base[3][3])
{
    int count = 0;
    for (int i = 0; i < p->slider->element_count; i++) {
        double rows[3][3];
        if (!held[i]) continue;
        int n = rows_of(p, &p->slider->elements[i], g, rows);
        for (int k = 0; k < n && count < 3; k++) {
            double before = ss_norm3(rows[k]), left = take_out(base, count, rows[k]);
            if (left <= SS_CLEAR * before) continue;
            for (int j = 0; j < 3; j++) base[count][j] = rows[k][j] / left;
            count++;
        }
    }
    int forbidden = count;
    while (count < 3) { // the unit vector with the most left completes the basis
        double best = 0.0, pick[3] = {0};
        for (int axis = 0; axis < 3; axis++) {
            double x[3] = {axis == 0, axis == 1, axis == 2}, left = take_out(base, count, x);
            if (left <= best) continue;
            best = left;
            for (int j = 0; j < 3; j++) pick[j] = x[j] / left;
        }
        memcpy(base[count++], pick, sizeof pick);
    }
    return forbidden;
}

// E reduced to the free base vectors: right-hand side and Hessian, padded to three rows.
static void reduce(const ss_power* f, double base[3][3], int forbidden, double h[9], double r[3])
{
    for (int a = 0; a < 3; a++) {
        r[a] = 0.0;
        for (int c = 0; c < 3; c++) h[3 * a + c] = a == c;
    }
    for (int a = forbidden; a < 3; a++)
        for (int c = forbidden; c < 3; c++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) sum += base[a][i] * f->h[3 * i + j] * base[c][j];
            h[3 * a + c] = sum;
        }
    for (int a = forbidden; a < 3; a++)
        for (int i = 0; i < 3; i++) r[a] += base[a][i] * f->p[i];
}

// Newton's method among the motions that keep the held elements at rest, without rounding off. These are left
// out, for they have no power there.
static void polish(const problem* p, const bool held[], bool moving[], double g[3])
{
    double base[3][3];
    int forbidden = split_space(p, held, g, base);
    for (int i = 0; i < p->slider->element_count; i++) moving[i] = (!p->use || p->use[i]) && !held[i];
    const problem exact = {p->slider, p->floor, moving, p->at, p->b, 0.0, NULL, p->noise};
    take_out(base, forbidden, g);
    if (forbidden == 3) memset(g, 0, 3 * sizeof *g);
    for (int n = 0; forbidden < 3 && n < 12; n++) {
        ss_power f = evaluate(&exact, g);
        double h[9], r[3], x[3], change = 0.0;
        reduce(&f, base, forbidden, h, r);
        if (!solve3(h, r, x)) break;
        for (int i = 0; i < 3; i++) {
            double step = x[0] * base[0][i] + x[1] * base[1][i] + x[2] * base[2][i];
            g[i] -= step;
            change = fmax(change, fabs(step));
        }
        if (change <= DBL_EPSILON * ss_norm3(g)) break;
    }
}

// The load b on a body at rest is within the limit surface, or hardly beyond it, as far as E can tell.
static void decide_by_gauge(problem* p, bool held[], double g[3])
{
    int n = p->slider->element_count;
    double q[3], gauge = ss_surface_gauge(p->slider, p->floor, p->b, q);
    bool holds = !(gauge > 1.0 + SS_SOLVED); // nearer to it an acceleration would be rounding of the forces
    // Along a unit vector q the acceleration is b.q - Phi(q), and Phi(q) = b.q/gauge.
    for (int i = 0; i < 3; i++) g[i] = holds ? 0.0 : q[i] * ss_dot3(p->b, q) * (1.0 - 1.0 / gauge);
    p->before = g;
    p->noise = SS_SOLVED;
    for (int i = 0; i < n; i++) held[i] = holds ? !p->use || p->use[i] : is_held(p, i, g);
    if (!holds) polish(p, held, held + n, g);
}

void ss_surface_closest(const ss_slider* slider, const ss_floor* floor, const bool use[], const double at[3],
                        const double wanted[3], double load[3], double rest[3], bool held[])
{
    enum { DECADES = 11 }; // further down E cannot tell motions apart
    static const double hardly = 1e-5;
    double size = ss_norm3(wanted), g[3] = {wanted[0], wanted[1], wanted[2]}, before[3] = {0};
    problem p = {slider, floor, use, at, wanted, 0.0, before, SS_SUM_NOISE};
    for (int k = 0; k <= DECADES && size > 0.0; k++) {
        memcpy(before, g, sizeof before);
        p.eps = size * pow(10.0, -k);
        minimise(&p, g);
    }
    for (int i = 0; i < slider->element_count; i++) held[i] = is_held(&p, i, g);
    double rounded[3] = {g[0], g[1], g[2]}, reach = size * (1.0 + SS_RELATIVE_ZERO);
    polish(&p, held, held + slider->element_count, g);
    // 0 is a load, so that the closest is no further away.
    if (!(ss_norm3(g) <= reach)) memcpy(g, rounded, sizeof g);
    if (!at && size > 0.0 && ss_norm3(g) <= hardly * size) decide_by_gauge(&p, held, g);
    for (int i = 0; i < 3; i++) {
        rest[i] = g[i];
        load[i] = wanted[i] - g[i];
    }
}
