// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers as JSON on standard output.
#ifndef SLIPSTICK_CLI_PRINT_ANSWER_H
#define SLIPSTICK_CLI_PRINT_ANSWER_H

#include "option/options.h"
#include "slipstick/answer.h"

/// Prints an answer, with what it came from (common NULL: without), and destroys it, or tells why there is
/// none: `made` and err are what the function said that built it. Returns CLI_DONE or the status to exit
/// with.
int cli_answer(const cli_common* common, ss_status made, ss_answer* const* answer, const ss_error* err);

#endif
