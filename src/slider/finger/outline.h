// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where a point is against an outline; body frame, units of length. Side k of a polygon leads from vertex k
// to the next; a circle is its only side, 0.
#ifndef SLIPSTICK_SLIDER_FINGER_OUTLINE_H
#define SLIPSTICK_SLIDER_FINGER_OUTLINE_H

#include "slider/slider_impl.h"

typedef struct ss_touch {
    double gap; ///< how far outside the point is, negative inside
    int side;   ///< the nearest side; where a vertex is nearest, the one that begins there
    bool corner;
} ss_touch;
ss_touch ss_outline_touch(const ss_outline* outline, const double p[2]);

/// The inward normal, of length 1, of a side; of a circle at p.
void ss_outline_normal(const ss_outline* outline, int side, const double p[2], double normal[2]);
/// How far outside the line of a side p is; of a circle, the gap.
double ss_outline_gap(const ss_outline* outline, int side, const double p[2]);
/// How far along a side p is from the nearer of its ends; negative beyond them; of a circle INFINITY.
/// *end (may be NULL): the vertex there.
double ss_outline_margin(const ss_outline* outline, int side, const double p[2], int* end);
/// Whether the corner where a side begins points into the body.
bool ss_outline_is_reflex(const ss_outline* outline, int side);
/// Distance of the farthest point of the outline from the centre of mass.
double ss_outline_reach(const ss_outline* outline);

static inline int ss_outline_before(const ss_outline* outline, int side)
{
    return side > 0 ? side - 1 : outline->count - 1;
}

#endif
