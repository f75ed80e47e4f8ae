// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#ifndef SLIPSTICK_ENGINE_EXCHANGE_IMPL_H
#define SLIPSTICK_ENGINE_EXCHANGE_IMPL_H

#include "engine/sim.h"
#include "slipstick/exchange.h"

/// m and m/s: sizes in play, as far as starts and stops tell.
double ss_exchange_length(const ss_model* model);
double ss_exchange_speed(const ss_model* model);
/// Accelerations, rates and forces at the point at hand, in the present modes.
ss_status ss_exchange_evaluate(ss_sim* sim, ss_error* err);
/// The instant at hand: ticks, impacts, modes.
ss_status ss_exchange_pass(ss_sim* sim, ss_error* err);
void ss_exchange_indicate_elastic(const ss_sim* sim, int i, double out[2]);

#endif
