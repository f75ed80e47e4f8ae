// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Power, load and its derivatives at a motion, and what an applied load does, in SI.
#include "slider/surface/push.h"
#include "slider/surface/surface_load.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The motion in units of speed of the paper; its length does not matter to load and choice.
static int evaluate(const ss_slider* s, double angle, const double motion[3], ss_power* out)
{
    double q[3] = {motion[0] / s->unit_speed, motion[1] / s->unit_speed, motion[2] * s->unit_time};
    ss_floor floor = ss_floor_at(s, angle);
    return ss_slider_sum(s, &floor, q, NULL, out);
}

double ss_slider_power(const ss_slider* slider, double angle_rad, const double motion[3])
{
    ss_power f;
    evaluate(slider, angle_rad, motion, &f);
    return f.phi * slider->unit_force * slider->unit_speed;
}

bool ss_slider_load(const ss_slider* slider, double angle_rad, const double motion[3], double load[3])
{
    ss_power f;
    int choices = evaluate(slider, angle_rad, motion, &f);
    load[0] = f.p[0] * slider->unit_force;
    load[1] = f.p[1] * slider->unit_force;
    load[2] = f.p[2] * slider->unit_moment;
    return choices == 0;
}

bool ss_slider_hessian(const ss_slider* slider, double angle_rad, const double motion[3], double hessian[9])
{
    ss_power f;
    int choices = evaluate(slider, angle_rad, motion, &f);
    const double load[3] = {slider->unit_force, slider->unit_force, slider->unit_moment};
    const double per[3] = {slider->unit_speed, slider->unit_speed, 1.0 / slider->unit_time};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) hessian[3 * i + j] = f.h[3 * i + j] * load[i] / per[j];
    return choices == 0;
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

static ss_status check_push(const ss_push* push, ss_error* err)
{
    double length = hypot(push->normal[0], push->normal[1]);
    if (!isfinite(push->at[0]) || !isfinite(push->at[1]))
        return ss_fail(err, SS_BAD_INPUT, "at", "must be two finite numbers");
    if (!(isfinite(length) && length > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "normal", "must be a direction, not [%g, %g]", push->normal[0],
                       push->normal[1]);
    if (!(isfinite(push->mu) && push->mu >= 0.0))
        return ss_fail(err, SS_BAD_INPUT, "mu", "must not be negative, not %g", push->mu);
    if (!isfinite(push->finger[0]) || !isfinite(push->finger[1]))
        return ss_fail(err, SS_BAD_INPUT, "finger", "must be two finite numbers");
    return SS_OK;
}

ss_status ss_slider_push(const ss_slider* slider, double angle_rad, const ss_push* push, ss_push_answer* out,
                         ss_error* err)
{
    ss_status status = check_push(push, err);
    if (status != SS_OK) return status;
    double length = hypot(push->normal[0], push->normal[1]);
    ss_floor floor = ss_floor_at(slider, angle_rad);
    ss_finger finger = {.x = push->at[0] / slider->unit_length,
                        .y = push->at[1] / slider->unit_length,
                        .normal = {push->normal[0] / length, push->normal[1] / length},
                        .mu = push->mu,
                        .v = {push->finger[0] / slider->unit_speed, push->finger[1] / slider->unit_speed}};
    ss_pushed pushed;
    ss_push_decide(slider, &floor, &finger, NULL, &pushed);
    *out = (ss_push_answer){.mode = pushed.mode, .determined = pushed.determined};
    memcpy(out->cone, pushed.cone, sizeof out->cone);
    for (int i = 0; i < 2; i++) {
        out->motion[i] = pushed.q[i] * slider->unit_speed;
        out->force[i] = pushed.force[i] * slider->unit_force;
    }
    out->motion[2] = pushed.q[2] / slider->unit_time;
    return SS_OK;
}
