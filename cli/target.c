// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stat
#include "target.h"

#include "command.h"
#include "lab/file/file.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_target_check(const char* option, const char* path)
{
    if (!path) return CLI_GO_ON;
    if (!path[0]) return cli_option_fault(option, "''", "the name is empty");
    if (strcmp(path, "-") == 0)
        return cli_option_fault(option, path, "standard output has the answer; give the name of a file");
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_error err = {.status = SS_NO_MEMORY, .text = "out of memory"};
    if (temporary && ss_file_open(target, temporary, &file, &err) == SS_OK) {
        fclose(file);
        remove(temporary);
    }
    free(target);
    free(temporary);
    if (file) return CLI_GO_ON;
    return cli_option_error(option, path, &err);
}

bool cli_target_is_same(const char* path, const char* other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
