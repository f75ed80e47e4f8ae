// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Completion for bash: one function; what stands before the word decides.
#include "completion/shell.h"

#include <string.h>

static void write_paths(FILE* out)
{
    fputs(CLI_LIST_COMMENT "_slipstick_paths() {\n"
                           "    local word=$1 what=$2 mark=$3 one model='' kept='' path\n"
                           "    for one in \"${COMP_WORDS[@]:2}\"; do\n"
                           "        IFS='' read one <<<\"$one\" # without -r: a backslash goes\n"
                           "        one=${one#[\\'\\\"]} one=${one%[\\'\\\"]} one=${one/#\\~\\//$HOME/}\n"
                           "        [[ $one == *.y?(a)ml && -f $one ]] && model=$one && break\n"
                           "    done\n"
                           "    [ -n \"$model\" ] || return\n"
                           "    [[ $mark == - ]] && mark=''\n"
                           "    [[ $mark == , ]] && kept=${word%\"${word##*,}\"} mark=''\n"
                           "    compopt -o nospace\n"
                           "    while IFS='' read -r path; do\n"
                           "        [[ $kept$path == \"$word\"* ]] && COMPREPLY+=(\"$kept$path$mark\")\n"
                           "    done < <(command slipstick completion \"$what\" \"$model\" 2>/dev/null)\n"
                           "    COMPREPLY=(\"${COMPREPLY[@]#\"${word%\"${word##*:}\"}\"}\") # bash has what "
                           "stands before a colon\n"
                           "}\n\n",
          out);
}

static void begin(FILE* out)
{
    fputs("# Completion of slipstick for bash, made by `slipstick completion bash`.\n\n"
          "# Folders, and the files that end in one of the given endings; without endings all files.\n"
          "_slipstick_files() {\n"
          "    local word=$1 ending\n"
          "    shift\n"
          "    compopt -o filenames\n"
          "    if [ $# -eq 0 ]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
          "        return\n"
          "    fi\n"
          "    mapfile -t COMPREPLY < <(compgen -d -- \"$word\"\n"
          "        for ending in \"$@\"; do compgen -f -X \"!*.$ending\" -- \"$word\"; done)\n"
          "}\n\n"
          "_slipstick_words() { mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\"); }\n\n",
          out);
    write_paths(out);
    fputs("_slipstick() {\n"
          "    local word=$2 before=$3 at=$COMP_CWORD options endings=(yaml yml fmu) words\n"
          "    COMPREPLY=()\n"
          "    # bash cuts a:b:c at its colons, and --set=PATH and PATH=VALUE in front of their mark\n"
          "    while ((at > 2)) && [[ ${COMP_WORDS[at]} == : || ${COMP_WORDS[at - 1]} == : ]]; do\n"
          "        [[ $at -eq $COMP_CWORD ]] && word=${COMP_WORDS[at]}\n"
          "        at=$((at - 1)); before=${COMP_WORDS[at - 1]}; word=${COMP_WORDS[at]}$word\n"
          "    done\n"
          "    local mark=$before\n"
          "    [[ $word == = ]] && mark='=' word=''\n"
          "    [[ $before == = ]] && before=${COMP_WORDS[at - 2]}\n"
          "    [[ $mark == = && $before != -* ]] && return\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        _slipstick_words \"$word\" \"",
          out);
    for (const cli_command* const* command = cli_commands; *command; command++)
        fprintf(out, "%s ", (*command)->name);
    fputs("--help --version\"\n"
          "        return\n"
          "    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          out);
}

static void write_options(FILE* out, const cli_syntax* syntax, cli_offer offer, const char* action)
{
    const char* between = "        ";
    for (int k = 0; k < syntax->option_count; k++) {
        if (cli_offer_of(&syntax->options[k]) != offer) continue;
        fprintf(out, "%s%s", between, syntax->options[k].name);
        between = " | ";
    }
    if (strcmp(between, " | ") == 0) fprintf(out, ") %s ;;\n", action);
}

static void write_words(FILE* out, const cli_syntax* syntax)
{
    for (int k = 0; k < syntax->option_count; k++) {
        const cli_option* option = &syntax->options[k];
        if (cli_offer_of(option) == CLI_OFFER_WORDS)
            fprintf(out, "        %s) _slipstick_words \"$word\" \"%s\"; return ;;\n", option->name,
                    option->choices);
    }
}

static void write_lists(FILE* out, const cli_syntax* syntax)
{
    for (int k = 0; k < syntax->option_count; k++) {
        const cli_option* option = &syntax->options[k];
        if (cli_offer_of(option) != CLI_OFFER_LISTED) continue;
        fprintf(out, "        %s) _slipstick_paths \"$word\" %s %s; return ;;\n", option->name,
                cli_list_of(option), cli_list_mark(option));
    }
}

static void write_command(FILE* out, const cli_command* command, const cli_syntax* syntax)
{
    fprintf(out, "    %s)\n        options=\"", command->name);
    for (int k = 0; k < syntax->option_count; k++) fprintf(out, "%s ", syntax->options[k].name);
    fputs("--help\"\n", out);
    if (syntax->choices) fprintf(out, "        words=\"%s\"\n", syntax->choices);
    if (syntax->rest_name) fprintf(out, "        endings+=(%s)\n", strrchr(syntax->rest_name, '.') + 1);
    fputs("        case $before in\n", out);
    write_words(out, syntax);
    write_lists(out, syntax);
    write_options(out, syntax, CLI_OFFER_FILES, "_slipstick_files \"$word\"; return");
    write_options(out, syntax, CLI_OFFER_NOTHING, "return");
    fputs("        esac ;;\n", out);
}

static void end(FILE* out)
{
    fputs("    *) return ;;\n"
          "    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        _slipstick_words \"$word\" \"$options\"\n"
          "    elif [ -n \"$words\" ]; then\n"
          "        _slipstick_words \"$word\" \"$words\"\n"
          "    else\n"
          "        _slipstick_files \"$word\" \"${endings[@]}\"\n"
          "    fi\n"
          "}\n\n"
          "complete -F _slipstick slipstick slipstick-mpi\n",
          out);
}

const cli_shell cli_bash = {"bash", begin, write_command, end};
