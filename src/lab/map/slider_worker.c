// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One block of starts of a slider. Cells that differ in their starts alone run through one ss_slide_batch;
// where other numbers vary, every cell has a slider of its own.
#include "core/error.h"
#include "lab/map/basin_worker.h"
#include "slipstick/sliding.h"

#include <math.h>
#include <stdlib.h>

typedef struct slider_worker {
    const ss_basin* basin;
    const atomic_bool* stop;
    double *values, *place, *speed, *end; // cell by cell
    ss_slide_result* results;
} slider_worker;

static void finish(void* worker)
{
    slider_worker* w = worker;
    if (!w) return;
    free(w->values);
    free(w->place);
    free(w->speed);
    free(w->end);
    free(w->results);
    free(w);
}

static ss_status start(const ss_basin* basin, const atomic_bool* stop, void** out, ss_error* err)
{
    *out = NULL;
    slider_worker* w = ss_new(1, sizeof *w);
    if (!w) return ss_fail_no_memory(err);
    w->basin = basin;
    w->stop = stop;
    size_t cells = (size_t)basin->block_cells;
    w->values = ss_new(cells * (size_t)basin->axis_count, sizeof *w->values);
    w->place = ss_new(3 * cells, sizeof *w->place);
    w->speed = ss_new(3 * cells, sizeof *w->speed);
    w->end = ss_new(3 * cells, sizeof *w->end);
    w->results = ss_new(cells, sizeof *w->results);
    if (!w->values || !w->place || !w->speed || !w->end || !w->results) {
        finish(w);
        return ss_fail_no_memory(err);
    }
    *out = w;
    return SS_OK;
}

// Asked within motions, however long they are.
static bool keep_going(void* user, double t)
{
    (void)t;
    return !atomic_load(((const slider_worker*)user)->stop);
}

// Cells from .. from + count - 1 of the block, of one slider.
static ss_status run(slider_worker* w, const ss_slider* slider, int64_t from, int64_t count, ss_error* err)
{
    const ss_basin* basin = w->basin;
    ss_batch_def def = ss_batch_def_default();
    def.until = basin->until;
    def.escape = basin->escape;
    def.tolerance = basin->tolerance;
    def.max_events = (long)basin->max_events;
    def.keep_going = keep_going;
    def.user = w;
    for (int64_t k = from; k < from + count; k++)
        ss_basin_slider_start(basin, slider, w->values + k * basin->axis_count, w->place + 3 * k,
                              w->speed + 3 * k);
    const ss_slide_starts starts = {.count = (size_t)count,
                                    .place = w->place + 3 * from,
                                    .speed = w->speed + 3 * from,
                                    .results = w->results + from,
                                    .end = w->end + 3 * from};
    return ss_slide_batch(slider, &def, &starts, err);
}

static ss_status run_own(slider_worker* w, int64_t k, ss_error* err)
{
    const double* values = w->values + k * w->basin->axis_count;
    ss_slider* own = NULL;
    ss_status status = ss_basin_build_slider(w->basin, values, &own, err);
    if (status == SS_OK) status = run(w, own, k, 1, err);
    ss_slider_destroy(own);
    return ss_basin_name_fault(w->basin, values, status, err);
}

static void put(const slider_worker* w, int64_t count, double* t)
{
    double* x = t + count;
    unsigned char* fate = (unsigned char*)(x + 3 * count);
    for (int64_t k = 0; k < count; k++) {
        const ss_slide_result* r = &w->results[k];
        t[k] = r->fate == SS_FATE_REST && !r->settles ? r->t : NAN;
        fate[k] = (unsigned char)(r->fate | (r->limited ? SS_CELL_LIMITED : 0) | SS_CELL_ALONE);
        for (int i = 0; i < 3; i++) x[3 * k + i] = w->end[3 * k + i] + 0.0; // -0 becomes 0
    }
}

static ss_status compute(void* worker, int64_t block, void* payload, ss_error* err)
{
    slider_worker* w = worker;
    const ss_basin* basin = w->basin;
    int64_t first = ss_basin_block_first(basin, block), count = ss_basin_block_count(basin, block);
    ss_status status = SS_OK;
    for (int64_t k = 0; k < count; k++)
        ss_basin_coordinates(basin, first + k, w->values + k * basin->axis_count);
    if (basin->parameter_count == 0) status = run(w, basin->slider, 0, count, err);
    for (int64_t k = 0; k < count && basin->parameter_count > 0 && status == SS_OK; k++)
        status = run_own(w, k, err);
    if (atomic_load(w->stop)) return SS_OK; // cut short: worth nothing
    if (status == SS_OK) put(w, count, payload);
    return status;
}

ss_sweep_task ss_slider_basin_task(void)
{
    return (ss_sweep_task){
        .numbers = 4, .outcomes = true, .start = start, .compute = compute, .finish = finish};
}
