// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "share/text.h"
#include "core/number_length.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(ss_text* text, size_t more)
{
    size_t wanted = text->length + more + 1, room = text->room ? text->room : 256;
    if (wanted <= text->room) return true;
    while (room < wanted) room *= 2;
    char* bytes = realloc(text->bytes, room);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

void ss_text_add(ss_text* text, const char* format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = ss_vformat(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && !text->failed && make_room(text, (size_t)length)) {
        ss_vformat(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void ss_text_add_base64(ss_text* text, const unsigned char* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        unsigned long group = (unsigned long)bytes[k] << 16;
        if (k + 1 < size) group |= (unsigned long)bytes[k + 1] << 8;
        if (k + 2 < size) group |= bytes[k + 2];
        ss_text_add(text, "%c%c%c%c", digits[group >> 18 & 63], digits[group >> 12 & 63],
                    k + 1 < size ? digits[group >> 6 & 63] : '=', k + 2 < size ? digits[group & 63] : '=');
    }
}

char* ss_text_take(ss_text* text)
{
    char* bytes = text->failed || !make_room(text, 0) ? NULL : text->bytes;
    if (!bytes)
        free(text->bytes);
    else if (text->length == 0)
        bytes[0] = '\0';
    *text = (ss_text){0};
    return bytes;
}
