// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where inputs set the rhythm and a contact slips for ever shorter times, it sticks all the time from some
// number on. Slip that lasts a time tau leads tau^5 far: orbits close to that number cannot be told from a
// contact that sticks, but whether it sticks can be asked at every number.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/follow/cycles.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double short_share = 0.2;                 // of the period: slip that may be about to vanish
static const double near_by = 1e-2;                    // of the extents: the same orbit, but for the slip
static const double ways[] = {1e-5, 1e-4, 1e-3, 1e-2}; // of the range: how far beyond the last orbit

// Whether contact i slips and sticks on the present piece of the branch.
static bool slips(const ss_order* order, int i)
{
    bool found = false;
    for (size_t k = 0; k < order->count; k++)
        found = found || (order->events[k].contact == i && order->events[k].from == SS_MODE_STICK);
    return found;
}

// Share of the period in which contact i slips; NaN where it has no phase of stick.
static double slip_share(const ss_orbit* orbit, int i, double period)
{
    double begun = NAN, first = NAN, sum = 0.0;
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k];
        if (event->contact != i || event->kind != SS_EVENT_MODE) continue;
        if (event->from == SS_MODE_STICK) begun = event->t;
        if (event->to == SS_MODE_STICK && isnan(begun)) first = event->t; // it slips where the period begins
        if (event->to == SS_MODE_STICK && !isnan(begun)) {
            sum += event->t - begun;
            begun = NAN;
        }
    }
    if (!isnan(begun)) sum += period - begun;
    if (!isnan(first)) sum += first;
    return sum > 0.0 ? sum / period : NAN;
}

// What is asked at every number and place: does the contact stick all the time?
typedef struct still {
    ss_cycles* s;
    int contact;
    const ss_row* row;           // of the contact: its place is the product with a start
    double period, ahead;        // s; which way along the number slip ends
    double* y;                   // w: start of the orbit that was found last to stick
    double value;                // the number there
    double *by_place, *by_value; // w: how starts of orbits that stick change
    double *u, *from;            // size + 1, w: scratch
} still;

// What the start of an orbit that sticks is expected to be.
static void expect(const still* a, double place, double value, double y[])
{
    for (int c = 0; c < a->s->w; c++) y[c] = a->y[c] + (value - a->value) * a->by_value[c];
    double off = place - ss_row_dot(a->row, y);
    for (int c = 0; c < a->s->w; c++) y[c] += off * a->by_place[c];
}

// Which way the contact first leaves its place in the motion followed last: 1 or -1, 0 where it does not.
static int leaves(const still* a)
{
    const ss_orbit* orbit = a->s->here.orbit;
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k]; // a start that is off by rounding stops at once
        if (event->contact == a->contact && event->t > 1e-6 * a->period)
            return event->to == SS_MODE_SLIP_PLUS ? 1 : -1;
    }
    return 0;
}

// The motion from a start at a number; *held where the contact sticks all the time in it, or everything
// rests.
static ss_status hold(const still* a, const double y[], double value, double time, bool* held, bool* rests,
                      ss_error* err)
{
    ss_error why;
    bool made;
    *held = *rests = false;
    ss_status status = ss_cycles_at(a->s, &a->s->here, value, &made, err);
    if (status != SS_OK || !made) return status;
    const ss_orbit* orbit = a->s->here.orbit;
    status = ss_orbit_run(a->s->here.orbit, y, time, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *rests = status == SS_OK && orbit->outcome == SS_AT_REST && orbit->events.count <= 1;
    *held = *rests || (status == SS_OK && orbit->outcome == SS_TIME_REACHED && leaves(a) == 0);
    return SS_OK;
}

// Whether the contact sticks all the time in the orbit at a number and a place, or everything rests.
static ss_status is_still(still* a, double place, double value, bool* held, ss_error* err)
{
    ss_cycles* s = a->s;
    bool rests, closes;
    expect(a, place, value, a->from);
    ss_status status = hold(a, a->from, value, 2.0 * a->period, held, &rests, err);
    if (status != SS_OK) return status;
    if (rests) {
        memcpy(a->u, a->from, (size_t)s->w * sizeof(double));
    } else {
        *held = false;
        status = ss_cycles_shoot(s, value, a->from, a->period, a->u, &closes, err);
        double off = place - ss_row_dot(a->row, a->u); // its steps may lead a little aside
        for (int c = 0; c < s->w && closes; c++) a->u[c] += off * a->by_place[c];
        if (status == SS_OK && closes) status = hold(a, a->u, value, a->u[s->w], held, &rests, err);
        for (int c = 0; c < s->w; c++) *held = *held && fabs(a->u[c] - a->from[c]) <= near_by * s->scale[c];
    }
    if (!*held) return status;
    memcpy(a->y, a->u, (size_t)s->w * sizeof(double));
    a->value = value;
    return status;
}

// How the start changes with the place: what the derivative over the period leaves as it is, one unit along
// the row. Where that is not known the contact is moved alone.
static ss_status differ_by_place(still* a, ss_error* err)
{
    ss_cycles* s = a->s;
    ss_error why;
    int w = s->w, rank;
    size_t room = (size_t)w + 1;
    double size = 0.0, along = 0.0, *matrix = ss_new(room * (room + 2), sizeof(double));
    if (!matrix) return ss_fail_no_memory(err);
    double *right = matrix + room * room, *singular = right + room;
    bool made;
    memset(a->by_place, 0, (size_t)w * sizeof(double));
    for (int k = 0; k < a->row->count; k++) size += a->row->value[k] * a->row->value[k];
    for (int k = 0; k < a->row->count; k++) a->by_place[a->row->index[k]] = a->row->value[k] / size;
    ss_status status = ss_cycles_at(s, &s->here, a->value, &made, err);
    const ss_orbit* orbit = s->here.orbit;
    if (status == SS_OK && made && orbit->derivative &&
        ss_orbit_differentiate(s->here.orbit, a->y, s->here.period, true, &why) == SS_OK &&
        orbit->outcome == SS_TIME_REACHED && !orbit->stopped) {
        for (int r = 0; r < w; r++)
            for (int c = 0; c < w; c++)
                matrix[r * w + c] = (orbit->monodromy[r * w + c] - (r == c)) * s->scale[c] / s->scale[r];
        double* row = matrix + (size_t)w * (size_t)w;
        for (int k = 0; k < a->row->count; k++)
            row[a->row->index[k]] = a->row->value[k] * s->scale[a->row->index[k]] / s->scale[0];
        right[w] = 1.0;
        int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, w + 1, w, 1, matrix, w, right, 1, singular,
                                  SS_RELATIVE_ZERO, &rank);
        if (ss_algebra_ran_out(info)) status = ss_fail_no_memory(err);
        for (int c = 0; c < w; c++) right[c] *= s->scale[c];
        along = info == 0 ? ss_row_dot(a->row, right) : 0.0;
        for (int c = 0; c < w && along > 0.0; c++) a->by_place[c] = right[c] / along;
    }
    free(matrix);
    return status;
}

// How it changes with the number: by the difference to an orbit a little farther on.
static ss_status differ_by_value(still* a, ss_error* err)
{
    int w = a->s->w;
    double value = a->value, *y = ss_new((size_t)w, sizeof(double));
    bool held;
    if (!y) return ss_fail_no_memory(err);
    memcpy(y, a->y, (size_t)w * sizeof(double));
    ss_status status =
        is_still(a, ss_row_dot(a->row, y), value + ways[0] * a->s->scale[a->s->size] * a->ahead, &held, err);
    for (int c = 0; c < w && status == SS_OK && held; c++)
        a->by_value[c] = (a->y[c] - y[c]) / (a->value - value);
    free(y);
    return status;
}

// ---- from which number on it sticks

// By halves between a number at which it does not stick and one at which it does.
static ss_status halve(still* a, double place, double low, double high, double* at, int* side, ss_error* err)
{
    enum { HALVINGS = 60 };
    ss_status status = SS_OK;
    bool held, rests;
    for (int k = 0; k < HALVINGS && status == SS_OK && !a->s->stopped; k++) {
        double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        status = is_still(a, place, middle, &held, err);
        *(held ? &high : &low) = middle;
    }
    *at = high;
    *side = 0;
    // The limit that is broken first just before it.
    for (double off = SS_NOISE; off < SS_CLEAR && status == SS_OK && *side == 0; off *= 4.0) {
        double before = low - off * a->s->scale[a->s->size] * a->ahead;
        expect(a, place, before, a->from);
        status = hold(a, a->from, before, a->period, &held, &rests, err);
        *side = leaves(a);
    }
    return status;
}

// The same near a number that is expected, give or take a width; *side stays 0 where it is not found.
static ss_status find_number(still* a, double place, double expected, double width, double* at, int* side,
                             ss_error* err)
{
    enum { TRIES = 8 };
    double low = expected - width * a->ahead, high = expected + width * a->ahead;
    bool below = true, above = false;
    ss_status status = SS_OK;
    *side = 0;
    for (int k = 0; k < TRIES && status == SS_OK && below; k++, width *= 4.0) {
        status = is_still(a, place, low, &below, err);
        if (below) {
            high = low;
            above = true;
            low -= 4.0 * width * a->ahead;
        }
    }
    for (int k = 0; k < TRIES && status == SS_OK && !above; k++, width *= 4.0) {
        status = is_still(a, place, high, &above, err);
        if (!above) {
            low = high;
            high += 4.0 * width * a->ahead;
        }
    }
    return status == SS_OK && above && !below ? halve(a, place, low, high, at, side, err) : status;
}

// ---- where it comes to stick

// Numbers from which on it sticks, at places at which one limit is broken just before: the nearest to the
// other flank first.
typedef struct flank {
    double place[2], number[2];
    int count;
} flank;

static void add(flank* f, double place, double number, bool nearest)
{
    int k = nearest ? 0 : 1;
    f->place[1] = f->place[0];
    f->number[1] = f->number[0];
    f->place[k] = place;
    f->number[k] = number;
    f->count++;
}

static double slope(const flank* f) { return (f->number[1] - f->number[0]) / (f->place[1] - f->place[0]); }

// The place to look at next, and the number expected there: where the lines through two points on each flank
// meet. Where the last two places were on the same flank, its line may be the better one by far, and the
// other flank is some way beyond.
static double next_place(const flank f[2], int last, bool repeats, double* number)
{
    double a = f[0].place[0], b = f[1].place[0], other = f[!last].place[0];
    double x = (f[1].number[0] - f[0].number[0] + slope(&f[0]) * a - slope(&f[1]) * b) /
               (slope(&f[0]) - slope(&f[1]));
    if (!(x >= a && x <= b)) x = 0.5 * (a + b);
    double over = fmin(fmax(10.0 * fabs(x - f[last].place[0]), 1e-3 * (b - a)), 0.5 * fabs(other - x));
    if (repeats) x += copysign(over, other - x);
    *number = f[last].number[0] + slope(&f[last]) * (x - f[last].place[0]);
    return x;
}

// A point on one flank at least, and two on either in the end: onward from the first while that slips the
// same way, backward from the first one of a flank.
static ss_status find_flanks(still* a, int side, double number, flank flanks[2], bool* found, ss_error* err)
{
    enum { STRIDES = 8 };
    double range = a->s->scale[a->s->size], stride = 1e-4 * a->s->scale[a->row->index[0]];
    double place = ss_row_dot(a->row, a->y), far = place;
    ss_status status = SS_OK;
    *found = false;
    add(&flanks[side < 0], place, number, true);
    for (int k = 0; k < STRIDES && status == SS_OK && flanks[side > 0].count == 0; k++) {
        int now;
        far += side * stride * pow(4.0, k);
        status = find_number(a, far, number, 1e-4 * range, &number, &now, err);
        if (status != SS_OK || now == 0) return status;
        add(&flanks[now < 0], far, number, true);
    }
    for (int i = 0; i < 2 && status == SS_OK; i++) {
        int now = 0, sign = i == 0 ? 1 : -1;
        if (flanks[i].count == 0) return SS_OK;
        if (flanks[i].count > 1) continue;
        place = flanks[i].place[0] - sign * stride;
        status = find_number(a, place, flanks[i].number[0], 1e-4 * range, &number, &now, err);
        if (status != SS_OK || now != sign) return status;
        add(&flanks[i], place, number, false);
    }
    *found = status == SS_OK && flanks[0].place[0] < flanks[1].place[0];
    return status;
}

// Slip that vanishes leaves the contact where both limits are just touched: at any other place one of them is
// broken for longer. The number from which on it sticks is a valley over the place, with its lowest point
// there. `at` is that number at the place of y, and becomes that of the lowest point; y is moved there.
static ss_status find_place(still* a, int side, double* at, ss_error* err)
{
    enum { ROUNDS = 20 };
    const double near = 1e-6; // of the range: so close to each other the flanks are straight to 1e-12
    double range = a->s->scale[a->s->size], best = ss_row_dot(a->row, a->y);
    flank flanks[2] = {{{0}, {0}, 0}, {{0}, {0}, 0}};
    bool found = false, done = false, repeats = false;
    ss_status status = side != 0 ? find_flanks(a, side, *at, flanks, &found, err) : SS_OK;
    side = 1;
    for (int k = 0; k < ROUNDS && status == SS_OK && found && !done && !a->s->stopped; k++) {
        double expected, number;
        int was = side;
        double place = next_place(flanks, side < 0, repeats, &expected);
        double width =
            fmin(fmax(1e-3 * fabs(flanks[side < 0].number[0] - expected), SS_NOISE * range), near * range);
        status = find_number(a, place, expected, width, &number, &side, err);
        if (status != SS_OK || side == 0) break;
        if (number * a->ahead <= *at * a->ahead) {
            *at = number;
            best = place;
        }
        add(&flanks[side < 0], place, number, true);
        repeats = side == was && k > 0;
        done = fabs(number - expected) <= SS_SOLVED * range &&
               fmax(fabs(flanks[0].number[0] - *at), fabs(flanks[1].number[0] - *at)) <= near * range;
        done = done || !(flanks[1].place[0] - flanks[0].place[0] > SS_NOISE * a->s->scale[a->row->index[0]]);
    }
    expect(a, best, *at, a->from);
    memcpy(a->y, a->from, (size_t)a->s->w * sizeof(double));
    a->value = *at;
    return status;
}

// What hardly moves begins in the middle of its motion, at rest: there it would stick with least force.
static void begin_still(const ss_cycles* s, const ss_spot* edge, double y[])
{
    const ss_model* model = s->branch->model;
    memcpy(y, edge->u, (size_t)s->w * sizeof(double));
    for (int i = 0; i < model->n; i++) {
        int body = model->coordinate_body[i];
        if (edge->record.amplitude[body] > near_by * s->scale[i]) continue;
        y[i] = edge->record.middle[body];
        y[model->n + i] = 0.0;
    }
}

// The contact that sticks for most of the period on the present piece of the branch; -1: none.
static ss_status find_contact(ss_cycles* s, const ss_spot* edge, int* contact, ss_error* err)
{
    bool made;
    ss_error why;
    ss_status status = ss_cycles_at(s, &s->here, edge->u[s->size], &made, err);
    *contact = -1;
    if (status != SS_OK || !made) return status;
    if (ss_orbit_run(s->here.orbit, edge->u, edge->u[s->w], &why) != SS_OK) return SS_OK;
    for (int i = 0; i < s->branch->model->contact_count; i++) {
        double share = slip_share(s->here.orbit, i, edge->u[s->w]);
        if (share <= short_share && slips(&s->order, i)) *contact = i;
    }
    return SS_OK;
}

// The first orbit beyond the last one in which the contact sticks; low: a number before it.
static ss_status find_first(still* a, double last, double* low, bool* held, ss_error* err)
{
    enum { WAYS = sizeof ways / sizeof *ways };
    double place = ss_row_dot(a->row, a->y);
    ss_status status = differ_by_place(a, err);
    *low = last;
    *held = false;
    for (int k = 0; k < WAYS && status == SS_OK && !*held && !a->s->stopped; k++) {
        double value = last + ways[k] * a->s->scale[a->s->size] * a->ahead;
        status = is_still(a, place, value, held, err);
        if (!*held) *low = value;
    }
    if (status != SS_OK || !*held) return status;
    status = differ_by_place(a, err);
    return status == SS_OK ? differ_by_value(a, err) : status;
}

// An orbit a little farther on at the same place, where shooting cannot be led into slip.
static ss_status go_beyond(still* a, double at, ss_error* err)
{
    static const double farther[] = {1e-7, 1e-5, 1e-3}; // of the range
    double place = ss_row_dot(a->row, a->y);
    bool held = false;
    ss_status status = SS_OK;
    for (size_t k = 0; k < sizeof farther / sizeof *farther && status == SS_OK && !held; k++)
        status = is_still(a, place, at + farther[k] * a->s->scale[a->s->size] * a->ahead, &held, err);
    return status;
}

ss_status ss_cycles_find_still(ss_cycles* s, const ss_spot* edge, double y[], int* contact, double* at,
                               double* beyond, ss_error* err)
{
    still a = {.s = s, .period = edge->u[s->w], .ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0, .y = y};
    double low;
    size_t room = (size_t)s->size + 1;
    bool held;
    int side;
    *contact = -1;
    ss_status status = s->forced ? find_contact(s, edge, &a.contact, err) : SS_OK;
    if (status != SS_OK || !s->forced || a.contact < 0) return status;
    a.row = &s->branch->model->contacts[a.contact].q;
    if (a.row->count == 0) return SS_OK;
    a.u = ss_new(4 * room, sizeof(double));
    if (!a.u) return ss_fail_no_memory(err);
    a.from = a.u + room;
    a.by_place = a.from + room;
    a.by_value = a.by_place + room;
    a.value = edge->u[s->size];
    begin_still(s, edge, y);
    status = find_first(&a, a.value, &low, &held, err);
    if (status == SS_OK && held) {
        *contact = a.contact;
        status = halve(&a, ss_row_dot(a.row, a.y), low, a.value, at, &side, err);
        if (status == SS_OK) status = find_place(&a, side, at, err);
        if (status == SS_OK) status = go_beyond(&a, *at, err);
        *beyond = a.value;
    }
    free(a.u);
    return status;
}
