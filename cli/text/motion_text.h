// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` for people, and its list of events, which other answers have too.
#ifndef SLIPSTICK_CLI_MOTION_TEXT_H
#define SLIPSTICK_CLI_MOTION_TEXT_H

#include "slipstick/motion.h"

#include <stdio.h>

void cli_report(const ss_motion* motion, FILE* out);
/// The same for a slider.
void cli_slide_report(const ss_motion* motion, FILE* out);

void cli_list_events(const ss_model* model, const ss_event events[], size_t count, FILE* out);

/// What the energy ledger says of the motion; nothing where there is nothing to warn of.
void cli_print_warnings(const ss_energy* energy, FILE* out);

#endif
