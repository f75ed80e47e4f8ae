// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of samples that are exact (slipstick/derivative.h): one motion carries those by all numbers of
// the model at once. Sensors and the clock have theirs in closed form: with s = offset + gain y(t - delay),
//
//     ds/d(offset) = 1,     ds/d(gain) = y,     ds/d(delay) = -gain y'
//
// What has none (a number that moves jumps, samples after a grazing) stays NAN, and is left to differences.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"
#include "share/derivative.h"
#include "share/model_parts.h"
#include "slipstick/derivative.h"

#include <stdlib.h>
#include <string.h>

struct ss_fit_tangent {
    ss_fit_problem* problem;
    const bool* want; // n, or NULL: all
    double* out;      // m x n
    int recording;
    int count;                 // of directions: numbers of the model
    int* number;               // of each: which one
    ss_path_direction** paths; // of each
    ss_direction* directions;
    ss_derivative* derivative;
    double *x, *v, *force, *open; // room: bodies, contacts, numbers of an open model
    double* before;               // per trace and direction: of the place at the sample before
};

static bool is_wanted(const ss_fit_tangent* tangent, int j)
{
    int own = tangent->problem->free[j].recording;
    return (!tangent->want || tangent->want[j]) && (own < 0 || own == tangent->recording);
}

// ---- directions

static double last_sample(const ss_fit_problem* p, int recording)
{
    double last = 0.0;
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++)
        if (p->rows[i].time <= p->manner.horizon) last = fmax(last, p->rows[i].time);
    return last;
}

// The directions of all numbers that have one. A number that has none is not asked again.
static void find_directions(ss_fit_tangent* tangent, const ss_model* model, double until)
{
    ss_fit_problem* p = tangent->problem;
    for (int j = 0; j < p->n; j++) {
        ss_fit_binding* binding = &p->free[j];
        if (binding->role != SS_FIT_MODEL || binding->rough || !is_wanted(tangent, j)) continue;
        ss_path_direction** path = &tangent->paths[tangent->count];
        ss_status status =
            ss_path_direction_create(p->document, model, p->def.free[j].path, until, path, NULL);
        binding->rough = status == SS_BAD_INPUT;
        if (status != SS_OK) continue;
        tangent->directions[tangent->count] = *ss_path_direction_get(*path);
        tangent->number[tangent->count++] = j;
    }
}

// Leaves out the directions in which the model takes another form.
static void drop_strange(ss_fit_tangent* tangent, const ss_model* model)
{
    int kept = 0;
    for (int k = 0; k < tangent->count; k++) {
        ss_derivative* alone = NULL;
        ss_status status = ss_derivative_create(model, &tangent->directions[k], 1, &alone, NULL);
        ss_derivative_destroy(alone);
        if (status == SS_OK) {
            tangent->directions[kept] = tangent->directions[k];
            tangent->number[kept] = tangent->number[k];
            tangent->paths[kept++] = tangent->paths[k];
            continue;
        }
        ss_path_direction_destroy(tangent->paths[k]);
        tangent->problem->free[tangent->number[k]].rough = status == SS_BAD_INPUT;
    }
    tangent->count = kept;
}

static bool attach(ss_fit_tangent* tangent, const ss_model* model, ss_sim* sim)
{
    for (int round = 0; round < 2 && tangent->count > 0; round++) {
        ss_status status =
            ss_derivative_create(model, tangent->directions, tangent->count, &tangent->derivative, NULL);
        if (status == SS_OK) return ss_derivative_attach(tangent->derivative, sim, NULL) == SS_OK;
        drop_strange(tangent, model);
    }
    return tangent->count == 0;
}

bool ss_fit_tangent_begin(ss_fit_tangent* tangent, const ss_model* model, ss_sim* sim, int recording,
                          double delay)
{
    const ss_fit_problem* p = tangent->problem;
    size_t n = (size_t)p->n, bodies = (size_t)ss_model_body_count(model);
    size_t contacts = (size_t)ss_model_contact_count(model), numbers = (size_t)ss_sim_numbers(sim, NULL);
    tangent->recording = recording;
    tangent->number = ss_new(n, sizeof *tangent->number);
    tangent->paths = ss_new(n, sizeof(ss_path_direction*));
    tangent->directions = ss_new(n, sizeof *tangent->directions);
    tangent->x = ss_new(2 * bodies + contacts + numbers + 1, sizeof(double));
    tangent->before = ss_new(n * (size_t)p->def.trace_count, sizeof(double));
    if (!tangent->number || !tangent->paths || !tangent->directions || !tangent->x || !tangent->before)
        return false;
    tangent->v = tangent->x + bodies;
    tangent->force = tangent->v + bodies;
    tangent->open = tangent->force + contacts;
    find_directions(tangent, model, fmax(last_sample(p, recording) - delay, 0.0));
    return attach(tangent, model, sim);
}

void ss_fit_tangent_end(ss_fit_tangent* tangent)
{
    ss_derivative_destroy(tangent->derivative);
    for (int k = 0; k < tangent->count; k++) ss_path_direction_destroy(tangent->paths[k]);
    free(tangent->number);
    free(tangent->paths);
    free(tangent->directions);
    free(tangent->x);
    free(tangent->before);
    tangent->derivative = NULL;
    tangent->count = 0;
}

// ---- samples

// Of what a column shows, before the motion began as a straight line; NAN where there is none. *place (may be
// NULL) of a body's place.
static double slope_of(ss_fit_tangent* tangent, const ss_fit_column* column, int k, double t, double* place)
{
    int index = column->of.index;
    switch (column->of.kind) {
    case SS_QUANTITY_X:
    case SS_QUANTITY_V:
        ss_derivative_bodies(tangent->derivative, k, tangent->x, tangent->v);
        *place = tangent->x[index] + fmin(t, 0.0) * tangent->v[index];
        return column->speed ? tangent->v[index] : *place;
    case SS_QUANTITY_FORCE:
        ss_derivative_forces(tangent->derivative, k, tangent->force);
        return tangent->force[index];
    case SS_QUANTITY_NUMBER:
        ss_derivative_numbers(tangent->derivative, k, tangent->open);
        return tangent->open[index];
    default: return NAN;
    }
}

void ss_fit_tangent_sample(ss_fit_tangent* tangent, const ss_sim* sim, long i, double t, double since)
{
    const ss_fit_problem* p = tangent->problem;
    int trace = p->rows[i].trace;
    const ss_fit_column* column = &p->columns[trace];
    for (int j = 0; j < p->n; j++)
        if (p->free[j].role == SS_FIT_DELAY && column->of.kind == SS_QUANTITY_X && is_wanted(tangent, j))
            tangent->out[(size_t)j * (size_t)p->m + (size_t)i] =
                -column->gain * ss_sim_v(sim)[column->of.index];
    for (int k = 0; k < tangent->count; k++) {
        double place = NAN, slope = slope_of(tangent, column, k, t, &place);
        double* before = &tangent->before[(size_t)trace * (size_t)p->n + (size_t)k];
        if (column->speed && since > 0.0) slope = (place - *before) / since;
        *before = place;
        tangent->out[(size_t)tangent->number[k] * (size_t)p->m + (size_t)i] = column->gain * slope;
    }
}

// ---- the whole

static bool concerns(const ss_fit_problem* p, int j, long i)
{
    int r = p->free[j].recording;
    return r < 0 || (i >= p->first[r] && i < p->first[r + 1]);
}

static int recording_of(const ss_fit_problem* p, long i)
{
    int r = 0;
    while (i >= p->first[r + 1]) r++;
    return r;
}

// What moves some sample by a millionth of its trace's range: the size of a small step.
static void learn_step(ss_fit_problem* p, int j, const double column[])
{
    double most = 0.0;
    for (long i = 0; i < p->m; i++)
        if (isfinite(column[i])) most = fmax(most, fabs(column[i]) / p->columns[p->rows[i].trace].scale);
    if (most > 0.0) p->free[j].step = SS_FIT_CHANGE / most;
}

// Of sensors, from the samples at hand.
static double by_values(const ss_fit_problem* p, const ss_fit_binding* binding, const double x[], int j,
                        long i)
{
    int trace = p->rows[i].trace;
    if (binding->role != SS_FIT_OFFSET && binding->role != SS_FIT_GAIN) return NAN;
    if (binding->column != trace) return 0.0;
    if (binding->role == SS_FIT_OFFSET) return 1.0;
    double offset = 0.0;
    int own = recording_of(p, i);
    for (int k = 0; k < p->n; k++)
        if (p->free[k].role == SS_FIT_OFFSET && p->free[k].column == trace &&
            (p->free[k].recording < 0 || p->free[k].recording == own))
            offset = x[k];
    return x[j] != 0.0 ? (p->scratch.values[i] - offset) / x[j] : NAN;
}

void ss_fit_differentiate_exactly(ss_fit_problem* p, const double x[], const bool want[], bool motion,
                                  double out[])
{
    ss_fit_tangent tangent = {.problem = p, .want = want, .out = out};
    bool any = false;
    for (int j = 0; j < p->n; j++) {
        if (want && !want[j]) continue;
        bool sensor = p->free[j].role == SS_FIT_OFFSET || p->free[j].role == SS_FIT_GAIN;
        any = any || (!p->free[j].rough && !sensor);
        for (long i = 0; i < p->m; i++)
            out[(size_t)j * (size_t)p->m + (size_t)i] =
                concerns(p, j, i) && ss_fit_is_seen(p, i) ? by_values(p, &p->free[j], x, j, i) : 0.0;
    }
    if (!any || !motion) return;
    p->scratch.tangent = &tangent;
    ss_fit_motion(p, x, p->scratch.plus, NULL);
    p->scratch.tangent = NULL;
    for (int j = 0; j < p->n; j++)
        if (!want || want[j]) learn_step(p, j, out + (size_t)j * (size_t)p->m);
}
