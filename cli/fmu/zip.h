// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Archives in memory (minizip): the same files make the same bytes, whenever that is.
#ifndef SLIPSTICK_CLI_ZIP_H
#define SLIPSTICK_CLI_ZIP_H

#include "slipstick/status.h"

typedef struct cli_zip cli_zip;

/// NULL without memory.
cli_zip* cli_zip_create(void);
/// Adds a file; the first failure is kept, and everything after it does nothing.
void cli_zip_add(cli_zip* zip, const char* name, const void* bytes, size_t size);

/// A file of an archive, while that is gone through.
typedef struct cli_zip_file cli_zip_file;
typedef void cli_zip_visit(void* user, const char* name, cli_zip_file* file);
/// Goes through all files of an archive in memory; false without memory.
bool cli_zip_each(const void* bytes, size_t size, cli_zip_visit* visit, void* user);
/// Adds the file that is being visited, as it is compressed already, under a name of its own.
void cli_zip_copy(cli_zip* zip, const char* name, cli_zip_file* file);

/// Whether the file that is being visited holds these bytes.
bool cli_zip_holds(cli_zip_file* file, const void* bytes, size_t size);

/// Ends the archive: its bytes, borrowed until it is destroyed, or NULL where something failed.
const void* cli_zip_finish(cli_zip* zip, size_t* size);
void cli_zip_destroy(cli_zip* zip); ///< NULL is welcome

enum { CLI_ZIP_MOST = 1 << 26 }; ///< bytes of a file that is unpacked, whatever an archive promises: 64 MB

/// One file of an archive, to be freed, with a NUL behind it; NULL: *why says why not, as words that follow
/// its name.
char* cli_zip_extract(const char* archive, const char* name, size_t* size, const char** why);

/// The first file of an archive that has no business in one of ours, written to name: it leads out of the
/// folder it is unpacked into, is a link, or has the name of another, which hides it from some tools. Returns
/// what is wrong with it, NULL where nothing is.
const char* cli_zip_suspect(const char* archive, char* name, size_t size);

#endif
