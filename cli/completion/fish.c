// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Completion for fish: one line per command and per option.
#include "completion/shell.h"

#include <string.h>

static void begin(FILE* out)
{
    fputs("# Completion of slipstick for fish, made by `slipstick completion fish`.\n\n" CLI_LIST_COMMENT
          "function __slipstick_paths\n"
          "    set -l mark $argv[2]\n"
          "    set -l kept ''\n"
          "    test $mark = ,; and set mark ''; and set kept (string replace -r '[^,]*$' '' -- (commandline "
          "-ct))\n"
          "    test $mark = -; and set mark ''\n"
          "    for word in (commandline -o)\n"
          "        string match -q '~/*' -- $word; and set word $HOME(string sub -s 2 -- $word)\n"
          "        string match -qr '[.]ya?ml$' -- $word; and test -f $word; or continue\n"
          "        for path in (command slipstick completion $argv[1] $word 2>/dev/null)\n"
          "            printf '%s\\n' $kept$path$mark\n"
          "        end\n"
          "        return\n"
          "    end\n"
          "end\n\n",
          out);
    for (const cli_command* const* command = cli_commands; *command; command++) {
        fprintf(out, "complete -c slipstick -n __fish_use_subcommand -f -a %s -d '", (*command)->name);
        cli_write_help(out, (*command)->summary, "\\");
        fputs("'\n", out);
    }
    fputs("complete -c slipstick -n __fish_use_subcommand -l help -d 'what there is'\n"
          "complete -c slipstick -n __fish_use_subcommand -l version -d 'which version this is'\n",
          out);
}

static void write_of(FILE* out, const cli_command* command)
{
    fprintf(out, "complete -c slipstick -n '__fish_seen_subcommand_from %s'", command->name);
}

static void write_option(FILE* out, const cli_command* command, const cli_option* option)
{
    write_of(out, command);
    bool is_long = strncmp(option->name, "--", 2) == 0;
    fprintf(out, is_long ? " -l %s" : " -s %s", option->name + (is_long ? 2 : 1));
    switch (cli_offer_of(option)) {
    case CLI_OFFER_OPTION: break;
    case CLI_OFFER_NOTHING: fputs(" -x", out); break;
    case CLI_OFFER_FILES: fputs(" -r -F", out); break;
    case CLI_OFFER_LISTED:
        fprintf(out, " -x -a '(__slipstick_paths %s %s)'", cli_list_of(option), cli_list_mark(option));
        break;
    case CLI_OFFER_WORDS: fprintf(out, " -x -a '%s'", option->choices); break;
    }
    fputs(" -d '", out);
    cli_write_help(out, option->help, "\\");
    fputs("'\n", out);
}

static void write_command(FILE* out, const cli_command* command, const cli_syntax* syntax)
{
    fputc('\n', out);
    for (int k = 0; k < syntax->option_count; k++) write_option(out, command, &syntax->options[k]);
    write_of(out, command);
    fputs(" -l help -d 'this page'\n", out);
    write_of(out, command);
    if (syntax->choices)
        fprintf(out, " -f -a '%s'\n", syntax->choices);
    else if (syntax->rest_name)
        fputs(" -k -f -a '(__fish_complete_suffix .yaml .csv)'\n", out);
    else
        fputs(" -k -f -a '(__fish_complete_suffix .yaml)'\n", out);
}

static void end(FILE* out) { fputs("\ncomplete -c slipstick-mpi -w slipstick\n", out); }

const cli_shell cli_fish = {"fish", begin, write_command, end};
