// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Figures: axes with ticks and units, images, lines, areas, points, and a legend beside or below the data.
// Things are drawn in the order they are added, when the figure is finished.
//
//     ss_figure_create -> ss_figure_plot (one or more, top to bottom) -> ss_plot_... -> ss_figure_finish
#ifndef SLIPSTICK_PICTURE_FIGURE_H
#define SLIPSTICK_PICTURE_FIGURE_H

#include "picture/canvas/theme.h"
#include "slipstick/picture.h"

typedef struct ss_figure ss_figure;
typedef struct ss_plot ss_plot; ///< one pair of axes in a figure

typedef struct ss_figure_def {
    ss_sheet sheet;
    const char* title;     ///< above everything; NULL or "": none
    double width, height;  ///< points, where the sheet does not say; 0: 480 x 400
    int plots;             ///< one above the other; 0: one
    const double* weights; ///< shares of the height, one per plot; NULL: all alike
} ss_figure_def;

typedef struct ss_plot_axis {
    const char* label; ///< with its unit: "block1.x (m)"; NULL: neither label nor ticks
    double from, to;   ///< from < to
} ss_plot_axis;

ss_status ss_figure_create(const ss_figure_def* def, ss_figure** out, ss_error* err);
/// The next plot, from the top. square: one unit is as long on both axes. Borrowed from the figure.
ss_plot* ss_figure_plot(ss_figure* figure, const ss_plot_axis* x, const ss_plot_axis* y, bool square);
/// Draws the frame, the ticks and the legend and writes the file, whole or not at all.
ss_status ss_figure_finish(ss_figure* figure, ss_error* err);
void ss_figure_destroy(ss_figure* figure); ///< NULL is welcome

const ss_theme* ss_plot_theme(const ss_plot* plot);
/// A raster whose pixels fill the box from (x0, y0), lower left, to (x1, y1), upper right; its bytes are
/// needed until the figure is finished.
void ss_plot_image(ss_plot* plot, double x0, double y0, double x1, double y1, const ss_raster* raster);
/// A line through the points, or an outline back to the first. name: its entry in the legend, or NULL; with a
/// count of 0, here and below, there is nothing but that entry.
void ss_plot_line(ss_plot* plot, const ss_point points[], int count, bool closed, const ss_pen* pen,
                  const char* name);
void ss_plot_area(ss_plot* plot, const ss_point points[], int count, ss_color fill, const ss_pen* pen,
                  const char* name);
/// Many polygons of so many corners each, all alike.
void ss_plot_polygons(ss_plot* plot, const ss_point points[], int corners, int count, ss_color fill,
                      const ss_pen* pen);
/// Dots of the given radius in points.
void ss_plot_dots(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                  const char* name);
/// Rings likewise, filled with the paper.
void ss_plot_rings(ss_plot* plot, const ss_point points[], int count, double radius, ss_color color,
                   const char* name);
/// A word at a point, or so many points to its right and above it.
void ss_plot_text(ss_plot* plot, ss_point at, const char* text, ss_anchor anchor, ss_point beside);
/// A remark at the foot of the plot: what is missing in it.
void ss_plot_note(ss_plot* plot, const char* text);
/// An entry of the legend for what an image shows in this colour.
void ss_plot_legend(ss_plot* plot, ss_color color, const char* name);

/// A line of text in the legend.
void ss_plot_remark(ss_plot* plot, const char* text);

/// An axis that shows all values and a little more; a single value gets room on both sides.
ss_plot_axis ss_axis_around(const char* label, double low, double high);

// ---- ticks ----

typedef struct ss_ticks {
    double offset;      ///< labels tell what is beyond it; 0 but for large numbers that hardly differ
    double first, step; ///< ticks at offset + first + k step
    int count;          ///< at most 20
    int exponent;       ///< labels tell multiples of 10^exponent; 0 for numbers of a handy size
    int decimals;       ///< digits after the point that tell them apart
} ss_ticks;

/// Round numbers between from and to, about so many.
ss_ticks ss_ticks_choose(double from, double to, int about);
double ss_tick_value(const ss_ticks* ticks, int k);
/// The label of tick k. Returns out.
const char* ss_ticks_label(const ss_ticks* ticks, int k, char* out, size_t size);
/// The label of their axis, "x - 1000 (10^-5 m)" for "x (m)" where there are offset and exponent. Returns
/// out.
const char* ss_ticks_axis(const ss_ticks* ticks, const char* label, char* out, size_t size);

#endif
