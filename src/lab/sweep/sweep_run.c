// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A whole map in one process: the calling thread hands out blocks and passes the answers on.
#include "lab/sweep/sweep.h"

#include "core/error.h"

typedef struct run {
    const ss_basin* basin;
    const ss_basin_run_def* def;
    const ss_basin_done* done;
    ss_basin_counts* counts;
    int64_t next; // block to hand out
    bool ended;   // somebody wants no more
} run;

static int64_t skip_done(const run* r, int64_t block)
{
    while (block < r->basin->blocks && r->done && r->done->is_done(r->done->user, block)) block++;
    return block;
}

static void hand_out(run* r, ss_basin_pool* pool)
{
    for (int n = ss_basin_pool_wants(pool); n > 0 && r->next < r->basin->blocks; n--) {
        ss_basin_pool_give(pool, r->next);
        r->next = skip_done(r, r->next + 1);
    }
}

int64_t ss_basin_counts_all(const ss_basin_counts* counts)
{
    return counts->rest + counts->escaped + counts->moving;
}

static ss_status pass_on(run* r, ss_basin_pool* pool, ss_error* err)
{
    bool taken;
    ss_basin_answer answer;
    ss_status status = ss_basin_pool_take(pool, 0.1, &taken, &answer, err);
    if (status == SS_OK && taken) {
        ss_basin_block block = ss_basin_view(r->basin, answer.block, answer.payload);
        if (r->def->sink && !r->def->sink(r->def->user, &block)) r->ended = true;
        if (!r->ended) ss_basin_count(&block, r->counts);
        ss_basin_pool_give_back(pool, &answer);
    }
    if (r->def->watch && !r->def->watch(r->def->user, ss_basin_counts_all(r->counts))) r->ended = true;
    return status;
}

ss_status ss_basin_run_rest(const ss_basin* basin, const ss_basin_run_def* def, const ss_basin_done* done,
                            ss_basin_counts* counts, ss_error* err)
{
    run r = {.basin = basin, .def = def, .done = done, .counts = counts};
    r.next = skip_done(&r, 0);
    if (r.next == basin->blocks) return SS_OK;
    ss_basin_pool* pool = NULL;
    ss_status status = ss_basin_pool_create(basin, def->threads, &pool, err);
    while (status == SS_OK && !r.ended && (r.next < basin->blocks || ss_basin_pool_pending(pool) > 0)) {
        hand_out(&r, pool);
        status = pass_on(&r, pool, err);
    }
    ss_basin_pool_destroy(pool);
    return status;
}

ss_status ss_basin_run(const ss_basin* basin, const ss_basin_run_def* def, ss_basin_counts* counts,
                       ss_error* err)
{
    if (!basin || !def || !counts) return ss_fail(err, SS_BAD_INPUT, NULL, "an argument is NULL");
    *counts = (ss_basin_counts){0};
    return ss_basin_run_rest(basin, def, NULL, counts, err);
}
