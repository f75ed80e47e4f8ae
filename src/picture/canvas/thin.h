// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fewer points for the same line.
#ifndef SLIPSTICK_PICTURE_THIN_H
#define SLIPSTICK_PICTURE_THIN_H

#include "picture/canvas/canvas.h"

/// Keeps those points of a line without which it would move by more than about `tolerance`; the ends stay.
/// `kept` has room for count points and may be `points` itself. Returns how many are kept. One pass.
int ss_thin_line(const ss_point points[], int count, double tolerance, ss_point kept[]);

/// Cuts a line into columns of this width and keeps of each passage through one the first, the lowest, the
/// highest and the last point: a signal of millions of points as the eye sees it. `kept` as above. One pass.
int ss_thin_columns(const ss_point points[], int count, double width, ss_point kept[]);

/// What a line in the unit square covers when it runs over itself again and again: its cells, columns x rows
/// of them, as level strokes from left to right, two points each and a third that is not a number. Returns
/// them, to be freed, and their count; NULL without memory.
ss_point* ss_thin_ink(const ss_point points[], int count, int columns, int rows, int* stroke_points);

#endif
