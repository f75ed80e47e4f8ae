// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Text that grows, for whoever writes pages and files.
//
//     ss_text text = {0};
//     ss_text_add(&text, "x = %g m\n", x);
//     char* all = ss_text_take(&text); // NULL without memory, otherwise to be freed
#ifndef SLIPSTICK_SHARE_TEXT_H
#define SLIPSTICK_SHARE_TEXT_H

#include "share/error.h"

typedef struct ss_text {
    char* bytes; ///< NUL at the end; NULL while empty
    size_t length, room;
    bool failed; ///< out of memory: may be checked once, at the end
} ss_text;       ///< zero-initialised: empty

void ss_text_add(ss_text* text, const char* format, ...) SS_PRINTF(2, 3);
void ss_text_add_base64(ss_text* text, const unsigned char* bytes, size_t size);
/// The text as an own string, "" if nothing was added; NULL without memory. The caller frees.
char* ss_text_take(ss_text* text);

#endif
