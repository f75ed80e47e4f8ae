// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/canvas/label.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char* ss_label_changes(const char* changes, char* out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *part = changes, *next; part && used < size; part = next) {
        int length = (int)strcspn(part, ",");
        next = part[length] ? part + length + 1 : NULL;
        bool change = part[strcspn(part, "=,")] == '='; // other words are somebody's own
        for (const char* dot; change && (dot = memchr(part, '.', strcspn(part, "="))) != NULL; part = dot + 1)
            length -= (int)(dot + 1 - part);
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", length, part, next ? ", " : "");
    }
    return out;
}
