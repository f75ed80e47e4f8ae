// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory that runs out inside libraries that cannot bear it. libfyaml, HDF5, cairo and fontconfig crash at
// some allocations that fail, or go on with less (another font, a picture without its letters). Calls of them
// are therefore made under a guard: the program's own malloc, calloc and realloc see an allocation fail and
// leave the library at once, back to the guard, which says so. See docs/decisions/memory.md.
#ifndef SLIPSTICK_CLI_MEMORY_H
#define SLIPSTICK_CLI_MEMORY_H

#include "slipstick/status.h"

#include <stdbool.h>

typedef ss_status cli_guarded(void* data, ss_error* err);

/// Returns work(data, err), or SS_NO_MEMORY where an allocation failed on the way, whatever the work would
/// have made of that. What the work had open then stays open: nothing it made may be used or destroyed. Its
/// libraries must not be called again, so every later guard of this thread refuses at once. Guards may be
/// nested; each thread has its own.
ss_status cli_guard(cli_guarded* work, void* data, ss_error* err);

/// The same for work that writes a file: where the guard is left, what has been written under the temporary
/// name is removed. `temporary` may be NULL, for want of memory: then nothing is done.
ss_status cli_guard_file(cli_guarded* work, void* data, const char* temporary, ss_error* err);

/// Whether a guard has met an allocation that failed. The program must then end without exit handlers.
bool cli_guard_was_left(void);

#endif
