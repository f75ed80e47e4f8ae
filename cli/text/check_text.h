// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `check` for people.
#ifndef SLIPSTICK_CLI_CHECK_TEXT_H
#define SLIPSTICK_CLI_CHECK_TEXT_H

#include "slipstick/check.h"

#include <stdio.h>

void cli_check_text(const ss_check* check, FILE* out);
void cli_check_slider_text(const ss_slider_check* check, FILE* out);

#endif
