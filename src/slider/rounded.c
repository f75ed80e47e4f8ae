// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Powers with their kinks rounded off, sqrt(Phi_i^2 + (f_i eps)^2): convex, smooth, and above Phi_i by at
// most f_i eps.
#include "slider/surface.h"

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

// Rolling with no slip: the axle's interval, and the drag as it is. Sliding along the axle with no roll:
// between no drag and all of it.
bool ss_ratchet_face(const ss_element* e, const double at[3], ss_element* out, double constant[2])
{
    double v[2];
    ss_element_velocity(e, at, v);
    double slip = e->along[0] * v[0] + e->along[1] * v[1], roll = e->rolls[0] * v[0] + e->rolls[1] * v[1];
    double least = 1e-12 * (hypot(at[0], at[1]) + fabs(at[2]) * hypot(e->x, e->y));
    if (hypot(slip, roll) <= least) return false;
    bool rolls = roll > fabs(slip);
    double drag = rolls ? e->drag : 0.5 * e->drag, side = rolls ? 0.0 : copysign(e->level, slip);
    *out = *e;
    out->kind = SS_ELEMENT_LINE;
    out->is_bearing = !rolls;
    out->level = rolls ? e->level : drag;
    for (int i = 0; i < 2; i++) {
        out->along[i] = rolls ? e->along[i] : e->rolls[i];
        constant[i] = drag * e->rolls[i] + side * e->along[i];
    }
    return true;
}

// A ratchet: sqrt(level^2 (slip^2 + min(roll, 0)^2) + s^2), and drag (roll + sqrt(roll^2 + eps^2))/2.
static void add_round_ratchet(const ss_element* e, double eps, const double q[3], ss_power* sum)
{
    double v[2];
    ss_element_velocity(e, q, v);
    double roll = e->rolls[0] * v[0] + e->rolls[1] * v[1];
    bool locked = roll < 0.0;
    double m[4] = {e->level * e->along[0], locked ? e->level * e->rolls[0] : 0.0, e->level * e->along[1],
                   locked ? e->level * e->rolls[1] : 0.0};
    add_round_point(e, m, q, e->level * eps, sum);
    if (e->drag == 0.0 || (roll == 0.0 && eps == 0.0)) return;
    double size = hypot(roll, eps), share = 0.5 * e->drag * (1.0 + roll / size);
    double bend = 0.5 * e->drag * (eps / size) * (eps / size) / size, load[3] = {0};
    ss_element_push(e, e->rolls, load);
    sum->phi += 0.5 * e->drag * (roll + size);
    for (int i = 0; i < 3; i++) {
        sum->p[i] += share * load[i];
        for (int j = 0; j < 3; j++) sum->h[3 * i + j] += bend * load[i] * load[j];
    }
}

static void add_round_element(const ss_element* e, const ss_floor* floor, const double at[3], double eps,
                              const double q[3], ss_power* out)
{
    double m[4], s = e->level * eps, constant[2], v[2];
    ss_element line;
    if (e->kind == SS_ELEMENT_POINT) {
        ss_point_ellipse(e, floor, m);
        add_round_point(e, m, q, s, out);
    } else if (e->kind == SS_ELEMENT_LINE) {
        line_matrix(e, floor, m);
        add_round_point(e, m, q, s, out);
    } else if (e->kind == SS_ELEMENT_RATCHET && at && ss_ratchet_face(e, at, &line, constant)) {
        ss_element_velocity(e, q, v);
        out->phi += constant[0] * v[0] + constant[1] * v[1];
        ss_element_push(e, constant, out->p);
        line_matrix(&line, floor, m);
        add_round_point(e, m, q, line.level * eps, out);
    } else if (e->kind == SS_ELEMENT_RATCHET) {
        add_round_ratchet(e, eps, q, out);
    } else {
        add_round_any(e, floor, q, s, out);
    }
}

void ss_rounded_power(const ss_slider* slider, const ss_floor* floor, const bool use[], const double at[3],
                      double eps, const double q[3], ss_power* out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < slider->element_count; i++)
        if (!use || use[i]) add_round_element(&slider->elements[i], floor, at, eps, q, out);
}
