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
/// Ends the archive: its bytes, borrowed until it is destroyed, or NULL where something failed.
const void* cli_zip_finish(cli_zip* zip, size_t* size);
void cli_zip_destroy(cli_zip* zip); ///< NULL is welcome

/// One file of an archive, to be freed, with a NUL behind it; NULL where there is none, or no memory.
char* cli_zip_extract(const char* archive, const char* name, size_t* size);

#endif
