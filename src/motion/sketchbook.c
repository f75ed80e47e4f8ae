// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion/sketchbook.h"

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

ss_status ss_sketchbook_create(ss_recorder* r, ss_error* err)
{
    const ss_motion_def* def = &r->def;
    ss_sketchbook* book = r->book = ss_new(1, sizeof *book);
    if (!book) return ss_fail_no_memory(err);
    ss_record* rows = &book->rows;
    rows->bodies = r->record.bodies;
    rows->contacts = r->record.contacts;
    rows->elements = r->record.elements;
    rows->numbers = r->record.numbers;
    rows->supports = r->record.supports;
    book->from = fmin(fmax(def->sketch_from, 0.0), r->moments.until);
    book->to = def->sketch_to > 0.0 ? fmin(def->sketch_to, r->moments.until) : r->moments.until;
    book->nudge = DBL_EPSILON;
    book->tolerance = smooth;
    size_t fitting = most_bytes / row_bytes(rows);
    book->most = (size_t)fmin(fmax((double)fitting, LEAST_ROWS), MOST_ROWS);
    book->grid = (book->to - book->from) * ROWS_PER_INSTANT / (double)book->most;
    book->measures = r->slide ? SLIDER_MEASURES : 2 * rows->bodies + rows->contacts + rows->numbers;
    size_t measures = (size_t)book->measures;
    book->low = ss_new(measures, sizeof *book->low);
    book->high = ss_new(measures, sizeof *book->high);
    book->scale = ss_new(measures, sizeof *book->scale);
    book->looks = ss_new((LOOKS + 2) * measures, sizeof *book->looks);
    if (!book->low || !book->high || !book->scale || !book->looks) return ss_fail_no_memory(err);
    for (size_t m = 0; m < measures; m++) {
        book->low[m] = INFINITY;
        book->high[m] = -INFINITY;
    }
    return SS_OK;
}

void ss_sketchbook_destroy(ss_sketchbook* book)
{
    if (!book) return;
    ss_record_free(&book->rows);
    free(book->loads);
    free(book->intervals);
    free(book->joined);
    free(book->low);
    free(book->high);
    free(book->scale);
    free(book->looks);
    free(book);
}

// ---- moments

static void add(ss_recorder* r, const ss_moment* at, const double load[3])
{
    ss_sketchbook* book = r->book;
    size_t k = book->rows.rows;
    ss_moment moment = *at;
    if (k > 0) moment.t = fmax(moment.t, book->rows.t[k - 1]); // the same instant is told with other rounding
    bool fits = ss_grow(&book->intervals, k, &book->interval_room, sizeof *book->intervals) &&
                (!r->slide || ss_grow(&book->loads, k, &book->load_room, 3 * sizeof *book->loads));
    if (fits) ss_record_add_row(&book->rows, &moment);
    if (!fits || book->rows.failed) {
        r->record.failed = true;
        return;
    }
    book->intervals[k] = book->interval;
    if (r->slide) memcpy(book->loads + 3 * k, load, 3 * sizeof *load);
    if (book->rows.rows >= book->most) ss_sketchbook_thin(r);
}

static void add_present(ss_recorder* r)
{
    double load[3] = {0.0, 0.0, 0.0};
    ss_moment moment = r->mover->look(r, r->mover->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    add(r, &moment, load);
}

// The side before the events just passed.
static void add_before(ss_recorder* r)
{
    double load[3] = {0.0, 0.0, 0.0};
    ss_moment moment = r->mover->look_before(r, r->mover->time(r));
    if (r->slide) memcpy(load, ss_slide_instant(r->slide).events[0].load_before, sizeof load);
    add(r, &moment, load);
}

// ---- along a step

static void look_at(ss_recorder* r, double share, double out[])
{
    ss_sketchbook* book = r->book;
    double load[3] = {0.0, 0.0, 0.0};
    r->mover->peek(r, share);
    ss_moment moment = r->mover->look(r, r->mover->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    ss_sketchbook_measure(r, &moment, load, out);
    for (int m = 0; m < book->measures; m++) {
        if (!isfinite(out[m])) continue;
        book->low[m] = fmin(book->low[m], out[m]);
        book->high[m] = fmax(book->high[m], out[m]);
    }
}

// Into how many parts the step is to be cut: between its ends a straight line is off by an eighth of the
// second difference.
static double count_parts(ss_recorder* r)
{
    ss_sketchbook* book = r->book;
    size_t n = (size_t)book->measures;
    double most = 0.0;
    for (size_t j = 0; j <= LOOKS; j++) look_at(r, (double)j / LOOKS, book->looks + j * n);
    ss_sketchbook_scale(r);
    for (size_t j = 1; j < LOOKS; j++)
        for (size_t m = 0; m < n; m++) {
            const double* y = book->looks + j * n + m;
            double bend = fabs(y[-(ptrdiff_t)n] - 2.0 * *y + y[n]);
            if (book->scale[m] > 0.0 && isfinite(bend)) most = fmax(most, bend / book->scale[m]);
        }
    return LOOKS * sqrt(most / (8.0 * book->tolerance));
}

// The numbers where the last step ended.
static double* last_look(ss_sketchbook* book) { return book->looks + (LOOKS + 1) * (size_t)book->measures; }

// Keeps the inside of the step, and its end as seen from there.
static void sketch_step(ss_recorder* r, double length)
{
    ss_sketchbook* book = r->book;
    size_t measures = (size_t)book->measures;
    double wanted = count_parts(r);
    int parts = (int)fmin(fmax(ceil(wanted), 1.0), MOST_PARTS);
    memcpy(last_look(book), book->looks + LOOKS * measures, measures * sizeof *book->looks);
    for (int j = 1; j <= parts; j++) {
        r->mover->peek(r, (double)j / parts);
        add_present(r);
    }
    r->mover->put_back(r);
    book->hop = wanted < 0.5 ? 0.5 * length / wanted : 0.0;
}

// Whether some number is another one than at the end of the step before: a drive changes its speed at once, a
// force that is given jumps.
static bool has_jumped(ss_recorder* r)
{
    ss_sketchbook* book = r->book;
    double load[3] = {0.0, 0.0, 0.0}, *now = book->looks, *before = last_look(book);
    ss_moment moment = r->mover->look(r, r->mover->time(r));
    if (r->slide) ss_slide_ground_load(r->slide, load);
    ss_sketchbook_measure(r, &moment, load, now);
    for (int m = 0; m < book->measures; m++)
        if (fabs(now[m] - before[m]) > book->tolerance * book->scale[m]) return true;
    return false;
}

// ---- the way

void ss_sketchbook_begin(ss_recorder* r)
{
    ss_sketchbook* book = r->book;
    book->begun = true;
    book->begin = r->mover->time(r);
    book->next = book->begin + book->grid;
    add_present(r);
}

ss_stretch ss_sketchbook_look_ahead(ss_recorder* r, double until)
{
    ss_sketchbook* book = r->book;
    double t = r->mover->time(r), hop = t + fmin(book->hop, short_time * (t - book->begin));
    double instant = fmax(book->next, t + DBL_EPSILON * fabs(t));
    if (!ss_sketchbook_has_all_of(book, book->interval))
        return (ss_stretch){fmin(until, instant), SS_AHEAD_FAR};
    ss_stretch stretch = r->mover->reach(r, until);
    if (stretch.kind == SS_AHEAD_FAR) stretch.end = fmin(until, instant);
    if (stretch.kind == SS_AHEAD_KNOWN && stretch.end < hop)
        stretch = (ss_stretch){fmin(until, hop), SS_AHEAD_FAR};
    book->nudge = stretch.kind == SS_AHEAD_NOTHING ? 2.0 * book->nudge : DBL_EPSILON;
    if (stretch.kind == SS_AHEAD_NOTHING)
        stretch.end = fmin(until, fmax(stretch.end, t + book->nudge * fmax(fabs(t), SS_NO_DIGITS)));
    book->hop = 0.0;
    if (stretch.kind == SS_AHEAD_KNOWN) sketch_step(r, stretch.end - t);
    return stretch;
}

// The side before the events just passed. Where a step was looked at, its end is there already, but for the
// load of a slider, which the event tells: a support that is about to stop has a direction no longer.
static void take_before(ss_recorder* r, bool there)
{
    const ss_record* rows = &r->book->rows;
    if (!there)
        add_before(r);
    else if (r->slide)
        memcpy(r->book->loads + 3 * (rows->rows - 1), ss_slide_instant(r->slide).events[0].load_before,
               3 * sizeof(double));
}

void ss_sketchbook_arrive(ss_recorder* r, const ss_stretch* stretch, bool at_event)
{
    ss_sketchbook* book = r->book;
    bool full = ss_sketchbook_has_all_of(book, book->interval), due = r->mover->time(r) >= book->next;
    if (!at_event && !due) {
        bool new = stretch->kind == SS_AHEAD_FAR || (stretch->kind == SS_AHEAD_KNOWN && has_jumped(r));
        if (full && new) add_present(r);
        return;
    }
    if (at_event) book->hop = 0.0; // another motion begins
    bool kept = full || ss_sketchbook_has_instant(book, book->interval + 1);
    if (at_event && kept) take_before(r, full && stretch->kind == SS_AHEAD_KNOWN);
    book->interval++;
    if (kept) add_present(r);
    while (due && book->next <= r->mover->time(r)) book->next += fmax(book->grid, DBL_EPSILON * book->next);
}

// A motion that rests is drawn a little longer than it lasts.
static double end_of(const ss_recorder* r)
{
    double end = r->reached_t;
    if (r->reached == SS_AT_REST && !r->slide) end = fmin(r->moments.until, end > 0.0 ? 1.08 * end : 1.0);
    return fmin(end, r->book->to);
}

static void find_gaps(ss_sketchbook* book)
{
    book->joined[0] = false;
    for (size_t k = 1; k < book->rows.rows; k++)
        book->joined[k] = ss_sketchbook_has_all_of(book, book->intervals[k - 1]) &&
                          book->intervals[k] - book->intervals[k - 1] <= 1;
}

void ss_sketchbook_close(ss_recorder* r)
{
    ss_sketchbook* book = r->book;
    ss_record* rows = &book->rows;
    book->end = end_of(r);
    if (!book->begun) ss_sketchbook_begin(r);
    if (r->record.failed) return;
    book->begin = fmin(book->begin, book->end);
    // What rests may be known to do so for good only later: one moment beyond the end ends the lines there.
    while (rows->rows > 1 && rows->t[rows->rows - 2] >= book->end) rows->rows--;
    if (r->reached_t <= book->to && rows->t[rows->rows - 1] < book->end) {
        add_present(r);
        if (r->record.failed) return;
        rows->t[rows->rows - 1] = book->end;
    }
    book->joined = ss_new(rows->rows, sizeof *book->joined);
    if (book->joined)
        find_gaps(book);
    else
        r->record.failed = true;
}
