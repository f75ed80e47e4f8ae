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

#endif
