// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What an answer came from: program, question and model, in the same words in JSON, in files and in pictures.
#ifndef SLIPSTICK_CLI_MADE_H
#define SLIPSTICK_CLI_MADE_H

#include "option/options.h"
#include "slipstick/answer.h"

enum { CLI_MADE_LINE = 1400 };

/// One line for files: "simulate block.yaml --until 5 (sha256 of block.yaml 2c26..)". The question has the
/// model's file without its folder, and nothing that does not bear on the answer (--threads, --out, ..); the
/// hash is missing where the file cannot be read twice (a pipe). Returns out.
const char* cli_made_line(const cli_common* common, char out[CLI_MADE_LINE]);

/// The same as the last key of a finished answer: "made": {"by": "slipstick 0.1.0", "question": .., "model":
/// .., "sha256": ..}.
void cli_made_put(const cli_common* common, ss_answer* answer);

#endif
