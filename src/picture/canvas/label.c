// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/canvas/label.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Where the part of a path begins that tells it from others: "mu" of parameters.mu, "block1.x" of
// start.block1.x, "floor.friction" of contacts.floor.friction.
static const char* end_of_path(const char* path)
{
    static const char parameters[] = "parameters.";
    if (strncmp(path, parameters, strlen(parameters)) == 0) return path + strlen(parameters);
    const char* begin = path;
    const char* dot = memchr(path, '.', strcspn(path, "="));
    for (const char* next; dot && (next = memchr(dot + 1, '.', strcspn(dot + 1, "="))) != NULL; dot = next)
        begin = dot + 1;
    return begin;
}

const char* ss_label_changes(const char* changes, char* out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *part = changes, *next; part && used < size; part = next) {
        int length = (int)strcspn(part, ",");
        next = part[length] ? part + length + 1 : NULL;
        bool change = part[strcspn(part, "=,")] == '='; // other words are somebody's own
        const char* begin = change ? end_of_path(part) : part;
        length -= (int)(begin - part);
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", length, begin, next ? ", " : "");
    }
    return out;
}
