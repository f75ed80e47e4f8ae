// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A walk on its way along a branch: what its own files share.
#ifndef SLIPSTICK_LAB_WALKING_H
#define SLIPSTICK_LAB_WALKING_H

#include "lab/follow/walk.h"

typedef struct ss_walking {
    const ss_walker* by;
    const ss_follow_def* def;
    ss_trail* branch;
    int size;
    double low, high;                  ///< ends of the range
    ss_spot here, next, trial, beyond; ///< the last point, and candidates
    double *guess, *normal;
    double step;
    int crawls;       ///< short steps in a row
    double turned_at; ///< the number at the last border, where the piece beyond leads back; else NaN
    double met_at;    ///< the number at the last border
    double* came;     ///< size + 1: the tangent with which the walk came to it
    int borders;      ///< in a row, all close together
    bool halved;      ///< the period has become twice that of another branch, on which this one ends
    bool over;        ///< the branch has ended
} ss_walking;

/// Width of a bracket that counts as a point, as a share of the range or of the step.
extern const double ss_walk_located;

/// walk.c: turns the tangent of a spot the way of another, and with it the sign of the test for a fold.
void ss_walk_orient(const ss_walking* w, ss_spot* spot, const double along[]);

/// walk_specials.c: marks what lies between here and next: the branch turns, or a multiplier or eigenvalue
/// passes.
ss_status ss_walk_mark_specials(ss_walking* w, ss_error* err);

#endif
