// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the program prints, made safe for terminals.
#ifndef SLIPSTICK_CLI_SCREEN_H
#define SLIPSTICK_CLI_SCREEN_H

#include <stdbool.h>

/// From here on standard output and standard error show what terminals would obey instead of sending it:
/// control characters, changes of direction and bytes that are no text appear as \x1b, \u202e. False without
/// memory.
bool cli_screen_begin(void);

#endif
