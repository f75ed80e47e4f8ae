// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fewer points for the same line.
#ifndef SLIPSTICK_PICTURE_THIN_H
#define SLIPSTICK_PICTURE_THIN_H

#include "picture/canvas.h"

/// Keeps those points of a line without which it would move by more than about `tolerance`; the ends stay.
/// `kept` has room for count points and may be `points` itself. Returns how many are kept. One pass.
int ss_thin_line(const ss_point points[], int count, double tolerance, ss_point kept[]);

#endif
