// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory that is taken piece by piece and given back all at once: a document, a model or a run owns one pool.
#ifndef SLIPSTICK_CORE_POOL_H
#define SLIPSTICK_CORE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ss_pool_block {
    struct ss_pool_block* next;
    size_t used, size; ///< bytes of data
    max_align_t data[];
} ss_pool_block;

/// Blocks, the newest first.
typedef struct ss_pool_chain {
    ss_pool_block* newest;
    size_t block_size; ///< usual size of the next block, grows up to 16 KiB
} ss_pool_chain;

typedef struct ss_pool {
    ss_pool_chain kept, spare;
    bool failed; ///< some allocation failed: may be checked once, after a whole series of them
} ss_pool;       ///< zero-initialised: empty

/// Zeroed memory for count elements, aligned for anything; NULL on overflow or when there is none. count = 0
/// gives a valid pointer.
void* ss_pool_new(ss_pool* pool, size_t count, size_t size);
/// The same, for what need not be saved with the object (core/image.h): scratch that nothing outlives, and
/// tables that are made again where they are missing.
void* ss_pool_spare(ss_pool* pool, size_t count, size_t size);
/// A copy of length bytes with a NUL after them; NULL when there is no memory.
char* ss_pool_text(ss_pool* pool, const char* text, size_t length);
void ss_pool_free(ss_pool* pool);

#endif
