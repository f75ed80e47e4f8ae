// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void slider_init(slider_rig* r)
{
    r->def = ss_slider_def_default();
    r->def.mass_kg = r->def.gyration_m = r->def.gravity = 1.0;
    r->def.supports = r->supports;
    r->load = (ss_load_def){0};
    r->def.loads = &r->load;
    r->def.load_count = 1;
}

static ss_support_def* add(slider_rig* r, ss_support_kind kind)
{
    assert_true(r->def.support_count < SLIDER_SUPPORTS);
    ss_support_def* s = &r->supports[r->def.support_count++];
    *s = ss_support_def_default();
    s->kind = kind;
    return s;
}

ss_support_def* slider_point(slider_rig* r, double x, double y, double friction)
{
    ss_support_def* s = add(r, SS_SUPPORT_POINT);
    s->position_m[0] = x;
    s->position_m[1] = y;
    s->friction_N[0] = s->friction_N[1] = friction;
    return s;
}

ss_support_def* slider_wheel(slider_rig* r, double x, double y, double ax, double ay, double friction)
{
    ss_support_def* s = add(r, SS_SUPPORT_WHEEL);
    s->position_m[0] = x;
    s->position_m[1] = y;
    s->axle[0] = ax;
    s->axle[1] = ay;
    s->friction_N[0] = s->friction_N[1] = friction;
    return s;
}

ss_support_def* slider_patch(slider_rig* r, ss_support_kind kind, double radius, double mu)
{
    ss_support_def* s = add(r, kind);
    s->radius_m = radius;
    s->load = 1.0;
    s->mu[0] = s->mu[1] = mu;
    return s;
}

double slider_uniform(unsigned* seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (double)(*seed >> 8) / 16777216.0;
}

void slider_random_speed(unsigned* seed, double u[3])
{
    for (int i = 0; i < 3; i++) u[i] = slider_uniform(seed, -1.5, 1.5);
}

void slider_random(slider_rig* r, unsigned* seed)
{
    int count = 2 + (int)slider_uniform(seed, 0.0, 11.0);
    double sum = 0.0;
    slider_init(r);
    for (int i = 0; i < count; i++) {
        double x = slider_uniform(seed, -1.5, 1.5), y = slider_uniform(seed, -1.5, 1.5);
        sum += slider_point(r, x, y, slider_uniform(seed, 0.2, 1.0))->friction_N[0];
    }
    for (int i = 0; i < count; i++) r->supports[i].friction_N[0] = r->supports[i].friction_N[1] /= sum;
}

static void on_event(void* user, const ss_slide_event* event)
{
    slide_run* r = user;
    if (r->event_count < SLIDE_EVENTS) r->events[r->event_count] = *event;
    r->event_count++;
}

void slide_start(slide_run* r, slider_rig* rig, double vx, double vy, double spin, double tolerance)
{
    ss_error err;
    ss_slide_def def = ss_slide_def_default();
    r->event_count = 0;
    rig->def.start_speed[0] = vx;
    rig->def.start_speed[1] = vy;
    rig->def.start_speed[2] = spin;
    rig->def.loads = &rig->load;
    rig->def.load_count = 1;
    def.tolerance = tolerance;
    def.on_event = on_event;
    def.user = r;
    if (ss_slider_create(&rig->def, &r->slider, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    if (ss_slide_create(r->slider, &def, &r->slide, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

void slide_to(slide_run* r, double until)
{
    ss_error err;
    if (ss_slide_advance(r->slide, until, &r->outcome, &err) != SS_OK) fail_msg("%s", err.text);
}

void slide_stop(slide_run* r)
{
    ss_slide_destroy(r->slide);
    ss_slider_destroy(r->slider);
}

double slide_energy_error(const slide_run* r)
{
    ss_energy e = ss_slide_energy(r->slide);
    double most = fmax(fmax(fabs(e.start), fabs(e.end)), fmax(fabs(e.input), fabs(e.friction)));
    double sum = e.start + e.input - e.end - e.friction - e.damping - e.impact;
    if (!(fabs(sum - e.residual) <= 1e-15 * (most + 1e-300) * 8)) fail_msg("the ledger does not add up");
    return most > 0.0 ? fabs(e.residual) / most : 0.0;
}
