// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The dual of the power: how far a load reaches. 1/gauge is the least power among the motions q with load . q
// = 1, a convex problem in two variables. Where the least power is off all kinks, Newton's method finds it
// from nearby; else it is followed on the powers rounded off to sqrt(Phi_i^2 + (f_i eps)^2), with eps brought
// down to rounding.
#include "core/tolerance.h"
#include "slider/surface/load_field.h"
#include "slider/surface/push.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct plane {
    const ss_slider* slider;
    const ss_floor* floor;
    const double* applied;        // takes its power away; may be NULL
    double origin[3], axis[2][3]; // q = origin + x axis[0] + y axis[1]
    double eps;
} plane;

typedef struct flat {
    double value, gradient[2], h[3]; // xx, xy, yy
} flat;

static void motion_at(const plane* p, const double x[2], double q[3])
{
    for (int i = 0; i < 3; i++) q[i] = p->origin[i] + x[0] * p->axis[0][i] + x[1] * p->axis[1][i];
}

static flat evaluate(const plane* p, const double x[2])
{
    double q[3];
    ss_power all;
    motion_at(p, x, q);
    ss_rounded_power(p->slider, p->floor, NULL, NULL, p->eps, q, &all);
    for (int i = 0; i < 3 && p->applied; i++) {
        all.phi -= p->applied[i] * q[i];
        all.p[i] -= p->applied[i];
    }
    flat f = {.value = all.phi};
    for (int i = 0; i < 3; i++) {
        const double *row = &all.h[3 * i], *u = p->axis[0], *v = p->axis[1];
        double hu = row[0] * u[0] + row[1] * u[1] + row[2] * u[2],
               hv = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        f.gradient[0] += all.p[i] * u[i];
        f.gradient[1] += all.p[i] * v[i];
        f.h[0] += hu * u[i];
        f.h[1] += hu * v[i];
        f.h[2] += hv * v[i];
    }
    return f;
}

typedef enum progress { FALLS, ENDS, STUCK } progress; // ENDS: no more than rounding is to be won

static progress newton_step(const plane* p, double x[2], flat* f)
{
    double floor = SS_NOISE * (f->h[0] + f->h[2]) + DBL_MIN; // keeps flat directions solvable
    double values[2], e[2];
    ss_eigen2(f->h, values, e);
    double along = (f->gradient[0] * e[0] + f->gradient[1] * e[1]) / fmax(values[0], floor);
    double across = (f->gradient[1] * e[0] - f->gradient[0] * e[1]) / fmax(values[1], floor);
    double step[2] = {along * e[0] - across * e[1], along * e[1] + across * e[0]};
    double slope = step[0] * f->gradient[0] + step[1] * f->gradient[1];
    if (!(slope > 4.0 * DBL_EPSILON * f->value)) {
        // The last step sharpens the place, not the value; along a flat direction it would be rounding alone.
        bool sharpens = hypot(step[0], step[1]) <= 1e-6 * (hypot(x[0], x[1]) + ss_norm3(p->origin));
        for (int k = 0; k < 2 && sharpens; k++) x[k] -= step[k];
        return sharpens ? ENDS : STUCK;
    }
    double t = 2.5;
    for (int k = 0; k < 50; k++) { // beside a kink the step may be longer than all that matters, by 1e20
        t *= 0.4;
        double trial[2] = {x[0] - t * step[0], x[1] - t * step[1]};
        flat next = evaluate(p, trial);
        if (!(next.value < f->value - 1e-4 * t * slope)) continue;
        x[0] = trial[0];
        x[1] = trial[1];
        *f = next;
        return FALLS;
    }
    return STUCK;
}

// From x on, with nothing rounded off. Convex: where the slope vanishes is the least.
static bool settles(plane* p, double x[2])
{
    enum { STEPS = 20 };
    progress last = FALLS;
    p->eps = 0.0;
    flat f = evaluate(p, x);
    for (int n = 0; n < STEPS && last == FALLS; n++) last = newton_step(p, x, &f);
    return last == ENDS && isfinite(x[0] + x[1]);
}

static void follow_down(plane* p, double scale, double x[2])
{
    x[0] = x[1] = 0.0;
    for (int k = 0; k <= 15; k++) {
        p->eps = scale * pow(10.0, -k);
        flat f = evaluate(p, x);
        for (int n = 0; n < 60; n++)
            if (newton_step(p, x, &f) != FALLS) break;
    }
    p->eps = 0.0;
}

// The motion to begin with, scaled into the plane.
static void begin(const plane* p, const double near[3], const double load[3], double x[2])
{
    double power = near ? load[0] * near[0] + load[1] * near[1] + load[2] * near[2] : 0.0;
    for (int k = 0; k < 2; k++) {
        x[k] = 0.0;
        for (int i = 0; i < 3 && power > 0.0; i++) x[k] += p->axis[k][i] * near[i] / power;
    }
}

// All motions q with load . q = 1.
static plane plane_of(const ss_slider* slider, const ss_floor* floor, const double load[3])
{
    double size2 = load[0] * load[0] + load[1] * load[1] + load[2] * load[2], size = sqrt(size2);
    plane p = {.slider = slider, .floor = floor};
    int least = fabs(load[0]) <= fabs(load[1]) ? 0 : 1;
    if (fabs(load[2]) < fabs(load[least])) least = 2;
    double u[3] = {load[0] / size, load[1] / size, load[2] / size},
           unit[3] = {least == 0, least == 1, least == 2};
    double length = sqrt(1.0 - u[least] * u[least]);
    for (int i = 0; i < 3; i++) {
        p.origin[i] = u[i] / size;
        p.axis[0][i] = (unit[i] - u[least] * u[i]) / length;
    }
    for (int i = 0; i < 3; i++)
        p.axis[1][i] = u[(i + 1) % 3] * p.axis[0][(i + 2) % 3] - u[(i + 2) % 3] * p.axis[0][(i + 1) % 3];
    return p;
}

double ss_surface_gauge(const ss_slider* slider, const ss_floor* floor, const double load[3],
                        double motion[3])
{
    return ss_surface_gauge_near(slider, floor, load, NULL, motion);
}

double ss_surface_gauge_near(const ss_slider* slider, const ss_floor* floor, const double load[3],
                             const double near[3], double motion[3])
{
    double size2 = load[0] * load[0] + load[1] * load[1] + load[2] * load[2], size = sqrt(size2);
    if (size == 0.0) {
        if (motion) motion[0] = motion[1] = motion[2] = 0.0;
        return 0.0;
    }
    plane p = plane_of(slider, floor, load);
    double x[2], q[3], level = 0.0;
    begin(&p, near, load, x);
    if (!settles(&p, x)) follow_down(&p, 1.0 / size, x);
    motion_at(&p, x, q);
    double power = evaluate(&p, x).value;
    double speed = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3 && motion; i++) motion[i] = q[i] / speed;
    for (int i = 0; i < slider->element_count; i++) level += slider->elements[i].level;
    return power > SS_SUM_NOISE * level / size ? 1.0 / power : INFINITY;
}

// ---- a load beside one that is there already

// Whether a point that does not move at q can give what is missing there: then q is the least.
static bool is_facet(const plane* p, const ss_element* e, const double load[3], double q[3])
{
    double turn = load[0] * e->y - load[1] * e->x + load[2], m[4];
    if (e->kind != SS_ELEMENT_POINT || fabs(turn) <= SS_RELATIVE_ZERO * ss_norm3(load)) return false;
    const ss_motion_line line = {p->slider, p->floor, p->applied, {0}, {0}, {0}};
    ss_balance at;
    ss_power f;
    q[0] = e->y / turn;
    q[1] = -e->x / turn;
    q[2] = 1.0 / turn;
    ss_push_load(&line, q, &f, &at);
    double power = ss_dot3(at.load, q); // homogeneous
    const double lack[2] = {power * load[0] - at.load[0], power * load[1] - at.load[1]};
    if (at.still_count != 1) return false;
    ss_point_ellipse(e, p->floor, m);
    double det = m[0] * m[3] - m[1] * m[2];
    return hypot(m[3] * lack[0] - m[1] * lack[1], m[0] * lack[1] - m[2] * lack[0]) <
           fabs(det) * (1.0 - SS_CLEAR); // on its rim, it may be one end of many
}

static bool find_facet(const plane* p, const double load[3], double q[3])
{
    for (int i = 0; i < p->slider->element_count; i++)
        if (is_facet(p, &p->slider->elements[i], load, q)) return true;
    return false;
}

// Where the power is flat about q, the smallest motion of those that take as little.
static void make_smallest(const plane* p, double q[3], bool* determined)
{
    ss_motion_line line = {p->slider, p->floor, p->applied, {0}, {0}, {0}};
    ss_balance at;
    ss_power f;
    double across[3], level = 0.0;
    for (int i = 0; i < p->slider->element_count; i++) level += p->slider->elements[i].level;
    ss_push_load(&line, q, &f, &at);
    for (int pass = 0; pass < 2 && at.still_count == 0; pass++) {
        double h[3] = {0}, values[2], e[2];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                h[0] += p->axis[0][i] * f.h[3 * i + j] * p->axis[0][j];
                h[1] += p->axis[0][i] * f.h[3 * i + j] * p->axis[1][j];
                h[2] += p->axis[1][i] * f.h[3 * i + j] * p->axis[1][j];
            }
        ss_eigen2(h, values, e);
        if (values[0] > SS_CLEAR * level / ss_norm3(q)) return;
        for (int i = 0; i < 3; i++)
            across[i] = pass == 0 ? e[0] * p->axis[0][i] + e[1] * p->axis[1][i]
                                  : e[0] * p->axis[1][i] - e[1] * p->axis[0][i];
        if (pass == 1 && values[1] > SS_CLEAR * level / ss_norm3(q)) return;
        memcpy(line.from, q, sizeof line.from);
        memcpy(line.along, across, sizeof across);
        memcpy(line.across, across, sizeof across);
        if (!ss_line_balance(&line, &at)) return;
        *determined = *determined && at.determined;
        memcpy(q, at.q, sizeof at.q);
    }
}

double ss_surface_reach(const ss_slider* slider, const ss_floor* floor, const double applied[3],
                        const double load[3], double motion[3], bool* determined)
{
    enum { FEW = 16 };
    plane p = plane_of(slider, floor, load);
    double x[2] = {0.0, 0.0};
    p.applied = applied;
    *determined = true;
    // A look at the facets costs the square of the elements; next to them Newton's method is slow.
    bool few = slider->element_count <= FEW;
    if (!(few && find_facet(&p, load, motion))) {
        if (!settles(&p, x) && (few || !find_facet(&p, load, motion)))
            follow_down(&p, 1.0 / ss_norm3(load), x);
        motion_at(&p, x, motion);
    }
    make_smallest(&p, motion, determined);
    ss_power f;
    ss_slider_sum(slider, floor, motion, NULL, &f);
    return f.phi - (applied ? ss_dot3(applied, motion) : 0.0);
}
