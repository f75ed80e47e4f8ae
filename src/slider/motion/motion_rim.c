// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The centre of rotation passes over the rim of a patch: for a moment a point of the rim is at rest. Loads
// are not analytic there. With d the distance of the centre from the rim that of an area has a term d^2 log
// d, that of a ring d log d, and a step across makes an error like its third power, or its second, of which
// its own estimate may see next to nothing. Steps therefore end before the rim, begin again behind it with
// steps as long as the way from it, and only one so short that its error is nothing goes across.
//
// A centre that comes nearer without end never passes: with the time left to the rim at its present speed,
// left = -d/d', a passing centre has left' = -1, one whose distance decays has left' about 0, and d has no
// zero near enough in time to matter. A ring, which ends turning about a point of itself, is of this kind.
// The time left at both ends of a step tells which it was, so that a longer step is tried and judged
// afterwards.
#include "slider/motion/slide_impl.h"

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

// The length of a step that is nothing beside a rim of a patch, although it goes across.
static double negligible(const ss_slide* s, const ss_element* e, double speed)
{
    static const double share = 1.0;
    // In a time `across` the centre of rotation moves by a radius; the error of a step h over the rim is that
    // of a load `level` over it, times the power (h/across)^2 or ^1.
    double across = e->radius / (fabs(speed) + DBL_MIN);
    double hole = e->patch == SS_SUPPORT_ANNULUS ? e->inner / e->radius : 0.0;
    double level = e->level * s->made.strength_of_floor * (1.0 + e->radius) / ((1.0 - hole) * (1.0 + hole));
    double allowed = share * fmax(s->def.tolerance, 4.0 * DBL_EPSILON) *
                     fmax(s->step.speed_scale, ss_norm3(s->course.now.u)) / (level * across);
    double nothing = e->patch == SS_SUPPORT_RING ? sqrt(allowed) : cbrt(allowed);
    return fmin(nothing, 1.0) * across;
}

// When the centre of rotation will pass the rim, from its approaches at the beginning and (unless `after` is
// NULL) at the end of a step of length h.
static double time_of_passage(const approach* now, const approach* after, double h)
{
    double left = fabs(now->distance) / (fabs(now->speed) + DBL_MIN);
    if (!after || now->distance * after->distance <= 0.0 || after->distance * after->speed >= 0.0)
        return left;
    double later = fabs(after->distance) / fabs(after->speed);
    return later < left ? h * left / (left - later) : INFINITY;
}

// How long a step may be.
typedef struct limits {
    double sure;  // whatever the centre of rotation does
    double hoped; // if it comes nearer without end
} limits;

// The same beside one rim. after: the approach at the end of a step of length h, if it was tried.
static limits limits_at(const ss_slide* s, const ss_element* e, const approach* now, const approach* after,
                        double h)
{
    static const double before = 0.9, hope = 6.0, behind = 3.0;
    if (fabs(now->distance) > e->radius) return (limits){INFINITY, INFINITY};
    bool nears = now->distance * now->speed < 0.0;
    double passage = time_of_passage(now, nears ? after : NULL, h), least = negligible(s, e, now->speed);
    return (limits){fmax((nears ? before : behind) * passage, least),
                    fmax((nears ? hope : behind) * passage, least)};
}

// Motion of the centre of rotation in the body.
typedef struct centre {
    double place[2], velocity[2];
} centre;

static centre centre_of(const double u[3], const double a[3])
{
    double slows = a[2] / u[2];
    return (centre){{-u[1] / u[2], u[0] / u[2]},
                    {-(a[1] - slows * u[1]) / u[2], (a[0] - slows * u[0]) / u[2]}};
}

// Rims of a patch: the circles of a round one, the edges of a polygon.
static int rim_count(const ss_element* e)
{
    bool hole = e->patch == SS_SUPPORT_ANNULUS && e->inner > 0.0;
    return e->vertex_count > 0 ? e->vertex_count : hole ? 2 : 1;
}

static approach to_rim(const ss_element* e, int rim, const centre* from)
{
    double c[2] = {from->place[0] - e->x, from->place[1] - e->y};
    if (e->vertex_count > 0) return to_edge(e, rim, c, from->velocity);
    return to_circle(rim == 0 ? e->radius : e->inner, c, from->velocity);
}

// The shortest over all rims.
static limits shortest(const ss_slide* s, const centre* now, const centre* after, double h)
{
    limits least = {INFINITY, INFINITY};
    for (int i = 0; i < s->made.patch_count; i++) {
        const ss_element* e = &s->slider->elements[s->made.patches[i]];
        for (int rim = 0; rim < rim_count(e); rim++) {
            approach from = to_rim(e, rim, now), to = after ? to_rim(e, rim, after) : from;
            limits at = limits_at(s, e, &from, after ? &to : NULL, h);
            least = (limits){fmin(least.sure, at.sure), fmin(least.hoped, at.hoped)};
        }
    }
    return least;
}

void ss_slide_rim_limit(const ss_slide* s, double* sure, double* hoped)
{
    double a[3];
    *sure = *hoped = INFINITY;
    if (s->made.patch_count == 0 || s->course.now.u[2] == 0.0 || s->step.straight) return;
    ss_slide_project(s, s->step.seen_a[0], a);
    centre now = centre_of(s->course.now.u, a);
    limits least = shortest(s, &now, NULL, 0.0);
    *sure = least.sure;
    *hoped = least.hoped;
}

double ss_slide_rim_verdict(const ss_slide* s, double h)
{
    double a[3], b[3];
    const double* end = s->step.seen_u[SS_RK_STAGES - 1];
    ss_slide_project(s, s->step.seen_a[0], a);
    ss_slide_project(s, s->step.seen_a[SS_RK_STAGES - 1], b);
    centre now = centre_of(s->course.now.u, a), after = centre_of(end, b);
    bool turns = end[2] * s->course.now.u[2] > 0.0; // the same way: the centre did not go to infinity
    return shortest(s, &now, turns ? &after : NULL, h).sure;
}
