// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A plane of starts through the state space of one model, and what a certificate says on it.
#ifndef SLIPSTICK_PICTURE_PLANE_H
#define SLIPSTICK_PICTURE_PLANE_H

#include "picture/figure/figure.h"
#include "slipstick/lab.h"

/// The body whose position or speed each axis shows; -1: something else.
typedef struct ss_plane_axes {
    int body[2];
    bool speed[2];
    bool through_center; ///< all else is as in the middle of E, at rest; false: as in the model's start
} ss_plane_axes;

/// The box around I_rho* and E on that plane, with a little room; empty (width 0) where there is nothing.
ss_status ss_plane_bounds(const ss_model* model, const ss_plane_axes* axes, ss_box* out, ss_error* err);

/// Draws what the certificate knows into a plot over the plane of two axes, all else as in the model's start:
/// I_rho* (its section) and E, and in a plane of speeds the bounds of C. Draws nothing where there is no
/// certificate, no set, or the axes are no independent coordinates.
ss_status ss_plane_draw(ss_plot* plot, const ss_model* model, const ss_plane_axes* axes, const ss_box* box,
                        ss_error* err);

/// Draws where E lies along one coordinate, whatever the others are, into a plot of its speed over its
/// position. Draws nothing where ss_plane_draw would not.
ss_status ss_plane_draw_shadow(ss_plot* plot, const ss_model* model, int body, ss_error* err);

#endif
