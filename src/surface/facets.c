// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The facets of the limit surface, one by one: a point with v = 0 at the motion n = (y, -x, 1) leaves an
// ellipse of loads B^T M e, |e| <= 1, all of them across n.
#include "core/tolerance.h"
#include "slider/surface/load_field.h"
#include "slider/surface/surface_load.h"
#include "slipstick/surface.h"

#include <math.h>
#include <string.h>

// Semi-axes of the ellipse a cos + b sin: the columns turned until they are at right angles.
static void principal_axes(const double a[3], const double b[3], double axes[2][3])
{
    double turn = 0.5 * atan2(2.0 * ss_dot3(a, b), ss_dot3(a, a) - ss_dot3(b, b)), c = cos(turn),
           s = sin(turn);
    for (int i = 0; i < 3; i++) {
        axes[1][i] = c * a[i] + s * b[i]; // the longer
        axes[0][i] = c * b[i] - s * a[i];
    }
}

static void set_facet(const ss_slider* slider, const ss_floor* floor, const ss_element* e, double sign,
                      ss_facet* out)
{
    double length = sqrt(1.0 + e->x * e->x + e->y * e->y), m[4], a[3] = {0}, b[3] = {0};
    ss_power rest = {0};
    out->support = e->support;
    out->normal[0] = sign * e->y / length;
    out->normal[1] = -sign * e->x / length;
    out->normal[2] = sign / length;
    for (int i = 0; i < slider->element_count; i++)
        if (!ss_element_is_still(&slider->elements[i], out->normal, SS_RELATIVE_ZERO))
            ss_element_power(&slider->elements[i], floor, out->normal, &rest);
    memcpy(out->center, rest.p, sizeof out->center);
    out->distance = rest.phi;
    ss_point_ellipse(e, floor, m);
    ss_element_push(e, (double[]){m[0], m[2]}, a);
    ss_element_push(e, (double[]){m[1], m[3]}, b);
    principal_axes(a, b, out->axes);
}

int ss_slider_facets(const ss_slider* slider, double angle_rad, ss_facet facets[], int room)
{
    ss_floor floor = ss_floor_at(slider, angle_rad);
    int count = 0;
    for (int i = 0; i < slider->element_count; i++) {
        const ss_element* e = &slider->elements[i];
        if (e->kind != SS_ELEMENT_POINT) continue;
        for (int sign = 1; sign >= -1; sign -= 2, count++)
            if (count < room) set_facet(slider, &floor, e, sign, &facets[count]);
    }
    return count;
}
