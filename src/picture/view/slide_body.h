// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The body of a slider on the floor, as seen from above.
#ifndef SLIPSTICK_PICTURE_SLIDE_BODY_H
#define SLIPSTICK_PICTURE_SLIDE_BODY_H

#include "picture/view/motion_lines.h"
#include "slipstick/sliding.h"

/// Adds all that ss_body_draw would draw.
void ss_body_widen(const ss_slider* slider, const ss_slider_state* state, ss_span* x, ss_span* y);
/// Patches by their outline, few feet and wheels as dots on arms from the centre of mass, many by the polygon
/// round them, and a stroke along the body's x axis. False without memory.
bool ss_body_draw(ss_plot* plot, const ss_slider* slider, const ss_slider_state* state, ss_color color);

#endif
