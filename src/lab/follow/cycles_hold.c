// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Borders at which a contact comes to stick all the time, or no longer does. Where inputs set the rhythm:
//
//     slips for ever shorter times    slip ends where both edges of the places in which it sticks meet
//     sticks, one limit is met        it is pushed along by that limit, to where it just sticks, while p goes
//                                     on: until the limit recedes, or both edges meet and slip begins
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/cycles_still.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double short_share = 0.2; // of the period: slip that may be about to vanish
static const double near_by = 1e-2;    // of the extents: hardly a motion

// A contact on its way between sticking and slipping.
typedef struct holding {
    ss_cycles* s;
    ss_still still;
    double ahead;   // which way along p the walk goes
    double* guess;  // size + 1
    double* normal; // size + 1: along p
    double* y;      // w
    double* kept;   // w: an orbit in which it sticks, to which the search may go back
    double kept_at; // the number there
    ss_spot limit;  // the orbit at which a limit is met
    bool owed;      // that is to be told yet
    ss_spot* out;
    ss_border* border;
} holding;

static ss_status make(holding* h, ss_cycles* s, const ss_spot* edge, int contact, ss_spot* out,
                      ss_border* border, ss_error* err)
{
    size_t n = (size_t)s->size + 1;
    *h = (holding){.s = s, .out = out, .border = border};
    h->ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0;
    h->guess = ss_new(4 * n, sizeof(double));
    bool fine = ss_spot_make(s->branch, s->size, &h->limit);
    if (!h->guess || !fine) return ss_fail_no_memory(err);
    h->normal = h->guess + n;
    h->y = h->normal + n;
    h->kept = h->y + n;
    h->normal[s->size] = h->ahead;
    memcpy(h->y, edge->u, (size_t)s->w * sizeof(double));
    return ss_still_make(&h->still, s, contact, edge->u[s->w], h->y, edge->u[s->size], err);
}

static void release(holding* h)
{
    ss_still_free(&h->still);
    ss_spot_free(&h->limit);
    free(h->guess);
}

static void keep(holding* h)
{
    memcpy(h->kept, h->y, (size_t)h->s->w * sizeof(double));
    h->kept_at = h->still.value;
}

static void go_back(holding* h)
{
    memcpy(h->y, h->kept, (size_t)h->s->w * sizeof(double));
    h->still.value = h->kept_at;
}

static double range(const holding* h) { return h->s->scale[h->s->size]; }

// Where the walk would leave the range.
static double end_of_range(const holding* h)
{
    const ss_follow_def* def = h->s->def;
    return h->ahead > 0.0 ? fmax(def->from, def->to) : fmin(def->from, def->to);
}

// The orbit that was found last to stick, as a spot; its order is found. The tangent is turned ahead.
static ss_status tell_last(holding* h, ss_verdict_of_walk* verdict, ss_error* err)
{
    ss_cycles* s = h->s;
    bool made;
    *verdict = SS_WALK_LOST;
    ss_status status = ss_cycles_at(s, &s->here, h->still.value, &made, err);
    if (status != SS_OK || !made) return status;
    memcpy(h->guess, h->still.y, (size_t)s->w * sizeof(double));
    h->guess[s->w] = s->forced ? s->here.period : h->still.period;
    h->guess[s->size] = h->still.value;
    s->differed = false;
    status = ss_cycles_solve(s, h->guess, h->normal, h->out, verdict, err);
    for (int c = 0; c <= s->size && h->out->tangent[s->size] * h->ahead < 0.0; c++)
        h->out->tangent[c] = -h->out->tangent[c];
    return status;
}

// Says what happens to the contact, and marks it at a spot.
static ss_status mark(holding* h, const char* what, const ss_spot* spot, ss_error* err)
{
    ss_border* border = h->border;
    border->kind = SS_SPECIAL_BOUNDARY;
    border->told = true;
    snprintf(border->contact, sizeof border->contact, "%.127s",
             h->s->branch->model->contacts[h->still.contact].name);
    snprintf(border->what, sizeof border->what, "%s", what);
    snprintf(border->why, sizeof border->why, "%.100s: %.40s, and no orbit is found beyond", border->contact,
             border->what);
    return ss_trail_mark(h->s->branch, border->kind, &spot->record, border->contact, border->what)
               ? SS_OK
               : ss_fail_no_memory(err);
}

// The same at the orbit told last, but at this number.
static ss_status mark_last(holding* h, const char* what, double at, ss_error* err)
{
    h->out->record.value = at;
    return mark(h, what, h->out, err);
}

// Says that a limit was met, unless that was said before.
static ss_status mark_limit(holding* h, ss_error* err)
{
    bool owed = h->owed;
    h->owed = false;
    return owed ? mark(h, "is pushed along", &h->limit, err) : SS_OK;
}

static ss_status take_order(holding* h, ss_error* err)
{
    h->s->glimpsed = false;
    return ss_order_copy(&h->s->order, &h->s->found) ? SS_OK : ss_fail_no_memory(err);
}

// ---- both limits are met: slip begins

// The orbits beyond, in which the contact slips: a little farther on, where they can be told from those in
// which it does not.
static ss_status begin_to_slip(holding* h, double at, double place, ss_error* err)
{
    static const double ways[] = {1e-4, 1e-3, 1e-5, 1e-2}; // of the range
    ss_cycles* s = h->s;
    ss_verdict_of_walk verdict;
    int answer;
    ss_status status =
        ss_still_ask(&h->still, place, at - SS_RELATIVE_ZERO * range(h) * h->ahead, &answer, err);
    if (status == SS_OK) status = tell_last(h, &verdict, err);
    if (status != SS_OK || verdict != SS_WALK_INSIDE) return status;
    // Both limits may have been met at once.
    if (fabs(at - h->limit.record.value) > SS_CLEAR * range(h)) status = mark_limit(h, err);
    h->owed = false;
    if (status == SS_OK) status = mark_last(h, "slip begins", at, err);
    for (size_t k = 0; k < sizeof ways / sizeof *ways && status == SS_OK && !h->border->goes_on; k++) {
        double value = at + ways[k] * range(h) * h->ahead;
        if ((end_of_range(h) - value) * h->ahead < 0.0) continue;
        status = ss_cycles_meet(s, value, h->still.y, h->still.period, h->out, &verdict, err);
        h->border->goes_on =
            status == SS_OK && verdict == SS_WALK_OUTSIDE && !ss_order_keeps(&s->found, h->still.contact);
    }
    if (status != SS_OK || !h->border->goes_on) return status;
    for (int c = 0; c <= s->size && h->out->tangent[s->size] * h->ahead < 0.0; c++)
        h->out->tangent[c] = -h->out->tangent[c];
    return take_order(h, err);
}

// ---- one limit is met: the contact is pushed along

// The edge against slip of this sign at a number, from a place near to it.
static ss_status edge_at(holding* h, double value, double place, int sign, double stride, double* edge,
                         bool* found, ss_error* err)
{
    int answer;
    double inside = place;
    ss_status status = ss_still_ask(&h->still, place, value, &answer, err);
    *found = answer == SS_STILL_HELD;
    if (status == SS_OK && (answer == 1 || answer == -1))
        status = ss_still_find_inside(&h->still, value, place, answer, stride, &inside, found, err);
    if (status == SS_OK && *found)
        status = ss_still_find_edge(&h->still, value, inside, sign, stride, edge, found, err);
    return status;
}

// How fast the edge moves with the number, the way it pushes.
static ss_status edge_slope(holding* h, double value, double place, int sign, double* slope, bool* found,
                            ss_error* err)
{
    double off = 1e-3 * h->s->def->step * range(h), low, high, stride = 1e-6 * ss_still_extent(&h->still);
    ss_status status = edge_at(h, value - off, place, sign, stride, &low, found, err);
    if (status == SS_OK && *found) status = edge_at(h, value + off, low, sign, stride, &high, found, err);
    if (*found) *slope = sign * (high - low) / (2.0 * off) * h->ahead;
    return status;
}

// Between two numbers the limit that pushed recedes: where it is farthest.
static ss_status recede(holding* h, double from, double to, double place, int sign, bool* found,
                        ss_error* err)
{
    enum { ROUNDS = 24 };
    double a = from, b = to, fa = NAN, fb = NAN, f, edge;
    ss_verdict_of_walk verdict;
    ss_status status = edge_slope(h, a, place, sign, &fa, found, err);
    if (status == SS_OK && *found) status = edge_slope(h, b, place, sign, &fb, found, err);
    *found = *found && fa > 0.0 && fb < 0.0;
    for (int k = 0; k < ROUNDS && status == SS_OK && *found; k++) {
        double at = a + (b - a) * fa / (fa - fb);
        if (at == a || at == b) break;
        status = edge_slope(h, at, place, sign, &f, found, err);
        double moved = fmin(fabs(at - a), fabs(at - b));
        if (f > 0.0) {
            a = at;
            fa = f;
            fb *= 0.5;
        } else {
            b = at;
            fb = f;
            fa *= 0.5;
        }
        if (moved <= SS_FAINT * range(h)) break;
    }
    if (status == SS_OK && *found)
        status = edge_at(h, a, place, sign, 1e-6 * ss_still_extent(&h->still), &edge, found, err);
    if (status == SS_OK && *found) status = tell_last(h, &verdict, err);
    *found = *found && verdict == SS_WALK_INSIDE;
    if (status == SS_OK && *found) status = mark_limit(h, err);
    if (status == SS_OK && *found) status = mark_last(h, "is pushed no more", a, err);
    h->border->goes_on = *found;
    return status;
}

// One step along the edge to a number and the place that is expected there: *answer says what becomes of the
// contact at its last place; where it is pushed to another one, the orbit is told.
static ss_status push_to(holding* h, double to, double expected, int sign, double stride, int* answer,
                         bool* pushed, ss_error* err)
{
    double next;
    ss_verdict_of_walk verdict = SS_WALK_LOST;
    *pushed = false;
    ss_status status = ss_still_ask(&h->still, ss_still_place(&h->still), to, answer, err);
    if (status == SS_OK && *answer != SS_STILL_HELD)
        status = edge_at(h, to, expected, sign, stride, &next, pushed, err);
    if (status == SS_OK && *pushed) status = tell_last(h, &verdict, err);
    *pushed = *pushed && verdict == SS_WALK_INSIDE;
    return status;
}

// Where nothing is found that sticks a little farther on, both edges may meet in between, or here: a little
// before there is room between them.
static ss_status meet_other_limit(holding* h, ss_error* err)
{
    const double back = 1e-4; // of the range
    double at, place = ss_still_place(&h->still), value = h->still.value - back * range(h) * h->ahead;
    bool found;
    int answer;
    ss_status status = ss_still_ask(&h->still, place, value, &answer, err);
    if (status == SS_OK) status = ss_still_find_meeting(&h->still, h->ahead, &at, &place, &found, err);
    found = found && (end_of_range(h) - at) * h->ahead > 0.0;
    return status == SS_OK && found ? begin_to_slip(h, at, place, err) : status;
}

// Points of the branch along which the limit pushes the contact, from the orbit found last on.
static ss_status push_along(holding* h, int sign, ss_error* err)
{
    const double least = 1e-6; // of the range: steps that are shorter lead nowhere
    ss_cycles* s = h->s;
    ss_still* still = &h->still;
    double end = end_of_range(h);
    double step = 0.1 * s->def->step, stride = 1e-6 * ss_still_extent(still), slope = 0.0;
    ss_status status = ss_still_differ(still, -h->ahead, err);
    keep(h);
    while (status == SS_OK && !s->stopped) {
        double from = still->value, place = ss_still_place(still), to = from + step * range(h) * h->ahead;
        bool pushed, last = (end - to) * h->ahead <= 0.0;
        int answer;
        if (last) to = end;
        status = push_to(h, to, place + (to - from) * slope, sign, stride, &answer, &pushed, err);
        if (status != SS_OK) return status;
        if (answer == SS_STILL_HELD) return recede(h, from, to, place, sign, &pushed, err);
        if (!pushed) {
            go_back(h);
            step *= 0.25;
            if (step < least) return meet_other_limit(h, err);
            continue;
        }
        status = mark_limit(h, err);
        if (status != SS_OK) return status;
        if (!ss_trail_add(s->branch, &h->out->record)) return ss_fail_no_memory(err);
        h->border->goes_on = (long)s->branch->point_count >= s->def->max_points;
        if (last)
            snprintf(h->border->why, sizeof h->border->why, "%s",
                     end == s->def->to ? "leaves the range at its end" : "leaves the range where it began");
        if (last || h->border->goes_on) return SS_OK;
        slope = (ss_still_place(still) - place) / (to - from);
        stride = fmax(1e-2 * fabs(ss_still_place(still) - place), 1e-9 * ss_still_extent(still));
        step = fmin(2.0 * step, s->def->step);
        status = ss_still_differ(still, -h->ahead, err);
        keep(h);
    }
    return status;
}

// Which way what sticks all the time slips just beyond the last orbit, and the number at which it begins to;
// 0 where it does not. The orbit there is the last one found.
static ss_status find_sign(holding* h, int* sign, ss_error* err)
{
    const double far = 4e-6;  // of the range: farther than derivatives look, which hold the walk up before it
    const double back = 1e-3; // likewise, where it has been touched for a while already
    ss_still* still = &h->still;
    double place = ss_still_place(still), edge = still->value, low = edge, high = edge;
    int answer;
    *sign = 0;
    ss_status status = ss_still_differ(still, -h->ahead, err);
    if (status == SS_OK) status = ss_still_ask(still, place, edge, &answer, err);
    bool held = answer == SS_STILL_HELD; // or the last orbit is a little beyond it
    double reach = (held ? far : back) * range(h);
    for (double off = SS_NOISE * range(h); off < reach && status == SS_OK; off *= 8.0) {
        double value = edge + off * h->ahead * (held ? 1.0 : -1.0);
        if (answer == 1 || answer == -1) *sign = answer;
        if (answer == SS_STILL_LOST || (held ? answer != SS_STILL_HELD : answer == SS_STILL_HELD)) break;
        status = ss_still_ask(still, place, value, &answer, err);
        *(held ? &high : &low) = value;
    }
    if (status != SS_OK || *sign == 0) return status;
    if (!held && answer != SS_STILL_HELD) { // it has been at the limit all along
        status = ss_still_find_inside(still, edge, place, *sign, SS_CLEAR * ss_still_extent(still), &place,
                                      &held, err);
        if (!held) *sign = 0;
        return status;
    }
    if (held) status = ss_still_ask(still, place, low, &answer, err);
    for (double middle; status == SS_OK && *sign != 0 && !h->s->stopped;) {
        middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        status = ss_still_ask(still, place, middle, &answer, err);
        *(answer == SS_STILL_HELD ? &low : &high) = middle;
    }
    return status;
}

// Something sticks all the time on the present piece: whether it meets a limit at the last orbit, and if so
// what follows.
static ss_status meet_limit(holding* h, bool* met, ss_error* err)
{
    int sign;
    ss_verdict_of_walk verdict;
    ss_status status = find_sign(h, &sign, err);
    *met = status == SS_OK && sign != 0;
    if (*met) status = tell_last(h, &verdict, err);
    *met = *met && status == SS_OK && verdict == SS_WALK_INSIDE;
    if (!*met) return status;
    if (h->s->branch->model->contacts[h->still.contact].falling) {
        status = mark_last(h, "slip begins", h->still.value, err);
        snprintf(h->border->why, sizeof h->border->why,
                 "%.100s: slip begins with a jump, and no orbit is close by", h->border->contact);
        return status;
    }
    ss_spot_copy(h->s->branch, h->s->size, h->out, &h->limit);
    h->owed = true;
    status = push_along(h, sign, err);
    return status == SS_OK ? mark_limit(h, err) : status;
}

ss_status ss_cycles_slip(ss_cycles* s, const ss_spot* edge, ss_spot* out, ss_border* border, bool* met,
                         ss_error* err)
{
    ss_status status = SS_OK;
    *met = false;
    for (int i = 0; i < s->branch->model->contact_count && s->forced && status == SS_OK && !*met; i++) {
        const ss_contact* contact = &s->branch->model->contacts[i];
        holding h;
        if (!ss_order_keeps(&s->order, i) || contact->q.count == 0 || ss_contact_is(contact, SS_TRAIT_RIGID))
            continue;
        status = make(&h, s, edge, i, out, border, err);
        if (status == SS_OK) status = meet_limit(&h, met, err);
        release(&h);
    }
    return status;
}

// ---- slip vanishes

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

// What hardly moves begins in the middle of its motion, at rest: there it would stick with least force.
static void begin_still(const ss_cycles* s, const ss_spot* edge, double y[])
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
static ss_status find_contact(ss_cycles* s, const ss_spot* edge, int* contact, ss_error* err)
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
static ss_status find_first(holding* h, bool* held, ss_error* err)
{
    static const double ways[] = {1e-5, 1e-4, 1e-3, 1e-2}; // of the range: how far beyond the last orbit
    enum { WAYS = sizeof ways / sizeof *ways };
    double place = ss_still_place(&h->still), last = h->still.value, inside;
    int answer;
    ss_status status = ss_still_differ(&h->still, h->ahead, err);
    *held = false;
    for (int k = 0; k < WAYS && status == SS_OK && !*held && !h->s->stopped; k++) {
        double value = last + ways[k] * range(h) * h->ahead;
        status = ss_still_ask(&h->still, place, value, &answer, err);
        *held = answer == SS_STILL_HELD;
        if (status == SS_OK && (answer == 1 || answer == -1))
            status = ss_still_find_inside(&h->still, value, place, answer, 1e-6 * ss_still_extent(&h->still),
                                          &inside, held, err);
    }
    return status == SS_OK && *held ? ss_still_differ(&h->still, h->ahead, err) : status;
}

// Whether everything rests where the contact sticks: nothing is left to be followed. What still swings there
// comes to rest, or an orbit that stays would have been found.
static ss_status is_at_rest(holding* h, bool* rests, ss_error* err)
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
static ss_status go_beyond(holding* h, double at, double place, ss_error* err)
{
    static const double farther[] = {1e-7, 1e-5, 1e-3}; // of the range
    ss_verdict_of_walk verdict;
    int answer = SS_STILL_LOST;
    bool rests = false;
    ss_status status =
        ss_still_ask(&h->still, place, at + SS_RELATIVE_ZERO * range(h) * h->ahead, &answer, err);
    if (status == SS_OK) status = tell_last(h, &verdict, err);
    if (status == SS_OK && verdict == SS_WALK_LOST) status = is_at_rest(h, &rests, err);
    if (status == SS_OK) status = mark_last(h, "slip ends", at, err);
    if (rests)
        snprintf(h->border->why, sizeof h->border->why, "%.100s: slip ends, and nothing moves beyond",
                 h->border->contact);
    if (rests) return status;
    if (status == SS_OK && verdict != SS_WALK_LOST) status = take_order(h, err);
    for (size_t k = 0; k < sizeof farther / sizeof *farther && status == SS_OK && !h->border->goes_on; k++) {
        status = ss_still_ask(&h->still, place, at + farther[k] * range(h) * h->ahead, &answer, err);
        if (status != SS_OK || answer != SS_STILL_HELD) continue;
        status = tell_last(h, &verdict, err);
        h->border->goes_on = status == SS_OK && verdict != SS_WALK_LOST;
    }
    if (status == SS_OK && h->border->goes_on) return take_order(h, err);
    return status == SS_OK && (answer == 1 || answer == -1) ? push_along(h, answer, err) : status;
}

ss_status ss_cycles_hold(ss_cycles* s, const ss_spot* edge, ss_spot* out, ss_border* border, bool* met,
                         ss_error* err)
{
    holding h;
    int contact = -1;
    double at, place;
    *met = false;
    ss_status status = s->forced ? find_contact(s, edge, &contact, err) : SS_OK;
    if (status != SS_OK || contact < 0) return status;
    status = make(&h, s, edge, contact, out, border, err);
    if (status == SS_OK) {
        begin_still(s, edge, h.y);
        status = find_first(&h, met, err);
    }
    if (status == SS_OK && *met) status = ss_still_find_meeting(&h.still, -h.ahead, &at, &place, met, err);
    if (status == SS_OK && *met) {
        ss_spot_copy(s->branch, s->size, edge, out);
        status = go_beyond(&h, at, place, err);
    }
    release(&h);
    return status;
}
