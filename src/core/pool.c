// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ss_pool_block {
    struct ss_pool_block* next;
    size_t used, size;
    max_align_t data[];
} ss_pool_block;

enum { FIRST_BLOCK = 4096, LAST_BLOCK = 1 << 14 };

static ss_pool_block* add_block(ss_pool* pool, size_t needed)
{
    size_t usual = pool->block_size ? pool->block_size : FIRST_BLOCK;
    size_t size = needed > usual ? needed : usual;
    if (size > SIZE_MAX - sizeof(ss_pool_block)) return NULL;
    ss_pool_block* block = calloc(1, sizeof(ss_pool_block) + size);
    if (!block) return NULL;
    block->size = size;
    block->next = pool->blocks;
    pool->blocks = block;
    pool->block_size = usual < LAST_BLOCK ? 2 * usual : usual;
    return block;
}

void* ss_pool_new(ss_pool* pool, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    bool fits = size == 0 || count <= (SIZE_MAX - align) / size;
    size_t bytes = fits ? (count * size + align - 1) / align * align : SIZE_MAX;
    if (bytes == 0) bytes = align; // distinct, valid pointers for empty arrays
    ss_pool_block* block = pool->blocks;
    if (!block || block->size - block->used < bytes) block = fits ? add_block(pool, bytes) : NULL;
    if (!block) {
        pool->failed = true;
        return NULL;
    }
    void* result = (char*)block->data + block->used;
    block->used += bytes;
    return result;
}

char* ss_pool_text(ss_pool* pool, const char* text, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char* copy = ss_pool_new(pool, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

void ss_pool_free(ss_pool* pool)
{
    while (pool->blocks) {
        ss_pool_block* next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
    pool->block_size = 0;
}
