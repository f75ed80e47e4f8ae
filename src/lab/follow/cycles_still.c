// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where inputs set the rhythm and a contact slips for ever shorter times, it sticks all the time from some
// number on. Slip that lasts a time tau leads tau^5 far: orbits close to that number cannot be told from a
// contact that sticks, but whether it sticks can be asked at every number.
#include "core/error.h"
#include "lab/follow/cycles.h"

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

// Whether contact i sticks all the time in the orbit at a number, or everything rests; u: scratch, size + 1.
static ss_status is_still(ss_cycles* s, const double y[], double period, int i, double value, double u[],
                          bool* still, ss_error* err)
{
    ss_error why;
    bool made;
    *still = false;
    ss_status status = ss_cycles_at(s, &s->here, value, &made, err);
    if (status != SS_OK || !made) return status;
    const ss_orbit* orbit = s->here.orbit;
    status = ss_orbit_run(s->here.orbit, y, 2.0 * period, &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *still = status == SS_OK && orbit->outcome == SS_AT_REST && orbit->events.count <= 1;
    if (*still) return SS_OK;
    status = ss_cycles_shoot(s, value, y, period, u, still, err);
    if (status != SS_OK || !*still) return status;
    status = ss_orbit_run(s->here.orbit, u, u[s->w], &why);
    if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
    *still = status == SS_OK && orbit->outcome == SS_TIME_REACHED;
    for (int c = 0; c < s->w; c++) *still = *still && fabs(u[c] - y[c]) <= near_by * s->scale[c];
    for (size_t k = 0; k < orbit->events.count; k++) {
        const ss_event* event = &orbit->events.items[k]; // a start that is off by rounding stops at once
        *still = *still && (event->contact != i || event->t <= 1e-6 * u[s->w]);
    }
    return SS_OK;
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

ss_status ss_cycles_find_still(ss_cycles* s, const ss_spot* edge, double y[], int* contact, double* at,
                               ss_error* err)
{
    enum { WAYS = sizeof ways / sizeof *ways, HALVINGS = 50 };
    double ahead = edge->tangent[s->size] < 0.0 ? -1.0 : 1.0, last = edge->u[s->size];
    bool made, still = false;
    ss_error why;
    *contact = -1;
    if (!s->forced) return SS_OK;
    ss_status status = ss_cycles_at(s, &s->here, last, &made, err);
    if (status != SS_OK || !made) return status;
    if (ss_orbit_run(s->here.orbit, edge->u, edge->u[s->w], &why) != SS_OK) return SS_OK;
    for (int i = 0; i < s->branch->model->contact_count; i++) {
        double share = slip_share(s->here.orbit, i, edge->u[s->w]);
        if (share <= short_share && slips(&s->order, i)) *contact = i;
    }
    double* u = *contact >= 0 ? ss_new((size_t)s->size + 1, sizeof(double)) : NULL;
    if (*contact < 0) return SS_OK;
    if (!u) return ss_fail_no_memory(err);
    double low = last, high = last, period = edge->u[s->w];
    begin_still(s, edge, y);
    for (int k = 0; k < WAYS && status == SS_OK && !still && !s->stopped; k++) {
        high = last + ways[k] * s->scale[s->size] * ahead;
        status = is_still(s, y, period, *contact, high, u, &still, err);
        if (!still) low = high;
    }
    if (!still) *contact = -1;
    for (int k = 0; k < HALVINGS && status == SS_OK && still && !s->stopped; k++) {
        bool here;
        double middle = 0.5 * (low + high);
        status = is_still(s, y, period, *contact, middle, u, &here, err);
        *(here ? &high : &low) = middle;
    }
    *at = high;
    free(u);
    return status;
}
