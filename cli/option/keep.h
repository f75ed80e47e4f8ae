// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pieces of memory that are let go together: what was read from the options of a command.
#ifndef SLIPSTICK_CLI_KEEP_H
#define SLIPSTICK_CLI_KEEP_H

#include <stddef.h>

typedef struct cli_keep {
    struct cli_kept* newest;
} cli_keep; ///< zero-initialised: empty

/// Zeroed memory for count elements; NULL without memory.
void* cli_keep_new(cli_keep* keep, size_t count, size_t size);
/// A copy of length bytes with a NUL after them; NULL without memory.
char* cli_keep_text(cli_keep* keep, const char* text, size_t length);
void cli_keep_free(cli_keep* keep);

#endif
