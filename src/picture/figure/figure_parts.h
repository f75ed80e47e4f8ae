// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of a figure: what was asked for is kept, and drawn when all of it is known, so that ticks, labels
// and legends have the room they need.
#ifndef SLIPSTICK_PICTURE_FIGURE_PARTS_H
#define SLIPSTICK_PICTURE_FIGURE_PARTS_H

#include "picture/figure/figure.h"

enum { SS_MOST_ENTRIES = 16, SS_MOST_PLOTS = 16 };

typedef enum ss_mark_kind {
    SS_MARK_PATH,
    SS_MARK_POLYGONS,
    SS_MARK_DOTS,
    SS_MARK_RINGS,
    SS_MARK_IMAGE,
    SS_MARK_TEXT,
} ss_mark_kind;

/// Something in a plot. Points are shares of the frame: (0, 0) is its lower left, (1, 1) its upper right.
typedef struct ss_mark {
    ss_mark_kind kind;
    ss_point* points;
    int count;
    int corners; ///< of polygons: of each
    bool closed;
    ss_color fill; ///< of areas and dots
    ss_pen pen;
    double radius;    ///< points
    ss_raster raster; ///< borrowed; from points[0], lower left, to points[1]
    char text[48];
    ss_anchor anchor;
    ss_point beside; ///< points
} ss_mark;

typedef enum ss_entry_kind {
    SS_ENTRY_AREA,
    SS_ENTRY_LINE,
    SS_ENTRY_DOT,
    SS_ENTRY_RING,
    SS_ENTRY_TEXT,
} ss_entry_kind;

/// An entry of the legend.
typedef struct ss_entry {
    char name[120];
    ss_entry_kind kind;
    ss_color fill;
    ss_pen pen;
} ss_entry;

struct ss_plot {
    ss_figure* figure;
    ss_plot_axis x, y;
    char x_label[200], y_label[200], note[120];
    bool square;
    ss_mark* marks;
    int mark_count;
    size_t mark_room;
    ss_entry entries[SS_MOST_ENTRIES];
    int entry_count, entries_left_out;
    // Laid out:
    ss_box frame; ///< on the sheet
};

struct ss_figure {
    const ss_canvas_class* class;
    ss_canvas* canvas;
    char* path;
    ss_figure_def def;
    char* title;
    const ss_theme* theme;
    ss_plot plots[SS_MOST_PLOTS];
    int plot_count;
    bool failed; ///< out of memory
    // Laid out:
    double scale;        ///< of everything but the plots: 1, less on a small sheet
    double text, small;  ///< sizes of letters, points
    double margin, tick; ///< points
    bool legend_below;   ///< one for all plots at the foot of the sheet, not one beside each
    double foot;         ///< its height
    const ss_box* clip;  ///< what is drawn to now, a frame; NULL: the whole sheet
};

/// Decides where everything goes.
void ss_figure_lay_out(ss_figure* figure);
/// Draws all of it.
void ss_figure_draw(ss_figure* figure);

/// Ticks of an axis that have room side by side, or above each other.
ss_ticks ss_plot_x_ticks(const ss_plot* plot);
ss_ticks ss_plot_y_ticks(const ss_plot* plot);
double ss_widest_tick(const ss_ticks* ticks, double size);

/// Places entries in rows as wide as the sheet and shows each to the sink with the place of its sample; the
/// sink may be NULL. Returns the height of all rows.
typedef void ss_entry_sink(ss_plot* plot, const ss_entry* entry, double x, double y);
double ss_figure_flow_legend(ss_figure* figure, double top, ss_entry_sink* sink);
/// The width of an entry, its sample included, and the distance from one to the next.
double ss_entry_width(const ss_figure* figure, const ss_entry* entry);
double ss_entry_pitch(const ss_figure* figure);

/// A text that is no wider than room: what is too much becomes an ellipsis, at its end or, for what ends in a
/// unit, at its beginning. Returns out.
const char* ss_text_fit(const char* text, double size, double room, bool keep_end, char* out,
                        size_t out_size);

#endif
