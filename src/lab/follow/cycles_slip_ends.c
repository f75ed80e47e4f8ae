// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A contact slips for ever shorter times, and comes to stick all the time.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/cycles_stick_border.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double short_share = 0.2; // of the period: slip that may be about to vanish
static const double near_by = 1e-2;    // of the extents: hardly a motion

// Whether contact i slips and sticks on the present piece of the branch.
static bool slips(const ss_event_order* order, int i)
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
        if (ss_half_of(orbit->model, event->contact, event->side) != i || event->kind != SS_EVENT_MODE)
            continue;
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

// What hardly moves begins in the middle of its motion, at rest: there it would stick with least force.
static void begin_still(const ss_cycles* s, const ss_branch_point* edge, double y[])
{
    const ss_model* model = s->branch->model;
    for (int i = 0; i < model->n; i++) {
        int body = model->coordinate_body[i];
        if (edge->record.amplitude[body] > near_by * s->scale[i]) continue;
        y[i] = edge->record.middle[body];
        y[model->n + i] = 0.0;
    }
}

// The contact that sticks for most of the period on the present piece of the branch; -1: none. A level that
// falls when slip begins lets no slip be short.
static ss_status find_contact(ss_cycles* s, const ss_branch_point* edge, int* contact, ss_error* err)
{
    bool made;
    ss_error why;
    ss_status status = ss_cycles_at(s, &s->here, edge->u[s->size], &made, err);
    *contact = -1;
    if (status != SS_OK || !made) return status;
    if (ss_orbit_run(s->here.orbit, edge->u, edge->u[s->w], &why) != SS_OK) return SS_OK;
    for (int i = 0; i < s->branch->model->contact_count; i++) {
        const ss_contact* own = &s->branch->model->contacts[i];
        double share = slip_share(s->here.orbit, i, edge->u[s->w]);
        if (share <= short_share && slips(&s->order, i) && own->q.count > 0 && !own->falling) *contact = i;
    }
    return SS_OK;
}

// The first orbit beyond the last one in which the contact sticks.
static ss_status find_first(ss_stick_border* h, bool* held, ss_error* err)
{
    static const double ways[] = {1e-5, 1e-4, 1e-3, 1e-2}; // of the range: how far beyond the last orbit
    enum { WAYS = sizeof ways / sizeof *ways };
    double place = ss_stuck_place(&h->still), last = h->still.value, inside;
    int answer;
    ss_status status = ss_stuck_differentiate(&h->still, h->ahead, err);
    *held = false;
    for (int k = 0; k < WAYS && status == SS_OK && !*held && !h->s->interrupted; k++) {
        double value = last + ways[k] * ss_stick_border_range(h) * h->ahead;
        status = ss_stuck_ask(&h->still, place, value, &answer, err);
        *held = answer == SS_STUCK_HELD;
        if (status == SS_OK && (answer == 1 || answer == -1))
            status = ss_stuck_find_inside(&h->still, value, place, answer, 1e-6 * ss_stuck_extent(&h->still),
                                          &inside, held, err);
    }
    return status == SS_OK && *held ? ss_stuck_differentiate(&h->still, h->ahead, err) : status;
}

// Whether everything rests where the contact sticks: nothing is left to be followed. What still swings there
// comes to rest, or an orbit that stays would have been found.
static ss_status is_at_rest(ss_stick_border* h, bool* rests, ss_error* err)
{
    ss_error why;
    const ss_cycles* s = h->s;
    ss_status status = ss_cycles_at(h->s, &h->s->here, h->still.value, rests, err);
    if (status != SS_OK || !*rests) return status;
    const ss_orbit* orbit = s->here.orbit;
    status = ss_orbit_run(s->here.orbit, h->still.y, 2.0 * h->still.period, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *rests = status == SS_OK && (orbit->outcome == SS_AT_REST || orbit->outcome == SS_TIME_REACHED);
    if (!*rests || orbit->outcome == SS_AT_REST) return SS_OK;
    for (int i = 0; i < s->branch->model->n; i++)
        *rests = *rests &&
                 fabs(orbit->state[s->branch->model->n + i]) <= SS_CLEAR * s->scale[s->branch->model->n + i];
    return SS_OK;
}

// Slip has ended at this number and place: the orbit a little farther on, if anything moves.
static ss_status go_beyond(ss_stick_border* h, double at, double place, ss_error* err)
{
    static const double farther[] = {1e-7, 1e-5, 1e-3}; // of the range
    ss_continuation_verdict verdict;
    int answer = SS_STUCK_LOST;
    bool rests = false;
    ss_status status = ss_stuck_ask(
        &h->still, place, at + SS_RELATIVE_ZERO * ss_stick_border_range(h) * h->ahead, &answer, err);
    if (status == SS_OK) status = ss_stick_border_fill_point(h, &verdict, err);
    if (status == SS_OK && verdict == SS_CONTINUATION_LOST) status = is_at_rest(h, &rests, err);
    if (status == SS_OK) status = ss_stick_border_mark(h, "slip ends", at, err);
    if (rests)
        snprintf(h->border->why, sizeof h->border->why, "%.100s: slip ends, and nothing moves beyond",
                 h->border->contact);
    if (rests) return status;
    if (status == SS_OK && verdict != SS_CONTINUATION_LOST) status = ss_stick_border_take_order(h, err);
    for (size_t k = 0; k < sizeof farther / sizeof *farther && status == SS_OK && !h->border->goes_on; k++) {
        status = ss_stuck_ask(&h->still, place, at + farther[k] * ss_stick_border_range(h) * h->ahead,
                              &answer, err);
        if (status != SS_OK || answer != SS_STUCK_HELD) continue;
        status = ss_stick_border_fill_point(h, &verdict, err);
        h->border->goes_on = status == SS_OK && verdict != SS_CONTINUATION_LOST;
    }
    if (status == SS_OK && h->border->goes_on) return ss_stick_border_take_order(h, err);
    return status == SS_OK && (answer == 1 || answer == -1) ? ss_stick_border_push(h, answer, err) : status;
}

ss_status ss_cycles_hold(ss_cycles* s, const ss_branch_point* edge, ss_branch_point* out, ss_border* border,
                         bool* met, ss_error* err)
{
    ss_stick_border h;
    int contact = -1;
    double at, place;
    *met = false;
    ss_status status = s->forced ? find_contact(s, edge, &contact, err) : SS_OK;
    if (status != SS_OK || contact < 0) return status;
    status = ss_stick_border_make(&h, s, edge, contact, out, border, err);
    if (status == SS_OK) {
        begin_still(s, edge, h.y);
        status = find_first(&h, met, err);
    }
    if (status == SS_OK && *met) status = ss_stuck_find_meeting(&h.still, -h.ahead, &at, &place, met, err);
    if (status == SS_OK && *met) {
        ss_branch_point_copy(s->branch, s->size, edge, out);
        status = go_beyond(&h, at, place, err);
    }
    ss_stick_border_release(&h);
    return status;
}
