// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Running what is left of a map.
#ifndef SLIPSTICK_LAB_BASIN_RUN_H
#define SLIPSTICK_LAB_BASIN_RUN_H

#include "lab/map/basin_plan.h"

typedef struct ss_basin_done {
    bool (*is_done)(void* user, int64_t block);
    void* user;
} ss_basin_done;

/// ss_basin_run without the blocks that are done already (NULL: none); adds to counts.
ss_status ss_basin_run_rest(const ss_basin* basin, const ss_basin_run_def* def, const ss_basin_done* done,
                            ss_basin_counts* counts, ss_error* err);

#endif
