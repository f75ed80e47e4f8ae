// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The numbers that lines are drawn of, and which moments give way where there are too many.
#include "core/tolerance.h"
#include "motion/recorder.h"
#include "motion/sketch_store.h"
#include "share/slider_parts.h"

#include <math.h>
#include <string.h>

enum {
    FINER = 1,       // levels at which lines may become coarser, before stretches give way
    BLOCK = 8,       // intervals that are kept or dropped together
    SPARED = 3,      // levels after these at which all instants are kept
    LONGEST = 16,    // moments in a row that one line may stand for
    MOST_LEVELS = 40 // more than there can be
};
static const double coarser = 4.0;   // by which a line may be off more: about half of the moments
static const double faint = 1e-6;    // of the largest of its kind: what is smaller is not looked at closely
static const double room_left = 0.6; // of the room, filled after some was made

// ---- numbers

// Numbers of one kind share an axis; this is where each kind begins, and how many there are.
static int find_kinds(const ss_recorder* r, int first[8])
{
    static const int slider[] = {0, 2, 3, 5, 6, 8, 9, 12};
    const ss_record* rows = &r->record;
    if (r->slide) {
        memcpy(first, slider, sizeof slider);
        return 7;
    }
    for (int k = 0; k < 3; k++) first[k] = k * rows->bodies;
    first[3] = 2 * rows->bodies + rows->contacts;
    return 3;
}

static void measure_slide(const ss_recorder* r, const ss_moment* moment, const double load[3], double out[])
{
    const ss_slider_state* s = moment->slide;
    const ss_slider* slider = r->shown.slider;
    double c = cos(s->angle), n = sin(s->angle);
    const double state[6] = {s->x, s->y, s->angle, s->vx, s->vy, s->spin};
    const double q[3] = {c * s->vx + n * s->vy, c * s->vy - n * s->vx, ss_slider_gyration(slider) * s->spin};
    double speed = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), fastest = 0.0;
    memcpy(out, state, sizeof state);
    memcpy(out + 6, load, 3 * sizeof *load);
    for (int m = 3; m < 5; m++) fastest = fmax(fastest, fmax(r->store->high[m], -r->store->low[m]));
    fastest = fmax(fastest, ss_slider_gyration(slider) * fmax(r->store->high[5], -r->store->low[5]));
    bool moves = speed > 0.0 && speed > SS_FAINT * fastest; // below, its direction is rounding
    for (int m = 0; m < 3; m++) out[9 + m] = moves ? q[m] / speed : 0.0;
}

void ss_sketch_store_measure(const ss_recorder* r, const ss_moment* moment, const double load[3],
                             double out[])
{
    const ss_record* rows = &r->record;
    if (r->slide) {
        measure_slide(r, moment, load, out);
        return;
    }
    for (int b = 0; b < rows->bodies; b++) {
        out[b] = moment->x[b];
        out[rows->bodies + b] = moment->v[b];
    }
    out += 2 * rows->bodies;
    for (int i = 0; i < rows->contacts; i++) *out++ = moment->contacts[i].force;
    for (int k = 0; k < rows->numbers; k++) *out++ = moment->numbers[k];
}

void ss_sketch_store_scale(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    int first[8], kinds = find_kinds(r, first);
    for (int m = 0; m < store->measures; m++) {
        double size = fmax(fabs(store->low[m]), fabs(store->high[m]));
        store->scale[m] = isfinite(size) ? fmax(store->high[m] - store->low[m], SS_CLEAR * size) : 0.0;
    }
    for (int k = 0; k < kinds; k++) {
        double largest = 0.0;
        for (int m = first[k]; m < first[k + 1]; m++) largest = fmax(largest, store->scale[m]);
        for (int m = first[k]; m < first[k + 1]; m++)
            store->scale[m] = fmax(store->scale[m], faint * largest);
    }
}

// ---- what stays

bool ss_sketch_store_has_all_of(const ss_sketch_store* store, long interval)
{
    int level = store->level - FINER;
    return level <= 0 || (interval / BLOCK) % (1L << level) == 0;
}

bool ss_sketch_store_has_instant(const ss_sketch_store* store, long interval)
{
    int level = store->level - FINER - SPARED;
    return level <= 0 || interval % (1L << level) == 0 || ss_sketch_store_has_all_of(store, interval);
}

static ss_moment moment_of(const ss_record* r, size_t k)
{
    size_t bodies = (size_t)r->bodies, contacts = (size_t)r->contacts, numbers = (size_t)r->numbers;
    ss_moment moment = {.t = r->t[k]};
    if (r->slides) moment.slide = &r->slides[k];
    if (bodies > 0) moment.x = r->x + k * bodies;
    if (bodies > 0) moment.v = r->v + k * bodies;
    if (contacts > 0) moment.contacts = r->states + k * contacts;
    if (numbers > 0) moment.numbers = r->open + k * numbers;
    return moment;
}

static const double* measure_row(ss_recorder* r, size_t k, int place)
{
    ss_sketch_store* store = r->store;
    double* out = store->looks + (size_t)place * (size_t)store->measures;
    ss_moment moment = moment_of(&store->rows, k);
    ss_sketch_store_measure(r, &moment, store->loads ? store->loads + 3 * k : NULL, out);
    return out;
}

// Whether the line from one moment to another passes near enough to those between.
static bool is_line(ss_recorder* r, size_t from, size_t to)
{
    const ss_sketch_store* store = r->store;
    const double *t = store->rows.t, *a = measure_row(r, from, 0), *b = measure_row(r, to, 1);
    if (!(t[to] > t[from])) return false;
    for (size_t k = from + 1; k < to; k++) {
        double share = (t[k] - t[from]) / (t[to] - t[from]);
        const double* y = measure_row(r, k, 2);
        for (int m = 0; m < store->measures; m++) {
            double off = fabs(a[m] + share * (b[m] - a[m]) - y[m]);
            if (off > store->tolerance * store->scale[m]) return false;
        }
    }
    return true;
}

static void move_row(ss_sketch_store* store, size_t from, size_t to)
{
    if (from == to) return;
    ss_record_move_row(&store->rows, from, to);
    store->intervals[to] = store->intervals[from];
    if (store->loads) memcpy(store->loads + 3 * to, store->loads + 3 * from, 3 * sizeof *store->loads);
}

// Moments that a line may stand for give way; those that begin or end an interval stay.
static void make_lines(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    size_t count = store->rows.rows, kept = 0;
    for (size_t k = 0; k < count;) {
        size_t end = k + 1; // the next moment that stays
        while (end + 1 < count && end + 1 - k <= LONGEST &&
               store->intervals[end + 1] == store->intervals[k] && is_line(r, k, end + 1))
            end++;
        move_row(store, k, kept++); // moments behind it are where they were
        k = end;
    }
    store->rows.rows = kept;
}

static void drop_stretches(ss_sketch_store* store)
{
    size_t count = store->rows.rows, kept = 0;
    const long* of = store->intervals; // what was moved so far does not reach the row before
    for (size_t k = 0; k < count; k++) {
        bool begins = k == 0 || of[k] != of[k - 1], ends = k + 1 == count || of[k + 1] != of[k];
        bool stays = ss_sketch_store_has_all_of(store, of[k]) ||
                     (begins && ss_sketch_store_has_instant(store, of[k])) ||
                     (ends && ss_sketch_store_has_instant(store, of[k] + 1));
        if (stays) move_row(store, k, kept++);
    }
    store->rows.rows = kept;
}

void ss_sketch_store_thin(ss_recorder* r)
{
    ss_sketch_store* store = r->store;
    ss_sketch_store_scale(r);
    do {
        store->level++;
        if (store->level <= FINER) {
            store->tolerance *= coarser;
            make_lines(r);
        } else {
            store->is_sampled = true;
            drop_stretches(store);
        }
    } while ((double)store->rows.rows > room_left * (double)store->most && store->level < MOST_LEVELS);
}
