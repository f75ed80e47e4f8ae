// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// file/file.c where there is no disk: a file without a name is memory of whoever runs us, all others are not
// there.
#include "lab/file/output_file.h"

#include "core/error.h"
#include "share/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Opens such a file; the host answers with its descriptor, and reads and writes it by the calls of WASI.
__attribute__((import_module("page"), import_name("open_nameless"))) int page_open_nameless(void);

char* ss_file_target(const char* path) { return strdup(path); }

int ss_file_open_nameless(const char* folder)
{
    (void)folder;
    return page_open_nameless();
}

bool ss_file_read_at(int file, off_t at, void* bytes, size_t size)
{
    errno = 0;
    return pread(file, bytes, size, at) == (ssize_t)size;
}

ss_status ss_file_write(const char* path, const void* bytes, size_t size, ss_error* err)
{
    (void)path, (void)bytes, (void)size;
    return ss_fail(err, SS_FILE_ERROR, NULL, "there are no files here");
}
