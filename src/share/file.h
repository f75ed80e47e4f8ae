// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files that appear whole or not at all, and the clock of long work: for the laboratory and the front ends of
// this repository. How files are written is told in slipstick/file.h.
#ifndef SLIPSTICK_SHARE_FILE_H
#define SLIPSTICK_SHARE_FILE_H

#include "slipstick/status.h"

/// Whether a file could be written at this place now; what is there already is not touched. A place that
/// cannot hold it (no such folder, no permission, a folder of that name) is SS_BAD_INPUT, a full disk
/// SS_FILE_ERROR.
ss_status ss_file_check(const char* path, ss_error* err);
/// Writes a whole file. Errors as above.
ss_status ss_file_write(const char* path, const void* bytes, size_t size, ss_error* err);
/// The name under which this process writes a trace, a mesh or a picture until it is whole, to be freed; NULL
/// without memory. For those who must clear away after a library that was left halfway.
char* ss_file_unfinished(const char* path);

/// Seconds since some moment, by a clock that never goes back, whatever happens to the one on the wall.
double ss_now_s(void);

#endif
