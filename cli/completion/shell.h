// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Completion of command lines, written from the tables of options: what each shell needs to be told.
#ifndef SLIPSTICK_CLI_SHELL_H
#define SLIPSTICK_CLI_SHELL_H

#include "option/options.h"

#include <stdio.h>

/// How a shell completes what stands behind an option.
typedef enum cli_offer {
    CLI_OFFER_OPTION, ///< nothing stands behind it: it is a flag
    CLI_OFFER_NOTHING,
    CLI_OFFER_WORDS, ///< its choices
    CLI_OFFER_FILES,
    CLI_OFFER_LISTED, ///< what the program lists of the model on the line
} cli_offer;

cli_offer cli_offer_of(const cli_option* option);

/// What the program is asked for by scripts: `slipstick completion numbers MODEL`.
#define CLI_LIST_NUMBERS  "numbers"  // that may be set
#define CLI_LIST_NAMES    "names"    // of what moves
#define CLI_LIST_MEASURES "measures" // of a scan
#define CLI_LIST_SECTIONS "sections"
/// What the scripts say of the function that asks.
#define CLI_LIST_COMMENT                                                                                     \
    "# Numbers or names of the model on the line, as the program lists them; behind each a value (=), "      \
    "more\n"                                                                                                 \
    "# of them (,) or nothing (-). The line and the file are text: nothing in them is evaluated, and "       \
    "slipstick is\n"                                                                                         \
    "# the one in $PATH.\n"
/// What the program is asked for to complete the option's value; NULL: nothing.
const char* cli_list_of(const cli_option* option);
/// Whether a word is one of those questions.
bool cli_is_list(const char* word);
/// "=" where a value stands behind what is listed, "," where more may, "-" where nothing does.
const char* cli_list_mark(const cli_option* option);
/// Answers it: one path per line, silent about faults.
int cli_list_for_shell(const cli_line* line);

/// A script is written from the top down: its begin, each command, its end.
typedef struct cli_shell {
    const char* name; ///< "bash"
    void (*begin)(FILE* out);
    void (*command)(FILE* out, const cli_command* command, const cli_syntax* syntax);
    void (*end)(FILE* out);
} cli_shell;

extern const cli_shell cli_bash;
extern const cli_shell cli_zsh;
extern const cli_shell cli_fish;

/// The help of an option on one line, with a backslash before each of the marks.
void cli_write_help(FILE* out, const char* help, const char* marks);

#endif
