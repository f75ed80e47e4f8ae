// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick completion SHELL: the script with which a shell completes command lines, from the tables of
// options.
#include "command.h"
#include "completion/shell.h"

#include <string.h>

typedef struct writing {
    FILE* out;
    const cli_shell* shell;
    const cli_command* command;
} writing;

static void write_shown(const cli_syntax* syntax, void* to)
{
    const writing* w = to;
    w->shell->command(w->out, w->command, syntax);
}

static const cli_shell* find_shell(const char* name)
{
    static const cli_shell* const shells[] = {&cli_bash, &cli_zsh, &cli_fish};
    for (int k = 0; k < 3; k++)
        if (strcmp(name, shells[k]->name) == 0) return shells[k];
    return NULL;
}

static int parse(const char** shell, const cli_line* line)
{
    static const char* const names[] = {"SHELL"};
    static const char about[] =
        "Writes the script with which a shell completes commands, options, their words and files, and\n"
        "paths of the model on the line after --set and its kin:\n"
        "  bash   slipstick completion bash > ~/.local/share/bash-completion/completions/slipstick\n"
        "  zsh    slipstick completion zsh > _slipstick, in a folder of $fpath\n"
        "  fish   slipstick completion fish > ~/.config/fish/completions/slipstick.fish\n"
        "An installed Slipstick has them in place.";
    const cli_syntax syntax = {.command = "completion",
                               .about = about,
                               .argument_names = names,
                               .arguments = shell,
                               .argument_count = 1,
                               .choices = "bash zsh fish"};
    return cli_parse(&syntax, line);
}

static int run(const cli_line* line)
{
    const char* name = NULL;
    const char* first = line->count > 0 ? line->words[0] : "";
    if (cli_is_list(first)) return cli_list_for_shell(line);
    int status = parse(&name, line);
    if (status != CLI_GO_ON) return status;
    writing w = {.out = stdout, .shell = find_shell(name)};
    if (!w.shell) {
        fprintf(stderr, "%s: expected bash, zsh or fish\n", name);
        return CLI_WRONG;
    }
    w.shell->begin(w.out);
    for (const cli_command* const* command = cli_commands; *command; command++) {
        w.command = *command;
        (*command)->run(&(cli_line){.show = write_shown, .to = &w});
    }
    w.shell->end(w.out);
    return CLI_DONE;
}

const cli_command cli_completion = {"completion", "script for bash, zsh or fish that completes command lines",
                                    run};
