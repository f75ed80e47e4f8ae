// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A contact that sticks all the time meets a limit.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/cycles_stick_border.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void keep(ss_stick_border* h)
{
    memcpy(h->kept, h->y, (size_t)h->s->w * sizeof(double));
    h->kept_at = h->still.value;
}

static void go_back(ss_stick_border* h)
{
    memcpy(h->y, h->kept, (size_t)h->s->w * sizeof(double));
    h->still.value = h->kept_at;
}

// Where the continuation would leave the range.
static double end_of_range(const ss_stick_border* h)
{
    const ss_follow_def* def = h->s->def;
    return h->ahead > 0.0 ? fmax(def->from, def->to) : fmin(def->from, def->to);
}

// Says that a limit was met, unless that was said before.
static ss_status mark_limit(ss_stick_border* h, ss_error* err)
{
    bool owed = h->owed;
    h->owed = false;
    return owed ? ss_stick_border_mark_at(h, "is pushed along", &h->limit, err) : SS_OK;
}

// ---- both limits are met: slip begins

// Tells the last orbit at a place in which it sticks before a number; closer to it than derivatives look they
// may be unknown.
static ss_status report_before(ss_stick_border* h, double at, double place, ss_continuation_verdict* verdict,
                               ss_error* err)
{
    int answer;
    ss_status status = SS_OK;
    *verdict = SS_CONTINUATION_LOST;
    for (double off = SS_RELATIVE_ZERO; off < 1e-5 && status == SS_OK && *verdict != SS_CONTINUATION_INSIDE;
         off *= 30.0) {
        status = ss_stuck_ask(&h->still, place, at - off * ss_stick_border_range(h) * h->ahead, &answer, err);
        if (status == SS_OK && answer == SS_STUCK_HELD) status = ss_stick_border_fill_point(h, verdict, err);
    }
    return status;
}

// The orbits beyond, in which the contact slips: a little farther on, where they can be told from those in
// which it does not.
static ss_status begin_to_slip(ss_stick_border* h, double at, double place, ss_error* err)
{
    static const double ways[] = {1e-4, 1e-3, 1e-5, 1e-2}; // of the range
    ss_cycles* s = h->s;
    ss_continuation_verdict verdict;
    ss_status status = report_before(h, at, place, &verdict, err);
    if (status != SS_OK || verdict != SS_CONTINUATION_INSIDE) return status;
    // Both limits may have been met at once.
    if (fabs(at - h->limit.record.value) > SS_CLEAR * ss_stick_border_range(h)) status = mark_limit(h, err);
    h->owed = false;
    if (status == SS_OK) status = ss_stick_border_mark(h, "slip begins", at, err);
    for (size_t k = 0; k < sizeof ways / sizeof *ways && status == SS_OK && !h->border->goes_on; k++) {
        double value = at + ways[k] * ss_stick_border_range(h) * h->ahead;
        if ((end_of_range(h) - value) * h->ahead < 0.0) continue;
        status = ss_cycles_meet(s, value, h->still.y, h->still.period, h->out, &verdict, err);
        h->border->goes_on = status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE &&
                             !ss_event_order_keeps(&s->found, h->still.contact);
    }
    if (status != SS_OK || !h->border->goes_on) return status;
    for (int c = 0; c <= s->size && h->out->tangent[s->size] * h->ahead < 0.0; c++)
        h->out->tangent[c] = -h->out->tangent[c];
    return ss_stick_border_take_order(h, err);
}

// ---- one limit is met: the contact is pushed along

// The edge against slip of this sign at a number, from a place near to it.
static ss_status edge_at(ss_stick_border* h, double value, double place, int sign, double stride,
                         double* edge, bool* found, ss_error* err)
{
    int answer;
    double inside = place;
    ss_status status = ss_stuck_ask(&h->still, place, value, &answer, err);
    *found = answer == SS_STUCK_HELD;
    if (status == SS_OK && (answer == 1 || answer == -1))
        status = ss_stuck_find_inside(&h->still, value, place, answer, stride, &inside, found, err);
    if (status == SS_OK && *found)
        status = ss_stuck_find_edge(&h->still, value, inside, sign, stride, edge, found, err);
    return status;
}

// How fast the edge moves with the number, the way it pushes.
static ss_status edge_slope(ss_stick_border* h, double value, double place, int sign, double* slope,
                            bool* found, ss_error* err)
{
    double off = 1e-3 * h->s->def->step * ss_stick_border_range(h), low, high,
           stride = 1e-6 * ss_stuck_extent(&h->still);
    ss_status status = edge_at(h, value - off, place, sign, stride, &low, found, err);
    if (status == SS_OK && *found) status = edge_at(h, value + off, low, sign, stride, &high, found, err);
    if (*found) *slope = sign * (high - low) / (2.0 * off) * h->ahead;
    return status;
}

// Between two numbers the limit that pushed recedes: where it is farthest.
static ss_status recede(ss_stick_border* h, double from, double to, double place, int sign, bool* found,
                        ss_error* err)
{
    enum { ROUNDS = 24 };
    double a = from, b = to, fa = NAN, fb = NAN, f, edge;
    ss_continuation_verdict verdict;
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
        if (moved <= SS_FAINT * ss_stick_border_range(h)) break;
    }
    if (status == SS_OK && *found)
        status = edge_at(h, a, place, sign, 1e-6 * ss_stuck_extent(&h->still), &edge, found, err);
    if (status == SS_OK && *found) status = ss_stick_border_fill_point(h, &verdict, err);
    *found = *found && verdict == SS_CONTINUATION_INSIDE;
    if (status == SS_OK && *found) status = mark_limit(h, err);
    if (status == SS_OK && *found) status = ss_stick_border_mark(h, "is pushed no more", a, err);
    h->border->goes_on = *found;
    return status;
}

// How a contact is being pushed along.
typedef struct pushing {
    ss_stick_border* h;
    int sign;
    double step;   // of the range
    double stride; // about how far the place is from where it is expected
    double slope;  // of the edge over p
} pushing;

// One step along the edge to a number: *answer says what becomes of the contact at its last place; where it
// is pushed to another one, the orbit is told. Its order may be another one, but for the contact.
static ss_status push_to(pushing* p, double to, int* answer, ss_continuation_verdict* verdict, ss_error* err)
{
    ss_stick_border* h = p->h;
    double next, place = ss_stuck_place(&h->still), expected = place + (to - h->still.value) * p->slope;
    bool pushed = false;
    *verdict = SS_CONTINUATION_LOST;
    ss_status status = ss_stuck_ask(&h->still, place, to, answer, err);
    if (status == SS_OK && *answer != SS_STUCK_HELD)
        status = edge_at(h, to, expected, p->sign, p->stride, &next, &pushed, err);
    if (status == SS_OK && pushed) status = ss_stick_border_fill_point(h, verdict, err);
    if (*verdict == SS_CONTINUATION_OUTSIDE && !ss_event_order_keeps(&h->s->found, h->still.contact))
        *verdict = SS_CONTINUATION_LOST;
    return status;
}

// Where nothing is found that sticks a little farther on, both edges may meet in between, or here: a little
// before there is room between them.
static ss_status meet_other_limit(ss_stick_border* h, ss_error* err)
{
    const double back = 1e-4; // of the range
    double at = NAN, place = ss_stuck_place(&h->still);
    double value = h->still.value - back * ss_stick_border_range(h) * h->ahead;
    bool found = false;
    int answer;
    ss_status status = ss_stuck_ask(&h->still, place, value, &answer, err);
    if (status == SS_OK) status = ss_stuck_find_meeting(&h->still, h->ahead, &at, &place, &found, err);
    found = found && (end_of_range(h) - at) * h->ahead > 0.0;
    return status == SS_OK && found ? begin_to_slip(h, at, place, err) : status;
}

// The order changes on the way to a number while the contact is pushed along: where it does, by halves. The
// first orbit beyond is told and marked.
static ss_status pass_change(pushing* p, double to, ss_continuation_verdict* verdict, ss_error* err)
{
    ss_stick_border* h = p->h;
    static const double beyond[] = {0.0, 1e-10, 1e-8, 1e-6}; // of the range: where derivatives are known
    ss_border change = {.kind = SS_SPECIAL_BOUNDARY};
    double low = h->kept_at, high = to;
    int answer;
    ss_status status = SS_OK;
    while (status == SS_OK && fabs(high - low) > SS_RELATIVE_ZERO * ss_stick_border_range(h) &&
           !h->s->interrupted) {
        double middle = 0.5 * (low + high);
        go_back(h);
        status = push_to(p, middle, &answer, verdict, err);
        *(*verdict == SS_CONTINUATION_INSIDE ? &low : &high) = middle;
    }
    *verdict = SS_CONTINUATION_LOST;
    for (size_t k = 0;
         k < sizeof beyond / sizeof *beyond && status == SS_OK && *verdict != SS_CONTINUATION_OUTSIDE; k++) {
        go_back(h);
        status = push_to(p, high + beyond[k] * ss_stick_border_range(h) * h->ahead, &answer, verdict, err);
    }
    if (status != SS_OK || *verdict != SS_CONTINUATION_OUTSIDE) return status;
    ss_event_order_compare(h->s->branch->model, &h->s->order, &h->s->found, &change);
    h->out->record.value = high;
    if (!ss_solution_branch_mark(h->s->branch, change.kind, &h->out->record, change.contact, change.what))
        return ss_fail_no_memory(err);
    h->out->record.value = h->still.value;
    return ss_stick_border_take_order(h, err);
}

// The orbit told last is a point of the branch; *over where the branch ends with it, or has points enough.
static ss_status take_point(pushing* p, bool* over, ss_error* err)
{
    ss_stick_border* h = p->h;
    ss_cycles* s = h->s;
    double end = end_of_range(h), moved = ss_stuck_place(&h->still), gone = h->still.value - h->kept_at;
    if (!ss_solution_branch_add(s->branch, &h->out->record)) return ss_fail_no_memory(err);
    h->border->goes_on = (long)s->branch->point_count >= s->def->max_points;
    *over = h->still.value == end || h->border->goes_on;
    if (h->still.value == end)
        snprintf(h->border->why, sizeof h->border->why, "%s",
                 end == s->def->to ? "leaves the range at its end" : "leaves the range where it began");
    moved -= ss_row_dot(h->still.row, h->kept);
    p->slope = moved / gone;
    p->stride = fmax(1e-2 * fabs(moved), SS_CLEAR * ss_stuck_extent(&h->still));
    p->step = fmin(2.0 * p->step, s->def->step);
    ss_status status = ss_stuck_differentiate(&h->still, -h->ahead, err);
    keep(h);
    return status;
}

ss_status ss_stick_border_push(ss_stick_border* h, int sign, ss_error* err)
{
    const double least = 1e-6; // of the range: steps that are shorter lead nowhere
    pushing p = {
        .h = h, .sign = sign, .step = 0.1 * h->s->def->step, .stride = 1e-6 * ss_stuck_extent(&h->still)};
    bool over = false, found;
    ss_status status = ss_stuck_differentiate(&h->still, -h->ahead, err);
    keep(h);
    while (status == SS_OK && !over && !h->s->interrupted) {
        double end = end_of_range(h), to = h->kept_at + p.step * ss_stick_border_range(h) * h->ahead;
        ss_continuation_verdict verdict;
        int answer;
        if ((end - to) * h->ahead <= 0.0) to = end;
        status = push_to(&p, to, &answer, &verdict, err);
        if (status != SS_OK) return status;
        if (answer == SS_STUCK_HELD)
            return recede(h, h->kept_at, to, ss_row_dot(h->still.row, h->kept), sign, &found, err);
        if (verdict != SS_CONTINUATION_LOST) status = mark_limit(h, err);
        if (status == SS_OK && verdict == SS_CONTINUATION_OUTSIDE)
            status = pass_change(&p, to, &verdict, err);
        if (status == SS_OK && verdict != SS_CONTINUATION_LOST) {
            status = take_point(&p, &over, err);
            continue;
        }
        go_back(h);
        p.step *= 0.25;
        if (p.step < least) return status == SS_OK ? meet_other_limit(h, err) : status;
    }
    return status;
}

// ---- which limit

// Which way what sticks all the time slips just beyond the last orbit, and the number at which it begins to;
// 0 where it does not. The orbit there is the last one found.
static ss_status find_sign(ss_stick_border* h, int* sign, ss_error* err)
{
    const double far =
        4e-6; // of the range: farther than derivatives look, which hold the continuation up before it
    const double back = 1e-3; // likewise, where it has been touched for a while already
    ss_stuck* still = &h->still;
    double place = ss_stuck_place(still), edge = still->value, low = edge, high = edge;
    int answer = SS_STUCK_LOST;
    *sign = 0;
    ss_status status = ss_stuck_differentiate(still, -h->ahead, err);
    if (status == SS_OK) status = ss_stuck_ask(still, place, edge, &answer, err);
    bool held = answer == SS_STUCK_HELD; // or the last orbit is a little beyond it
    double reach = (held ? far : back) * ss_stick_border_range(h);
    if (!held) *sign = answer;
    for (double off = SS_NOISE * ss_stick_border_range(h);
         off < reach && status == SS_OK && (answer == SS_STUCK_HELD) == held; off *= 8.0) {
        double* side = held ? &high : &low;
        *side = edge + off * h->ahead * (held ? 1.0 : -1.0);
        status = ss_stuck_ask(still, place, *side, &answer, err);
    }
    if (held) *sign = answer;
    if (*sign == SS_STUCK_LOST) *sign = 0;
    if (status != SS_OK || *sign == 0) return status;
    if (!held && answer != SS_STUCK_HELD) { // it has been at the limit all along
        status = ss_stuck_find_inside(still, edge, place, *sign, SS_CLEAR * ss_stuck_extent(still), &place,
                                      &held, err);
        if (!held) *sign = 0;
        return status;
    }
    if (held) status = ss_stuck_ask(still, place, low, &answer, err);
    for (double middle; status == SS_OK && *sign != 0 && !h->s->interrupted;) {
        middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        status = ss_stuck_ask(still, place, middle, &answer, err);
        *(answer == SS_STUCK_HELD ? &low : &high) = middle;
    }
    return status;
}

// Something sticks all the time on the present piece: whether it meets a limit at the last orbit, and if so
// what follows.
static ss_status meet_limit(ss_stick_border* h, bool* met, ss_error* err)
{
    int sign;
    ss_continuation_verdict verdict = SS_CONTINUATION_LOST;
    ss_status status = find_sign(h, &sign, err);
    double at = h->still.value;
    if (status == SS_OK && sign != 0) status = ss_stick_border_fill_point(h, &verdict, err);
    if (status == SS_OK && sign != 0 && verdict != SS_CONTINUATION_INSIDE)
        status = report_before(h, at, ss_stuck_place(&h->still), &verdict, err);
    *met = status == SS_OK && sign != 0 && verdict == SS_CONTINUATION_INSIDE;
    h->out->record.value = at;
    if (!*met) return status;
    if (h->s->branch->model->contacts[h->still.contact].falling) {
        status = ss_stick_border_mark(h, "slip begins", at, err);
        snprintf(h->border->why, sizeof h->border->why,
                 "%.100s: slip begins with a jump, and no orbit is close by", h->border->contact);
        return status;
    }
    ss_branch_point_copy(h->s->branch, h->s->size, h->out, &h->limit);
    h->owed = true;
    status = ss_stick_border_push(h, sign, err);
    return status == SS_OK ? mark_limit(h, err) : status;
}

ss_status ss_cycles_slip(ss_cycles* s, const ss_branch_point* edge, ss_branch_point* out, ss_border* border,
                         bool* met, ss_error* err)
{
    ss_status status = SS_OK;
    *met = false;
    for (int i = 0; i < s->branch->model->contact_count && s->forced && status == SS_OK && !*met; i++) {
        const ss_contact* contact = &s->branch->model->contacts[i];
        ss_stick_border h;
        if (!ss_event_order_keeps(&s->order, i) || contact->q.count == 0 ||
            ss_contact_is(contact, SS_TRAIT_RIGID))
            continue;
        status = ss_stick_border_make(&h, s, edge, i, out, border, err);
        if (status == SS_OK) status = meet_limit(&h, met, err);
        ss_stick_border_release(&h);
    }
    return status;
}
