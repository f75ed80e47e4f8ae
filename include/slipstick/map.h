// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps that survive (libslipstick-lab): a basin with a journal, in which every block is kept as soon as it is
// computed. Whatever happens to the process or the disk, the whole blocks in it are good, and a later process
// goes on from there; see docs/decisions/basin-journal.md.
//
//     ss_map_def def = {.basin = basin, .journal = "map.h5.part", .keep = true};
//     ss_map* map;
//     ss_status status = ss_map_create(&def, &map, &err); // or ss_map_resume
//     ss_basin_run_def run = {.threads = 4};
//     if (status == SS_OK) status = ss_map_run(map, &run, NULL, &err);
//     if (status == SS_OK) status = ss_map_find_attractors(map, &err);
//     if (status == SS_OK) status = ss_map_write_hdf5(map, "map.h5", &err);
//     if (status == SS_OK) remove("map.h5.part");
//     ss_map_destroy(map);
#ifndef SLIPSTICK_MAP_H
#define SLIPSTICK_MAP_H

#include "slipstick/basin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_map_def {
    const ss_basin* basin;  ///< must outlive the map
    const char* journal;    ///< the journal's file; NULL: one without a name, gone with the process
    bool keep;              ///< false: there is no journal, and nothing but the counts comes out
    const char* model_text; ///< written into HDF5 files; may be NULL; borrowed
    const char* made;       ///< the same: what the map came from, in a line
} ss_map_def;

/// What a file holds that may be a journal.
typedef enum ss_journal_state {
    SS_JOURNAL_NONE,    ///< there is no such file, or nothing is in it
    SS_JOURNAL_SAME,    ///< blocks of this map
    SS_JOURNAL_OTHER,   ///< blocks of another map; the error says what differs
    SS_JOURNAL_DAMAGED, ///< a map's, but which one cannot be read any more
    SS_JOURNAL_FOREIGN, ///< a file of another kind
} ss_journal_state;

/// Looks at a file. Changes nothing.
SS_API ss_status ss_journal_look(const char* path, const ss_basin* basin, ss_journal_state* state,
                                 ss_error* err);

typedef struct ss_map ss_map;

/// Begins a map; its journal takes the place of whatever has this name.
SS_API ss_status ss_map_create(const ss_map_def* def, ss_map** out, ss_error* err);
/// Goes on with the journal of the same map: finds its whole blocks and cuts off what was torn.
SS_API ss_status ss_map_resume(const ss_map_def* def, ss_map** out, ss_error* err);
/// Closes the journal; its file stays. NULL is welcome.
SS_API void ss_map_destroy(ss_map* map);

/// Which blocks need not be computed.
typedef struct ss_basin_done {
    bool (*is_done)(void* user, int64_t block);
    void* user;
} ss_basin_done;

/// Computes the blocks of a basin that are not done (NULL: all), hands each to the sink of def, and adds it
/// to the counts: ss_basin_run_rest by threads of this process; slipstick/blocks.h has what others need.
typedef ss_status ss_basin_compute(const ss_basin* basin, const ss_basin_run_def* def,
                                   const ss_basin_done* done, ss_basin_counts* counts, ss_error* err);
SS_API ss_status ss_basin_run_rest(const ss_basin* basin, const ss_basin_run_def* def,
                                   const ss_basin_done* done, ss_basin_counts* counts, ss_error* err);

/// Computes what is missing. The sink of def, where there is one, sees each block after it has been kept.
/// SS_OK also where sink or watch have ended it, or the journal could not take a block: ss_map_get_summary
/// tells how far it came, ss_map_journal_fault why. compute NULL: ss_basin_run_rest.
SS_API ss_status ss_map_run(ss_map* map, const ss_basin_run_def* def, ss_basin_compute* compute,
                            ss_error* err);

/// What is known of the map at present; borrowed.
SS_API const ss_basin_summary* ss_map_get_summary(const ss_map* map);
SS_API bool ss_map_is_complete(const ss_map* map); ///< every cell is known
/// Why the journal could not take a block (a full disk); NULL: it took all.
SS_API const ss_error* ss_map_journal_fault(const ss_map* map);

/// Whether a map may have several attractors: one model (no parameters vary), and not one of those whose
/// resting places form one convex set and which know no lasting motion.
SS_API bool ss_basin_may_split(const ss_basin* basin);
/// Finds the attractors of a complete map that was kept; the summary has them from then on. Does nothing
/// where there cannot be several.
SS_API ss_status ss_map_find_attractors(ss_map* map, ss_error* err);

/// Finds quantiles of a complete map of random cells that was kept: of the time of rest over the cells at
/// rest, of the final positions over those that have not escaped. The summary has them from then on.
SS_API ss_status ss_map_find_quantiles(ss_map* map, ss_error* err);

// ---- files, of a complete map that was kept; the same map gives the same bytes

/// One header line, then a line per cell: the axes, outcome, t (empty unless at rest), final positions, then
/// states and memory of an open model, and the attractor where there are several.
SS_API ss_status ss_map_write_csv(const ss_map* map, const char* path, ss_error* err);

/// The tree of the file:
///     /            attributes title, model (text), version, question, cells, rest, escaped, moving,
///                  limited (of those moving: stopped by the number of events)
///     /over/PATH   values of each axis (of each start, if random)
///     /outcome     enumeration rest, escaped, moving
///     /t           s; NaN where there is no rest in finite time
///     /x/BODY      final positions
///     /states/NAME, /memory/NAME   those of an open model, at the end
///     /attractor   which one, from 1; 0: none (only where there are several)
/// Grids have one dimension per axis, the first one last, as C and Python count.
SS_API ss_status ss_map_write_hdf5(const ss_map* map, const char* path, ss_error* err);

/// The name that a file of a map has until it is whole, "FILE.new", to be freed; NULL without memory. It is
/// always the same, so that what a killed run has left behind is overwritten by the next.
SS_API char* ss_map_unfinished(const char* path);

/// Whether an HDF5 file is such a map, whole, under the same question; then its counts.
SS_API bool ss_map_is_finished(const char* path, const ss_basin* basin, ss_basin_counts* counts);

#ifdef __cplusplus
}
#endif
#endif
