// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Long work: a bar on standard error when that is a terminal, and a clean end on Ctrl-C.
#ifndef SLIPSTICK_CLI_PROGRESS_H
#define SLIPSTICK_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
    bool terminal; ///< somebody is looking
    bool shown;
    double started_s, drawn_s; ///< of a clock that never goes back
} cli_progress;

/// Interrupting signals are noted from now on instead of ending the program; a second one ends it. A file
/// that grows too large becomes an error of the write rather than a signal.
cli_progress cli_progress_begin(void);
/// Redraws the bar now and then once half a second has passed. fraction is in [0, 1].
void cli_progress_update(cli_progress* progress, double fraction);
/// The same with a few words.
void cli_progress_say(cli_progress* progress, double fraction, const char* text);
/// The same with the rate of work and the seconds left (negative: unknown).
void cli_progress_work(cli_progress* progress, double fraction, double rate, const char* unit, double left_s);
void cli_progress_end(cli_progress* progress); ///< wipes the bar

/// For an ss_watch whose user is a cli_progress: shows the share and goes on until somebody interrupts.
bool cli_progress_goes_on(void* progress, double share);

/// Whether somebody wants the work to end.
bool cli_interrupted(void);

#endif
