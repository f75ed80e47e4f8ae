// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the theorems say on a chart over parameters: where a certificate assures that the motion comes to
// rest, from everywhere or from the start of each cell.
#ifndef SLIPSTICK_PICTURE_CHART_H
#define SLIPSTICK_PICTURE_CHART_H

#include "lab/sweep/sweep.h"
#include "picture/figure/figure.h"

/// Draws the boundaries into a plot over the two axes of a map.
ss_status ss_chart_draw(ss_plot* plot, const ss_basin* basin, const ss_box* box, ss_error* err);

#endif
