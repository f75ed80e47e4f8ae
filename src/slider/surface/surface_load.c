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

static void to_units(const ss_slider* s, const double si[3], double out[3])
{
    out[0] = si[0] / s->unit_force;
    out[1] = si[1] / s->unit_force;
    out[2] = si[2] / s->unit_moment;
}

static void to_si(const ss_slider* s, const double p[3], double si[3])
{
    si[0] = p[0] * s->unit_force;
    si[1] = p[1] * s->unit_force;
    si[2] = p[2] * s->unit_moment;
}

static ss_status check_three(const double x[3], const char* what, ss_error* err)
{
    if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, what, "must be three finite numbers");
}

ss_status ss_slider_sliding_load(const ss_slider* slider, double angle_rad, const double motion[3],
                                 const double applied[3], ss_sliding_load* out, ss_error* err)
{
    static const double none[3] = {0};
    if (!applied) applied = none;
    ss_status status = check_three(motion, "motion", err);
    if (status == SS_OK) status = check_three(applied, "applied", err);
    if (status != SS_OK) return status;
    if (motion[0] == 0.0 && motion[1] == 0.0 && motion[2] == 0.0)
        return ss_fail(err, SS_BAD_INPUT, "motion", "must not be 0: at rest the load is what is applied");
    bool* still = ss_new(3 * (size_t)slider->element_count, sizeof *still);
    if (!still) return ss_fail_no_memory(err);
    ss_floor floor = ss_floor_at(slider, angle_rad);
    double q[3] = {motion[0] / slider->unit_speed, motion[1] / slider->unit_speed,
                   motion[2] * slider->unit_time};
    double effective[3], p[3];
    to_units(slider, applied, effective);
    effective[0] += q[2] * q[1]; // convection [GRP91, (4)]: the body frame turns under the velocity
    effective[1] -= q[2] * q[0];
    out->facet = ss_surface_load(slider, &floor, q, effective, p, still);
    to_si(slider, p, out->load);
    out->power = (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) * slider->unit_force * slider->unit_speed;
    free(still);
    return SS_OK;
}

ss_status ss_slider_first_motion(const ss_slider* slider, double angle_rad, const double applied[3],
                                 ss_first_motion* out, ss_error* err)
{
    ss_status status = check_three(applied, "applied", err);
    if (status != SS_OK) return status;
    bool* held = ss_new(2 * (size_t)slider->element_count, sizeof *held);
    if (!held) return ss_fail_no_memory(err);
    ss_floor floor = ss_floor_at(slider, angle_rad);
    double wanted[3], p[3], g[3];
    to_units(slider, applied, wanted);
    ss_surface_closest(slider, &floor, NULL, NULL, wanted, p, g, held);
    out->sticks = g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0;
    to_si(slider, p, out->load);
    out->acceleration[0] = g[0] * slider->gravity;
    out->acceleration[1] = g[1] * slider->gravity;
    out->acceleration[2] = g[2] * slider->gravity / slider->gyration;
    out->gauge = ss_surface_gauge(slider, &floor, wanted, NULL);
    free(held);
    return SS_OK;
}

double ss_slider_gauge(const ss_slider* slider, double angle_rad, const double load[3])
{
    double p[3];
    ss_floor floor = ss_floor_at(slider, angle_rad);
    to_units(slider, load, p);
    return ss_surface_gauge(slider, &floor, p, NULL);
}
