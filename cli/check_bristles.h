// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What `check` says of contacts with bristles.
#ifndef SLIPSTICK_CLI_CHECK_BRISTLES_H
#define SLIPSTICK_CLI_CHECK_BRISTLES_H

#include "facts.h"
#include "json.h"

void cli_put_bristles(cli_json* json, const cli_facts* facts, int contact);
void cli_bristle_line(const cli_facts* facts, int contact, const char* unit, FILE* out);
bool cli_judge_bristles(cli_facts* facts, int contact); ///< false without memory for the warning

#endif
