// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// First guesses of state and period for shooting. In an autonomous model: where the motion crosses the
// plane through one of its own states, square to its direction, and comes close to that state. Under inputs
// of a known period: after how many of them the motion has come closest to repeating.
#include "lab/cycle/period.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "share/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- a motion that nearly returns

enum { MOST_SAMPLES = 200000, MOST_RETURNS = 12 };
static const double close_enough = 0.6; // distance of a return, as a share of the extent of the motion
static const double surely = 1e-4;      // one this close is not bettered by a later one

static int held_contacts(const ss_orbit* orbit)
{
    int count = 0;
    for (int i = 0; i < orbit->model->contact_count; i++) count += ss_orbit_holds(orbit, i);
    return count;
}

enum { LOOK_AT = 40 };

// Times of the first events of the motion after `from`, and where that list ends, at `until` at the latest.
// The motion is not followed further than needed: it may be running away.
static double* event_times(ss_orbit* orbit, double from, double until, size_t* count, ss_status* status,
                           ss_error* err)
{
    double t = from, step = fmax(10.0 / fmax(ss_sim_rate(orbit->sim), SS_NOT_ZERO), 1e-3 * (until - from));
    *status = ss_orbit_advance(orbit, from, err);
    size_t before = orbit->events.count;
    while (*status == SS_OK && !orbit->interrupted && orbit->outcome == SS_TIME_REACHED && t < until &&
           orbit->events.count < before + LOOK_AT)
        *status = ss_orbit_advance(orbit, t = fmin(t + step, until), err);
    if (*status != SS_OK) return NULL;
    *count = orbit->events.count;
    double* times = ss_new(*count + 1, sizeof(double));
    if (!times) {
        *status = ss_fail_no_memory(err);
        return NULL;
    }
    for (size_t k = 0; k < *count; k++) times[k] = orbit->events.items[k].t;
    times[*count] = fmin(orbit->end_t, t);
    return times;
}

// The middle of an early and long time without events after `from`, with as few contacts holding as possible:
// there the motion is smooth on both sides.
static ss_status quiet_time(ss_orbit* orbit, const double start[], double from, double until, double* out,
                            ss_error* err)
{
    double last = from, longest = -1.0;
    int fewest = orbit->model->contact_count + 1, looked = 0;
    size_t count = 0;
    ss_status status;
    double* times = event_times(orbit, from, until, &count, &status, err);
    if (!times) return status;
    *out = 0.5 * (from + times[count]);
    status = ss_orbit_restart(orbit, start, err);
    for (size_t k = 0; status == SS_OK && !orbit->interrupted && k < count && looked < LOOK_AT; k++) {
        if (times[k] <= last) continue;
        status = ss_orbit_advance(orbit, 0.5 * (last + times[k]), err);
        int held = held_contacts(orbit);
        if (held < fewest || (held == fewest && times[k] - last > 2.0 * longest)) {
            fewest = held;
            longest = times[k] - last;
            *out = 0.5 * (last + times[k]);
        }
        looked++;
        last = times[k];
    }
    free(times);
    return status;
}

// Low and high ends of all variables so far.
typedef struct span {
    int n, width;
    double *low, *high;
} span;

static void widen(span* s, const double state[])
{
    for (int i = 0; i < s->width; i++) {
        s->low[i] = fmin(s->low[i], state[i]);
        s->high[i] = fmax(s->high[i], state[i]);
    }
}

// Extent of each variable. What hardly moves is measured by what does.
static void get_scale(const span* s, double scale[])
{
    double largest[2] = {0.0, 0.0};
    for (int i = 0; i < s->width; i++) {
        scale[i] = s->high[i] - s->low[i];
        if (i < 2 * s->n) largest[i >= s->n] = fmax(largest[i >= s->n], scale[i]);
    }
    for (int i = 0; i < s->width; i++) { // states, bristles and memory have units of their own
        double size = fmax(fabs(s->high[i]), fabs(s->low[i]));
        double least = i < 2 * s->n ? 1e-3 * largest[i >= s->n] : 1e-6 * size;
        scale[i] = fmax(scale[i], least > 0.0 ? least : 1.0);
    }
}

// The longest time between two looks, s: rates are known of linear models alone.
static double longest_look(const ss_orbit* orbit, double time)
{
    double rate = ss_sim_rate(orbit->sim), step = rate > 0.0 ? 0.1 / rate : 1e-3 * time;
    return fmin(fmax(step, time / MOST_SAMPLES), 1e-2 * time);
}

// What is known of the returns of a motion to a state.
typedef struct returns {
    const double *state, *slope;
    double *scale, *best; // extents so far, and when the guess was made
    double *last, last_t; // where the motion was at the last look, and when
    double given;         // about when a return is expected, or NaN
    double before;        // how far it was short of the plane at the last look
    int count;
    double nearest;
} returns;

// Time to the next look, s: no variable moves by more than a share of its extent. How fast a motion is must
// not be taken from how long the run is: a long run would step over whole returns.
static double next_look(const ss_orbit* orbit, const returns* r, double longest, double time)
{
    const double share = 0.03;
    double step = longest;
    for (int i = 0; i < orbit->width; i++)
        if (orbit->slope[i] != 0.0) step = fmin(step, share * r->scale[i] / fabs(orbit->slope[i]));
    return fmax(step, time / MOST_SAMPLES);
}

// Looks at the motion at t; a crossing that is better than those before becomes the guess. Between two looks
// the motion is taken to be straight.
static void look_for_return(const ss_orbit* orbit, returns* r, double t, ss_guess* out)
{
    const double better = 0.5; // a later return must be nearer by so much: it is one of several periods
    double along = 0.0, distance = 0.0;
    for (int i = 0; i < orbit->width; i++)
        along += r->slope[i] / r->scale[i] * (orbit->state[i] - r->state[i]) / r->scale[i];
    double back = along > r->before ? along / (along - r->before) : 0.0; // share of the look, to the plane
    for (int i = 0; i < orbit->width; i++) {
        double there = orbit->state[i] - back * (orbit->state[i] - r->last[i]);
        distance = fmax(distance, fabs(there - r->state[i]) / r->scale[i]);
    }
    if (r->before < 0.0 && along >= 0.0 && distance < close_enough) {
        double period = t - back * (t - r->last_t) - out->t;
        bool expected = isnan(r->given) || fabs(period - r->given) <= 0.3 * r->given;
        if (expected && distance < better * r->nearest) {
            r->nearest = distance;
            memcpy(r->best, r->scale, (size_t)orbit->width * sizeof(double));
            out->found = true;
            out->period = period;
        }
        r->count += expected;
    }
    r->before = along;
    memcpy(r->last, orbit->state, (size_t)orbit->width * sizeof(double));
    r->last_t = t;
}

// Follows the motion from `state` while it crosses the plane through it, square to its direction there, the
// same way and close to it. Where a time is given and no return is near it, that time is the guess.
static ss_status wait_for_return(ss_orbit* orbit, double time, span* reached, returns* r, ss_guess* out,
                                 ss_error* err)
{
    double longest = longest_look(orbit, time), t = out->t;
    r->nearest = INFINITY;
    memcpy(r->last, orbit->state, (size_t)orbit->width * sizeof(double));
    get_scale(reached, r->scale);
    for (long k = 1; t < out->t + time && k <= 2 * MOST_SAMPLES && r->count < MOST_RETURNS; k++) {
        double next = fmin(t + next_look(orbit, r, longest, time), out->t + time);
        ss_status status = ss_orbit_advance_to_event(orbit, next, err);
        if (status != SS_OK || orbit->interrupted) return status;
        if (orbit->outcome != SS_TIME_REACHED) return SS_OK;
        t = orbit->end_t > t ? fmin(orbit->end_t, next) : next;
        widen(reached, orbit->state);
        get_scale(reached, r->scale);
        look_for_return(orbit, r, t, out);
        if (r->nearest < surely) break;
    }
    if (!out->found && !isnan(r->given)) {
        memcpy(r->best, r->scale, (size_t)orbit->width * sizeof(double));
        out->found = true;
        out->period = r->given;
    }
    return SS_OK;
}

// With a period from outside, the extents over one of it.
static ss_status look_at_period(ss_orbit* orbit, double period, span* reached, double scale[], ss_guess* out,
                                ss_error* err)
{
    enum { LOOKS = 64 };
    for (int k = 1; k <= LOOKS; k++) {
        ss_status status = ss_orbit_advance(orbit, out->t + k * period / LOOKS, err);
        if (status != SS_OK || orbit->interrupted || orbit->outcome != SS_TIME_REACHED) return status;
        widen(reached, orbit->state);
    }
    get_scale(reached, scale);
    out->found = true;
    out->period = period;
    return SS_OK;
}

ss_status ss_guess_period(ss_orbit* orbit, bool forced, double tick, double given, double from, double until,
                          double state[], double scale[], ss_guess* out, ss_error* err)
{
    size_t w = (size_t)orbit->width;
    *out = (ss_guess){.found = false, .t = from};
    if (forced) out->t = nearbyint(from / given) * given; // the same phase of the inputs as at t = 0
    double* memory = ss_new(6 * w, sizeof(double));
    if (!memory) return ss_fail_no_memory(err);
    double *start = memory, *slope = start + w;
    span reached = {orbit->n, orbit->width, slope + w, slope + 2 * w};
    ss_orbit_get_start(orbit, start);
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && !forced) status = quiet_time(orbit, start, from, until, &out->t, err);
    if (tick > 0.0) out->t = fmax(nearbyint(out->t / tick), 1.0) * tick;
    if (status == SS_OK && !orbit->interrupted) status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && !orbit->interrupted) status = ss_orbit_advance(orbit, out->t, err);
    if (status == SS_OK && !orbit->interrupted && orbit->outcome == SS_TIME_REACHED) {
        ss_orbit_begin_here(orbit, orbit->state);
        memcpy(state, orbit->state, w * sizeof(double));
        memcpy(slope, orbit->slope, w * sizeof(double));
        memcpy(reached.low, state, w * sizeof(double));
        memcpy(reached.high, state, w * sizeof(double));
        returns r = {.state = state,
                     .slope = slope,
                     .scale = slope + 3 * w,
                     .last = slope + 4 * w,
                     .last_t = out->t,
                     .best = scale,
                     .given = given};
        status = forced ? look_at_period(orbit, given, &reached, scale, out, err)
                        : wait_for_return(orbit, fmax(until - out->t, 0.5 * until), &reached, &r, out, err);
    }
    if (tick > 0.0) out->period = fmax(nearbyint(out->period / tick), 1.0) * tick;
    free(memory);
    return status;
}

// ---- a motion under inputs that has come close to repeating

enum { KEPT = SS_MOST_MULTIPLE + 1, LOOKS = 32 };

typedef struct strobe {
    span reached;
    double* states; // KEPT x width: at the last beginnings of the inputs
    double* scale;
    long count; // of states so far
} strobe;

static const double* state_before(const strobe* s, int width, long back)
{
    return s->states + (size_t)((s->count - 1 - back) % KEPT) * (size_t)width;
}

// One period of the inputs further.
static ss_status next_period(ss_orbit* orbit, strobe* s, double forcing_period, ss_error* err)
{
    size_t w = (size_t)orbit->width;
    memcpy(s->reached.low, orbit->state, w * sizeof(double));
    memcpy(s->reached.high, orbit->state, w * sizeof(double));
    double from = (double)(s->count - 1) * forcing_period;
    for (int k = 1; k <= LOOKS; k++) {
        double t = k < LOOKS ? from + k * forcing_period / LOOKS : (double)s->count * forcing_period;
        ss_status status = ss_orbit_advance(orbit, t, err);
        if (status != SS_OK || orbit->interrupted || orbit->outcome != SS_TIME_REACHED) return status;
        widen(&s->reached, orbit->state);
    }
    memcpy(s->states + (size_t)(s->count++ % KEPT) * w, orbit->state, w * sizeof(double));
    return SS_OK;
}

// How far the motion is from where it was so many periods ago.
static void measure_repeats(const strobe* s, int width, ss_repeats* out)
{
    get_scale(&s->reached, s->scale);
    for (int k = 1; k <= SS_MOST_MULTIPLE; k++) {
        out->distance[k] = INFINITY;
        if (k >= s->count) continue;
        const double *now = state_before(s, width, 0), *then = state_before(s, width, k);
        double largest = 0.0;
        for (int i = 0; i < width; i++) largest = fmax(largest, fabs(now[i] - then[i]) / s->scale[i]);
        out->distance[k] = largest;
        if (largest < out->distance[out->best] || out->best == 0) out->best = k;
    }
}

static ss_status run_strobe(ss_orbit* orbit, strobe* s, double forcing_period, double until, ss_repeats* out,
                            ss_error* err)
{
    double* start = s->states;
    ss_orbit_get_start(orbit, start);
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK) status = ss_orbit_advance(orbit, 0.0, err);
    s->count = 1;
    double periods = fmax(ceil(until / forcing_period), 2.0);
    int settled = 0; // a repetition to rounding is believed the second time
    while (status == SS_OK && !orbit->interrupted && orbit->outcome == SS_TIME_REACHED &&
           (double)s->count <= periods && settled < 2) {
        status = next_period(orbit, s, forcing_period, err);
        if (status != SS_OK || orbit->interrupted || orbit->outcome != SS_TIME_REACHED) return status;
        *out = (ss_repeats){.t = (double)(s->count - 1) * forcing_period};
        measure_repeats(s, orbit->width, out);
        settled = out->distance[out->best] <= SS_RELATIVE_ZERO ? settled + 1 : 0;
        out->found = true;
    }
    return status;
}

ss_status ss_guess_repeats(ss_orbit* orbit, double forcing_period, double until, double state[],
                           double scale[], ss_repeats* out, ss_error* err)
{
    size_t w = (size_t)orbit->width;
    *out = (ss_repeats){.found = false};
    double* memory = ss_new((KEPT + 2) * w, sizeof(double));
    if (!memory) return ss_fail_no_memory(err);
    strobe s = {.states = memory, .scale = scale};
    s.reached = (span){orbit->n, orbit->width, memory + KEPT * w, memory + (KEPT + 1) * w};
    ss_status status = run_strobe(orbit, &s, forcing_period, until, out, err);
    if (status == SS_OK && out->found) {
        memcpy(state, state_before(&s, orbit->width, 0), w * sizeof(double));
        ss_orbit_begin_here(orbit, state);
    }
    out->found = out->found && orbit->outcome == SS_TIME_REACHED;
    free(memory);
    return status;
}
