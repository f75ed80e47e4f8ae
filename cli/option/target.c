// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stat
#include "option/target.h"

#include "command.h"
#include "option/options.h"
#include "share/file.h"
#include "slipstick/file.h"

#include <string.h>
#include <sys/stat.h>

int cli_target_check(const char* option, const char* path)
{
    if (!path) return CLI_GO_ON;
    if (!path[0]) return cli_option_fault(option, "''", "the name is empty");
    if (strcmp(path, "-") == 0)
        return cli_option_fault(option, path, "standard output has the answer; give the name of a file");
    ss_error err;
    return ss_file_check(path, &err) == SS_OK ? CLI_GO_ON : cli_option_error(option, path, &err);
}

bool cli_target_is_same(const char* path, const char* other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int cli_map_targets_check(const cli_map_targets* t)
{
    if (t->out && !cli_ends_in(t->out, ".h5"))
        return cli_option_fault("--out", t->out, "the name must end in .h5");
    if (t->out && t->csv && strcmp(t->out, t->csv) == 0)
        return cli_option_fault("--csv", t->csv, "is the file of --out");
    if (t->csv && cli_target_is_same(t->csv, t->model))
        return cli_option_fault("--csv", t->csv, "is the model itself; give another name");
    if (t->resume && !t->out && !t->csv && !t->plot)
        return cli_option_fault("--resume", NULL,
                                "needs --out, --csv or --plot: it continues their FILE.part");
    return CLI_GO_ON;
}
