// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of a slider: its limit surface with facets, edges and eigen-directions, and the sphere of motions
// with the way each motion turns; on both the ways of real motions. In the units of the paper: forces by m g,
// lengths by the radius of gyration.
#ifndef SLIPSTICK_PICTURE_SURFACE_H
#define SLIPSTICK_PICTURE_SURFACE_H

#include "picture/figure/figure.h"
#include "picture/view/slide_course.h"

typedef struct ss_slider_picture {
    ss_sheet sheet;
    const ss_slider* slider;
    double angle_rad;               ///< of the body, where the floor is anisotropic
    const ss_slide_course* courses; ///< motions whose ways are drawn; may be none
    int course_count;
    const ss_watch* watch; ///< may be NULL
} ss_slider_picture;

/// The limit surface, and the way of the load P on it [GRP91, Figures 4 to 6, 8, 10].
ss_status ss_picture_surface(const ss_slider_picture* picture, ss_error* err);
/// The sphere of motions: how the motion turns while the slider is left to itself, and the way of Q/|Q|
/// [GRP91, Figure 7].
ss_status ss_picture_sphere(const ss_slider_picture* picture, ss_error* err);

#endif
