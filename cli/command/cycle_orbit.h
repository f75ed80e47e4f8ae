// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The orbit of a cycle as picture and file: one period of the motion from a state on it.
#ifndef SLIPSTICK_CLI_CYCLE_ORBIT_H
#define SLIPSTICK_CLI_CYCLE_ORBIT_H

#include "command/simulate_plot.h"
#include "slipstick/lab.h"

typedef struct cli_orbit {
    cli_motion_plot plot;
    const char* out; ///< file, or NULL
} cli_orbit;

/// Whether picture and file can be made. Returns CLI_GO_ON or the status to exit with.
int cli_orbit_check(cli_orbit* orbit, const cli_common* common, const cli_loaded* loaded);
/// Makes them. Returns CLI_DONE or the status to exit with.
int cli_orbit_make(const cli_orbit* orbit, const cli_loaded* loaded, const cli_common* common,
                   const ss_cycle* cycle, const char* model_text);

#endif
