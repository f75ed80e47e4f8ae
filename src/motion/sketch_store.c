// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion/sketch_store.h"

#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"
#include "motion/recorder.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 4,             // parts of a step that tell how much it bends
    MOST_PARTS = 200,      // of a step
    MOST_ROWS = 40000,     // where they are small,
    LEAST_ROWS = 6000,     // and where they are not
    ROWS_PER_INSTANT = 10, // of instants that are taken evenly, beside those with events
    SLIDER_MEASURES = 12   // state, load, direction of motion
};
static const size_t most_bytes = (size_t)48 << 20;
static const double smooth = 1e-4;     // of the height of a picture: no eye sees that
static const double short_time = 1e-4; // of the time gone: so long a line may be passed at once

// ---- making and ending

static size_t row_bytes(const ss_record* r)
{
    return (1 + 2 * (size_t)r->bodies + (size_t)r->elements + (size_t)r->numbers) * sizeof(double) +
           (size_t)r->contacts * sizeof(ss_contact_state) + sizeof(ss_slider_state) +
           (size_t)r->supports * sizeof(ss_support_state);
}

ss_status ss_sketch_store_create(ss_recorder* r, ss_error* err)
{
    const ss_motion_def* def = &r->def;
    ss_sketch_store* store = r->store = ss_new(1, sizeof *store);
    if (!store) return ss_fail_no_memory(err);
    ss_record* rows = &store->rows;
    rows->bodies = r->record.bodies;
    rows->contacts = r->record.contacts;
    rows->elements = r->record.elements;
    rows->numbers = r->record.numbers;
    rows->supports = r->record.supports;
    store->from = fmin(fmax(def->sketch_from, 0.0), r->moments.until);
    store->to = def->sketch_to > 0.0 ? fmin(def->sketch_to, r->moments.until) : r->moments.until;
    store->nudge = DBL_EPSILON;
    store->tolerance = smooth;
    size_t fitting = most_bytes / row_bytes(rows);
    store->most = (size_t)fmin(fmax((double)fitting, LEAST_ROWS), MOST_ROWS);
    store->grid = (store->to - store->from) * ROWS_PER_INSTANT / (double)store->most;
    store->measures = r->slide ? SLIDER_MEASURES : 2 * rows->bodies + rows->contacts + rows->numbers;
    size_t measures = (size_t)store->measures;
    store->low = ss_new(measures, sizeof *store->low);
    store->high = ss_new(measures, sizeof *store->high);
    store->scale = ss_new(measures, sizeof *store->scale);
    store->looks = ss_new((LOOKS + 2) * measures, sizeof *store->looks);
    if (!store->low || !store->high || !store->scale || !store->looks) return ss_fail_no_memory(err);
    for (size_t m = 0; m < measures; m++) {
        store->low[m] = INFINITY;
        store->high[m] = -INFINITY;
    }
    return SS_OK;
}

void ss_sketch_store_destroy(ss_sketch_store* store)
{
    if (!store) return;
    ss_record_free(&store->rows);
    free(store->loads);
    free(store->intervals);
    free(store->joined);
    free(store->low);
    free(store->high);
    free(store->scale);
    free(store->looks);
    free(store);
}

// ---- moments

static void add(ss_recorder* r, const ss_moment* at, const double load[3])
{
    ss_sketch_store* store = r->store;
    size_t k = store->rows.rows;
    ss_moment moment = *at;
    if (k > 0)
        moment.t = fmax(moment.t, store->rows.t[k - 1]); // the same instant is told with other rounding
    bool fits = ss_grow(&store->intervals, k, &store->interval_room, sizeof *store->intervals) &&
                (!r->slide || ss_grow(&store->loads, k, &store->load_room, 3 * sizeof *store->loads));
    if (fits) ss_record_add_row(&store->rows, &moment);
    if (!fits || store->rows.failed) {
        r->record.failed = true;
        return;
    }
    store->intervals[k] = store->interval;
    if (r->slide) memcpy(store->loads + 3 * k, load, 3 * sizeof *load);
    if (store->rows.rows >= store->most) ss_sketch_store_thin(r);
}

static void add_present(ss_recorder* r)
{
    double load[3] = {0.0, 0.0, 0.0};
    ss_moment moment = r->source->look(r, r->source->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    add(r, &moment, load);
}

// The side before the events just passed.
static void add_before(ss_recorder* r)
{
    double load[3] = {0.0, 0.0, 0.0};
    ss_moment moment = r->source->look_before(r, r->source->time(r));
    if (r->slide) memcpy(load, ss_slide_instant(r->slide).events[0].load_before, sizeof load);
    add(r, &moment, load);
}

// ---- along a step

static void look_at(ss_recorder* r, double share, double out[])
{
    ss_sketch_store* store = r->store;
    double load[3] = {0.0, 0.0, 0.0};
    r->source->peek(r, share);
    ss_moment moment = r->source->look(r, r->source->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    ss_sketch_store_measure(r, &moment, load, out);
    for (int m = 0; m < store->measures; m++) {
        if (!isfinite(out[m])) continue;
        store->low[m] = fmin(store->low[m], out[m]);
        store->high[m] = fmax(store->high[m], out[m]);
    }
}

// Into how many parts the step is to be cut: between its ends a straight line is off by an eighth of the
// second difference.
static double count_parts(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    size_t n = (size_t)store->measures;
    double most = 0.0;
    for (size_t j = 0; j <= LOOKS; j++) look_at(r, (double)j / LOOKS, store->looks + j * n);
    ss_sketch_store_scale(r);
    for (size_t j = 1; j < LOOKS; j++)
        for (size_t m = 0; m < n; m++) {
            const double* y = store->looks + j * n + m;
            double bend = fabs(y[-(ptrdiff_t)n] - 2.0 * *y + y[n]);
            if (store->scale[m] > 0.0 && isfinite(bend)) most = fmax(most, bend / store->scale[m]);
        }
    return LOOKS * sqrt(most / (8.0 * store->tolerance));
}

// The numbers where the last step ended.
static double* last_look(ss_sketch_store* store)
{
    return store->looks + (LOOKS + 1) * (size_t)store->measures;
}

// Keeps the inside of the step, and its end as seen from there.
static void sketch_step(ss_recorder* r, double length)
{
    ss_sketch_store* store = r->store;
    size_t measures = (size_t)store->measures;
    double wanted = count_parts(r);
    int parts = (int)fmin(fmax(ceil(wanted), 1.0), MOST_PARTS);
    memcpy(last_look(store), store->looks + LOOKS * measures, measures * sizeof *store->looks);
    for (int j = 1; j <= parts; j++) {
        r->source->peek(r, (double)j / parts);
        add_present(r);
    }
    r->source->put_back(r);
    store->hop = wanted < 0.5 ? 0.5 * length / wanted : 0.0;
}

// Whether some number is another one than at the end of the step before: a drive changes its speed at once, a
// force that is given jumps.
static bool has_jumped(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    double load[3] = {0.0, 0.0, 0.0}, *now = store->looks, *before = last_look(store);
    ss_moment moment = r->source->look(r, r->source->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    ss_sketch_store_measure(r, &moment, load, now);
    for (int m = 0; m < store->measures; m++)
        if (fabs(now[m] - before[m]) > store->tolerance * store->scale[m]) return true;
    return false;
}

// ---- the way

void ss_sketch_store_begin(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    store->begun = true;
    store->begin = r->source->time(r);
    store->next = store->begin + store->grid;
    add_present(r);
}

ss_stretch ss_sketch_store_look_ahead(ss_recorder* r, double until)
{
    ss_sketch_store* store = r->store;
    double t = r->source->time(r), hop = t + fmin(store->hop, short_time * (t - store->begin));
    double instant = fmax(store->next, t + DBL_EPSILON * fabs(t));
    if (!ss_sketch_store_has_all_of(store, store->interval))
        return (ss_stretch){fmin(until, instant), SS_AHEAD_FAR};
    ss_stretch stretch = r->source->reach(r, until);
    if (stretch.kind == SS_AHEAD_FAR) stretch.end = fmin(until, instant);
    if (stretch.kind == SS_AHEAD_KNOWN && stretch.end < hop)
        stretch = (ss_stretch){fmin(until, hop), SS_AHEAD_FAR};
    store->nudge = stretch.kind == SS_AHEAD_NOTHING ? 2.0 * store->nudge : DBL_EPSILON;
    if (stretch.kind == SS_AHEAD_NOTHING)
        stretch.end = fmin(until, fmax(stretch.end, t + store->nudge * fmax(fabs(t), SS_NO_DIGITS)));
    store->hop = 0.0;
    if (stretch.kind == SS_AHEAD_KNOWN) sketch_step(r, stretch.end - t);
    return stretch;
}

// The side before the events just passed. Where a step was looked at, its end is there already, but for the
// load of a slider, which the event tells: a support that is about to stop has a direction no longer.
static void take_before(ss_recorder* r, bool there)
{
    const ss_record* rows = &r->store->rows;
    if (!there)
        add_before(r);
    else if (r->slide)
        memcpy(r->store->loads + 3 * (rows->rows - 1), ss_slide_instant(r->slide).events[0].load_before,
               3 * sizeof(double));
}

void ss_sketch_store_arrive(ss_recorder* r, const ss_stretch* stretch, bool at_event)
{
    ss_sketch_store* store = r->store;
    bool full = ss_sketch_store_has_all_of(store, store->interval), due = r->source->time(r) >= store->next;
    if (!at_event && !due) {
        bool new = stretch->kind == SS_AHEAD_FAR || (stretch->kind == SS_AHEAD_KNOWN && has_jumped(r));
        if (full && new) add_present(r);
        return;
    }
    if (at_event) store->hop = 0.0; // another motion begins
    bool kept = full || ss_sketch_store_has_instant(store, store->interval + 1);
    if (at_event && kept) take_before(r, full && stretch->kind == SS_AHEAD_KNOWN);
    store->interval++;
    if (kept) add_present(r);
    while (due && store->next <= r->source->time(r))
        store->next += fmax(store->grid, DBL_EPSILON * store->next);
}

// A motion that rests is drawn a little longer than it lasts.
static double end_of(const ss_recorder* r)
{
    double end = r->reached_t;
    if (r->reached == SS_AT_REST && !r->slide) end = fmin(r->moments.until, end > 0.0 ? 1.08 * end : 1.0);
    return fmin(end, r->store->to);
}

static void find_gaps(ss_sketch_store* store)
{
    store->joined[0] = false;
    for (size_t k = 1; k < store->rows.rows; k++)
        store->joined[k] = ss_sketch_store_has_all_of(store, store->intervals[k - 1]) &&
                           store->intervals[k] - store->intervals[k - 1] <= 1;
}

void ss_sketch_store_close(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    ss_record* rows = &store->rows;
    store->end = end_of(r);
    if (!store->begun) ss_sketch_store_begin(r);
    if (r->record.failed) return;
    store->begin = fmin(store->begin, store->end);
    // What rests may be known to do so for good only later: one moment beyond the end ends the lines there.
    while (rows->rows > 1 && rows->t[rows->rows - 2] >= store->end) rows->rows--;
    if (r->reached_t <= store->to && rows->t[rows->rows - 1] < store->end) {
        add_present(r);
        if (r->record.failed) return;
        rows->t[rows->rows - 1] = store->end;
    }
    store->joined = ss_new(rows->rows, sizeof *store->joined);
    if (store->joined)
        find_gaps(store);
    else
        r->record.failed = true;
}
