// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where plots are drawn: a sheet in points (1/72 inch), x to the right, y down. What is drawn becomes the
// bytes of an SVG, PNG or PDF file, the same bytes every time; text stays text where the format has it.
#ifndef SLIPSTICK_PICTURE_CANVAS_H
#define SLIPSTICK_PICTURE_CANVAS_H

#include "slipstick/status.h"

#include <stdbool.h>

typedef struct ss_color {
    double r, g, b; ///< in [0, 1]
    double a;       ///< 0: nothing is drawn
} ss_color;

typedef struct ss_point {
    double x, y;
} ss_point;

typedef struct ss_box {
    double x, y, width, height;
} ss_box;

typedef struct ss_pen {
    ss_color color;
    double width;       ///< points
    double dash, pause; ///< points; dash 0: a solid line
} ss_pen;

typedef enum ss_anchor { SS_ANCHOR_START, SS_ANCHOR_MIDDLE, SS_ANCHOR_END } ss_anchor;

/// Text with its baseline at (x, y); upward: read from below.
typedef struct ss_lettering {
    double x, y, size;
    ss_anchor anchor;
    bool upward, bold;
    ss_color color;
} ss_lettering;

/// A raster of columns x rows pixels, three bytes each (red, green, blue), the top row first.
typedef struct ss_raster {
    int columns, rows;
    const unsigned char* rgb;
} ss_raster;

typedef struct ss_canvas ss_canvas;

/// The empty sheet.
typedef struct ss_canvas_def {
    double width, height; ///< points
    double density;       ///< pixels to a point, where the format has pixels
    ss_color paper;
    const char* title; ///< where the format says what it shows; or NULL
    const char* font;  ///< family of the letters; NULL: a common one without serifs
    const char* made;  ///< what the picture came from; or NULL
} ss_canvas_def;

enum { SS_FONT_NAME = 64 }; ///< of a family, with its end
/// The family, without what no name of a font has in it (quotes, brackets); "" for NULL.
void ss_font_name(const char* family, char out[SS_FONT_NAME]);

/// How a format draws.
typedef struct ss_canvas_drawing {
    void (*clip)(ss_canvas* canvas, const ss_box* box); ///< NULL: the whole sheet again
    /// A line, or an area; a point that is not a number lifts the pen.
    void (*path)(ss_canvas* canvas, const ss_point points[], int count, bool closed, ss_color fill,
                 const ss_pen* pen);
    /// Polygons of so many corners each, count of them, one after the other in points.
    void (*polygons)(ss_canvas* canvas, const ss_point points[], int corners, int count, ss_color fill,
                     const ss_pen* pen);
    void (*dots)(ss_canvas* canvas, const ss_point points[], int count, double radius, ss_color color);
    void (*text)(ss_canvas* canvas, const char* text, const ss_lettering* how);
    void (*image)(ss_canvas* canvas, const ss_box* box, const ss_raster* raster);
} ss_canvas_drawing;

/// What a format implements.
typedef struct ss_canvas_class {
    const char* ending; ///< ".svg"
    ss_status (*create)(const ss_canvas_def* def, ss_canvas** out, ss_error* err);
    /// The bytes of the file, owned by the canvas.
    ss_status (*finish)(ss_canvas* canvas, const void** bytes, size_t* size, ss_error* err);
    void (*destroy)(ss_canvas* canvas);
    ss_canvas_drawing draw;
} ss_canvas_class;

extern const ss_canvas_class ss_canvas_svg, ss_canvas_png, ss_canvas_pdf;

/// The format of a file by its ending, or NULL.
const ss_canvas_class* ss_canvas_class_of(const char* path);

/// About how wide a text is, in points; the same for all formats.
double ss_text_width(const char* text, double size);

/// A raster as the bytes of a PNG file, to be freed; NULL without memory.
unsigned char* ss_raster_to_png(const ss_raster* raster, size_t* size);

#endif
