// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What has been computed of a map, on disk: blocks are appended as they come, each with its number and a
// checksum, behind a head that holds the question. Whatever happens to the process, or to the disk, the whole
// blocks at its beginning are good; see docs/decisions/basin-journal.md.
#ifndef SLIPSTICK_LAB_BASIN_JOURNAL_H
#define SLIPSTICK_LAB_BASIN_JOURNAL_H

#include "lab/sweep/sweep.h"
#include "slipstick/map.h"

typedef struct ss_journal ss_journal;

/// A new journal in place of whatever has this name. path NULL: a file without a name in the given folder
/// (NULL: where temporary files go), gone with the process.
ss_status ss_journal_create(const char* path, const char* folder, const ss_basin* basin, ss_journal** out,
                            ss_error* err);
/// Goes on with a journal of the same map: finds its whole blocks and cuts off what was torn.
ss_status ss_journal_resume(const char* path, const ss_basin* basin, ss_journal** out, ss_error* err);

bool ss_journal_has(const ss_journal* journal, int64_t block);
const ss_basin_counts* ss_journal_counts(const ss_journal* journal); ///< of the cells in it
/// Appends a block. After a failure (a full disk) the journal is as before.
ss_status ss_journal_add(ss_journal* journal, int64_t block, const void* payload, ss_error* err);
/// Fills the payload of a block that is there.
ss_status ss_journal_read(const ss_journal* journal, int64_t block, void* payload, ss_error* err);
void ss_journal_close(ss_journal* journal); ///< the file stays; NULL is welcome

#endif
