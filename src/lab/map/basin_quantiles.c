// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Quantiles of a map of random cells: of the time of rest over the cells that rest in finite time, of the
// final positions over those that have not escaped. Between two ranks they are linear: with n sorted numbers,
// level p lies at rank p (n - 1).
#include "core/error.h"
#include "lab/sweep/sweep_map.h"

#include <math.h>
#include <stdlib.h>

static const double levels[SS_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

static int ascending(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void find_quantiles(double numbers[], int64_t count, double out[])
{
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    for (int q = 0; q < SS_QUANTILES; q++) {
        double rank = levels[q] * (double)(count - 1);
        int64_t below = count > 0 ? (int64_t)rank : 0, above = below + 1 < count ? below + 1 : below;
        double share = rank - (double)below;
        out[q] = count > 0 ? numbers[below] + share * (numbers[above] - numbers[below]) : NAN;
    }
}

// The numbers of one kind (-1: times of rest, otherwise the position of a body) of all cells that count.
static ss_status gather(const ss_map* map, int body, void* payload, double numbers[], int64_t* count,
                        ss_error* err)
{
    const ss_basin* basin = map->basin;
    ss_status status = SS_OK;
    *count = 0;
    for (int64_t b = 0; b < basin->blocks && status == SS_OK; b++) {
        status = ss_journal_read(map->journal, b, payload, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK; k++) {
            ss_fate fate = ss_cell_fate(&block, k);
            double value = body < 0 ? block.t[k] : block.x[k * basin->bodies + body];
            bool counts = body < 0 ? fate == SS_FATE_REST : fate != SS_FATE_ESCAPED;
            if (counts && !isnan(value)) numbers[(*count)++] = value;
        }
    }
    return status;
}

ss_status ss_map_find_quantiles(ss_map* map, ss_error* err)
{
    const ss_basin* basin = map->basin;
    if (basin->random == 0 || !basin->task.outcomes || map->quantiles) return SS_OK;
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    double* numbers = ss_new((size_t)basin->cells, sizeof *numbers);
    double* found = ss_new((size_t)(basin->bodies + 1) * SS_QUANTILES, sizeof *found);
    int64_t count;
    if (!payload || !numbers || !found) status = ss_fail_no_memory(err);
    for (int body = -1; body < basin->bodies && status == SS_OK; body++) {
        status = gather(map, body, payload, numbers, &count, err);
        if (status == SS_OK) find_quantiles(numbers, count, found + (body + 1) * SS_QUANTILES);
    }
    free(payload);
    free(numbers);
    if (status != SS_OK) {
        free(found);
        return status;
    }
    map->quantiles = found;
    map->summary.quantile_levels = levels;
    map->summary.quantiles = found;
    return SS_OK;
}
