// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the definitions of supports to elements in the units of the paper.
#ifndef SLIPSTICK_SLIDER_SHAPE_BUILD_SLIDER_H
#define SLIPSTICK_SLIDER_SHAPE_BUILD_SLIDER_H

#include "slider/slider_impl.h"

/// Needs the units and the floor of the slider. Faults name fields as a model file does,
/// "slider.supports[1].mu".
ss_status ss_slider_build(ss_slider* slider, const ss_slider_def* def, ss_error* err);

/// What fingers touch (build_outline.c); needs the units.
ss_status ss_slider_build_outline(ss_slider* slider, const ss_slider_def* def, ss_error* err);
/// Whether no two edges of a polygon cross; two that do.
bool ss_polygon_is_simple(const double* vertices, int count, int crossing[2]);

#endif
