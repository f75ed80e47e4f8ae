// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ss_pool_block {
    ss_pool_block* next;
    max_align_t data[];
};

void* ss_pool_new(ss_pool* pool, size_t count, size_t size)
{
    size_t limit = SIZE_MAX - sizeof(ss_pool_block) - sizeof(max_align_t);
    ss_pool_block* block = NULL;
    if (size == 0 || count <= limit / size) block = calloc(1, sizeof *block + count * size + 1);
    if (!block) {
        pool->failed = true;
        return NULL;
    }
    block->next = pool->blocks;
    pool->blocks = block;
    return block->data;
}

char* ss_pool_copy_text(ss_pool* pool, const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = ss_pool_new(pool, size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

double* ss_pool_copy(ss_pool* pool, const double values[], size_t count)
{
    double* copy = ss_pool_new(pool, count, sizeof(double));
    if (copy && count > 0) memcpy(copy, values, count * sizeof(double));
    return copy;
}

void ss_pool_free(ss_pool* pool)
{
    for (ss_pool_block *block = pool->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    pool->blocks = NULL;
}
