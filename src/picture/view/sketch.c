// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/sketch.h"

#include "core/error.h"
#include "motion/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOMENTS = 1500,       // evenly
    MOMENTS_BETWEEN = 24, // events, of which there are few
    BUDGET = 15000,       // of moments between events
    FEW_EVENTS = 2500,    // that are all kept
    MANY_EVENTS = 10000,  // up to here every event is a moment: time plots show all jumps
    CHOSEN_EVENTS = 1200, // of more, evenly
    STRETCHES = 30,       // of more, evenly,
    STRETCH_EVENTS = 16,  // each of so many events
    STRETCH_MOMENTS = 32, // with so many moments between two
};

static bool make_room(ss_sketch* c)
{
    if (c->count < c->room) return true;
    size_t room = c->room ? 2 * (size_t)c->room : 1024, bodies = (size_t)ss_model_body_count(c->model),
           contacts = (size_t)ss_model_contact_count(c->model);
    double* t = realloc(c->t, room * sizeof *t);
    if (t) c->t = t;
    double* x = realloc(c->x, (room * bodies + 1) * sizeof *x);
    if (x) c->x = x;
    double* v = realloc(c->v, (room * bodies + 1) * sizeof *v);
    if (v) c->v = v;
    bool* joined = realloc(c->joined, room * sizeof *joined);
    if (joined) c->joined = joined;
    ss_contact_state* states = realloc(c->contacts, (room * contacts + 1) * sizeof *states);
    if (states) c->contacts = states;
    double* numbers = realloc(c->numbers, (room * (size_t)c->number_count + 1) * sizeof *numbers);
    if (numbers) c->numbers = numbers;
    c->failed = !t || !x || !v || !joined || !states || !numbers;
    if (!c->failed) c->room = (int)room;
    return !c->failed;
}

static void keep_moment(ss_sketch* c, const ss_sim* sim, double t)
{
    size_t bodies = (size_t)ss_model_body_count(c->model), at = (size_t)c->count;
    int contacts = ss_model_contact_count(c->model);
    if (!make_room(c)) return;
    c->t[at] = t;
    c->joined[at] = false;
    memcpy(c->x + at * bodies, ss_sim_x(sim), bodies * sizeof(double));
    memcpy(c->v + at * bodies, ss_sim_v(sim), bodies * sizeof(double));
    for (int i = 0; i < contacts; i++)
        c->contacts[at * (size_t)contacts + (size_t)i] = ss_sim_contact(sim, i);
    ss_sim_numbers(sim, c->numbers + at * (size_t)c->number_count);
    c->count++;
}

// Moves to t and keeps what is there. At an event, once just before it and once after.
static ss_status visit(ss_sketch* c, ss_sim* sim, double t, bool event, ss_error* err)
{
    ss_outcome outcome;
    ss_status status = SS_OK;
    if (event) {
        status = ss_sim_advance(sim, nextafter(t, 0.0), &outcome, err);
        if (status == SS_OK) keep_moment(c, sim, t);
    }
    if (status == SS_OK) status = ss_sim_advance(sim, t, &outcome, err);
    if (status == SS_OK) keep_moment(c, sim, t);
    return status;
}

typedef struct moment {
    double t;
    bool event;
} moment;

static int compare(const void* a, const void* b)
{
    const moment *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (int)y->event - (int)x->event;
}

// Plans for an event and for so many moments between it and the one before.
static void plan_event(const ss_sketch* c, int event, int between, moment plan[], int* count)
{
    double last = event > 0 ? c->events[event - 1].t : c->begin, t = c->events[event].t;
    if (event > 0 && t == last) return;
    for (int j = 1; j < between; j++) plan[(*count)++] = (moment){last + (t - last) * j / between, false};
    plan[(*count)++] = (moment){t, true};
}

static void plan_stretch(const ss_sketch* c, int number, moment plan[], int* count)
{
    int first = (int)((double)(c->event_count - STRETCH_EVENTS) * number / (STRETCHES - 1));
    for (int k = 0; k < STRETCH_EVENTS; k++)
        plan_event(c, first + k, k > 0 ? STRETCH_MOMENTS : 1, plan, count);
}

// When to look: evenly, at events, and between those, so that what is short is shown, too.
static moment* plan_moments(ss_sketch* c, int* count)
{
    c->is_sampled = c->event_count > FEW_EVENTS;
    int skip = c->event_count > MANY_EVENTS ? 1 + c->event_count / CHOSEN_EVENTS : 1, between = 1;
    if (!c->is_sampled && c->event_count > 0)
        between = (int)fmin(MOMENTS_BETWEEN, (double)BUDGET / c->event_count);
    moment* plan = ss_new((size_t)(MOMENTS + 1 + (c->event_count / skip + 1) * between +
                                   STRETCHES * STRETCH_EVENTS * STRETCH_MOMENTS),
                          sizeof *plan);
    *count = 0;
    if (!plan) return NULL;
    for (int k = 0; k <= MOMENTS; k++)
        plan[(*count)++] = (moment){c->begin + (c->end - c->begin) * k / MOMENTS, false};
    for (int k = 0; k < c->event_count; k += skip) plan_event(c, k, between, plan, count);
    for (int k = 0; k < STRETCHES && c->is_sampled; k++) plan_stretch(c, k, plan, count);
    qsort(plan, (size_t)*count, sizeof *plan, compare);
    return plan;
}

// Events and moments are both in order of time. Between stretches a moment may happen to follow the event
// before it, but too late for a line.
static void find_gaps(ss_sketch* c)
{
    int event = 0;
    for (int k = 1; k < c->count; k++) {
        while (event < c->event_count && c->events[event].t <= c->t[k - 1]) event++;
        double last = event > 0 ? c->events[event - 1].t : c->begin,
               next = event < c->event_count ? c->events[event].t : c->end;
        bool soon = c->t[k] - c->t[k - 1] <= 2.0 / STRETCH_MOMENTS * (next - last);
        c->joined[k] = c->t[k] <= next && (soon || !c->is_sampled);
    }
}

static ss_status record(const ss_recorder* motion, ss_sketch* c, ss_error* err)
{
    ss_sim_def settings = ss_recorder_sim_def(motion);
    ss_sim* sim = NULL;
    int count;
    settings.ledger = false;
    moment* plan = plan_moments(c, &count);
    if (!plan) return ss_fail_no_memory(err);
    ss_status status = ss_sim_create(c->model, &settings, &sim, err);
    for (int k = 0; k < count && status == SS_OK && !c->failed; k++)
        status = visit(c, sim, plan[k].t, plan[k].event, err);
    ss_sim_destroy(sim);
    free(plan);
    return status;
}

// Leaves nothing but what lies between from and to.
static void cut(ss_sketch* c, double from, double to)
{
    if (to > 0.0) c->end = fmin(c->end, to);
    c->begin = fmin(fmax(from, 0.0), c->end);
    while (c->event_count > 0 && c->events[0].t < c->begin) {
        c->events++;
        c->event_count--;
    }
    while (c->event_count > 0 && c->events[c->event_count - 1].t > c->end) c->event_count--;
}

ss_status ss_sketch_follow(const ss_motion* motion, double from, double to, ss_sketch* out, ss_error* err)
{
    const ss_recorder* r = (const ss_recorder*)motion;
    *out = (ss_sketch){.model = motion->model,
                       .outcome = r->reached,
                       .end = r->reached_t,
                       .events = motion->events,
                       .event_count = (int)motion->event_count};
    if (out->outcome == SS_AT_REST) out->end = fmin(r->moments.until, out->end > 0.0 ? 1.08 * out->end : 1.0);
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++)
        out->number_count += ss_model_number_count(motion->model, kind);
    cut(out, from, to);
    ss_status status = record(r, out, err);
    if (status == SS_OK && !out->failed) find_gaps(out);
    if (status == SS_OK && out->failed) status = ss_fail_no_memory(err);
    if (status != SS_OK) ss_sketch_free(out);
    return status;
}

void ss_sketch_free(ss_sketch* sketch)
{
    free(sketch->t);
    free(sketch->x);
    free(sketch->v);
    free(sketch->joined);
    free(sketch->contacts);
    free(sketch->numbers);
    *sketch = (ss_sketch){0};
}
