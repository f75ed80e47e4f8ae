// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/figure/figure.h"

#include "core/error.h"
#include "core/grow.h"
#include "lab/file/output_file.h"
#include "picture/canvas/thin.h"
#include "picture/figure/figure_parts.h"
#include "share/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ss_color none = {0, 0, 0, 0};

bool ss_picture_knows(const char* path) { return ss_canvas_class_of(path) != NULL; }

void ss_figure_destroy(ss_figure* figure)
{
    if (!figure) return;
    for (int k = 0; k < figure->plot_count; k++) {
        ss_plot* plot = &figure->plots[k];
        for (int j = 0; j < plot->mark_count; j++) free(plot->marks[j].points);
        free(plot->marks);
    }
    if (figure->canvas) figure->class->destroy(figure->canvas);
    free(figure->path);
    free(figure->title);
    free(figure);
}

static char* copy_of(const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
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
    figure->path = ss_file_target(def->sheet.path);
    figure->title = copy_of(def->title ? def->title : "");
    ss_status status = SS_OK;
    if (!figure->class)
        status = ss_fail(err, SS_BAD_INPUT, NULL, "the name must end in .svg, .png or .pdf");
    else if (figure->def.plots > SS_MOST_PLOTS)
        status = ss_fail(err, SS_BAD_INPUT, NULL, "at most %d plots fit one figure", SS_MOST_PLOTS);
    else if (!figure->path || !figure->title)
        status = ss_fail_no_memory(err);
    ss_canvas_def canvas = {
        figure->def.width,    figure->def.height, def->sheet.density > 0 ? def->sheet.density : 2,
        figure->theme->paper, figure->title,      def->sheet.font,
        def->sheet.made};
    if (status == SS_OK) status = figure->class->create(&canvas, &figure->canvas, err);
    if (status != SS_OK) {
        ss_figure_destroy(figure);
        return status;
    }
    *out = figure;
    return SS_OK;
}

ss_plot* ss_figure_plot(ss_figure* figure, const ss_plot_axis* x, const ss_plot_axis* y, bool square)
{
    if (figure->plot_count < figure->def.plots) figure->plot_count++;
    ss_plot* plot = &figure->plots[figure->plot_count - 1];
    plot->figure = figure;
    plot->x = *x;
    plot->y = *y;
    plot->square = square;
    if (x->label) snprintf(plot->x_label, sizeof plot->x_label, "%s", x->label);
    if (y->label) snprintf(plot->y_label, sizeof plot->y_label, "%s", y->label);
    return plot;
}

const ss_theme* ss_plot_theme(const ss_plot* plot) { return plot->figure->theme; }

// ---- what is kept ----

// Copies a text with minus signs in place of the hyphens before numbers.
static void typeset(const char* text, char* out, size_t size)
{
    size_t used = 0;
    for (const char* p = text; *p && used + 4 < size; p++) {
        bool number = p[0] == '-' && p[1] >= '0' && p[1] <= '9' && (p == text || strchr(" (=,", p[-1]));
        used +=
            (size_t)snprintf(out + used, size - used, "%.*s", number ? 3 : 1, number ? "\xE2\x88\x92" : p);
    }
    out[used] = '\0';
}

static void add_entry(ss_plot* plot, const char* name, ss_entry_kind kind, ss_color fill, const ss_pen* pen)
{
    if (!name) return;
    if (plot->entry_count == SS_MOST_ENTRIES) {
        plot->entries_left_out++;
        return;
    }
    ss_entry* e = &plot->entries[plot->entry_count++];
    *e = (ss_entry){.kind = kind, .fill = fill, .pen = pen ? *pen : (ss_pen){.color = none}};
    typeset(name, e->name, sizeof e->name);
}

// As shares of the frame. What is far outside is moved nearer, where it is as invisible.
static ss_point share(const ss_plot* plot, ss_point p)
{
    static const double far = 1e4;
    double x = (p.x - plot->x.from) / (plot->x.to - plot->x.from),
           y = (p.y - plot->y.from) / (plot->y.to - plot->y.from);
    return (ss_point){fmin(fmax(x, -far), far), fmin(fmax(y, -far), far)};
}

// A new mark with as many of the points as are numbers; NULL without memory or without points.
static ss_mark* add_mark(ss_plot* plot, ss_mark_kind kind, const ss_point points[], int count)
{
    ss_figure* figure = plot->figure;
    if (count == 0) return NULL;
    ss_point* kept = ss_new((size_t)count, sizeof *kept);
    if (!kept || !ss_grow(&plot->marks, (size_t)plot->mark_count, &plot->mark_room, sizeof *plot->marks)) {
        free(kept);
        figure->failed = true;
        return NULL;
    }
    ss_mark* mark = &plot->marks[plot->mark_count++];
    *mark = (ss_mark){.kind = kind, .points = kept};
    for (int k = 0; k < count; k++)
        if (isfinite(points[k].x) && isfinite(points[k].y)) kept[mark->count++] = share(plot, points[k]);
    return mark;
}

// A line that is a dark area rather than a line becomes that area, as strokes a point apart.
static void ink_in(const ss_figure* figure, ss_mark* mark)
{
    int count, columns = (int)ceil(figure->def.width),
               rows = (int)ceil(figure->def.height / figure->def.plots);
    ss_point* strokes = ss_thin_ink(mark->points, mark->count, columns, rows, &count);
    if (!strokes) return;
    free(mark->points);
    mark->points = strokes;
    mark->count = count;
    mark->pen.width = 1.05 * figure->def.height / figure->def.plots / rows;
    mark->pen.dash = 0;
}

// Takes away what nobody sees: a file of millions of points would be large, and slow to draw.
static void thin(const ss_figure* figure, ss_mark* mark)
{
    static const double unseen = 0.02, wide = 0.08; // points, of which a line is about one wide
    enum { MANY = 24, CROWD = 30000 };
    double size = fmax(figure->def.width, figure->def.height);
    if (mark->count <= MANY) return;
    mark->count = ss_thin_columns(mark->points, mark->count, wide / size, mark->points);
    if (mark->count > CROWD && mark->fill.a == 0)
        ink_in(figure, mark);
    else
        mark->count = ss_thin_line(mark->points, mark->count, unseen / size, mark->points);
    ss_point* smaller = realloc(mark->points, ((size_t)mark->count + 1) * sizeof *smaller);
    if (smaller) mark->points = smaller;
}

static void add_path(ss_plot* plot, const ss_point points[], int count, bool closed, ss_color fill,
                     const ss_pen* pen)
{
    ss_mark* mark = add_mark(plot, SS_MARK_PATH, points, count);
    if (!mark) return;
    mark->closed = closed;
    mark->fill = fill;
    if (pen) mark->pen = *pen;
    thin(plot->figure, mark);
}

void ss_plot_image(ss_plot* plot, double x0, double y0, double x1, double y1, const ss_raster* raster)
{
    const ss_point corners[2] = {{x0, y0}, {x1, y1}};
    ss_mark* mark = add_mark(plot, SS_MARK_IMAGE, corners, 2);
    if (mark) mark->raster = *raster;
}

void ss_plot_line(ss_plot* plot, const ss_point points[], int count, bool closed, const ss_pen* pen,
                  const char* name)
{
    add_path(plot, points, count, closed, none, pen);
    add_entry(plot, name, SS_ENTRY_LINE, none, pen);
}

void ss_plot_area(ss_plot* plot, const ss_point points[], int count, ss_color fill, const ss_pen* pen,
                  const char* name)
{
    add_path(plot, points, count, true, fill, pen);
    add_entry(plot, name, SS_ENTRY_AREA, fill, pen);
}

void ss_plot_polygons(ss_plot* plot, const ss_point points[], int corners, int count, ss_color fill,
                      const ss_pen* pen)
{
    ss_mark* mark = add_mark(plot, SS_MARK_POLYGONS, points, corners * count);
    if (!mark) return;
    mark->corners = corners;
    mark->fill = fill;
    if (pen) mark->pen = *pen;
}

static void add_dots(ss_plot* plot, ss_mark_kind kind, const ss_point points[], int count, double radius,
                     ss_color color)
{
    ss_mark* mark = add_mark(plot, kind, points, count);
    if (!mark) return;
    mark->radius = radius;
    mark->fill = color;
}

void ss_plot_dots(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                  const char* name)
{
    add_dots(plot, SS_MARK_DOTS, points, count, radius, color);
    add_entry(plot, name, SS_ENTRY_DOT, color, NULL);
}

void ss_plot_rings(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                   const char* name)
{
    add_dots(plot, SS_MARK_RINGS, points, count, radius, color);
    add_entry(plot, name, SS_ENTRY_RING, color, NULL);
}

void ss_plot_text(ss_plot* plot, ss_point at, const char* text, ss_anchor anchor, ss_point beside)
{
    ss_mark* mark = add_mark(plot, SS_MARK_TEXT, &at, 1);
    if (!mark) return;
    snprintf(mark->text, sizeof mark->text, "%s", text);
    mark->anchor = anchor;
    mark->beside = beside;
}

void ss_plot_note(ss_plot* plot, const char* text) { snprintf(plot->note, sizeof plot->note, "%s", text); }

void ss_plot_legend(ss_plot* plot, ss_color color, const char* name)
{
    add_entry(plot, name, SS_ENTRY_AREA, color, &(ss_pen){.color = plot->figure->theme->ink, .width = 0.4});
}

void ss_plot_remark(ss_plot* plot, const char* text) { add_entry(plot, text, SS_ENTRY_TEXT, none, NULL); }

// ---- the file ----

ss_status ss_figure_finish(ss_figure* figure, ss_error* err)
{
    const void* bytes = NULL;
    size_t size = 0;
    if (figure->failed) return ss_fail_no_memory(err);
    ss_figure_lay_out(figure);
    ss_figure_draw(figure);
    if (figure->failed) return ss_fail_no_memory(err);
    ss_status status = figure->class->finish(figure->canvas, &bytes, &size, err);
    const ss_sheet* sheet = &figure->def.sheet;
    if (status != SS_OK) return status;
    if (!sheet->sink) return ss_file_write(figure->path, bytes, size, err);
    if (sheet->sink(sheet->user, bytes, size)) return SS_OK;
    return ss_fail(err, SS_FILE_ERROR, NULL, "the picture could not be taken");
}
