// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory that is taken piece by piece and given back all at once.
#ifndef SLIPSTICK_MODEL_ARENA_H
#define SLIPSTICK_MODEL_ARENA_H

#include <stddef.h>

typedef struct ss_arena {
    struct ss_arena_block* blocks; ///< the newest first
    size_t block_size;             ///< usual size of the next block, grows up to 1 MiB
} ss_arena;                        ///< zero-initialised: empty

/// Zeroed memory for count elements, aligned for anything; NULL on overflow or when there is none.
void* ss_arena_new(ss_arena* arena, size_t count, size_t size);
/// A copy of length bytes with a NUL after them; NULL when there is no memory.
char* ss_arena_text(ss_arena* arena, const char* text, size_t length);
void ss_arena_free(ss_arena* arena);

#endif
