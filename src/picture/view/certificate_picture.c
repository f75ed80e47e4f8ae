// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a certificate.
#include "core/error.h"
#include "picture/view/plane.h"
#include "share/model_parts.h"

#include <stdio.h>

static void name_axis(const ss_model* model, int body, bool speed, char* out, size_t size)
{
    bool angular = ss_model_body_is_angular(model, body);
    const char* unit = speed ? angular ? "rad/s" : "m/s" : angular ? "rad" : "m";
    char name[300];
    ss_model_coordinate_name(model, body, speed, name, sizeof name);
    snprintf(out, size, "%.60s (%s)", name, unit);
}

static ss_status draw_plane(ss_figure* figure, const ss_model* model, const ss_plane_axes* axes,
                            const ss_box* box, ss_error* err)
{
    char across[300], up[300];
    name_axis(model, axes->body[0], axes->speed[0], across, sizeof across);
    name_axis(model, axes->body[1], axes->speed[1], up, sizeof up);
    ss_plot_axis x = {across, box->x, box->x + box->width}, y = {up, box->y, box->y + box->height};
    ss_plot* plot = ss_figure_plot(figure, &x, &y, axes->speed[0] == axes->speed[1]);
    return ss_plane_draw(plot, model, axes, box, err);
}

// The planes worth seeing: positions and speeds of two coordinates, or the phase plane of one.
static int choose_planes(const ss_model* model, ss_plane_axes planes[2])
{
    int n = ss_model_coordinate_count(model), first = n > 0 ? ss_model_coordinate_body(model, 0) : -1;
    if (n < 2) {
        planes[0] = (ss_plane_axes){{first, first}, {false, true}, true};
        return n;
    }
    int second = ss_model_coordinate_body(model, 1);
    planes[0] = (ss_plane_axes){{first, second}, {false, false}, true};
    planes[1] = (ss_plane_axes){{first, second}, {true, true}, true};
    return 2;
}

ss_status ss_picture_certificate(const ss_model* model, const ss_sheet* sheet, ss_error* err)
{
    ss_plane_axes planes[2];
    ss_box boxes[2];
    int count = choose_planes(model, planes), seen = 0;
    ss_status status = SS_OK;
    for (int k = 0; k < count && status == SS_OK; k++) {
        status = ss_plane_bounds(model, &planes[k], &boxes[seen], err);
        if (boxes[seen].width > 0 && boxes[seen].height > 0) planes[seen++] = planes[k];
    }
    if (status != SS_OK) return status;
    if (seen == 0) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no equilibrium set to draw");
    ss_figure_def def = {.sheet = *sheet,
                         .title = ss_model_title(model),
                         .width = 520,
                         .height = seen > 1 ? 720 : 400,
                         .plots = seen};
    ss_figure* figure;
    status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < seen && status == SS_OK; k++)
        status = draw_plane(figure, model, &planes[k], &boxes[k], err);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}
