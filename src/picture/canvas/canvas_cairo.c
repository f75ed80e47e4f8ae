// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Drawing with cairo: PNG and PDF.
#include "core/error.h"
#include "picture/canvas/canvas.h"
#include "picture/canvas/png_chunk.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ss_canvas {
    cairo_surface_t* surface;
    cairo_t* cairo;
    bool pdf;
    char font[SS_FONT_NAME];
    char* made; // of a PNG; NULL: not known
    unsigned char* bytes;
    size_t size, room;
};

static cairo_status_t collect(void* closure, const unsigned char* data, unsigned int length)
{
    ss_canvas* c = closure;
    if (c->size + length > c->room) {
        size_t room = 2 * (c->size + length);
        unsigned char* bytes = realloc(c->bytes, room);
        if (!bytes) return CAIRO_STATUS_NO_MEMORY;
        c->bytes = bytes;
        c->room = room;
    }
    memcpy(c->bytes + c->size, data, length);
    c->size += length;
    return CAIRO_STATUS_SUCCESS;
}

static void destroy(ss_canvas* c)
{
    if (!c) return;
    if (c->cairo) cairo_destroy(c->cairo);
    if (c->surface) cairo_surface_destroy(c->surface);
    free(c->bytes);
    free(c->made);
    free(c);
}

static bool begin(ss_canvas* c)
{
    c->cairo = cairo_create(c->surface);
    cairo_set_line_join(c->cairo, CAIRO_LINE_JOIN_ROUND);
    return cairo_status(c->cairo) == CAIRO_STATUS_SUCCESS;
}

static void paint(ss_canvas* c, ss_color paper)
{
    cairo_set_source_rgb(c->cairo, paper.r, paper.g, paper.b);
    cairo_paint(c->cairo);
}

static char* copy_of(const char* text)
{
    char* copy = text ? ss_new(strlen(text) + 1, 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

static ss_status create_png(const ss_canvas_def* def, ss_canvas** out, ss_error* err)
{
    *out = NULL;
    ss_canvas* c = ss_new(1, sizeof *c);
    if (!c) return ss_fail_no_memory(err);
    c->made = copy_of(def->made);
    ss_font_name(def->font ? def->font : "Sans", c->font);
    c->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(def->width * def->density - 1e-6),
                                            (int)ceil(def->height * def->density - 1e-6));
    if (!begin(c) || (def->made && !c->made)) {
        destroy(c);
        return ss_fail_no_memory(err);
    }
    cairo_scale(c->cairo, def->density, def->density);
    paint(c, def->paper);
    *out = c;
    return SS_OK;
}

static ss_status create_pdf(const ss_canvas_def* def, ss_canvas** out, ss_error* err)
{
    *out = NULL;
    ss_canvas* c = ss_new(1, sizeof *c);
    if (!c) return ss_fail_no_memory(err);
    ss_font_name(def->font ? def->font : "Sans", c->font);
    c->pdf = true;
    c->surface = cairo_pdf_surface_create_for_stream(collect, c, def->width, def->height);
    // The same picture, the same bytes: no time of day.
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    char creator[64];
    snprintf(creator, sizeof creator, "Slipstick %s", ss_version());
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_CREATOR, creator);
    if (def->title) cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_TITLE, def->title);
    if (def->made) cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_SUBJECT, def->made);
    if (!begin(c)) {
        destroy(c);
        return ss_fail_no_memory(err);
    }
    paint(c, def->paper);
    *out = c;
    return SS_OK;
}

static void clip(ss_canvas* c, const ss_box* box)
{
    cairo_reset_clip(c->cairo);
    if (!box) return;
    cairo_rectangle(c->cairo, box->x, box->y, box->width, box->height);
    cairo_clip(c->cairo);
}

static void set_color(ss_canvas* c, ss_color color)
{
    cairo_set_source_rgba(c->cairo, color.r, color.g, color.b, color.a);
}

static void paint_path(ss_canvas* c, ss_color fill, const ss_pen* pen)
{
    if (fill.a > 0) {
        set_color(c, fill);
        cairo_fill_preserve(c->cairo);
    }
    if (pen && pen->color.a > 0) {
        double dashes[2] = {pen->dash, pen->pause};
        cairo_set_dash(c->cairo, dashes, pen->dash > 0 ? 2 : 0, 0);
        cairo_set_line_width(c->cairo, pen->width);
        set_color(c, pen->color);
        cairo_stroke_preserve(c->cairo);
    }
    cairo_new_path(c->cairo);
}

static void add_points(ss_canvas* c, const ss_point points[], int count, bool closed)
{
    cairo_new_sub_path(c->cairo);
    for (int k = 0; k < count; k++) {
        if (isnan(points[k].x))
            cairo_new_sub_path(c->cairo);
        else
            cairo_line_to(c->cairo, points[k].x, points[k].y);
    }
    if (closed) cairo_close_path(c->cairo);
}

static void path(ss_canvas* c, const ss_point points[], int count, bool closed, ss_color fill,
                 const ss_pen* pen)
{
    // Cairo looks for all crossings of a line with itself: long lines go piece by piece, each with a piece of
    // its neighbours so that the corners between are round, too.
    enum { PIECE = 64 };
    bool whole = closed || fill.a > 0 || !pen || pen->dash > 0 || pen->color.a < 1;
    for (int from = 0; from < count; from += PIECE) {
        int first = from > 0 && !whole ? from - 2 : from, last = from + PIECE;
        if (whole || last > count) last = count;
        cairo_new_path(c->cairo); // text leaves a point behind
        add_points(c, points + first, last - first, closed);
        paint_path(c, fill, pen);
        if (last == count) break;
    }
}

static void polygons(ss_canvas* c, const ss_point points[], int corners, int count, ss_color fill,
                     const ss_pen* pen)
{
    cairo_new_path(c->cairo);
    for (int k = 0; k < count; k++) add_points(c, points + k * corners, corners, true);
    paint_path(c, fill, pen);
}

// Strokes without length have round ends only.
static void dots(ss_canvas* c, const ss_point points[], int count, double radius, ss_color color)
{
    cairo_new_path(c->cairo);
    for (int k = 0; k < count; k++) {
        cairo_move_to(c->cairo, points[k].x, points[k].y);
        cairo_line_to(c->cairo, points[k].x, points[k].y);
    }
    cairo_set_line_cap(c->cairo, CAIRO_LINE_CAP_ROUND);
    paint_path(c, (ss_color){0}, &(ss_pen){.color = color, .width = 2 * radius});
    cairo_set_line_cap(c->cairo, CAIRO_LINE_CAP_BUTT);
}

static void text(ss_canvas* c, const char* string, const ss_lettering* how)
{
    cairo_text_extents_t extents;
    cairo_save(c->cairo);
    cairo_select_font_face(c->cairo, c->font, CAIRO_FONT_SLANT_NORMAL,
                           how->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c->cairo, how->size);
    cairo_text_extents(c->cairo, string, &extents);
    double back = how->anchor == SS_ANCHOR_START ? 0 : how->anchor == SS_ANCHOR_END ? 1 : 0.5;
    cairo_translate(c->cairo, how->x, how->y);
    if (how->upward) cairo_rotate(c->cairo, -acos(0));
    cairo_move_to(c->cairo, -back * extents.x_advance, 0);
    set_color(c, how->color);
    cairo_show_text(c->cairo, string);
    cairo_restore(c->cairo);
}

static cairo_surface_t* surface_of(const ss_raster* raster)
{
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster->columns, raster->rows);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) return surface;
    unsigned char* data = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const unsigned char* from = raster->rgb;
    for (int row = 0; row < raster->rows; row++) {
        for (int column = 0; column < raster->columns; column++, from += 3) {
            unsigned pixel = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];
            memcpy(data + (size_t)row * (size_t)stride + 4 * (size_t)column, &pixel, 4);
        }
    }
    cairo_surface_mark_dirty(surface);
    return surface;
}

static void image(ss_canvas* c, const ss_box* box, const ss_raster* raster)
{
    cairo_surface_t* surface = surface_of(raster);
    cairo_save(c->cairo);
    cairo_translate(c->cairo, box->x, box->y);
    cairo_scale(c->cairo, box->width / raster->columns, box->height / raster->rows);
    cairo_set_source_surface(c->cairo, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(c->cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(c->cairo, 0, 0, raster->columns, raster->rows);
    cairo_fill(c->cairo);
    cairo_restore(c->cairo);
    cairo_surface_destroy(surface);
}

// A chunk of text behind the header of a PNG, in UTF-8 [ISO 15948, 11.3.4.5]: length, name, content,
// checksum. The content is a keyword, four zeros and two empty texts of a translation, then the text.
static bool add_png_text(ss_canvas* c)
{
    enum { HEADER = 33, AROUND = 12 };
    static const char opening[] = "iTXtDescription\0\0\0\0\0"; // its name, and all but the text
    const char* by = "Slipstick ";
    size_t fixed = sizeof opening - 1,
           text = strlen(by) + strlen(ss_version()) + strlen(": ") + strlen(c->made);
    size_t more = AROUND - 4 + fixed + text;
    unsigned char* bytes = realloc(c->bytes, c->size + more);
    if (!bytes) return false;
    memmove(bytes + HEADER + more, bytes + HEADER, c->size - HEADER);
    unsigned char* chunk = bytes + HEADER;
    char* content = (char*)chunk + 4;
    memcpy(content, opening, fixed);
    ss_png_put_word(chunk, (uint32_t)(fixed - 4 + text));
    snprintf(content + fixed, text, "%s%s: ", by, ss_version());
    memcpy(content + fixed + text - strlen(c->made), c->made, strlen(c->made));
    ss_png_put_word(chunk + 4 + fixed + text, ss_png_checksum(chunk + 4, fixed + text));
    c->bytes = bytes;
    c->size += more;
    return true;
}

static ss_status finish(ss_canvas* c, const void** bytes, size_t* size, ss_error* err)
{
    cairo_status_t status = cairo_status(c->cairo);
    if (status == CAIRO_STATUS_SUCCESS) {
        if (c->pdf)
            cairo_surface_finish(c->surface);
        else
            status = cairo_surface_write_to_png_stream(c->surface, collect, c);
        if (c->pdf) status = cairo_surface_status(c->surface);
    }
    if (status == CAIRO_STATUS_SUCCESS && c->made && !add_png_text(c)) status = CAIRO_STATUS_NO_MEMORY;
    if (status == CAIRO_STATUS_NO_MEMORY) return ss_fail_no_memory(err);
    if (status != CAIRO_STATUS_SUCCESS)
        return ss_fail(err, SS_FILE_ERROR, NULL, "cannot draw: %s", cairo_status_to_string(status));
    *bytes = c->bytes;
    *size = c->size;
    return SS_OK;
}

const ss_canvas_class ss_canvas_png = {
    ".png", create_png, finish, destroy, {clip, path, polygons, dots, text, image}};
const ss_canvas_class ss_canvas_pdf = {
    ".pdf", create_pdf, finish, destroy, {clip, path, polygons, dots, text, image}};

unsigned char* ss_raster_to_png(const ss_raster* raster, size_t* size)
{
    ss_canvas buffer = {0};
    cairo_surface_t* surface = surface_of(raster);
    cairo_status_t status = cairo_surface_write_to_png_stream(surface, collect, &buffer);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        free(buffer.bytes);
        return NULL;
    }
    *size = buffer.size;
    return buffer.bytes;
}
