// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of motions of bodies: over time, in the phase plane, force over displacement.
#ifndef SLIPSTICK_PICTURE_MOTION_H
#define SLIPSTICK_PICTURE_MOTION_H

#include "picture/figure/figure.h"
#include "picture/view/course.h"

typedef enum ss_motion_view {
    SS_VIEW_TIME,   ///< positions, speeds and forces over time, and what each contact does
    SS_VIEW_PHASE,  ///< speed over position of one body, with E and I_rho* where the model has one coordinate
    SS_VIEW_LOOP,   ///< force of one contact over its displacement, and over its velocity
    SS_VIEW_IMPACT, ///< force of one elastic stop over its penetration
} ss_motion_view;

typedef struct ss_motion_picture {
    ss_sheet sheet;
    ss_motion_view view;
    const char* of;           ///< the body or contact; NULL: the first that fits
    const ss_course* courses; ///< of one model from one or several starts
    int count;
} ss_motion_picture;

ss_status ss_picture_motion(const ss_motion_picture* picture, ss_error* err);

#endif
