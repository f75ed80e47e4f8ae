// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The journal of sweep/sweep_journal.c where there are no files: blocks stay in memory.
#include "core/error.h"
#include "lab/sweep/sweep_journal.h"

#include <stdlib.h>
#include <string.h>

struct ss_journal {
    const ss_basin* basin;
    void** blocks; // NULL: not there
    ss_basin_counts counts;
};

ss_status ss_journal_create(const char* path, const char* folder, const ss_basin* basin, ss_journal** out,
                            ss_error* err)
{
    (void)path, (void)folder;
    *out = NULL;
    ss_journal* journal = ss_new(1, sizeof *journal);
    if (!journal) return ss_fail_no_memory(err);
    journal->basin = basin;
    journal->blocks = ss_new((size_t)basin->blocks, sizeof *journal->blocks);
    if (!journal->blocks) {
        free(journal);
        return ss_fail_no_memory(err);
    }
    *out = journal;
    return SS_OK;
}

ss_status ss_journal_resume(const char* path, const ss_basin* basin, ss_journal** out, ss_error* err)
{
    (void)path, (void)basin;
    *out = NULL;
    return ss_fail(err, SS_FILE_ERROR, NULL, "there are no files here");
}

bool ss_journal_has(const ss_journal* journal, int64_t block) { return journal->blocks[block] != NULL; }
const ss_basin_counts* ss_journal_counts(const ss_journal* journal) { return &journal->counts; }

ss_status ss_journal_add(ss_journal* journal, int64_t block, const void* payload, ss_error* err)
{
    size_t size = ss_basin_payload_size(journal->basin, block);
    void* copy = malloc(size);
    if (!copy) return ss_fail_no_memory(err);
    memcpy(copy, payload, size);
    free(journal->blocks[block]);
    journal->blocks[block] = copy;
    ss_basin_block view = ss_basin_view(journal->basin, block, copy);
    ss_basin_count(&view, &journal->counts);
    return SS_OK;
}

ss_status ss_journal_read(const ss_journal* journal, int64_t block, void* payload, ss_error* err)
{
    if (!journal->blocks[block]) return ss_fail(err, SS_NOT_FOUND, NULL, "this block is not there");
    memcpy(payload, journal->blocks[block], ss_basin_payload_size(journal->basin, block));
    return SS_OK;
}

void ss_journal_close(ss_journal* journal)
{
    if (!journal) return;
    for (int64_t b = 0; b < journal->basin->blocks; b++) free(journal->blocks[b]);
    free(journal->blocks);
    free(journal);
}
