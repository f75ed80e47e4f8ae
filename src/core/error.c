// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/error.h"
#include "core/number_length.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_fail(ss_error* err, ss_status status, const char* field, const char* format, ...)
{
    if (!err) return status;
    memset(err, 0, sizeof *err);
    err->status = status;
    if (field) snprintf(err->field, sizeof err->field, "%s", field);
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    return status;
}

ss_status ss_fail_no_memory(ss_error* err) { return ss_fail(err, SS_NO_MEMORY, NULL, "out of memory"); }

void* ss_new(size_t count, size_t size)
{
    if (count == 0 || size == 0) return calloc(1, 1);
    return count > SIZE_MAX / size ? NULL : calloc(count, size);
}

const char* ss_error_format(const ss_error* error, char* out, size_t size)
{
    char place[320] = "";
    if (error->origin[0] && error->line > 0)
        snprintf(place, sizeof place, "%s:%d:%d: ", error->origin, error->line, error->column);
    else if (error->origin[0])
        snprintf(place, sizeof place, "%s: ", error->origin);
    if (strncmp(error->origin, "--", 2) == 0 || !error->field[0])
        snprintf(out, size, "%s%s", place, error->text);
    else
        snprintf(out, size, "%s%s: %s", place, error->field, error->text);
    return out;
}
