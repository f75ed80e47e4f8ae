// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state of a continuation: what its own files share.
#ifndef SLIPSTICK_LAB_FOLLOW_CONTINUATION_STATE_H
#define SLIPSTICK_LAB_FOLLOW_CONTINUATION_STATE_H

#include "lab/follow/continuation.h"

typedef struct ss_continuation {
    const ss_continuation_problem* by;
    const ss_follow_def* def;
    ss_solution_branch* branch;
    int size;
    double low, high;                          ///< ends of the range
    ss_branch_point here, next, trial, beyond; ///< the last point, and candidates
    double *guess, *normal;
    double step;
    int crawls;       ///< short steps in a row
    double turned_at; ///< the number at the last border, where the piece beyond leads back; else NaN
    double met_at;    ///< the number at the last border
    double* came;     ///< size + 1: the tangent with which the continuation came to it
    int borders;      ///< in a row, all close together
    bool halved;      ///< the period has become twice that of another branch, on which this one ends
    bool over;        ///< the branch has ended
} ss_continuation;

/// Width of a bracket that counts as a point, as a share of the range or of the step.
extern const double ss_continuation_located;

/// continuation.c: turns the tangent of a point the way of another, and with it the sign of the test for a
/// fold.
void ss_continuation_orient(const ss_continuation* w, ss_branch_point* point, const double along[]);

/// continuation_specials.c: marks what lies between here and next: the branch turns, or a multiplier or
/// eigenvalue passes.
ss_status ss_continuation_mark_specials(ss_continuation* w, ss_error* err);

#endif
