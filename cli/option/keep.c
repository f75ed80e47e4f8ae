// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "option/keep.h"

#include <stdlib.h>
#include <string.h>

typedef struct cli_kept {
    struct cli_kept* older;
    void* memory;
} cli_kept;

void* cli_keep_new(cli_keep* keep, size_t count, size_t size)
{
    cli_kept* kept = malloc(sizeof *kept);
    void* memory = kept ? calloc(count ? count : 1, size) : NULL;
    if (!memory) {
        free(kept);
        return NULL;
    }
    *kept = (cli_kept){keep->newest, memory};
    keep->newest = kept;
    return memory;
}

char* cli_keep_text(cli_keep* keep, const char* text, size_t length)
{
    char* copy = cli_keep_new(keep, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

void cli_keep_free(cli_keep* keep)
{
    while (keep->newest) {
        cli_kept* older = keep->newest->older;
        free(keep->newest->memory);
        free(keep->newest);
        keep->newest = older;
    }
}
