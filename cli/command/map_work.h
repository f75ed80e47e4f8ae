// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `basin` and `scan` share: from a plan to its files, by way of a journal that survives.
#ifndef SLIPSTICK_CLI_MAP_WORK_H
#define SLIPSTICK_CLI_MAP_WORK_H

#include "option/load.h"
#include "option/plot.h"
#include "slipstick/map.h"

typedef struct cli_map_job cli_map_job;

/// What a command makes of its map.
typedef struct cli_map_kind {
    const char* unit; ///< of the rate of work: "starts/s"
    /// Tells the answer of a map as far as it is known. map NULL: it was found finished, in its file.
    /// to_resume: the journal that is left of a map that is not complete, or NULL.
    int (*report)(const cli_map_job* job, const ss_map* map, const ss_basin_summary* summary,
                  const char* to_resume);
    /// Whether the HDF5 file of the job is this map, whole; fills its counts.
    bool (*is_finished)(const cli_map_job* job, ss_basin_counts* counts);
    ss_status (*conclude)(const cli_map_job* job, ss_map* map, ss_error* err); ///< may be NULL
    ss_status (*write_csv)(const cli_map_job* job, const ss_map* map, ss_error* err);
    ss_status (*write_hdf5)(const cli_map_job* job, const ss_map* map, ss_error* err);
    ss_status (*draw)(const cli_map_job* job, const ss_map* map, ss_error* err);
} cli_map_kind;

struct cli_map_job {
    const cli_map_kind* kind;
    const void* user; ///< of the kind
    const ss_basin* basin;
    const cli_common* common;
    const char *model, *out, *csv;
    bool with_status;      ///< of scans: the status of each row is a column of csv
    const ss_sheet* sheet; ///< of the picture; its path NULL: none
    long threads;          ///< 0: all cores
    bool resume;
    bool keep;        ///< the answer needs the map, also where no file does
    bool needs_cells; ///< so that a finished file does not do
};

/// Computes the map, writes its files and tells the answer. Returns the status to exit with.
int cli_map_work(const cli_map_job* job);

#endif
