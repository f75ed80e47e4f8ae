// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the command line to a model: reads the file, applies --set, builds. Faults go to standard error.
#ifndef SLIPSTICK_CLI_LOAD_H
#define SLIPSTICK_CLI_LOAD_H

#include "option/options.h"

typedef struct cli_loaded {
    ss_document* document;
    ss_model* model;   ///< bodies or matrices, NULL for a slider
    ss_slider* slider; ///< NULL for bodies and matrices
} cli_loaded;

/// Loads bodies or matrices; a slider is an error. Returns CLI_GO_ON or the status to exit with, with nothing
/// loaded then.
int cli_load(const char* path, const cli_texts* sets, cli_loaded* out);
/// The same for a slider: bodies and matrices are an error.
int cli_load_slider(const char* path, const cli_texts* sets, cli_loaded* out);
/// The same for either.
int cli_load_any(const char* path, const cli_texts* sets, cli_loaded* out);
/// The same for `check`, which itself tells of bodies and matrices what may not be meant.
int cli_load_to_check(const char* path, const cli_texts* sets, cli_loaded* out);
/// The same with the starts of --near.
int cli_load_near(const char* path, const cli_texts* sets, const cli_texts* nears, cli_loaded* out);
void cli_unload(cli_loaded* loaded);

/// Reads a file of YAML; SS_NO_MEMORY where memory runs out on the way.
ss_status cli_read_document(const char* path, ss_document** out, ss_error* err);

/// Tells an error of the library and returns the status to exit with.
int cli_print_error(const ss_error* err);
/// The same for a fault that showed while the model ran: with its place in the model's document.
int cli_print_error_in(const ss_document* document, ss_error* err);

/// Changes a number of the document by PATH=VALUE; faults begin with the option's name. Returns CLI_GO_ON or
/// the status to exit with.
int cli_set(ss_document* document, const char* option, const char* text);

/// The text of a file, or NULL (gone, or no memory: errno is ENOMEM). The caller frees.
char* cli_read_text(const char* path);
/// The model as it was run: the file's text, and the changes of --set as comments, for the caller to free;
/// NULL where the file is gone (a pipe). CLI_GO_ON, or CLI_UNFINISHED where memory ran out, which was told.
int cli_model_text(const char* path, const cli_texts* sets, char** out);

#endif
