// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of a slider: its limit surface with the eigen-directions, and the sphere of motions with the way
// each motion turns. In the units of the paper: forces by m g, lengths by the radius of gyration.
#ifndef SLIPSTICK_PICTURE_SURFACE_H
#define SLIPSTICK_PICTURE_SURFACE_H

#include "picture/figure.h"
#include "slipstick/slider.h"

/// The limit surface [GRP91, Figures 4 to 6, 8, 10].
ss_status ss_picture_surface(const ss_slider* slider, double angle_rad, const ss_sheet* sheet, ss_error* err);
/// The sphere of motions: how the motion turns while the slider is left to itself [GRP91, Figure 7].
ss_status ss_picture_sphere(const ss_slider* slider, double angle_rad, const ss_sheet* sheet, ss_error* err);

#endif
