// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which attractor a cell went to: resting places that hang together are one, lasting motions of the same
// shape are one. Found when the map is whole, in the order of the cells, so the numbers depend on the map
// alone; see docs/theory/basins.md.
#ifndef SLIPSTICK_LAB_BASIN_LABEL_H
#define SLIPSTICK_LAB_BASIN_LABEL_H

#include "lab/sweep/sweep_journal.h"

typedef struct ss_labels ss_labels;

/// Finds the attractors of a whole map.
ss_status ss_labels_find(const ss_basin* basin, const ss_journal* journal, ss_labels** out, ss_error* err);
void ss_labels_destroy(ss_labels* labels); ///< NULL is welcome

int ss_labels_count(const ss_labels* labels); ///< attractors: first those at rest, then motions
int64_t ss_labels_cells(const ss_labels* labels, int attractor);  ///< that went there; counted from 0
int64_t ss_labels_first(const ss_labels* labels, int attractor);  ///< a cell that went there
bool ss_labels_is_steady(const ss_labels* labels, int attractor); ///< it slides, and nothing changes
/// A resting place of an attractor, one number per body, then states and memory; NULL for a lasting motion.
const double* ss_labels_place(const ss_labels* labels, int attractor);
/// Fills one number per cell of a block: 0 for none, or the attractor counted from 1.
ss_status ss_labels_read(const ss_labels* labels, int64_t block, int32_t out[], ss_error* err);

#endif
