// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Power, load and Hessian of the elements, and their sum.
#include "slider/shape/patch.h"

#include <math.h>
#include <string.h>

ss_floor ss_floor_at(const ss_slider* slider, double angle)
{
    ss_floor floor = {.is_plain = !slider->floor_is_anisotropic, .d = {1, 0, 0, 1}};
    if (floor.is_plain) return floor;
    floor.nodes = slider->round_nodes;
    double c = cos(slider->floor_angle - angle), s = sin(slider->floor_angle - angle);
    double along = slider->floor_mu[0], across = slider->floor_mu[1];
    floor.d[0] = along * c * c + across * s * s;
    floor.d[1] = floor.d[2] = (along - across) * c * s;
    floor.d[3] = along * s * s + across * c * c;
    return floor;
}

void ss_point_ellipse(const ss_element* e, const ss_floor* floor, double m[4])
{
    const double *d = floor->d, *s = e->ellipse;
    m[0] = d[0] * s[0] + d[1] * s[2];
    m[1] = d[0] * s[1] + d[1] * s[3];
    m[2] = d[2] * s[0] + d[3] * s[2];
    m[3] = d[2] * s[1] + d[3] * s[3];
}

// The force of a wheel is along its axle, and ends where that line leaves the floor's ellipse.
static double level_along(const ss_floor* floor, const double a[2])
{
    if (floor->is_plain) return 1.0;
    const double* d = floor->d;
    double det = d[0] * d[3] - d[1] * d[2];
    return det / hypot(d[3] * a[0] - d[1] * a[1], d[0] * a[1] - d[2] * a[0]);
}

double ss_line_level(const ss_element* e, const ss_floor* floor)
{
    return e->is_bearing ? e->level : e->level * level_along(floor, e->along);
}

void ss_ratchet_roll(const ss_element* e, const ss_floor* floor, double roll[2])
{
    const double *d = floor->d, *t = e->rolls;
    double x = d[0] * t[0] + d[2] * t[1], y = d[1] * t[0] + d[3] * t[1]; // D t; D is symmetric
    roll[0] = floor->is_plain ? t[0] : d[0] * x + d[1] * y;
    roll[1] = floor->is_plain ? t[1] : d[2] * x + d[3] * y;
}

// B^T g of a force g at the element's place.
static void lever(const ss_element* e, const double g[2], double out[3])
{
    out[0] = g[0];
    out[1] = g[1];
    out[2] = e->x * g[1] - e->y * g[0];
}

// Adds load B^T g and Hessian (B^T c)(B^T c)^T * curvature.
static void add_force(const ss_element* e, const double g[2], const double c[2], double curvature,
                      ss_power* sum)
{
    double load[3], bend[3];
    lever(e, g, load);
    lever(e, c, bend);
    for (int i = 0; i < 3; i++) {
        sum->p[i] += load[i];
        for (int j = 0; j < 3; j++) sum->h[3 * i + j] += curvature * bend[i] * bend[j];
    }
}

// Phi = |M^T v|, load M e with e = M^T v/|M^T v|, Hessian (M e')(M e')^T/|M^T v| with e' across e.
static bool add_ellipse(const ss_element* e, const double m[4], const double v[2], ss_power* sum)
{
    double x = m[0] * v[0] + m[2] * v[1], y = m[1] * v[0] + m[3] * v[1], size = hypot(x, y);
    if (size == 0.0) return false;
    double ex = x / size, ey = y / size;
    double g[2] = {m[0] * ex + m[1] * ey, m[2] * ex + m[3] * ey};
    double c[2] = {m[1] * ex - m[0] * ey, m[3] * ex - m[2] * ey};
    sum->phi += size;
    add_force(e, g, c, 1.0 / size, sum);
    return true;
}

static bool point_power(const ss_element* e, const ss_floor* floor, const double v[2], ss_power* sum)
{
    if (floor->is_plain) return add_ellipse(e, e->ellipse, v, sum);
    double m[4];
    ss_point_ellipse(e, floor, m);
    return add_ellipse(e, m, v, sum);
}

static bool line_power(const ss_element* e, const ss_floor* floor, const double v[2], ss_power* sum)
{
    double slip = e->along[0] * v[0] + e->along[1] * v[1];
    if (slip == 0.0) return false;
    double level = e->bias + copysign(ss_line_level(e, floor), slip);
    double g[2] = {level * e->along[0], level * e->along[1]};
    sum->phi += level * slip;
    add_force(e, g, g, 0.0, sum);
    return true;
}

// A wheel that rolls one way, t. Turning at a rate r >= 0 it slides with v - r t, and takes the rate that
// costs least:
//     Phi = min over r of level |D (v - r t)|
// With D^2 t . v < 0 it is locked and slides like a point; else the load is along the axle a, and its level
// the one of a wheel. So its loads are those of the floor's ellipse that do not push it forwards. Phi has no
// kink where the wheel begins to roll.
static bool ratchet_power(const ss_element* e, const ss_floor* floor, const double v[2], ss_power* sum)
{
    double roll[2], level = e->level;
    ss_ratchet_roll(e, floor, roll);
    if (roll[0] * v[0] + roll[1] * v[1] >= 0.0) return line_power(e, floor, v, sum);
    const double *d = floor->d, ellipse[4] = {level * d[0], level * d[1], level * d[2], level * d[3]};
    return add_ellipse(e, ellipse, v, sum);
}

void ss_patch_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out)
{
    bool plain = floor->is_plain;
    if (e->patch == SS_SUPPORT_POLYGON)
        ss_polygon_power(e, floor, q, out);
    else if (e->patch == SS_SUPPORT_RING)
        plain ? ss_ring_power(e->radius, q, out) : ss_ring_power_on(floor, e->radius, q, out);
    else if (e->patch == SS_SUPPORT_DISK)
        plain ? ss_disk_power(e->radius, q, out) : ss_disk_power_on(floor, e->radius, q, out);
    else
        plain ? ss_annulus_power(e->inner, e->radius, q, out)
              : ss_annulus_power_on(floor, e->inner, e->radius, q, out);
}

// Adds level times a patch's answer about its own centre, moved to the centre of mass: with the place (x, y),
// M = M' + x F'y - y F'x, and H = B^T H' B where B shifts the motion.
static bool patch_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* sum)
{
    double local[3] = {q[0] - q[2] * e->y, q[1] + q[2] * e->x, q[2]};
    if (local[0] == 0.0 && local[1] == 0.0 && local[2] == 0.0) return false;
    ss_power f;
    ss_patch_power(e, floor, local, &f);
    const double shift[3] = {-e->y, e->x, 1.0};
    double across[3]; // H' times the last column of B
    for (int i = 0; i < 3; i++)
        across[i] = f.h[3 * i] * shift[0] + f.h[3 * i + 1] * shift[1] + f.h[3 * i + 2];
    sum->phi += e->level * f.phi;
    for (int i = 0; i < 2; i++) {
        sum->p[i] += e->level * f.p[i];
        for (int j = 0; j < 2; j++) sum->h[3 * i + j] += e->level * f.h[3 * i + j];
        sum->h[3 * i + 2] += e->level * across[i];
        sum->h[6 + i] += e->level * across[i];
    }
    sum->p[2] += e->level * (f.p[2] + e->x * f.p[1] - e->y * f.p[0]);
    sum->h[8] += e->level * (across[0] * shift[0] + across[1] * shift[1] + across[2]);
    return true;
}

bool ss_element_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* sum)
{
    double v[2];
    ss_element_velocity(e, q, v);
    switch (e->kind) {
    case SS_ELEMENT_POINT: return point_power(e, floor, v, sum);
    case SS_ELEMENT_LINE: return line_power(e, floor, v, sum);
    case SS_ELEMENT_RATCHET: return ratchet_power(e, floor, v, sum);
    case SS_ELEMENT_PATCH: return patch_power(e, floor, q, sum);
    }
    return true;
}

int ss_slider_sum(const ss_slider* slider, const ss_floor* floor, const double q[3], const bool skip[],
                  ss_power* out)
{
    int choices = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < slider->element_count; i++)
        if (!skip || !skip[i]) choices += !ss_element_power(&slider->elements[i], floor, q, out);
    return choices;
}
