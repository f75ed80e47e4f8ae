// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/slide.h"

#include "core/error.h"
#include "core/number_length.h"
#include "picture/view/motion_lines.h"
#include "picture/view/slide_body.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES_SHOWN = 9 };

// ---- over the floor

static ss_color mix(ss_color a, ss_color b, double share)
{
    return (ss_color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b), 1};
}

// The state after this share of the time.
static ss_slider_state state_at(const ss_slide_sketch* sketch, int body)
{
    return ss_slide_sketch_at(sketch, sketch->end * body / (BODIES_SHOWN - 1));
}

static bool draw_bodies(ss_plot* plot, const ss_slide_sketch* sketch, ss_color color)
{
    bool drawn = true;
    for (int k = 0; k < BODIES_SHOWN && drawn; k++) {
        ss_slider_state state = state_at(sketch, k);
        drawn = ss_body_draw(plot, sketch->slider, &state,
                             mix(ss_plot_theme(plot)->faint, color, (double)k / (BODIES_SHOWN - 1)));
    }
    return drawn;
}

static bool draw_way(ss_plot* plot, const ss_slide_sketch* sketch, ss_color color, const char* name)
{
    ss_point* way = ss_new((size_t)sketch->count, sizeof *way);
    if (!way) return false;
    for (int k = 0; k < sketch->count; k++) way[k] = (ss_point){sketch->at[k].state.x, sketch->at[k].state.y};
    ss_plot_line(plot, way, sketch->count, false, &(ss_pen){.color = color, .width = 1.6}, name);
    ss_plot_dots(plot, way, 1, 2.6, color, NULL);
    free(way);
    return true;
}

// One motion has the way of its centre in a colour of its own; of several each has one colour.
static bool draw_ways(ss_plot* plot, const ss_slide_sketch sketches[], int count)
{
    const ss_theme* theme = ss_plot_theme(plot);
    bool drawn = true;
    char name[80];
    for (int k = 0; k < count && drawn; k++)
        drawn = draw_bodies(plot, &sketches[k], theme->series[k % SS_THEME_SERIES]);
    for (int k = 0; k < count && drawn; k++) {
        ss_slide_sketch_name(&sketches[k], name, sizeof name);
        drawn = draw_way(plot, &sketches[k], theme->series[count > 1 ? k % SS_THEME_SERIES : 1],
                         count > 1 ? name : "centre of mass");
    }
    ss_format(name, sizeof name, "body every %.3g s", sketches[0].end / (BODIES_SHOWN - 1));
    if (count == 1) ss_plot_legend(plot, theme->series[0], sketches[0].end > 0 ? name : "body, at rest");
    return drawn;
}

static void widen_by_sketches(const ss_slide_sketch sketches[], int count, ss_span* x, ss_span* y)
{
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < BODIES_SHOWN; k++) {
            ss_slider_state state = state_at(&sketches[c], k);
            ss_body_widen(sketches[c].slider, &state, x, y);
        }
        for (int k = 0; k < sketches[c].count; k++) {
            ss_span_add(x, sketches[c].at[k].state.x);
            ss_span_add(y, sketches[c].at[k].state.y);
        }
    }
}

ss_status ss_draw_path(const ss_slide_sketch sketches[], int count, const ss_sheet* sheet, ss_error* err)
{
    ss_span x = ss_span_empty(), y = ss_span_empty();
    widen_by_sketches(sketches, count, &x, &y);
    ss_plot_axis across = ss_axis_around("x (m)", x.low, x.high), up = ss_axis_around("y (m)", y.low, y.high);
    double ratio = (up.to - up.from) / (across.to - across.from);
    double height = fmin(fmax(400 * ratio + 90, 160), 640);
    ss_figure_def def = {.sheet = *sheet,
                         .title = ss_slider_title(sketches[0].slider),
                         .width = fmin(600, fmax((height - 90) / ratio + 230, 330)),
                         .height = height};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    if (!draw_ways(ss_figure_plot(figure, &across, &up, true), sketches, count))
        status = ss_fail_no_memory(err);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

// ---- over time

typedef struct row {
    const char* label;
    const char* names[3];
} row;

static double value(const ss_slide_moment* m, int number, int line)
{
    const ss_slider_state* s = &m->state;
    const double place[3] = {s->x, s->y, s->angle}, speed[3] = {s->vx, s->vy, s->spin};
    return number == 0 ? place[line] : number == 1 ? speed[line] : m->load[line];
}

static bool draw_row(ss_figure* figure, const ss_slide_sketch* sketch, const row* what, int number, bool last)
{
    ss_span span = ss_span_empty();
    ss_point* points = ss_new((size_t)sketch->count, sizeof *points);
    if (!points) return false;
    for (int k = 0; k < sketch->count; k++)
        for (int line = 0; line < 3; line++) ss_span_add(&span, value(&sketch->at[k], number, line));
    ss_plot_axis x = {last ? "t (s)" : NULL, 0, sketch->end > 0 ? sketch->end : 1},
                 y = ss_axis_around(what->label, span.low, span.high);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    ss_draw_zero(plot, &x, &y);
    for (int line = 0; line < 3; line++) {
        for (int k = 0; k < sketch->count; k++)
            points[k] = (ss_point){sketch->at[k].t, value(&sketch->at[k], number, line)};
        ss_plot_line(plot, points, sketch->count, false,
                     &(ss_pen){.color = ss_plot_theme(plot)->series[line], .width = 1.2}, what->names[line]);
    }
    free(points);
    return true;
}

ss_status ss_draw_progress(const ss_slide_sketch* sketch, const ss_sheet* sheet, ss_error* err)
{
    static const row rows[] = {{"place (m, rad)", {"x", "y", "angle"}},
                               {"speed (m/s, rad/s)", {"vx", "vy", "spin"}},
                               {"load (N, N*m)", {"Fx, body frame", "Fy", "M"}}};
    ss_figure_def def = {
        .sheet = *sheet, .title = ss_slider_title(sketch->slider), .width = 560, .height = 480, .plots = 3};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < 3 && status == SS_OK; k++)
        if (!draw_row(figure, sketch, &rows[k], k, k == 2)) status = ss_fail_no_memory(err);
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}
