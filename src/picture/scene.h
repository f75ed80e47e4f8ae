// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Three dimensions on a plot: seen from far away (orthographic), with light from above the eye, what is in
// front hiding what is behind. Things are collected and drawn together, back to front.
#ifndef SLIPSTICK_PICTURE_SCENE_H
#define SLIPSTICK_PICTURE_SCENE_H

#include "picture/figure.h"

typedef struct ss_scene ss_scene;

/// Where the eye is: degrees round the vertical axis, and above the horizon.
typedef struct ss_view {
    double azimuth, elevation;
} ss_view;

ss_scene* ss_scene_create(ss_view view); ///< NULL without memory
void ss_scene_destroy(ss_scene* scene);

/// A flat piece, lit by how it stands to the light; rim (may be NULL) is drawn round it.
void ss_scene_face(ss_scene* scene, const double corners[][3], int count, ss_color color, const ss_pen* rim);
/// A stroke. lift: how much nearer than it is it counts, so that what lies on a face is seen.
void ss_scene_stroke(ss_scene* scene, const double from[3], const double to[3], double lift,
                     const ss_pen* pen);
void ss_scene_dot(ss_scene* scene, const double at[3], double lift, double radius, ss_color color);
void ss_scene_text(ss_scene* scene, const double at[3], const char* text);

/// The box of the drawing on the plane of the paper, for the axes of its plot.
ss_box ss_scene_bounds(const ss_scene* scene);
/// Draws everything. False where memory ran out on the way.
bool ss_scene_draw(ss_scene* scene, ss_plot* plot);

#endif
