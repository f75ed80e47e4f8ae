// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// slipstick COMMAND MODEL [options]: finds the command and lets it run.
#define _XOPEN_SOURCE 700 // _exit, SIGXFSZ
#include "base/memory.h"
#include "base/screen.h"
#include "base/team.h"
#include "command.h"
#include "option/options.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_help(FILE* out)
{
    fputs("usage: slipstick COMMAND MODEL [options]\n\n"
          "How mechanical systems with dry friction move, and where they come to rest.\n\n"
          "commands:\n",
          out);
    for (const cli_command* const* command = cli_commands; *command; command++)
        fprintf(out, "  %-10s %s\n", (*command)->name, (*command)->summary);
    fputs("\n`slipstick COMMAND --help` lists the options of a command; `slipstick --version` tells the "
          "version.\n"
          "exit status: 0 done, 1 an asked-for condition is not met, 2 wrong usage, model or data, 3 could "
          "not finish\n",
          out);
}

static int unknown_option(const char* word)
{
    static const char* const names[] = {"--help", "--version"};
    const char* meant = ss_suggest(word, names, 2);
    if (meant)
        fprintf(stderr, "%s: unknown option; did you mean %s?\n", word, meant);
    else
        fprintf(stderr, "%s: unknown option; options follow a command, see `slipstick --help`\n", word);
    return CLI_WRONG;
}

enum { MOST_COMMANDS = 32 }; // looked at for a suggestion

static int unknown_command(const char* word)
{
    const char* names[MOST_COMMANDS];
    int count = 0;
    for (; cli_commands[count] && count < MOST_COMMANDS; count++) names[count] = cli_commands[count]->name;
    const char* meant = strcmp(word, "version") == 0 ? "--version" : ss_suggest(word, names, count);
    if (meant)
        fprintf(stderr, "%s: unknown command; did you mean %s?\n", word, meant);
    else if (strstr(word, ".yaml"))
        fprintf(stderr, "%s: expected a command first, as in `slipstick simulate %s`\n", word, word);
    else
        fprintf(stderr, "%s: unknown command; `slipstick --help` lists what there is\n", word);
    return CLI_WRONG;
}

// Only maps are the work of many; everything else is done by the first of a team.
static int run_command(const cli_command* command, const cli_line* line)
{
    if (cli_team_rank() > 0 && command != &cli_basin && command != &cli_scan) return CLI_DONE;
    return command->run(line);
}

static int dispatch(int argc, char** argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return CLI_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("slipstick %s\n", ss_version());
        return CLI_DONE;
    }
    const cli_line line = {.count = argc - 2, .words = argv + 2};
    for (const cli_command* const* command = cli_commands; *command; command++)
        if (strcmp(argv[1], (*command)->name) == 0) return run_command(*command, &line);
    return argv[1][0] == '-' ? unknown_option(argv[1]) : unknown_command(argv[1]);
}

int main(int argc, char** argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file beyond its limit is an error that is told, as a full disk is
    cli_team_begin(&argc, &argv);
    int status = cli_screen_begin() ? dispatch(argc, argv) : cli_no_memory();
    // An answer that did not reach its reader (disk full) is not done, whatever the command says.
    if ((fflush(stdout) != 0 || ferror(stdout)) && status != CLI_WRONG) {
        perror("standard output");
        status = CLI_UNFINISHED;
    }
    status = cli_team_end(status);
    if (cli_guard_was_left()) _exit(status); // a library was left half-way: its exit handlers must not run
    return status;
}
