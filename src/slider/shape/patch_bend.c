// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How fast the Hessian of a patch can change: what clearing the sphere of motions needs. At the motion q =
// (V, w) a direction a is tau q + (b, 0) with tau = a_w/w and b = a_V - tau V, |b|^2 <= 1 + C^2, C = |V|/|w|
// the distance of the centre of rotation from the centre of mass. Because D^2 Phi q = 0,
//
//     D^3 Phi(a, a, a) = D^3 Phi(b, b, b) - 3 tau D^2 Phi(b, b)
//
// With u = D (V + w J r) the slip of a place r on the floor D, e its unit vector and e' the one across,
// D^2 |u|(b, b) = (b . D e')^2/|u|. A step b of the velocity is a step of r by b/w: over an area that shifts
// the boundary, and D^3 Phi(b, b, b) is an integral along it,
//
//     |D^3 Phi(b, b, b)| <= level/(area |w|) |b|^3 int |D e'|^2/|u| dl
//
// The boundary is cut into pieces so short that e and |u| hardly change on them, whatever the motion of the
// cell (patch_rim.c). Where the centre of rotation may be on the boundary, that fails next to it. A step of
// the centre by h changes the mean of 1/|s| by its integral over the strip that the boundary sweeps. Within a
// distance r of a place a convex curve is no longer than 2 pi r, and the strip no larger than 2 pi r h or pi
// r^2, so that up to a distance d it is at most 2 pi h (2 - log 2 + log(d/h)) for each convex curve;
// integrated over the step, 1/2 is added to the logarithm.
//
// Away from the patch, all of it moves at least with |v| - |w| R, and its grains are points.
#include "slider/shape/patch.h"
#include "slider/shape/rim.h"

static const double pi = 3.14159265358979323846;
static const double third = 1.1547005383792517; // 2/sqrt(3): largest third derivative of |u|, times |u|^2

typedef struct cell_view {    // least and largest values among the motions around q
    double spin[2], speed[2]; // |w|, |v| of the patch's centre
    double change;            // of v
    double tau[2], b[2];      // of the directions t_i: |t_w|/|w|, |t_V - t_w V/w|
    double reach;             // by how much V/w differs
    double grain[2];          // the velocity that t_i gives to places of the patch
    double stretch, least;    // largest and least eigenvalue of the floor
} cell_view;

// With x t_0 + y t_1 added to q, V/w changes by (x b_0 + y b_1)/w', w' the spin there.
static void look(const ss_element* e, const ss_floor* floor, const ss_around* around, cell_view* v)
{
    const double *d = floor->d, *q = around->q;
    double mean = 0.5 * (d[0] + d[3]), half = hypot(0.5 * (d[0] - d[3]), d[1]), turn = 0.0, step = 0.0;
    double speed = hypot(q[0] - q[2] * e->y, q[1] + q[2] * e->x), spin = fabs(q[2]);
    *v = (cell_view){.stretch = mean + half, .least = mean - half};
    for (int i = 0; i < 2; i++) {
        const double* t = around->t[i];
        double move = hypot(t[0] - t[2] * e->y, t[1] + t[2] * e->x), c = t[2] / q[2];
        v->change += around->d[i] * move;
        v->grain[i] = move + fabs(t[2]) * e->radius;
        v->b[i] = hypot(t[0] - c * q[0], t[1] - c * q[1]);
        turn += around->d[i] * fabs(t[2]);
        step += around->d[i] * v->b[i];
    }
    v->spin[0] = fmax(spin - turn, 0.0);
    v->spin[1] = spin + turn;
    v->speed[0] = fmax(speed - v->change, 0.0);
    v->speed[1] = speed + v->change;
    v->reach = step / v->spin[0];
    for (int i = 0; i < 2; i++) {
        v->tau[i] = fabs(around->t[i][2]) / v->spin[0];
        v->b[i] += fabs(around->t[i][2]) * v->reach;
    }
}

static double cube(double x) { return x * x * x; }

// third |x| |y| |z| + second (sum of tau_x |y| |z|), for all choices of the two directions.
static void lower(double bend[4], double third_factor, const double size[2], double second,
                  const double tau[2])
{
    double x = size[0], y = size[1];
    const double sums[4] = {3.0 * tau[0] * x * x, tau[1] * x * x + 2.0 * tau[0] * x * y,
                            tau[0] * y * y + 2.0 * tau[1] * x * y, 3.0 * tau[1] * y * y};
    const double products[4] = {x * x * x, x * x * y, x * y * y, y * y * y};
    for (int k = 0; k < 4; k++) bend[k] = fmin(bend[k], third_factor * products[k] + second * sums[k]);
}

// Each grain is a point that moves at least with `slowest`. On a floor that is not plain its slip is best
// seen from the one of the centre, in size and direction.
static double bend_from_outside(const ss_element* e, const ss_floor* floor, const double q[3],
                                const cell_view* v)
{
    const double* d = floor->d;
    double slowest = v->speed[0] - v->spin[1] * e->radius;
    double slip = v->least * slowest, kernel = third * cube(v->stretch), bend = INFINITY;
    if (slowest > 0.0) bend = kernel / (slip * slip);
    double x = q[0] - q[2] * e->y, y = q[1] + q[2] * e->x, ux = d[0] * x + d[1] * y, uy = d[2] * x + d[3] * y;
    double size = sqrt(ux * ux + uy * uy);
    double change = v->change + v->spin[1] * e->radius;
    double share = v->stretch * change / size;
    if (share < 1.0) { // the unit vector turns by a chord of at most sqrt(2) share
        double ex = ux / size, ey = uy / size, turn = 1.4143 * share * v->stretch;
        double along = hypot(d[0] * ex + d[1] * ey, d[2] * ex + d[3] * ey) + turn;
        double slow = size * (1.0 - share);
        double across = (d[0] * d[3] - d[1] * d[2]) * (sqrt(x * x + y * y) + change) / slow;
        bend = fmin(bend, ss_rim_third(along, across, v->stretch) / (slow * slow));
    }
    return e->level * bend;
}

// The mean of 1/|r - c|^2 round a ring is 1/|R^2 - c^2|.
static double bend_of_ring(const ss_element* e, const cell_view* v)
{
    double outside = v->speed[0] - v->spin[1] * e->radius, inside = v->spin[0] * e->radius - v->speed[1];
    double gap = fmax(outside, inside), sum = v->speed[0] + v->spin[0] * e->radius;
    return gap > 0.0 ? third * e->level * cube(v->stretch) / (v->least * v->least * gap * sum) : INFINITY;
}

// Area of the patch, and how many convex curves bound it.
static double area_of(const ss_element* e, double* curves)
{
    *curves = e->patch == SS_SUPPORT_ANNULUS ? 2.0 : 1.0;
    if (e->patch != SS_SUPPORT_POLYGON) return pi * (e->radius - e->inner) * (e->radius + e->inner);
    *curves = fmax(1.0, e->vertex_count / pi); // an edge is no longer than 2 r there, convex or not
    return e->area;
}

// Where the patch turns about a place of the cell, from what happens along its boundary. second: the norm of
// its Hessian for translations at q, which may grow by what it depends on itself.
static void bend_of_turning(const ss_element* e, const ss_floor* floor, const ss_around* around,
                            const cell_view* v, double second, double bend[4])
{
    const double *q = around->q, *d = around->d;
    double w = v->spin[0], curves, area = area_of(e, &curves), turn = d[0] * v->tau[0] + d[1] * v->tau[1];
    if (!(w > 0.0 && turn < 1.0)) return;
    ss_rim rim = {.d = floor->d, .stretch = v->stretch, .least = v->least, .reach = v->reach};
    rim.cx = q[0] / q[2] - e->y;
    rim.cy = q[1] / q[2] + e->x;
    ss_rim_add(&rim, e);
    if (e->patch == SS_SUPPORT_RING) {
        double share = e->level / (2.0 * pi * e->radius * w);
        if (!rim.is_near) lower(bend, share * rim.third / w, v->b, share * rim.second, v->tau);
        return;
    }
    if (rim.is_near)
        rim.second += curves * 2.0 * pi * v->stretch * v->stretch / v->least * (1.9 + log(ss_rim_near));
    double along = e->level / (area * w * w) * rim.second; // |D^3 Phi(b, b, b)|/|b|^3
    double most = (second + along * (d[0] * v->b[0] + d[1] * v->b[1])) / (1.0 - turn);
    lower(bend, along, v->b, most, v->tau);
}

void ss_patch_bend(const ss_element* e, const ss_floor* floor, const ss_around* around, const double h[9],
                   double bend[4])
{
    static const double none[2] = {0};
    cell_view v;
    look(e, floor, around, &v);
    for (int k = 0; k < 4; k++) bend[k] = INFINITY;
    double outside = bend_from_outside(e, floor, around->q, &v);
    if (e->patch == SS_SUPPORT_RING) outside = fmin(outside, bend_of_ring(e, &v));
    if (isfinite(outside)) lower(bend, outside, v.grain, 0.0, none);
    bend_of_turning(e, floor, around, &v, 0.5 * (h[0] + h[4] + hypot(h[0] - h[4], 2.0 * h[1])), bend);
}

bool ss_patch_is_fine(const ss_element* e, const ss_around* around)
{
    cell_view v;
    look(e, &(ss_floor){.d = {1, 0, 0, 1}}, around, &v);
    return v.spin[0] > 0.0 && v.reach <= 0.05 * e->radius;
}
