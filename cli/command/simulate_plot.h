// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures of `simulate`.
#ifndef SLIPSTICK_CLI_SIMULATE_PLOT_H
#define SLIPSTICK_CLI_SIMULATE_PLOT_H

#include "command/run.h"
#include "option/plot.h"

typedef struct cli_motion_plot {
    cli_plot options;
    ss_sheet sheet;
    cli_texts also;  ///< further starts, PATH=VALUE,PATH=VALUE each
    cli_texts show;  ///< numbers over time
    double from, to; ///< s: what is drawn; to = 0: up to the end
} cli_motion_plot;

/// Whether there is such a view of these bodies or this slider, and the picture can be written. Returns
/// CLI_GO_ON or the status to exit with.
int cli_motion_plot_check(const cli_motion_plot* plot, const cli_loaded* loaded);
/// Draws the motion and those from further starts. Returns the status to exit with.
int cli_motion_plot_draw(const cli_motion_plot* plot, const cli_run_def* def, const ss_motion* motion);

#endif
