// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The law of a contact itself.
#ifndef SLIPSTICK_PICTURE_VIEW_LAW_PICTURE_H
#define SLIPSTICK_PICTURE_VIEW_LAW_PICTURE_H

#include "picture/view/motion_lines.h"

/// Draws the force of contact i against the motion over the speed, in steady sliding; of bristles also over a
/// small displacement, slowly there and back; of a stop that gives way over the penetration. The speeds are
/// those of the motions, and each of them has a line.
ss_status ss_draw_law(const ss_sheet* to, int i, const ss_sketch sketches[], int count, ss_error* err);

#endif
