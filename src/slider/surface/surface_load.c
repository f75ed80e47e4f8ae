// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The load at a motion, facets included, and the answers in SI.
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The velocity of the place, against the size of what is subtracted in it.
bool ss_element_is_still(const ss_element* e, const double q[3], double tolerance)
{
    double v[2], size = hypot(q[0], q[1]) + fabs(q[2]) * hypot(e->x, e->y), enough = tolerance * size;
    ss_element_velocity(e, q, v);
    double slip = e->along[0] * v[0] + e->along[1] * v[1], roll = e->rolls[0] * v[0] + e->rolls[1] * v[1];
    switch (e->kind) {
    case SS_ELEMENT_POINT: return hypot(v[0], v[1]) <= enough;
    case SS_ELEMENT_LINE: return fabs(slip) <= enough;
    case SS_ELEMENT_RATCHET:
        return fabs(slip) <= enough && roll >= -enough; // with no slip the floor does not matter
    case SS_ELEMENT_PATCH: return size + fabs(q[2]) * e->radius == 0.0;
    }
    return false;
}

bool ss_surface_load(const ss_slider* slider, const ss_floor* floor, const double q[3],
                     const double effective[3], double load[3], bool still[])
{
    int n = slider->element_count, count = 0;
    for (int i = 0; i < n; i++)
        count += still[i] = ss_element_is_still(&slider->elements[i], q, 8.0 * DBL_EPSILON);
    ss_power moving;
    ss_slider_sum(slider, floor, q, still, &moving);
    memcpy(load, moving.p, 3 * sizeof *load);
    if (count == 0) return false;
    double wanted[3], held[3], rest[3];
    for (int i = 0; i < 3; i++) wanted[i] = effective[i] - moving.p[i];
    ss_surface_closest(slider, floor, still, q, wanted, held, rest, still + n);
    for (int i = 0; i < 3; i++) load[i] += held[i];
    return true;
}
