// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/zip.h"

#include <minizip/unzip.h>

#include <stdlib.h>

char* cli_zip_extract(const char* archive, const char* name, size_t* size)
{
    unz_file_info info;
    char* bytes = NULL;
    unzFile file = unzOpen(archive);
    if (!file) return NULL;
    bool found = unzLocateFile(file, name, 1) == UNZ_OK && unzOpenCurrentFile(file) == UNZ_OK;
    if (found && unzGetCurrentFileInfo(file, &info, NULL, 0, NULL, 0, NULL, 0) == UNZ_OK)
        bytes = malloc(info.uncompressed_size + 1);
    if (bytes) {
        int got = unzReadCurrentFile(file, bytes, (unsigned)info.uncompressed_size);
        *size = got > 0 ? (size_t)got : 0;
        bytes[*size] = '\0';
    }
    if (found) unzCloseCurrentFile(file);
    unzClose(file);
    return bytes;
}
