// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check`, for people and as JSON.
#ifndef SLIPSTICK_CLI_CHECK_H
#define SLIPSTICK_CLI_CHECK_H

#include "facts.h"

#include <stdio.h>

void cli_check_text(const cli_facts* facts, FILE* out);
void cli_check_json(const cli_facts* facts, FILE* out);
void cli_check_slider_text(const ss_slider* slider, FILE* out);
void cli_check_slider_json(const ss_slider* slider, FILE* out);

enum { CLI_IMPACT_SPEEDS = 6 };
extern const double cli_impact_speeds[CLI_IMPACT_SPEEDS]; ///< m/s, for which restitution is told

#endif
