// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The event functions of contacts, scaled to the present step: u = s / length in [0, 1].
#ifndef SLIPSTICK_ENGINE_EVENT_FUNCTION_H
#define SLIPSTICK_ENGINE_EVENT_FUNCTION_H

#include "core/algebra/first_zero.h"
#include "engine/sim.h"

/// How many event functions contact i has.
int ss_event_function_count(const ss_model* model, const ss_step* step, const ss_modes* modes, int i);
/// Number `which` of them; false where it cannot vanish.
bool ss_event_function(const ss_sim* sim, int i, int which, ss_unit_polynomial* g);
/// Whether the force of a holding contact stays within constant bounds on the whole step, at a glance.
bool ss_holds_clearly(const ss_sim* sim, int i);
/// A contact that select found to hold starts inside its bounds, whatever rounding says.
void ss_grant_slack(ss_sim* sim, int i, int which, ss_unit_polynomial* g);

#endif
