// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Characters of a text in UTF-8.
#ifndef SLIPSTICK_CORE_UTF8_H
#define SLIPSTICK_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of the character at c, of which left bytes are there, and its code; 0 where the bytes are no UTF-8:
/// cut, longer than needed, half of a pair, beyond the last code.
static inline size_t ss_utf8_read(const char* c, size_t left, uint32_t* code)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char* byte = (const unsigned char*)c;
    for (size_t n = 1; n <= 4 && n <= left; n++) {
        if ((byte[0] & forms[n - 1].mask) != forms[n - 1].lead) continue;
        *code = n == 1 ? byte[0] : byte[0] & (0x7fu >> n);
        for (size_t k = 1; k < n; k++) {
            if ((byte[k] & 0xc0) != 0x80) return 0;
            *code = *code << 6 | (byte[k] & 0x3f);
        }
        bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
        return *code < forms[n - 1].least || *code > 0x10ffff || surrogate ? 0 : n;
    }
    return 0;
}

/// Whether a character is not shown but obeyed: controls (C0, DEL, C1), marks and overrides of direction,
/// separators of lines and paragraphs, and the two codes that are no characters.
static inline bool ss_utf8_is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfffe || code == 0xffff;
}

#endif
