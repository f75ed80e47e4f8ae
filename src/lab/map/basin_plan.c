// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A basin: a sweep whose cells hold what became of a start.
#include "core/error.h"
#include "lab/cycle/orbit.h"
#include "lab/map/basin_worker.h"
#include "share/model_parts.h"
#include "slipstick/batch.h"

// Lasting motions are told apart where that costs no more than the map itself (every start runs alone), and
// where steady sliding is to be expected.
static ss_status choose_shapes(ss_basin* basin, ss_error* err)
{
    ss_batch* batch = NULL;
    bool slides = false;
    if (basin->slider) return SS_OK;
    basin->shapes = basin->parameter_count == 0 && !ss_model_is_linear(basin->model);
    if (basin->parameter_count > 0 || basin->shapes) return SS_OK;
    ss_batch_def def = ss_batch_def_default();
    def.until = 1; // nothing is run
    ss_status status = ss_batch_create(basin->model, &def, &batch, err);
    bool alone = status == SS_OK && ss_batch_way_used(batch) == SS_BATCH_ONE_BY_ONE;
    ss_batch_destroy(batch);
    if (status == SS_OK && !alone) status = ss_orbit_may_slide(basin->model, &slides, err);
    basin->shapes = alone || slides;
    return status;
}

ss_status ss_basin_create(const ss_basin_def* def, ss_basin** out, ss_error* err)
{
    ss_status status = ss_basin_create_plan(def, out, err);
    if (status == SS_OK) status = choose_shapes(*out, err);
    if (status == SS_OK) {
        ss_sweep_task task = (*out)->slider ? ss_slider_basin_task() : ss_basin_task(*out);
        status = ss_basin_lay_out(*out, &task, err);
    }
    if (status == SS_OK) return SS_OK;
    ss_basin_destroy(*out);
    *out = NULL;
    return status;
}
