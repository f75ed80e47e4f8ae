// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The lines in pictures of motions.
#ifndef SLIPSTICK_PICTURE_MOTION_LINES_H
#define SLIPSTICK_PICTURE_MOTION_LINES_H

#include "picture/figure/figure.h"
#include "picture/view/sketch.h"

typedef struct ss_span {
    double low, high;
} ss_span;

ss_span ss_span_empty(void);
void ss_span_add(ss_span* span, double value);
ss_span ss_span_filled(ss_span span); ///< itself, or 0 to 0 where nothing was added
bool ss_span_is_point(ss_span span);  ///< but for rounding

/// The pen of line number k: colours, then the same dashed.
ss_pen ss_series_pen(const ss_plot* plot, int number);
/// A line through one point per moment, cut where moments between two of them are missing.
void ss_draw_runs(ss_plot* plot, const ss_sketch* sketch, const ss_point points[], const ss_pen* pen,
                  const char* name);

/// What a plot over time shows.
typedef enum ss_panel { SS_PANEL_X, SS_PANEL_V, SS_PANEL_FORCE } ss_panel;

ss_span ss_panel_span(const ss_sketch* sketch, ss_panel panel);
const char* ss_panel_label(const ss_model* model, ss_panel panel);
void ss_draw_panel_lines(ss_plot* plot, const ss_sketch* sketch, ss_panel panel);
/// Shades the times at which every friction contact sticks; named: the legend says so.
void ss_shade_sticks(ss_plot* plot, const ss_sketch* sketch, const ss_plot_axis* y, bool named);
/// A thin line where the vertical axis is 0.
void ss_draw_zero(ss_plot* plot, const ss_plot_axis* x, const ss_plot_axis* y);
/// The next plot: a lane per contact, dark while it sticks or is closed, with a stroke at every event;
/// `explain` has the legend say what strokes are.
void ss_draw_modes(ss_figure* figure, const ss_sketch* sketch, bool explain);

void ss_widen_by_body(const ss_sketch* sketch, int body, ss_span* x, ss_span* v);
/// Speed over position; thick while a contact of the body sticks, or a small dot where it stands still
/// meanwhile; with dots at the start and where it comes to rest.
void ss_draw_phase_line(ss_plot* plot, const ss_sketch* sketch, int body, int number);

/// What the force of a contact is drawn over.
typedef enum ss_abscissa { SS_DISPLACEMENT, SS_VELOCITY, SS_PENETRATION } ss_abscissa;

void ss_widen_by_contact(const ss_sketch* sketch, int i, ss_abscissa over, ss_span* across, ss_span* up);
/// The force against the motion (of a stop: the push) over that; with the work it takes, and that of each of
/// its closed loops.
/// named: the legend tells which contact it is.
void ss_draw_contact_line(ss_plot* plot, const ss_sketch* sketch, int i, ss_abscissa over, int number,
                          bool named);

#endif
