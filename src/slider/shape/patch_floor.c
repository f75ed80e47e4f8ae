// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ring, disk and annulus on a floor D that differs along and across: integrals over the angle of the rim. The
// disk's reduces to one by the divergence theorem, as for the polygon, or, with the centre of rotation far
// away, is a product of smooth rules. As complex numbers the rim has the velocity V + i w R z, z = e^(i
// angle), and D times that is
//
//     s' = alpha v + beta conj(v) = (i w R alpha z^2 + (alpha V + beta conj(V)) z - i w R beta)/z
//
// Integrands are analytic but where s' = 0. With eta = |log|z|| of the root nearest to the unit circle, the
// trapezoidal rule with n nodes is right to exp(-n eta). Where that asks for too many, the rim almost passes
// the centre of rotation: the angle then runs both ways from there under the double exponential substitution,
// which does not mind singular ends. All nodes are known in advance: no sine is taken on the way.
#include "slider/shape/patch.h"

#include <complex.h>
#include <math.h>

enum { CIRCLE = 128, STEPS = 96, ENDS = 2 * STEPS + 1, MOST_SETS = 3 };

static const double two_pi = 6.28318530717958647693;

struct ss_round_nodes {
    double cosine[CIRCLE], sine[CIRCLE];        // all round
    double rise[ENDS], fall[ENDS], share[ENDS]; // sin x, 1 - cos x and weight at the nodes x of [0, pi]
};

ss_round_nodes* ss_round_nodes_make(ss_pool* pool)
{
    ss_round_nodes* nodes = ss_pool_new(pool, 1, sizeof *nodes);
    if (!nodes) return NULL;
    for (int i = 0; i < CIRCLE; i++) {
        nodes->cosine[i] = cos(i * two_pi / CIRCLE);
        nodes->sine[i] = sin(i * two_pi / CIRCLE);
    }
    const double step = 3.2 / STEPS, half = 0.25 * two_pi;
    for (int i = 0; i < ENDS; i++) { // x = pi/2 (1 + tanh(pi/2 sinh u))
        double u = (i - STEPS) * step, y = half * sinh(u), c = cosh(y);
        double from_end = half * exp(-fabs(y)) / c,
               s = sin(0.5 * from_end); // 1 - |tanh y|, without cancellation
        nodes->rise[i] = sin(from_end);
        nodes->fall[i] = u < 0.0 ? 2.0 * s * s : 2.0 - 2.0 * s * s;
        nodes->share[i] = half * step * half * cosh(u) / (c * c);
    }
    return nodes;
}

typedef struct round_patch {
    const ss_floor* floor;
    double radius;
    const double* q;
    double sum[9];
} round_patch;

// One node of the rim, at (c, s) times the radius, with the velocity (x, y), weighted.
typedef void node_rule(round_patch* r, double c, double s, double x, double y, double weight);

// Root of s' nearest to the unit circle: its angle, and eta.
static double nearest_root(const round_patch* r, double* angle)
{
    const double* d = r->floor->d;
    double alpha = 0.5 * (d[0] + d[3]), turn = r->q[2] * r->radius;
    double complex beta = 0.5 * (d[0] - d[3]) + d[1] * I, v = r->q[0] + r->q[1] * I;
    double complex a = I * turn * alpha, b = alpha * v + beta * conj(v), c = -I * turn * beta;
    double complex root = csqrt(b * b - 4.0 * a * c);
    if (creal(conj(b) * root) < 0.0) root = -root;
    double complex large = -0.5 * (b + root); // z = large/a and c/large
    double eta = INFINITY;
    *angle = 0.0;
    for (int k = 0; k < 2; k++) {
        double complex top = k ? c : large, bottom = k ? large : a;
        double own = fabs(log(cabs(top) / cabs(bottom)));
        if (!(own < eta)) continue; // NaN and infinity: none
        eta = own;
        *angle = carg(top * conj(bottom));
    }
    return eta;
}

static void all_round(round_patch* r, node_rule* rule, int sets, int stride)
{
    const ss_round_nodes* nodes = r->floor->nodes;
    double turn = r->q[2] * r->radius, weight = two_pi * stride / (CIRCLE * sets);
    for (int k = 0; k < sets; k++) {
        double c = cos(k * two_pi / (CIRCLE * sets)), s = sin(k * two_pi / (CIRCLE * sets));
        for (int i = 0; i < CIRCLE; i += stride) {
            double x = c * nodes->cosine[i] - s * nodes->sine[i],
                   y = s * nodes->cosine[i] + c * nodes->sine[i];
            rule(r, x, y, r->q[0] - turn * y, r->q[1] + turn * x, weight);
        }
    }
}

// Both ways from an angle. What is added to the velocity there is added exactly.
static void both_ways(round_patch* r, node_rule* rule, double from)
{
    const ss_round_nodes* nodes = r->floor->nodes;
    double turn = r->q[2] * r->radius, c = cos(from), s = sin(from);
    double vx = r->q[0] - turn * s, vy = r->q[1] + turn * c;
    for (int way = -1; way <= 1; way += 2)
        for (int i = 0; i < ENDS; i++) {
            double dc = -c * nodes->fall[i] - s * way * nodes->rise[i];
            double ds = -s * nodes->fall[i] + c * way * nodes->rise[i];
            rule(r, c + dc, s + ds, vx - turn * ds, vy + turn * dc, nodes->share[i]);
        }
}

static void round_trip(round_patch* r, node_rule* rule)
{
    static const double digits = 37.0; // e^-37 is below rounding
    double angle, needed = digits / nearest_root(r, &angle);
    for (int k = 0; k < 9; k++) r->sum[k] = 0.0;
    if (needed > MOST_SETS * CIRCLE)
        both_ways(r, rule, angle);
    else if (needed > CIRCLE)
        all_round(r, rule, (int)ceil(needed / CIRCLE), 1);
    else
        all_round(r, rule, 1, needed > 64 ? 1 : needed > 32 ? 2 : 4);
}

static void ring_node(round_patch* r, double c, double s, double x, double y, double weight)
{
    ss_grain_add(r->floor, r->radius * c, r->radius * s, x, y, weight, r->sum);
}

void ss_ring_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    round_patch r = {.floor = floor, .radius = radius, .q = q};
    round_trip(&r, ring_node);
    ss_grain_power(r.sum, q, 1.0 / two_pi, out);
}

// length, unit (2), turn (xx, xy, yy): s' = D (V + w J r)/w, n' dl' across its way.
static void disk_node(round_patch* r, double c, double s, double x, double y, double weight)
{
    const double* d = r->floor->d;
    double spin = r->q[2], sx = (d[0] * x + d[1] * y) / spin, sy = (d[2] * x + d[3] * y) / spin;
    double size = sqrt(sx * sx + sy * sy), ex = size > 0.0 ? sx / size : 0.0,
           ey = size > 0.0 ? sy / size : 0.0;
    double nx = -r->radius * (d[2] * c + d[3] * s) * weight, ny = r->radius * (d[0] * c + d[1] * s) * weight;
    r->sum[0] += size * (sx * nx + sy * ny) / 3.0;
    r->sum[1] += size * nx;
    r->sum[2] += size * ny;
    r->sum[3] += ex * nx;
    r->sum[4] += 0.5 * (ex * ny + ey * nx);
    r->sum[5] += ey * ny;
}

// Gauss' rule for the square of the radius, and nodes all round: with all velocities within 1/ratio of their
// mean both are exact to rounding. n nodes leave ratio^-4n along the radius, and ratio^-n all round.
static void far_disk(round_patch* r, double ratio, ss_power* out)
{
    int n = ratio > 1e3 ? 2 : ratio > 150.0 ? 3 : ratio > 40.0 ? 4 : ratio > 10.0 ? 5 : 10;
    int stride = CIRCLE / (ratio > 150.0 ? 8 : ratio > 10.0 ? 16 : 32);
    ss_gauss_rule rule = ss_gauss_of(n);
    const ss_round_nodes* nodes = r->floor->nodes;
    for (int k = 0; k < 9; k++) r->sum[k] = 0.0;
    for (int k = 0; k < n; k++) {
        double radius = r->radius * sqrt(rule.node[k]);
        for (int i = 0; i < CIRCLE; i += stride) {
            double x = radius * nodes->cosine[i], y = radius * nodes->sine[i];
            ss_grain_add(r->floor, x, y, r->q[0] - r->q[2] * y, r->q[1] + r->q[2] * x,
                         rule.weight[k] * stride / CIRCLE, r->sum);
        }
    }
    ss_grain_power(r->sum, r->q, 1.0, out);
}

void ss_disk_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    round_patch r = {.floor = floor, .radius = radius, .q = q};
    const double* d = floor->d;
    double speed = hypot(d[0] * q[0] + d[1] * q[1], d[2] * q[0] + d[3] * q[1]);
    double size = hypot(hypot(d[0], d[1]), hypot(d[2], d[3]));
    double ratio = speed / (fabs(q[2]) * radius * size);
    if (ratio > 3.0) {
        far_disk(&r, ratio, out);
        return;
    }
    double area = 0.5 * two_pi * radius * radius * (d[0] * d[3] - d[1] * d[2]);
    round_trip(&r, disk_node);
    for (int k = 0; k < 6; k++) r.sum[k] /= area;
    const ss_area_means means = {r.sum[0], {r.sum[1], r.sum[2]}, {r.sum[3], r.sum[4], r.sum[5]}};
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
