// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/slide_sketch.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "motion/recorder.h"
#include "picture/canvas/label.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENLY = 600, TOWARDS_REST = 160, MOST_EVENTS = 400, MOST_BETWEEN = 2400, BETWEEN = 7, ROUNDS = 4 };

// Relative to the fastest moment: below, what is left of a speed is rounding.
static const double slowest = SS_FAINT;

// When to look. Just before an event the load is what the event tells: a support that is about to stop has a
// direction no longer.
typedef struct visit {
    double t;
    bool before;
    double load[3];
} visit;

typedef struct plan {
    visit* visits;
    int count, room;
    double last;       // time of the last event
    long seen, stride; // events so far, and one of how many is kept
} plan;

static void add_visit(plan* p, double t, const double* load_before)
{
    if (p->count == p->room) return;
    visit* v = &p->visits[p->count++];
    *v = (visit){.t = t, .before = load_before != NULL};
    if (load_before) memcpy(v->load, load_before, sizeof v->load);
}

// Keeps both sides of an event. Where there is no room for all of them, every other one kept so far makes
// way.
static void add_event(plan* p, const ss_slide_event* event)
{
    if (event->t == p->last || event->t <= 0) return;
    p->last = event->t;
    if (p->seen++ % p->stride != 0) return;
    add_visit(p, event->t, event->load_before);
    add_visit(p, event->t, NULL);
    if (p->count < 2 * MOST_EVENTS) return;
    p->count /= 2;
    p->stride *= 2;
    for (int k = 0; k < p->count; k += 2) {
        p->visits[k] = p->visits[2 * k];
        p->visits[k + 1] = p->visits[2 * k + 1];
    }
}

static int compare(const void* a, const void* b)
{
    const visit *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (int)y->before - (int)x->before;
}

// All moments to visit, in order.
static void plan_visits(const ss_motion* motion, const ss_slide_sketch* c, plan* p)
{
    for (size_t k = 0; k < motion->event_count; k++) add_event(p, &motion->slide_events[k]);
    for (int k = 0; k <= EVENLY; k++) add_visit(p, c->end * k / EVENLY, NULL);
    for (int k = 1; k <= TOWARDS_REST && c->outcome == SS_AT_REST; k++)
        add_visit(p, c->end * (1 - exp2(-0.2 * k)), NULL);
    qsort(p->visits, (size_t)p->count, sizeof *p->visits, compare);
}

// Speeds and loads in the body frame and the units of the paper; the length of the motion.
static double normalise(const ss_slider* slider, ss_slide_moment* m)
{
    double c = cos(m->state.angle), s = sin(m->state.angle), rho = ss_slider_gyration(slider),
           force = ss_slider_mass(slider) * ss_slider_gravity(slider);
    const double q[3] = {c * m->state.vx + s * m->state.vy, c * m->state.vy - s * m->state.vx,
                         rho * m->state.spin};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int i = 0; i < 3; i++) {
        m->q[i] = length > 0 ? q[i] / length : 0;
        m->p[i] = m->load[i] / (i < 2 ? force : force * rho);
    }
    return length;
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// Adds moments where the load runs away between two of them, as it does round the rim of a facet. Returns
// whether there are any.
static bool look_closer(const ss_slide_sketch* c, plan* p)
{
    static const double zero[3] = {0};
    double largest = 0;
    int before = p->count;
    for (int k = 0; k < c->count; k++) largest = fmax(largest, distance(c->at[k].p, zero));
    for (int k = 0; k + 1 < c->count; k++) {
        const ss_slide_moment *m = &c->at[k], *next = m + 1;
        if (!m->moves || !next->moves || next->t - m->t <= SS_RELATIVE_ZERO * c->end) continue;
        if (distance(m->p, next->p) <= 0.03 * largest) continue;
        for (int j = 1; j <= BETWEEN; j++) add_visit(p, m->t + (next->t - m->t) * j / (BETWEEN + 1), NULL);
    }
    qsort(p->visits, (size_t)p->count, sizeof *p->visits, compare);
    return p->count > before;
}

static ss_status record(const ss_recorder* motion, ss_slide_sketch* c, const plan* p, ss_error* err)
{
    ss_slide_def def = ss_recorder_slide_def(motion);
    ss_slide* run = NULL;
    double fastest = 0;
    c->count = 0;
    ss_status status = ss_slide_create(c->slider, &def, &run, err);
    for (int k = 0; k < p->count && status == SS_OK; k++) {
        ss_outcome outcome;
        const visit* v = &p->visits[k];
        status = ss_slide_advance(run, v->before ? nextafter(v->t, 0) : v->t, &outcome, err);
        ss_slide_moment* m = &c->at[c->count++];
        m->t = v->t;
        m->state = ss_slide_get_state(run);
        ss_slide_load(run, m->load);
        if (v->before) memcpy(m->load, v->load, sizeof m->load);
        fastest = fmax(fastest, normalise(c->slider, m));
    }
    for (int k = 0; k < c->count; k++) c->at[k].moves = normalise(c->slider, &c->at[k]) > slowest * fastest;
    ss_slide_destroy(run);
    return status;
}

ss_status ss_slide_sketch_follow(const ss_motion* motion, ss_slide_sketch* out, ss_error* err)
{
    const ss_recorder* r = (const ss_recorder*)motion;
    plan p = {.room = EVENLY + 1 + TOWARDS_REST + 2 * MOST_EVENTS + MOST_BETWEEN, .last = -1, .stride = 1};
    *out = (ss_slide_sketch){.slider = motion->slider, .outcome = r->reached, .end = r->reached_t};
    p.visits = ss_new((size_t)p.room, sizeof *p.visits);
    out->at = ss_new((size_t)p.room, sizeof *out->at);
    ss_status status = p.visits && out->at ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) {
        plan_visits(motion, out, &p);
        status = record(r, out, &p, err);
    }
    for (int k = 0; k < ROUNDS && status == SS_OK && look_closer(out, &p); k++)
        status = record(r, out, &p, err);
    free(p.visits);
    if (status != SS_OK) ss_slide_sketch_free(out);
    return status;
}

void ss_slide_sketch_free(ss_slide_sketch* sketch)
{
    free(sketch->at);
    *sketch = (ss_slide_sketch){0};
}

const char* ss_slide_sketch_name(const ss_slide_sketch* sketch, char* out, size_t size)
{
    const ss_slide_state* start = &sketch->at[0].state;
    if (sketch->label && strncmp(sketch->label, "start.", strlen("start.")) != 0)
        return ss_label_changes(sketch->label, out, size);
    snprintf(out, size, "from v (%.3g, %.3g), spin %.3g", start->vx, start->vy, start->spin);
    return out;
}

const ss_slide_moment* ss_slide_sketch_at(const ss_slide_sketch* sketch, double t)
{
    const ss_slide_moment* nearest = sketch->at;
    for (int k = 1; k < sketch->count; k++)
        if (fabs(sketch->at[k].t - t) < fabs(nearest->t - t)) nearest = &sketch->at[k];
    return nearest;
}
