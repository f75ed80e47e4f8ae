// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Standard output and standard error as streams that show what a terminal would obey. Everything the program
// prints for people comes by here, whoever prints it: titles, names, keys and paths are foreign text.
#define _GNU_SOURCE // fopencookie
#include "base/screen.h"

#include "share/error.h"
#include "slipstick/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct screen {
    int descriptor;
    char begun[4]; // bytes of a character whose rest is yet to be printed
    size_t begun_length;
    char buffer[4096]; // of what is shown
    size_t used;
} screen;

// The streams of a process are as global as it is.
static screen screens[] = {{.descriptor = STDOUT_FILENO}, {.descriptor = STDERR_FILENO}};

static bool send(screen* s)
{
    for (size_t done = 0; done < s->used;) {
        ssize_t put = write(s->descriptor, s->buffer + done, s->used - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            s->used = 0;
            return false;
        }
        done += (size_t)put;
    }
    s->used = 0;
    return true;
}

static bool show(screen* s, const char* text)
{
    size_t length = strlen(text);
    if (length > sizeof s->buffer - s->used && !send(s)) return false;
    memcpy(s->buffer + s->used, text, length);
    s->used += length;
    return true;
}

// Shows the character at the beginning of some bytes; returns how many it has, 0 where its rest is missing.
static size_t show_one(screen* s, const char* bytes, size_t left, bool* good)
{
    if (bytes[0] == '\0') {
        *good = show(s, "\\x00") && *good;
        return 1;
    }
    char out[SS_VISIBLE_SIZE];
    size_t length = ss_visible(bytes, left, out);
    if (length > 0) *good = show(s, out) && *good;
    return length;
}

static ssize_t put(void* cookie, const char* bytes, size_t size)
{
    screen* s = cookie;
    bool good = true;
    size_t at = 0;
    while (at < size && s->begun_length > 0) { // the rest of a character, byte by byte
        s->begun[s->begun_length++] = bytes[at++];
        size_t length = show_one(s, s->begun, s->begun_length, &good);
        if (length > 0) memmove(s->begun, s->begun + length, s->begun_length -= length);
    }
    while (at < size) {
        size_t length = show_one(s, bytes + at, size - at, &good);
        if (length == 0) {
            s->begun_length = size - at;
            memcpy(s->begun, bytes + at, s->begun_length);
            break;
        }
        at += length;
    }
    return send(s) && good ? (ssize_t)size : 0;
}

static FILE* open_screen(screen* s, int mode)
{
    static const cookie_io_functions_t functions = {.write = put};
    FILE* file = fopencookie(s, "w", functions);
    if (file) setvbuf(file, NULL, mode, mode == _IONBF ? 0 : BUFSIZ);
    return file;
}

bool cli_screen_begin(void)
{
    FILE* output = open_screen(&screens[0], isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    FILE* error = output ? open_screen(&screens[1], _IONBF) : NULL;
    if (!error) return false;
    stdout = output;
    stderr = error;
    return true;
}
