// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/canvas.h"

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

// Sans-serif letters: digits and most letters are a bit over half their size, some are slim.
double ss_text_width(const char* text, double size)
{
    double width = 0;
    for (const char* p = text; *p; p++) {
        if (((unsigned char)*p & 0xC0) == 0x80) continue; // within a character
        width += strchr(" .,:;'|!ijltfI()[]", *p) ? 0.36 : strchr("mwMW", *p) ? 0.9 : 0.62;
    }
    return width * size;
}
