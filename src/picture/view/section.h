// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sections of limit surfaces: the curves [GRP91, Figures 4, 5 and 8] show, with the eigen-directions that lie
// in them. In the units of the paper: forces by m g, lengths by the radius of gyration.
#ifndef SLIPSTICK_PICTURE_SECTION_H
#define SLIPSTICK_PICTURE_SECTION_H

#include "picture/figure/figure.h"
#include "slipstick/slider.h"

typedef struct ss_section_picture {
    ss_sheet sheet;
    const ss_slider* const* sliders; ///< one or several, to compare
    const char* const* labels;       ///< how each differs from the first; NULL for the first
    int count;
    double angle_rad;      ///< of the body, where the floor is anisotropic
    int across, up;        ///< which loads span the plane: 0 Fx, 1 Fy, 2 M
    const ss_watch* watch; ///< may be NULL
} ss_section_picture;

ss_status ss_picture_section(const ss_section_picture* picture, ss_error* err);

#endif
