// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Borders at which a contact comes to stick all the time, or no longer does. Where inputs set the period:
//
//     slips for ever shorter times    slip ends where both edges of the places in which it sticks meet
//     sticks, one limit is met        it is pushed along by that limit, to where it just sticks, while p goes
//                                     on: until the limit recedes, or both edges meet and slip begins
#ifndef SLIPSTICK_LAB_FOLLOW_CYCLES_STICK_BORDER_H
#define SLIPSTICK_LAB_FOLLOW_CYCLES_STICK_BORDER_H

#include "lab/follow/cycles_stuck.h"

/// A contact on its way between sticking and slipping.
typedef struct ss_stick_border {
    ss_cycles* s;
    ss_stuck still;
    double ahead;          ///< which way along p the continuation goes
    double* guess;         ///< size + 1
    double* normal;        ///< size + 1: along p
    double* y;             ///< w
    double* kept;          ///< w: an orbit in which it sticks, to which the search may go back
    double kept_at;        ///< the number there
    ss_branch_point limit; ///< the orbit at which a limit is met
    bool owed;             ///< that is to be told yet
    ss_branch_point* out;
    ss_border* border;
} ss_stick_border;

ss_status ss_stick_border_make(ss_stick_border* h, ss_cycles* s, const ss_branch_point* edge, int contact,
                               ss_branch_point* out, ss_border* border, ss_error* err);
void ss_stick_border_release(ss_stick_border* h);
double ss_stick_border_range(const ss_stick_border* h); ///< length of the range of p
/// The orbit that was found last to stick, as the point `out`; its order is found. The tangent is turned
/// ahead.
ss_status ss_stick_border_fill_point(ss_stick_border* h, ss_continuation_verdict* verdict, ss_error* err);
/// Says what happens to the contact, and marks it at a point, or at the orbit told last, but at this number.
ss_status ss_stick_border_mark_at(ss_stick_border* h, const char* what, const ss_branch_point* point,
                                  ss_error* err);
ss_status ss_stick_border_mark(ss_stick_border* h, const char* what, double at, ss_error* err);
/// The order found last is that of the piece from here on.
ss_status ss_stick_border_take_order(ss_stick_border* h, ss_error* err);
/// cycles_slip_begins.c: points of the branch along which the limit against slip of this sign pushes the
/// contact, from the orbit found last on, and where they lead.
ss_status ss_stick_border_push(ss_stick_border* h, int sign, ss_error* err);

#endif
