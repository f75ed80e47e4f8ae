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
// Where c is far away these are small differences of large numbers, and the integrands are smooth: there the
// edges take Gauss' rule, and farther away the triangles between centroid and edges a product of two, which
// is exact to rounding.
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

// [asinh(u/|h|)] between u1 < u2: the logarithm of (u2 + r2)/(u1 + r1), by what that differs from 1, where
// nothing cancels; r2 - r1 = (u2 - u1) (u2 + u1)/(r2 + r1).
static double asinh_between(double u1, double r1, double u2, double r2, double h)
{
    if (h == 0.0) return 0.0; // it is multiplied by h
    double slope = (u1 + u2) / (r1 + r2), length = u2 - u1;
    if (u1 >= 0.0) return log1p(length * (1.0 + slope) / (u1 + r1));
    if (u2 <= 0.0) return log1p(length * (1.0 - slope) / (r2 - u2));
    double step = u1 + u2 > 0.0 ? (1.0 + slope) * (r1 - u1) : (1.0 - slope) * (u2 + r2);
    return log1p(length / fabs(h) * (step / fabs(h)));
}

static void add_edge(ss_area_means* sum, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = sqrt(dx * dx + dy * dy);
    if (length == 0.0) return;
    double t[2] = {dx / length, dy / length}, n[2] = {t[1], -t[0]}; // outward: the polygon lies to the left
    double h = a[0] * n[0] + a[1] * n[1];
    double u1 = a[0] * t[0] + a[1] * t[1], u2 = b[0] * t[0] + b[1] * t[1];
    double r1 = sqrt(u1 * u1 + h * h), r2 = sqrt(u2 * u2 + h * h);
    double angle = asinh_between(u1, r1, u2, r2, h);
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

// One edge from a to b, relative to where the centroid is mapped, c from the centre of rotation. With delta =
// |s'| - |c| = (2 c.r + r.r)/(|s'| + |c|) nothing cancels that is constant round the polygon:
//
//     int s'/|s'|  = sum n int delta,     int (1 - ss/|s|^2)/|s'| = sum int (s'/|s'| - c/|c|) n^T
//     int r.s'/|s'| = sum int delta (r.n - 2 c.n)/3 + 2/3 |c| area
static void add_distant_edge(ss_area_means* sum, double* moment, const double a[2], const double b[2],
                             const double c[2], double far)
{
    double d[2] = {b[0] - a[0], b[1] - a[1]}, n[2] = {d[1], -d[0]}, ec[2] = {c[0] / far, c[1] / far};
    double half = 0.5 * sqrt(d[0] * d[0] + d[1] * d[1]), line = 0.0, sx = 0.0, sy = 0.0, out = 0.0;
    if (half == 0.0) return;
    double middle[2] = {c[0] + 0.5 * (a[0] + b[0]), c[1] + 0.5 * (a[1] + b[1])};
    ss_gauss_rule rule = ss_gauss_of(ss_gauss_needed(hypot(middle[0], middle[1]) / half));
    for (int j = 0; j < rule.n; j++) {
        double r[2] = {a[0] + rule.node[j] * d[0], a[1] + rule.node[j] * d[1]};
        double s[2] = {c[0] + r[0], c[1] + r[1]}, size = sqrt(s[0] * s[0] + s[1] * s[1]);
        double delta = (c[0] * r[0] + c[1] * r[1] + s[0] * r[0] + s[1] * r[1]) / (size + far);
        double share = rule.weight[j] / size;
        line += rule.weight[j] * delta;
        sx += share * (r[0] - ec[0] * delta);
        sy += share * (r[1] - ec[1] * delta);
        out += rule.weight[j] * delta * (r[0] * n[0] + r[1] * n[1]);
    }
    *moment += (out - 2.0 * line * (c[0] * n[0] + c[1] * n[1])) / 3.0;
    sum->unit[0] += n[0] * line;
    sum->unit[1] += n[1] * line;
    sum->turn[0] += sx * n[0];
    sum->turn[1] += 0.5 * (sx * n[1] + sy * n[0]);
    sum->turn[2] += sy * n[1];
}

// Between near and far: the edges alone, by Gauss' rule. The moment loses as many digits as the centre of
// rotation is radii away.
static void distant_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out)
{
    static const double origin[2] = {0.0, 0.0};
    ss_area_means means = {0};
    double area = e->area * (floor->d[0] * floor->d[3] - floor->d[1] * floor->d[2]), a[2], b[2], c[2];
    map_vertex(floor, origin, q, c);
    double far = sqrt(c[0] * c[0] + c[1] * c[1]), moment = 2.0 / 3.0 * far * area;
    const double rest[3] = {0.0, 0.0, 1.0};
    map_vertex(floor, &e->vertices[2 * (e->vertex_count - 1)], rest, a);
    for (int i = 0; i < e->vertex_count; i++) {
        map_vertex(floor, &e->vertices[2 * i], rest, b);
        add_distant_edge(&means, &moment, a, b, c, far);
        a[0] = b[0];
        a[1] = b[1];
    }
    for (int i = 0; i < 2; i++) means.unit[i] /= area;
    for (int i = 0; i < 3; i++) means.turn[i] /= area;
    means.length = c[0] * means.unit[0] + c[1] * means.unit[1] + moment / area;
    ss_area_power(&means, floor, q, out);
}

// How many nodes are needed where the first terms of an expansion in the place vanish: moments and their
// derivatives begin with the second ones, whose digits count as well.
static int beyond_second(double z)
{
    int n = ss_gauss_needed(z) + 1;
    return n < 3 ? 3 : n > SS_GAUSS_MOST ? SS_GAUSS_MOST : n;
}

// Triangles (centroid, a, b), each point (s a (1 - t) + s b t), of signed area element s ds dt a x b.
// Velocities are all within 1/ratio of their mean. A velocity A + tau B vanishes at a complex tau of size
// |A|/|B|: that tells how many nodes are needed along s, and along t for each edge.
static void far_power(const ss_element* e, const ss_floor* floor, const double q[3], double ratio,
                      ss_power* out)
{
    ss_gauss_rule out_rule = ss_gauss_of(beyond_second(2.0 * ratio - 1.0));
    const double* a = &e->vertices[2 * (e->vertex_count - 1)];
    double sum[9] = {0};
    for (int k = 0; k < e->vertex_count; k++) {
        const double* b = &e->vertices[2 * k];
        double cross = (a[0] * b[1] - a[1] * b[0]) / e->area;
        double half = 0.5 * hypot(b[0] - a[0], b[1] - a[1]), middle = 0.5 * hypot(a[0] + b[0], a[1] + b[1]);
        ss_gauss_rule edge = ss_gauss_of(beyond_second((ratio * e->radius - middle) / half));
        for (int i = 0; i < out_rule.n && cross != 0.0; i++)
            for (int j = 0; j < edge.n; j++) {
                double s = out_rule.node[i], t = edge.node[j], x = s * (a[0] + t * (b[0] - a[0])),
                       y = s * (a[1] + t * (b[1] - a[1]));
                ss_grain_add(floor, x, y, q[0] - q[2] * y, q[1] + q[2] * x,
                             cross * s * out_rule.weight[i] * edge.weight[j], sum);
            }
        a = b;
    }
    ss_grain_power(sum, q, 1.0, out);
}

void ss_polygon_power(const ss_element* e, const ss_floor* floor, const double q[3], ss_power* out)
{
    double x = floor->d[0] * q[0] + floor->d[1] * q[1], y = floor->d[2] * q[0] + floor->d[3] * q[1];
    double size = 0.5 * (floor->d[0] + floor->d[3]) + hypot(0.5 * (floor->d[0] - floor->d[3]), floor->d[1]);
    // Ratio of the mean speed to the largest other one.
    double ratio = hypot(x, y) / (fabs(q[2]) * e->radius * size);
    if (ratio > 12.0)
        far_power(e, floor, q, ratio, out);
    else if (ratio > 4.2)
        distant_power(e, floor, q, out);
    else
        near_power(e, floor, q, out);
    if (q[2] == 0.0) { // all of it has one velocity: nothing is left to the last digit of a sum
        const double* d = floor->d;
        out->phi = hypot(x, y);
        out->p[0] = (d[0] * x + d[1] * y) / out->phi;
        out->p[1] = (d[2] * x + d[3] * y) / out->phi;
        out->p[2] = 0.0;
    }
}
