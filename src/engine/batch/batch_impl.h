// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A batch from the inside.
#ifndef SLIPSTICK_ENGINE_BATCH_BATCH_IMPL_H
#define SLIPSTICK_ENGINE_BATCH_BATCH_IMPL_H

#include "engine/sim.h"
#include "slipstick/batch.h"

struct ss_batch {
    const ss_model* model;
    ss_batch_def def;
    ss_batch_way way;
    ss_sim* sim;                  ///< runs what does not run in lock-step
    long alone;                   ///< starts that did
    struct ss_lane_worker* lanes; ///< run the rest, or NULL
    ss_pool pool;
};

/// Whether the caller wants the batch to go on: SS_OK, or SS_NOT_FOUND.
ss_status ss_batch_ask(const ss_batch* batch, ss_error* err);
/// Runs start i by itself.
ss_status ss_batch_run_alone(ss_batch* batch, const ss_batch_starts* starts, size_t i, ss_error* err);

/// lanes_run.c: makes the lanes where the model and the processor allow, and sets the way. Runs all starts.
ss_status ss_batch_make_lanes(ss_batch* batch, ss_error* err);
ss_status ss_batch_run_lanes(ss_batch* batch, const ss_batch_starts* starts, ss_error* err);

#endif
