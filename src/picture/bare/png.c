// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What canvas_cairo.c does, where there is no Cairo: rasters become PNG without compression; sheets of PNG
// and PDF there are none.
#include "core/error.h"
#include "picture/canvas/canvas.h"
#include "picture/canvas/png_chunk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static ss_status refuse(const ss_canvas_def* def, ss_canvas** out, ss_error* err)
{
    (void)def;
    *out = NULL;
    return ss_fail(err, SS_BAD_INPUT, NULL, "only SVG is drawn here");
}

const ss_canvas_class ss_canvas_png = {".png", refuse, NULL, NULL, {0}};
const ss_canvas_class ss_canvas_pdf = {".pdf", refuse, NULL, NULL, {0}};

// ---- PNG: a signature, then chunks of length, name, bytes and checksum [ISO 15948]

enum { STORED = 65535, CHUNK = 12 }; // most bytes of a stored block of DEFLATE; what a chunk adds

// Ends a chunk that began at `chunk` with room for its length.
static unsigned char* end_chunk(unsigned char* chunk, unsigned char* end)
{
    ss_png_put_word(chunk, (uint32_t)(end - chunk) - 8);
    return ss_png_put_word(end, ss_png_checksum(chunk + 4, (size_t)(end - chunk) - 4));
}

// Begins a chunk: its length comes later. Returns where its content begins.
static unsigned char* begin_chunk(unsigned char* chunk, const char* name)
{
    for (int k = 0; k < 4; k++) chunk[4 + k] = (unsigned char)name[k];
    return chunk + 8;
}

static unsigned char* put_header(unsigned char* at, const ss_raster* raster)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char form[5] = {8, 2, 0, 0, 0}; // eight bits, red green blue
    memcpy(at, signature, sizeof signature);
    unsigned char *chunk = at + sizeof signature, *p = begin_chunk(chunk, "IHDR");
    p = ss_png_put_word(ss_png_put_word(p, (uint32_t)raster->columns), (uint32_t)raster->rows);
    memcpy(p, form, sizeof form);
    return end_chunk(chunk, p + sizeof form);
}

// Byte k of the picture: each row begins with its filter, 0.
static unsigned char byte_of(const ss_raster* raster, size_t k)
{
    size_t row = 3 * (size_t)raster->columns + 1;
    return k % row == 0 ? 0 : raster->rgb[k / row * (row - 1) + k % row - 1];
}

static unsigned char* put_pixels(unsigned char* at, const ss_raster* raster, size_t total)
{
    unsigned char *chunk = at, *p = begin_chunk(chunk, "IDAT");
    uint32_t a = 1, b = 0; // Adler's sums
    *p++ = 0x78;           // a stream of zlib that is stored, not packed
    *p++ = 0x01;
    for (size_t done = 0; done < total;) {
        size_t part = total - done < STORED ? total - done : STORED;
        *p++ = done + part == total;
        *p++ = (unsigned char)(part & 0xff);
        *p++ = (unsigned char)(part >> 8);
        *p++ = (unsigned char)(~part & 0xff);
        *p++ = (unsigned char)(~part >> 8 & 0xff);
        for (size_t end = done + part; done < end; done++) {
            *p = byte_of(raster, done);
            a = (a + *p++) % 65521;
            b = (b + a) % 65521;
        }
    }
    return end_chunk(chunk, ss_png_put_word(p, b << 16 | a));
}

unsigned char* ss_raster_to_png(const ss_raster* raster, size_t* size)
{
    size_t total = (3 * (size_t)raster->columns + 1) * (size_t)raster->rows, blocks = total / STORED + 1;
    unsigned char* bytes = malloc(total + 5 * blocks + 3 * CHUNK + 64);
    if (!bytes) return NULL;
    unsigned char* p = put_pixels(put_header(bytes, raster), raster, total);
    p = end_chunk(p, begin_chunk(p, "IEND"));
    *size = (size_t)(p - bytes);
    return bytes;
}
