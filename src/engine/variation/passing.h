// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings across places where an expression is not smooth: see passing.c.
#ifndef SLIPSTICK_ENGINE_VARIATION_PASSING_H
#define SLIPSTICK_ENGINE_VARIATION_PASSING_H

#include "engine/variation/variation.h"

/// Room for it; false where there was none.
bool ss_vary_make_passing(ss_variation* var);
/// Whether the run passes such a place on the present step.
bool ss_vary_passes(const ss_variation* var);
/// Finds what the expressions pass up to s of it: along.passing. Headings that
/// cannot pass are lost.
void ss_vary_take_passing(ss_variation* var, double s);
/// Loses the headings for which such a place, once they were taken there, is the end.
void ss_vary_lose_touching(ss_variation* var);
/// The rates of heading j that take it up to s, where it has no series there.
void ss_vary_leap(ss_variation* var, double s, int j, double rate[]);

#endif
