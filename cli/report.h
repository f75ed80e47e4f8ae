// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate`, for people and as JSON.
#ifndef SLIPSTICK_CLI_REPORT_H
#define SLIPSTICK_CLI_REPORT_H

#include "motion.h"

#include <stdio.h>

void cli_report_text(const cli_motion* motion, FILE* out);
void cli_report_json(const cli_motion* motion, FILE* out);

#endif
