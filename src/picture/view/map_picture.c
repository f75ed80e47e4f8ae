// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a map.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/map/basin_label.h"
#include "lab/sweep/sweep_map.h"
#include "picture/figure/chart.h"
#include "picture/view/plane.h"
#include "picture/view/slide.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 2000, MOST_DOTS = 20000, PALETTE = 12 };

// Light where it comes to rest, dark where it escapes, in between what still moves: told apart in grey, too.
// Several attractors have a tint each; where they are more than the tints, the smallest share one.
static const ss_color rest_tints[PALETTE] = {
    {0.965, 0.945, 0.875, 1}, {0.74, 0.86, 0.95, 1}, {0.98, 0.82, 0.66, 1}, {0.80, 0.91, 0.74, 1},
    {0.91, 0.80, 0.91, 1},    {0.97, 0.93, 0.58, 1}, {0.58, 0.78, 0.76, 1}, {0.95, 0.66, 0.64, 1},
    {0.70, 0.70, 0.87, 1},    {0.84, 0.74, 0.55, 1}, {0.65, 0.80, 0.53, 1}, {0.84, 0.62, 0.74, 1}};
static const ss_color escaped_tint = {0.26, 0.30, 0.37, 1}, moving_tint = {0.62, 0.55, 0.49, 1},
                      other_tint = {0.87, 0.87, 0.87, 1};

typedef struct drawing {
    const ss_map* map;
    const ss_basin* basin;
    int columns, rows; // of the raster
    unsigned char* rgb;
    bool seen_moving, seen_escaped, seen_rest;
    int attractors;
    int* tints; // of each attractor; PALETTE: that of the small ones
} drawing;

const char* ss_picture_map_refusal(const ss_basin* basin)
{
    if (basin->slider) return NULL; // it is drawn by where it ends
    if (basin->axis_count > 2) return "a map over more than two numbers has no picture";
    if (basin->random > 0 && basin->axis_count != 2) return "random starts need two --over to be drawn";
    for (int a = 0; a < basin->axis_count && basin->random == 0; a++)
        if (basin->axes[a].kind != SS_AXIS_EVEN) return "a map is drawn over even steps, FROM:TO:COUNT";
    return NULL;
}

static ss_color tint_of(const drawing* d, int attractor)
{
    return d->tints[attractor] < PALETTE ? rest_tints[d->tints[attractor]] : other_tint;
}

// Tints in the order of the attractors, for those to which most cells went.
static ss_status choose_tints(drawing* d, ss_error* err)
{
    if (d->attractors == 0) return SS_OK;
    const ss_attractor* all = ss_map_get_summary(d->map)->attractors;
    d->tints = ss_new((size_t)d->attractors, sizeof *d->tints);
    if (!d->tints) return ss_fail_no_memory(err);
    int next = 0;
    for (int k = 0; k < d->attractors; k++) {
        int larger = 0;
        for (int l = 0; l < d->attractors; l++)
            larger += all[l].cells > all[k].cells || (all[l].cells == all[k].cells && l < k);
        d->tints[k] = larger < PALETTE ? next++ : PALETTE;
    }
    return SS_OK;
}

static ss_color color_of(drawing* d, ss_fate fate, int32_t label)
{
    if (fate == SS_FATE_ESCAPED) d->seen_escaped = true;
    if (fate == SS_FATE_MOVING) d->seen_moving = true;
    if (fate == SS_FATE_REST) d->seen_rest = true;
    if (fate == SS_FATE_ESCAPED) return escaped_tint;
    if (label > 0) return tint_of(d, label - 1);
    return fate == SS_FATE_REST ? rest_tints[0] : moving_tint;
}

// ---- grids ----

static void put_pixel(drawing* d, int64_t cell, ss_color color)
{
    const ss_basin_axis* axes = d->basin->axes;
    int64_t i = cell % axes[0].count, j = cell / axes[0].count,
            rows = d->basin->axis_count > 1 ? axes[1].count : 1;
    int64_t column = i * d->columns / axes[0].count, row = d->rows - 1 - j * d->rows / rows;
    unsigned char* to = d->rgb + 3 * (row * d->columns + column);
    to[0] = (unsigned char)(255 * color.r + 0.5);
    to[1] = (unsigned char)(255 * color.g + 0.5);
    to[2] = (unsigned char)(255 * color.b + 0.5);
}

typedef void cell_sink(drawing* d, int64_t cell, ss_color color, void* user);

// Shows every cell, in order, to the sink.
static ss_status look(drawing* d, cell_sink* sink, void* user, ss_error* err)
{
    const ss_basin* basin = d->basin;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    int32_t* labels = ss_new((size_t)basin->block_cells, sizeof *labels);
    ss_status status = payload && labels ? SS_OK : ss_fail_no_memory(err);
    for (int64_t b = 0; b < basin->blocks && status == SS_OK; b++) {
        status = ss_journal_read(d->map->journal, b, payload, err);
        if (status == SS_OK && d->map->labels) status = ss_labels_read(d->map->labels, b, labels, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK; k++)
            sink(d, block.first + k, color_of(d, ss_cell_fate(&block, k), labels[k]), user);
    }
    free(payload);
    free(labels);
    return status;
}

static void to_pixel(drawing* d, int64_t cell, ss_color color, void* user)
{
    (void)user;
    put_pixel(d, cell, color);
}

// Half a step beyond the outermost values: a cell is a little square around its point.
static double half_step(const ss_basin_axis* axis)
{
    double width = axis->to - axis->from;
    if (axis->count < 2 || width == 0) return 0.5 * fmax(1, fabs(axis->from));
    return 0.5 * width / (double)(axis->count - 1);
}

// An axis that runs backwards is drawn forwards.
static void flip(drawing* d, bool columns)
{
    for (int row = 0; row < d->rows; row++) {
        for (int column = 0; column < d->columns; column++) {
            int r = columns ? row : d->rows - 1 - row, c = columns ? d->columns - 1 - column : column;
            if (r * d->columns + c <= row * d->columns + column) continue;
            for (int k = 0; k < 3; k++) {
                unsigned char *p = &d->rgb[3 * (row * d->columns + column) + k],
                              *q = &d->rgb[3 * (r * d->columns + c) + k], kept = *p;
                *p = *q;
                *q = kept;
            }
        }
    }
}

static ss_status make_raster(drawing* d, ss_error* err)
{
    const ss_basin_axis* axes = d->basin->axes;
    int64_t rows = d->basin->axis_count > 1 ? axes[1].count : 1;
    d->columns = (int)(axes[0].count < MOST_PIXELS ? axes[0].count : MOST_PIXELS);
    d->rows = (int)(rows < MOST_PIXELS ? rows : MOST_PIXELS);
    d->rgb = ss_new(3 * (size_t)d->columns * (size_t)d->rows, 1);
    if (!d->rgb) return ss_fail_no_memory(err);
    ss_status status = look(d, to_pixel, NULL, err);
    if (axes[0].from > axes[0].to) flip(d, true);
    if (d->basin->axis_count > 1 && axes[1].from > axes[1].to) flip(d, false);
    return status;
}

// ---- axes ----

static const char* axis_label(const ss_basin* basin, int axis, char* out, size_t size)
{
    char unit[40];
    ss_basin_axis_unit(basin, axis, unit, sizeof unit);
    snprintf(out, size, unit[0] ? "%s (%s)" : "%s", basin->axes[axis].path, unit);
    return out;
}

static ss_plot_axis plot_axis(const ss_basin* basin, int axis, char* label, size_t size)
{
    if (axis >= basin->axis_count) return (ss_plot_axis){NULL, 0, 1};
    const ss_basin_axis* a = &basin->axes[axis];
    double half = basin->random > 0 ? 0 : fabs(half_step(a));
    if (basin->random > 0 && a->from == a->to) half = 0.5 * fmax(1, fabs(a->from));
    return (ss_plot_axis){axis_label(basin, axis, label, size), fmin(a->from, a->to) - half,
                          fmax(a->from, a->to) + half};
}

// Two positions, or two speeds, of the same kind and about the same range share one scale.
static bool is_square(const ss_basin* basin, const ss_plot_axis* x, const ss_plot_axis* y)
{
    if (basin->axis_count != 2) return false;
    const ss_axis_target *a = &basin->targets[0], *b = &basin->targets[1];
    if (a->body < 0 || b->body < 0 || a->speed != b->speed) return false;
    double ratio = (x->to - x->from) / (y->to - y->from);
    return ratio > 0.4 && ratio < 2.5;
}

// ---- random starts ----

typedef struct dots {
    ss_point* at;
    ss_color* colors;
    int count;
    double values[2];
} dots;

static void to_dot(drawing* d, int64_t cell, ss_color color, void* user)
{
    dots* to = user;
    if (cell >= MOST_DOTS) return; // more would only make the file large
    ss_basin_coordinates(d->basin, cell, to->values);
    to->at[to->count] = (ss_point){to->values[0], to->values[1]};
    to->colors[to->count++] = color;
}

static bool same_color(ss_color a, ss_color b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

// Moves the dots of the first one's colour to the front; how many they are.
static int gather_color(dots* all, int from)
{
    int to = from;
    ss_color color = all->colors[from];
    for (int k = from; k < all->count; k++) {
        if (!same_color(all->colors[k], color)) continue;
        ss_point at = all->at[k];
        all->at[k] = all->at[to];
        all->colors[k] = all->colors[to];
        all->at[to] = at;
        all->colors[to++] = color;
    }
    return to - from;
}

static ss_status draw_dots(drawing* d, ss_plot* plot, ss_error* err)
{
    size_t room = (size_t)(d->basin->cells < MOST_DOTS ? d->basin->cells : MOST_DOTS);
    dots all = {.at = ss_new(room, sizeof *all.at), .colors = ss_new(room, sizeof *all.colors)};
    ss_status status = all.at && all.colors ? look(d, to_dot, &all, err) : ss_fail_no_memory(err);
    double radius = d->basin->cells < 2000 ? 2 : 1;
    for (int from = 0, count; from < all.count && status == SS_OK; from += count) {
        count = gather_color(&all, from);
        ss_color color = all.colors[from];
        if (color.r > 0.7) // light dots need a rim
            ss_plot_dots(plot, all.at + from, count, radius + 0.4, (ss_color){0, 0, 0, 1}, NULL);
        ss_plot_dots(plot, all.at + from, count, radius, color, NULL);
    }
    free(all.at);
    free(all.colors);
    return status;
}

// ---- the picture ----

// How far a body's places of rest (amplitudes of its motions) differ between the attractors.
static double spread_of(const ss_basin_summary* summary, int body)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < summary->attractor_count; k++) {
        const ss_attractor* a = &summary->attractors[k];
        const double* values = a->place ? a->place : a->amplitude;
        if (!values || isnan(values[body])) continue;
        low[!a->place] = fmin(low[!a->place], values[body]);
        high[!a->place] = fmax(high[!a->place], values[body]);
    }
    return fmax(0, fmax(high[0] - low[0], high[1] - low[1]));
}

// The body that tells the attractors apart best, other than `but`; -1: none.
static int description_body(const ss_basin_summary* summary, int but)
{
    const ss_model* model = ss_basin_model(summary->basin);
    int best = -1;
    double widest = -1;
    for (int b = 0; b < ss_model_body_count(model); b++) {
        double spread = b == but || ss_model_body_is_driven(model, b) ? -1 : spread_of(summary, b);
        if (spread <= widest) continue;
        widest = spread;
        best = b;
    }
    return but >= 0 && widest <= 0 ? -1 : best;
}

// "rest near block.x = 0.52 m", "repeats, block.x +-0.3 m"
static const char* name_attractor(const ss_basin_summary* summary, int k, const int bodies[2], char* out,
                                  size_t size)
{
    static const char* const kinds[] = {[SS_ATTRACTOR_REST] = "rest near",
                                        [SS_ATTRACTOR_STEADY] = "steady sliding",
                                        [SS_ATTRACTOR_MOTION] = "repeats"};
    const ss_attractor* a = &summary->attractors[k];
    const ss_model* model = ss_basin_model(summary->basin);
    const double* values = a->place ? a->place : a->amplitude;
    size_t used = (size_t)snprintf(out, size, "%s%s", kinds[a->kind], !a->place && values ? "," : "");
    for (int i = 0; i < 2 && values && bodies[i] >= 0 && used < size; i++) {
        if (isnan(values[bodies[i]])) continue;
        used += (size_t)snprintf(out + used, size - used, "%s %.30s.x %s%.3g %s", i ? "," : "",
                                 ss_model_body_name(model, bodies[i]), a->place ? "= " : "\u00b1",
                                 fabs(values[bodies[i]]) < SS_RELATIVE_ZERO ? 0.0 : values[bodies[i]],
                                 ss_model_body_is_angular(model, bodies[i]) ? "rad" : "m");
    }
    return out;
}

static void name_attractors(const drawing* d, ss_plot* plot)
{
    char name[120];
    const ss_basin_summary* summary = ss_map_get_summary(d->map);
    int bodies[2] = {description_body(summary, -1), -1};
    if (bodies[0] >= 0) bodies[1] = description_body(summary, bodies[0]);
    for (int k = 0; k < d->attractors; k++)
        if (d->tints[k] < PALETTE)
            ss_plot_legend(plot, tint_of(d, k), name_attractor(summary, k, bodies, name, sizeof name));
    if (d->attractors <= PALETTE) return;
    snprintf(name, sizeof name, "%d smaller ones", d->attractors - PALETTE);
    ss_plot_legend(plot, other_tint, name);
}

static void name_colors(drawing* d, ss_plot* plot)
{
    name_attractors(d, plot);
    if (d->attractors == 0 && d->seen_rest) ss_plot_legend(plot, rest_tints[0], "comes to rest");
    if (d->seen_escaped) ss_plot_legend(plot, escaped_tint, "escapes");
    if (d->seen_moving) ss_plot_legend(plot, moving_tint, "still moving");
}

static ss_status draw_outcomes(drawing* d, ss_plot* plot, const ss_plot_axis* x, const ss_plot_axis* y,
                               ss_error* err)
{
    if (d->basin->random == 0) {
        ss_plot_image(plot, x->from, y->from, x->to, y->to, &(ss_raster){d->columns, d->rows, d->rgb});
        return SS_OK;
    }
    return draw_dots(d, plot, err);
}

static ss_status draw(drawing* d, ss_figure* figure, ss_error* err)
{
    const ss_basin* basin = d->basin;
    char x_label[160], y_label[160];
    ss_plot_axis x = plot_axis(basin, 0, x_label, sizeof x_label),
                 y = plot_axis(basin, 1, y_label, sizeof y_label);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, is_square(basin, &x, &y));
    ss_status status = draw_outcomes(d, plot, &x, &y, err);
    name_colors(d, plot);
    ss_box box = {x.from, y.from, x.to - x.from, y.to - y.from};
    ss_plane_axes axes = {.body = {-1, -1}};
    for (int a = 0; a < 2 && a < basin->axis_count; a++)
        axes.body[a] = ss_basin_axis_body(basin, a, &axes.speed[a]);
    if (status == SS_OK && basin->axis_count == 2 && basin->parameter_count == 0)
        status = ss_plane_draw(plot, basin->model, &axes, &box, err);
    if (status == SS_OK && basin->axis_count == 2 && basin->parameter_count > 0)
        status = ss_chart_draw(plot, basin, &box, err);
    return status == SS_OK ? ss_figure_finish(figure, err) : status;
}

ss_status ss_picture_map(const ss_map* map, const ss_sheet* sheet, ss_error* err)
{
    if (map->basin->slider) return ss_picture_slider_map(map, sheet, err);
    drawing d = {.map = map, .basin = map->basin};
    d.attractors = map->labels ? ss_labels_count(map->labels) : 0;
    ss_figure_def def = {.sheet = *sheet, .title = ss_model_title(map->basin->model), .width = 520};
    def.height = map->basin->axis_count > 1 ? 400 : 140;
    ss_figure* figure = NULL;
    ss_status status = ss_map_need_whole(map, err);
    if (status == SS_OK) status = choose_tints(&d, err);
    if (status == SS_OK && map->basin->random == 0) status = make_raster(&d, err);
    if (status == SS_OK) status = ss_figure_create(&def, &figure, err);
    if (status == SS_OK) status = draw(&d, figure, err);
    ss_figure_destroy(figure);
    free(d.rgb);
    free(d.tints);
    return status;
}
