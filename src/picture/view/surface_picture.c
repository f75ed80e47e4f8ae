// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface in three dimensions.
#include "core/watch_part.h"
#include "picture/view/drawn_surface.h"
#include "picture/view/slider_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Relative to the reach: sides of triangles, what counts as flat, and triangles too small to be seen.
static const double grain = 0.08, least_flat = 0.04, unseen = 1e-3;

static void add_triangle(void* user, const ss_drawn_surface_corner corners[3])
{
    const ss_slider_scene* s = user;
    double loads[3][3], normal[3] = {0}, size = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) size = fmax(size, fabs(corners[k].load[i] - corners[0].load[i]));
        memcpy(loads[k], corners[k].load, sizeof loads[k]);
        for (int i = 0; i < 3; i++) normal[i] += corners[k].motion[i];
    }
    if (size < unseen * s->reach) return;
    ss_scene_face(s->scene, (const double(*)[3])loads, 3, normal, s->theme->body);
}

static void add_bound(void* user, const ss_drawn_surface_corner points[], int count)
{
    const ss_slider_scene* s = user;
    ss_color color = s->theme->ink;
    color.a = 0.45;
    double(*loads)[3] = ss_new((size_t)count, sizeof *loads);
    if (!loads) return; // the surface is there without it
    for (int k = 0; k < count; k++) memcpy(loads[k], points[k].load, sizeof *loads);
    ss_scene_line(s->scene, (const double(*)[3])loads, count, &(ss_pen){.color = color, .width = 0.7}, NULL);
    free(loads);
}

// The largest load along an axis of motions.
static double reach_of(const ss_slider_picture* picture)
{
    double reach = 0;
    for (int i = 0; i < 3; i++) {
        const double motion[3] = {i == 0, i == 1, i == 2};
        ss_drawn_surface_corner c = ss_drawn_surface_at(picture->of.slider, picture->of.angle_rad, motion);
        for (int k = 0; k < 3; k++) reach = fmax(reach, fabs(c.load[k]));
    }
    return reach > 0 ? reach : 1;
}

ss_status ss_draw_surface(const ss_slider_picture* picture, ss_error* err)
{
    static const char* const names[] = {"Fx/mg", "Fy/mg", "M/mg\xCF\x81"};
    ss_slider_scene s = {.of_loads = true, .names = names, .reach = reach_of(picture)};
    ss_status status = ss_slider_scene_begin(&s, picture, err);
    if (status != SS_OK) return status;
    ss_watch_part part = {picture->of.watch, 0.0, 0.5};
    ss_watch watch = ss_watch_of(&part);
    status = ss_drawn_surface_cover(picture->of.slider, picture->of.angle_rad, grain * s.reach, &watch,
                                    add_triangle, &s, err);
    if (status != SS_OK) {
        ss_scene_destroy(s.scene);
        return status;
    }
    ss_drawn_surface_bounds(picture->of.slider, picture->of.angle_rad, least_flat * s.reach, add_bound, &s);
    return ss_slider_scene_finish(&s, "limit surface", err);
}
