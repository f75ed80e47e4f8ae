// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a fit.
#include "core/error.h"
#include "lab/fit/fit_impl.h"
#include "picture/view/motion_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOTS = 3000 }; // of a trace in a recording: more would only make the file large

typedef struct drawing {
    const ss_fit_problem* problem;
    ss_figure* figure;
    ss_point *data, *model, *left; // of one trace in one recording: what takes part
    ss_point* out;                 // and samples that do not: next to events
    int count, model_count, out_count;
} drawing;

// Samples of a trace in a recording, thinned out evenly where there are too many. The model's line goes on
// where samples are left out.
static void gather(drawing* d, int recording, int trace)
{
    const ss_fit_problem* p = d->problem;
    long total = 0, seen = 0;
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++) total += p->rows[i].trace == trace;
    long stride = 1 + total / MOST_DOTS;
    d->count = d->model_count = d->out_count = 0;
    for (long i = p->first[recording]; i < p->first[recording + 1]; i++) {
        if (p->rows[i].trace != trace || seen++ % stride != 0) continue;
        double t = p->rows[i].time;
        d->model[d->model_count++] = (ss_point){t, p->scratch.values[i]};
        if (!ss_fit_takes_part(p, i)) {
            d->out[d->out_count++] = (ss_point){t, p->rows[i].value};
            continue;
        }
        d->data[d->count] = (ss_point){t, p->rows[i].value};
        d->left[d->count++] = (ss_point){t, p->rows[i].value - p->scratch.values[i]};
    }
}

typedef struct span {
    double t0, t1, low, high, most; // times, values, largest residual
} span;

static span find_span(const ss_fit_problem* p, int trace)
{
    span s = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0.0};
    for (long i = 0; i < p->m; i++) {
        const ss_fit_row* row = &p->rows[i];
        s.t0 = fmin(s.t0, row->time);
        s.t1 = fmax(s.t1, row->time);
        if (row->trace != trace) continue;
        s.low = fmin(s.low, fmin(row->value, p->scratch.values[i]));
        s.high = fmax(s.high, fmax(row->value, p->scratch.values[i]));
        if (ss_fit_takes_part(p, i)) s.most = fmax(s.most, fabs(row->value - p->scratch.values[i]));
    }
    if (s.low > s.high) s.low = s.high = 0.0; // a trace without samples
    return s;
}

// What was recorded lies as grey dots below the line of the model, wide enough to be seen beside it.
static void draw_samples(drawing* d, ss_plot* plot, int trace, int recording, bool* left_out_named)
{
    const ss_fit_problem* p = d->problem;
    const ss_theme* theme = ss_plot_theme(plot);
    ss_pen pen = {.color = theme->series[recording % SS_THEME_SERIES], .width = 1.1};
    ss_color grey = {0.5 * (theme->ink.r + theme->paper.r), 0.5 * (theme->ink.g + theme->paper.g),
                     0.5 * (theme->ink.b + theme->paper.b), 1.0};
    char fitted[40] = "fitted";
    if (p->def.recording_count > 1) snprintf(fitted, sizeof fitted, "fitted, recording %d", recording + 1);
    gather(d, recording, trace);
    ss_plot_dots(plot, d->data, d->count, 1.7, grey, trace == 0 && recording == 0 ? "recorded" : NULL);
    ss_plot_rings(plot, d->out, d->out_count, 1.7, grey,
                  *left_out_named || d->out_count == 0 ? NULL : "left out, at an event");
    *left_out_named = *left_out_named || d->out_count > 0;
    ss_plot_line(plot, d->model, d->model_count, false, &pen, trace == 0 ? fitted : NULL);
}

static void draw_trace(drawing* d, int trace, bool last)
{
    const ss_fit_problem* p = d->problem;
    const ss_fit_column* column = &p->columns[trace];
    span s = find_span(p, trace);
    char label[160], residual_label[96];
    bool bare = strcmp(column->unit, "1") == 0, named = false;
    snprintf(label, sizeof label, bare ? "%.60s" : "%.60s (%s)", column->shows, column->unit);
    snprintf(residual_label, sizeof residual_label, bare ? "residual" : "residual (%s)", column->unit);
    ss_plot_axis x = {NULL, s.t0, s.t1 > s.t0 ? s.t1 : s.t0 + 1.0}, below = x;
    below.label = last ? "t (s)" : NULL;
    ss_plot_axis y = ss_axis_around(label, s.low, s.high),
                 rest = ss_axis_around(residual_label, -s.most, s.most);
    ss_plot* plot = ss_figure_plot(d->figure, &x, &y, false);
    for (int r = 0; plot && r < p->def.recording_count; r++) draw_samples(d, plot, trace, r, &named);
    plot = ss_figure_plot(d->figure, &below, &rest, false);
    ss_draw_zero(plot, &below, &rest);
    for (int r = 0; plot && r < p->def.recording_count; r++) {
        const ss_theme* theme = ss_plot_theme(plot);
        gather(d, r, trace);
        ss_plot_dots(plot, d->left, d->count, 1.0, theme->series[r % SS_THEME_SERIES], NULL);
    }
}

static ss_status draw_all(drawing* d, const char* title, const ss_sheet* sheet, ss_error* err)
{
    int traces = d->problem->def.trace_count;
    double* weights = ss_new(2 * (size_t)traces, sizeof *weights);
    if (!weights) return ss_fail_no_memory(err);
    for (int k = 0; k < 2 * traces; k++) weights[k] = k % 2 == 0 ? 1.0 : 0.4;
    ss_figure_def def = {.sheet = *sheet,
                         .title = title,
                         .width = 560,
                         .height = 120 + 240 * traces,
                         .plots = 2 * traces,
                         .weights = weights};
    ss_status status = ss_figure_create(&def, &d->figure, err);
    for (int c = 0; c < traces && status == SS_OK; c++) draw_trace(d, c, c == traces - 1);
    if (status == SS_OK) status = ss_figure_finish(d->figure, err);
    ss_figure_destroy(d->figure);
    free(weights);
    return status;
}

ss_status ss_picture_fit(const ss_fit* fit, const char* title, const ss_sheet* sheet, ss_error* err)
{
    ss_fit_problem* p = fit->problem;
    if (isinf(ss_fit_cost(p, fit->x))) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no motion to draw");
    size_t room = MOST_DOTS + 2;
    drawing d = {.problem = p};
    ss_point* points = ss_new(4 * room, sizeof *points);
    if (!points) return ss_fail_no_memory(err);
    d.data = points;
    d.model = points + room;
    d.left = points + 2 * room;
    d.out = points + 3 * room;
    ss_status status = draw_all(&d, title, sheet, err);
    free(points);
    return status;
}
