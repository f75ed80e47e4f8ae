// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A batch of motions: the calls, and the way of one start after the other.
#include "engine/batch/batch_impl.h"

#include "core/definition.h"
#include "core/error.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* ss_fate_name(ss_fate fate)
{
    static const char* const names[] = {"rest", "escaped", "moving"};
    return names[fate];
}

const char* ss_batch_way_name(ss_batch_way way)
{
    static const char* const names[] = {"best", "one by one", "plain", "avx2", "avx512"};
    return names[way];
}

ss_status ss_batch_create(const ss_model* model, const ss_batch_def* given, ss_batch** out, ss_error* err)
{
    ss_batch_def own = ss_batch_def_default();
    const ss_batch_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_batch_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    *out = NULL;
    ss_batch_def settings = *def;
    if (isnan(settings.until)) settings.until = ss_model_until(model);
    if (!(settings.until > 0.0) || isinf(settings.until))
        return ss_fail(err, SS_BAD_INPUT, "until", "must be positive and finite");
    ss_batch* batch = ss_new(1, sizeof *batch);
    if (!batch) return ss_fail_no_memory(err);
    batch->model = model;
    batch->def = settings;
    batch->way = SS_BATCH_ONE_BY_ONE;
    ss_sim_def sim = ss_sim_def_default();
    sim.tolerance = settings.tolerance;
    sim.max_events = settings.max_events;
    sim.escape = settings.escape;
    sim.prove_escape = settings.prove_escape;
    sim.ledger = false;
    sim.keep_going = settings.keep_going;
    sim.user = settings.user;
    ss_status status = ss_sim_create(model, &sim, &batch->sim, err);
    if (status == SS_OK) status = ss_batch_make_lanes(batch, err);
    if (status != SS_OK) {
        ss_batch_destroy(batch);
        return status;
    }
    *out = batch;
    return SS_OK;
}

void ss_batch_destroy(ss_batch* batch)
{
    if (!batch) return;
    ss_sim_destroy(batch->sim);
    ss_pool_free(&batch->pool);
    free(batch);
}

ss_batch_way ss_batch_way_used(const ss_batch* batch) { return batch->way; }
long ss_batch_alone_count(const ss_batch* batch) { return batch->alone; }

// ---- one start after the other

// The error names the start.
static ss_status name_start(size_t index, ss_status status, ss_error* err)
{
    char text[sizeof err->text];
    if (!err) return status;
    snprintf(text, sizeof text, "start %zu: %.300s", index, err->text);
    memcpy(err->text, text, sizeof text);
    return status;
}

static ss_batch_result judge(ss_batch* batch, ss_outcome outcome, double limit_x[])
{
    ss_sim* sim = batch->sim;
    if (outcome == SS_TIME_REACHED) outcome = ss_sim_conclude(sim);
    ss_batch_result result = {
        .fate = SS_FATE_MOVING, .t = ss_sim_time(sim), .events = sim->course.event_count};
    if (outcome == SS_AT_REST) result.fate = SS_FATE_REST;
    if (outcome == SS_ESCAPED) result.fate = SS_FATE_ESCAPED;
    result.proved = outcome == SS_ESCAPED && sim->course.diverges;
    result.limited = outcome == SS_EVENT_LIMIT;
    result.settles = outcome == SS_TIME_REACHED && ss_sim_settles(sim, limit_x);
    if (result.settles) result.fate = SS_FATE_REST;
    return result;
}

// States and memory of an open model.
static void keep_inner(const ss_batch* batch, const ss_batch_starts* starts, size_t i)
{
    size_t states = (size_t)ss_model_state_count(batch->model),
           memory = (size_t)ss_model_memory_count(batch->model);
    if (!starts->end_inner || states + memory == 0) return;
    double* out = starts->end_inner + i * (states + memory);
    const double* from =
        starts->results[i].settles ? ss_sim_limit_states(batch->sim) : ss_sim_states(batch->sim);
    if (states > 0) memcpy(out, from, states * sizeof(double));
    if (memory > 0) memcpy(out + states, ss_sim_memory(batch->sim), memory * sizeof(double));
}

static ss_status restart(ss_batch* batch, const ss_batch_starts* starts, size_t i, ss_error* err)
{
    size_t at = i * (size_t)batch->model->body_count, states = (size_t)ss_model_state_count(batch->model);
    size_t width = states + (size_t)ss_model_memory_count(batch->model);
    const double* inner = starts->inner && width > 0 ? starts->inner + i * width : NULL;
    ss_status status = ss_sim_set_start(batch->sim, inner, inner ? inner + states : NULL, err);
    if (status != SS_OK) return status;
    return ss_sim_restart(batch->sim, starts->x ? starts->x + at : NULL, starts->v ? starts->v + at : NULL,
                          err);
}

ss_status ss_batch_ask(const ss_batch* batch, ss_error* err)
{
    const ss_batch_def* def = &batch->def;
    if (!def->keep_going || def->keep_going(def->user, 0.0)) return SS_OK;
    return ss_fail(err, SS_NOT_FOUND, NULL, "interrupted");
}

ss_status ss_batch_run_alone(ss_batch* batch, const ss_batch_starts* starts, size_t i, ss_error* err)
{
    size_t bodies = (size_t)batch->model->body_count, at = i * bodies;
    ss_outcome outcome;
    ss_sim* sim = batch->sim;
    batch->alone++;
    ss_status status = restart(batch, starts, i, err);
    if (status == SS_OK) status = ss_sim_advance(sim, batch->def.until, &outcome, err);
    if (status != SS_OK) return name_start(i, status, err);
    if (outcome == SS_INTERRUPTED) return ss_fail(err, SS_NOT_FOUND, NULL, "interrupted");
    double* x = starts->end_x ? starts->end_x + at : NULL;
    starts->results[i] = judge(batch, outcome, x);
    starts->results[i].alone = true;
    bool limit = starts->results[i].settles;
    keep_inner(batch, starts, i);
    if (x && !limit) memcpy(x, ss_sim_x(sim), bodies * sizeof(double));
    if (!starts->end_v) return SS_OK;
    for (size_t b = 0; b < bodies; b++) starts->end_v[at + b] = limit ? 0.0 : ss_sim_v(sim)[b];
    return SS_OK;
}

ss_status ss_batch_run(ss_batch* batch, const ss_batch_starts* starts, ss_error* err)
{
    if (batch->lanes) return ss_batch_run_lanes(batch, starts, err);
    ss_status status = SS_OK;
    for (size_t i = 0; i < starts->count && status == SS_OK; i++) {
        status = ss_batch_ask(batch, err);
        if (status == SS_OK) status = ss_batch_run_alone(batch, starts, i, err);
    }
    return status;
}
