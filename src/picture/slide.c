// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/slide.h"

#include "core/error.h"
#include "picture/motion_lines.h"
#include "slider/slider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOMENTS = 600, BODIES_SHOWN = 9, ROUND = 48 };

typedef struct moment {
    double t, load[3];
    ss_slide_state s;
} moment;

typedef struct slide {
    const ss_slider* slider;
    moment at[MOMENTS + 1];
    double end;
    ss_outcome outcome;
} slide;

// ---- the motion

static ss_status make(const ss_slide_picture* picture, ss_slide** out, ss_error* err)
{
    ss_slide_def def = ss_slide_def_default();
    def.tolerance = picture->tolerance;
    def.max_events = picture->max_events;
    def.escape = picture->escape;
    return ss_slide_create(picture->slider, &def, out, err);
}

static ss_status follow(const ss_slide_picture* picture, slide* out, ss_error* err)
{
    ss_slide* run = NULL;
    out->slider = picture->slider;
    ss_status status = make(picture, &run, err); // once to see how long it lasts
    if (status == SS_OK) status = ss_slide_advance(run, picture->until, &out->outcome, err);
    if (status == SS_OK) out->end = ss_slide_time(run);
    ss_slide_destroy(run);
    run = NULL;
    if (status == SS_OK) status = make(picture, &run, err);
    for (int k = 0; k <= MOMENTS && status == SS_OK; k++) {
        ss_outcome outcome;
        out->at[k].t = out->end * k / MOMENTS;
        status = ss_slide_advance(run, out->at[k].t, &outcome, err);
        out->at[k].s = ss_slide_get_state(run);
        ss_slide_load(run, out->at[k].load);
    }
    ss_slide_destroy(run);
    return status;
}

// ---- over the floor

// A point of the body frame (in units of the paper) on the floor, m.
static ss_point on_floor(const ss_slider* slider, const ss_slide_state* s, double x, double y)
{
    double l = slider->unit_length, c = cos(s->angle), n = sin(s->angle);
    return (ss_point){s->x + l * (c * x - n * y), s->y + l * (n * x + c * y)};
}

// Corners of an element's outline, relative to its centre; 0 for what is only a point.
static int outline_of(const ss_element* e, ss_point out[], int most)
{
    if (e->vertices && e->vertex_count <= most) {
        for (int k = 0; k < e->vertex_count; k++)
            out[k] = (ss_point){e->vertices[2 * k], e->vertices[2 * k + 1]};
        return e->vertex_count;
    }
    if (!(e->radius > 0)) return 0;
    for (int k = 0; k < ROUND; k++) {
        double a = 2 * acos(-1) * k / ROUND;
        out[k] = (ss_point){e->radius * cos(a), e->radius * sin(a)};
    }
    return ROUND;
}

static void widen_by_body(const slide* m, const ss_slide_state* s, ss_span* x, ss_span* y)
{
    ss_span_add(x, s->x);
    ss_span_add(y, s->y);
    for (int k = 0; k < m->slider->element_count; k++) {
        const ss_element* e = &m->slider->elements[k];
        ss_point corners[256];
        int count = outline_of(e, corners, 256);
        for (int j = 0; j < (count > 0 ? count : 1); j++) {
            ss_point p = on_floor(m->slider, s, e->x + (count > 0 ? corners[j].x : 0),
                                  e->y + (count > 0 ? corners[j].y : 0));
            ss_span_add(x, p.x);
            ss_span_add(y, p.y);
        }
    }
}

// The body at one moment: patches by their outline, feet and wheels as dots on arms from the centre of mass.
static void draw_body(ss_plot* plot, const slide* m, const ss_slide_state* s, ss_color color)
{
    const ss_pen pen = {.color = color, .width = 1.1};
    const ss_point center = {s->x, s->y};
    for (int k = 0; k < m->slider->element_count; k++) {
        const ss_element* e = &m->slider->elements[k];
        ss_point corners[256];
        int count = outline_of(e, corners, 256);
        for (int j = 0; j < count; j++)
            corners[j] = on_floor(m->slider, s, e->x + corners[j].x, e->y + corners[j].y);
        if (count > 0) ss_plot_line(plot, corners, count, true, &pen, NULL);
        const ss_point arm[2] = {center, on_floor(m->slider, s, e->x, e->y)};
        if (count == 0) {
            ss_plot_line(plot, arm, 2, false, &pen, NULL);
            ss_plot_dots(plot, &arm[1], 1, 2.2, color, NULL);
        }
    }
    const ss_point nose[2] = {center, on_floor(m->slider, s, 0.35, 0)}; // tells how it has turned
    ss_plot_line(plot, nose, 2, false, &(ss_pen){.color = color, .width = 0.7}, NULL);
}

static ss_color mix(ss_color a, ss_color b, double share)
{
    return (ss_color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b), 1};
}

static void draw_way(ss_plot* plot, const slide* m)
{
    const ss_theme* theme = ss_plot_theme(plot);
    ss_point way[MOMENTS + 1];
    for (int k = 0; k <= MOMENTS; k++) way[k] = (ss_point){m->at[k].s.x, m->at[k].s.y};
    for (int k = 0; k < BODIES_SHOWN; k++) {
        double share = (double)k / (BODIES_SHOWN - 1);
        draw_body(plot, m, &m->at[(int)(share * MOMENTS + 0.5)].s,
                  mix(theme->faint, theme->series[0], share));
    }
    ss_plot_line(plot, way, MOMENTS + 1, false, &(ss_pen){.color = theme->series[1], .width = 1.6},
                 "centre of mass");
    ss_plot_dots(plot, way, 1, 2.6, theme->series[1], NULL);
    char name[64];
    snprintf(name, sizeof name, "body every %.3g s", m->end / (BODIES_SHOWN - 1));
    ss_plot_legend(plot, theme->series[0], name);
}

static ss_status draw_path(const ss_slide_picture* picture, const slide* m, ss_error* err)
{
    ss_span x = ss_span_empty(), y = ss_span_empty();
    for (int k = 0; k < BODIES_SHOWN; k++)
        widen_by_body(m, &m->at[MOMENTS * k / (BODIES_SHOWN - 1)].s, &x, &y);
    for (int k = 0; k <= MOMENTS; k++) {
        ss_span_add(&x, m->at[k].s.x);
        ss_span_add(&y, m->at[k].s.y);
    }
    ss_plot_axis across = ss_axis_around("x (m)", x.low, x.high), up = ss_axis_around("y (m)", y.low, y.high);
    double ratio = (up.to - up.from) / (across.to - across.from);
    double height = fmin(fmax(400 * ratio + 90, 160), 640);
    ss_figure_def def = {.sheet = picture->sheet,
                         .title = ss_slider_title(picture->slider),
                         .width = fmin(600, fmax((height - 90) / ratio + 230, 330)),
                         .height = height,
                         .legend = true};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    draw_way(ss_figure_plot(figure, &across, &up, true), m);
    status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

// ---- over time

typedef struct row {
    const char* label;
    const char* names[3];
} row;

static double value(const moment* m, int number, int line)
{
    const double place[3] = {m->s.x, m->s.y, m->s.angle}, speed[3] = {m->s.vx, m->s.vy, m->s.spin};
    return number == 0 ? place[line] : number == 1 ? speed[line] : m->load[line];
}

static void draw_row(ss_figure* figure, const slide* m, const row* what, int number, bool last)
{
    ss_span span = ss_span_empty();
    for (int k = 0; k <= MOMENTS; k++)
        for (int line = 0; line < 3; line++) ss_span_add(&span, value(&m->at[k], number, line));
    ss_plot_axis x = {last ? "t (s)" : NULL, 0, m->end > 0 ? m->end : 1},
                 y = ss_axis_around(what->label, span.low, span.high);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    ss_draw_zero(plot, &x, &y);
    for (int line = 0; line < 3; line++) {
        ss_point points[MOMENTS + 1];
        for (int k = 0; k <= MOMENTS; k++) points[k] = (ss_point){m->at[k].t, value(&m->at[k], number, line)};
        ss_plot_line(plot, points, MOMENTS + 1, false,
                     &(ss_pen){.color = ss_plot_theme(plot)->series[line], .width = 1.2}, what->names[line]);
    }
}

static ss_status draw_progress(const ss_slide_picture* picture, const slide* m, ss_error* err)
{
    static const row rows[] = {{"place (m, rad)", {"x", "y", "angle"}},
                               {"speed (m/s, rad/s)", {"vx", "vy", "spin"}},
                               {"load (N, N*m)", {"Fx, body frame", "Fy", "M"}}};
    static const double weights[] = {1, 1, 1.2};
    ss_figure_def def = {.sheet = picture->sheet,
                         .title = ss_slider_title(picture->slider),
                         .width = 560,
                         .height = 480,
                         .plots = 3,
                         .weights = weights,
                         .legend = true,
                         .left = 62};
    ss_figure* figure;
    ss_status status = ss_figure_create(&def, &figure, err);
    if (status != SS_OK) return status;
    for (int k = 0; k < 3; k++) draw_row(figure, m, &rows[k], k, k == 2);
    status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

ss_status ss_picture_slide(const ss_slide_picture* picture, ss_error* err)
{
    slide* m = ss_new(1, sizeof *m);
    if (!m) return ss_fail_no_memory(err);
    ss_status status = follow(picture, m, err);
    if (status == SS_OK)
        status = (picture->view == SS_VIEW_PATH ? draw_path : draw_progress)(picture, m, err);
    free(m);
    return status;
}
