// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where the cells of a basin went, once all of them are known.
#include "core/error.h"
#include "lab/map/basin_label.h"
#include "lab/map/basin_measure.h"
#include "lab/sweep/sweep_map.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <math.h>

ss_status ss_map_find_attractors(ss_map* map, ss_error* err)
{
    if (!ss_basin_may_split(map->basin) || map->found) return SS_OK;
    ss_status status = ss_map_need_whole(map, err);
    if (status == SS_OK) status = ss_labels_find(map->basin, map->journal, &map->found, err);
    if (status != SS_OK) return status;
    map->forget = ss_labels_destroy;
    int count = ss_labels_count(map->found);
    map->attractors = ss_new((size_t)count, sizeof *map->attractors);
    map->amplitudes = ss_new((size_t)count * (size_t)map->basin->bodies, sizeof *map->amplitudes);
    if (!map->attractors || !map->amplitudes) return ss_fail_no_memory(err);
    for (int k = 0; k < count; k++) {
        const double* place = ss_labels_place(map->found, k);
        map->attractors[k] = (ss_attractor){.kind = ss_labels_is_steady(map->found, k) ? SS_ATTRACTOR_STEADY
                                                    : place                            ? SS_ATTRACTOR_REST
                                                                                       : SS_ATTRACTOR_MOTION,
                                            .cells = ss_labels_cells(map->found, k),
                                            .place = place,
                                            .period = NAN};
    }
    for (int k = 0; k < count; k++) {
        if (map->attractors[k].kind != SS_ATTRACTOR_MOTION) continue;
        double* amplitude = map->amplitudes + (size_t)k * (size_t)map->basin->bodies;
        status = ss_basin_measure_attractors(map->basin, ss_labels_first(map->found, k),
                                             &map->attractors[k].period, amplitude, err);
        if (status != SS_OK) return status;
        map->attractors[k].amplitude = amplitude;
    }
    bool split = count > 1 || (count == 1 && map->attractors[0].cells < map->basin->cells);
    map->labels = split ? map->found : NULL;
    map->summary.attractor_count = count;
    map->summary.attractors = map->attractors;
    return SS_OK;
}
