// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Options of all commands that draw: the file, how large, in which colours, and what of it.
#ifndef SLIPSTICK_CLI_PLOT_H
#define SLIPSTICK_CLI_PLOT_H

#include "base/made.h"
#include "base/memory.h"
#include "option/options.h"
#include "slipstick/picture.h"

typedef struct cli_plot {
    const char* path; ///< NULL: no picture
    const char *theme, *size, *view, *font;
    long dpi;                 ///< 0: as the size says
    char made[CLI_MADE_LINE]; ///< what the picture came from; filled by cli_plot_sheet
} cli_plot;

// clang-format off
#define CLI_PLOT_OPTIONS(plot, about)                                                                        \
    {.name = "--plot", .value = "FILE", .kind = CLI_TEXT, .target = &(plot)->path,                           \
     .help = (about)},                                                                                       \
    {.name = "--theme", .value = "NAME", .kind = CLI_TEXT, .target = &(plot)->theme,                         \
     .choices = "print screen dark",                                                                         \
     .help = "colours of the picture: print (default), screen or dark"},                                     \
    {.name = "--size", .value = "WxH", .kind = CLI_TEXT, .target = &(plot)->size,                            \
     .help = "size of the picture, as 160x120mm or 800x600px"},                                              \
    {.name = "--dpi", .value = "N", .kind = CLI_COUNT, .target = &(plot)->dpi, .least = 10, .most = 2400,    \
     .help = "dots per inch of a PNG (default 144)"},                                                        \
    {.name = "--font", .value = "NAME", .kind = CLI_TEXT, .target = &(plot)->font,                           \
     .help = "font of the picture, if it is installed: 'Times New Roman'"}
#define CLI_VIEW_OPTION(plot, names, views)                                                                  \
    {.name = "--view", .value = "NAME", .kind = CLI_TEXT, .target = &(plot)->view, .choices = (names),       \
     .help = (views)}
// clang-format on

/// Reads what was asked for; without a picture the other options are faults. Returns CLI_GO_ON or the status
/// to exit with.
int cli_plot_sheet(cli_plot* plot, const cli_common* common, ss_sheet* out);

/// Draws under a guard: work makes the picture of the sheet. SS_NO_MEMORY where memory ran out, and then
/// there is no picture.
ss_status cli_plot_draw(cli_guarded* work, void* data, const ss_sheet* sheet, ss_error* err);

/// The view NAME or NAME:OF among the names (NULL at the end; the first is the default): its index, -1 after
/// telling a fault. *of is what stands behind the colon, or NULL.
int cli_plot_view(const cli_plot* plot, const char* const names[], const char** of);

#endif
