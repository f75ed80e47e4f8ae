// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long something takes, whatever happens to the clock on the wall.
#ifndef SLIPSTICK_LAB_STOPWATCH_H
#define SLIPSTICK_LAB_STOPWATCH_H

/// Seconds since some moment, never going back.
double ss_now_s(void);

#endif
