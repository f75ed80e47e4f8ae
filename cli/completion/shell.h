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
} cli_offer;

cli_offer cli_offer_of(const cli_option* option);

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
