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

// The centre of rotation seen from a rim.
typedef struct approach {
    double distance; // from the nearest point of the rim, to its outside or inside
    double speed;    // at which it changes; motion along the rim is none
} approach;

// c: the centre of rotation from the centre of the patch, and v: its velocity in the body.
static approach to_circle(double radius, const double c[2], const double v[2])
{
    double far = hypot(c[0], c[1]);
    return (approach){far - radius, far > 0.0 ? (c[0] * v[0] + c[1] * v[1]) / far : hypot(v[0], v[1])};
}

static approach to_edge(const ss_element* e, int edge, const double c[2], const double v[2])
{
    const double *a = &e->vertices[2 * edge], *b = &e->vertices[2 * ((edge + 1) % e->vertex_count)];
    double along[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(along[0], along[1]);
    double share = ((c[0] - a[0]) * along[0] + (c[1] - a[1]) * along[1]) / (length * length);
    if (share < 0.0 || share > 1.0) { // nearest is a corner: a rim without length
        const double* p = share < 0.0 ? a : b;
        return to_circle(0.0, (double[2]){c[0] - p[0], c[1] - p[1]}, v);
    }
    double across[2] = {-along[1] / length, along[0] / length};
    return (approach){(c[0] - a[0]) * across[0] + (c[1] - a[1]) * across[1],
                      v[0] * across[0] + v[1] * across[1]};
}

// How long a step may be beside a rim of a patch.
static double limit_at(const ss_slide* s, const ss_element* e, approach to)
{
    static const double before = 0.9, behind = 3.0, share = 1.0;
    if (fabs(to.distance) > e->radius) return INFINITY;
    double left = fabs(to.distance) / (fabs(to.speed) + DBL_MIN);
    double limit = (to.distance * to.speed < 0.0 ? before : behind) * left;
    // In a time `across` the centre of rotation moves by a radius; the error of a step h over the rim is that
    // of a load `level` over it, times the power (h/across)^2 or ^1.
    double across = e->radius / (fabs(to.speed) + DBL_MIN);
    double hole = e->patch == SS_SUPPORT_ANNULUS ? e->inner / e->radius : 0.0;
    double level = e->level * s->made.strength_of_floor * (1.0 + e->radius) / ((1.0 - hole) * (1.0 + hole));
    double allowed = share * fmax(s->def.tolerance, 4.0 * DBL_EPSILON) *
                     fmax(s->step.speed_scale, ss_norm3(s->course.now.u)) / (level * across);
    double nothing = e->patch == SS_SUPPORT_RING ? sqrt(allowed) : cbrt(allowed);
    return fmax(limit, fmin(nothing, 1.0) * across);
}

// The shortest over the rims of a patch: its circles, or its edges.
static double limit_of(const ss_slide* s, const ss_element* e, const double a[3])
{
    const double *u = s->course.now.u, slows = a[2] / u[2];
    double c[2] = {-u[1] / u[2] - e->x, u[0] / u[2] - e->y}, least = INFINITY;
    double v[2] = {-(a[1] - slows * u[1]) / u[2], (a[0] - slows * u[0]) / u[2]};
    for (int i = 0; i < e->vertex_count; i++) least = fmin(least, limit_at(s, e, to_edge(e, i, c, v)));
    if (e->vertex_count > 0) return least;
    least = limit_at(s, e, to_circle(e->radius, c, v));
    if (e->patch != SS_SUPPORT_ANNULUS || !(e->inner > 0.0)) return least;
    return fmin(least, limit_at(s, e, to_circle(e->inner, c, v)));
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
