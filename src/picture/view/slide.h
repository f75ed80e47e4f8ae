// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of sliding motions: their way over the floor, or the numbers of one over time.
#ifndef SLIPSTICK_PICTURE_SLIDE_H
#define SLIPSTICK_PICTURE_SLIDE_H

#include "picture/figure/figure.h"
#include "picture/view/slide_sketch.h"

/// The body on the floor at equal times, and the way of its centre, for motions from one or several starts.
ss_status ss_draw_path(const ss_slide_sketch sketches[], int count, const ss_sheet* sheet, ss_error* err);
/// Place, speeds and load over time.
ss_status ss_draw_progress(const ss_slide_sketch* sketch, const ss_sheet* sheet, ss_error* err);

/// The picture of a map of a slider: where its starts end (slider_map_picture.c).
ss_status ss_picture_slider_map(const struct ss_map* map, const ss_sheet* sheet, ss_error* err);

#endif
