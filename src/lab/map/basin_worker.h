// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What computes blocks: one per thread.
#ifndef SLIPSTICK_LAB_BASIN_WORKER_H
#define SLIPSTICK_LAB_BASIN_WORKER_H

#include "lab/map/basin_plan.h"

#include <stdatomic.h>

typedef struct ss_basin_worker ss_basin_worker;

/// *stop becoming true ends a computation soon; its answers are then worthless. stop outlives the worker.
ss_status ss_basin_worker_create(const ss_basin* basin, const atomic_bool* stop, ss_basin_worker** out,
                                 ss_error* err);
/// Fills the payload of a block (ss_basin_payload_size bytes, aligned for double).
ss_status ss_basin_worker_compute(ss_basin_worker* worker, int64_t block, void* payload, ss_error* err);
void ss_basin_worker_destroy(ss_basin_worker* worker); ///< NULL is welcome

#endif
