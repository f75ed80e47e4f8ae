// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How fast the Hessian of a patch can change: what clearing the sphere of motions needs. At the motion q =
// (V, w) a direction a is tau q + (b, 0) with tau = a_w/w and b = a_V - tau V, |b|^2 <= 1 + C^2, C = |V|/|w|
// the distance of the centre of rotation from the centre of mass. Because D^2 Phi q = 0,
//
//     D^3 Phi(a, a, a) = D^3 Phi(b, b, b) - 3 tau D^2 Phi(b, b)
//                     <= level/w^2 ((1 + C^2)^(3/2) G3 + 3 (1 + C^2) G2)
//
// G2 and G3 bound second and third derivatives of the mean of |s'|, s' = D J (r - c), over the patch. The
// mean of 1/|s'| is largest for a disc round its own centre: G2 = 2 |D|^2 sqrt(pi/area'). A step of c by h
// changes the mean of a kernel below 1/|s'| by its integral over the strip that the boundary sweeps. Within a
// distance r of c a convex curve is no longer than 2 pi r, and the strip no larger than 2 pi r h or pi r^2,
// so that the change is at most 2 pi h (2 - log 2 + log(size/h)) for each convex curve: G3 is that by h,
// times |D|^3/area'.
//
// Away from the patch, all of it moves at least with |v| - |w| R, and its grains are points. Of a ring there
// is no area: the mean of 1/|r - c|^2 round it is 1/|R^2 - c^2|.
#include "slider/shape/patch.h"

static const double pi = 3.14159265358979323846;
static const double third = 1.1547005383792517; // 2/sqrt(3): largest third derivative of |u|, times |u|^2

typedef struct cell_view {    // least and largest values in the cell
    double spin[2], speed[2]; // |w|, |v|
    double way;               // |V|, at most
    double stretch, least;    // largest and least eigenvalue of the floor
} cell_view;

static void look(const ss_element* e, const ss_floor* floor, const double q[3], double delta, cell_view* v)
{
    const double* d = floor->d;
    double x = q[0] - q[2] * e->y, y = q[1] + q[2] * e->x, speed = sqrt(x * x + y * y), spin = fabs(q[2]);
    double change = delta * sqrt(1.0 + e->x * e->x + e->y * e->y);
    double mean = 0.5 * (d[0] + d[3]), half = hypot(0.5 * (d[0] - d[3]), d[1]);
    *v = (cell_view){.spin = {fmax(spin - delta, 0.0), spin + delta},
                     .speed = {fmax(speed - change, 0.0), speed + change},
                     .way = hypot(q[0], q[1]) + delta,
                     .stretch = mean + half,
                     .least = mean - half};
}

static double cube(double x) { return x * x * x; }

// Each grain is a point that moves at least with `slowest`.
static double bend_from_outside(const ss_element* e, const cell_view* v)
{
    double slowest = v->speed[0] - v->spin[1] * e->radius, place = hypot(e->x, e->y) + e->radius;
    if (!(slowest > 0.0)) return INFINITY;
    double size = v->stretch * sqrt(1.0 + place * place), slip = v->least * slowest;
    return third * e->level * cube(size) / (slip * slip);
}

static double bend_of_ring(const ss_element* e, const cell_view* v)
{
    double outside = v->speed[0] - v->spin[1] * e->radius, inside = v->spin[0] * e->radius - v->speed[1];
    double gap = fmax(outside, inside), place = hypot(e->x, e->y) + e->radius;
    if (!(gap > 0.0)) return INFINITY;
    double size = v->stretch * sqrt(1.0 + place * place), sum = v->speed[0] + v->spin[0] * e->radius;
    return third * e->level * cube(size) / (v->least * v->least * gap * sum);
}

// Area of the patch, and how many convex curves bound it.
static double area_of(const ss_element* e, double* curves)
{
    *curves = e->patch == SS_SUPPORT_ANNULUS ? 2.0 : 1.0;
    if (e->patch != SS_SUPPORT_POLYGON) return pi * (e->radius - e->inner) * (e->radius + e->inner);
    *curves = fmax(1.0, e->vertex_count / pi); // an edge is no longer than 2 r there, convex or not
    return e->area;
}

static double bend_of_area(const ss_element* e, const cell_view* v, double delta)
{
    double curves, area = area_of(e, &curves) * v->stretch * v->least, w = v->spin[0];
    if (!(w > 0.0)) return INFINITY;
    double c2 = 1.0 + v->way * v->way / (w * w), step = v->least * delta / w;
    double size = v->stretch * (v->speed[1] / w + e->radius);
    double g2 = 2.0 * v->stretch * v->stretch * sqrt(pi / area);
    double g3 = cube(v->stretch) / area * curves * 2.0 * pi * (1.4 + log(fmax(size / step, 1.0)));
    return e->level / (w * w) * (c2 * sqrt(c2) * g3 + 3.0 * c2 * g2);
}

double ss_patch_bend(const ss_element* e, const ss_floor* floor, const double q[3], double delta)
{
    cell_view v;
    look(e, floor, q, delta, &v);
    if (e->patch == SS_SUPPORT_RING) return bend_of_ring(e, &v);
    return fmin(bend_from_outside(e, &v), bend_of_area(e, &v, delta));
}

bool ss_patch_is_fine(const ss_element* e, const double q[3], double delta)
{
    return delta * (1.0 + hypot(e->x, e->y)) <= 0.05 * e->radius * fabs(q[2]);
}
