// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the limit surface and the sphere of motions have in common: axes, eigen-directions, the ways of
// motions, the legend.
#ifndef SLIPSTICK_PICTURE_SLIDER_SCENE_H
#define SLIPSTICK_PICTURE_SLIDER_SCENE_H

#include "picture/figure/scene.h"
#include "picture/view/slide_sketch.h"
#include "slipstick/picture.h"

/// A limit surface or a sphere of motions, and motions whose ways are drawn on it.
typedef struct ss_slider_picture {
    ss_surface_picture of;
    const ss_slide_sketch* sketches; ///< may be none
    int sketch_count;
} ss_slider_picture;

/// The limit surface, and the way of the load P on it.
ss_status ss_draw_surface(const ss_slider_picture* picture, ss_error* err);
/// The sphere of motions, and the way of Q/|Q|.
ss_status ss_draw_sphere(const ss_slider_picture* picture, ss_error* err);

typedef struct ss_slider_scene {
    const ss_slider_picture* picture;
    ss_scene* scene;
    const ss_theme* theme;
    bool of_loads;            ///< the limit surface; false: the sphere of motions
    bool seen[3];             ///< which kinds of stability
    const char* const* names; ///< of the axes
    double reach;             ///< of the body, from 0
} ss_slider_scene;

/// An empty scene. SS_NO_MEMORY, or SS_OK.
ss_status ss_slider_scene_begin(ss_slider_scene* scene, const ss_slider_picture* picture, ss_error* err);
/// Adds axes, eigen-directions and ways to what is there, draws all of it and ends the scene.
ss_status ss_slider_scene_finish(ss_slider_scene* scene, const char* what, ss_error* err);

#endif
