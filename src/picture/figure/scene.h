// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Three dimensions on a plot: a closed convex body seen from far away (orthographic), with light from above
// the eye, and lines and dots on and around it, of which the body hides what lies behind.
#ifndef SLIPSTICK_PICTURE_SCENE_H
#define SLIPSTICK_PICTURE_SCENE_H

#include "picture/figure/figure.h"

typedef struct ss_scene ss_scene;

/// Where the eye is: degrees round the vertical axis, and above the horizon.
typedef struct ss_view {
    double azimuth, elevation;
} ss_view;

ss_scene* ss_scene_create(ss_view view); ///< NULL without memory
void ss_scene_destroy(ss_scene* scene);

/// A piece of the body's skin, of 3 or 4 corners. Light falls on it by its normal, which points outwards and
/// may have any length.
void ss_scene_face(ss_scene* scene, const double corners[][3], int count, const double normal[3],
                   ss_color color);
/// A line through the points. hidden: the pen for what the body hides; NULL: that is left out.
void ss_scene_line(ss_scene* scene, const double points[][3], int count, const ss_pen* pen,
                   const ss_pen* hidden);
/// A straight line, hidden piece by piece.
void ss_scene_stroke(ss_scene* scene, const double from[3], const double to[3], const ss_pen* pen);
typedef struct ss_scene_mark {
    ss_color color;
    double radius;      ///< points
    bool hollow;        ///< a ring, not a dot
    bool shows_through; ///< where the body hides it, it is drawn smaller; false: left out
} ss_scene_mark;
void ss_scene_dot(ss_scene* scene, const double at[3], const ss_scene_mark* mark);
/// A word in the middle of a place, or, unless the body hides the place, so many points to its right and
/// above it.
void ss_scene_text(ss_scene* scene, const double at[3], const char* text, ss_point beside);

/// The box of the drawing on the plane of the paper, for the axes of its plot.
ss_box ss_scene_bounds(const ss_scene* scene);
/// Draws everything: the body, then the rest in the order it was added. False where memory ran out on the
/// way.
bool ss_scene_draw(const ss_scene* scene, ss_plot* plot);

#endif
