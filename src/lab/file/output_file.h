// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of files that appear whole or not at all (slipstick/file.h): written under a temporary name
// beside the target, forced to the disk, then renamed. A link stays a link: what it leads to is replaced. The
// new file has mode, owner and group of the older one, as far as we may give them. A pipe, a device and an
// open descriptor (/dev/stdout) are not replaced: the temporary file, which then lies where temporary files
// go, is sent down to them once it is whole. Every writer of the library comes by here.
#ifndef SLIPSTICK_LAB_FILE_OUTPUT_FILE_H
#define SLIPSTICK_LAB_FILE_OUTPUT_FILE_H

#include "slipstick/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/// Where path leads (links followed), as an own string, or NULL without memory.
char* ss_file_target(const char* path);
/// Whether there is something at this place.
bool ss_file_exists(const char* target);
/// Whether what is there is written to and not replaced: a pipe, a device, an open descriptor.
bool ss_file_is_stream(const char* target);
/// A name beside target (of a pipe or device: where temporary files go) that no other running process uses,
/// or NULL without memory.
char* ss_file_temporary(const char* target);
/// Makes the temporary file. A place that cannot hold the target (no such folder, no permission, a folder or
/// a write-protected file of that name) is SS_BAD_INPUT, a full disk SS_FILE_ERROR.
ss_status ss_file_open(const char* target, const char* temporary, FILE** out, ss_error* err);

/// Closes the file, which then takes the target's name, its bytes on the disk before its name is: otherwise a
/// power cut could leave an empty file in place of the older one. Where anything failed, now or while
/// writing, the temporary file is removed and the answer is SS_FILE_ERROR.
ss_status ss_file_finish(FILE* file, const char* temporary, const char* target, ss_error* err);
/// The same without waiting for the disk, for a file that will soon be replaced by a later one.
ss_status ss_file_publish(FILE* file, const char* temporary, const char* target, ss_error* err);
/// Closes and removes the temporary file; the target stays what it was.
void ss_file_give_up(FILE* file, const char* temporary);

/// Opens a text of columns: title, version and what it came from (may be NULL) as lines that begin with #.
void ss_file_write_comments(FILE* file, const char* title, const char* made);

/// A file without a name in a folder (NULL: where temporary files go), gone with the process. -1 and errno
/// where that fails.
int ss_file_open_nameless(const char* folder);

/// Writes size bytes to a place of a file, whatever signals arrive. False and errno where that fails.
bool ss_file_write_at(int file, off_t at, const void* bytes, size_t size);
/// Reads size bytes from a place of a file. False where they are not there (errno 0) or cannot be read.
bool ss_file_read_at(int file, off_t at, void* bytes, size_t size);
/// Writes all bytes of one file to another from where that one is. False and errno where that fails.
bool ss_file_copy(int from, int to);
/// Forces what was written to the disk; a file system that cannot is no failure.
bool ss_file_sync(int file);
/// SS_FILE_ERROR with what errno says.
ss_status ss_file_write_failed(ss_error* err);

#endif
