// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Orbits in which a contact sticks all the time. It may do so at many places: over the number p, those from
// low(p), where the limit against slip+ is just touched, to high(p), where that against slip- is. Slip that
// lasts a time tau leads tau^5 far, so that orbits with a little slip cannot be told from it; but whether it
// sticks can be asked at every place and number.
//
//   reads    the cycles (model, scales)
//   promise  edges and the number where they meet are good to 1e-12 of the scales, as far as motions are
#ifndef SLIPSTICK_LAB_FOLLOW_CYCLES_STUCK_H
#define SLIPSTICK_LAB_FOLLOW_CYCLES_STUCK_H

#include "lab/follow/cycles.h"

/// What may be known of a contact at a place and a number: the way it first slips, 1 or -1, or
enum { SS_STUCK_HELD = 0, SS_STUCK_LOST = 2 /* no orbit is found */ };

typedef struct ss_stuck {
    ss_cycles* s;
    int contact;
    const ss_row* row;           ///< of the contact: its place is the product with a start
    double period;               ///< s
    double* y;                   ///< w: start of the orbit that was found last to stick
    double value;                ///< the number there
    double *by_place, *by_value; ///< w: how starts of orbits that stick change
    bool differs;                ///< these are known, and starts that are expected are good to first order
    double *u, *from;            ///< size + 1, w: scratch
} ss_stuck;

/// y: w, kept by the caller; about the start of an orbit at this number in which the contact sticks.
ss_status ss_stuck_make(ss_stuck* a, ss_cycles* s, int contact, double period, double y[], double value,
                        ss_error* err);
void ss_stuck_free(ss_stuck* a);

double ss_stuck_place(const ss_stuck* a);  ///< of the orbit that was found last to stick
double ss_stuck_extent(const ss_stuck* a); ///< the scale of places
/// What becomes of the contact at a place and a number; where it sticks, that orbit is the last one found.
ss_status ss_stuck_ask(ss_stuck* a, double place, double value, int* answer, ss_error* err);
/// Learns from the orbit found last how starts change with the place and, this way along p, with the number.
ss_status ss_stuck_differentiate(ss_stuck* a, double way, ss_error* err);
/// A place in which it sticks, from one at which it slips with this sign; *found is false where there is
/// none.
ss_status ss_stuck_find_inside(ss_stuck* a, double value, double outside, int sign, double stride,
                               double* inside, bool* found, ss_error* err);
/// The edge beyond which it would slip with this sign, from a place at which it sticks.
ss_status ss_stuck_find_edge(ss_stuck* a, double value, double inside, int sign, double stride, double* edge,
                             bool* found, ss_error* err);
/// The number at which both edges meet, this way along p from the orbit found last, and the place.
ss_status ss_stuck_find_meeting(ss_stuck* a, double way, double* at, double* place, bool* found,
                                ss_error* err);

#endif
