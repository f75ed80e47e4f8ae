// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The parts of `basin`: what was asked, and its axes, which `scan` has as well.
#ifndef SLIPSTICK_CLI_COMMAND_BASIN_AXES_H
#define SLIPSTICK_CLI_COMMAND_BASIN_AXES_H

#include "option/load.h"
#include "option/plot.h"
#include "slipstick/lab.h"

typedef struct cli_basin_settings {
    cli_common common;
    cli_texts over;
    long random, seed; // random 0: a grid
    double until;      // NaN: as the model says
    double escape;     // NaN: 1e6 times the largest start
    long threads;      // 0: all cores
    const char *out, *csv;
    cli_plot plot;
    ss_sheet sheet; ///< of the picture
    bool resume;
} cli_basin_settings;

/// The axes of all --over. Returns CLI_GO_ON, or the status to exit with after telling the fault. Free them
/// in any case.
typedef struct cli_axes {
    ss_basin_axis* items;
    char** texts;    ///< paths and options
    double** values; ///< of axes that list them, otherwise NULL
    int count;
} cli_axes;
/// command: "basin", for the fault that there is none.
int cli_axes_read(const char* command, const cli_texts* over, bool random, const ss_document* document,
                  cli_axes* axes);
void cli_axes_free(cli_axes* axes);

#endif
