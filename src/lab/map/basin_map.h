// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files made from a whole map. Each is written beside its target, block by block in the order of the cells,
// and takes the target's name when it is complete. The same map gives the same bytes.
#ifndef SLIPSTICK_LAB_BASIN_MAP_H
#define SLIPSTICK_LAB_BASIN_MAP_H

#include "lab/map/basin_journal.h"
#include "lab/map/basin_label.h"

typedef struct ss_map {
    const ss_basin* basin;
    const ss_journal* journal; ///< every block is there
    const ss_labels* labels;   ///< NULL: one attractor at most
    const char* model_text;    ///< kept in HDF5 files; may be NULL
} ss_map;

/// The name that a file of a map has until it is whole, "FILE.new", to be freed; NULL without memory. It is
/// always the same, so that what a killed run has left behind is overwritten by the next.
char* ss_map_temporary(const char* target);

/// One header line, then a line per cell: the axes, outcome, t (empty unless at rest), final positions, and
/// the attractor where there are several.
ss_status ss_map_write_csv(const ss_map* map, const char* path, ss_error* err);

/// The tree of the file:
///     /            attributes title, model (text), version, question, cells, rest, escaped, moving,
///                  limited (of those moving: stopped by the number of events)
///     /over/PATH   values of each axis (of each start, if random)
///     /outcome     enumeration rest, escaped, moving
///     /t           s; NaN where there is no rest in finite time
///     /x/BODY      final positions
///     /attractor   which one, from 1; 0: none (only where there are several)
/// Grids have one dimension per axis, the first --over last, as C and Python count.
ss_status ss_map_write_hdf5(const ss_map* map, const char* path, ss_error* err);

/// Whether a file is such a map, whole, under the same question; then its counts.
bool ss_map_is_finished(const char* path, const ss_basin* basin, ss_basin_counts* counts);

#endif
