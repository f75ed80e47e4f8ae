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

/// Cuts a line into columns of this width and keeps of each passage through one the first, the lowest, the
/// highest and the last point: a signal of millions of points as the eye sees it. `kept` as above. One pass.
int ss_thin_columns(const ss_point points[], int count, double width, ss_point kept[]);

#endif
