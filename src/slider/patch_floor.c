// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ring, disk and annulus on a floor D that differs along and across. The ring is an integral over its angle;
// the disk's reduces to one by the divergence theorem, as for the polygon, or, with the centre of rotation
// far away, is a product of smooth rules. The integrand has a kink where the rim passes the centre of
// rotation: the angle runs from that point round to it again, in two halves under the double exponential
// substitution, which does not mind singular ends.
#include "slider/patch.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;

typedef void (*integrand)(const void* data, double angle, double out[9]);

// Integrates 9 functions over [a, b]: trapezoids in u, x = (a+b)/2 + (b-a)/2 tanh(pi/2 sinh u).
static void double_exponential(integrand f, const void* data, double a, double b, double sum[9])
{
    enum { STEPS = 96 };
    const double top = 3.2, step = top / STEPS, half = 0.5 * (b - a);
    for (int i = -STEPS; i <= STEPS; i++) {
        double u = i * step, y = 0.25 * two_pi * sinh(u), c = cosh(y);
        double from_end = half * exp(-fabs(y)) / c; // 1 - |tanh y|, without cancellation
        double angle = i < 0 ? a + from_end : b - from_end;
        double weight = half * step * 0.25 * two_pi * cosh(u) / (c * c), value[9];
        f(data, angle, value);
        for (int k = 0; k < 9; k++) sum[k] += weight * value[k];
    }
}

static void round_trip(integrand f, const void* data, double from, double sum[9])
{
    for (int k = 0; k < 9; k++) sum[k] = 0.0;
    double_exponential(f, data, from, from + 0.5 * two_pi, sum);
    double_exponential(f, data, from + 0.5 * two_pi, from + two_pi, sum);
}

typedef struct round_patch {
    const ss_floor* floor;
    double radius;
    const double* q;
} round_patch;

// D times the velocity of the rim at an angle, as a size squared.
static double rim_speed2(const round_patch* r, double angle)
{
    double x = r->q[0] - r->q[2] * r->radius * sin(angle), y = r->q[1] + r->q[2] * r->radius * cos(angle);
    const double* d = r->floor->d;
    return (d[0] * x + d[1] * y) * (d[0] * x + d[1] * y) + (d[2] * x + d[3] * y) * (d[2] * x + d[3] * y);
}

// Where the rim is slowest: the best of a coarse look, then golden section.
static double slowest_angle(const round_patch* r)
{
    enum { LOOKS = 32 };
    double best = 0.0, least = INFINITY, golden = 0.61803398874989484820;
    for (int i = 0; i < LOOKS; i++) {
        double speed = rim_speed2(r, i * two_pi / LOOKS);
        if (speed < least) best = i * two_pi / LOOKS;
        if (speed < least) least = speed;
    }
    double a = best - two_pi / LOOKS, b = best + two_pi / LOOKS;
    for (int i = 0; i < 80; i++) {
        double x1 = b - golden * (b - a), x2 = a + golden * (b - a);
        if (rim_speed2(r, x1) < rim_speed2(r, x2))
            b = x2;
        else
            a = x1;
    }
    return 0.5 * (a + b);
}

// phi, p (3) and the upper triangle of h without its last corner (5): all of a grain at the rim.
static void ring_integrand(const void* data, double angle, double out[9])
{
    const round_patch* r = data;
    ss_power f = {0};
    ss_grain_power(r->floor, r->radius * cos(angle), r->radius * sin(angle), 1.0, r->q, &f);
    const double all[9] = {f.p[0], f.p[1], f.p[2], f.h[0], f.h[1], f.h[2], f.h[4], f.h[5], f.h[8]};
    for (int i = 0; i < 9; i++) out[i] = isfinite(all[i]) ? all[i] : 0.0;
}

void ss_ring_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    const round_patch r = {floor, radius, q};
    double sum[9];
    round_trip(ring_integrand, &r, slowest_angle(&r), sum);
    for (int i = 0; i < 9; i++) sum[i] /= two_pi;
    out->phi = sum[0] * q[0] + sum[1] * q[1] + sum[2] * q[2];
    for (int i = 0; i < 3; i++) out->p[i] = sum[i];
    const int place[9] = {3, 4, 5, 4, 6, 7, 5, 7, 8};
    for (int i = 0; i < 9; i++) out->h[i] = sum[place[i]];
}

// length, unit (2), turn (xx, xy, yx, yy) per angle: s' = D (V + w J r)/w, n' dl' across its way.
static void disk_integrand(const void* data, double angle, double out[9])
{
    const round_patch* r = data;
    const double* d = r->floor->d;
    double c = cos(angle), s = sin(angle);
    double x = r->q[0] / r->q[2] - r->radius * s, y = r->q[1] / r->q[2] + r->radius * c;
    double sx = d[0] * x + d[1] * y, sy = d[2] * x + d[3] * y, size = hypot(sx, sy);
    double wx = -r->radius * (d[0] * c + d[1] * s), wy = -r->radius * (d[2] * c + d[3] * s); // ds'/d angle
    double nx = wy, ny = -wx, ex = size > 0.0 ? sx / size : 0.0, ey = size > 0.0 ? sy / size : 0.0;
    out[0] = size * (sx * nx + sy * ny) / 3.0;
    out[1] = size * nx;
    out[2] = size * ny;
    out[3] = ex * nx;
    out[4] = 0.5 * (ex * ny + ey * nx);
    out[5] = ey * ny;
    out[6] = out[7] = out[8] = 0.0;
}

static void far_disk(const round_patch* r, ss_power* out)
{
    enum { AROUND = 48 };
    *out = (ss_power){0};
    for (int i = 0; i < SS_GAUSS; i++)
        for (int j = 0; j < AROUND; j++) {
            double at = r->radius * ss_gauss_node[i], angle = j * two_pi / AROUND;
            ss_grain_power(r->floor, at * cos(angle), at * sin(angle),
                           2.0 * ss_gauss_node[i] * ss_gauss_weight[i] / AROUND, r->q, out);
        }
}

void ss_disk_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    const round_patch r = {floor, radius, q};
    const double* d = floor->d;
    double speed = hypot(d[0] * q[0] + d[1] * q[1], d[2] * q[0] + d[3] * q[1]);
    double size = hypot(hypot(d[0], d[1]), hypot(d[2], d[3]));
    if (speed > 3.0 * fabs(q[2]) * radius * size) {
        far_disk(&r, out);
        return;
    }
    double sum[9], area = 0.5 * two_pi * radius * radius * (d[0] * d[3] - d[1] * d[2]);
    round_trip(disk_integrand, &r, slowest_angle(&r), sum);
    const ss_area_means means = {
        sum[0] / area, {sum[1] / area, sum[2] / area}, {sum[3] / area, sum[4] / area, sum[5] / area}};
    ss_area_power(&means, floor, q, out);
}

void ss_annulus_power_on(const ss_floor* floor, double inner, double radius, const double q[3], ss_power* out)
{
    double area = (radius - inner) * (radius + inner), share = radius * radius / area;
    ss_power hole = {0};
    ss_disk_power_on(floor, radius, q, out);
    if (inner > 0.0) ss_disk_power_on(floor, inner, q, &hole);
    out->phi = share * out->phi - (share - 1.0) * hole.phi;
    for (int i = 0; i < 3; i++) out->p[i] = share * out->p[i] - (share - 1.0) * hole.p[i];
    for (int i = 0; i < 9; i++) out->h[i] = share * out->h[i] - (share - 1.0) * hole.h[i];
}
