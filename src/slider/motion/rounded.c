// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Powers with their kinks rounded off, sqrt(Phi_i^2 + (f_i eps)^2): convex, smooth, and above Phi_i by at
// most f_i eps.
#include "core/tolerance.h"
#include "slider/surface/surface_load.h"

#include <math.h>
#include <string.h>

// Adds sqrt(|M^T v|^2 + s^2) of a point, also at v = 0.
static void add_round_point(const ss_element* e, const double m[4], const double g[3], double s,
                            ss_power* sum)
{
    double v[2];
    ss_element_velocity(e, g, v);
    double x = m[0] * v[0] + m[2] * v[1], y = m[1] * v[0] + m[3] * v[1];
    double size = hypot(hypot(x, y), s);
    if (size == 0.0) return;
    double ex = x / size, ey = y / size;
    // Columns of B^T M: what unit vectors of the disc give as loads.
    double c0[3] = {m[0], m[2], e->x * m[2] - e->y * m[0]}, c1[3] = {m[1], m[3], e->x * m[3] - e->y * m[1]};
    double k00 = (1.0 - ex * ex) / size, k01 = -ex * ey / size, k11 = (1.0 - ey * ey) / size;
    sum->phi += size;
    for (int i = 0; i < 3; i++) {
        sum->p[i] += ex * c0[i] + ey * c1[i];
        for (int j = 0; j < 3; j++)
            sum->h[3 * i + j] +=
                k00 * c0[i] * c0[j] + k01 * (c0[i] * c1[j] + c1[i] * c0[j]) + k11 * c1[i] * c1[j];
    }
}

// A line is a point whose disc is flat.
static void line_matrix(const ss_element* e, const ss_floor* floor, double m[4])
{
    double level = ss_line_level(e, floor);
    m[0] = level * e->along[0];
    m[2] = level * e->along[1];
    m[1] = m[3] = 0.0;
}

// Any other: sqrt(Phi^2 + s^2) has gradient (Phi/size) P and Hessian (Phi/size) H + (s^2/size^3) P P^T.
static void add_round_any(const ss_element* e, const ss_floor* floor, const double g[3], double s,
                          ss_power* sum)
{
    ss_power f = {0};
    if (!ss_element_power(e, floor, g, &f) && f.phi == 0.0) {
        sum->phi += s;
        return;
    }
    double size = hypot(f.phi, s), share = f.phi / size, bend = s * s / (size * size * size);
    sum->phi += size;
    for (int i = 0; i < 3; i++) {
        sum->p[i] += share * f.p[i];
        for (int j = 0; j < 3; j++) sum->h[3 * i + j] += share * f.h[3 * i + j] + bend * f.p[i] * f.p[j];
    }
}

bool ss_ratchet_face(const ss_element* e, const double at[3], ss_element* out)
{
    double v[2];
    ss_element_velocity(e, at, v);
    double slip = e->along[0] * v[0] + e->along[1] * v[1], roll = e->rolls[0] * v[0] + e->rolls[1] * v[1];
    double least = SS_RELATIVE_ZERO * (hypot(at[0], at[1]) + fabs(at[2]) * hypot(e->x, e->y));
    if (hypot(slip, roll) <= least || roll <= fabs(slip)) return false;
    *out = *e;
    out->kind = SS_ELEMENT_LINE;
    return true;
}

// The matrix of a ratchet at the velocity v: of its ellipse where it is locked, of its axle where it rolls.
static void ratchet_matrix(const ss_element* e, const ss_floor* floor, const double v[2], double m[4])
{
    double roll[2];
    ss_ratchet_roll(e, floor, roll);
    if (roll[0] * v[0] + roll[1] * v[1] >= 0.0)
        line_matrix(e, floor, m);
    else
        for (int i = 0; i < 4; i++) m[i] = e->level * floor->d[i];
}

static void add_round_element(const ss_element* e, const ss_floor* floor, const double at[3], double eps,
                              const double q[3], ss_power* out)
{
    double m[4], v[2];
    ss_element face;
    ss_element_velocity(e, q, v);
    if (e->kind == SS_ELEMENT_PATCH) {
        add_round_any(e, floor, q, e->level * eps, out);
        return;
    }
    if (e->kind == SS_ELEMENT_POINT)
        ss_point_ellipse(e, floor, m);
    else if (e->kind == SS_ELEMENT_LINE || (at && ss_ratchet_face(e, at, &face)))
        line_matrix(e, floor, m);
    else
        ratchet_matrix(e, floor, v, m);
    add_round_point(e, m, q, e->level * eps, out);
    if (e->bias == 0.0) return;
    const double bias[2] = {e->bias * e->along[0], e->bias * e->along[1]};
    out->phi += bias[0] * v[0] + bias[1] * v[1];
    ss_element_push(e, bias, out->p);
}

void ss_rounded_power(const ss_slider* slider, const ss_floor* floor, const bool use[], const double at[3],
                      double eps, const double q[3], ss_power* out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < slider->element_count; i++)
        if (!use || use[i]) add_round_element(&slider->elements[i], floor, at, eps, q, out);
}
