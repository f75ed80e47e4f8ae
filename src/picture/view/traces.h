// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Chosen numbers over time, of one or several motions.
#ifndef SLIPSTICK_PICTURE_TRACES_H
#define SLIPSTICK_PICTURE_TRACES_H

#include "picture/view/motion_lines.h"
#include "share/quantity_table.h"

/// Draws them: a plot per unit, a line per number and motion. show: names as ss_quantity_find knows them;
/// none: places and speeds of free bodies, and the forces of all contacts.
ss_status ss_draw_traces(const ss_sheet* to, const char* const show[], int show_count,
                         const ss_sketch sketches[], int count, ss_error* err);

#endif
