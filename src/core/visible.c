// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/utf8.h"
#include "share/error.h"
#include "slipstick/status.h"

#include <stdio.h>
#include <string.h>

// Whether the bytes are the beginning of a character whose rest is missing.
static bool is_cut(const char* bytes, size_t left)
{
    unsigned char lead = (unsigned char)bytes[0];
    size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                    : lead >= 0xe0 && lead < 0xf0 ? 3
                    : lead >= 0xc2 && lead < 0xe0 ? 2
                                                  : 1;
    if (left >= length) return false;
    for (size_t k = 1; k < left; k++)
        if (((unsigned char)bytes[k] & 0xc0) != 0x80) return false;
    return true;
}

size_t ss_visible(const char* bytes, size_t left, char out[SS_VISIBLE_SIZE])
{
    uint32_t code;
    size_t length = ss_utf8_read(bytes, left, &code);
    if (length == 0 && is_cut(bytes, left)) return 0;
    if (length == 0) {
        snprintf(out, SS_VISIBLE_SIZE, "\\x%02x", (unsigned)(unsigned char)bytes[0]);
        return 1;
    }
    bool layout = code == '\n' || code == '\t';
    if (ss_utf8_is_hidden(code) && !layout) {
        snprintf(out, SS_VISIBLE_SIZE, code < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    } else {
        memcpy(out, bytes, length);
        out[length] = '\0';
    }
    return length;
}
