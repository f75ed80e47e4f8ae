// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/zip.h"

#include <minizip/unzip.h>

#include <stdlib.h>
#include <string.h>

// The file that is open, whole; NULL: *why says why not. Its checksum is looked at when it is closed.
static char* read_file(unzFile file, size_t* size, const char** why)
{
    unz_file_info info;
    *why = "is damaged";
    if (unzGetCurrentFileInfo(file, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK) return NULL;
    *why = "would unpack to more than 64 MB";
    if (info.uncompressed_size > CLI_ZIP_MOST) return NULL;
    *why = "is damaged";
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

// ---- what does not belong there

enum { MOST_FILES = 4096, NAME_SIZE = 256 };

static bool leads_out(const char* name)
{
    if (name[0] == '/' || strchr(name, '\\') || strchr(name, ':')) return true;
    for (const char* part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return true;
    }
    return false;
}

static bool is_link(const unz_file_info* info) { return (info->external_fa >> 16 & 0170000) == 0120000; }

// What is wrong with the file that an archive is at; names has those of all before it.
static const char* judge(unzFile file, char (*names)[NAME_SIZE], int count)
{
    unz_file_info info;
    char* name = names[count];
    if (count == MOST_FILES) return "is one file too many";
    if (unzGetCurrentFileInfo(file, &info, name, NAME_SIZE, NULL, 0, NULL, 0) != UNZ_OK) return "is damaged";
    if (info.size_filename >= NAME_SIZE) return "has too long a name";
    if (leads_out(name)) return "would be unpacked outside its folder";
    if (is_link(&info)) return "is a link";
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0) return "is there twice";
    return NULL;
}

const char* cli_zip_suspect(const char* archive, char* name, size_t size)
{
    const char* wrong = NULL;
    int count = 0;
    char(*names)[NAME_SIZE] = calloc(MOST_FILES + 1, sizeof *names);
    unzFile file = names ? unzOpen(archive) : NULL;
    int status = file ? unzGoToFirstFile(file) : UNZ_END_OF_LIST_OF_FILE;
    for (; status == UNZ_OK && !wrong; status = unzGoToNextFile(file)) wrong = judge(file, names, count++);
    if (wrong) {
        size_t length = strlen(names[count - 1]);
        if (length >= size) length = size - 1;
        memcpy(name, names[count - 1], length);
        name[length] = '\0';
    }
    if (file) unzClose(file);
    free(names);
    return wrong;
}
