// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The functions that vanish at events of contacts, and how they change.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_EVENT_SURFACE_H
#define SLIPSTICK_ENGINE_SENSITIVITY_EVENT_SURFACE_H

#include "engine/sensitivity/sensitivity.h"

typedef enum ss_event_surface {
    SS_NO_SURFACE,
    SS_SPEED,   ///< its relative velocity
    SS_BOUND,   ///< its force less the level it holds with
    SS_FORCE,   ///< its force: a stop is left
    SS_GAP,     ///< its distance to a stop
    SS_ELEMENT, ///< what is left before an element of it slips
} ss_event_surface;

/// Which function of contact i vanishes where the present step ends, of which lin tells all.
ss_event_surface ss_event_surface_of(const ss_derivative* der, const ss_linear* lin, int i);
/// Whether something jumps there, so that it matters when it is.
bool ss_event_surface_counts(const ss_derivative* der, int i);
/// Its rate along the motion, at s of the step; false where it is met without being crossed.
bool ss_event_surface_crosses(const ss_derivative* der, const ss_linear* lin, int i, double s, double* rate);
/// How the time changes at which it vanishes; der->delta holds how everything else does. Of a contact with
/// elements, to->yield becomes the change of the time at which each of them would slip from now on.
double ss_event_surface_time(ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, int i);
/// Of elements of contact i that slip with a number that stays at its reach: so does that of neighbours. A
/// start a little short of the reach comes to it at once, one beyond it is put onto it.
void ss_event_surface_keep_reached(const ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, int i);
/// Whether the force of contact i, which sticks at its limit, leaves it; der->delta holds how it changes.
bool ss_event_surface_leaves_bound(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i);
/// Whether an open stop is touched on the way to s without an event.
bool ss_event_surface_is_touched(const ss_derivative* der, double s);
/// How x_A - x_B of a stop, less its position, changes with coordinates that change by q.
double ss_gap_change(const ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                     const double q[]);
/// x . y of two sparse rows; room: n zeros or anything.
double ss_row_product(const ss_row* x, const ss_row* y, double room[], int n);

#endif
