// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Borders at which a contact comes to stick all the time, or no longer does. Where inputs set the rhythm:
//
//     slips for ever shorter times    slip ends where both edges of the places in which it sticks meet
//     sticks, one limit is met        it is pushed along by that limit, to where it just sticks, while p goes
//                                     on: until the limit recedes, or both edges meet and slip begins
#ifndef SLIPSTICK_LAB_CYCLES_HOLDING_H
#define SLIPSTICK_LAB_CYCLES_HOLDING_H

#include "lab/follow/cycles_still.h"

/// A contact on its way between sticking and slipping.
typedef struct ss_holding {
    ss_cycles* s;
    ss_still still;
    double ahead;   ///< which way along p the walk goes
    double* guess;  ///< size + 1
    double* normal; ///< size + 1: along p
    double* y;      ///< w
    double* kept;   ///< w: an orbit in which it sticks, to which the search may go back
    double kept_at; ///< the number there
    ss_spot limit;  ///< the orbit at which a limit is met
    bool owed;      ///< that is to be told yet
    ss_spot* out;
    ss_border* border;
} ss_holding;

ss_status ss_holding_make(ss_holding* h, ss_cycles* s, const ss_spot* edge, int contact, ss_spot* out,
                          ss_border* border, ss_error* err);
void ss_holding_release(ss_holding* h);
double ss_holding_range(const ss_holding* h); ///< length of the range of p
/// The orbit that was found last to stick, as the spot `out`; its order is found. The tangent is turned
/// ahead.
ss_status ss_holding_tell(ss_holding* h, ss_verdict_of_walk* verdict, ss_error* err);
/// Says what happens to the contact, and marks it at a spot, or at the orbit told last, but at this number.
ss_status ss_holding_mark_at(ss_holding* h, const char* what, const ss_spot* spot, ss_error* err);
ss_status ss_holding_mark(ss_holding* h, const char* what, double at, ss_error* err);
/// The order found last is that of the piece from here on.
ss_status ss_holding_take_order(ss_holding* h, ss_error* err);
/// cycles_push.c: points of the branch along which the limit against slip of this sign pushes the contact,
/// from the orbit found last on, and where they lead.
ss_status ss_holding_push(ss_holding* h, int sign, ss_error* err);

#endif
