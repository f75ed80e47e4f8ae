// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LAST_BLOCK = 1 << 14 };

static ss_pool_block* add_block(ss_pool_chain* chain, size_t needed)
{
    size_t usual = chain->block_size ? chain->block_size : FIRST_BLOCK;
    size_t size = needed > usual ? needed : usual;
    if (size > SIZE_MAX - sizeof(ss_pool_block)) return NULL;
    ss_pool_block* block = calloc(1, sizeof(ss_pool_block) + size);
    if (!block) return NULL;
    block->size = size;
    block->next = chain->newest;
    chain->newest = block;
    chain->block_size = usual < LAST_BLOCK ? 2 * usual : usual;
    return block;
}

static void* take(ss_pool* pool, ss_pool_chain* chain, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    bool fits = size == 0 || count <= (SIZE_MAX - align) / size;
    size_t bytes = fits ? (count * size + align - 1) / align * align : SIZE_MAX;
    if (bytes == 0) bytes = align; // distinct, valid pointers for empty arrays
    ss_pool_block* block = chain->newest;
    if (!block || block->size - block->used < bytes) block = fits ? add_block(chain, bytes) : NULL;
    if (!block) {
        pool->failed = true;
        return NULL;
    }
    void* result = (char*)block->data + block->used;
    block->used += bytes;
    return result;
}

void* ss_pool_new(ss_pool* pool, size_t count, size_t size) { return take(pool, &pool->kept, count, size); }

void* ss_pool_spare(ss_pool* pool, size_t count, size_t size)
{
    return take(pool, &pool->spare, count, size);
}

char* ss_pool_text(ss_pool* pool, const char* text, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char* copy = ss_pool_new(pool, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

static void free_chain(ss_pool_chain* chain)
{
    while (chain->newest) {
        ss_pool_block* next = chain->newest->next;
        free(chain->newest);
        chain->newest = next;
    }
    chain->block_size = 0;
}

void ss_pool_free(ss_pool* pool)
{
    free_chain(&pool->kept);
    free_chain(&pool->spare);
}
