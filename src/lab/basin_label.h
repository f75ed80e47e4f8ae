// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which attractor a cell went to; see docs/theory/basins.md.
#ifndef SLIPSTICK_LAB_BASIN_LABEL_H
#define SLIPSTICK_LAB_BASIN_LABEL_H

#include "lab/basin_journal.h"

typedef struct ss_labels ss_labels;

int ss_labels_count(const ss_labels* labels); ///< attractors found
/// Fills one number per cell of a block: 0 for none, or the attractor from 1 on.
ss_status ss_labels_read(const ss_labels* labels, int64_t block, int32_t out[], ss_error* err);
void ss_labels_destroy(ss_labels* labels); ///< NULL is welcome

#endif
