// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/slide_sketch.h"

#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "motion/recorder.h"
#include "picture/canvas/label.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Relative to the fastest moment: below, what is left of a speed is rounding.
static const double slowest = SS_FAINT;

// Speeds over the floor and loads, in the body frame and the units of the paper; the length of the motion.
static double normalise(const ss_slider* slider, ss_slide_moment* m)
{
    double c = cos(m->state.angle), s = sin(m->state.angle), rho = ss_slider_gyration(slider),
           force = ss_slider_mass(slider) * ss_slider_gravity(slider);
    const double *over = m->state.relative,
                 q[3] = {c * over[0] + s * over[1], c * over[1] - s * over[0], rho * over[2]};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3; i++) {
        m->q[i] = length > 0 ? q[i] / length : 0;
        m->p[i] = m->load[i] / (i < 2 ? force : force * rho);
    }
    return length;
}

static void copy_moments(const ss_sketch_store* store, ss_slide_sketch* c)
{
    double fastest = 0;
    for (int k = 0; k < c->count; k++) {
        ss_slide_moment* m = &c->at[k];
        m->t = store->rows.t[k];
        m->state = store->rows.slides[k];
        memcpy(m->load, store->loads + 3 * k, sizeof m->load);
        fastest = fmax(fastest, normalise(c->slider, m));
    }
    for (int k = 0; k < c->count; k++) c->at[k].moves = normalise(c->slider, &c->at[k]) > slowest * fastest;
}

ss_status ss_slide_sketch_take(const ss_motion* motion, ss_slide_sketch* out, ss_error* err)
{
    const ss_recorder* r = (const ss_recorder*)motion;
    const ss_sketch_store* store;
    ss_motion* again;
    *out = (ss_slide_sketch){.slider = motion->slider, .outcome = r->reached, .end = r->reached_t};
    ss_status status = ss_motion_get_sketch_store(motion, 0.0, 0.0, &again, &store, err);
    if (status == SS_OK) {
        out->count = (int)store->rows.rows;
        out->at = ss_new(store->rows.rows, sizeof *out->at);
        if (!out->at) status = ss_fail_no_memory(err);
    }
    if (status == SS_OK) copy_moments(store, out);
    ss_motion_destroy(again);
    return status;
}

void ss_slide_sketch_free(ss_slide_sketch* sketch)
{
    free(sketch->at);
    *sketch = (ss_slide_sketch){0};
}

const char* ss_slide_sketch_name(const ss_slide_sketch* sketch, char* out, size_t size)
{
    const ss_slider_state* start = &sketch->at[0].state;
    if (sketch->label && strncmp(sketch->label, "start.", strlen("start.")) != 0)
        return ss_label_changes(sketch->label, out, size);
    ss_format(out, size, "from v (%.3g, %.3g), spin %.3g", start->vx, start->vy, start->spin);
    return out;
}

// The cubic with these values and slopes at its ends, after a share of the time h.
static double between(double a, double slope_a, double b, double slope_b, double h, double share)
{
    double left = 1 - share, near = left * left * (1 + 2 * share), far = share * share * (1 + 2 * left);
    return near * a + far * b + h * share * left * (left * slope_a - share * slope_b);
}

ss_slider_state ss_slide_sketch_at(const ss_slide_sketch* sketch, double t)
{
    int k = 1;
    while (k + 1 < sketch->count && sketch->at[k].t < t) k++;
    if (sketch->count < 2) return sketch->at[0].state;
    const ss_slide_moment *before = &sketch->at[k - 1], *after = &sketch->at[k];
    const ss_slider_state *a = &before->state, *b = &after->state;
    double h = after->t - before->t, share = h > 0 ? fmin(fmax((t - before->t) / h, 0), 1) : 1;
    return (ss_slider_state){.x = between(a->x, a->vx, b->x, b->vx, h, share),
                             .y = between(a->y, a->vy, b->y, b->vy, h, share),
                             .angle = between(a->angle, a->spin, b->angle, b->spin, h, share),
                             .vx = a->vx + share * (b->vx - a->vx),
                             .vy = a->vy + share * (b->vy - a->vy),
                             .spin = a->spin + share * (b->spin - a->spin)};
}
