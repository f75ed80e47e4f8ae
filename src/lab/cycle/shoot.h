// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Shooting: a start and a period for which the motion comes back to the start.
#ifndef SLIPSTICK_LAB_SHOOT_H
#define SLIPSTICK_LAB_SHOOT_H

#include "lab/cycle/orbit.h"

typedef struct ss_shoot {
    ss_orbit* orbit;       ///< of the best start so far, once closed: motion, extents and monodromy
    bool forced;           ///< inputs set the period: the period is not varied
    int w;                 ///< variables of the state
    double period;         ///< s
    double forcing_period; ///< s: forced: period of the inputs, of which `period` is a multiple
    double *y, *scale;     ///< w: start, extent of each variable
    double closeness;      ///< largest distance between start and end, as a share of the extents
    bool differences;      ///< the monodromy is made of differences of neighbouring motions
    bool no_memory;        ///< for a step
    ss_error trouble;      ///< why the last motion could not be followed, or status SS_OK

    // scratch
    double *next, *plus, *minus, *end, *slope; ///< w
    double *step, *matrix, *singular;          ///< w + 1; 2 (w + 1)^2; w + 1
} ss_shoot;

bool ss_shoot_allocate(ss_shoot* shoot);
void ss_shoot_free(ss_shoot* shoot); ///< not the orbit

/// The relative distance between y and y(T; y); INFINITY where the motion does not get there.
ss_status ss_shoot_gap(ss_shoot* shoot, double* gap, ss_error* err);

/// Solves y(T; y) = y from the present y, period and scale. Where *closed, y(T) agrees with y to 1e-9 of the
/// extents, and a further step would change y by no more than 1e-3: it is not just slow.
ss_status ss_shoot_close(ss_shoot* shoot, bool* closed, ss_error* err);

/// Replaces a period that closes by the least one that does, and fills the orbit for the answer.
ss_status ss_shoot_least(ss_shoot* shoot, ss_error* err);

/// Whether anything moves on it: what stays where it is repeats after any time.
bool ss_shoot_moves(const ss_shoot* shoot);

#endif
