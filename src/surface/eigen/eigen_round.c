// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions of a body of revolution: rings, disks, annuli and a point, all at the centre of mass. Phi
// depends on V and w alone, so they come in circles: translations, rotations about the centre, and any V > 0,
// w > 0 with
//
//     Phi_w/w = Phi_V/V                                                    [GRP91, section 6]
//
// On the quarter circle V = cos a, w = sin a, the slope Phi_w rises with a and Phi_V falls, for Phi is
// convex. That bounds both sides on an interval, and intervals where they cannot meet are cleared.
#include "core/tolerance.h"
#include "surface/eigen/eigen_directions.h"

#include <float.h>
#include <math.h>

static bool is_round(const ss_search* s)
{
    if (!s->field.floor.is_plain) return false;
    for (int i = 0; i < s->field.count; i++) {
        const ss_element* e = s->field.parts[i].element;
        bool point = e->kind == SS_ELEMENT_POINT && e->ellipse[0] == e->ellipse[3] && e->ellipse[1] == 0.0;
        bool patch = e->kind == SS_ELEMENT_PATCH && e->patch != SS_SUPPORT_POLYGON;
        if (!(point || patch) || e->x != 0.0 || e->y != 0.0) return false;
    }
    return true;
}

// Phi_V and Phi_w at an angle of the quarter circle.
static void slopes(const ss_search* s, double angle, double out[2])
{
    ss_power f;
    const double q[3] = {cos(angle), 0.0, sin(angle)};
    ss_field_at(&s->field, NULL, q, &f);
    out[0] = f.p[0];
    out[1] = f.p[2];
}

static double excess(const ss_search* s, double angle)
{
    double f[2];
    slopes(s, angle, f);
    return f[1] / sin(angle) - f[0] / cos(angle);
}

static bool cannot_meet(const ss_search* s, double a, double b)
{
    double fa[2], fb[2];
    slopes(s, a, fa);
    slopes(s, b, fb);
    return fa[1] / sin(b) > fa[0] / cos(b) || fb[1] / sin(a) < fb[0] / cos(a);
}

// A centre of rotation on a ring, to rounding: the curvature vanishes there, as 1/log.
static bool is_on_rim(const ss_search* s, double V, double w)
{
    for (int i = 0; i < s->field.count; i++) {
        const ss_element* e = s->field.parts[i].element;
        if (e->kind == SS_ELEMENT_PATCH && e->patch == SS_SUPPORT_RING &&
            fabs(V - w * e->radius) <= 8.0 * DBL_EPSILON * V)
            return true;
    }
    return false;
}

static ss_status add_turning(ss_search* s, double angle)
{
    const double c = cos(angle), w = sin(angle), q[3] = {c, 0.0, w}, along[3] = {-w, 0.0, c};
    ss_power f;
    double radius = 0.0;
    ss_field_at(&s->field, NULL, q, &f);
    for (int i = 0; i < 3; i++) radius += along[i] * ss_dot3(&f.h[3 * i], along);
    if (is_on_rim(s, c, w)) radius = INFINITY;
    ss_eigen_direction d = {.q = {c, 0, w}, .load = {f.phi * c, 0, f.phi * w}, .magnitude = f.phi};
    d.radii[0] = fmin(radius, f.phi);
    d.radii[1] = fmax(radius, f.phi);
    d.center[0] = w > 0.0 ? 0.0 : NAN;
    d.center[1] = w > 0.0 ? c / w : NAN;
    d.is_circle = true;
    d.turns = w > 0.0;
    d.axis[2] = 1.0;
    double over = (radius - f.phi) / f.phi;
    d.stability = over > SS_CLEAR ? SS_STABLE : over < -SS_CLEAR ? SS_UNSTABLE : SS_NEUTRAL;
    return ss_search_add(s, &d);
}

// A stretch [a, b] that could not be cleared: where the excess changes sign there is one, found by halving to
// rounding.
static ss_status settle(ss_search* s, double a, double b)
{
    double fa = excess(s, a), fb = excess(s, b);
    if (!((fa < 0.0 && fb > 0.0) || (fa > 0.0 && fb < 0.0))) return SS_OK;
    while (b - a > DBL_EPSILON * b) {
        double m = 0.5 * (a + b), fm = excess(s, m);
        if (m <= a || m >= b) break;
        if ((fm < 0.0) == (fa < 0.0))
            a = m;
        else
            b = m;
    }
    return add_turning(s, 0.5 * (a + b));
}

// Cleared stretches end in one that is not; neighbours that are not belong together.
typedef struct stretch {
    double a, b; // b <= a: none open
} stretch;

static ss_status divide(ss_search* s, double a, double b, int depth, stretch* open)
{
    s->cells++;
    if (cannot_meet(s, a, b)) {
        ss_status status = open->b > open->a ? settle(s, open->a, open->b) : SS_OK;
        open->a = open->b = b;
        return status;
    }
    if (depth == 0) {
        if (open->b <= open->a) open->a = a;
        open->b = b;
        return SS_OK;
    }
    ss_status status = divide(s, a, 0.5 * (a + b), depth - 1, open);
    return status == SS_OK ? divide(s, 0.5 * (a + b), b, depth - 1, open) : status;
}

ss_status ss_search_round(ss_search* s, bool* applies)
{
    *applies = is_round(s);
    if (!*applies) return SS_OK;
    const double half_pi = 1.57079632679489661923, axis[3] = {0, 0, 1};
    ss_eigen_direction rotation;
    ss_status status = ss_search_judge(s, axis, &rotation) ? ss_search_add(s, &rotation) : SS_OK;
    if (status == SS_OK) status = add_turning(s, 0.0);
    stretch open = {0, 0};
    // Lengths double away from both ends, so that the bounds are as good there as anywhere.
    for (int k = -24; k < 0 && status == SS_OK; k++)
        status = divide(s, ldexp(1.0, k) * 0.5, ldexp(1.0, k), 9, &open);
    if (status == SS_OK) status = divide(s, 0.5, half_pi - 0.5, 11, &open);
    for (int k = -1; k > -24 && status == SS_OK; k--)
        status = divide(s, half_pi - ldexp(1.0, k), half_pi - ldexp(0.5, k), 9, &open);
    if (status == SS_OK && open.b > open.a) status = settle(s, open.a, open.b);
    return status;
}
