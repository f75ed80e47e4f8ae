// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a lasting motion looks like.
#ifndef SLIPSTICK_LAB_MAP_BASIN_MEASURE_H
#define SLIPSTICK_LAB_MAP_BASIN_MEASURE_H

#include "lab/sweep/sweep.h"

/// The period (s) of the motion of a cell, and half the range of each body over its last period; NaN where it
/// is not seen to repeat.
ss_status ss_basin_measure_attractors(const ss_basin* basin, int64_t cell, double* period, double amplitude[],
                                      ss_error* err);

#endif
