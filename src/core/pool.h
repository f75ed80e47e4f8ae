// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory that is made piece by piece and freed at once: a model or a run owns one pool.
#ifndef SLIPSTICK_CORE_POOL_H
#define SLIPSTICK_CORE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ss_pool_block ss_pool_block;

typedef struct ss_pool {
    ss_pool_block* blocks;
    bool failed; ///< some allocation failed: checked once, after a whole series of them
} ss_pool;

/// Zeroed memory for count elements, or NULL with failed set. count = 0 gives a valid pointer.
void* ss_pool_new(ss_pool* pool, size_t count, size_t size);
char* ss_pool_copy_text(ss_pool* pool, const char* text);
double* ss_pool_copy(ss_pool* pool, const double values[], size_t count);
void ss_pool_free(ss_pool* pool);

#endif
