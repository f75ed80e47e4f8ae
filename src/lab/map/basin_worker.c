// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One block: its cells are gathered by model, run, and their answers put where they belong.
#include "lab/map/basin_worker.h"

#include "core/error.h"
#include "lab/map/basin_motion.h"
#include "share/model_parts.h"
#include "slipstick/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1024,       // starts between two looks at whether to stop
    WORTH_TABLES = 500, // starts of one model
};

typedef struct ss_basin_worker {
    const ss_basin* basin;
    const atomic_bool* stop;
    ss_model* own;                     // the model of the present group, where axes need one
    ss_batch* batch;                   // of the present model
    double* values;                    // axes of the block's cells, cell by cell
    int64_t* order;                    // cells of the block, those of one model side by side
    double *start_x, *start_v, *end_x; // of a chunk, start by start
    double *start_inner, *end_inner;   // states and memory of an open model
    ss_batch_result* results;
    ss_motion_classifier* judge; // of motions that have not ended
} ss_basin_worker;

static void drop_model(ss_basin_worker* w)
{
    ss_batch_destroy(w->batch);
    ss_model_destroy(w->own);
    w->batch = NULL;
    w->own = NULL;
}

static void finish(void* worker)
{
    ss_basin_worker* w = worker;
    if (!w) return;
    drop_model(w);
    ss_motion_classifier_destroy(w->judge);
    free(w->values);
    free(w->order);
    free(w->start_x);
    free(w->start_v);
    free(w->end_x);
    free(w->start_inner);
    free(w->end_inner);
    free(w->results);
    free(w);
}

static ss_status start(const ss_basin* basin, const atomic_bool* stop, void** out, ss_error* err)
{
    *out = NULL;
    ss_basin_worker* w = ss_new(1, sizeof *w);
    if (!w) return ss_fail_no_memory(err);
    w->basin = basin;
    w->stop = stop;
    size_t cells = (size_t)basin->block_cells, bodies = (size_t)basin->bodies, inner = (size_t)basin->inner;
    w->values = ss_new(cells * (size_t)basin->axis_count, sizeof *w->values);
    w->order = ss_new(cells, sizeof *w->order);
    w->start_x = ss_new(CHUNK * bodies, sizeof *w->start_x);
    w->start_v = ss_new(CHUNK * bodies, sizeof *w->start_v);
    w->end_x = ss_new(CHUNK * bodies, sizeof *w->end_x);
    w->start_inner = ss_new(CHUNK * inner, sizeof *w->start_inner);
    w->end_inner = ss_new(CHUNK * inner, sizeof *w->end_inner);
    w->results = ss_new(CHUNK, sizeof *w->results);
    if (!w->values || !w->order || !w->start_x || !w->start_v || !w->end_x || !w->start_inner ||
        !w->end_inner || !w->results) {
        finish(w);
        return ss_fail_no_memory(err);
    }
    *out = w;
    return SS_OK;
}

// ---- one model ----

// Asked within motions, however long they are.
static bool keep_going(void* user, double t)
{
    (void)t;
    return !atomic_load(((const ss_basin_worker*)user)->stop);
}

// `starts` are to come. The tables of lock-step are worth their making from some hundred starts on. The
// choice may show in the last bits, so it must not depend on anything but the definition of the map.
static ss_status make_batch(ss_basin_worker* w, const ss_model* model, int64_t starts, ss_error* err)
{
    ss_batch_def def = ss_batch_def_default();
    def.until = w->basin->until;
    def.escape = w->basin->escape;
    def.tolerance = w->basin->tolerance;
    def.max_events = (long)w->basin->max_events;
    def.keep_going = keep_going;
    def.user = w;
    if (starts < WORTH_TABLES) def.way = SS_BATCH_ONE_BY_ONE;
    return ss_batch_create(model, &def, &w->batch, err);
}

// The model and the batch for cells with these values.
static ss_status use_model(ss_basin_worker* w, const double values[], int64_t starts, ss_error* err)
{
    const ss_basin* basin = w->basin;
    if (basin->parameter_count == 0) return w->batch ? SS_OK : make_batch(w, basin->model, basin->cells, err);
    drop_model(w);
    ss_status status = ss_basin_build(basin, values, &w->own, err);
    if (status == SS_OK) status = make_batch(w, w->own, starts, err);
    return status == SS_OK ? SS_OK : ss_basin_name_fault(basin, values, status, err);
}

static void set_start(const ss_basin_worker* w, const double values[], int k)
{
    const ss_basin* basin = w->basin;
    const ss_model* model = w->own ? w->own : basin->model;
    double *x = w->start_x + (size_t)k * (size_t)basin->bodies,
           *v = w->start_v + (size_t)k * (size_t)basin->bodies,
           *inner = w->start_inner + (size_t)k * (size_t)basin->inner;
    int states = ss_model_state_count(model);
    for (int b = 0; b < basin->bodies; b++) {
        x[b] = ss_model_start_x(model, b);
        v[b] = ss_model_start_v(model, b);
    }
    for (int j = 0; j < basin->inner; j++)
        inner[j] = j < states ? ss_model_state_start(model, j) : ss_model_memory_start(model, j - states);
    for (int a = 0; a < basin->axis_count; a++) {
        const ss_axis_target* target = &basin->targets[a];
        if (target->body >= 0) (target->speed ? v : x)[target->body] = values[a];
        if (target->inner >= 0) inner[target->inner] = values[a];
    }
}

// Answers of a block, where they belong.
typedef struct answers {
    double *t, *x, *inner;
    unsigned char* fate;
} answers;

static void put_answer(const ss_basin_worker* w, int k, int64_t cell, const answers* to)
{
    const ss_batch_result* result = &w->results[k];
    size_t bodies = (size_t)w->basin->bodies, inner = (size_t)w->basin->inner;
    to->fate[cell] = (unsigned char)(result->fate | (result->limited ? SS_CELL_LIMITED : 0) |
                                     (result->alone ? SS_CELL_ALONE : 0));
    to->t[cell] = result->fate == SS_FATE_REST && !result->settles ? result->t : NAN;
    for (size_t b = 0; b < bodies; b++) // + 0.0 turns -0 into 0
        to->x[(size_t)cell * bodies + b] = w->end_x[(size_t)k * bodies + b] + 0.0;
    for (size_t j = 0; j < inner; j++)
        to->inner[(size_t)cell * inner + j] = w->end_inner[(size_t)k * inner + j] + 0.0;
}

// What a motion that has not ended is: its kind, and a number that is the same for all motions of one
// attractor. NaN: it is on its way.
static ss_status judge_motion(ss_basin_worker* w, int k, int64_t cell, const answers* to, ss_error* err)
{
    const ss_model* model = w->basin->model;
    size_t bodies = (size_t)w->basin->bodies;
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = w->basin->tolerance;
    def.max_events = (long)w->basin->max_events;
    def.keep_going = keep_going;
    def.user = w;
    ss_status status = w->judge ? SS_OK : ss_motion_classifier_create(model, &def, &w->judge, err);
    if (status != SS_OK) return status;
    ss_motion_verdict verdict;
    double until = isnan(w->basin->until) ? ss_model_until(model) : w->basin->until;
    const ss_motion_start start = {.x = w->start_x + (size_t)k * bodies,
                                   .v = w->start_v + (size_t)k * bodies,
                                   .inner = w->start_inner + (size_t)k * (size_t)w->basin->inner};
    status = ss_motion_classifier_ask(w->judge, &start, until, &verdict, err);
    to->t[cell] = verdict.shape;
    if (verdict.steady) to->fate[cell] |= SS_CELL_STEADY;
    return status;
}

static ss_status judge_motions(ss_basin_worker* w, const int64_t cells[], int count, const answers* to,
                               ss_error* err)
{
    ss_status status = SS_OK;
    for (int k = 0; k < count && status == SS_OK; k++)
        if (w->results[k].fate == SS_FATE_MOVING && !w->results[k].limited)
            status = judge_motion(w, k, cells[k], to, err);
    return status;
}

// Runs `count` cells of one model.
static ss_status run_chunk(ss_basin_worker* w, const int64_t cells[], int count, const answers* to,
                           ss_error* err)
{
    const ss_batch_starts starts = {.count = (size_t)count,
                                    .x = w->start_x,
                                    .v = w->start_v,
                                    .inner = w->start_inner,
                                    .results = w->results,
                                    .end_x = w->end_x,
                                    .end_inner = w->end_inner};
    for (int k = 0; k < count; k++) set_start(w, w->values + cells[k] * w->basin->axis_count, k);
    ss_status status = ss_batch_run(w->batch, &starts, err);
    for (int k = 0; k < count && status == SS_OK; k++) put_answer(w, k, cells[k], to);
    return status == SS_OK && w->basin->shapes ? judge_motions(w, cells, count, to, err) : status;
}

static ss_status run_group(ss_basin_worker* w, const int64_t cells[], int64_t count, const answers* to,
                           ss_error* err)
{
    ss_status status = use_model(w, w->values + cells[0] * w->basin->axis_count, count, err);
    // Slow motions are looked after one by one, so that an end that is asked for comes soon.
    int64_t chunk = status == SS_OK && ss_batch_way_used(w->batch) == SS_BATCH_ONE_BY_ONE ? 1 : CHUNK;
    for (int64_t k = 0; k < count && status == SS_OK && !atomic_load(w->stop); k += chunk) {
        int64_t left = count - k;
        status = run_chunk(w, cells + k, (int)(left < chunk ? left : chunk), to, err);
        if (atomic_load(w->stop)) return SS_OK; // cut short
        if (status != SS_OK && chunk == 1)
            status = ss_basin_name_fault(w->basin, w->values + cells[k] * w->basin->axis_count, status, err);
    }
    return status;
}

// ---- groups ----

// Whether two cells share a model.
static bool same_model(const ss_basin_worker* w, int64_t i, int64_t j)
{
    const ss_basin* basin = w->basin;
    const double *p = w->values + i * basin->axis_count, *q = w->values + j * basin->axis_count;
    for (int a = 0; a < basin->axis_count; a++)
        if (!ss_basin_is_start(&basin->targets[a]) && p[a] != q[a]) return false;
    return true;
}

// Puts cells of one model side by side, in order of first appearance: where parameters vary fastest, a block
// holds the same few models over and over.
static void sort_by_model(ss_basin_worker* w, int64_t count)
{
    for (int64_t k = 0; k < count; k++) w->order[k] = k;
    if (w->basin->parameter_count == 0 || w->basin->random > 0) return;
    for (int64_t from = 0; from < count;) {
        int64_t to = from + 1;
        for (int64_t k = to; k < count; k++) {
            if (!same_model(w, w->order[from], w->order[k])) continue;
            int64_t moved = w->order[to];
            w->order[to++] = w->order[k];
            w->order[k] = moved;
        }
        from = to;
    }
}

static ss_status compute(void* worker, int64_t block, void* payload, ss_error* err)
{
    ss_basin_worker* w = worker;
    const ss_basin* basin = w->basin;
    int64_t first = ss_basin_block_first(basin, block), count = ss_basin_block_count(basin, block);
    answers to = {.t = payload};
    to.x = to.t + count;
    to.inner = to.x + count * basin->bodies;
    to.fate = (unsigned char*)(to.inner + count * basin->inner);
    for (int64_t k = 0; k < count; k++)
        ss_basin_coordinates(basin, first + k, w->values + k * basin->axis_count);
    sort_by_model(w, count);
    ss_status status = SS_OK;
    for (int64_t from = 0, end; from < count && status == SS_OK && !atomic_load(w->stop); from = end) {
        end = from + 1;
        while (end < count && same_model(w, w->order[from], w->order[end])) end++;
        status = run_group(w, w->order + from, end - from, &to, err);
    }
    return status;
}

ss_sweep_task ss_basin_task(const ss_basin* basin)
{
    return (ss_sweep_task){.numbers = 1 + (size_t)basin->bodies + (size_t)basin->inner,
                           .outcomes = true,
                           .start = start,
                           .compute = compute,
                           .finish = finish};
}
