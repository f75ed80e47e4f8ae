// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Drawing as SVG, written by hand: cairo would turn letters into outlines, which nobody can search, copy or
// restyle.
#include "core/error.h"
#include "core/utf8.h"
#include "picture/canvas/canvas.h"
#include "share/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ss_canvas {
    ss_text text;
    int clips; // so far
    bool clipped;
    char* bytes; // when finished
};

static void destroy(ss_canvas* c)
{
    if (!c) return;
    free(c->text.bytes);
    free(c->bytes);
    free(c);
}

static int byte_of(double part) { return (int)(255 * part + 0.5); }

static void clip(ss_canvas* c, const ss_box* box)
{
    if (c->clipped) ss_text_add(&c->text, "</g>\n");
    c->clipped = box != NULL;
    if (!box) return;
    int id = ++c->clips;
    ss_text_add(
        &c->text,
        "<clipPath id=\"clip%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n"
        "<g clip-path=\"url(#clip%d)\">\n",
        id, box->x, box->y, box->width, box->height, id);
}

static void add_color(ss_canvas* c, const char* name, ss_color color)
{
    if (color.a <= 0) {
        ss_text_add(&c->text, " %s=\"none\"", name);
        return;
    }
    ss_text_add(&c->text, " %s=\"#%02x%02x%02x\"", name, byte_of(color.r), byte_of(color.g),
                byte_of(color.b));
    if (color.a < 1) ss_text_add(&c->text, " %s-opacity=\"%.2f\"", name, color.a);
}

static void add_points(ss_canvas* c, const ss_point points[], int count, bool closed)
{
    for (int k = 0; k < count; k++) {
        bool first = k == 0 || isnan(points[k - 1].x);
        if (!isnan(points[k].x))
            ss_text_add(&c->text, "%s%.2f %.2f", first ? "M" : "L", points[k].x, points[k].y);
    }
    if (closed) ss_text_add(&c->text, "Z");
}

static void add_paint(ss_canvas* c, ss_color fill, const ss_pen* pen)
{
    add_color(c, "fill", fill);
    if (pen && pen->color.a > 0) {
        add_color(c, "stroke", pen->color);
        ss_text_add(&c->text, " stroke-width=\"%g\" stroke-linejoin=\"round\"", pen->width);
        if (pen->dash > 0) ss_text_add(&c->text, " stroke-dasharray=\"%g %g\"", pen->dash, pen->pause);
    }
}

static void path(ss_canvas* c, const ss_point points[], int count, bool closed, ss_color fill,
                 const ss_pen* pen)
{
    ss_text_add(&c->text, "<path d=\"");
    add_points(c, points, count, closed);
    ss_text_add(&c->text, "\"");
    add_paint(c, fill, pen);
    ss_text_add(&c->text, "/>\n");
}

static void polygons(ss_canvas* c, const ss_point points[], int corners, int count, ss_color fill,
                     const ss_pen* pen)
{
    ss_text_add(&c->text, "<path d=\"");
    for (int k = 0; k < count; k++) add_points(c, points + k * corners, corners, true);
    ss_text_add(&c->text, "\"");
    add_paint(c, fill, pen);
    ss_text_add(&c->text, "/>\n");
}

// Strokes without length have round ends only.
static void dots(ss_canvas* c, const ss_point points[], int count, double radius, ss_color color)
{
    ss_text_add(&c->text, "<path d=\"");
    for (int k = 0; k < count; k++) ss_text_add(&c->text, "M%.2f %.2fh0", points[k].x, points[k].y);
    ss_text_add(&c->text, "\" fill=\"none\"");
    add_color(c, "stroke", color);
    ss_text_add(&c->text, " stroke-width=\"%g\" stroke-linecap=\"round\"/>\n", 2 * radius);
}

// Whether XML knows a character.
static bool is_known(uint32_t code) { return code >= 0x20 && code != 0xfffe && code != 0xffff; }

// > is written by its name, too: the end of a CDATA section may not stand in a text.
static void add_escaped(ss_text* out, const char* text)
{
    size_t left = strlen(text), length;
    for (const char* p = text; left > 0; p += length, left -= length) {
        uint32_t code;
        length = ss_utf8_read(p, left, &code);
        if (length == 0 || !is_known(code))
            ss_text_add(out, " ");
        else if (*p == '<')
            ss_text_add(out, "&lt;");
        else if (*p == '>')
            ss_text_add(out, "&gt;");
        else if (*p == '&')
            ss_text_add(out, "&amp;");
        else
            ss_text_add(out, "%.*s", (int)length, p);
        if (length == 0) length = 1;
    }
}

static void text(ss_canvas* c, const char* string, const ss_lettering* how)
{
    static const char* const anchors[] = {"start", "middle", "end"};
    ss_text_add(&c->text, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"%s\"", how->x, how->y,
                how->size, anchors[how->anchor]);
    add_color(c, "fill", how->color);
    if (how->bold) ss_text_add(&c->text, " font-weight=\"bold\"");
    if (how->upward) ss_text_add(&c->text, " transform=\"rotate(-90 %.2f %.2f)\"", how->x, how->y);
    ss_text_add(&c->text, ">");
    add_escaped(&c->text, string);
    ss_text_add(&c->text, "</text>\n");
}

static void image(ss_canvas* c, const ss_box* box, const ss_raster* raster)
{
    size_t size = 0;
    unsigned char* png = ss_raster_to_png(raster, &size);
    if (!png) {
        c->text.failed = true;
        return;
    }
    ss_text_add(&c->text,
                "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" "
                "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,",
                box->x, box->y, box->width, box->height);
    ss_text_add_base64(&c->text, png, size);
    ss_text_add(&c->text, "\"/>\n");
    free(png);
}

// ---- begin and end

// For whoever finds the file: <metadata> is neither shown nor read aloud.
static void add_made(ss_canvas* c, const char* made)
{
    ss_text_add(&c->text, "<metadata>Slipstick %s%s", ss_version(), made ? ": " : "");
    if (made) add_escaped(&c->text, made);
    ss_text_add(&c->text, "</metadata>\n");
}

static ss_status create(const ss_canvas_def* def, ss_canvas** out, ss_error* err)
{
    *out = ss_new(1, sizeof **out);
    if (!*out) return ss_fail_no_memory(err);
    char font[SS_FONT_NAME];
    ss_font_name(def->font, font);
    ss_text_add(&(*out)->text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%gpt\" height=\"%gpt\" viewBox=\"0 0 %g "
                "%g\" font-family=\"%s%s%sDejaVu Sans, Helvetica, Arial, sans-serif\">\n",
                def->width, def->height, def->width, def->height, font[0] ? "'" : "", font,
                font[0] ? "', " : "");
    add_made(*out, def->made);
    ss_text_add(&(*out)->text, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%02x%02x%02x\"/>\n",
                byte_of(def->paper.r), byte_of(def->paper.g), byte_of(def->paper.b));
    return SS_OK;
}

static ss_status finish(ss_canvas* c, const void** bytes, size_t* size, ss_error* err)
{
    clip(c, NULL);
    ss_text_add(&c->text, "</svg>\n");
    *size = c->text.length;
    c->bytes = ss_text_take(&c->text);
    *bytes = c->bytes;
    return c->bytes ? SS_OK : ss_fail_no_memory(err);
}

const ss_canvas_class ss_canvas_svg = {
    ".svg", create, finish, destroy, {clip, path, polygons, dots, text, image}};
