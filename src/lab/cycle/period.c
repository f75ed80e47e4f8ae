// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The rhythm of the inputs, and a first guess of state and period for shooting: where the motion crosses the
// plane through one of its own states, square to its direction, and comes close to that state.
#include "lab/cycle/period.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rhythm of the inputs

enum { MOST_HARMONICS = 64, MOST_RATIO = 64 };

typedef struct rhythm {
    double frequencies[MOST_HARMONICS];
    int count;
    bool unknown; // some input varies, and not as a sum of harmonics
} rhythm;

static void add_signal(rhythm* all, const ss_signal* signal)
{
    ss_harmonic parts[16];
    double constant;
    if (!signal || ss_signal_is_constant(signal)) return;
    int count = ss_signal_spectrum(signal, 0.0, &constant, parts, 16);
    if (count < 0 || all->count + count > MOST_HARMONICS) {
        all->unknown = true;
        return;
    }
    for (int k = 0; k < count; k++) all->frequencies[all->count++] = parts[k].frequency;
}

static int greatest_common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Denominator q <= MOST_RATIO with q ratio whole, to rounding; 0 if there is none.
static int denominator(double ratio)
{
    for (int q = 1; q <= MOST_RATIO; q++)
        if (fabs(q * ratio - nearbyint(q * ratio)) <= 1e-10 * q * fmax(ratio, 1.0)) return q;
    return 0;
}

// 2 pi / f with f the largest frequency of which all others are multiples; NaN if there is none.
static double common_period(const rhythm* all)
{
    const double two_pi = 6.28318530717958647693;
    int times = 1;
    if (all->unknown || all->count == 0) return NAN;
    double lowest = all->frequencies[0];
    for (int k = 1; k < all->count; k++) lowest = fmin(lowest, all->frequencies[k]);
    for (int k = 0; k < all->count; k++) {
        int q = denominator(all->frequencies[k] / lowest);
        if (q == 0) return NAN;
        times = times / greatest_common_divisor(times, q) * q;
    }
    return times * two_pi / lowest;
}

static bool is_pulled(const ss_model* model, int drive)
{
    for (int c = 0; c < model->connection_count; c++)
        for (int k = 0; k < model->connections[c].d.count; k++)
            if (model->connections[c].d.index[k] == drive &&
                (model->connections[c].stiffness != 0.0 || model->connections[c].cubic != 0.0))
                return true;
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < model->contacts[i].d.count; k++)
            if (model->contacts[i].d.index[k] == drive && model->contacts[i].law == SS_LAW_RIGID_STOP)
                return true;
    return false;
}

ss_status ss_rhythm(const ss_model* model, bool* forced, double* period, ss_error* err)
{
    rhythm all = {.count = 0};
    for (int f = 0; f < model->force_count; f++) add_signal(&all, model->forces[f].signal);
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < 4; k++) add_signal(&all, model->contacts[i].level[k]);
    for (int d = 0; d < model->drive_count; d++) {
        const ss_drive* drive = &model->drives[d];
        add_signal(&all, drive->signal);
        bool leaves = drive->is_speed && ss_signal_is_constant(drive->signal) &&
                      ss_signal_value(drive->signal, 0.0) != 0.0;
        if (leaves && is_pulled(model, d))
            return ss_fail(err, SS_BAD_INPUT, NULL,
                           "body %.100s drives away for ever and pulls along: nothing repeats",
                           model->bodies[drive->body].name);
    }
    *forced = all.count > 0 || all.unknown;
    *period = *forced ? common_period(&all) : NAN;
    return SS_OK;
}

// ---- a motion that nearly returns

enum { MOST_SAMPLES = 400000 };
static const double close_enough = 0.6; // distance of a return, as a share of the extent of the motion

static int held_contacts(const ss_sim* sim)
{
    int count = 0;
    for (int i = 0; i < sim->model->contact_count; i++) count += ss_holds(sim, i);
    return count;
}

enum { LOOK_AT = 40 };

// Times of the first events of the motion after `from`, and where that list ends, at `until` at the latest.
// The motion is not followed further than needed: it may be running away.
static double* event_times(ss_orbit* orbit, double from, double until, size_t* count, ss_status* status,
                           ss_error* err)
{
    double t = from, step = fmax(10.0 / fmax(orbit->sim->rate, 1e-300), 1e-3 * (until - from));
    *status = ss_orbit_advance(orbit, from, err);
    size_t before = orbit->events.count;
    while (*status == SS_OK && orbit->outcome == SS_TIME_REACHED && t < until &&
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
    for (size_t k = 0; status == SS_OK && k < count && looked < LOOK_AT; k++) {
        if (times[k] <= last) continue;
        status = ss_orbit_advance(orbit, 0.5 * (last + times[k]), err);
        int held = held_contacts(orbit->sim);
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
        largest[i >= s->n] = fmax(largest[i >= s->n], scale[i]);
    }
    for (int i = 0; i < s->width; i++) {
        double least = 1e-3 * largest[i >= s->n];
        scale[i] = fmax(scale[i], least > 0.0 ? least : 1.0);
    }
}

static double sample_step(const ss_orbit* orbit, double time)
{
    double rate = orbit->sim->rate, step = rate > 0.0 ? 0.1 / rate : 1e-3 * time;
    return fmin(fmax(step, time / MOST_SAMPLES), 1e-2 * time);
}

// Follows the motion from `state` until it crosses the plane through it, square to its direction there, the
// same way and close to it; with a given period, for that long.
static ss_status wait_for_return(ss_orbit* orbit, double given, double until, const double state[],
                                 const double slope[], span* reached, double scale[], ss_guess* out,
                                 ss_error* err)
{
    double time = isnan(given) ? until - out->t : given, step = sample_step(orbit, time), before = 0.0;
    for (long k = 1; (double)k * step <= time; k++) {
        ss_status status = ss_orbit_advance(orbit, out->t + (double)k * step, err);
        if (status != SS_OK || orbit->outcome != SS_TIME_REACHED) return status;
        widen(reached, orbit->state);
        get_scale(reached, scale);
        double along = 0.0, distance = 0.0;
        for (int i = 0; i < orbit->width; i++) {
            double moved = (orbit->state[i] - state[i]) / scale[i];
            along += slope[i] / scale[i] * moved;
            distance = fmax(distance, fabs(moved));
        }
        bool back = before < 0.0 && along >= 0.0 && distance < close_enough;
        if (back && isnan(given)) {
            out->found = true;
            out->period = ((double)k - along / (along - before)) * step;
            return SS_OK;
        }
        before = along;
    }
    out->found = !isnan(given);
    out->period = given;
    return SS_OK;
}

ss_status ss_guess_period(ss_orbit* orbit, bool forced, double given, double from, double until,
                          double state[], double scale[], ss_guess* out, ss_error* err)
{
    size_t w = (size_t)orbit->width;
    *out = (ss_guess){.found = false, .t = from};
    if (forced) out->t = nearbyint(from / given) * given; // the same phase of the inputs as at t = 0
    double* memory = ss_new(4 * w, sizeof(double));
    if (!memory) return ss_fail_no_memory(err);
    double *start = memory, *slope = start + w;
    span reached = {orbit->n, orbit->width, slope + w, slope + 2 * w};
    ss_orbit_get_start(orbit, start);
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && !forced) status = quiet_time(orbit, start, from, until, &out->t, err);
    if (status == SS_OK) status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK) status = ss_orbit_advance(orbit, out->t, err);
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED) {
        memcpy(state, orbit->state, w * sizeof(double));
        memcpy(slope, orbit->slope, w * sizeof(double));
        memcpy(reached.low, state, w * sizeof(double));
        memcpy(reached.high, state, w * sizeof(double));
        status = wait_for_return(orbit, given, until, state, slope, &reached, scale, out, err);
    }
    free(memory);
    return status;
}
