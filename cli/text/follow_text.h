// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `follow` for people.
#ifndef SLIPSTICK_CLI_FOLLOW_TEXT_H
#define SLIPSTICK_CLI_FOLLOW_TEXT_H

#include "slipstick/follow.h"

#include <stdio.h>

void cli_follow_text(const ss_solution_branch* branch, FILE* out);

#endif
