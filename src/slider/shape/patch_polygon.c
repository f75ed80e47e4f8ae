// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A polygon under uniform pressure. It turns about c, s = r - c, and on the floor D its power is |w| times
// the mean of |s'|, s' = D J s: a linear map, so the polygon stays one. Over an area the divergence theorem
// leaves its edges, each with tangent t, outward normal n, distance h = s'.n, and s'.t from u1 to u2:
//
//     int |s'| dA             = 1/3 sum h L,               L = int |s'| dl = 1/2 [u r + h^2 asinh(u/|h|)],
//     int s'/|s'| dA          = sum n L,                   r = sqrt(u^2 + h^2)
//     int (1 - ss/|s|^2)/|s'| = sum (t [r] + n h [asinh(u/|h|)]) n^T
//
// Where c is far away these are small differences of large numbers, and the integrand is smooth: there the
// triangles between centroid and edges take a product of Gauss rules, which is exact to rounding.
#include "slider/shape/patch.h"

#include <math.h>

// F = sgn(w) D U, M = sgn(w) (G + c'.U), H_VV = D T D/|w|, and H q = 0 gives the rest.
void ss_area_power(const ss_area_means* means, const ss_floor* floor, const double q[3], ss_power* out)
{
    const double *d = floor->d, *u = means->unit, *t = means->turn;
    double sign = q[2] < 0.0 ? -1.0 : 1.0, spin = fabs(q[2]);
    double turned[2] = {-q[0] / q[2], -q[1] / q[2]}; // J c, c the centre of rotation
    double c[2] = {d[0] * turned[0] + d[1] * turned[1], d[2] * turned[0] + d[3] * turned[1]};
    out->phi = spin * means->length;
    out->p[0] = sign * (d[0] * u[0] + d[1] * u[1]);
    out->p[1] = sign * (d[2] * u[0] + d[3] * u[1]);
    out->p[2] = sign * (means->length + c[0] * u[0] + c[1] * u[1]);
    double td[4] = {t[0] * d[0] + t[1] * d[2], t[0] * d[1] + t[1] * d[3], // T D
                    t[1] * d[0] + t[2] * d[2], t[1] * d[1] + t[2] * d[3]};
    double* h = out->h;
    h[0] = (d[0] * td[0] + d[1] * td[2]) / spin;
    h[1] = h[3] = (d[0] * td[1] + d[1] * td[3]) / spin;
    h[4] = (d[2] * td[1] + d[3] * td[3]) / spin;
    h[2] = h[6] = h[0] * turned[0] + h[1] * turned[1];
    h[5] = h[7] = h[3] * turned[0] + h[4] * turned[1];
    h[8] = h[2] * turned[0] + h[5] * turned[1];
}

// [asinh(u/h)] between u1 and u2, h > 0: one logarithm, of a ratio that does not cancel.
static double asinh_between(double u1, double r1, double u2, double r2)
{
    if (u1 >= 0.0) return log((u2 + r2) / (u1 + r1));
    if (u2 <= 0.0) return log((r1 - u1) / (r2 - u2));
    double h2 = (r1 - u1) * (r1 + u1); // both factors positive where u1 < 0 < u2, unless h = 0
    return h2 > 0.0 ? log((u2 + r2) * (r1 - u1) / h2) : 0.0;
}

static void add_edge(ss_area_means* sum, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    if (length == 0.0) return;
    double t[2] = {dx / length, dy / length}, n[2] = {t[1], -t[0]}; // outward: the polygon lies to the left
    double h = a[0] * n[0] + a[1] * n[1];
    double u1 = a[0] * t[0] + a[1] * t[1], u2 = b[0] * t[0] + b[1] * t[1];
    double r1 = hypot(u1, h), r2 = hypot(u2, h);
    double angle = h == 0.0               ? 0.0
                   : u1 < 0.0 && u2 > 0.0 ? asinh(u2 / fabs(h)) - asinh(u1 / fabs(h))
                                          : asinh_between(u1, r1, u2, r2);
    double line = 0.5 * (u2 * r2 - u1 * r1 + h * h * angle);
    double sx = t[0] * (r2 - r1) + n[0] * h * angle, sy = t[1] * (r2 - r1) + n[1] * h * angle;
    sum->length += h * line / 3.0;
    sum->unit[0] += n[0] * line;
    sum->unit[1] += n[1] * line;
    sum->turn[0] += sx * n[0];
    sum->turn[1] += 0.5 * (sx * n[1] + sy * n[0]);
    sum->turn[2] += sy * n[1];
}

// D (V + w J r)/w of a vertex.
static void map_vertex(const ss_floor* floor, const double r[2], const double q[3], double out[2])
{
    double x = q[0] / q[2] - r[1], y = q[1] / q[2] + r[0];
    out[0] = floor->d[0] * x + floor->d[1] * y;
    out[1] = floor->d[2] * x + floor->d[3] * y;
}

static void near_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out)
{
    ss_area_means means = {0};
    double a[2], b[2];
    map_vertex(floor, &e->vertices[2 * (e->vertex_count - 1)], q, a);
    for (int i = 0; i < e->vertex_count; i++) {
        map_vertex(floor, &e->vertices[2 * i], q, b);
        add_edge(&means, a, b);
        a[0] = b[0];
        a[1] = b[1];
    }
    double area = e->area * (floor->d[0] * floor->d[3] - floor->d[1] * floor->d[2]);
    means.length /= area;
    for (int i = 0; i < 2; i++) means.unit[i] /= area;
    for (int i = 0; i < 3; i++) means.turn[i] /= area;
    ss_area_power(&means, floor, q, out);
}

// Triangles (centroid, a, b), each point (s a (1 - t) + s b t), of signed area element s ds dt a x b.
// Velocities are all within 1/ratio of their mean.
static void far_power(const ss_element* e, const ss_floor* floor, const double q[3], double ratio,
                      ss_power* out)
{
    bool few = ratio > 10.0; // both are exact to 3e-15, as measured on random triangles
    int n = few ? 6 : 10;
    const double *node = few ? ss_gauss_six_node : ss_gauss_ten_node,
                 *weight = few ? ss_gauss_six_weight : ss_gauss_ten_weight;
    const double* a = &e->vertices[2 * (e->vertex_count - 1)];
    double sum[9] = {0};
    for (int k = 0; k < e->vertex_count; k++) {
        const double* b = &e->vertices[2 * k];
        double cross = (a[0] * b[1] - a[1] * b[0]) / e->area;
        for (int i = 0; i < n && cross != 0.0; i++)
            for (int j = 0; j < n; j++) {
                double s = node[i], t = node[j], x = s * (a[0] + t * (b[0] - a[0])),
                       y = s * (a[1] + t * (b[1] - a[1]));
                ss_grain_add(floor, x, y, q[0] - q[2] * y, q[1] + q[2] * x, cross * s * weight[i] * weight[j],
                             sum);
            }
        a = b;
    }
    ss_grain_power(sum, q, 1.0, out);
}

void ss_polygon_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out)
{
    double x = floor->d[0] * q[0] + floor->d[1] * q[1], y = floor->d[2] * q[0] + floor->d[3] * q[1];
    double size = 0.5 * (floor->d[0] + floor->d[3]) + hypot(0.5 * (floor->d[0] - floor->d[3]), floor->d[1]);
    double ratio =
        hypot(x, y) / (fabs(q[2]) * e->radius * size); // of the mean speed to the largest other one
    if (ratio > 4.2) far_power(e, floor, q, ratio, out);
    if (q[2] == 0.0) { // all of it has one velocity: nothing is left to the last digit of a sum
        const double* d = floor->d;
        out->phi = hypot(x, y);
        out->p[0] = (d[0] * x + d[1] * y) / out->phi;
        out->p[1] = (d[2] * x + d[3] * y) / out->phi;
        out->p[2] = 0.0;
    }
    if (!(ratio > 4.2)) near_power(e, floor, q, out);
}
