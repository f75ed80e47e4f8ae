// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `certify` for people.
#ifndef SLIPSTICK_CLI_CERTIFY_TEXT_H
#define SLIPSTICK_CLI_CERTIFY_TEXT_H

#include "slipstick/lab.h"

#include <stdio.h>

typedef struct cli_certified {
    const char* title;
    const ss_model* model; ///< NULL for a slider
    const ss_certificate* certificate;
    const double* point; ///< of --contains, or NULL
    ss_membership place; ///< where it lies; only where an equilibrium set exists
} cli_certified;

void cli_certify_text(const cli_certified* answer, FILE* out);

#endif
