// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A text that grows.
#ifndef SLIPSTICK_FMU_BUFFER_H
#define SLIPSTICK_FMU_BUFFER_H

#include "share/error.h"
#include "slipstick/status.h"

typedef struct fmu_buffer {
    char* text; ///< ends in NUL; NULL while empty
    size_t length, room;
    bool failed; ///< memory ran out on the way: the text is not whole
} fmu_buffer;

void fmu_put(fmu_buffer* out, const char* text);
void fmu_print(fmu_buffer* out, const char* format, ...) SS_PRINTF(2, 3);
/// With a backslash before what ends fields and lines.
void fmu_put_escaped(fmu_buffer* out, const char* text);
/// As XML wants it inside of an attribute.
void fmu_put_xml(fmu_buffer* out, const char* text);
/// A number that reads back exactly.
void fmu_put_number(fmu_buffer* out, double value);
void fmu_buffer_free(fmu_buffer* buffer);

#endif
