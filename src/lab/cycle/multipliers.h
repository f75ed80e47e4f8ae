// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Floquet multipliers of a motion that closes.
#ifndef SLIPSTICK_LAB_MULTIPLIERS_H
#define SLIPSTICK_LAB_MULTIPLIERS_H

#include "lab/cycle/shoot.h"

/// Fills the multipliers (room for w), largest magnitude first, and their number. False without memory.
bool ss_multipliers(const ss_shoot* shoot, double (*multipliers)[2], int* count);

/// How far the largest multiplier may be from what it is said to be: it is known as well as the cycle is.
/// Where neighbouring motions hardly come nearer, a start that closes may still be far from the one that
/// repeats. Runs the orbit anew.
ss_status ss_multiplier_margin(const ss_shoot* s, double* margin, ss_error* err);

#endif
