// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath, getpid, mkstemp, pread, pwrite, fileno, fsync, fchmod, fchown
#include "lab/file/output_file.h"

#include "core/error.h"
#include "share/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_SIZE = 1 << 16 }; // bytes of a piece of a copy

// ---- places

// Whether a path leads to the file that a descriptor of this process has open.
static bool is_open_as(const char* path, int descriptor)
{
    struct stat there, open;
    return stat(path, &there) == 0 && fstat(descriptor, &open) == 0 && there.st_dev == open.st_dev &&
           there.st_ino == open.st_ino;
}

// The descriptor of this process that a path leads to, as /dev/stdout does, and as the file does to which
// standard output was sent; -1 for other paths.
static int descriptor_of(const char* path)
{
    static const char* const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        size_t length = strlen(folders[k]);
        char* end;
        if (strncmp(path, folders[k], length) != 0 || path[length] < '0' || path[length] > '9') continue;
        long number = strtol(path + length, &end, 10);
        if (*end == '\0' && number <= 1 << 20) return (int)number;
    }
    if (is_open_as(path, STDOUT_FILENO)) return STDOUT_FILENO;
    return is_open_as(path, STDERR_FILENO) ? STDERR_FILENO : -1;
}

bool ss_file_is_stream(const char* target)
{
    struct stat info;
    if (descriptor_of(target) >= 0) return true;
    return stat(target, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool ss_file_exists(const char* target)
{
    struct stat info;
    return stat(target, &info) == 0;
}

char* ss_file_target(const char* path)
{
    // NULL for a file that is yet to be made. What leads to a descriptor keeps its name: it has no other.
    char* real = descriptor_of(path) >= 0 ? NULL : realpath(path, NULL);
    return real ? real : strdup(path);
}

static const char* folder_of_temporaries(void)
{
    const char* given = getenv("TMPDIR");
    return given && given[0] ? given : "/tmp";
}

char* ss_file_temporary(const char* target)
{
    const char *folder = ss_file_is_stream(target) ? folder_of_temporaries() : NULL,
               *name = strrchr(target, '/');
    name = folder && name ? name + 1 : target;
    size_t size = (folder ? strlen(folder) : 0) + strlen(name) + 48;
    char* out = malloc(size);
    if (out && folder) snprintf(out, size, "%s/slipstick-%s.%ld.part", folder, name, (long)getpid());
    if (out && !folder) snprintf(out, size, "%s.%ld.part", name, (long)getpid());
    return out;
}

// ---- writing

// Zero where a file of this place could be written, an errno where not.
static int obstacle(const char* target, bool* there)
{
    struct stat info;
    *there = stat(target, &info) == 0;
    if (!*there) return 0;
    if (S_ISDIR(info.st_mode)) return EISDIR;
    return access(target, W_OK) == 0 ? 0 : errno;
}

ss_status ss_file_open(const char* target, const char* temporary, FILE** out, ss_error* err)
{
    bool there;
    *out = NULL;
    errno = obstacle(target, &there);
    if (errno == 0) {
        unlink(temporary); // left behind by a killed process that had our number
        // Nobody else reads what may become a private file before it has the rights of the one it replaces.
        int file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, there ? 0600 : 0666);
        *out = file >= 0 ? fdopen(file, "w+b") : NULL;
        if (file >= 0 && !*out) {
            close(file);
            unlink(temporary);
            errno = ENOMEM;
        }
    }
    if (*out) return SS_OK;
    if (errno == ENOMEM) return ss_fail_no_memory(err);
    ss_status status = errno == ENOSPC || errno == EDQUOT || errno == EIO ? SS_FILE_ERROR : SS_BAD_INPUT;
    return ss_fail(err, status, NULL, "cannot create: %s", strerror(errno));
}

int ss_file_open_nameless(const char* folder)
{
    char name[4096];
    const char* place = folder ? folder : folder_of_temporaries();
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

// The file that replaces another has its owner and group where we may give them, and its mode.
static void keep_rights(int file, const char* target)
{
    struct stat older, own;
    if (stat(target, &older) != 0 || fstat(file, &own) != 0) return;
    mode_t mode = older.st_mode & 07777;
    if (older.st_uid != own.st_uid && fchown(file, older.st_uid, (gid_t)-1) != 0) mode &= (mode_t)~S_ISUID;
    if (older.st_gid != own.st_gid && fchown(file, (uid_t)-1, older.st_gid) != 0) mode &= (mode_t)~S_ISGID;
    (void)fchmod(file, mode); // last, as a new owner takes bits away
}

bool ss_file_copy(int from, int to)
{
    char piece[COPY_SIZE];
    off_t at = 0;
    for (;;) {
        ssize_t got = pread(from, piece, sizeof piece, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, piece + done, (size_t)(got - done));
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) return false;
            done += put;
        }
        at += got;
    }
}

// Sends a finished file down a stream. It has lost its name before, as a pipe that nobody reads any more may
// end the process.
static bool pour(int file, const char* temporary, const char* target)
{
    int named = descriptor_of(target);
    int to = named >= 0 ? dup(named) : open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (to < 0) return false;
    unlink(temporary);
    bool good = ss_file_copy(file, to);
    int failure = errno;
    bool closed = close(to) == 0;
    if (!good) errno = failure;
    return good && closed;
}

static ss_status finish(FILE* file, bool sync, const char* temporary, const char* target, ss_error* err)
{
    bool stream = ss_file_is_stream(target);
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    if (good && stream) good = pour(fileno(file), temporary, target);
    if (good && !stream) {
        keep_rights(fileno(file), target);
        good = !sync || ss_file_sync(fileno(file));
    }
    int failure = errno; // closing would say something else, or nothing
    bool closed = fclose(file) == 0;
    if (good && closed && (stream || rename(temporary, target) == 0)) return SS_OK;
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
