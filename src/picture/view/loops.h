// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The closed loops of a force over a displacement, and the work of each.
#ifndef SLIPSTICK_PICTURE_LOOPS_H
#define SLIPSTICK_PICTURE_LOOPS_H

#include "picture/canvas/canvas.h"

/// Loops that look alike: their width (of the displacement) and work (the area they enclose), to three
/// digits.
typedef struct ss_loops {
    double width, work;
    int count;
} ss_loops;

/// Finds the closed loops of a line of (displacement, force): a branch that comes back to where the one
/// before it had begun closes a loop, whose work no longer counts for the larger loop it lies in. Fills at
/// most `room` kinds, the widest first, and returns how many kinds there are; -1 without memory. One pass.
int ss_loops_find(const ss_point points[], int count, ss_loops out[], int room);

#endif
