// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fmu/zip.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The archive as minizip sees it: a file that can be written, and read again, anywhere.
struct cli_zip {
    zipFile file;
    char* bytes;
    size_t size, room, at;
    bool failed;
};

static voidpf open_memory(voidpf opaque, const char* name, int mode)
{
    (void)name, (void)mode;
    return opaque;
}

static uLong read_memory(voidpf opaque, voidpf stream, void* out, uLong size)
{
    cli_zip* zip = opaque;
    (void)stream;
    size_t left = zip->at < zip->size ? zip->size - zip->at : 0, count = size < left ? size : left;
    if (count > 0) memcpy(out, zip->bytes + zip->at, count);
    zip->at += count;
    return count;
}

static uLong write_memory(voidpf opaque, voidpf stream, const void* from, uLong size)
{
    cli_zip* zip = opaque;
    (void)stream;
    if (zip->at + size > zip->room) {
        size_t room = 2 * (zip->at + size) + 65536;
        char* more = realloc(zip->bytes, room);
        if (!more) return 0;
        zip->bytes = more;
        zip->room = room;
    }
    memcpy(zip->bytes + zip->at, from, size);
    zip->at += size;
    if (zip->at > zip->size) zip->size = zip->at;
    return size;
}

static long report_memory(voidpf opaque, voidpf stream)
{
    (void)stream;
    return (long)((cli_zip*)opaque)->at;
}

static long seek_memory(voidpf opaque, voidpf stream, uLong offset, int origin)
{
    cli_zip* zip = opaque;
    (void)stream;
    size_t base = origin == ZLIB_FILEFUNC_SEEK_END   ? zip->size
                  : origin == ZLIB_FILEFUNC_SEEK_CUR ? zip->at
                                                     : 0;
    if (base + offset > zip->size) return -1;
    zip->at = base + offset;
    return 0;
}

static int close_memory(voidpf opaque, voidpf stream)
{
    (void)opaque, (void)stream;
    return 0;
}

static zlib_filefunc_def functions_of(cli_zip* zip)
{
    return (zlib_filefunc_def){.zopen_file = open_memory,
                               .zread_file = read_memory,
                               .zwrite_file = write_memory,
                               .ztell_file = report_memory,
                               .zseek_file = seek_memory,
                               .zclose_file = close_memory,
                               .zerror_file = close_memory,
                               .opaque = zip};
}

// ---- writing

cli_zip* cli_zip_create(void)
{
    cli_zip* zip = calloc(1, sizeof *zip);
    if (!zip) return NULL;
    zlib_filefunc_def functions = functions_of(zip);
    zip->file = zipOpen2("memory", APPEND_STATUS_CREATE, NULL, &functions);
    zip->failed = !zip->file;
    return zip;
}

// Begins a file; raw: what is written has been compressed already.
static bool open_file(cli_zip* zip, const char* name, bool raw)
{
    // The first day that such archives know, and rights to read, as Unix has them.
    const zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}, .external_fa = 0100644UL << 16};
    enum { MADE_BY_UNIX = 3 << 8 | 20 };
    return zipOpenNewFileInZip4(zip->file, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_BEST_SPEED, raw,
                                -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX,
                                0) == ZIP_OK;
}

void cli_zip_add(cli_zip* zip, const char* name, const void* bytes, size_t size)
{
    if (zip->failed) return;
    zip->failed = !open_file(zip, name, false) ||
                  zipWriteInFileInZip(zip->file, bytes, (unsigned)size) != ZIP_OK ||
                  zipCloseFileInZip(zip->file) != ZIP_OK;
}

const void* cli_zip_finish(cli_zip* zip, size_t* size)
{
    // minizip cannot bear to close what it could not begin, for want of memory: then it is left as it is.
    if (!zip->failed && zipClose(zip->file, NULL) != ZIP_OK) zip->failed = true;
    zip->file = NULL;
    *size = zip->size;
    return zip->failed ? NULL : zip->bytes;
}

void cli_zip_destroy(cli_zip* zip)
{
    if (!zip) return;
    if (zip->file && !zip->failed) zipClose(zip->file, NULL);
    free(zip->bytes);
    free(zip);
}

// ---- going through an archive

struct cli_zip_file {
    unzFile file;
    unz_file_info info;
};

bool cli_zip_each(const void* bytes, size_t size, cli_zip_visit* visit, void* user)
{
    char name[256];
    cli_zip archive = {.bytes = (char*)(uintptr_t)bytes, .size = size}; // which is read, and nothing else
    zlib_filefunc_def functions = functions_of(&archive);
    cli_zip_file at = {.file = unzOpen2("memory", &functions)};
    if (!at.file) return false;
    int status = unzGoToFirstFile(at.file);
    for (; status == UNZ_OK; status = unzGoToNextFile(at.file)) {
        status = unzGetCurrentFileInfo(at.file, &at.info, name, sizeof name, NULL, 0, NULL, 0);
        if (status != UNZ_OK) break;
        visit(user, name, &at);
    }
    unzClose(at.file);
    return status == UNZ_END_OF_LIST_OF_FILE;
}

bool cli_zip_holds(cli_zip_file* at, const void* bytes, size_t size)
{
    if (at->info.uncompressed_size != size || unzOpenCurrentFile(at->file) != UNZ_OK) return false;
    char piece[1 << 14];
    size_t done = 0;
    int got = 1;
    while (done < size && got > 0) {
        got = unzReadCurrentFile(at->file, piece, sizeof piece);
        if (got > 0 && memcmp(piece, (const char*)bytes + done, (size_t)got) != 0) break;
        if (got > 0) done += (size_t)got;
    }
    unzCloseCurrentFile(at->file);
    return done == size;
}

void cli_zip_copy(cli_zip* zip, const char* name, cli_zip_file* at)
{
    int method, level;
    unsigned packed = (unsigned)at->info.compressed_size;
    char* bytes = zip->failed ? NULL : malloc(packed + 1U);
    bool opened = bytes && unzOpenCurrentFile2(at->file, &method, &level, 1) == UNZ_OK;
    bool read = opened && method == Z_DEFLATED && unzReadCurrentFile(at->file, bytes, packed) == (int)packed;
    zip->failed = !read || !open_file(zip, name, true) ||
                  zipWriteInFileInZip(zip->file, bytes, packed) != ZIP_OK ||
                  zipCloseFileInZipRaw(zip->file, at->info.uncompressed_size, at->info.crc) != ZIP_OK;
    if (opened) unzCloseCurrentFile(at->file);
    free(bytes);
}
