// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strdup

#include "location.h"

#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char* fmu_path_of(const char* location)
{
    if (strncmp(location, "file:", 5) != 0) return strdup(location);
    const char* at = location + 5;
    if (strncmp(at, "//", 2) == 0) { // then comes the name of a machine, which may be empty
        const char* slash = strchr(at + 2, '/');
        at = slash ? slash : at + 2;
    }
    char *path = malloc(strlen(at) + 1), *out = path;
    if (!path) return NULL;
    for (; *at; at++) {
        int high = *at == '%' ? digit(at[1]) : -1, low = high >= 0 ? digit(at[2]) : -1;
        *out++ = low >= 0 ? (char)(16 * high + low) : *at;
        if (low >= 0) at += 2;
    }
    *out = '\0';
    return path;
}
