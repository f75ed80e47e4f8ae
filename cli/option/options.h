// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Options of all commands: a table says what there is, where each value goes, and makes the help. Faults are
// told on standard error and begin with the option.
#ifndef SLIPSTICK_CLI_OPTIONS_H
#define SLIPSTICK_CLI_OPTIONS_H

#include "command.h"
#include "share/error.h"
#include "slipstick/slipstick.h"

#include <stdbool.h>

typedef enum cli_option_kind {
    CLI_FLAG,     ///< bool*: given or not
    CLI_TEXT,     ///< const char**: any text
    CLI_TEXTS,    ///< cli_texts*: may be given as often as wanted
    CLI_QUANTITY, ///< double*: a number with a unit, in SI
    CLI_TIMES,    ///< cli_times*: t1,t2,.. each with its unit; given again, more of them
    CLI_COUNT,    ///< long*: a whole number, "1e6" too
} cli_option_kind;

typedef struct cli_texts {
    const char** items; ///< borrowed from argv
    int count;
} cli_texts;

typedef struct cli_times {
    double* items; ///< s, ascending, no two alike
    int count;
} cli_times;

typedef struct cli_option {
    const char* name;  ///< "--until"
    const char* value; ///< what stands after it in the help, NULL for a flag
    cli_option_kind kind;
    void* target;
    const char* help;
    ss_dimension dimension;        ///< of a quantity
    double least, most;            ///< of a quantity or count
    bool exclusive, dimensionless; ///< `least` itself is too little; a plain number fits as well
    const char* choices;           ///< words that shells offer for the value, "print screen dark"; NULL: none
    const char* listed;            ///< what they ask the program for (completion/shell.h); NULL: by `value`
} cli_option;

/// What a command line of one command looks like.
typedef struct cli_syntax {
    const char* command;
    const char* about; ///< a few lines for --help
    const cli_option* options;
    int option_count;
    const char* const* argument_names; ///< all are required: "MODEL"
    const char** arguments;            ///< filled, one per name
    const char* choices;               ///< words that shells offer for the first argument; NULL: files
    int argument_count;
    const char* rest_name; ///< more arguments, at least one: "DATA.csv"; NULL: none
    cli_texts* rest;
} cli_syntax;

/// What follows the command's name; or the wish to see the command's syntax instead of running it.
struct cli_line {
    int count;
    char** words;
    void (*show)(const cli_syntax* syntax, void* to); ///< NULL: run
    void* to;
};

enum { CLI_GO_ON = -1 };

/// Fills the targets. Returns CLI_GO_ON, or the status to exit with (after --help, a syntax shown, or a
/// fault).
int cli_parse(const cli_syntax* syntax, const cli_line* line);

/// The end of the element of a list that starts at text: a comma outside parentheses, as in
/// "min(1, 2) s, 3 s", or the end.
char* cli_element_end(char* text);

/// What every command understands.
typedef struct cli_common {
    const char *command, *model; ///< what was asked: "simulate", the model file as typed
    const cli_line* line;
    cli_texts set;
    bool json;
    double tolerance;
    long max_events;
} cli_common;

cli_common cli_common_default(void);
void cli_common_free(cli_common* common);

/// The same for a command whose one argument is MODEL; the common options know then what was asked.
int cli_parse_model(const char* command, const char* about, const cli_option* options, int option_count,
                    cli_common* common, const cli_line* line);

// clang-format off
#define CLI_COMMON_OPTIONS(common)                                                                           \
    {.name = "--set", .value = "PATH=VALUE", .kind = CLI_TEXTS, .target = &(common)->set,                    \
     .help = "change a number of the model, as often as wanted: contacts.floor.friction=2"},                 \
    {.name = "--json", .kind = CLI_FLAG, .target = &(common)->json,                                          \
     .help = "answer with one JSON object, numbers in SI"},                                                  \
    {.name = "--tolerance", .value = "R", .kind = CLI_QUANTITY, .target = &(common)->tolerance,              \
     .least = 0, .exclusive = true, .most = SS_MAX_TOLERANCE,                                                \
     .help = "relative error per step where the flow is not closed form (default 1e-10)"},                   \
    {.name = "--max-events", .value = "N", .kind = CLI_COUNT, .target = &(common)->max_events,               \
     .least = 1, .most = 1e15, .help = "stop after so many events (default 1e6)"}
// clang-format on

/// Tells a fault of an option: "--until 5 kg: expected s, found kg". Returns CLI_WRONG.
int cli_option_fault(const char* name, const char* value, const char* format, ...) SS_PRINTF(3, 4);

/// The same for an error of the library. Returns CLI_WRONG, or CLI_UNFINISHED where memory or a disk is the
/// reason.
int cli_option_error(const char* name, const char* value, const ss_error* err);

/// Tells that there is no memory. Returns CLI_UNFINISHED.
int cli_no_memory(void);

/// Whether a name of a file ends in ".csv" or the like, and is more than that.
bool cli_ends_in(const char* path, const char* ending);

#endif
