// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the scripts of all shells share.
#include "completion/shell.h"

#include <ctype.h>
#include <string.h>

// FILE, FILE.csv, FITTED.yaml, DIR: a file or a folder. PATH,.. is a number of the model.
static bool names_a_file(const char* value)
{
    if (strncmp(value, "FILE", 4) == 0 || strcmp(value, "DIR") == 0) return true;
    const char* dot = strchr(value, '.');
    return dot && isalpha((unsigned char)dot[1]);
}

cli_offer cli_offer_of(const cli_option* option)
{
    if (option->kind == CLI_FLAG) return CLI_OFFER_OPTION;
    if (option->choices) return CLI_OFFER_WORDS;
    if (cli_list_of(option)) return CLI_OFFER_LISTED;
    return names_a_file(option->value) ? CLI_OFFER_FILES : CLI_OFFER_NOTHING;
}

const char* cli_list_of(const cli_option* option)
{
    if (option->listed) return option->listed;
    if (strncmp(option->value, "PATH", 4) == 0) return CLI_LIST_NUMBERS;
    bool names = strcmp(option->value, "NAME,..") == 0 || strcmp(option->value, "WHAT=COLUMN") == 0;
    return names ? CLI_LIST_NAMES : NULL;
}

bool cli_is_list(const char* word)
{
    static const char* const lists[] = {CLI_LIST_NUMBERS, CLI_LIST_NAMES, CLI_LIST_MEASURES,
                                        CLI_LIST_SECTIONS};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        if (strcmp(word, lists[k]) == 0) return true;
    return false;
}

const char* cli_list_mark(const cli_option* option)
{
    return strchr(option->value, '=') ? "=" : strchr(option->value, ',') ? "," : "-";
}

void cli_write_help(FILE* out, const char* help, const char* marks)
{
    bool space = false;
    for (; *help; help++) {
        if (isspace((unsigned char)*help)) {
            space = true;
            continue;
        }
        if (space) fputc(' ', out);
        space = false;
        if (*help == '\'') { // the quoted text ends, a quote of its own, and it goes on
            fputs("'\\''", out);
            continue;
        }
        if (strchr(marks, *help)) fputc('\\', out);
        fputc(*help, out);
    }
}
