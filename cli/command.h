// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A command of the program. A new one is a file with one such constant, and a row of the table in commands.c.
#ifndef SLIPSTICK_CLI_COMMAND_H
#define SLIPSTICK_CLI_COMMAND_H

/// Exit statuses, the same for every command.
enum {
    CLI_DONE = 0,
    CLI_NOT_MET = 1,    ///< an asked-for condition does not hold
    CLI_WRONG = 2,      ///< wrong usage, model or data; nothing was run or written
    CLI_UNFINISHED = 3, ///< could not finish; what was computed was printed
};

typedef struct cli_line cli_line; ///< see option/options.h

typedef struct cli_command {
    const char* name;    ///< "simulate"
    const char* summary; ///< one line for the list of commands
    int (*run)(const cli_line* line);
} cli_command;

extern const cli_command cli_check;
extern const cli_command cli_simulate;
extern const cli_command cli_certify;
extern const cli_command cli_cycle;
extern const cli_command cli_follow;
extern const cli_command cli_basin;
extern const cli_command cli_scan;
extern const cli_command cli_surface;
extern const cli_command cli_fit;
extern const cli_command cli_fmu;
extern const cli_command cli_atlas;
extern const cli_command cli_completion;

/// All of them, in the order of the help; NULL at the end.
extern const cli_command* const cli_commands[];

#endif
