// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities across places where an expression is not smooth: see passing.c.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_PASSING_H
#define SLIPSTICK_ENGINE_SENSITIVITY_PASSING_H

#include "engine/sensitivity/sensitivity.h"

/// Room for it; false where there was none.
bool ss_sensitivity_make_passing(ss_derivative* der);
/// Whether the run passes such a place on the present step.
bool ss_sensitivity_passes(const ss_derivative* der);
/// Finds what the expressions pass up to s of it: along.passing. Sensitivities that
/// cannot pass are lost.
void ss_sensitivity_take_passing(ss_derivative* der, double s);
/// Loses the sensitivities for which such a place, once they were taken there, is the end.
void ss_sensitivity_lose_touching(ss_derivative* der);
/// The rates of sensitivity j that take it up to s, where it has no series there.
void ss_sensitivity_leap(ss_derivative* der, double s, int j, double rate[]);
/// The step ends at s, and is not rewound yet: accelerations and rates of `at` (NULL: nobody asks for them)
/// are those there, not as if expressions were held.
void ss_sensitivity_arrive(ss_derivative* der, double s, ss_values* at);
/// The next step begins: expressions are where it has them.
void ss_sensitivity_depart(ss_derivative* der);

#endif
