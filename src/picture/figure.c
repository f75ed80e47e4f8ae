// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // fsync, fileno
#include "picture/figure.h"

#include "core/error.h"
#include "lab/trace_writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ENTRIES = 12, MOST_PLOTS = 16, DOT_CORNERS = 12 };

static const double text_size = 10, small_size = 9, margin = 10, tick_length = 4, legend_width = 150;
static const ss_color none = {0, 0, 0, 0};

typedef enum entry_kind { ENTRY_AREA, ENTRY_LINE, ENTRY_DOT, ENTRY_RING } entry_kind;

typedef struct entry {
    char name[80];
    entry_kind kind;
    ss_color fill;
    ss_pen pen;
} entry;

struct ss_plot {
    ss_figure* figure;
    ss_plot_axis x, y;
    char x_label[160], y_label[160];
    ss_box frame; // on the sheet
    entry entries[MOST_ENTRIES];
    int entry_count;
};

struct ss_figure {
    const ss_canvas_class* class;
    ss_canvas* canvas;
    char* path;
    ss_figure_def def;
    const ss_theme* theme;
    double top; // below the title
    ss_plot plots[MOST_PLOTS];
    int plot_count;
    ss_box clip; // what is drawn to now; width 0: the whole sheet
    bool failed; // out of memory
};

bool ss_figure_knows(const char* path) { return ss_canvas_class_of(path) != NULL; }

void ss_figure_destroy(ss_figure* figure)
{
    if (!figure) return;
    if (figure->canvas) figure->class->destroy(figure->canvas);
    free(figure->path);
    free(figure);
}

static void draw_title(ss_figure* figure)
{
    const char* title = figure->def.title;
    figure->top = margin;
    if (!title || !title[0]) return;
    ss_lettering how = {.x = margin,
                        .y = margin + text_size,
                        .size = text_size + 1,
                        .bold = true,
                        .color = figure->theme->ink};
    figure->class->text(figure->canvas, title, &how);
    figure->top += 2 * text_size;
}

ss_status ss_figure_create(const ss_figure_def* def, ss_figure** out, ss_error* err)
{
    *out = NULL;
    ss_figure* figure = ss_new(1, sizeof *figure);
    if (!figure) return ss_fail_no_memory(err);
    figure->def = *def;
    figure->theme = def->sheet.theme ? def->sheet.theme : &ss_theme_print;
    figure->def.width = def->sheet.width > 0 ? def->sheet.width : def->width > 0 ? def->width : 480;
    figure->def.height = def->sheet.height > 0 ? def->sheet.height : def->height > 0 ? def->height : 400;
    if (def->plots < 1) figure->def.plots = 1;
    figure->class = ss_canvas_class_of(def->sheet.path);
    figure->path = ss_trace_target(def->sheet.path);
    ss_status status = SS_OK;
    if (!figure->class)
        status = ss_fail(err, SS_BAD_INPUT, NULL, "the name must end in .svg, .png or .pdf");
    else if (figure->def.plots > MOST_PLOTS)
        status = ss_fail(err, SS_BAD_INPUT, NULL, "at most %d plots fit one figure", MOST_PLOTS);
    else if (!figure->path)
        status = ss_fail_no_memory(err);
    ss_canvas_def canvas = {figure->def.width, figure->def.height,
                            def->sheet.density > 0 ? def->sheet.density : 2, figure->theme->paper};
    if (status == SS_OK) status = figure->class->create(&canvas, &figure->canvas, err);
    if (status != SS_OK) {
        ss_figure_destroy(figure);
        return status;
    }
    draw_title(figure);
    *out = figure;
    return SS_OK;
}

// ---- layout ----

static double widest_label(const ss_plot_axis* axis)
{
    ss_ticks ticks = ss_ticks_choose(axis->from, axis->to, 6);
    double widest = 0;
    char text[40];
    for (int k = 0; k < ticks.count; k++)
        widest = fmax(widest, ss_text_width(ss_ticks_label(&ticks, k, text, sizeof text), small_size));
    return widest;
}

// Shares of the height: of the plots before the next one, and of that one.
static double share_of(const ss_figure* figure, double* before)
{
    const double* weights = figure->def.weights;
    double all = 0;
    *before = 0;
    for (int k = 0; k < figure->def.plots; k++) {
        double weight = weights ? weights[k] : 1;
        if (k < figure->plot_count) *before += weight;
        all += weight;
    }
    *before /= all;
    return (weights ? weights[figure->plot_count] : 1) / all;
}

// The frame of the next plot, with room for labels, ticks and legend around it.
static ss_box lay_out(const ss_figure* figure, const ss_plot* plot, bool square)
{
    const ss_figure_def* def = &figure->def;
    double before, room = def->height - figure->top, share = room * share_of(figure, &before);
    double needs = margin + (plot->y.label ? text_size + 8 + widest_label(&plot->y) + tick_length : 0);
    double left = fmax(needs, def->left);
    double below = margin / 2 + (plot->x.label ? 2 * text_size + 10 + tick_length : 0);
    ss_box frame = {left, figure->top + room * before + 4, 0, share - below - 8};
    frame.width = def->width - left - margin - (def->legend ? legend_width : 6);
    if (!square) return frame;
    double scale =
        fmin(frame.width / (plot->x.to - plot->x.from), frame.height / (plot->y.to - plot->y.from));
    frame.width = scale * (plot->x.to - plot->x.from);
    frame.height = scale * (plot->y.to - plot->y.from);
    return frame;
}

ss_plot* ss_figure_plot(ss_figure* figure, const ss_plot_axis* x, const ss_plot_axis* y, bool square)
{
    ss_plot* plot = &figure->plots[figure->plot_count];
    *plot = (ss_plot){.figure = figure, .x = *x, .y = *y};
    if (x->label) snprintf(plot->x_label, sizeof plot->x_label, "%s", x->label);
    if (y->label) snprintf(plot->y_label, sizeof plot->y_label, "%s", y->label);
    plot->frame = lay_out(figure, plot, square);
    if (figure->plot_count < figure->def.plots - 1) figure->plot_count++;
    return plot;
}

static ss_point place(const ss_plot* plot, ss_point p)
{
    const ss_box* f = &plot->frame;
    return (ss_point){f->x + f->width * (p.x - plot->x.from) / (plot->x.to - plot->x.from),
                      f->y + f->height * (plot->y.to - p.y) / (plot->y.to - plot->y.from)};
}

// ---- what is drawn ----

// Cuts what follows to a box (NULL: the sheet); formats hear of it only where that changes.
static void clip_to(ss_figure* figure, const ss_box* box)
{
    ss_box wanted = box ? *box : (ss_box){0};
    if (memcmp(&wanted, &figure->clip, sizeof wanted) == 0) return;
    figure->clip = wanted;
    figure->class->clip(figure->canvas, box);
}

static void add_entry(ss_plot* plot, const char* name, entry_kind kind, ss_color fill, const ss_pen* pen)
{
    if (!name || plot->entry_count == MOST_ENTRIES) return;
    entry* e = &plot->entries[plot->entry_count++];
    snprintf(e->name, sizeof e->name, "%s", name);
    e->kind = kind;
    e->fill = fill;
    e->pen = pen ? *pen : (ss_pen){.color = none};
}

void ss_plot_image(ss_plot* plot, double x0, double y0, double x1, double y1, const ss_raster* raster)
{
    ss_point low = place(plot, (ss_point){x0, y0}), high = place(plot, (ss_point){x1, y1});
    ss_box box = {low.x, high.y, high.x - low.x, low.y - high.y};
    clip_to(plot->figure, &plot->frame);
    plot->figure->class->image(plot->figure->canvas, &box, raster);
}

static void draw_path(ss_plot* plot, const ss_point points[], int count, bool closed, ss_color fill,
                      const ss_pen* pen)
{
    if (count == 0) return;
    ss_point* placed = ss_new((size_t)count, sizeof *placed);
    if (!placed) {
        plot->figure->failed = true;
        return;
    }
    for (int k = 0; k < count; k++) placed[k] = place(plot, points[k]);
    clip_to(plot->figure, &plot->frame);
    plot->figure->class->path(plot->figure->canvas, placed, count, closed, fill, pen);
    free(placed);
}

void ss_plot_line(ss_plot* plot, const ss_point points[], int count, bool closed, const ss_pen* pen,
                  const char* name)
{
    draw_path(plot, points, count, closed, none, pen);
    add_entry(plot, name, ENTRY_LINE, none, pen);
}

void ss_plot_area(ss_plot* plot, const ss_point points[], int count, ss_color fill, const ss_pen* pen,
                  const char* name)
{
    draw_path(plot, points, count, true, fill, pen);
    add_entry(plot, name, ENTRY_AREA, fill, pen);
}

static void draw_dot(ss_figure* figure, ss_point at, double radius, ss_color color, bool hollow)
{
    ss_point corners[DOT_CORNERS];
    const ss_pen rim = {.color = color, .width = 0.5 * radius};
    for (int k = 0; k < DOT_CORNERS; k++) {
        double angle = k * (4 * acos(0) / DOT_CORNERS);
        corners[k] = (ss_point){at.x + radius * cos(angle), at.y + radius * sin(angle)};
    }
    figure->class->path(figure->canvas, corners, DOT_CORNERS, true, hollow ? figure->theme->paper : color,
                        hollow ? &rim : NULL);
}

static void draw_dots(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                      bool hollow)
{
    clip_to(plot->figure, &plot->frame);
    for (int k = 0; k < count; k++) draw_dot(plot->figure, place(plot, points[k]), radius, color, hollow);
}

void ss_plot_dots(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                  const char* name)
{
    draw_dots(plot, points, count, radius, color, false);
    add_entry(plot, name, ENTRY_DOT, color, NULL);
}

void ss_plot_rings(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                   const char* name)
{
    draw_dots(plot, points, count, radius, color, true);
    add_entry(plot, name, ENTRY_RING, color, NULL);
}

void ss_plot_text(ss_plot* plot, ss_point at, const char* text, ss_anchor anchor, ss_point beside)
{
    ss_point p = place(plot, at);
    ss_lettering how = {.x = p.x + beside.x,
                        .y = p.y + 0.36 * small_size - beside.y,
                        .size = small_size,
                        .anchor = anchor,
                        .color = plot->figure->theme->ink};
    clip_to(plot->figure, NULL);
    plot->figure->class->text(plot->figure->canvas, text, &how);
}

void ss_plot_note(ss_plot* plot, const char* text)
{
    ss_lettering how = {.x = plot->frame.x + plot->frame.width / 2,
                        .y = plot->frame.y + plot->frame.height - 8,
                        .size = text_size,
                        .anchor = SS_ANCHOR_MIDDLE,
                        .color = plot->figure->theme->ink};
    clip_to(plot->figure, NULL);
    plot->figure->class->text(plot->figure->canvas, text, &how);
}

const ss_theme* ss_plot_theme(const ss_plot* plot) { return plot->figure->theme; }

void ss_plot_legend(ss_plot* plot, ss_color color, const char* name)
{
    add_entry(plot, name, ENTRY_AREA, color, &(ss_pen){.color = plot->figure->theme->ink, .width = 0.4});
}

// ---- axes ----

static void draw_stroke(ss_plot* plot, ss_point a, ss_point b)
{
    const ss_point ends[2] = {a, b};
    const ss_pen pen = {.color = plot->figure->theme->ink, .width = 0.8};
    plot->figure->class->path(plot->figure->canvas, ends, 2, false, none, &pen);
}

static void draw_text(ss_plot* plot, const char* text, ss_lettering how)
{
    how.color = plot->figure->theme->ink;
    plot->figure->class->text(plot->figure->canvas, text, &how);
}

static void draw_x_axis(ss_plot* plot)
{
    const ss_box* f = &plot->frame;
    double bottom = f->y + f->height;
    double room = fmax(widest_label(&plot->x), 12) + 14;
    int about = (int)fmin(8, fmax(2, f->width / room));
    ss_ticks ticks = ss_ticks_choose(plot->x.from, plot->x.to, about);
    char text[40], label[200];
    for (int k = 0; k < ticks.count; k++) {
        double x = place(plot, (ss_point){ticks.first + k * ticks.step, 0}).x;
        draw_stroke(plot, (ss_point){x, bottom}, (ss_point){x, bottom + tick_length});
        draw_text(plot, ss_ticks_label(&ticks, k, text, sizeof text),
                  (ss_lettering){.x = x,
                                 .y = bottom + tick_length + small_size,
                                 .size = small_size,
                                 .anchor = SS_ANCHOR_MIDDLE});
    }
    draw_text(plot, ss_ticks_axis(&ticks, plot->x_label, label, sizeof label),
              (ss_lettering){.x = f->x + f->width / 2,
                             .y = bottom + tick_length + small_size + text_size + 5,
                             .size = text_size,
                             .anchor = SS_ANCHOR_MIDDLE});
}

static void draw_y_axis(ss_plot* plot)
{
    const ss_box* f = &plot->frame;
    int about = (int)fmin(8, fmax(2, f->height / 28));
    ss_ticks ticks = ss_ticks_choose(plot->y.from, plot->y.to, about);
    char text[40], label[200];
    for (int k = 0; k < ticks.count; k++) {
        double y = place(plot, (ss_point){0, ticks.first + k * ticks.step}).y;
        draw_stroke(plot, (ss_point){f->x - tick_length, y}, (ss_point){f->x, y});
        draw_text(plot, ss_ticks_label(&ticks, k, text, sizeof text),
                  (ss_lettering){.x = f->x - tick_length - 2,
                                 .y = y + 0.36 * small_size,
                                 .size = small_size,
                                 .anchor = SS_ANCHOR_END});
    }
    draw_text(plot, ss_ticks_axis(&ticks, plot->y_label, label, sizeof label),
              (ss_lettering){.x = f->x - tick_length - widest_label(&plot->y) - 10,
                             .y = f->y + f->height / 2,
                             .size = text_size,
                             .anchor = SS_ANCHOR_MIDDLE,
                             .upward = true});
}

static void draw_frame(ss_plot* plot)
{
    const ss_box* f = &plot->frame;
    const ss_point corners[4] = {
        {f->x, f->y}, {f->x + f->width, f->y}, {f->x + f->width, f->y + f->height}, {f->x, f->y + f->height}};
    plot->figure->class->path(plot->figure->canvas, corners, 4, true, none,
                              &(ss_pen){.color = plot->figure->theme->ink, .width = 0.8});
    if (plot->x.label) draw_x_axis(plot);
    if (plot->y.label) draw_y_axis(plot);
}

// ---- legend ----

static void draw_sample(ss_plot* plot, const entry* e, double x, double y)
{
    ss_figure* figure = plot->figure;
    const ss_point box[4] = {{x, y - 9}, {x + 16, y - 9}, {x + 16, y + 1}, {x, y + 1}};
    const ss_point line[2] = {{x, y - 4}, {x + 16, y - 4}};
    if (e->kind == ENTRY_AREA) figure->class->path(figure->canvas, box, 4, true, e->fill, &e->pen);
    if (e->kind == ENTRY_LINE) figure->class->path(figure->canvas, line, 2, false, none, &e->pen);
    if (e->kind == ENTRY_DOT || e->kind == ENTRY_RING)
        draw_dot(figure, (ss_point){x + 8, y - 4}, 3, e->fill, e->kind == ENTRY_RING);
}

static void draw_legend(ss_plot* plot)
{
    double x = plot->frame.x + plot->frame.width + 12, y = plot->frame.y + small_size;
    for (int k = 0; k < plot->entry_count; k++, y += 16) {
        draw_sample(plot, &plot->entries[k], x, y);
        draw_text(plot, plot->entries[k].name, (ss_lettering){.x = x + 22, .y = y, .size = small_size});
    }
}

// ---- the file ----

static ss_status write_file(const char* path, const void* bytes, size_t size, ss_error* err)
{
    char* temporary = ss_trace_temporary(path);
    FILE* file = NULL;
    ss_status status = temporary ? ss_trace_open(path, temporary, &file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        errno = 0;
        bool good = fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
        if (good && fsync(fileno(file)) != 0 && errno != EINVAL && errno != ENOSYS) good = false;
        int failure = errno;
        good = fclose(file) == 0 && good && rename(temporary, path) == 0;
        if (!good) {
            status = ss_fail(err, SS_FILE_ERROR, NULL, "cannot write: %s",
                             strerror(failure ? failure
                                      : errno ? errno
                                              : EIO));
            remove(temporary);
        }
    }
    free(temporary);
    return status;
}

ss_status ss_figure_finish(ss_figure* figure, ss_error* err)
{
    const void* bytes = NULL;
    size_t size = 0;
    clip_to(figure, NULL);
    for (int k = 0; k < figure->def.plots; k++) {
        if (!figure->plots[k].figure) continue;
        draw_frame(&figure->plots[k]);
        if (figure->def.legend) draw_legend(&figure->plots[k]);
    }
    if (figure->failed) return ss_fail_no_memory(err);
    ss_status status = figure->class->finish(figure->canvas, &bytes, &size, err);
    return status == SS_OK ? write_file(figure->path, bytes, size, err) : status;
}
