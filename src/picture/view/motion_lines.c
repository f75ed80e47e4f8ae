// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/motion_lines.h"

#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "model/model_impl.h"
#include "picture/canvas/label.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 400 }; // events that can be told apart

ss_span ss_span_empty(void) { return (ss_span){INFINITY, -INFINITY}; }

void ss_span_add(ss_span* span, double value)
{
    if (!isfinite(value)) return;
    span->low = fmin(span->low, value);
    span->high = fmax(span->high, value);
}

ss_span ss_span_filled(ss_span span) { return span.low <= span.high ? span : (ss_span){0.0, 0.0}; }

bool ss_span_is_point(ss_span span)
{
    return !(span.high - span.low > SS_CLEAR * fmax(fabs(span.low), fabs(span.high)));
}

// ---- over time

static int panel_lines(const ss_model* model, ss_panel panel)
{
    return panel == SS_PANEL_FORCE ? ss_model_contact_count(model) : ss_model_body_count(model);
}

static double panel_value(const ss_sketch* sketch, ss_panel panel, int line, int moment)
{
    int lines = panel_lines(sketch->model, panel);
    size_t at = (size_t)moment * (size_t)lines + (size_t)line;
    if (panel == SS_PANEL_FORCE) return sketch->contacts[at].force;
    return panel == SS_PANEL_X ? sketch->x[at] : sketch->v[at];
}

ss_span ss_panel_span(const ss_sketch* sketch, ss_panel panel)
{
    ss_span span = ss_span_empty();
    for (int k = 0; k < sketch->count; k++)
        for (int line = 0; line < panel_lines(sketch->model, panel); line++)
            ss_span_add(&span, panel_value(sketch, panel, line, k));
    return ss_span_filled(span);
}

const char* ss_panel_label(const ss_model* model, ss_panel panel)
{
    static const char* const labels[][3] = {
        // lengths, angles, both
        [SS_PANEL_X] = {"x (m)", "x (rad)", "x (m, rad)"},
        [SS_PANEL_V] = {"v (m/s)", "v (rad/s)", "v (m/s, rad/s)"},
        [SS_PANEL_FORCE] = {"force (N)", "torque (N*m)", "force (N, N*m)"}};
    int lines = panel_lines(model, panel), angular = 0;
    for (int k = 0; k < lines; k++)
        angular += panel == SS_PANEL_FORCE ? ss_model_contact_is_angular(model, k)
                                           : ss_model_body_is_angular(model, k);
    return labels[panel][angular == 0 ? 0 : angular == lines ? 1 : 2];
}

ss_pen ss_series_pen(const ss_plot* plot, int number)
{
    const ss_theme* theme = ss_plot_theme(plot);
    bool again = number >= SS_THEME_SERIES; // colours come round dashed
    return (ss_pen){
        .color = theme->series[number % SS_THEME_SERIES], .width = 1.2, .dash = again ? 4 : 0, .pause = 2};
}

void ss_draw_runs(ss_plot* plot, const ss_sketch* sketch, const ss_point points[], const ss_pen* pen,
                  const char* name)
{
    int least = sketch->is_sampled ? 8 : 1; // single moments between stretches are not worth a stroke
    for (int from = 0, to; from < sketch->count; from = to) {
        for (to = from + 1; to < sketch->count && sketch->joined[to];) to++;
        if (to - from > least) ss_plot_line(plot, points + from, to - from, false, pen, NULL);
    }
    if (sketch->count == 1) ss_plot_dots(plot, points, 1, 2.0, pen->color, NULL);
    ss_plot_line(plot, NULL, 0, false, pen, name);
    if (sketch->is_sampled && name) ss_plot_remark(plot, "(only stretches of it)");
}

void ss_draw_panel_lines(ss_plot* plot, const ss_sketch* sketch, ss_panel panel)
{
    ss_point* points = ss_new((size_t)sketch->count, sizeof *points);
    if (!points) return; // the figure finds out by itself
    for (int line = 0; line < panel_lines(sketch->model, panel); line++) {
        ss_pen pen = ss_series_pen(plot, line);
        int count = 0;
        for (int k = 0; k < sketch->count; k++) {
            double value = panel_value(sketch, panel, line, k);
            if (isfinite(value)) points[count++] = (ss_point){sketch->t[k], value};
        }
        const char* name = panel == SS_PANEL_V       ? NULL
                           : panel == SS_PANEL_FORCE ? ss_model_contact_name(sketch->model, line)
                                                     : ss_model_body_name(sketch->model, line);
        ss_plot_line(plot, points, count, false, &pen, name);
        if (count == 1) ss_plot_dots(plot, points, 1, 2.0, pen.color, NULL);
    }
    free(points);
}

static bool sticks(const ss_sketch* sketch, int moment)
{
    const ss_model* model = sketch->model;
    int m = ss_model_contact_count(model), rough = 0;
    for (int i = 0; i < m; i++) {
        ss_mode mode = sketch->contacts[(size_t)moment * (size_t)m + (size_t)i].mode;
        if (mode == SS_MODE_SLIP_PLUS || mode == SS_MODE_SLIP_MINUS) return false;
        rough += mode == SS_MODE_STICK;
    }
    return rough > 0;
}

static void shade(ss_plot* plot, double from, double to, double low, double high)
{
    const ss_point corners[4] = {{from, low}, {to, low}, {to, high}, {from, high}};
    ss_plot_area(plot, corners, 4, ss_plot_theme(plot)->shade, NULL, NULL);
}

// One contact that may stick is called by its name; of several, all do at once where it is grey.
static const char* what_grey_says(const ss_model* model, char* out, size_t size)
{
    int rough = 0, only = 0;
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        ss_law_kind law = ss_model_contact_law(model, i);
        if (ss_law_has(law, SS_TRAIT_STOPS) || !ss_law_has(law, SS_TRAIT_HOLDS)) continue;
        rough++;
        only = i;
    }
    if (rough == 1)
        snprintf(out, size, "grey: %.60s sticks", ss_model_contact_name(model, only));
    else
        snprintf(out, size, "grey: all contacts stick");
    return out;
}

void ss_shade_sticks(ss_plot* plot, const ss_sketch* sketch, const ss_plot_axis* y, bool named)
{
    if (sketch->event_count > MOST_SHOWN) return; // a grey wall says nothing
    bool any = false;
    for (int k = 0; k < sketch->count;) {
        int end = k;
        while (end + 1 < sketch->count && sticks(sketch, end)) end++;
        if (end > k) shade(plot, sketch->t[k], sketch->t[end], y->from, y->to);
        any = any || end > k;
        k = end > k ? end : k + 1;
    }
    char name[100];
    if (any && named)
        ss_plot_legend(plot, ss_plot_theme(plot)->shade, what_grey_says(sketch->model, name, sizeof name));
}

void ss_draw_zero(ss_plot* plot, const ss_plot_axis* x, const ss_plot_axis* y)
{
    if (y->from > 0.0 || y->to < 0.0) return;
    const ss_point ends[2] = {{x->from, 0.0}, {x->to, 0.0}};
    const ss_pen pen = {.color = ss_plot_theme(plot)->faint, .width = 0.6};
    ss_plot_line(plot, ends, 2, false, &pen, NULL);
}

static bool holds(ss_mode mode) { return mode == SS_MODE_STICK || mode == SS_MODE_CLOSED; }

static void draw_lane(ss_plot* plot, const ss_sketch* sketch, int i, double height)
{
    int m = ss_model_contact_count(sketch->model);
    ss_color color = ss_plot_theme(plot)->series[i % SS_THEME_SERIES];
    for (int k = 0; k < sketch->count;) {
        int end = k;
        while (end + 1 < sketch->count && holds(sketch->contacts[(size_t)end * (size_t)m + (size_t)i].mode))
            end++;
        const ss_point corners[4] = {{sketch->t[k], height - 0.3},
                                     {sketch->t[end], height - 0.3},
                                     {sketch->t[end], height + 0.3},
                                     {sketch->t[k], height + 0.3}};
        if (end > k) ss_plot_area(plot, corners, 4, color, NULL, NULL);
        k = end > k ? end : k + 1;
    }
    const ss_pen pen = {.color = ss_plot_theme(plot)->ink, .width = 0.7};
    for (int k = 0; k < sketch->event_count && sketch->event_count <= MOST_SHOWN; k++) {
        if (sketch->events[k].contact != i) continue;
        const ss_point stroke[2] = {{sketch->events[k].t, height - 0.4}, {sketch->events[k].t, height + 0.4}};
        ss_plot_line(plot, stroke, 2, false, &pen, NULL);
    }
}

static const char* what_a_lane_shows(ss_law_kind law)
{
    if (ss_law_has(law, SS_TRAIT_STOPS)) return "closed";
    return ss_law_has(law, SS_TRAIT_HOLDS) ? "sticks" : "reversals"; // bristles never stick
}

void ss_draw_modes(ss_figure* figure, const ss_sketch* sketch, bool explain)
{
    int m = ss_model_contact_count(sketch->model);
    ss_plot_axis x = {"t (s)", sketch->begin,
                      sketch->end > sketch->begin ? sketch->end : sketch->begin + 1.0},
                 y = {NULL, 0.3, m + 0.7};
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    for (int i = 0; i < m; i++) {
        char name[100];
        draw_lane(plot, sketch, i, m - i);
        snprintf(name, sizeof name, "%.60s %s", ss_model_contact_name(sketch->model, i),
                 what_a_lane_shows(ss_model_contact_law(sketch->model, i)));
        ss_plot_legend(plot, ss_plot_theme(plot)->series[i % SS_THEME_SERIES], name);
    }
    if (explain && sketch->event_count > 0 && sketch->event_count <= MOST_SHOWN)
        ss_plot_remark(plot, "strokes: events");
}

// ---- phase plane

void ss_widen_by_body(const ss_sketch* sketch, int body, ss_span* x, ss_span* v)
{
    int n = ss_model_body_count(sketch->model);
    for (int k = 0; k < sketch->count; k++) {
        ss_span_add(x, sketch->x[(size_t)k * (size_t)n + (size_t)body]);
        ss_span_add(v, sketch->v[(size_t)k * (size_t)n + (size_t)body]);
    }
}

static bool body_is_held(const ss_sketch* sketch, int body, int moment)
{
    const ss_model* model = sketch->model;
    for (int i = 0; i < model->shown_count; i++) {
        const ss_row* row = &model->contacts[i].bodies;
        ss_mode mode = sketch->contacts[(size_t)moment * (size_t)model->shown_count + (size_t)i].mode;
        for (int k = 0; k < row->count && mode == SS_MODE_STICK; k++)
            if (row->index[k] == body) return true;
    }
    return false;
}

// By its start, or by what else is different.
static void name_start(const ss_sketch* sketch, ss_point start, char* out, size_t size)
{
    const char* label = sketch->label;
    if (label && !strstr(label, ".x=") && !strstr(label, ".v="))
        ss_label_changes(label, out, size);
    else
        ss_format(out, size, "from x = %.4g, v = %.4g", start.x, start.y);
}

// What sticks to the ground stays in one point of the plane: a dot says so. What is carried along draws a
// thick line. Returns which of the two there were: 1 for dots, 2 for lines, 3 for both.
static int draw_held(ss_plot* plot, const ss_sketch* sketch, int body, const ss_point points[],
                     const ss_pen* thick)
{
    int seen = 0;
    for (int k = 0; k < sketch->count;) {
        int end = k;
        ss_span across = ss_span_empty(), up = ss_span_empty();
        while (end + 1 < sketch->count && sketch->joined[end + 1] && body_is_held(sketch, body, end)) end++;
        for (int at = k; at <= end; at++) {
            ss_span_add(&across, points[at].x);
            ss_span_add(&up, points[at].y);
        }
        bool still = ss_span_is_point(across) && ss_span_is_point(up);
        bool last = end == sketch->count - 1 && sketch->outcome == SS_AT_REST; // has a dot of its own
        if (end > k && still && !last)
            ss_plot_dots(plot, points + k, 1, 0.5 * thick->width, thick->color, NULL);
        if (end > k && !still) ss_plot_line(plot, points + k, end - k + 1, false, thick, NULL);
        seen |= end == k || (still && last) ? 0 : still ? 1 : 2;
        k = end > k ? end : k + 1;
    }
    return seen;
}

void ss_draw_phase_line(ss_plot* plot, const ss_sketch* sketch, int body, int number)
{
    size_t n = (size_t)ss_model_body_count(sketch->model), b = (size_t)body;
    ss_point* points = ss_new((size_t)sketch->count, sizeof *points);
    if (!points) return;
    for (int k = 0; k < sketch->count; k++)
        points[k] = (ss_point){sketch->x[(size_t)k * n + b], sketch->v[(size_t)k * n + b]};
    ss_pen pen = ss_series_pen(plot, number), thick = pen;
    thick.width = 3.2;
    char name[80];
    name_start(sketch, points[0], name, sizeof name);
    ss_draw_runs(plot, sketch, points, &pen, name);
    int held = draw_held(plot, sketch, body, points, &thick);
    if ((held & 2) && number == 0) ss_plot_line(plot, NULL, 0, false, &thick, "thick: it sticks");
    if ((held & 1) && number == 0)
        ss_plot_dots(plot, NULL, 0, 0.5 * thick.width, thick.color, "small dot: it sticks");
    ss_plot_dots(plot, points, 1, 2.6, pen.color, NULL);
    if (sketch->outcome == SS_AT_REST)
        ss_plot_dots(plot, points + sketch->count - 1, 1, 3.4, ss_plot_theme(plot)->ink,
                     number == 0 ? "at rest" : NULL);
    free(points);
}
