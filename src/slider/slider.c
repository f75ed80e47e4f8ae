// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A slider as a whole: made from its definition, asked for its numbers in SI.
#include "slider/slider_impl.h"

#include "core/definition.h"
#include "core/expression/signal_series.h"
#include "share/quantity.h"
#include "slider/finger/push_together.h"
#include "slider/shape/build_slider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status need_positive(double value, const char* field, ss_error* err)
{
    if (isfinite(value) && value > 0.0) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, field, "must be positive, not %g", value);
}

// Units are those of the gravity at the start; where there is none, of that of the earth.
static ss_status take_gravity(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    if (!def->gravity_signal) return SS_OK;
    double first = ss_signal_value(def->gravity_signal, 0.0);
    if (!isfinite(first) || first < 0.0)
        return ss_fail(err, SS_BAD_INPUT, "slider.gravity", "must not be negative, but is %g m/s^2 at t = 0",
                       first);
    s->gravity = first > 0.0 ? first : 9.81;
    return ss_signal_clone(def->gravity_signal, &s->varying.gravity, err);
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
    status = take_gravity(s, def, err);
    if (status != SS_OK) return status;
    s->press = def->floor.tilt_rad == 0.0 ? 1.0 : cos(def->floor.tilt_rad);
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
    for (int i = 0; i < s->supports.count; i++) s->supports.levels[i] *= s->floor_mu[0];
    s->floor_mu[0] = s->floor_mu[1] = 1.0;
}

// A load that is always 0 is none: the motion is that of a slider without it, to the bit.
static ss_status clone_load(const ss_signal* load, ss_signal** out, ss_error* err)
{
    bool none = !load || (ss_signal_is_constant(load) && ss_signal_value(load, 0.0) == 0.0);
    return none ? SS_OK : ss_signal_clone(load, out, err);
}

static ss_status add_load(ss_slider* s, const ss_load_def* def, ss_error* err)
{
    ss_load* load = &s->loads[s->load_count++];
    if (!isfinite(def->at_m[0]) || !isfinite(def->at_m[1]))
        return ss_fail(err, SS_BAD_INPUT, "slider.applied.at", "must be finite numbers");
    ss_status status = clone_load(def->force_x, &load->force_x, err);
    if (status == SS_OK) status = clone_load(def->force_y, &load->force_y, err);
    if (status == SS_OK) status = clone_load(def->moment, &load->moment, err);
    load->in_body = def->in_body;
    load->x = def->at_m[0] / s->unit_length;
    load->y = def->at_m[1] / s->unit_length;
    if (status == SS_OK && !load->force_x && !load->force_y && !load->moment) s->load_count--;
    return status;
}

static ss_status set_loads(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    if (def->load_count < 1) return SS_OK;
    s->loads = ss_pool_new(&s->pool, (size_t)def->load_count, sizeof *s->loads);
    if (!s->loads) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    for (int i = 0; i < def->load_count && status == SS_OK; i++) status = add_load(s, &def->loads[i], err);
    return status;
}

// ---- the floor's motion

// One of two signals that tell the same; `place` may not jump.
static ss_status one_of(const ss_signal* speed, const ss_signal* place, const char* field, const char* other,
                        ss_signal** own_speed, ss_signal** own_place, ss_error* err)
{
    if (speed && place)
        return ss_fail(err, SS_BAD_INPUT, field, "expected either this or %s, not both", other);
    if (place && ss_signal_jumps(place)) return ss_fail(err, SS_BAD_INPUT, field, "must not jump");
    ss_status status = clone_load(speed, own_speed, err);
    bool rests = place && ss_signal_is_constant(place);
    return status == SS_OK && !rests ? clone_load(place, own_place, err) : status;
}

static ss_status set_tilt(ss_slider* s, const ss_floor_def* def, ss_error* err)
{
    const double upright = 1.57079632679489661923;
    double length = hypot(def->downhill[0], def->downhill[1]);
    if (!(def->tilt_rad >= 0.0 && def->tilt_rad < upright))
        return ss_fail(err, SS_BAD_INPUT, "slider.floor.tilt", "must be from 0 to below 90 deg, not %g rad",
                       def->tilt_rad);
    if (def->tilt_rad == 0.0) return SS_OK;
    if (!(isfinite(length) && length > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "slider.floor.downhill", "must be a direction such as [1, 0]");
    for (int i = 0; i < 2; i++) s->motion.weight[i] = sin(def->tilt_rad) * (def->downhill[i] / length);
    return SS_OK;
}

static ss_status set_floor_motion(ss_slider* s, const ss_floor_def* def, ss_error* err)
{
    ss_floor_motion* m = &s->motion;
    ss_status status = one_of(def->velocity_x, def->position_x, "slider.floor.position[0]", "velocity",
                              &m->speed[0], &m->place[0], err);
    if (status == SS_OK)
        status = one_of(def->velocity_y, def->position_y, "slider.floor.position[1]", "velocity",
                        &m->speed[1], &m->place[1], err);
    if (status == SS_OK)
        status = one_of(def->spin, def->angle, "slider.floor.angle", "spin", &m->spin, &m->angle, err);
    if (status != SS_OK) return status;
    m->turns = m->spin || m->angle;
    m->moves = m->turns || m->speed[0] || m->speed[1] || m->place[0] || m->place[1];
    for (int i = 0; i < 2; i++) {
        if (!isfinite(def->center_m[i]))
            return ss_fail(err, SS_BAD_INPUT, "slider.floor.center", "must be finite numbers");
        m->center[i] = def->center_m[i] / s->unit_length;
    }
    return set_tilt(s, def, err);
}

// ---- fingers

static ss_status pusher_fault(int i, const char* field, const char* text, double value, ss_error* err)
{
    char path[64];
    snprintf(path, sizeof path, "slider.pushers[%d].%s", i, field);
    return ss_fail(err, SS_BAD_INPUT, path, text, value);
}

static ss_status add_pusher(ss_slider* s, const ss_pusher_def* def, ss_error* err)
{
    int i = s->pusher_count;
    ss_pusher* own = &s->pushers[i];
    for (int k = 0; k < 2; k++) {
        if (!isfinite(def->at_m[k]))
            return pusher_fault(i, "at", "must be finite, not %g", def->at_m[k], err);
        own->at[k] = def->at_m[k] / s->unit_length;
    }
    if (!(isfinite(def->mu) && def->mu >= 0.0))
        return pusher_fault(i, "mu", "must not be negative or infinite, not %g", def->mu, err);
    own->mu = def->mu;
    ss_status status = clone_load(def->velocity_x, &own->speed[0], err);
    s->pusher_count++;
    return status == SS_OK ? clone_load(def->velocity_y, &own->speed[1], err) : status;
}

static ss_status set_pushers(ss_slider* s, const ss_slider_def* def, ss_error* err)
{
    s->quasistatic = def->quasistatic;
    if (def->pusher_count < 1) return SS_OK;
    if (def->pusher_count > SS_FINGERS_MOST)
        return ss_fail(err, SS_BAD_INPUT, "slider.pushers", "at most %d fingers can push at once, not %d",
                       SS_FINGERS_MOST, def->pusher_count);
    if (def->pusher_count > 1 && s->floor_is_anisotropic)
        return ss_fail(err, SS_BAD_INPUT, "slider.pushers",
                       "several fingers need a floor that is alike in all directions");
    if (!(s->outline.radius > 0.0) && s->outline.count == 0)
        return ss_fail(err, SS_BAD_INPUT, "slider.pushers", "fingers need an outline to push against");
    s->pushers = ss_pool_new(&s->pool, (size_t)def->pusher_count, sizeof *s->pushers);
    if (!s->pushers) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    for (int i = 0; i < def->pusher_count && status == SS_OK; i++)
        status = add_pusher(s, &def->pushers[i], err);
    return status;
}

// Without inertia nothing keeps a velocity of the start.
static ss_status check_quasistatic(const ss_slider* s, ss_error* err)
{
    static const char* const fields[] = {"start.slider.vx", "start.slider.vy", "start.slider.spin"};
    for (int i = 0; i < 3 && s->quasistatic; i++)
        if (s->start_speed[i] != 0.0)
            return ss_fail(err, SS_BAD_INPUT, fields[i],
                           "a quasi-static slider has no velocity of its own; expected 0, not %g",
                           s->start_speed[i]);
    return SS_OK;
}

static void list_signal(ss_slider* s, const ss_signal* signal)
{
    if (signal) s->varying.signals[s->varying.signal_count++] = signal;
}

// All that varies in time, side by side.
static ss_status list_signals(ss_slider* s, ss_error* err)
{
    const ss_floor_motion* m = &s->motion;
    size_t most = 7 + 3 * (size_t)s->load_count + 2 * (size_t)s->pusher_count;
    s->varying.signals = ss_pool_new(&s->pool, most, sizeof *s->varying.signals);
    if (!s->varying.signals) return ss_fail_no_memory(err);
    for (int i = 0; i < s->load_count; i++) {
        list_signal(s, s->loads[i].force_x);
        list_signal(s, s->loads[i].force_y);
        list_signal(s, s->loads[i].moment);
    }
    for (int i = 0; i < 2; i++) {
        list_signal(s, m->speed[i]);
        list_signal(s, m->place[i]);
    }
    list_signal(s, s->varying.gravity);
    list_signal(s, m->spin);
    list_signal(s, m->angle);
    for (int i = 0; i < 2 * s->pusher_count; i++) list_signal(s, s->pushers[i / 2].speed[i % 2]);
    return SS_OK;
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

static ss_status check_gravity(const ss_slider* s, ss_error* err)
{
    double t;
    if (!ss_slider_lifts_off(s, 0.0, s->until, &t)) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "slider.gravity",
                   "becomes negative at t = %.9g s: a slider that lifts off is not modelled", t);
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
    if (status == SS_OK) status = set_loads(s, def, err);
    if (status == SS_OK) status = set_floor_motion(s, &def->floor, err);
    if (status == SS_OK) status = ss_slider_build_outline(s, def, err);
    if (status == SS_OK) status = set_pushers(s, def, err);
    if (status == SS_OK) status = list_signals(s, err);
    if (status == SS_OK) status = set_start(s, def, err);
    if (status == SS_OK) status = check_quasistatic(s, err);
    if (status == SS_OK) status = check_gravity(s, err);
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

static void drop_load(ss_load* load)
{
    ss_signal_destroy(load->force_x);
    ss_signal_destroy(load->force_y);
    ss_signal_destroy(load->moment);
}

static void drop_floor(ss_floor_motion* floor)
{
    for (int i = 0; i < 2; i++) {
        ss_signal_destroy(floor->speed[i]);
        ss_signal_destroy(floor->place[i]);
    }
    ss_signal_destroy(floor->spin);
    ss_signal_destroy(floor->angle);
}

void ss_slider_destroy(ss_slider* slider)
{
    if (!slider) return;
    for (int i = 0; i < slider->load_count; i++) drop_load(&slider->loads[i]);
    drop_floor(&slider->motion);
    for (int i = 0; i < 2 * slider->pusher_count; i++) ss_signal_destroy(slider->pushers[i / 2].speed[i % 2]);
    ss_signal_destroy(slider->varying.gravity);
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
                           .support_count = slider->supports.count,
                           .floor_is_anisotropic = slider->floor_is_anisotropic,
                           .floor_moves = slider->motion.moves,
                           .pusher_count = slider->pusher_count,
                           .quasistatic = slider->quasistatic};
    memcpy(info.start, slider->start, sizeof info.start);
    memcpy(info.start_speed, slider->start_speed, sizeof info.start_speed);
    return info;
}

ss_support_info ss_slider_get_support(const ss_slider* slider, int support)
{
    const double* place = &slider->supports.places[2 * support];
    return (ss_support_info){.kind = slider->supports.kinds[support],
                             .level_N = slider->supports.levels[support],
                             .place = {place[0], place[1]},
                             .load = slider->supports.loads[support]};
}

const char* ss_support_kind_name(ss_support_kind kind)
{
    static const char* const names[] = {"point", "wheel", "ring", "disk", "annulus", "polygon", "pressure"};
    return names[kind];
}
