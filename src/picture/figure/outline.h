// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The outline of a region of the plane that is known only by asking point by point.
#ifndef SLIPSTICK_PICTURE_OUTLINE_H
#define SLIPSTICK_PICTURE_OUTLINE_H

#include "picture/canvas/canvas.h"

typedef bool ss_region(void* user, ss_point p);

/// Outlines the region as seen from `inside`, which must lie in it: in every direction the nearest point of
/// its boundary, to rounding, but no further than `reach`. That is the whole outline where the region is
/// convex, as sections of E and of levels of V are.
void ss_outline(ss_region* region, void* user, ss_point inside, double reach, ss_point out[], int count);

/// Looks for a point of the region: at the guess, then on a grid of the box. False if there is none.
bool ss_outline_find(ss_region* region, void* user, ss_point guess, const ss_box* box, ss_point* out);

#endif
