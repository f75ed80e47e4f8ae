// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/canvas/canvas.h"

#include <string.h>

const ss_canvas_class* ss_canvas_class_of(const char* path)
{
    static const ss_canvas_class* const classes[] = {&ss_canvas_svg, &ss_canvas_png, &ss_canvas_pdf};
    size_t length = strlen(path);
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) {
        size_t ending = strlen(classes[k]->ending);
        if (length > ending && strcmp(path + length - ending, classes[k]->ending) == 0) return classes[k];
    }
    return NULL;
}

void ss_font_name(const char* family, char out[SS_FONT_NAME])
{
    static const char others[] = " -_.";
    size_t used = 0;
    for (const char* p = family ? family : ""; *p && used + 1 < SS_FONT_NAME; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (letter || (unsigned char)*p >= 0x80 || strchr(others, *p)) out[used++] = *p;
    }
    out[used] = '\0';
}

// Widths of the letters of DejaVu Sans in hundredths of their size, from the space on: the widest of the
// common sans-serif fonts. Other characters are mostly Greek letters and raised digits.
double ss_text_width(const char* text, double size)
{
    static const unsigned char widths[] = {
        32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
        64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
        60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
        63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
    double width = 0;
    for (const char* p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if ((c & 0xC0) == 0x80) continue; // within a character
        width += c >= 0x20 && c < 0x7F ? widths[c - 0x20] : 70;
    }
    return 0.01 * width * size;
}
