// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate`, for people and as JSON, and its lists of events, which other answers have too.
#ifndef SLIPSTICK_CLI_REPORT_H
#define SLIPSTICK_CLI_REPORT_H

#include "json.h"
#include "motion.h"

#include <stdio.h>

void cli_report_text(const cli_motion* motion, FILE* out);
void cli_report_json(const cli_motion* motion, FILE* out);

void cli_list_events(const ss_model* model, const ss_event events[], size_t count, FILE* out);
void cli_put_event(cli_json* json, const ss_model* model, const ss_event* event);
void cli_put_energy(cli_json* json, const ss_energy* energy);

/// The list "warnings": what the energy ledger says of the motion.
void cli_put_warnings(cli_json* json, const ss_energy* energy);
/// The same for people; nothing where there is nothing to warn of.
void cli_tell_warnings(const ss_energy* energy, FILE* out);

#endif
