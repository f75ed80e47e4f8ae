// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The pool of sweep/sweep_pool.c where there are no threads: one block at a time is computed, when its answer
// is taken.
#include "core/error.h"
#include "lab/sweep/sweep.h"

#include <stdlib.h>

struct ss_basin_pool {
    const ss_basin* basin;
    void* worker;
    atomic_bool stop; // never set: nobody else is there
    int64_t block;    // given; -1: none
    bool taken;
    void* payload;
};

int ss_basin_cores(void) { return 1; }

ss_status ss_basin_pool_create(const ss_basin* basin, int threads, ss_basin_pool** out, ss_error* err)
{
    (void)threads;
    *out = NULL;
    ss_basin_pool* pool = ss_new(1, sizeof *pool);
    if (!pool) return ss_fail_no_memory(err);
    pool->basin = basin;
    pool->block = -1;
    atomic_init(&pool->stop, false);
    pool->payload = malloc(ss_basin_payload_size(basin, 0));
    ss_status status =
        pool->payload ? basin->task.start(basin, &pool->stop, &pool->worker, err) : ss_fail_no_memory(err);
    if (status == SS_OK)
        *out = pool;
    else
        ss_basin_pool_destroy(pool);
    return status;
}

int ss_basin_pool_wants(const ss_basin_pool* pool) { return pool->block < 0; }
int ss_basin_pool_pending(const ss_basin_pool* pool) { return pool->block >= 0; }
void ss_basin_pool_give(ss_basin_pool* pool, int64_t block) { pool->block = block; }

ss_status ss_basin_pool_take(ss_basin_pool* pool, double wait_s, bool* taken, ss_basin_answer* answer,
                             ss_error* err)
{
    (void)wait_s;
    *taken = false;
    if (pool->block < 0 || pool->taken) return SS_OK;
    ss_status status = pool->basin->task.compute(pool->worker, pool->block, pool->payload, err);
    if (status != SS_OK) return status;
    *taken = pool->taken = true;
    *answer = (ss_basin_answer){pool->block, ss_basin_payload_size(pool->basin, pool->block), pool->payload};
    return SS_OK;
}

void ss_basin_pool_give_back(ss_basin_pool* pool, const ss_basin_answer* answer)
{
    (void)answer;
    pool->block = -1;
    pool->taken = false;
}

void ss_basin_pool_destroy(ss_basin_pool* pool)
{
    if (!pool) return;
    pool->basin->task.finish(pool->worker);
    free(pool->payload);
    free(pool);
}
