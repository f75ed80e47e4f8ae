// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Boundaries of the regions of a box that are known only by asking point by point.
#ifndef SLIPSTICK_PICTURE_CONTOUR_H
#define SLIPSTICK_PICTURE_CONTOUR_H

#include "picture/canvas/canvas.h"

/// How far inside a point is: 0 outside, 1 in the largest region, 2 in one within that, ..
typedef int ss_level_at(void* user, ss_point p);
/// Takes one piece of a region's boundary, a line; closed ones end where they begin.
typedef void ss_contour_sink(void* user, int level, const ss_point points[], int count);

/// Looks at a grid of the box and follows the boundaries of levels 1 to most between neighbours of which one
/// is inside, finely located between the two. What is smaller than a cell of the grid may be missed. False
/// without memory.
bool ss_contour(ss_level_at* level_at, int most, const ss_box* box, ss_contour_sink* sink, void* user);

#endif
