// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The picture of a map of a slider: where it ends, seen from above. Behind the dots, one per start, lies
// their density: each spreads over a neighbourhood of its own width [Silverman 1986, (4.14), n^(-1/6) in the
// plane].
#include "core/error.h"
#include "lab/sweep/sweep_map.h"
#include "picture/figure/figure.h"
#include "picture/view/slide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOTS = 20000, PIXELS = 160, FEW = 200, FATES = 3 };
static const ss_color tints[FATES] = {{0.10, 0.32, 0.55, 1}, {0.75, 0.30, 0.16, 1}, {0.62, 0.55, 0.49, 1}};
static const char* const names[FATES] = {"comes to rest", "escapes", "still moving"};

typedef struct ends {
    ss_point* at[FATES];
    int count[FATES];
    double low[2], high[2];
    unsigned char* rgb; // of the density, until the figure is finished
} ends;

static void add(ends* e, ss_fate fate, const double x[2])
{
    if (!isfinite(x[0]) || !isfinite(x[1])) return;
    for (int i = 0; i < 2 && fate != SS_FATE_ESCAPED; i++) {
        e->low[i] = fmin(e->low[i], x[i]);
        e->high[i] = fmax(e->high[i], x[i]);
    }
    e->at[fate][e->count[fate]++] = (ss_point){x[0], x[1]};
}

static ss_status gather(const ss_map* map, ends* e, ss_error* err)
{
    const ss_basin* basin = map->basin;
    int64_t left = basin->cells < MOST_DOTS ? basin->cells : MOST_DOTS; // more would only make the file large
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    bool good = payload != NULL;
    for (int k = 0; k < FATES; k++) good = (e->at[k] = ss_new((size_t)left, sizeof *e->at[k])) && good;
    ss_status status = good ? SS_OK : ss_fail_no_memory(err);
    for (int i = 0; i < 2; i++) e->low[i] = INFINITY, e->high[i] = -INFINITY;
    for (int64_t b = 0; b < basin->blocks && status == SS_OK && left > 0; b++) {
        status = ss_journal_read(map->journal, b, payload, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK && left > 0; k++, left--)
            add(e, ss_cell_fate(&block, k), block.x + 3 * k);
    }
    free(payload);
    return status;
}

// ---- density

static void spread_of(const ss_point at[], int count, double out[2])
{
    double mean[2] = {0, 0}, square[2] = {0, 0};
    for (int k = 0; k < count; k++) {
        mean[0] += at[k].x / count;
        mean[1] += at[k].y / count;
    }
    for (int k = 0; k < count; k++) {
        square[0] += (at[k].x - mean[0]) * (at[k].x - mean[0]) / count;
        square[1] += (at[k].y - mean[1]) * (at[k].y - mean[1]) / count;
    }
    for (int i = 0; i < 2; i++) out[i] = sqrt(square[i]) * pow(count, -1.0 / 6.0);
}

// Adds a smooth hill of the given half widths (in pixels) round a place.
static void add_hill(double density[], double column, double row, double wide, double high)
{
    int reach_x = (int)(3.0 * wide) + 1, reach_y = (int)(3.0 * high) + 1;
    for (int j = (int)row - reach_y; j <= (int)row + reach_y; j++) {
        for (int i = (int)column - reach_x; i <= (int)column + reach_x; i++) {
            if (i < 0 || j < 0 || i >= PIXELS || j >= PIXELS) continue;
            double dx = (i + 0.5 - column) / wide, dy = (j + 0.5 - row) / high;
            density[j * PIXELS + i] += exp(-0.5 * (dx * dx + dy * dy));
        }
    }
}

static void find_density(const ends* e, const ss_plot_axis* x, const ss_plot_axis* y, double density[])
{
    const ss_point* at = e->at[SS_FATE_REST];
    int count = e->count[SS_FATE_REST];
    double width[2], per_x = PIXELS / (x->to - x->from), per_y = PIXELS / (y->to - y->from);
    spread_of(at, count, width);
    double wide = fmax(width[0] * per_x, 0.7), high = fmax(width[1] * per_y, 0.7);
    for (int k = 0; k < count; k++)
        add_hill(density, (at[k].x - x->from) * per_x, (y->to - at[k].y) * per_y, wide, high);
}

static ss_status draw_density(ends* e, ss_plot* plot, const ss_plot_axis* x, const ss_plot_axis* y,
                              ss_error* err)
{
    if (e->count[SS_FATE_REST] < FEW) return SS_OK;
    double *density = ss_new((size_t)PIXELS * PIXELS, sizeof *density), most = 0.0;
    e->rgb = ss_new((size_t)3 * PIXELS * PIXELS, 1);
    ss_status status = density && e->rgb ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) find_density(e, x, y, density);
    for (int k = 0; k < PIXELS * PIXELS && status == SS_OK; k++) most = fmax(most, density[k]);
    for (int k = 0; k < PIXELS * PIXELS && status == SS_OK; k++) {
        double share = density[k] / most; // from white to a warm tint
        const double to[3] = {0.96, 0.72, 0.36};
        for (int i = 0; i < 3; i++)
            e->rgb[3 * k + i] = (unsigned char)(255.0 * (1.0 - share * (1.0 - to[i])) + 0.5);
    }
    if (status == SS_OK)
        ss_plot_image(plot, x->from, y->from, x->to, y->to, &(ss_raster){PIXELS, PIXELS, e->rgb});
    free(density);
    return status;
}

// ---- the picture

static ss_status draw(ends* e, ss_figure* figure, ss_error* err)
{
    ss_plot_axis x = ss_axis_around("final x (m)", e->low[0], e->high[0]),
                 y = ss_axis_around("final y (m)", e->low[1], e->high[1]);
    double ratio = (x.to - x.from) / (y.to - y.from);
    ss_plot* plot = ss_figure_plot(figure, &x, &y, ratio > 0.4 && ratio < 2.5);
    ss_status status = draw_density(e, plot, &x, &y, err);
    for (int k = 0; k < FATES; k++) {
        int all = e->count[0] + e->count[1] + e->count[2];
        if (e->count[k] > 0) ss_plot_dots(plot, e->at[k], e->count[k], all < FEW ? 2.0 : 0.8, tints[k], NULL);
        if (e->count[k] > 0) ss_plot_legend(plot, tints[k], names[k]);
    }
    return status == SS_OK ? ss_figure_finish(figure, err) : status;
}

ss_status ss_picture_slider_map(const ss_map* map, const ss_sheet* sheet, ss_error* err)
{
    ends e = {.count = {0}};
    ss_figure_def def = {.sheet = *sheet, .title = ss_basin_title(map->basin), .width = 520, .height = 400};
    ss_figure* figure = NULL;
    ss_status status = ss_map_need_whole(map, err);
    if (status == SS_OK) status = gather(map, &e, err);
    if (!(e.low[0] <= e.high[0]))
        for (int i = 0; i < 2; i++) e.low[i] = e.high[i] = 0.0; // everything escaped
    if (status == SS_OK) status = ss_figure_create(&def, &figure, err);
    if (status == SS_OK) status = draw(&e, figure, err);
    ss_figure_destroy(figure);
    for (int k = 0; k < FATES; k++) free(e.at[k]);
    free(e.rgb);
    return status;
}
