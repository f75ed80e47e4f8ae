// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings through the blow of a rigid stop.
#ifndef SLIPSTICK_VARIATION_BLOW_H
#define SLIPSTICK_VARIATION_BLOW_H

#include "engine/variation/variation.h"

/// The stop whose blow alone makes the speeds what they are; -1: none, -2: they did not change.
int ss_find_blow(const ss_variation* var);
/// How speeds change through the blow of stop i, which comes later by `late`.
void ss_reflect(ss_variation* var, ss_heading* to, int i, double late);

#endif
