// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Floquet multipliers of a motion that closes.
#ifndef SLIPSTICK_LAB_MULTIPLIERS_H
#define SLIPSTICK_LAB_MULTIPLIERS_H

#include "lab/cycle/shoot.h"

/// Fills the multipliers (room for w), largest magnitude first, and their number. False without memory.
bool ss_multipliers(const ss_shoot* shoot, double (*multipliers)[2], int* count);

#endif
