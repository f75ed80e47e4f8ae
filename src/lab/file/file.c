// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath, getpid, mkstemp, pread, pwrite, fileno, fsync
#include "lab/file/file.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char* ss_file_target(const char* path)
{
    char* real = realpath(path, NULL); // NULL for a file that is yet to be made
    return real ? real : strdup(path);
}

char* ss_file_temporary(const char* target)
{
    size_t size = strlen(target) + 32;
    char* name = malloc(size);
    if (name) snprintf(name, size, "%s.%ld.part", target, (long)getpid());
    return name;
}

ss_status ss_file_open(const char* target, const char* temporary, FILE** out, ss_error* err)
{
    struct stat info;
    errno = stat(target, &info) == 0 && S_ISDIR(info.st_mode) ? EISDIR : 0;
    *out = errno ? NULL : fopen(temporary, "wb");
    if (*out) return SS_OK;
    if (errno == ENOMEM) return ss_fail_no_memory(err);
    ss_status status = errno == ENOSPC || errno == EDQUOT || errno == EIO ? SS_FILE_ERROR : SS_BAD_INPUT;
    return ss_fail(err, status, NULL, "cannot create: %s", strerror(errno));
}

int ss_file_open_nameless(const char* folder)
{
    char name[4096];
    const char* given = getenv("TMPDIR");
    const char* place = folder ? folder : given && given[0] ? given : "/tmp";
    if (snprintf(name, sizeof name, "%s/slipstick-XXXXXX", place) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(name);
    if (file >= 0) unlink(name);
    return file;
}

bool ss_file_write_at(int file, off_t at, const void* bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = pwrite(file, (const char*)bytes + done, size - done, at + (off_t)done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        done += (size_t)put;
    }
    return true;
}

bool ss_file_read_at(int file, off_t at, void* bytes, size_t size)
{
    errno = 0;
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(file, (char*)bytes + done, size - done, at + (off_t)done);
        if (got < 0 && errno == EINTR) {
            errno = 0;
            continue;
        }
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

bool ss_file_sync(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOSYS; }

ss_status ss_file_write_failed(ss_error* err)
{
    return ss_fail(err, SS_FILE_ERROR, NULL, "cannot write: %s", strerror(errno ? errno : EIO));
}

static ss_status finish(FILE* file, bool sync, const char* temporary, const char* target, ss_error* err)
{
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file) && (!sync || ss_file_sync(fileno(file)));
    int failure = errno; // closing would say something else, or nothing
    bool closed = fclose(file) == 0;
    if (good && closed && rename(temporary, target) == 0) return SS_OK;
    if (!good) errno = failure;
    ss_status status = ss_file_write_failed(err);
    remove(temporary);
    return status;
}

ss_status ss_file_finish(FILE* file, const char* temporary, const char* target, ss_error* err)
{
    return finish(file, true, temporary, target, err);
}

ss_status ss_file_publish(FILE* file, const char* temporary, const char* target, ss_error* err)
{
    return finish(file, false, temporary, target, err);
}

void ss_file_give_up(FILE* file, const char* temporary)
{
    fclose(file);
    remove(temporary);
}

ss_status ss_file_check(const char* path, ss_error* err)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (file) ss_file_give_up(file, temporary);
    free(target);
    free(temporary);
    return status;
}

char* ss_file_unfinished(const char* path)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    free(target);
    return temporary;
}

ss_status ss_file_write(const char* path, const void* bytes, size_t size, ss_error* err)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        errno = 0;
        bool all = fwrite(bytes, 1, size, file) == size;
        if (!all) status = ss_file_write_failed(err);
        if (all)
            status = ss_file_finish(file, temporary, target, err);
        else
            ss_file_give_up(file, temporary);
    }
    free(target);
    free(temporary);
    return status;
}
