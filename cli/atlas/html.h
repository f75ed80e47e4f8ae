// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Words of HTML: escaped text, pictures, the frame of a page with its style.
#ifndef SLIPSTICK_CLI_ATLAS_HTML_H
#define SLIPSTICK_CLI_ATLAS_HTML_H

#include "share/text.h"

#include <stddef.h>

/// Text as it should be read, whatever characters it has.
void html_escape(ss_text* page, const char* text, size_t length);
/// A pattern with one %s, which is filled by the escaped text.
void html_add(ss_text* page, const char* pattern, const char* text);
/// The picture figures/FILE itself; `name` keeps its ids apart from those of others. Returns CLI_GO_ON or the
/// status to exit with, the fault told.
int html_picture(ss_text* page, const char* file, const char* name, const char* alternative);

void html_begin(ss_text* page); ///< up to the introduction
void html_end(ss_text* page);
/// Writes the page to a file, whole or not at all. Returns as html_picture.
int html_write(const ss_text* page, const char* path);

#endif
