// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The centre of rotation passes over the rim of a patch: for a moment a point of the rim is at rest. Loads
// are not analytic there. With d the distance of the centre from the rim that of an area has a term d^2 log
// d, that of a ring d log d, and a step across makes an error like its third power, or its second, of which
// its own estimate may see next to nothing. Steps therefore end before the rim, begin again behind it with
// steps as long as the way from it, and only one so short that its error is nothing goes across.
#include "slider/motion/motion.h"

#include <float.h>
#include <math.h>

// The nearest point of a rim to the centre of rotation c, all relative to the centre of the patch.
static void nearest_on_circle(double radius, const double c[2], double p[2])
{
    double far = hypot(c[0], c[1]), share = far > 0.0 ? radius / far : 0.0;
    p[0] = far > 0.0 ? share * c[0] : radius;
    p[1] = share * c[1];
}

static void nearest_on_edge(const ss_element* e, int edge, const double c[2], double p[2])
{
    const double *a = &e->vertices[2 * edge], *b = &e->vertices[2 * ((edge + 1) % e->vertex_count)];
    double along[2] = {b[0] - a[0], b[1] - a[1]}, square = along[0] * along[0] + along[1] * along[1];
    double share = ((c[0] - a[0]) * along[0] + (c[1] - a[1]) * along[1]) / square;
    share = fmin(fmax(share, 0.0), 1.0);
    for (int k = 0; k < 2; k++) p[k] = a[k] + share * along[k];
}

// How long a step may be for the point p of a rim: its speed is the distance of the centre of rotation times
// the spin.
static double limit_at(const ss_slide* s, const ss_element* e, const double a[3], const double p[2])
{
    static const double before = 0.9, behind = 3.0, share = 1.0;
    const double *u = s->course.now.u, x = e->x + p[0], y = e->y + p[1];
    double z[2] = {u[0] - u[2] * y, u[1] + u[2] * x}, c[2] = {a[0] - a[2] * y, a[1] + a[2] * x};
    double rate = z[0] * c[0] + z[1] * c[1], square = z[0] * z[0] + z[1] * z[1];
    double left = square / (fabs(rate) + DBL_MIN), limit = (rate < 0.0 ? before : behind) * left;
    // In a time `across` the centre of rotation moves by a radius; the error of a step h over the rim is that
    // of a load `level` over it, times the power (h/across)^2 or ^1.
    double across = e->radius * fabs(u[2]) / (hypot(c[0], c[1]) + DBL_MIN);
    if (left > across) return INFINITY;
    double hole = e->patch == SS_SUPPORT_ANNULUS ? e->inner / e->radius : 0.0;
    double level = e->level * s->made.strength_of_floor * (1.0 + e->radius) / ((1.0 - hole) * (1.0 + hole));
    double allowed = share * fmax(s->def.tolerance, 4.0 * DBL_EPSILON) *
                     fmax(s->step.speed_scale, ss_norm3(u)) / (level * across);
    double nothing = e->patch == SS_SUPPORT_RING ? sqrt(allowed) : cbrt(allowed);
    return fmax(limit, fmin(nothing, 1.0) * across);
}

// The shortest over the rims of a patch: its circles, or its edges.
static double limit_of(const ss_slide* s, const ss_element* e, const double a[3])
{
    const double *u = s->course.now.u, c[2] = {-u[1] / u[2] - e->x, u[0] / u[2] - e->y};
    double least = INFINITY, p[2];
    for (int i = 0; i < e->vertex_count; i++) {
        nearest_on_edge(e, i, c, p);
        least = fmin(least, limit_at(s, e, a, p));
    }
    if (e->vertex_count > 0) return least;
    nearest_on_circle(e->radius, c, p);
    least = limit_at(s, e, a, p);
    if (e->patch != SS_SUPPORT_ANNULUS || !(e->inner > 0.0)) return least;
    nearest_on_circle(e->inner, c, p);
    return fmin(least, limit_at(s, e, a, p));
}

double ss_slide_rim_limit(const ss_slide* s)
{
    double least = INFINITY, a[3];
    if (s->made.patch_count == 0 || s->course.now.u[2] == 0.0 || s->step.straight) return least;
    ss_slide_project(s, s->step.seen_a[0], a);
    for (int i = 0; i < s->made.patch_count; i++)
        least = fmin(least, limit_of(s, &s->slider->elements[s->made.patches[i]], a));
    return least;
}
