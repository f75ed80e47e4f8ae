// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes behind the head of a journal, and any bytes as a journal: what is resumed holds whole blocks and
// can be continued, nothing else happens.
#define _GNU_SOURCE // memfd_create
#include "lab/sweep/sweep_journal.h"
#include "slipstick/lab.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char model[] = "slipstick: 1\ntitle: A block\nbodies: {block: {mass: 1 kg}}\n"
                            "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n";

static ss_basin* make_basin(void)
{
    static const ss_basin_axis axis = {.path = "block.x", .from = 0, .to = 1, .count = 150};
    ss_document* document = NULL; // kept: the basin borrows it
    ss_basin_def def = ss_basin_def_default();
    ss_basin* basin = NULL;
    if (ss_document_parse_yaml("m", model, sizeof model - 1, &document, NULL) != SS_OK) abort();
    def.document = document;
    def.axes = &axis;
    def.axis_count = 1;
    if (ss_basin_create(&def, &basin, NULL) != SS_OK) abort();
    return basin;
}

static void try_resume(const char* path, const ss_basin* basin)
{
    double payload[300] = {0};
    ss_journal* journal = NULL;
    ss_journal_state state;
    ss_error err;
    if (ss_journal_look(path, basin, &state, &err) != SS_OK) return;
    if (ss_journal_resume(path, basin, &journal, &err) != SS_OK) return;
    for (int64_t b = 0; b < basin->blocks; b++) {
        ss_status status = ss_journal_has(journal, b) ? ss_journal_read(journal, b, payload, &err)
                                                      : ss_journal_add(journal, b, payload, &err);
        if (status != SS_OK || !ss_journal_has(journal, b)) abort();
    }
    ss_journal_close(journal);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static ss_basin* basin = NULL;
    if (!basin) basin = make_basin();
    int file = memfd_create("journal", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool behind = size > 0 && data[0] % 2 == 0;
    if (behind) {
        ss_journal* journal = NULL;
        if (ss_journal_create(path, NULL, basin, &journal, NULL) != SS_OK) abort();
        ss_journal_close(journal);
    }
    lseek(file, 0, SEEK_END);
    if (size > 1 && write(file, data + 1, size - 1) < 0) abort();
    try_resume(path, basin);
    close(file);
    return 0;
}
