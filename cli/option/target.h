// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files that a command writes in the end must be possible from the start: a wrong place is a fault of the
// option, told before anything is run.
#ifndef SLIPSTICK_CLI_TARGET_H
#define SLIPSTICK_CLI_TARGET_H

#include <stdbool.h>

/// CLI_GO_ON if the file could be written now (or path is NULL), otherwise the status to exit with after
/// telling the fault of the option. What is there already is not touched.
int cli_target_check(const char* option, const char* path);

/// Whether two names lead to one file that is there.
bool cli_target_is_same(const char* path, const char* other);

/// The files of a command that keeps what it has computed in FILE.part as it goes on.
typedef struct cli_map_targets {
    const char* model;
    const char *out, *csv, *plot; ///< of --out, --csv, --plot; NULL: not given
    bool resume;                  ///< --resume
} cli_map_targets;

/// CLI_GO_ON where they make sense together, otherwise the status to exit with.
int cli_map_targets_check(const cli_map_targets* targets);

#endif
