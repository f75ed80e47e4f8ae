// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "buffer.h"
#include "share/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(fmu_buffer* out, const char* text, size_t length)
{
    if (out->failed) return;
    if (out->length + length + 1 > out->room) {
        size_t room = 2 * (out->length + length) + 256;
        char* more = realloc(out->text, room);
        if (!more) {
            out->failed = true;
            return;
        }
        out->text = more;
        out->room = room;
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
    out->text[out->length] = '\0';
}

void fmu_put(fmu_buffer* out, const char* text) { put(out, text, strlen(text)); }

void fmu_print(fmu_buffer* out, const char* format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    int length = ss_vformat(text, sizeof text, format, list);
    va_end(list);
    put(out, text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void fmu_put_escaped(fmu_buffer* out, const char* text)
{
    for (const char* c = text; *c; c++) {
        const char* instead = *c == '\\'   ? "\\\\"
                              : *c == '\t' ? "\\t"
                              : *c == '\n' ? "\\n"
                              : *c == '\r' ? "\\r"
                                           : NULL;
        if (instead)
            put(out, instead, 2);
        else
            put(out, c, 1);
    }
}

void fmu_put_xml(fmu_buffer* out, const char* text)
{
    size_t left = strlen(text), length = 1;
    for (const char* c = text; left > 0; c += length, left -= length) {
        // XML has no control characters; names that differ in them stay different.
        char shown[SS_VISIBLE_SIZE] = "";
        length = ss_visible(c, left, shown);
        if (length == 0) length = 1; // cut: not a character
        switch (*c) {
        case '&': fmu_put(out, "&amp;"); break;
        case '<': fmu_put(out, "&lt;"); break;
        case '>': fmu_put(out, "&gt;"); break;
        case '"': fmu_put(out, "&quot;"); break;
        case '\'': fmu_put(out, "&apos;"); break;
        case '\n':
        case '\r':
        case '\t': fmu_put(out, " "); break;
        default: fmu_put(out, shown);
        }
    }
}

void fmu_put_number(fmu_buffer* out, double value)
{
    char text[SS_NUMBER_SIZE];
    if (!isfinite(value)) { // as XML has them
        fmu_put(out, isnan(value) ? "NaN" : value > 0.0 ? "INF" : "-INF");
        return;
    }
    fmu_put(out, ss_number_shortest(value, text, sizeof text));
}

void fmu_buffer_free(fmu_buffer* buffer)
{
    free(buffer->text);
    *buffer = (fmu_buffer){.failed = buffer->failed};
}
