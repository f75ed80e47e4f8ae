// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The files of models/ and a recording, inside the program. Made at build time (cmake/embed.cmake).
#ifndef SLIPSTICK_CLI_ATLAS_FILES_H
#define SLIPSTICK_CLI_ATLAS_FILES_H

#include <stddef.h>

typedef struct atlas_file {
    const char* path; ///< in the atlas: "models/two-blocks.yaml"
    const unsigned char* text;
    size_t size; ///< bytes, without the zero that follows them
} atlas_file;

extern const atlas_file atlas_files[];
extern const int atlas_file_count;

#endif
