// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities through the impact of a rigid stop.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_SALTATION_H
#define SLIPSTICK_ENGINE_SENSITIVITY_SALTATION_H

#include "engine/sensitivity/sensitivity.h"

/// The stop whose impact alone makes the speeds what they are; -1: none, -2: they did not change.
int ss_saltation_stop(const ss_derivative* der);
/// How speeds change through the impact of stop i, which comes later by `late`.
void ss_saltation(ss_derivative* der, ss_sensitivity* to, int i, double late);

/// Whether speeds are what the impulses of one impact with friction have made of them.
bool ss_saltation_rubs(const ss_derivative* der);
/// How speeds change through that impact, which comes later by `late`. False where levels of impulses have
/// another form beside the number.
bool ss_saltation_with_friction(ss_derivative* der, ss_sensitivity* to, double late);

#endif
