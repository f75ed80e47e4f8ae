// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The file, numbers in the byte order of the machine:
//
//     "slipmap1"   length of the question, its checksum, the question
//     per block    number, checksum of number and payload, payload (t, x, fates of its cells)
#define _GNU_SOURCE // F_OFD_SETLK, fdatasync
#include "lab/sweep/sweep_journal.h"

#include "core/error.h"
#include "core/hash.h"
#include "lab/file/output_file.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "slipmap1";
static const double between_syncs_s = 10; // what a power cut may cost

typedef struct head {
    char magic[8];
    uint64_t length, hash;
} head;

typedef struct mark {
    int64_t block;
    uint64_t hash;
} mark;

struct ss_journal {
    const ss_basin* basin;
    int file;
    off_t end;    // of what is good
    off_t* place; // of each block's payload, 0: not there
    ss_basin_counts counts;
    double synced_s;
};

static uint64_t block_hash(int64_t block, const void* payload, size_t size)
{
    return ss_hash(SS_HASH_START ^ (uint64_t)block, payload, size);
}

static ss_status cannot(ss_error* err, const char* what)
{
    // A place that cannot hold the file is the caller's mistake; a full or broken disk is not.
    bool place = errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == EISDIR || errno == EROFS;
    return ss_fail(err, place ? SS_BAD_INPUT : SS_FILE_ERROR, NULL, "cannot %s: %s", what,
                   strerror(errno ? errno : EIO));
}

// ---- the head ----

static bool write_head(int file, const char* question, off_t* end)
{
    size_t length = strlen(question);
    head h = {.length = length, .hash = ss_hash(0, question, length)};
    memcpy(h.magic, magic, sizeof magic);
    *end = (off_t)(sizeof h + length);
    return ss_file_write_at(file, 0, &h, sizeof h) && ss_file_write_at(file, sizeof h, question, length);
}

// Which map a journal is of: its question, to be freed, where *state is SS_JOURNAL_SAME (compare it). A head
// that was never written whole has nothing behind it.
static ss_status read_head(int file, off_t* end, ss_journal_state* state, char** question, ss_error* err)
{
    head h = {0};
    struct stat info;
    *question = NULL;
    *state = SS_JOURNAL_NONE;
    if (fstat(file, &info) != 0) return cannot(err, "read");
    bool whole = ss_file_read_at(file, 0, &h, sizeof h);
    if (!whole && errno) return cannot(err, "read");
    size_t seen = info.st_size < (off_t)sizeof magic ? (size_t)info.st_size : sizeof magic;
    if (memcmp(h.magic, magic, seen) != 0) *state = SS_JOURNAL_FOREIGN;
    if (*state == SS_JOURNAL_FOREIGN || !whole || h.length > (uint64_t)info.st_size - sizeof h) return SS_OK;
    char* text = malloc((size_t)h.length + 1);
    if (!text) return ss_fail_no_memory(err);
    if (!ss_file_read_at(file, sizeof h, text, (size_t)h.length)) {
        free(text);
        return cannot(err, "read");
    }
    text[h.length] = '\0';
    *end = (off_t)(sizeof h + h.length);
    *state = ss_hash(0, text, (size_t)h.length) == h.hash ? SS_JOURNAL_SAME : SS_JOURNAL_DAMAGED;
    *question = text;
    return SS_OK;
}

// Compares a journal with a map; *difference is told where they are not of the same.
static ss_status judge_head(int file, const ss_basin* basin, off_t* end, ss_journal_state* state,
                            ss_error* difference)
{
    char *question, text[300];
    ss_status status = read_head(file, end, state, &question, difference);
    if (status == SS_OK && *state == SS_JOURNAL_SAME && strcmp(question, basin->question) != 0) {
        *state = SS_JOURNAL_OTHER;
        ss_fail(difference, SS_BAD_INPUT, NULL, "%s",
                ss_basin_difference(question, basin->question, text, sizeof text));
    }
    free(question);
    return status;
}

ss_status ss_journal_look(const char* path, const ss_basin* basin, ss_journal_state* state, ss_error* err)
{
    *state = SS_JOURNAL_NONE;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno == ENOENT ? SS_OK : cannot(err, "read");
    off_t end = 0;
    struct stat info;
    ss_status status = judge_head(file, basin, &end, state, err);
    bool any = fstat(file, &info) == 0 && info.st_size > end; // something behind the head
    if (*state != SS_JOURNAL_FOREIGN && !any) *state = SS_JOURNAL_NONE;
    close(file);
    return status;
}

// ---- opening ----

// Two runs must not write one journal. The lock ends with the process, however that ends; where a file system
// knows no locks, there are none.
static ss_status lock(int file, ss_error* err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_OFD_SETLK, &all) == 0 || (errno != EAGAIN && errno != EACCES)) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, NULL, "another run is writing it");
}

static ss_journal* journal_new(const ss_basin* basin, int file)
{
    ss_journal* journal = ss_new(1, sizeof *journal);
    if (!journal) return NULL;
    journal->basin = basin;
    journal->file = file;
    journal->synced_s = ss_now_s();
    journal->place = ss_new((size_t)basin->blocks, sizeof *journal->place);
    if (journal->place) return journal;
    free(journal);
    return NULL;
}

void ss_journal_close(ss_journal* journal)
{
    if (!journal) return;
    close(journal->file);
    free(journal->place);
    free(journal);
}

ss_status ss_journal_create(const char* path, const char* folder, const ss_basin* basin, ss_journal** out,
                            ss_error* err)
{
    *out = NULL;
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : ss_file_open_nameless(folder);
    if (file < 0) return cannot(err, "create");
    ss_status status = lock(file, err);
    ss_journal* journal = status == SS_OK ? journal_new(basin, file) : NULL;
    if (!journal) {
        close(file);
        return status == SS_OK ? ss_fail_no_memory(err) : status;
    }
    if (ftruncate(file, 0) != 0 || !write_head(file, basin->question, &journal->end)) {
        status = cannot(err, "write");
        ss_journal_close(journal);
        return status;
    }
    *out = journal;
    return SS_OK;
}

static void note_block(ss_journal* journal, int64_t block, off_t at, const void* payload)
{
    ss_basin_block view = ss_basin_view(journal->basin, block, payload);
    ss_basin_count(&view, &journal->counts);
    journal->place[block] = at;
    journal->end = at + (off_t)ss_basin_payload_size(journal->basin, block);
}

// Notes the whole blocks from the head on, up to the first that is not.
static ss_status find_blocks(ss_journal* journal, ss_error* err)
{
    const ss_basin* basin = journal->basin;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    if (!payload) return ss_fail_no_memory(err);
    mark m;
    while (ss_file_read_at(journal->file, journal->end, &m, sizeof m)) {
        if (m.block < 0 || m.block >= basin->blocks || journal->place[m.block]) break;
        size_t size = ss_basin_payload_size(basin, m.block);
        off_t at = journal->end + (off_t)sizeof m;
        if (!ss_file_read_at(journal->file, at, payload, size) ||
            block_hash(m.block, payload, size) != m.hash)
            break;
        note_block(journal, m.block, at, payload);
    }
    ss_status status = errno ? cannot(err, "read") : SS_OK;
    free(payload);
    if (status == SS_OK && ftruncate(journal->file, journal->end) != 0) status = cannot(err, "write");
    return status;
}

ss_status ss_journal_resume(const char* path, const ss_basin* basin, ss_journal** out, ss_error* err)
{
    *out = NULL;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return cannot(err, "open");
    ss_status status = lock(file, err);
    ss_journal* journal = status == SS_OK ? journal_new(basin, file) : NULL;
    if (!journal) {
        close(file);
        return status == SS_OK ? ss_fail_no_memory(err) : status;
    }
    ss_journal_state state;
    ss_error difference = {.text = "it is no journal of a map, or a damaged one"};
    status = judge_head(file, basin, &journal->end, &state, &difference);
    if (status != SS_OK)
        ss_fail(err, status, NULL, "%s", difference.text);
    else if (state == SS_JOURNAL_SAME)
        status = find_blocks(journal, err);
    else
        status = ss_fail(err, SS_BAD_INPUT, NULL, "holds another map: %s", difference.text);
    if (status != SS_OK) {
        ss_journal_close(journal);
        return status;
    }
    *out = journal;
    return SS_OK;
}

// ---- blocks ----

bool ss_journal_has(const ss_journal* journal, int64_t block) { return journal->place[block] != 0; }
const ss_basin_counts* ss_journal_counts(const ss_journal* journal) { return &journal->counts; }

ss_status ss_journal_add(ss_journal* journal, int64_t block, const void* payload, ss_error* err)
{
    size_t size = ss_basin_payload_size(journal->basin, block);
    mark m = {block, block_hash(block, payload, size)};
    off_t at = journal->end + (off_t)sizeof m;
    errno = 0;
    if (!ss_file_write_at(journal->file, journal->end, &m, sizeof m) ||
        !ss_file_write_at(journal->file, at, payload, size)) {
        ss_status status = cannot(err, "write");
        if (ftruncate(journal->file, journal->end) != 0) return status; // resuming cuts it off as well
        return status;
    }
    note_block(journal, block, at, payload);
    if (ss_now_s() - journal->synced_s > between_syncs_s) {
        journal->synced_s = ss_now_s();
        if (fdatasync(journal->file) != 0 && errno != EINVAL && errno != ENOSYS) return cannot(err, "write");
    }
    return SS_OK;
}

ss_status ss_journal_read(const ss_journal* journal, int64_t block, void* payload, ss_error* err)
{
    size_t size = ss_basin_payload_size(journal->basin, block);
    if (ss_file_read_at(journal->file, journal->place[block], payload, size)) return SS_OK;
    return cannot(err, "read");
}
