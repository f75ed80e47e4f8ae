// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bounds of integrals along the boundary of a patch that turns about a place known only roughly: for
// patch_bend.c, which says what they are for.
#ifndef SLIPSTICK_SLIDER_RIM_H
#define SLIPSTICK_SLIDER_RIM_H

#include "slider/slider_impl.h"

typedef struct ss_rim {
    const double* d;       ///< the floor
    double stretch, least; ///< its eigenvalues
    double cx, cy; ///< velocity of the patch's centre over its spin: the slip at r is w s, s = D (c + J r)
    double reach;  ///< by how much c may differ
    double second; ///< bound of int |D e'|^2/|s| dl, e' across s
    double third;  ///< bound of int 3 |D e| |D e'|^2/|s|^2 dl, e along s
    int pieces;    ///< looked at
    bool is_near;  ///< some of the boundary, within ss_rim_near * reach of the centre, is not in them
} ss_rim;

static const double ss_rim_near = 4.75;

/// Adds the boundary of a patch: ring, disk, annulus or polygon.
void ss_rim_add(ss_rim* rim, const ss_element* e);

/// Bound of |u|^2 |u|''' along unit vectors a with |a.e| <= along, |a.e'| <= across, |a| <= most.
double ss_rim_third(double along, double across, double most);

#endif
