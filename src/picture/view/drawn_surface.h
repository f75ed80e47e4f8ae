// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface as it is drawn: triangles that are fine where it bends and exact along its facets, edges
// and vertices, and the lines that bound these. In the units of [GRP91]: forces by m g, lengths by the radius
// of gyration.
#ifndef SLIPSTICK_PICTURE_VIEW_DRAWN_SURFACE_H
#define SLIPSTICK_PICTURE_VIEW_DRAWN_SURFACE_H

#include "slipstick/slider.h"

/// A motion (of unit length) and its load: a point of the surface and its outward normal.
typedef struct ss_drawn_surface_corner {
    double motion[3], load[3];
} ss_drawn_surface_corner;

/// Takes one triangle.
typedef void ss_drawn_surface_sink(void* user, const ss_drawn_surface_corner corners[3]);

/// The corner at a motion of any length but 0. Where a support that does not move leaves a choice, the load
/// is in the middle of the facet or edge.
ss_drawn_surface_corner ss_drawn_surface_at(const ss_slider* slider, double angle_rad,
                                            const double motion[3]);
/// Covers the surface with triangles whose sides are about `grain` long, but for flat parts. SS_OK, or
/// SS_NOT_FOUND where the watch ends it.
ss_status ss_drawn_surface_cover(const ss_slider* slider, double angle_rad, double grain,
                                 const ss_watch* watch, ss_drawn_surface_sink* sink, void* user,
                                 ss_error* err);

/// Takes a closed line of the surface; the motion of each point is an outward normal there.
typedef void ss_drawn_surface_line_sink(void* user, const ss_drawn_surface_corner points[], int count);
/// Tells the bounds of what is flat and larger than `least`: of facets (turning about a point of support) and
/// of the bands that wheels make (rolling without sliding along the axle).
void ss_drawn_surface_bounds(const ss_slider* slider, double angle_rad, double least,
                             ss_drawn_surface_line_sink* sink, void* user);

#endif
