// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the chunks of a PNG are made of [ISO 15948, 5.3]: words with the highest byte first, and a checksum.
#ifndef SLIPSTICK_PICTURE_PNG_CHUNK_H
#define SLIPSTICK_PICTURE_PNG_CHUNK_H

#include <stddef.h>
#include <stdint.h>

/// Returns where the next byte goes.
static inline unsigned char* ss_png_put_word(unsigned char* at, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8) *at++ = (unsigned char)(word >> shift);
    return at;
}

/// Of the name of a chunk and its content.
static inline uint32_t ss_png_checksum(const unsigned char* bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < count; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

#endif
