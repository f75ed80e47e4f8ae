// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "model/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ss_arena_block {
    struct ss_arena_block* next;
    size_t used, size;
    max_align_t data[];
} ss_arena_block;

enum { FIRST_BLOCK = 4096, LAST_BLOCK = 1 << 20 };

static ss_arena_block* add_block(ss_arena* arena, size_t needed)
{
    size_t usual = arena->block_size ? arena->block_size : FIRST_BLOCK;
    size_t size = needed > usual ? needed : usual;
    if (size > SIZE_MAX - sizeof(ss_arena_block)) return NULL;
    ss_arena_block* block = calloc(1, sizeof(ss_arena_block) + size);
    if (!block) return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->block_size = usual < LAST_BLOCK ? 2 * usual : usual;
    return block;
}

void* ss_arena_new(ss_arena* arena, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > 0 && count > (SIZE_MAX - align) / size) return NULL;
    size_t bytes = (count * size + align - 1) / align * align;
    if (bytes == 0) bytes = align; // distinct, valid pointers for empty arrays
    ss_arena_block* block = arena->blocks;
    if (!block || block->size - block->used < bytes) block = add_block(arena, bytes);
    if (!block) return NULL;
    void* result = (char*)block->data + block->used;
    block->used += bytes;
    return result;
}

char* ss_arena_text(ss_arena* arena, const char* text, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char* copy = ss_arena_new(arena, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

void ss_arena_free(ss_arena* arena)
{
    while (arena->blocks) {
        ss_arena_block* next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->block_size = 0;
}
