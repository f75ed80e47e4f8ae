// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `cycle` for people.
#ifndef SLIPSTICK_CLI_CYCLE_TEXT_H
#define SLIPSTICK_CLI_CYCLE_TEXT_H

#include "slipstick/lab.h"

#include <stdio.h>

/// False where there is no memory for the list of events.
bool cli_cycle_text(const ss_model* model, const ss_cycle* cycle, FILE* out);

#endif
