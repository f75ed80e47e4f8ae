// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Commands that are run inside the program, their standard output in a file.
#define _POSIX_C_SOURCE 200809L // dup, dup2

#include "atlas/atlas.h"
#include "option/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 64 };

// Cuts the line into words, in place. Returns their number, 0 if there are too many.
static int split(char* line, char* words[WORDS])
{
    int count = 0;
    for (char* at = line + strspn(line, " "); *at; at += strspn(at, " ")) {
        if (count == WORDS) return 0;
        char end = *at == '\'' ? '\'' : ' ';
        words[count++] = at += end == '\'';
        at += strcspn(at, end == '\'' ? "'" : " ");
        if (*at) *at++ = '\0';
    }
    return count;
}

static int run_words(int count, char* words[])
{
    const cli_line line = {.count = count - 1, .words = words + 1};
    for (const cli_command* const* command = cli_commands; count > 0 && *command; command++)
        if (strcmp(words[0], (*command)->name) == 0) return (*command)->run(&line);
    return CLI_WRONG;
}

// Standard output into a file. Returns what brings it back, -1 on failure.
static int redirect(const char* path)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (saved >= 0 && (file < 0 || dup2(file, STDOUT_FILENO) < 0)) {
        close(saved);
        saved = -1;
    }
    if (file >= 0) close(file);
    return saved;
}

// Whether all of the output reached its file.
static bool restore(int saved)
{
    bool whole = fflush(stdout) == 0 && !ferror(stdout);
    clearerr(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return whole;
}

int atlas_run(const char* line, const char* output)
{
    char* words[WORDS];
    char* copy = malloc(strlen(line) + 1);
    int saved = copy ? redirect(output) : -1;
    if (saved < 0) {
        perror(output);
        free(copy);
        return CLI_UNFINISHED;
    }
    memcpy(copy, line, strlen(line) + 1);
    int status = run_words(split(copy, words), words);
    if (!restore(saved)) {
        perror(output);
        status = CLI_UNFINISHED;
    }
    free(copy);
    return status;
}

char* atlas_drawing(const atlas_entry* entry)
{
    static const char form[] = "%s --theme screen --plot figures/%s";
    size_t size = strlen(entry->draw) + strlen(entry->figure) + sizeof form;
    char* line = malloc(size);
    if (line) snprintf(line, size, form, entry->draw, entry->figure);
    return line;
}
