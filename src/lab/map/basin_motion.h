// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a motion that has not ended is: steady sliding, a motion that repeats, or one still on its way.
#ifndef SLIPSTICK_LAB_BASIN_MOTION_H
#define SLIPSTICK_LAB_BASIN_MOTION_H

#include "slipstick/slipstick.h"

typedef struct ss_motion_classifier ss_motion_classifier;

typedef struct ss_motion_verdict {
    bool steady;   ///< nothing changes any more but places that no force feels
    bool repeats;  ///< it comes back to the same state, seen twice in a row
    double period; ///< s: where it repeats, after which
    double shape;  ///< about the same number for all motions of one kind that are one; NaN on the way
} ss_motion_verdict;

ss_status ss_motion_classifier_create(const ss_model* model, const ss_sim_def* settings,
                                      ss_motion_classifier** out, ss_error* err);
void ss_motion_classifier_destroy(ss_motion_classifier* judge); ///< NULL is welcome

/// Where a motion begins: bodies, and the states and the memory of an open model, one behind the other.
typedef struct ss_motion_start {
    const double *x, *v, *inner;
} ss_motion_start;

/// Judges the motion from a start by its last part before `until`.
ss_status ss_motion_classifier_ask(ss_motion_classifier* judge, const ss_motion_start* start, double until,
                                   ss_motion_verdict* out, ss_error* err);

#endif
