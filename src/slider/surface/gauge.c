// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The dual of the power: how far a load reaches. 1/gauge is the least power among the motions q with load . q
// = 1, a convex problem in two variables. Newton's method solves it on the powers rounded off to sqrt(Phi_i^2
// + (f_i eps)^2), with eps brought down to rounding.
#include "core/tolerance.h"
#include "slider/surface/surface.h"

#include <float.h>
#include <math.h>

typedef struct plane {
    const ss_slider* slider;
    const ss_floor* floor;
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

static bool newton_step(const plane* p, double x[2], flat* f)
{
    double floor = SS_NOISE * (f->h[0] + f->h[2]) + DBL_MIN; // keeps flat directions solvable
    double a = f->h[0] + floor, b = f->h[1], c = f->h[2] + floor, det = a * c - b * b;
    if (!(det > 0.0)) return false;
    double step[2] = {(c * f->gradient[0] - b * f->gradient[1]) / det,
                      (a * f->gradient[1] - b * f->gradient[0]) / det};
    double slope = step[0] * f->gradient[0] + step[1] * f->gradient[1];
    if (!(slope > 4.0 * DBL_EPSILON * f->value)) return false;
    double t = 2.5;
    for (int k = 0; k < 50; k++) { // beside a kink the step may be longer than all that matters, by 1e20
        t *= 0.4;
        double trial[2] = {x[0] - t * step[0], x[1] - t * step[1]};
        flat next = evaluate(p, trial);
        if (!(next.value < f->value - 1e-4 * t * slope)) continue;
        x[0] = trial[0];
        x[1] = trial[1];
        *f = next;
        return true;
    }
    return false;
}

static double least_power(plane* p, double scale, double q[3])
{
    double x[2] = {0, 0};
    for (int k = 0; k <= 15; k++) {
        p->eps = scale * pow(10.0, -k);
        flat f = evaluate(p, x);
        for (int n = 0; n < 60; n++)
            if (!newton_step(p, x, &f)) break;
    }
    p->eps = 0.0;
    motion_at(p, x, q);
    return evaluate(p, x).value;
}

double ss_surface_gauge(const ss_slider* slider, const ss_floor* floor, const double load[3],
                        double motion[3])
{
    double size2 = load[0] * load[0] + load[1] * load[1] + load[2] * load[2], size = sqrt(size2);
    if (motion) motion[0] = motion[1] = motion[2] = 0.0;
    if (size == 0.0) return 0.0;
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
    double q[3], power = least_power(&p, 1.0 / size, q), level = 0.0;
    double speed = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3 && motion; i++) motion[i] = q[i] / speed;
    for (int i = 0; i < slider->element_count; i++) level += slider->elements[i].level;
    return power > SS_SUM_NOISE * level / size ? 1.0 / power : INFINITY;
}
