// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The atlas: figures and numbers of the four papers, made anew. It is data: an entry is a figure and the
// command that draws it; a number is a question to a command, and what the answer should be. Whatever the
// page shows, its reader can ask for with the same words.
#ifndef SLIPSTICK_CLI_ATLAS_H
#define SLIPSTICK_CLI_ATLAS_H

#include <stdbool.h>

/// A number (or a word) of a paper, asked of a command.
typedef struct atlas_number {
    const char* name;   ///< with its unit: "period (s)"
    const char* paper;  ///< as printed, a number or an expression where it is one; NULL: not given
    const char* ask;    ///< the command less "slipstick" and "--json"; NULL: as for the number above
    const char* answer; ///< "{rho_star}", or an expression of several such places of the JSON answer
    const char* exact;  ///< an expression; or a word in quotes: "'local'"
    const char* basis;  ///< where a bare exact number comes from; NULL: the expression says it
    double tolerance;   ///< of the difference, relative to |exact|, absolute where that is 0
    const char* errs;   ///< where the paper errs, and why; NULL: it does not
} atlas_number;

typedef struct atlas_entry {
    const char* name;    ///< its anchor
    const char* place;   ///< in the paper: "Figure 2"
    const char* title;   ///< in our words
    const char* caption; ///< what one sees; or why there is nothing to draw
    const char* choice;  ///< what the paper leaves open, and what we took; NULL: nothing
    const char* figure;  ///< the picture's file name; NULL: none
    const char* draw;    ///< the command less "slipstick", --theme and --plot
    const atlas_number* numbers;
    int number_count;
} atlas_entry;

#define ATLAS_NUMBERS(array) .numbers = (array), .number_count = sizeof(array) / sizeof((array)[0])

typedef struct atlas_paper {
    const char *key, *name; ///< "VL04", and who wrote it when
    const char* reference;  ///< how to find it
    const char* about;      ///< a sentence or two
    const atlas_entry* entries;
    int entry_count;
} atlas_paper;

extern const atlas_paper atlas_vl04, atlas_rd25, atlas_r15, atlas_grp91;

/// What came back for a number.
typedef struct atlas_finding {
    double ours, exact; ///< NaN for words
    double printed;     ///< what the paper's value comes to; NaN where it is none, or words
    char word[40];      ///< for words: what the answer says
    bool right;         ///< ours is the exact one, within the tolerance
    bool told;          ///< the paper agrees with the exact one, or it is said why it does not
} atlas_finding;

/// One entry when it is done.
typedef struct atlas_result {
    const atlas_entry* entry;
    atlas_finding* findings; ///< one per number
} atlas_result;

typedef struct atlas_chapter {
    const atlas_paper* paper;
    atlas_result* results; ///< one per entry
} atlas_chapter;

static inline bool atlas_passes(const atlas_finding* finding) { return finding->right && finding->told; }

// ---- commands (run_command.c) ----

/// Runs a command line as a user would type it (words, 'quoted words') in the present folder; what it prints
/// goes to the file. Returns its exit status.
int atlas_run(const char* line, const char* output);
/// The command line that draws an entry's figure, less "slipstick"; the caller frees. NULL: no memory.
char* atlas_drawing(const atlas_entry* entry);

// ---- numbers (numbers.c) ----

/// Asks for the numbers of an entry. Returns CLI_GO_ON or the status to exit with, the fault told.
int atlas_ask(const atlas_entry* entry, atlas_finding findings[]);

// ---- the page (page.c) ----

/// Writes the page, whole or not at all. Returns CLI_GO_ON or the status to exit with, the fault told.
int atlas_write_page(const atlas_chapter chapters[], int count, const char* path);

#endif
