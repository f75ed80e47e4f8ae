// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The order of events of one period, and what it means where it changes.
#include "core/error.h"
#include "core/grow.h"
#include "lab/follow/cycles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ss_event_order_entry order_event;

const double ss_cycles_elsewhere = 1e-2;

void ss_event_order_free(ss_event_order* order)
{
    free(order->events);
    free(order->holds);
    *order = (ss_event_order){0};
}

static bool make_room_for_contacts(ss_event_order* order, int contacts)
{
    if (!order->holds) order->holds = ss_new((size_t)contacts + 1, sizeof(bool));
    order->contacts = order->holds ? contacts : 0;
    return order->holds;
}

// Whether contact i slips one way alone, though it is where it was after the period: then it slips nowhere,
// but touches its limit to rounding. What is carried on by drives, or may drift, is not where it was.
static bool merely_touches(const ss_orbit* orbit, int i)
{
    const ss_contact* contact = &orbit->model->contacts[i];
    bool plus = false, minus = false, sticks = false;
    if (contact->d.count > 0 || orbit->free.count > 0 || orbit->whole_turns.count > 0 ||
        ss_row_dot(&contact->q, orbit->carry) != 0.0)
        return false;
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k];
        if (ss_half_of(orbit->model, event->contact, event->side) != i) continue;
        if (event->kind != SS_EVENT_MODE) return false;
        plus = plus || event->to == SS_MODE_SLIP_PLUS || event->from == SS_MODE_SLIP_PLUS;
        minus = minus || event->to == SS_MODE_SLIP_MINUS || event->from == SS_MODE_SLIP_MINUS;
        sticks = sticks || event->to == SS_MODE_STICK;
    }
    return sticks && plus != minus;
}

bool ss_event_order_take(ss_event_order* order, const ss_orbit* orbit, double after)
{
    order->count = 0;
    if (!make_room_for_contacts(order, orbit->model->contact_count)) return false;
    for (int i = 0; i < order->contacts; i++)
        order->holds[i] = ss_orbit_holds(orbit, i) || merely_touches(orbit, i);
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k];
        int i = ss_half_of(orbit->model, event->contact, event->side);
        if ((event->t <= after && event->from != SS_MODE_STICK) || merely_touches(orbit, i)) continue;
        if (!ss_grow(&order->events, order->count, &order->room, sizeof(order_event))) return false;
        order->events[order->count++] = (order_event){i, event->kind, event->from, event->to};
    }
    return true;
}

bool ss_event_order_copy(ss_event_order* to, const ss_event_order* from)
{
    to->count = 0;
    if (!make_room_for_contacts(to, from->contacts)) return false;
    for (int i = 0; i < from->contacts; i++) to->holds[i] = from->holds[i];
    while (to->count < from->count) {
        if (!ss_grow(&to->events, to->count, &to->room, sizeof(order_event))) return false;
        to->events[to->count] = from->events[to->count];
        to->count++;
    }
    return true;
}

static bool same_event(const order_event* a, const order_event* b)
{
    return a->contact == b->contact && a->kind == b->kind && a->from == b->from && a->to == b->to;
}

static bool has_events(const ss_event_order* order, int contact)
{
    bool found = false;
    for (size_t k = 0; k < order->count; k++) found = found || order->events[k].contact == contact;
    return found;
}

bool ss_event_order_keeps(const ss_event_order* order, int i)
{
    return i < order->contacts && order->holds[i] && !has_events(order, i);
}

bool ss_event_order_same(const ss_event_order* a, const ss_event_order* b)
{
    size_t n = a->count;
    if (n != b->count || a->contacts != b->contacts) return false;
    for (int i = 0; i < a->contacts; i++)
        if (ss_event_order_keeps(a, i) != ss_event_order_keeps(b, i)) return false;
    if (n == 0) return true;
    for (size_t shift = 0; shift < n; shift++) {
        size_t k = 0;
        while (k < n && same_event(&a->events[k], &b->events[(k + shift) % n])) k++;
        if (k == n) return true;
    }
    return false;
}

// The next event after the very start, at which a motion from a start that is not quite right corrects
// itself.
static size_t next_event(const ss_events* events, size_t k, double after)
{
    while (k < events->count && events->items[k].t <= after) k++;
    return k;
}

// Whether two neighbouring motions have the same events. One that misses an event by a hair may meet the same
// one a swing later: what is the same is also at about the same time.
bool ss_event_order_same_events(const ss_events* a, const ss_events* b, double period)
{
    double after = 1e-6 * period;
    size_t i = next_event(a, 0, after), j = next_event(b, 0, after);
    for (; i < a->count && j < b->count; i++, j++)
        if (a->items[i].contact != b->items[j].contact || a->items[i].kind != b->items[j].kind ||
            a->items[i].from != b->items[j].from || a->items[i].to != b->items[j].to ||
            fabs(a->items[i].t - b->items[j].t) > ss_cycles_elsewhere * period)
            return false;
    return i == a->count && j == b->count;
}

// How often an event occurs.
static int occurrences(const ss_event_order* order, const order_event* event)
{
    int count = 0;
    for (size_t k = 0; k < order->count; k++) count += same_event(&order->events[k], event);
    return count;
}

static bool strikes(const order_event* event)
{
    return event && (event->kind == SS_EVENT_IMPACT || event->kind == SS_EVENT_ACCUMULATION);
}

// An event of a that b has less often; NULL: none. Impacts count before phases of stick, those before others.
static const order_event* surplus(const ss_event_order* a, const ss_event_order* b)
{
    const order_event* best = NULL;
    int rank = -1;
    for (size_t k = 0; k < a->count; k++) {
        const order_event* event = &a->events[k];
        if (occurrences(a, event) <= occurrences(b, event)) continue;
        int own = strikes(event) ? 2 : event->from == SS_MODE_STICK || event->to == SS_MODE_STICK ? 1 : 0;
        if (own > rank) {
            best = event;
            rank = own;
        }
    }
    return best;
}

static bool sticks(const order_event* event)
{
    return event && (event->from == SS_MODE_STICK || event->to == SS_MODE_STICK);
}

int ss_event_order_strikes_more(const ss_model* model, const ss_event_order* a, const ss_event_order* b)
{
    const order_event* come = surplus(b, a);
    return strikes(come) && ss_contact_is(&model->contacts[come->contact], SS_TRAIT_RIGID) ? come->contact
                                                                                           : -1;
}

static void describe(const order_event* event, char* out, size_t size)
{
    if (strikes(event))
        snprintf(out, size, "impact");
    else
        snprintf(out, size, "%s > %s", ss_mode_name(event->from), ss_mode_name(event->to));
}

// Says that an event appears or vanishes. slips: the contact sticks all the time where it has none, so that
// phases of slip come or go.
static void name(const ss_model* model, const order_event* event, bool appears, bool slips, ss_border* out)
{
    char what[64];
    out->kind = sticks(event) ? SS_SPECIAL_BOUNDARY : SS_SPECIAL_GRAZING;
    snprintf(out->contact, sizeof out->contact, "%.127s", model->contacts[event->contact].name);
    describe(event, what, sizeof what);
    if (sticks(event))
        snprintf(out->what, sizeof out->what, "%s %s", slips ? "slip" : "stick", appears ? "begins" : "ends");
    else
        snprintf(out->what, sizeof out->what, "%s %s", what, appears ? "appears" : "vanishes");
}

static order_event brief(const ss_model* model, const ss_event* event)
{
    return (order_event){ss_half_of(model, event->contact, event->side), event->kind, event->from, event->to};
}

bool ss_event_order_name_missed(const ss_model* model, const ss_events* orbit, const ss_events* beside,
                                double apart, ss_border* out)
{
    for (size_t k = 0; k < orbit->count || k < beside->count; k++) {
        const ss_event* a = k < orbit->count ? &orbit->items[k] : NULL;
        const ss_event* b = k < beside->count ? &beside->items[k] : NULL;
        order_event own = a ? brief(model, a) : (order_event){0},
                    other = b ? brief(model, b) : (order_event){0};
        if (a && b && same_event(&own, &other) && fabs(a->t - b->t) <= apart) continue;
        bool appears = !a || (b && b->t < a->t), slips = appears && other.from == SS_MODE_STICK;
        for (size_t j = 0; j < orbit->count; j++)
            slips =
                slips && ss_half_of(model, orbit->items[j].contact, orbit->items[j].side) != other.contact;
        name(model, appears ? &other : &own, appears, slips, out);
        return true;
    }
    return false;
}

void ss_event_order_compare(const ss_model* model, const ss_event_order* before, const ss_event_order* after,
                            ss_border* out)
{
    const order_event *gone = surplus(before, after), *come = surplus(after, before);
    const order_event* event = strikes(come) ? come : strikes(gone) ? gone : sticks(come) ? come : gone;
    if (!event) event = come;
    for (int i = 0; i < before->contacts && !event; i++) { // nothing happens to it, before and after
        if (ss_event_order_keeps(before, i) == ss_event_order_keeps(after, i)) continue;
        out->kind = SS_SPECIAL_BOUNDARY;
        snprintf(out->contact, sizeof out->contact, "%.127s", model->contacts[i].name);
        snprintf(out->what, sizeof out->what, "stick %s", ss_event_order_keeps(after, i) ? "begins" : "ends");
        return;
    }
    if (!event) { // the same events in another order
        size_t k = 0;
        out->kind = SS_SPECIAL_SWAP;
        while (k + 1 < before->count && k < after->count && same_event(&before->events[k], &after->events[k]))
            k++;
        if (before->count == 0) return;
        snprintf(out->contact, sizeof out->contact, "%.127s",
                 model->contacts[before->events[k].contact].name);
        snprintf(out->what, sizeof out->what, "changes places with %.100s",
                 model->contacts[before->events[(k + 1) % before->count].contact].name);
        return;
    }
    name(model, event, event == come, ss_event_order_keeps(event == come ? before : after, event->contact),
         out);
}
