// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sweep that survives: every block goes into the journal, then to whoever wants to see it.
#include "lab/sweep/sweep_map.h"

#include "core/error.h"
#include "lab/file/output_file.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status begin(const ss_map_def* def, ss_map** out, ss_error* err)
{
    *out = ss_new(1, sizeof **out);
    if (!*out) return ss_fail_no_memory(err);
    (*out)->basin = (*out)->summary.basin = def->basin;
    (*out)->model_text = def->model_text;
    (*out)->made = def->made;
    return SS_OK;
}

// The map as it has become, or nothing and why.
static ss_status conclude(ss_status status, ss_map** map)
{
    if (status != SS_OK) {
        ss_map_destroy(*map);
        *map = NULL;
    } else if ((*map)->journal) {
        (*map)->summary.counts = *ss_journal_counts((*map)->journal);
        (*map)->before = ss_basin_counts_all(&(*map)->summary.counts);
    }
    return status;
}

ss_status ss_map_create(const ss_map_def* def, ss_map** out, ss_error* err)
{
    ss_status status = begin(def, out, err);
    if (status == SS_OK && def->keep)
        status = ss_journal_create(def->journal, NULL, def->basin, &(*out)->journal, err);
    return conclude(status, out);
}

ss_status ss_map_resume(const ss_map_def* def, ss_map** out, ss_error* err)
{
    *out = NULL;
    if (!def->journal)
        return ss_fail(err, SS_BAD_INPUT, "journal", "is missing: which map is to be continued?");
    ss_status status = begin(def, out, err);
    if (status == SS_OK) status = ss_journal_resume(def->journal, def->basin, &(*out)->journal, err);
    return conclude(status, out);
}

void ss_map_destroy(ss_map* map)
{
    if (!map) return;
    if (map->found) map->forget(map->found);
    ss_journal_close(map->journal);
    free(map->attractors);
    free(map->amplitudes);
    free(map->quantiles);
    free(map);
}

// ---- the work

static bool on_block(void* user, const ss_basin_block* block)
{
    ss_map* map = user;
    int64_t number = block->first / map->basin->block_cells; // t begins the payload
    if (map->journal && ss_journal_add(map->journal, number, block->t, &map->fault) != SS_OK) return false;
    return !map->run->sink || map->run->sink(map->run->user, block);
}

static bool on_watch(void* user, int64_t done)
{
    const ss_map* map = user;
    return !map->run->watch || map->run->watch(map->run->user, done);
}

static bool is_done(void* user, int64_t block)
{
    return ss_journal_has(((const ss_map*)user)->journal, block);
}

ss_status ss_map_run(ss_map* map, const ss_basin_run_def* def, ss_basin_compute* compute, ss_error* err)
{
    ss_basin_run_def own = {.threads = def->threads, .sink = on_block, .watch = on_watch, .user = map};
    ss_basin_done done = {is_done, map};
    double started = ss_now_s();
    map->run = def;
    if (!compute) compute = ss_basin_run_rest;
    ss_status status = compute(map->basin, &own, map->journal ? &done : NULL, &map->summary.counts, err);
    map->run = NULL;
    map->summary.seconds = ss_now_s() - started;
    map->summary.computed = ss_basin_counts_all(&map->summary.counts) - map->before;
    return status;
}

const ss_basin_summary* ss_map_get_summary(const ss_map* map) { return &map->summary; }

bool ss_map_is_complete(const ss_map* map)
{
    return ss_basin_counts_all(&map->summary.counts) == map->basin->cells;
}

const ss_error* ss_map_journal_fault(const ss_map* map)
{
    return map->fault.status != SS_OK ? &map->fault : NULL;
}

// ---- what it comes to

ss_status ss_map_need_whole(const ss_map* map, ss_error* err)
{
    if (map->journal && ss_map_is_complete(map)) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, NULL,
                   map->journal ? "the map is not complete" : "the map was not kept");
}

char* ss_map_temporary(const char* target)
{
    if (ss_file_is_stream(target)) return ss_file_temporary(target);
    size_t size = strlen(target) + sizeof ".new";
    char* name = malloc(size);
    if (name) snprintf(name, size, "%s.new", target);
    return name;
}

char* ss_map_unfinished(const char* path)
{
    char *target = ss_file_target(path), *temporary = target ? ss_map_temporary(target) : NULL;
    free(target);
    return temporary;
}
