// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a scan: points over the number that varies (a bifurcation diagram), or at a single value the
// second number shown over the first (a Poincare section); measures as lines over one number or as colours
// over two. Many points become a raster of how many fall onto a pixel, so that a million of them take no more
// room than a few thousand.
#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "lab/scan/scan_impl.h"
#include "lab/sweep/sweep_map.h"
#include "picture/figure/chart.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOTS = 4000, LEAST_COLUMNS = 600, MOST_COLUMNS = 1200, ROWS = 500, MOST_PLOTS = 4, SHADES = 6 };

// From dark to light, told apart in grey, too (close to viridis).
static const ss_color scale[] = {{0.267, 0.005, 0.329, 1}, {0.254, 0.265, 0.530, 1},
                                 {0.164, 0.471, 0.558, 1}, {0.135, 0.659, 0.518, 1},
                                 {0.478, 0.821, 0.318, 1}, {0.993, 0.906, 0.144, 1}};

// One plot: a column of the scan over its first axis, or over another column.
typedef struct panel {
    int column;
    double low, high;
    unsigned* counts;   // of points, per pixel
    unsigned char* rgb; // of the raster
    ss_point* points;   // of dots or of a line
    int count;
} panel;

typedef struct drawing {
    const ss_scan* scan;
    const ss_map* map;
    int64_t rows, cell; // of the scan; the row at hand
    int columns, lines; // of the raster
    double from, to;    // of the first axis, in order; of `across` where that is drawn instead
    int over;           // column that runs to the right: 0 is the first axis
    panel panels[MOST_PLOTS];
    int panel_count;
    bool dots, heat;
    bool plane;   // one value: the second number shown over the first
    panel across; // of a plane: the first number shown
} drawing;

const char* ss_picture_scan_refusal(const ss_scan* scan)
{
    if (scan->measure_count == 0 && scan->cells->axis_count > 1)
        return "points over two numbers have no picture; measure them, or vary one";
    for (int a = 0; a < scan->cells->axis_count && scan->cells->axis_count > 1; a++)
        if (scan->cells->axes[a].kind != SS_AXIS_EVEN)
            return "a picture over two numbers needs even steps, FROM:TO:COUNT";
    for (int c = scan->cells->axis_count; c < scan->column_count; c++)
        if (scan->measure_count > 0 || scan->show[c - scan->cells->axis_count].kind != SS_QUANTITY_TIME)
            return NULL;
    return "the times of sections alone have no picture; show another number";
}

// ---- what there is to draw

static void choose_panels(drawing* d)
{
    int axes = d->scan->cells->axis_count;
    for (int c = axes; c < d->scan->column_count && d->panel_count < MOST_PLOTS; c++) {
        if (d->scan->measure_count == 0 && d->scan->show[c - axes].kind == SS_QUANTITY_TIME) continue;
        d->panels[d->panel_count++] = (panel){.column = c, .low = INFINITY, .high = -INFINITY};
    }
}

static bool measure_range(void* user, const double rows[], size_t count)
{
    drawing* d = user;
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < d->panel_count; p++) {
            double value = rows[k * (size_t)d->scan->column_count + (size_t)d->panels[p].column];
            if (!isfinite(value)) continue;
            d->panels[p].low = fmin(d->panels[p].low, value);
            d->panels[p].high = fmax(d->panels[p].high, value);
        }
    d->rows += (int64_t)count;
    return true;
}

// Values that are the same to rounding are one value: their differences have no colours.
static void flatten(panel* p)
{
    double size = fmax(fabs(p->low), fabs(p->high));
    if (p->low < p->high && p->high - p->low <= SS_FAINT * size) p->low = p->high = 0.5 * (p->low + p->high);
}

// ---- points and lines

static int column_of(const drawing* d, double value)
{
    double share = d->to > d->from ? (value - d->from) / (d->to - d->from) : 0.5;
    return (int)fmin(fmax(share * d->columns, 0.0), d->columns - 1.0);
}

static void add_point(drawing* d, panel* p, double over, double value)
{
    if (d->dots) {
        p->points[p->count++] = (ss_point){over, value};
        return;
    }
    if (!isfinite(value) || !isfinite(over)) return;
    double share = p->high > p->low ? (value - p->low) / (p->high - p->low) : 0.5;
    int line = (int)fmin(fmax((1.0 - share) * d->lines, 0.0), d->lines - 1.0);
    p->counts[line * d->columns + column_of(d, over)]++;
}

static bool add_points(void* user, const double rows[], size_t count)
{
    drawing* d = user;
    for (size_t k = 0; k < count; k++) {
        const double* row = rows + k * (size_t)d->scan->column_count;
        for (int p = 0; p < d->panel_count; p++)
            add_point(d, &d->panels[p], row[d->over], row[d->panels[p].column]);
    }
    return true;
}

static void blend(unsigned char* to, ss_color paper, ss_color ink, double share)
{
    to[0] = (unsigned char)(255.0 * (paper.r + share * (ink.r - paper.r)) + 0.5);
    to[1] = (unsigned char)(255.0 * (paper.g + share * (ink.g - paper.g)) + 0.5);
    to[2] = (unsigned char)(255.0 * (paper.b + share * (ink.b - paper.b)) + 0.5);
}

// One point is well seen, and pixels with many are darker.
static void shade(const drawing* d, panel* p, const ss_theme* theme)
{
    for (int k = 0; k < d->columns * d->lines; k++) {
        double share = p->counts[k] == 0 ? 0.0 : 1.0 - 0.55 * exp(-0.25 * (p->counts[k] - 1.0));
        blend(p->rgb + 3 * k, theme->paper, theme->ink, share);
    }
}

// ---- colours over two numbers

static void color_of(double share, unsigned char* to)
{
    double at = fmin(fmax(share, 0.0), 1.0) * (SHADES - 1);
    int k = at >= SHADES - 1 ? SHADES - 2 : (int)at;
    blend(to, scale[k], scale[k + 1], at - k);
}

static bool add_colors(void* user, const double rows[], size_t count)
{
    drawing* d = user;
    const ss_basin_axis* axes = d->scan->cells->axes;
    for (size_t k = 0; k < count; k++, d->cell++) {
        int64_t i = d->cell % axes[0].count, j = d->cell / axes[0].count;
        if (axes[0].from > axes[0].to) i = axes[0].count - 1 - i;
        if (axes[1].from > axes[1].to) j = axes[1].count - 1 - j;
        int64_t column = i * d->columns / axes[0].count, line = d->lines - 1 - j * d->lines / axes[1].count;
        for (int p = 0; p < d->panel_count; p++) {
            panel* to = &d->panels[p];
            double value = rows[k * (size_t)d->scan->column_count + (size_t)to->column];
            unsigned char* pixel = to->rgb + 3 * (line * d->columns + column);
            if (isfinite(value))
                color_of(to->high > to->low ? (value - to->low) / (to->high - to->low) : 0.0, pixel);
            else
                memset(pixel, 255, 3); // nothing to tell
        }
    }
    return true;
}

// ---- the picture

static bool make_room(drawing* d)
{
    size_t pixels = (size_t)d->columns * (size_t)d->lines;
    for (int p = 0; p < d->panel_count; p++) {
        panel* to = &d->panels[p];
        if (d->dots) {
            to->points = ss_new((size_t)d->rows, sizeof *to->points);
        } else {
            to->rgb = ss_new(3 * pixels, 1);
            if (!d->heat) to->counts = ss_new(pixels, sizeof *to->counts);
        }
        if (!(d->dots ? (void*)to->points : (void*)to->rgb) || (!d->dots && !d->heat && !to->counts))
            return false;
    }
    return true;
}

// The first number shown takes the place of the axis, and the second is the only one that is drawn over it.
static void choose_plane(drawing* d)
{
    const ss_basin* cells = d->scan->cells;
    d->plane = cells->axis_count == 1 && cells->axes[0].count == 1 && d->scan->measure_count == 0 &&
               d->panel_count > 1;
    if (!d->plane) return;
    d->across = d->panels[0];
    d->over = d->across.column;
    d->panels[0] = d->panels[1];
    d->panel_count = 1;
}

static void choose_raster(drawing* d)
{
    const ss_basin* cells = d->scan->cells;
    int64_t across = cells->axes[0].count, up = d->heat ? cells->axes[1].count : ROWS / d->panel_count;
    double a = cells->axes[0].from, b = cells->axes[0].to;
    double half = across > 1 ? 0.5 * fabs(b - a) / (double)(across - 1) : 0.5 * fmax(1.0, fabs(a));
    if (!d->heat && across < LEAST_COLUMNS) // every value in the middle of as many columns
        across *= (LEAST_COLUMNS / across) | 1;
    d->columns = (int)(across < MOST_COLUMNS ? across : MOST_COLUMNS);
    d->lines = (int)(up < MOST_COLUMNS ? up : MOST_COLUMNS);
    d->from = fmin(a, b) - half;
    d->to = fmax(a, b) + half;
    if (d->plane && d->across.high >= d->across.low) {
        ss_plot_axis around = ss_axis_around(NULL, d->across.low, d->across.high);
        d->columns = LEAST_COLUMNS;
        d->from = around.from;
        d->to = around.to;
    }
}

static const char* label_of(const drawing* d, int column, char* out, size_t size)
{
    const ss_scan* scan = d->scan;
    char room[64] = "";
    const char* unit = ss_scan_unit(scan, column, room, sizeof room);
    bool none = !unit[0] || strcmp(unit, "1") == 0;
    snprintf(out, size, none ? "%s" : "%s (%s)", scan->columns[column], unit);
    return out;
}

static void draw_heat(const drawing* d, ss_figure* figure, const panel* p)
{
    const ss_basin_axis* second = &d->scan->cells->axes[1];
    char x_label[160], y_label[160], name[200];
    double half = second->count > 1 ? 0.5 * fabs(second->to - second->from) / (double)(second->count - 1)
                                    : 0.5 * fmax(1.0, fabs(second->from));
    ss_plot_axis x = {label_of(d, 0, x_label, sizeof x_label), d->from, d->to},
                 y = {label_of(d, 1, y_label, sizeof y_label), fmin(second->from, second->to) - half,
                      fmax(second->from, second->to) + half};
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    ss_plot_image(plot, x.from, y.from, x.to, y.to, &(ss_raster){d->columns, d->lines, p->rgb});
    ss_plot_remark(plot, label_of(d, p->column, name, sizeof name));
    double step = (p->high - p->low) / (SHADES - 1), size = fmax(fabs(p->low), fabs(p->high));
    int digits =
        step > 0 ? (int)fmax(4.0, 2.0 + ceil(log10(size / step))) : 4; // that tell one colour from the next
    for (int k = step > 0 ? SHADES - 1 : 0; k >= 0 && p->high >= p->low; k--) {
        ss_format(name, sizeof name, "%.*g%s", digits, p->low + k * step, step > 0 ? "" : " everywhere");
        ss_plot_legend(plot, scale[k], name);
    }
}

static void draw_panel(const drawing* d, ss_figure* figure, panel* p, bool last)
{
    char x_label[200], y_label[200];
    bool some = p->high >= p->low;
    const char* right = d->plane ? label_of(d, d->across.column, x_label, sizeof x_label)
                                 : label_of(d, 0, x_label, sizeof x_label);
    ss_plot_axis x = {last ? right : NULL, d->from, d->to},
                 y = ss_axis_around(label_of(d, p->column, y_label, sizeof y_label), some ? p->low : 0.0,
                                    some ? p->high : 1.0);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, false);
    const ss_theme* theme = ss_plot_theme(plot);
    if (!some) ss_plot_note(plot, "no value has so many sections");
    if (!d->dots && some) {
        double flat = p->high > p->low ? 0.0 : 0.25 * (y.to - y.from) / d->lines;
        shade(d, p, theme);
        ss_plot_image(plot, d->from, p->low - flat, d->to, p->high + flat,
                      &(ss_raster){d->columns, d->lines, p->rgb});
    } else if (d->scan->measure_count > 0 && p->count > 1) {
        ss_plot_line(plot, p->points, p->count, false, &(ss_pen){.color = theme->series[0], .width = 1.4},
                     NULL);
        if (p->count <= 60) ss_plot_dots(plot, p->points, p->count, 1.8, theme->series[0], NULL);
    } else {
        ss_plot_dots(plot, p->points, p->count, p->count > 1000 ? 0.7 : 1.2, theme->ink, NULL);
    }
}

static ss_status draw(drawing* d, const ss_sheet* sheet, ss_error* err)
{
    char title[400];
    const ss_basin_axis* axis = &d->scan->cells->axes[0];
    if (d->plane)
        ss_format(title, sizeof title, "%.200s: %.120s = %.6g", ss_model_title(d->scan->cells->model),
                  axis->path, axis->from);
    else
        snprintf(title, sizeof title, "%s", ss_model_title(d->scan->cells->model));
    ss_figure_def def = {.sheet = *sheet,
                         .title = title,
                         .width = 520,
                         .height = d->panel_count > 1 ? 220.0 * d->panel_count : 400.0,
                         .plots = d->panel_count};
    ss_figure* figure = NULL;
    ss_status status = ss_figure_create(&def, &figure, err);
    for (int p = 0; p < d->panel_count && status == SS_OK; p++) {
        if (d->heat)
            draw_heat(d, figure, &d->panels[p]);
        else
            draw_panel(d, figure, &d->panels[p], p == d->panel_count - 1);
    }
    if (status == SS_OK) status = ss_figure_finish(figure, err);
    ss_figure_destroy(figure);
    return status;
}

ss_status ss_picture_scan(const ss_scan* scan, const ss_map* map, const ss_sheet* sheet, ss_error* err)
{
    drawing d = {.scan = scan, .map = map};
    const char* refusal = ss_picture_scan_refusal(scan);
    if (refusal) return ss_fail(err, SS_BAD_INPUT, NULL, "%s", refusal);
    choose_panels(&d);
    d.heat = scan->cells->axis_count > 1;
    ss_status status = ss_scan_read(scan, map, measure_range, &d, err);
    if (status != SS_OK) return status;
    for (int p = 0; d.heat && p < d.panel_count; p++) flatten(&d.panels[p]);
    choose_plane(&d);
    d.dots = !d.heat && (scan->measure_count > 0 || d.rows <= MOST_DOTS);
    choose_raster(&d);
    status = make_room(&d) ? ss_scan_read(scan, map, d.heat ? add_colors : add_points, &d, err)
                           : ss_fail_no_memory(err);
    if (status == SS_OK) status = draw(&d, sheet, err);
    for (int p = 0; p < d.panel_count; p++) {
        free(d.panels[p].points);
        free(d.panels[p].counts);
        free(d.panels[p].rgb);
    }
    return status;
}
