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
// which does not mind singular ends. Its nodes are known in advance. On a floor much rougher one way both
// roots are near: the angle runs from one to the other, on either side.
#include "slider/shape/patch.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum { CIRCLE = 128, STEPS = 96, ENDS = 2 * STEPS + 1, MOST_SETS = 3 };
// Nodes are taken four at a time, with sums of their own: the order of summation is fixed, so results do not
// depend on the compiler's vectors. ROOM: the nodes of an end, filled up with some of no weight.
enum { LANES = 4, ROOM = (ENDS + LANES - 1) / LANES * LANES, SUMS = 9 };

static const double two_pi = 6.28318530717958647693;

struct ss_round_nodes {
    double cosine[CIRCLE], sine[CIRCLE];        // all round
    double rise[ROOM], fall[ROOM], share[ROOM]; // sin x, 1 - cos x and weight at the nodes x of [0, pi]
    double from_end[ROOM];                      // x, or pi - x where that is smaller: no digits are lost
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
        nodes->from_end[i] = from_end;
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
    double share; // of every weight
    double lane[SUMS][LANES];
} round_patch;

// Nodes of the rim, at (c, s) times the radius, with the velocities (x, y), weighted.
typedef struct four_nodes {
    double c[LANES], s[LANES], x[LANES], y[LANES], weight[LANES];
} four_nodes;
typedef void node_rule(round_patch* r, const four_nodes* at);

static void clear_sums(round_patch* r)
{
    for (int i = 0; i < SUMS; i++)
        for (int k = 0; k < LANES; k++) r->lane[i][k] = 0.0;
}

static void add_up(const round_patch* r, double sum[SUMS])
{
    for (int i = 0; i < SUMS; i++) sum[i] = (r->lane[i][0] + r->lane[i][1]) + (r->lane[i][2] + r->lane[i][3]);
}

// The two roots of s': their angles, and eta, the one nearest to the unit circle first.
typedef struct root {
    double angle, eta;
} root;

static void find_roots(const round_patch* r, root out[2])
{
    const double* d = r->floor->d;
    double alpha = 0.5 * (d[0] + d[3]), turn = r->q[2] * r->radius;
    double complex beta = 0.5 * (d[0] - d[3]) + d[1] * I, v = r->q[0] + r->q[1] * I;
    double complex a = I * turn * alpha, b = alpha * v + beta * conj(v), c = -I * turn * beta;
    double complex discriminant = csqrt(b * b - 4.0 * a * c);
    if (creal(conj(b) * discriminant) < 0.0) discriminant = -discriminant;
    double complex large = -0.5 * (b + discriminant); // z = large/a and c/large
    for (int k = 0; k < 2; k++) {
        double complex top = k ? c : large, bottom = k ? large : a;
        double eta = fabs(log(cabs(top) / cabs(bottom)));
        out[k] = eta < INFINITY ? (root){carg(top * conj(bottom)), eta} : (root){0.0, INFINITY}; // NaN: none
    }
    if (!(out[1].eta < out[0].eta)) return;
    root first = out[1];
    out[1] = out[0];
    out[0] = first;
}

static void all_round(round_patch* r, node_rule* rule, int sets, int stride)
{
    const ss_round_nodes* nodes = r->floor->nodes;
    double turn = r->q[2] * r->radius, weight = r->share * two_pi * stride / (CIRCLE * sets);
    for (int k = 0; k < sets; k++) {
        double c = cos(k * two_pi / (CIRCLE * sets)), s = sin(k * two_pi / (CIRCLE * sets));
        for (int i = 0; i < CIRCLE; i += LANES * stride) {
            four_nodes at;
            for (int l = 0; l < LANES; l++) {
                double nc = nodes->cosine[i + l * stride], ns = nodes->sine[i + l * stride];
                at.c[l] = c * nc - s * ns;
                at.s[l] = s * nc + c * ns;
                at.x[l] = r->q[0] - turn * at.s[l];
                at.y[l] = r->q[1] + turn * at.c[l];
                at.weight[l] = weight;
            }
            rule(r, &at);
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
        for (int i = 0; i < ROOM; i += LANES) {
            four_nodes at;
            for (int l = 0; l < LANES; l++) {
                double fall = nodes->fall[i + l], rise = way * nodes->rise[i + l];
                double dc = -c * fall - s * rise, ds = -s * fall + c * rise;
                at.c[l] = c + dc;
                at.s[l] = s + ds;
                at.x[l] = vx - turn * ds;
                at.y[l] = vy + turn * dc;
                at.weight[l] = nodes->share[i + l];
            }
            rule(r, &at);
        }
}

// The same on both arcs between two angles; nodes are told from the nearer end.
static void both_arcs(round_patch* r, node_rule* rule, const double ends[2])
{
    const ss_round_nodes* nodes = r->floor->nodes;
    double turn = r->q[2] * r->radius, c[2], s[2];
    for (int k = 0; k < 2; k++) {
        c[k] = cos(ends[k]);
        s[k] = sin(ends[k]);
    }
    for (int k = 0; k < 2; k++) {
        double length = ends[1 - k] - ends[k],
               scale = (length > 0.0 ? length : length + two_pi) / (0.5 * two_pi);
        for (int i = 0; i < ROOM; i += LANES) {
            four_nodes at;
            for (int l = 0; l < LANES; l++) {
                int end = i + l < STEPS ? k : 1 - k;
                double half = 0.5 * scale * nodes->from_end[i + l], n = sin(half), fall = 2.0 * n * n;
                double rise = (end == k ? 2.0 : -2.0) * n * cos(half);
                double dc = -c[end] * fall - s[end] * rise, ds = -s[end] * fall + c[end] * rise;
                at.c[l] = c[end] + dc;
                at.s[l] = s[end] + ds;
                at.x[l] = r->q[0] - turn * s[end] - turn * ds;
                at.y[l] = r->q[1] + turn * c[end] + turn * dc;
                at.weight[l] = scale * nodes->share[i + l];
            }
            rule(r, &at);
        }
    }
}

// The same from the angle middle - half to middle + half, both ways, half at most pi/2 and not small. A
// motion of the circle into itself, z = e^(i middle) (y + b)/(1 + b y), takes y = -i and i there: nodes are
// known.
static void both_halves(round_patch* r, node_rule* rule, double middle, double half)
{
    const ss_round_nodes* nodes = r->floor->nodes;
    double b = tan(0.125 * two_pi - 0.5 * half), room = 1.0 - b * b, turn = r->q[2] * r->radius;
    double c = cos(middle - half), s = sin(middle - half);
    double complex factor = cexp(I * middle) * room / (1.0 - b * I);
    double fr = creal(factor), fi = cimag(factor), vx = r->q[0] - turn * s, vy = r->q[1] + turn * c;
    for (int way = -1; way <= 1; way += 2)
        for (int i = 0; i < ROOM; i += LANES) {
            four_nodes at;
            for (int l = 0; l < LANES; l++) { // y + i = x + i fall, and 1 + b y = u + i v
                double fall = nodes->fall[i + l], x = way * nodes->rise[i + l];
                double u = 1.0 + b * x, v = b * (fall - 1.0), inverse = 1.0 / (u * u + v * v);
                double re = (x * u + fall * v) * inverse, im = (fall * u - x * v) * inverse;
                double dc = fr * re - fi * im, ds = fr * im + fi * re;
                at.c[l] = c + dc;
                at.s[l] = s + ds;
                at.x[l] = vx - turn * ds;
                at.y[l] = vy + turn * dc;
                at.weight[l] = nodes->share[i + l] * room * inverse;
            }
            rule(r, &at);
        }
}

// From one root to the other, on either side.
static void between_roots(round_patch* r, node_rule* rule, const double ends[2])
{
    static const double apart = 0.6; // nearer, y = -1/b comes close
    double length = ends[1] - ends[0];
    if (length < 0.0) length += two_pi;
    double from = length <= 0.5 * two_pi ? ends[0] : ends[1], half = 0.5 * fmin(length, two_pi - length);
    if (half > apart)
        both_halves(r, rule, from + half, half);
    else
        both_arcs(r, rule, ends);
}

static void round_trip(round_patch* r, node_rule* rule)
{
    static const double digits = 37.0, far = 0.4; // e^-37 is below rounding; from `far` on ends see no root
    root roots[2];
    find_roots(r, roots);
    double needed = digits / roots[0].eta;
    const double ends[2] = {roots[0].angle, roots[1].angle};
    clear_sums(r);
    if (needed > MOST_SETS * CIRCLE && roots[1].eta < far && ends[0] != ends[1])
        between_roots(r, rule, ends);
    else if (needed > MOST_SETS * CIRCLE)
        both_ways(r, rule, ends[0]);
    else if (needed > CIRCLE)
        all_round(r, rule, (int)ceil(needed / CIRCLE), 1);
    else
        all_round(r, rule, 1, needed > 64 ? 1 : needed > 32 ? 2 : 4);
}

// As ss_grain_add, four at a time; x, y of the grains are c and s times the radius. Where nothing moves,
// DBL_MIN keeps all terms 0.
static void ring_node(round_patch* r, const four_nodes* at)
{
    const double xx = r->floor->d[0], xy = r->floor->d[1], yy = r->floor->d[3], radius = r->radius;
    double(*restrict lane)[LANES] = r->lane;
    for (int l = 0; l < LANES; l++) {
        double vx = at->x[l], vy = at->y[l], x = radius * at->c[l], y = radius * at->s[l];
        double sx = xx * vx + xy * vy, sy = xy * vx + yy * vy, weight = at->weight[l];
        double inverse = 1.0 / (sqrt(sx * sx + sy * sy) + DBL_MIN), bend = weight * inverse;
        double ex = sx * inverse, ey = sy * inverse, gx = xx * ex + xy * ey, gy = xy * ex + yy * ey;
        double cx = xy * ex - xx * ey, cy = yy * ex - xy * ey, cw = x * cy - y * cx;
        lane[0][l] += weight * gx;
        lane[1][l] += weight * gy;
        lane[2][l] += weight * (x * gy - y * gx);
        lane[3][l] += bend * cx * cx;
        lane[4][l] += bend * cx * cy;
        lane[5][l] += bend * cx * cw;
        lane[6][l] += bend * cy * cy;
        lane[7][l] += bend * cy * cw;
        lane[8][l] += bend * cw * cw;
    }
}

void ss_ring_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    round_patch r = {.floor = floor, .radius = radius, .q = q, .share = 1.0};
    double sum[SUMS];
    round_trip(&r, ring_node);
    add_up(&r, sum);
    ss_grain_power(sum, q, 1.0 / two_pi, out);
}

// length, unit (2), turn (xx, xy, yy): s' = D (V + w J r)/w, n' dl' across its way.
static void disk_node(round_patch* r, const four_nodes* at)
{
    const double xx = r->floor->d[0], xy = r->floor->d[1], yy = r->floor->d[3], radius = r->radius;
    const double by = 1.0 / r->q[2], ax = xx * by, axy = xy * by, ay = yy * by;
    double(*restrict lane)[LANES] = r->lane;
    for (int l = 0; l < LANES; l++) {
        double sx = ax * at->x[l] + axy * at->y[l], sy = axy * at->x[l] + ay * at->y[l];
        double size = sqrt(sx * sx + sy * sy), inverse = 1.0 / (size + DBL_MIN);
        double ex = sx * inverse, ey = sy * inverse, along = radius * at->weight[l];
        double nx = -along * (xy * at->c[l] + yy * at->s[l]), ny = along * (xx * at->c[l] + xy * at->s[l]);
        lane[0][l] += size * (sx * nx + sy * ny);
        lane[1][l] += size * nx;
        lane[2][l] += size * ny;
        lane[3][l] += ex * nx;
        lane[4][l] += ex * ny + ey * nx;
        lane[5][l] += ey * ny;
    }
}

// Gauss' rule for the square of the radius, and nodes all round: with all velocities within 1/ratio of their
// mean both are exact to rounding. n nodes leave ratio^-4n along the radius, and ratio^-n all round.
static void far_disk(round_patch* r, double ratio, ss_power* out)
{
    int n = ratio > 1e3 ? 2 : ratio > 150.0 ? 3 : ratio > 40.0 ? 4 : ratio > 10.0 ? 5 : 10;
    int stride = CIRCLE / (ratio > 150.0 ? 8 : ratio > 10.0 ? 16 : 32);
    ss_gauss_rule rule = ss_gauss_of(n);
    double whole = r->radius, sum[SUMS];
    clear_sums(r);
    for (int k = 0; k < n; k++) {
        r->radius = whole * sqrt(rule.node[k]);
        r->share = rule.weight[k] / two_pi;
        all_round(r, ring_node, 1, stride);
    }
    add_up(r, sum);
    ss_grain_power(sum, r->q, 1.0, out);
}

void ss_disk_power_on(const ss_floor* floor, double radius, const double q[3], ss_power* out)
{
    round_patch r = {.floor = floor, .radius = radius, .q = q, .share = 1.0};
    const double* d = floor->d;
    double speed = hypot(d[0] * q[0] + d[1] * q[1], d[2] * q[0] + d[3] * q[1]), sum[SUMS];
    double size = hypot(hypot(d[0], d[1]), hypot(d[2], d[3]));
    double ratio = speed / (fabs(q[2]) * radius * size);
    if (ratio > 3.0) {
        far_disk(&r, ratio, out);
        return;
    }
    double area = 0.5 * two_pi * radius * radius * (d[0] * d[3] - d[1] * d[2]);
    round_trip(&r, disk_node);
    add_up(&r, sum);
    for (int k = 0; k < 6; k++) sum[k] /= area;
    const ss_area_means means = {sum[0] / 3.0, {sum[1], sum[2]}, {sum[3], 0.5 * sum[4], sum[5]}};
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
