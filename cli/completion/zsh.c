// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Completion for zsh: one call of _arguments per command.
#include "completion/shell.h"

#include <string.h>

static void begin(FILE* out)
{
    fputs("#compdef slipstick slipstick-mpi\n"
          "# Completion of slipstick for zsh, made by `slipstick completion zsh`.\n\n" CLI_LIST_COMMENT
          "_slipstick_paths() {\n"
          "    local one model\n"
          "    local -a offered\n"
          "    for one in $words; do\n"
          "        one=${${(Q)one}/#\\~\\//$HOME/}\n"
          "        [[ $one == *.(yaml|yml) && -f $one ]] && model=$one && break\n"
          "    done\n"
          "    [[ -n $model ]] || return 1\n"
          "    offered=(${(f)\"$(command slipstick completion $1 $model 2>/dev/null)\"})\n"
          "    if [[ $2 == '=' ]]; then\n"
          "        compset -P '*=' || compadd -S = -- $offered\n"
          "    elif [[ $2 == '-' ]]; then\n"
          "        compadd -- $offered\n"
          "    else\n"
          "        compset -P '*,'\n"
          "        compadd -q -S , -- $offered\n"
          "    fi\n"
          "}\n\n"
          "_slipstick() {\n"
          "    local -a commands=(\n",
          out);
    for (const cli_command* const* command = cli_commands; *command; command++) {
        fprintf(out, "        '%s:", (*command)->name);
        cli_write_help(out, (*command)->summary, ":\\");
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
}

// '*--set=[change a number ..]:PATH=VALUE:', with what completes the value behind the last colon.
static void write_option(FILE* out, const cli_option* option)
{
    bool is_long = strncmp(option->name, "--", 2) == 0;
    fprintf(out, " \\\n            '%s%s%s[", option->kind == CLI_TEXTS ? "*" : "", option->name,
            is_long && option->kind != CLI_FLAG ? "=" : "");
    cli_write_help(out, option->help, "[]:\\");
    fputc(']', out);
    switch (cli_offer_of(option)) {
    case CLI_OFFER_OPTION: break;
    case CLI_OFFER_NOTHING: fprintf(out, ":%s:", option->value); break;
    case CLI_OFFER_FILES: fprintf(out, ":%s:_files", option->value); break;
    case CLI_OFFER_LISTED: // behind the blank the words are called as they stand, without options for compadd
        fprintf(out, ":%s: _slipstick_paths %s %s", option->value, cli_list_of(option),
                cli_list_mark(option));
        break;
    case CLI_OFFER_WORDS:
        fprintf(out, ":%s:(", option->value);
        cli_write_help(out, option->choices, ":");
        fputc(')', out);
        break;
    }
    fputc('\'', out);
}

static void write_command(FILE* out, const cli_command* command, const cli_syntax* syntax)
{
    fprintf(out, "    %s)\n        _arguments", command->name);
    for (int k = 0; k < syntax->option_count; k++) write_option(out, &syntax->options[k]);
    fputs(" \\\n            '--help[this page]'", out);
    if (syntax->choices)
        fprintf(out, " \\\n            '1:%s:(%s)'", syntax->argument_names[0], syntax->choices);
    if (syntax->argument_count > 0 && !syntax->choices)
        fprintf(out, " \\\n            '1:%s:_files -g \"*.(yaml|yml|fmu)\"'", syntax->argument_names[0]);
    if (syntax->rest_name)
        fprintf(out, " \\\n            '*:%s:_files -g \"*%s\"'", syntax->rest_name,
                strrchr(syntax->rest_name, '.'));
    fputs(" ;;\n", out);
}

static void end(FILE* out) { fputs("    esac\n}\n\n_slipstick \"$@\"\n", out); }

const cli_shell cli_zsh = {"zsh", begin, write_command, end};
