// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `basin` for people.
#ifndef SLIPSTICK_CLI_BASIN_TEXT_H
#define SLIPSTICK_CLI_BASIN_TEXT_H

#include "slipstick/basin.h"

#include <stdio.h>

/// to_resume: the file that --resume continues, or NULL.
void cli_basin_text(const ss_basin_summary* summary, const char* to_resume, FILE* out);

#endif
