// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps: whole, as the command line answers, or block by block, so that the page can paint what is known and
// give up when nobody wants the rest.
#include "page.h"

#include "share/error.h"

#include <math.h>
#include <stdio.h>

void page_forget_map(page* p)
{
    ss_basin_pool_destroy(p->pool);
    ss_basin_destroy(p->basin);
    p->pool = NULL;
    p->basin = NULL;
    p->axis_count = 0;
}

EXPORT(page_axis) bool page_axis(page* p, const char* path, double from, double to, double count)
{
    if (p->basin) page_forget_map(p);
    if (p->axis_count == PAGE_AXES) {
        ss_fail(&p->err, SS_BAD_INPUT, "over", "at most %d numbers vary here", PAGE_AXES);
        return false;
    }
    int k = p->axis_count++;
    snprintf(p->paths[k], sizeof p->paths[k], "%s", path);
    p->axes[k] = (ss_basin_axis){.path = p->paths[k], .from = from, .to = to, .count = (int64_t)count};
    return true;
}

// random 0: a grid.
EXPORT(page_map_begin)
bool page_map_begin(page* p, const page_options* options, double random, double seed)
{
    if (!page_needs_model(p)) return false;
    ss_basin_def def = ss_basin_def_default();
    def.document = p->document;
    def.axes = p->axes;
    def.axis_count = p->axis_count;
    def.random = (int64_t)random;
    def.seed = (uint64_t)seed;
    def.until = options->until;
    if (!isnan(options->escape)) def.escape = options->escape;
    if (!isnan(options->tolerance)) def.tolerance = options->tolerance;
    if (!isnan(options->max_events)) def.max_events = (long)options->max_events;
    bool good = ss_basin_create(&def, &p->basin, &p->err) == SS_OK;
    if (!good) page_forget_map(p); // its axes are not those of the next one
    return good;
}

// The whole map: `basin --json`.
EXPORT(page_map) bool page_map(page* p)
{
    ss_map_def def = {.basin = p->basin, .keep = true};
    ss_basin_run_def run = {.threads = 1};
    ss_map* map = NULL;
    ss_answer* answer = NULL;
    ss_status status = ss_map_create(&def, &map, &p->err);
    if (status == SS_OK) status = ss_map_run(map, &run, NULL, &p->err);
    if (status == SS_OK) status = ss_map_find_attractors(map, &p->err);
    if (status == SS_OK) status = ss_map_find_quantiles(map, &p->err);
    if (status == SS_OK) status = ss_answer_basin(ss_map_get_summary(map), &answer, &p->err);
    ss_map_destroy(map);
    return page_report(p, status, answer);
}

// ---- block by block

EXPORT(page_map_blocks) double page_map_blocks(const page* p)
{
    return (double)ss_basin_block_total(p->basin);
}

EXPORT(page_map_block) bool page_map_block(page* p, double block)
{
    bool taken = false;
    ss_status status = SS_OK;
    if (!p->pool) status = ss_basin_pool_create(p->basin, 1, &p->pool, &p->err);
    if (status != SS_OK) return false;
    if (p->block.payload) ss_basin_pool_give_back(p->pool, &p->block);
    p->block = (ss_basin_answer){0};
    ss_basin_pool_give(p->pool, (int64_t)block);
    return ss_basin_pool_take(p->pool, 0, &taken, &p->block, &p->err) == SS_OK && taken;
}

static ss_basin_block view(const page* p)
{
    return ss_basin_view(p->basin, p->block.block, p->block.payload);
}

EXPORT(page_block_first) double page_block_first(const page* p) { return (double)view(p).first; }
EXPORT(page_block_count) double page_block_count(const page* p) { return (double)view(p).count; }
EXPORT(page_block_fate) const unsigned char* page_block_fate(const page* p) { return view(p).fate; }
EXPORT(page_block_t) const double* page_block_t(const page* p) { return view(p).t; }
