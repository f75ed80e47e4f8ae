// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/follow/cycles_stuck.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double near_by = 1e-2; // of the extents: the same orbit, but for the slip
static const double aside = 1e-5;   // of the range: how far the number is moved for a derivative

ss_status ss_stuck_make(ss_stuck* a, ss_cycles* s, int contact, double period, double y[], double value,
                        ss_error* err)
{
    size_t room = (size_t)s->size + 1;
    *a = (ss_stuck){.s = s,
                    .contact = contact,
                    .row = &s->branch->model->contacts[contact].q,
                    .period = period,
                    .y = y,
                    .value = value};
    a->u = ss_new(4 * room, sizeof(double));
    if (!a->u) return ss_fail_no_memory(err);
    a->from = a->u + room;
    a->by_place = a->from + room;
    a->by_value = a->by_place + room;
    return SS_OK;
}

void ss_stuck_free(ss_stuck* a) { free(a->u); }

double ss_stuck_place(const ss_stuck* a) { return ss_row_dot(a->row, a->y); }

double ss_stuck_extent(const ss_stuck* a) { return a->s->scale[a->row->index[0]]; }

// ---- does it stick?

// What the start of an orbit that sticks is expected to be.
static void expect(const ss_stuck* a, double place, double value, double y[])
{
    for (int c = 0; c < a->s->w; c++) y[c] = a->y[c] + (value - a->value) * a->by_value[c];
    double off = place - ss_row_dot(a->row, y);
    for (int c = 0; c < a->s->w; c++) y[c] += off * a->by_place[c];
}

// Which way the contact first leaves its place in the motion followed last: 1 or -1, 0 where it does not.
static int leaves(const ss_stuck* a)
{
    const ss_orbit* orbit = a->s->here.orbit;
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k]; // a start that is off by rounding stops at once
        if (ss_half_of(orbit->model, event->contact, event->side) == a->contact &&
            event->t > 1e-6 * a->period)
            return event->to == SS_MODE_SLIP_PLUS ? 1 : -1;
    }
    return SS_STUCK_HELD;
}

// The motion from a start at a number: what becomes of the contact in it, and whether everything rests.
static ss_status run(const ss_stuck* a, const double y[], double value, double time, int* answer, bool* rests,
                     ss_error* err)
{
    ss_error why;
    bool made;
    *answer = SS_STUCK_LOST;
    *rests = false;
    ss_status status = ss_cycles_at(a->s, &a->s->here, value, &made, err);
    if (status != SS_OK || !made) return status;
    const ss_orbit* orbit = a->s->here.orbit;
    status = ss_orbit_run(a->s->here.orbit, y, time, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != SS_OK) return SS_OK;
    *rests = orbit->outcome == SS_AT_REST && orbit->events.count <= 1;
    *answer = *rests ? SS_STUCK_HELD : orbit->outcome == SS_TIME_REACHED ? leaves(a) : SS_STUCK_LOST;
    return SS_OK;
}

ss_status ss_stuck_ask(ss_stuck* a, double place, double value, int* answer, ss_error* err)
{
    ss_cycles* s = a->s;
    bool rests, closes;
    int first;
    expect(a, place, value, a->from);
    ss_status status = run(a, a->from, value, (a->differs ? 1.0 : 2.0) * a->period, &first, &rests, err);
    *answer = first;
    if (status != SS_OK || first == SS_STUCK_LOST || (a->differs && first != SS_STUCK_HELD)) return status;
    if (rests) {
        memcpy(a->u, a->from, (size_t)s->w * sizeof(double));
    } else {
        status = ss_cycles_shoot(s, value, a->from, a->period, a->u, &closes, err);
        double off = place - ss_row_dot(a->row, a->u); // its steps may lead a little aside
        for (int c = 0; c < s->w && closes; c++) a->u[c] += off * a->by_place[c];
        if (status == SS_OK && closes) status = run(a, a->u, value, a->u[s->w], answer, &rests, err);
        for (int c = 0; c < s->w; c++) closes = closes && fabs(a->u[c] - a->from[c]) <= near_by * s->scale[c];
        if (!closes) *answer = first != SS_STUCK_HELD ? first : SS_STUCK_LOST;
    }
    if (*answer != SS_STUCK_HELD) return status;
    memcpy(a->y, a->u, (size_t)s->w * sizeof(double));
    a->value = value;
    return status;
}

// ---- how orbits that stick change

// With the place: what the derivative over the period leaves as it is, one unit along the row. Where that is
// not known the contact is moved alone.
static ss_status differ_by_place(ss_stuck* a, ss_error* err)
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
        orbit->outcome == SS_TIME_REACHED && !orbit->interrupted) {
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

// With the number: by the difference to an orbit a little off.
static ss_status differ_by_value(ss_stuck* a, double way, ss_error* err)
{
    int w = a->s->w, answer;
    double value = a->value, *y = ss_new((size_t)w, sizeof(double));
    if (!y) return ss_fail_no_memory(err);
    memcpy(y, a->y, (size_t)w * sizeof(double));
    memset(a->by_value, 0, (size_t)w * sizeof(double));
    ss_status status =
        ss_stuck_ask(a, ss_stuck_place(a), value + aside * a->s->scale[a->s->size] * way, &answer, err);
    for (int c = 0; c < w && status == SS_OK && answer == SS_STUCK_HELD; c++)
        a->by_value[c] = (a->y[c] - y[c]) / (a->value - value);
    memcpy(a->y, y, (size_t)w * sizeof(double));
    a->value = value;
    free(y);
    return status;
}

ss_status ss_stuck_differentiate(ss_stuck* a, double way, ss_error* err)
{
    ss_status status = differ_by_place(a, err);
    a->differs = false;
    if (status == SS_OK) status = differ_by_value(a, way, err);
    a->differs = status == SS_OK;
    return status;
}

// ---- where it sticks

ss_status ss_stuck_find_inside(ss_stuck* a, double value, double outside, int sign, double stride,
                               double* inside, bool* found, ss_error* err)
{
    enum { STRIDES = 16, HALVINGS = 60 };
    double near = outside, far = outside;
    int answer = sign;
    ss_status status = SS_OK;
    for (int k = 0; k < STRIDES && status == SS_OK && answer == sign && !a->s->interrupted;
         k++, stride *= 4.0) {
        near = far;
        far += sign * stride;
        status = ss_stuck_ask(a, far, value, &answer, err);
    }
    for (int k = 0; k < HALVINGS && status == SS_OK && answer == -sign && !a->s->interrupted; k++) {
        double middle = 0.5 * (near + far);
        if (middle == near || middle == far) break;
        status = ss_stuck_ask(a, middle, value, &answer, err);
        *(answer == sign ? &near : &far) = middle;
        if (answer == sign) answer = -sign; // what it is at the far end
    }
    *inside = far;
    *found = status == SS_OK && answer == SS_STUCK_HELD;
    return status;
}

// The edge as it is expected from the orbit found last, at whose number it is: starts there are good to first
// order in the distance from its place, and need no shooting.
static ss_status expect_edge(ss_stuck* a, int sign, double stride, double* edge, bool* found, ss_error* err)
{
    enum { STRIDES = 16, HALVINGS = 60 };
    double inside = ss_stuck_place(a), outside = inside;
    int answer = SS_STUCK_HELD;
    bool rests;
    ss_status status = SS_OK;
    *found = false;
    for (int k = 0; k < STRIDES + HALVINGS && status == SS_OK && !a->s->interrupted; k++, stride *= 4.0) {
        double place = *found ? 0.5 * (inside + outside) : outside - sign * stride;
        if (place == inside || place == outside || (!*found && k >= STRIDES)) break;
        expect(a, place, a->value, a->from);
        status = run(a, a->from, a->value, a->period, &answer, &rests, err);
        if (answer == SS_STUCK_HELD) inside = place;
        if (answer != SS_STUCK_HELD || !*found) outside = place;
        *found = *found || answer != SS_STUCK_HELD;
    }
    *edge = inside;
    return status;
}

ss_status ss_stuck_find_edge(ss_stuck* a, double value, double inside, int sign, double stride, double* edge,
                             bool* found, ss_error* err)
{
    enum { ROUNDS = 8, TRIES = 4 };
    int answer;
    double noise = SS_SUM_NOISE * ss_stuck_extent(a);
    bool done = false;
    ss_status status = ss_stuck_ask(a, inside, value, &answer, err);
    *found = answer == SS_STUCK_HELD;
    for (int round = 0; round < ROUNDS && status == SS_OK && *found && !done && !a->s->interrupted; round++) {
        double base = ss_stuck_place(a), expected;
        status = expect_edge(a, sign, stride, &expected, found, err);
        double way = expected - base;
        done = fabs(way) <= noise;
        stride = fmax(1e-3 * fabs(way), noise);
        answer = SS_STUCK_LOST;
        for (int k = 0; k < TRIES && status == SS_OK && *found && !done && answer != SS_STUCK_HELD; k++) {
            status = ss_stuck_ask(a, base + way - copysign(fmin(0.1 * noise, fabs(way)), way), value, &answer,
                                  err);
            way *= k == 0 ? 0.99 : 0.5;
        }
        done = done || answer != SS_STUCK_HELD;
    }
    *edge = ss_stuck_place(a);
    return status;
}

// ---- where both edges meet

typedef struct span {
    double value, low, high;
} span;

static double width(const span* at) { return at->high - at->low; }

// Both edges at a number, from about where the middle is expected and how wide it is.
static ss_status measure(ss_stuck* a, double value, double middle, double wide, span* out, bool* found,
                         ss_error* err)
{
    int answer;
    double inside = middle, stride = fmax(0.25 * wide, SS_RELATIVE_ZERO * ss_stuck_extent(a));
    out->value = value;
    ss_status status = ss_stuck_ask(a, middle, value, &answer, err);
    *found = answer == SS_STUCK_HELD;
    if (status == SS_OK && (answer == 1 || answer == -1))
        status = ss_stuck_find_inside(a, value, middle, answer, stride, &inside, found, err);
    if (status == SS_OK && *found)
        status = ss_stuck_find_edge(a, value, inside, 1, stride, &out->low, found, err);
    if (status == SS_OK && *found)
        status = ss_stuck_find_edge(a, value, inside, -1, stride, &out->high, found, err);
    return status;
}

// The line through two spans: where it has no width.
static double root(const span* a, const span* b)
{
    return b->value - width(b) * (b->value - a->value) / (width(b) - width(a));
}

static double on_line(double at, double x0, double y0, double x1, double y1)
{
    return y1 + (at - x1) * (y1 - y0) / (x1 - x0);
}

static double middle_at(double at, const span* a, const span* b)
{
    return on_line(at, a->value, 0.5 * (a->low + a->high), b->value, 0.5 * (b->low + b->high));
}

// Two spans the one of which is narrower than the other, some way off.
static ss_status find_two(ss_stuck* a, double way, span* wide, span* narrow, bool* found, ss_error* err)
{
    enum { TRIES = 8 };
    double range = a->s->scale[a->s->size], off = 1e-3 * range;
    ss_status status = measure(a, a->value, ss_stuck_place(a), 1e-4 * ss_stuck_extent(a), wide, found, err);
    bool second = false;
    for (int k = 0; k < TRIES && status == SS_OK && *found && !second; k++, off *= 0.125)
        status = measure(a, wide->value + off * way, 0.5 * (wide->low + wide->high), width(wide), narrow,
                         &second, err);
    *found = *found && second && width(narrow) < width(wide);
    return status;
}

ss_status ss_stuck_find_meeting(ss_stuck* a, double way, double* at, double* place, bool* found,
                                ss_error* err)
{
    enum { ROUNDS = 24 };
    span before = {0}, last = {0}, next = {0};
    double range = a->s->scale[a->s->size];
    bool done = false;
    ss_status status = find_two(a, way, &before, &last, found, err);
    for (int k = 0; k < ROUNDS && status == SS_OK && *found && !done && !a->s->interrupted; k++) {
        // Nine tenths of the way, so that there is always room to stick; farther than a known share of the
        // range the line is not trusted.
        double share = 0.9, go = root(&before, &last) - last.value;
        bool there = false;
        go = copysign(fmin(fabs(go), 0.1 * range), go);
        for (int j = 0; j < 4 && status == SS_OK && !there; j++, share *= 0.5) {
            double value = last.value + share * go;
            double wide = fmax(on_line(value, before.value, width(&before), last.value, width(&last)), 0.0);
            status = measure(a, value, middle_at(value, &before, &last), wide, &next, &there, err);
        }
        if (!there || width(&next) >= width(&last)) break;
        double expected = root(&before, &last), better = root(&last, &next);
        before = last;
        last = next;
        done = fabs(better - expected) <= SS_SUM_NOISE * range ||
               width(&last) <= SS_SUM_NOISE * ss_stuck_extent(a);
    }
    *found = *found && done;
    if (!*found) return status;
    *at = root(&before, &last);
    *place = middle_at(*at, &before, &last);
    return status;
}
