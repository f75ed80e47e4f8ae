// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/zip.h"

#include <minizip/unzip.h>

#include <stdlib.h>

// The file that is open, whole; NULL: *why says why not. Its checksum is looked at when it is closed.
static char* read_file(unzFile file, size_t* size, const char** why)
{
    unz_file_info info;
    *why = "is damaged";
    if (unzGetCurrentFileInfo(file, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK) return NULL;
    char* bytes = malloc(info.uncompressed_size + 1);
    int got = bytes ? unzReadCurrentFile(file, bytes, (unsigned)info.uncompressed_size) : 0;
    if (bytes && got >= 0 && (unsigned long)got == info.uncompressed_size) {
        *size = (size_t)got;
        bytes[got] = '\0';
        return bytes;
    }
    if (!bytes) *why = "needs more memory than there is";
    free(bytes);
    return NULL;
}

char* cli_zip_extract(const char* archive, const char* name, size_t* size, const char** why)
{
    char* bytes = NULL;
    unzFile file = unzOpen(archive);
    *why = "cannot be read: there is no file, or it is no archive, or not a whole one";
    if (!file) return NULL;
    *why = "is not in the archive";
    if (unzLocateFile(file, name, 1) == UNZ_OK) {
        *why = "is damaged";
        if (unzOpenCurrentFile(file) == UNZ_OK) {
            bytes = read_file(file, size, why);
            if (unzCloseCurrentFile(file) != UNZ_OK && bytes) {
                free(bytes);
                bytes = NULL;
            }
        }
    }
    unzClose(file);
    return bytes;
}
