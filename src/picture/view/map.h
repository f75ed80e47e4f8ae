// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a map: outcomes as colours, light where the motion comes to rest; over a plane of starts
// also the equilibrium set E and the certified region I_rho*, cut by that plane, as in [VL04, Figures 5 and
// 6].
#ifndef SLIPSTICK_PICTURE_MAP_H
#define SLIPSTICK_PICTURE_MAP_H

#include "lab/map/basin_map.h"
#include "picture/figure/figure.h"

/// Whether such a map can be drawn: one or two axes, two for random starts. Otherwise why not.
const char* ss_picture_map_refusal(const ss_basin* basin);

/// Draws a whole map.
ss_status ss_picture_map(const ss_map* map, const ss_sheet* sheet, ss_error* err);

#endif
