// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of a sliding motion: its way over the floor, or its numbers over time.
#ifndef SLIPSTICK_PICTURE_SLIDE_H
#define SLIPSTICK_PICTURE_SLIDE_H

#include "picture/figure.h"
#include "slipstick/sliding.h"

typedef enum ss_slide_view {
    SS_VIEW_PATH,     ///< the body on the floor at equal times, and the way of its centre
    SS_VIEW_PROGRESS, ///< place, speeds and load over time
} ss_slide_view;

typedef struct ss_slide_picture {
    ss_sheet sheet;
    ss_slide_view view;
    const ss_slider* slider;
    double until, tolerance;
    long max_events;
    double escape;
} ss_slide_picture;

ss_status ss_picture_slide(const ss_slide_picture* picture, ss_error* err);

#endif
