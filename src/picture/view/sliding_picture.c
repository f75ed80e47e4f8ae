// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of sliders and of sliding motions: who draws what.
#include "core/error.h"
#include "picture/view/slide.h"
#include "picture/view/slider_scene.h"

#include <stdlib.h>

ss_status ss_picture_surface(const ss_surface_picture* picture, ss_error* err)
{
    return ss_draw_surface(&(ss_slider_picture){.of = *picture}, err);
}

ss_status ss_picture_sphere(const ss_surface_picture* picture, ss_error* err)
{
    return ss_draw_sphere(&(ss_slider_picture){.of = *picture}, err);
}

static ss_status draw(const ss_sliding_picture* picture, const ss_slide_sketch sketches[], int count,
                      ss_error* err)
{
    ss_slider_picture on = {.of = {.sheet = picture->sheet,
                                   .slider = sketches[0].slider,
                                   .angle_rad = sketches[0].at[0].state.angle},
                            .sketches = sketches,
                            .sketch_count = count};
    switch (picture->view) {
    case SS_VIEW_PATH: return ss_draw_path(sketches, count, &picture->sheet, err);
    case SS_VIEW_PROGRESS: return ss_draw_progress(&sketches[0], &picture->sheet, err);
    case SS_VIEW_SURFACE: return ss_draw_surface(&on, err);
    case SS_VIEW_SPHERE: return ss_draw_sphere(&on, err);
    }
    return ss_fail(err, SS_BAD_INPUT, "view", "there is no such view");
}

ss_status ss_picture_sliding(const ss_sliding_picture* picture, ss_error* err)
{
    int count = picture->view == SS_VIEW_PROGRESS ? 1 : picture->count, followed = 0;
    for (int k = 0; k < picture->count; k++)
        if (!picture->motions[k]->slider) return ss_fail(err, SS_BAD_INPUT, "motions", "must be of sliders");
    if (picture->count < 1) return ss_fail(err, SS_BAD_INPUT, "motions", "there is none to draw");
    ss_slide_sketch* sketches = ss_new((size_t)count, sizeof *sketches);
    ss_status status = sketches ? SS_OK : ss_fail_no_memory(err);
    for (; followed < count && status == SS_OK; followed++) {
        status = ss_slide_sketch_take(picture->motions[followed], &sketches[followed], err);
        sketches[followed].label = picture->labels ? picture->labels[followed] : NULL;
    }
    if (status == SS_OK) status = draw(picture, sketches, count, err);
    for (int k = 0; k < followed; k++) ss_slide_sketch_free(&sketches[k]);
    free(sketches);
    return status;
}
