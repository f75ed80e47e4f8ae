// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sweep that is kept: its journal, and what was found when it was whole.
#ifndef SLIPSTICK_LAB_SWEEP_MAP_H
#define SLIPSTICK_LAB_SWEEP_MAP_H

#include "lab/sweep/sweep_journal.h"

struct ss_labels;

struct ss_map {
    const ss_basin* basin;
    ss_journal* journal;                     ///< NULL: nothing is kept
    const char *model_text, *made;           ///< may be NULL
    struct ss_labels* found;                 ///< the attractors; NULL: not sought
    void (*forget)(struct ss_labels* found); ///< set by whoever found them
    const struct ss_labels* labels;          ///< the same where there are several, otherwise NULL
    ss_attractor* attractors;                ///< as the summary shows them
    double* amplitudes;                      ///< of their motions: attractors x bodies
    double* quantiles;                       ///< of random cells; NULL: not sought
    ss_basin_summary summary;
    int64_t before;              ///< cells of an earlier run
    ss_error fault;              ///< of the journal; status SS_OK: none
    const ss_basin_run_def* run; ///< while it runs
};

/// SS_BAD_INPUT where the map is not complete, or was not kept.
ss_status ss_map_need_whole(const ss_map* map, ss_error* err);

/// The name beside a target that a file of a map has until it is whole, to be freed; NULL without memory.
char* ss_map_temporary(const char* target);

#endif
