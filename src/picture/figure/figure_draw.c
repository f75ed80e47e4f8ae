// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Drawing a figure that is laid out: title, marks, axes, legend.
#include "core/error.h"
#include "picture/figure/figure_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ss_color none = {0, 0, 0, 0};

// Cuts what follows to a box (NULL: the sheet); formats hear of it only where that changes.
static void clip_to(ss_figure* figure, const ss_box* box)
{
    const ss_box* now = figure->clip;
    bool same = box && now ? box->x == now->x && box->y == now->y && box->width == now->width &&
                                 box->height == now->height
                           : box == now;
    if (same) return;
    figure->clip = box;
    figure->class->draw.clip(figure->canvas, box);
}

static ss_point place(const ss_plot* plot, ss_point p)
{
    const ss_box* f = &plot->frame;
    return (ss_point){f->x + f->width * p.x, f->y + f->height * (1 - p.y)};
}

static void draw_text(ss_figure* figure, const char* text, ss_lettering how)
{
    how.color = figure->theme->ink;
    figure->class->draw.text(figure->canvas, text, &how);
}

// ---- marks ----

static ss_pen scaled(const ss_pen* pen, double scale)
{
    return (ss_pen){pen->color, scale * pen->width, scale * pen->dash, scale * pen->pause};
}

// Paths, polygons and dots: what consists of points.
static void draw_points(ss_plot* plot, const ss_mark* mark)
{
    ss_figure* figure = plot->figure;
    ss_point* placed = ss_new((size_t)mark->count, sizeof *placed);
    if (!placed) {
        figure->failed = true;
        return;
    }
    for (int k = 0; k < mark->count; k++) placed[k] = place(plot, mark->points[k]);
    const ss_pen pen = scaled(&mark->pen, figure->scale);
    if (mark->kind == SS_MARK_PATH)
        figure->class->draw.path(figure->canvas, placed, mark->count, mark->closed, mark->fill, &pen);
    else if (mark->kind == SS_MARK_POLYGONS)
        figure->class->draw.polygons(figure->canvas, placed, mark->corners, mark->count / mark->corners,
                                     mark->fill, &pen);
    else
        figure->class->draw.dots(figure->canvas, placed, mark->count, figure->scale * mark->radius,
                                 mark->fill);
    free(placed);
}

static void draw_ring(ss_figure* figure, ss_point at, double radius, ss_color color)
{
    figure->class->draw.dots(figure->canvas, &at, 1, 1.25 * radius, color);
    figure->class->draw.dots(figure->canvas, &at, 1, 0.75 * radius, figure->theme->paper);
}

static void draw_rings(ss_plot* plot, const ss_mark* mark)
{
    for (int k = 0; k < mark->count; k++)
        draw_ring(plot->figure, place(plot, mark->points[k]), plot->figure->scale * mark->radius, mark->fill);
}

static void draw_image(ss_plot* plot, const ss_mark* mark)
{
    if (mark->count < 2) return;
    ss_point low = place(plot, mark->points[0]), high = place(plot, mark->points[1]);
    const ss_box box = {low.x, high.y, high.x - low.x, low.y - high.y};
    plot->figure->class->draw.image(plot->figure->canvas, &box, &mark->raster);
}

static void draw_word(ss_plot* plot, const ss_mark* mark)
{
    ss_point at = place(plot, mark->points[0]);
    double size = plot->figure->small;
    draw_text(plot->figure, mark->text,
              (ss_lettering){.x = at.x + plot->figure->scale * mark->beside.x,
                             .y = at.y + 0.36 * size - plot->figure->scale * mark->beside.y,
                             .size = size,
                             .anchor = mark->anchor});
}

static void draw_marks(ss_plot* plot)
{
    for (int k = 0; k < plot->mark_count; k++) {
        const ss_mark* mark = &plot->marks[k];
        clip_to(plot->figure, mark->kind == SS_MARK_TEXT ? NULL : &plot->frame);
        if (mark->count == 0) continue;
        switch (mark->kind) {
        case SS_MARK_PATH:
        case SS_MARK_POLYGONS:
        case SS_MARK_DOTS: draw_points(plot, mark); break;
        case SS_MARK_RINGS: draw_rings(plot, mark); break;
        case SS_MARK_IMAGE: draw_image(plot, mark); break;
        case SS_MARK_TEXT: draw_word(plot, mark); break;
        }
    }
    clip_to(plot->figure, NULL);
}

// ---- axes ----

static void draw_stroke(ss_plot* plot, ss_point a, ss_point b)
{
    const ss_point ends[2] = {a, b};
    const ss_pen pen = {.color = plot->figure->theme->ink, .width = 0.8};
    plot->figure->class->draw.path(plot->figure->canvas, ends, 2, false, none, &pen);
}

// The name of an axis: in smaller letters where it is long, and cut at its beginning where that is not
// enough.
static void draw_label(ss_figure* figure, const char* label, double room, ss_lettering how)
{
    char fitted[240];
    double width = ss_text_width(label, figure->text);
    how.size = figure->text * fmin(fmax(room / width, 0.7), 1);
    how.anchor = SS_ANCHOR_MIDDLE;
    draw_text(figure, ss_text_fit(label, how.size, room, true, fitted, sizeof fitted), how);
}

static void draw_x_axis(ss_plot* plot)
{
    ss_figure* figure = plot->figure;
    const ss_box* f = &plot->frame;
    double bottom = f->y + f->height, base = bottom + figure->tick + figure->small;
    ss_ticks ticks = ss_plot_x_ticks(plot);
    char text[40], label[240];
    for (int k = 0; k < ticks.count; k++) {
        double at = (ss_tick_value(&ticks, k) - plot->x.from) / (plot->x.to - plot->x.from),
               x = f->x + f->width * at;
        draw_stroke(plot, (ss_point){x, bottom}, (ss_point){x, bottom + figure->tick});
        draw_text(figure, ss_ticks_label(&ticks, k, text, sizeof text),
                  (ss_lettering){.x = x, .y = base, .size = figure->small, .anchor = SS_ANCHOR_MIDDLE});
    }
    ss_ticks_axis(&ticks, plot->x_label, label, sizeof label);
    double middle = f->x + f->width / 2, room = 2 * fmin(middle, figure->def.width - middle) - 4;
    draw_label(figure, label, room, (ss_lettering){.x = middle, .y = base + 1.5 * figure->text});
}

static void draw_y_axis(ss_plot* plot)
{
    ss_figure* figure = plot->figure;
    const ss_box* f = &plot->frame;
    ss_ticks ticks = ss_plot_y_ticks(plot);
    char text[40], label[240];
    for (int k = 0; k < ticks.count; k++) {
        double at = (ss_tick_value(&ticks, k) - plot->y.from) / (plot->y.to - plot->y.from),
               y = f->y + f->height * (1 - at);
        draw_stroke(plot, (ss_point){f->x - figure->tick, y}, (ss_point){f->x, y});
        draw_text(figure, ss_ticks_label(&ticks, k, text, sizeof text),
                  (ss_lettering){.x = f->x - figure->tick - 2,
                                 .y = y + 0.36 * figure->small,
                                 .size = figure->small,
                                 .anchor = SS_ANCHOR_END});
    }
    ss_ticks_axis(&ticks, plot->y_label, label, sizeof label);
    double beside = figure->tick + ss_widest_tick(&ticks, figure->small) + 0.8 * figure->text;
    draw_label(figure, label, f->height + 6 * figure->scale,
               (ss_lettering){.x = f->x - beside, .y = f->y + f->height / 2, .upward = true});
}

static void draw_frame(ss_plot* plot)
{
    const ss_box* f = &plot->frame;
    const ss_point corners[4] = {
        {f->x, f->y}, {f->x + f->width, f->y}, {f->x + f->width, f->y + f->height}, {f->x, f->y + f->height}};
    plot->figure->class->draw.path(plot->figure->canvas, corners, 4, true, none,
                                   &(ss_pen){.color = plot->figure->theme->ink, .width = 0.8});
    if (plot->x.label) draw_x_axis(plot);
    if (plot->y.label) draw_y_axis(plot);
    if (plot->note[0])
        draw_text(plot->figure, plot->note,
                  (ss_lettering){.x = f->x + f->width / 2,
                                 .y = f->y + f->height - 0.8 * plot->figure->text,
                                 .size = plot->figure->text,
                                 .anchor = SS_ANCHOR_MIDDLE});
}

// ---- legend ----

static void draw_entry(ss_plot* plot, const ss_entry* e, double x, double y)
{
    ss_figure* figure = plot->figure;
    double scale = figure->scale, right = x + 16 * scale, middle = y - 0.4 * figure->small;
    const ss_point box[4] = {{x, middle - 5 * scale},
                             {right, middle - 5 * scale},
                             {right, middle + 5 * scale},
                             {x, middle + 5 * scale}};
    const ss_point line[2] = {{x, middle}, {right, middle}};
    char fitted[160];
    const ss_pen pen = scaled(&e->pen, scale);
    if (e->kind == SS_ENTRY_AREA) figure->class->draw.path(figure->canvas, box, 4, true, e->fill, &pen);
    if (e->kind == SS_ENTRY_LINE) figure->class->draw.path(figure->canvas, line, 2, false, none, &pen);
    const ss_point center = {0.5 * (x + right), middle};
    if (e->kind == SS_ENTRY_DOT) figure->class->draw.dots(figure->canvas, &center, 1, 3 * scale, e->fill);
    if (e->kind == SS_ENTRY_RING) draw_ring(figure, center, 3 * scale, e->fill);
    double name = x + 22 * scale, room = ss_entry_width(figure, e) - 22 * scale + 0.01;
    draw_text(figure, ss_text_fit(e->name, figure->small, room, false, fitted, sizeof fitted),
              (ss_lettering){.x = name, .y = y, .size = figure->small});
}

// One below the other; what has no room beside its plot is only counted.
static void draw_column(ss_plot* plot, double room)
{
    ss_figure* figure = plot->figure;
    double x = plot->frame.x + plot->frame.width + 12 * figure->scale, y = plot->frame.y + figure->small;
    double pitch = ss_entry_pitch(figure), least = 1.15 * figure->small;
    int all = plot->entry_count + plot->entries_left_out,
        lines = (int)fmax(1, floor((room - 4 * figure->scale) / least));
    bool cut = all > lines || plot->entries_left_out > 0;
    int shown = cut ? (int)fmin(plot->entry_count, lines - 1) : plot->entry_count;
    pitch = fmax(fmin(pitch, (room - 4 * figure->scale) / (shown + cut)), least);
    for (int k = 0; k < shown; k++, y += pitch) draw_entry(plot, &plot->entries[k], x, y);
    char more[40];
    snprintf(more, sizeof more, "and %d more", all - shown);
    if (cut) draw_text(figure, more, (ss_lettering){.x = x, .y = y, .size = figure->small});
}

static void draw_legend(ss_figure* figure)
{
    if (figure->legend_below) {
        ss_figure_flow_legend(figure, figure->def.height - figure->foot - 0.4 * figure->margin, draw_entry);
        return;
    }
    for (int p = 0; p < figure->plot_count; p++) {
        ss_plot* plot = &figure->plots[p];
        bool last = p + 1 == figure->plot_count;
        double end = last ? figure->def.height : figure->plots[p + 1].frame.y;
        if (plot->entry_count > 0) draw_column(plot, end - plot->frame.y - (last ? 0.4 * figure->margin : 0));
    }
}

// ---- all of it ----

static void draw_title(ss_figure* figure)
{
    char fitted[400];
    double room = figure->def.width - 2 * figure->margin, size = 1.1 * figure->text,
           width = 1.15 * ss_text_width(figure->title, size);
    if (width > room) size *= fmax(room / width, 0.75); // bold letters are wider
    draw_text(
        figure, ss_text_fit(figure->title, 1.15 * size, room, false, fitted, sizeof fitted),
        (ss_lettering){.x = figure->margin, .y = figure->margin + figure->text, .size = size, .bold = true});
}

void ss_figure_draw(ss_figure* figure)
{
    if (figure->title[0]) draw_title(figure);
    for (int p = 0; p < figure->plot_count; p++) draw_marks(&figure->plots[p]);
    for (int p = 0; p < figure->plot_count; p++) draw_frame(&figure->plots[p]);
    draw_legend(figure);
}
