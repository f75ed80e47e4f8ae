// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A slider as a whole: made from its definition, asked for its numbers in SI.
#include "slider/slider.h"

#include "core/definition.h"
#include "share/quantity.h"
#include "slider/shape/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ss_status need_positive(double value, const char* field, ss_error* err)
{
    if (isfinite(value) && value > 0.0) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, field, "must be positive, not %g", value);
}

static ss_status set_units(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    ss_status status = need_positive(def->mass_kg, "slider.mass", err);
    if (status == SS_OK) status = need_positive(def->gyration_m, "slider.gyration", err);
    if (status == SS_OK) status = need_positive(def->gravity, "slider.gravity", err);
    if (status != SS_OK) return status;
    s->mass = def->mass_kg;
    s->gyration = s->unit_length = def->gyration_m;
    s->gravity = def->gravity;
    s->unit_force = s->mass * s->gravity;
    s->unit_moment = s->unit_force * s->unit_length;
    s->unit_time = sqrt(s->gyration / s->gravity);
    s->unit_speed = sqrt(s->gyration * s->gravity);
    bool fits = isnormal(s->unit_force) && isnormal(s->unit_moment) && isnormal(s->unit_time) &&
                isnormal(s->unit_speed);
    return fits ? SS_OK
                : ss_fail(err, SS_BAD_INPUT, "slider", "mass, gyration and gravity differ too much in size");
}

static ss_status set_floor(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    for (int i = 0; i < 2; i++) {
        ss_status status =
            need_positive(def->floor_mu[i], i ? "slider.floor.mu[1]" : "slider.floor.mu[0]", err);
        if (status != SS_OK) return status;
        s->floor_mu[i] = def->floor_mu[i];
    }
    double length = hypot(def->floor_axis[0], def->floor_axis[1]);
    if (!(isfinite(length) && length > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "slider.floor.axis", "must be a direction, not [%g, %g]",
                       def->floor_axis[0], def->floor_axis[1]);
    s->floor_angle = atan2(def->floor_axis[1], def->floor_axis[0]);
    s->floor_is_anisotropic = s->floor_mu[0] != s->floor_mu[1];
    return SS_OK;
}

// A factor that is the same along and across belongs to the levels.
static void settle_floor(ss_slider* s)
{
    if (s->floor_is_anisotropic) return;
    for (int i = 0; i < s->element_count; i++)
        if (!s->elements[i].is_bearing) {
            s->elements[i].level *= s->floor_mu[0];
            for (int k = 0; k < 4; k++) s->elements[i].ellipse[k] *= s->floor_mu[0];
        }
    for (int i = 0; i < s->support_count; i++) s->support_levels[i] *= s->floor_mu[0];
    s->floor_mu[0] = s->floor_mu[1] = 1.0;
}

// A load that is always 0 is none: the motion is that of a slider without it, to the bit.
static ss_status clone_load(const ss_signal* load, ss_signal** out, ss_error* err)
{
    bool none = !load || (ss_signal_is_constant(load) && ss_signal_value(load, 0.0) == 0.0);
    return none ? SS_OK : ss_signal_clone(load, out, err);
}

static ss_status clone_signals(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    ss_status status = clone_load(def->force_x, &s->force_x, err);
    if (status == SS_OK) status = clone_load(def->force_y, &s->force_y, err);
    if (status == SS_OK) status = clone_load(def->moment, &s->moment, err);
    s->applied_in_body = def->applied_in_body;
    return status;
}

static ss_status set_start(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    static const char* const fields[] = {"start.slider.x",  "start.slider.y",  "start.slider.angle",
                                         "start.slider.vx", "start.slider.vy", "start.slider.spin"};
    for (int i = 0; i < 6; i++) {
        double value = i < 3 ? def->start[i] : def->start_speed[i - 3];
        if (!isfinite(value)) return ss_fail(err, SS_BAD_INPUT, fields[i], "must be a finite number");
        *(i < 3 ? &s->start[i] : &s->start_speed[i - 3]) = value;
    }
    if (!(def->until_s >= 0.0))
        return ss_fail(err, SS_BAD_INPUT, "run.until", "must not be negative, not %g", def->until_s);
    s->until = def->until_s;
    return SS_OK;
}

static ss_status create(const ss_slider_def* def, ss_slider** out, ss_error* err)
{
    ss_slider* s = ss_new(1, sizeof *s);
    if (!s) return ss_fail_no_memory(err);
    const char* title = def->title ? def->title : "";
    ss_status status = set_units(s, def, err);
    if (status == SS_OK) status = set_floor(s, def, err);
    if (status == SS_OK) status = ss_slider_build(s, def, err);
    if (status == SS_OK) settle_floor(s);
    if (status == SS_OK) status = clone_signals(s, def, err);
    if (status == SS_OK) status = set_start(s, def, err);
    if (status == SS_OK && !(s->title = ss_pool_text(&s->pool, title, strlen(title))))
        status = ss_fail_no_memory(err);
    if (status == SS_OK)
        *out = s;
    else
        ss_slider_destroy(s);
    return status;
}

ss_status ss_slider_create(const ss_slider_def* def, ss_slider** out, ss_error* err)
{
    const ss_support_def standard = ss_support_def_default();
    ss_slider_def own = ss_slider_def_default();
    const void* supports = NULL;
    void* copy = NULL;
    *out = NULL;
    ss_status status = ss_take_def(&own, sizeof own, def, "ss_slider_def_default", err);
    if (status == SS_OK)
        status = ss_take_list(own.supports, own.support_count, own.support_size, &standard, sizeof standard,
                              &supports, &copy, err);
    own.supports = supports;
    own.support_size = sizeof standard;
    if (status == SS_OK) status = create(&own, out, err);
    free(copy);
    return status;
}

void ss_slider_destroy(ss_slider* slider)
{
    if (!slider) return;
    ss_signal_destroy(slider->force_x);
    ss_signal_destroy(slider->force_y);
    ss_signal_destroy(slider->moment);
    ss_pool_free(&slider->pool);
    free(slider);
}

ss_slider_info ss_slider_get_info(const ss_slider* slider)
{
    ss_slider_info info = {.title = slider->title,
                           .mass_kg = slider->mass,
                           .gyration_m = slider->gyration,
                           .gravity = slider->gravity,
                           .until_s = slider->until,
                           .support_count = slider->support_count,
                           .floor_is_anisotropic = slider->floor_is_anisotropic};
    memcpy(info.start, slider->start, sizeof info.start);
    memcpy(info.start_speed, slider->start_speed, sizeof info.start_speed);
    return info;
}

ss_support_info ss_slider_get_support(const ss_slider* slider, int support)
{
    const double* place = &slider->support_places[2 * support];
    return (ss_support_info){.kind = slider->support_kinds[support],
                             .level_N = slider->support_levels[support],
                             .place = {place[0], place[1]},
                             .load = slider->support_loads[support]};
}

const char* ss_support_kind_name(ss_support_kind kind)
{
    static const char* const names[] = {"point", "wheel", "ring", "disk", "annulus", "polygon", "pressure"};
    return names[kind];
}
