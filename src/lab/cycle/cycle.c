// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A periodic motion by shooting: Newton's method on  y(T; y0) - y0 = 0  for the start y0 and, where nothing
// from outside sets the rhythm, the period T with y0 moving across the motion only. The derivative of y(T)
// comes from orbit.c. All in variables divided by the extent of the motion.
#include "slipstick/lab.h"

#include "core/error.h"
#include "lab/algebra.h"
#include "lab/cycle/orbit.h"
#include "lab/cycle/period.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_ROUNDS = 60, HALVINGS = 8, ATTEMPTS = 4 };
static const double good = 1e-9;        // relative gap between start and end that counts as closed
static const double rank_limit = 1e-12; // singular values below this share of the largest count as zero

struct ss_cycle {
    double period;
    bool forced, coupled;
    int body_count, multiplier_count;
    double *low, *high;        // bodies
    double *start_x, *start_v; // bodies
    double (*multipliers)[2];
    ss_event* events;
    size_t event_count;
};

// What the search works with.
typedef struct search {
    ss_orbit* orbit;
    bool forced;
    int w;
    double period;             // present guess
    double *y, *next, *scale;  // start, trial, extent of each variable
    double *step, *gap;        // w + 1
    double *matrix, *singular; // (w + 1)^2, w + 1
    double closeness;          // size of the gap, relative
} search;

static bool allocate_search(search* s)
{
    size_t w = (size_t)s->w, full = w + 1;
    s->y = ss_new(w, sizeof(double));
    s->next = ss_new(w, sizeof(double));
    s->scale = ss_new(w, sizeof(double));
    s->step = ss_new(full, sizeof(double));
    s->gap = ss_new(full, sizeof(double));
    s->matrix = ss_new(full * full, sizeof(double));
    s->singular = ss_new(full, sizeof(double));
    return s->y && s->next && s->scale && s->step && s->gap && s->matrix && s->singular;
}

static void free_search(search* s)
{
    free(s->y);
    free(s->next);
    free(s->scale);
    free(s->step);
    free(s->gap);
    free(s->matrix);
    free(s->singular);
    ss_orbit_destroy(s->orbit);
}

// ---- Newton

// Follows the motion from `start` for the present period. Returns the relative gap, or INFINITY where the
// motion ends before.
static ss_status measure(search* s, const double start[], double* gap, ss_error* err)
{
    ss_status status = ss_orbit_follow(s->orbit, start, s->period, err);
    *gap = INFINITY;
    if (status != SS_OK || s->orbit->outcome != SS_TIME_REACHED) return status;
    double size = 0.0;
    for (int i = 0; i < s->w; i++) size = fmax(size, fabs((s->orbit->state[i] - start[i]) / s->scale[i]));
    *gap = size;
    return SS_OK;
}

// [D - 1, y'(T); y'(0)^T, 0] [dy; dT] = [y0 - y(T); 0], the shortest solution where several fit (a body that
// sticks all the time may do so anywhere).
static ss_status newton_step(search* s, bool* good_step, ss_error* err)
{
    const ss_orbit* orbit = s->orbit;
    int w = s->w, size = s->forced ? w : w + 1, rank;
    for (int r = 0; r < w; r++) {
        for (int c = 0; c < w; c++)
            s->matrix[r * size + c] =
                orbit->monodromy[r * w + c] * s->scale[c] / s->scale[r] - (r == c ? 1.0 : 0.0);
        s->step[r] = (s->y[r] - orbit->state[r]) / s->scale[r];
        if (s->forced) continue;
        s->matrix[r * size + w] = s->matrix[w * size + r] = orbit->slope[r] / s->scale[r];
    }
    if (!s->forced) s->matrix[w * size + w] = s->step[w] = 0.0;
    int info = LAPACKE_dgelsd(LAPACK_ROW_MAJOR, size, size, 1, s->matrix, size, s->step, 1, s->singular,
                              rank_limit, &rank);
    *good_step = info == 0;
    return ss_algebra_ran_out(info) ? ss_fail_no_memory(err) : SS_OK;
}

// Goes along the step, shortening it while that makes things worse.
static ss_status try_step(search* s, bool* better, ss_error* err)
{
    double period = s->period, share = 1.0, gap;
    *better = false;
    for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
        for (int i = 0; i < s->w; i++) s->next[i] = s->y[i] + share * s->step[i] * s->scale[i];
        s->period = s->forced ? period : period + share * s->step[s->w];
        if (!(s->period > 0.1 * period)) continue;
        ss_status status = measure(s, s->next, &gap, err);
        if (status != SS_OK) return status;
        if (gap >= s->closeness) continue;
        memcpy(s->y, s->next, (size_t)s->w * sizeof(double));
        s->closeness = gap;
        *better = true;
        return SS_OK;
    }
    s->period = period;
    return measure(s, s->y, &gap, err); // the derivatives of the best start, once more
}

static ss_status close_orbit(search* s, bool* closed, ss_error* err)
{
    *closed = false;
    ss_status status = measure(s, s->y, &s->closeness, err);
    if (status != SS_OK || isinf(s->closeness)) return status;
    bool better = true;
    for (int round = 0; round < NEWTON_ROUNDS && better && s->closeness > 0.0; round++) {
        status = newton_step(s, &better, err);
        if (status == SS_OK && better) status = try_step(s, &better, err);
        if (status != SS_OK) return status;
    }
    *closed = s->closeness <= good;
    return SS_OK;
}

// A motion that goes nowhere repeats after any time: it is no cycle.
static bool moves(const search* s)
{
    const ss_model* model = s->orbit->model;
    for (int i = 0; i < model->n; i++) {
        const ss_extent* extent = &s->orbit->extents[model->coordinate_body[i]];
        if (extent->high - extent->low > 1e-6 * s->scale[i]) return true;
    }
    return false;
}

// ---- multipliers

static int compare_multipliers(const void* a, const void* b)
{
    const double *x = a, *y = b;
    double dx = hypot(x[0], x[1]), dy = hypot(y[0], y[1]);
    if (dx != dy) return dx < dy ? 1 : -1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}

// Orthonormal basis of all directions (columns of out, size x size), those of the range of a (size x size)
// first. Destroys a. Returns the rank of a, -1 on failure.
static int range_of(double a[], int size, double out[], double singular[], double work[])
{
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'N', size, size, a, size, singular, out, size, NULL, 1, work))
        return -1;
    int rank = 0;
    while (rank < size && singular[rank] > rank_limit) rank++;
    return rank;
}

// b = Q^T a Q with Q the columns from `first` on of q (size x size); returns the new size.
static int restrict_to(double a[], int size, const double q[], int first, int count, double scratch[])
{
    for (int r = 0; r < size; r++)
        for (int c = 0; c < count; c++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += a[r * size + k] * q[k * size + first + c];
            scratch[r * count + c] = sum;
        }
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += q[k * size + first + r] * scratch[k * count + c];
            a[r * count + c] = sum;
        }
    return count;
}

// Eigenvalues of D across the motion. What sticks is forgotten: D then has no full rank, and the zeros among
// its eigenvalues are taken out by going to its range until nothing more falls away. They are exact.
static bool fill_multipliers(search* s, ss_cycle* cycle)
{
    int w = s->w, size = w;
    size_t area = (size_t)w * (size_t)w;
    double* memory = ss_new(4 * area + 4 * (size_t)w, sizeof(double));
    if (!memory) return false;
    double *a = memory, *q = a + area, *copy = q + area, *scratch = copy + area, *values = scratch + area,
           *work = values + w, *real = work + w, *imaginary = real + w;
    for (int r = 0; r < w; r++)
        for (int c = 0; c < w; c++) a[r * w + c] = s->orbit->monodromy[r * w + c] * s->scale[c] / s->scale[r];
    bool fine = true;
    if (!s->forced) { // the direction of the motion itself comes first in q and is left out
        memset(copy, 0, area * sizeof(double));
        for (int r = 0; r < w; r++) copy[r * w] = s->orbit->slope[r] / s->scale[r];
        fine = range_of(copy, w, q, values, work) >= 0;
        size = restrict_to(a, w, q, 1, w - 1, scratch);
    }
    cycle->multiplier_count = size;
    for (int before = size + 1; fine && size > 0 && size < before;) {
        before = size;
        memcpy(copy, a, (size_t)size * (size_t)size * sizeof(double));
        int rank = range_of(copy, size, q, values, work);
        fine = rank >= 0;
        if (fine) size = restrict_to(a, before, q, 0, rank, scratch);
    }
    if (fine && size > 0)
        fine =
            LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', size, a, size, real, imaginary, NULL, 1, NULL, 1) == 0;
    for (int k = 0; fine && k < cycle->multiplier_count; k++) {
        cycle->multipliers[k][0] = k < size ? real[k] : 0.0;
        cycle->multipliers[k][1] = k < size ? imaginary[k] : 0.0;
    }
    qsort(cycle->multipliers, (size_t)cycle->multiplier_count, sizeof cycle->multipliers[0],
          compare_multipliers);
    free(memory);
    return fine;
}

// ---- the answer

static ss_status make_answer(search* s, ss_cycle** out, ss_error* err)
{
    ss_orbit* orbit = s->orbit;
    size_t bodies = (size_t)orbit->model->body_count;
    ss_cycle* cycle = ss_new(1, sizeof *cycle);
    if (!cycle) return ss_fail_no_memory(err);
    *cycle = (ss_cycle){.period = s->period,
                        .forced = s->forced,
                        .coupled = orbit->coupled,
                        .body_count = orbit->model->body_count,
                        .low = ss_new(bodies, sizeof(double)),
                        .high = ss_new(bodies, sizeof(double)),
                        .start_x = ss_new(bodies, sizeof(double)),
                        .start_v = ss_new(bodies, sizeof(double)),
                        .multipliers = ss_new((size_t)s->w, sizeof cycle->multipliers[0]),
                        .events = ss_new(orbit->events.count, sizeof(ss_event)),
                        .event_count = orbit->events.count};
    if (!cycle->low || !cycle->high || !cycle->start_x || !cycle->start_v || !cycle->multipliers ||
        !cycle->events || !fill_multipliers(s, cycle)) {
        ss_cycle_destroy(cycle);
        return ss_fail_no_memory(err);
    }
    for (size_t b = 0; b < bodies; b++) {
        cycle->low[b] = orbit->extents[b].low;
        cycle->high[b] = orbit->extents[b].high;
    }
    for (size_t b = 0; b < bodies; b++) {
        bool driven = orbit->model->bodies[b].drive >= 0; // a cycle of a forced system starts at t = 0
        cycle->start_x[b] = driven ? orbit->start_x[b] : orbit->body_x[b];
        cycle->start_v[b] = driven ? orbit->model->bodies[b].start_v : orbit->body_v[b];
    }
    if (orbit->events.count > 0)
        memcpy(cycle->events, orbit->events.items, orbit->events.count * sizeof(ss_event));
    *out = cycle;
    return SS_OK;
}

static ss_status check_model(const ss_model* model, ss_error* err)
{
    if (model->n == 0) return ss_fail(err, SS_BAD_INPUT, "bodies", "no body moves freely: nothing to repeat");
    for (int i = 0; i < model->contact_count; i++) {
        ss_law_kind law = model->contacts[i].law;
        if (!ss_law_has(law, SS_TRAIT_BRISTLES)) continue;
        return ss_fail(err, SS_BAD_INPUT, model->contacts[i].name,
                       "cycles are found with coulomb, stribeck, rigid-stop and hunt-crossley contacts");
    }
    return SS_OK;
}

// Guesses from ever later parts of the motion: an unstable cycle is nearest at the start, a stable one at the
// end.
static ss_status look_for(search* s, const ss_cycle_def* def, double until, ss_cycle** out, ss_error* err)
{
    static const double parts[ATTEMPTS] = {0.0, 0.2, 0.5, 0.9};
    char why[200] = "the motion from there does not return";
    for (int k = 0; k < ATTEMPTS; k++) {
        ss_guess guess;
        ss_status status = ss_guess_period(s->orbit, s->forced, def->period, parts[k] * until, until, s->y,
                                           s->scale, &guess, err);
        if (status != SS_OK) return status;
        if (!guess.found) {
            if (s->orbit->outcome != SS_TIME_REACHED)
                snprintf(why, sizeof why, "the motion from there is %s at t = %.9g s",
                         ss_outcome_name(s->orbit->outcome), s->orbit->end_t);
            continue;
        }
        bool closed;
        s->period = guess.period;
        status = close_orbit(s, &closed, err);
        if (status != SS_OK) return status;
        if (closed && moves(s)) return make_answer(s, out, err);
        if (closed)
            snprintf(why, sizeof why, "what repeats near the motion from t = %.4g s on is rest", guess.t);
        else
            snprintf(why, sizeof why, "shooting from t = %.4g s with period %.6g s did not close (gap %.1e)",
                     guess.t, guess.period, s->closeness);
    }
    return ss_fail(err, SS_NOT_FOUND, NULL, "no periodic motion found: %s", why);
}

ss_cycle_def ss_cycle_def_default(void)
{
    return (ss_cycle_def){.period = NAN, .until = NAN, .tolerance = 1e-12, .max_events = 1000000};
}

ss_status ss_cycle_find(const ss_model* model, const ss_cycle_def* def, ss_cycle** out, ss_error* err)
{
    *out = NULL;
    ss_cycle_def settings = def ? *def : ss_cycle_def_default();
    ss_status status = check_model(model, err);
    if (status != SS_OK) return status;
    search s = {.w = 2 * model->n};
    ss_sim_def sim_def = ss_sim_def_default();
    sim_def.tolerance = settings.tolerance;
    sim_def.max_events = settings.max_events;
    double rhythm;
    status = ss_rhythm(model, &s.forced, &rhythm, err);
    if (status == SS_OK && s.forced && isnan(settings.period)) settings.period = rhythm;
    if (status == SS_OK && s.forced && isnan(settings.period))
        status = ss_fail(err, SS_BAD_INPUT, NULL,
                         "the inputs have no common period that is known; give it (--period)");
    if (status == SS_OK && !allocate_search(&s)) status = ss_fail_no_memory(err);
    if (status == SS_OK) status = ss_orbit_create(model, &sim_def, &s.orbit, err);
    double until = isnan(settings.until) ? model->until : settings.until;
    if (status == SS_OK) status = look_for(&s, &settings, until, out, err);
    free_search(&s);
    return status;
}

void ss_cycle_destroy(ss_cycle* cycle)
{
    if (!cycle) return;
    free(cycle->low);
    free(cycle->high);
    free(cycle->start_x);
    free(cycle->start_v);
    free(cycle->multipliers);
    free(cycle->events);
    free(cycle);
}

double ss_cycle_period(const ss_cycle* cycle) { return cycle->period; }
bool ss_cycle_is_forced(const ss_cycle* cycle) { return cycle->forced; }
bool ss_cycle_is_coupled(const ss_cycle* cycle) { return cycle->coupled; }

double ss_cycle_amplitude(const ss_cycle* cycle, int body)
{
    return 0.5 * (cycle->high[body] - cycle->low[body]);
}
double ss_cycle_middle(const ss_cycle* cycle, int body)
{
    return 0.5 * (cycle->high[body] + cycle->low[body]);
}
const double* ss_cycle_x(const ss_cycle* cycle) { return cycle->start_x; }
const double* ss_cycle_v(const ss_cycle* cycle) { return cycle->start_v; }

int ss_cycle_multiplier_count(const ss_cycle* cycle) { return cycle->multiplier_count; }

void ss_cycle_multiplier(const ss_cycle* cycle, int k, double out[2])
{
    memcpy(out, cycle->multipliers[k], sizeof cycle->multipliers[k]);
}

bool ss_cycle_is_stable(const ss_cycle* cycle)
{
    const double neutral = 1e-9; // a multiplier as close to 1 as that may lie on either side
    return cycle->multiplier_count == 0 ||
           hypot(cycle->multipliers[0][0], cycle->multipliers[0][1]) < 1.0 - neutral;
}

size_t ss_cycle_event_count(const ss_cycle* cycle) { return cycle->event_count; }
ss_event ss_cycle_event(const ss_cycle* cycle, size_t k) { return cycle->events[k]; }
