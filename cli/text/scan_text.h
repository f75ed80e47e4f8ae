// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `scan` for people.
#ifndef SLIPSTICK_CLI_SCAN_TEXT_H
#define SLIPSTICK_CLI_SCAN_TEXT_H

#include "slipstick/scan.h"

#include <stdio.h>

/// map NULL: it was found finished, in its file. to_resume: the journal that is left of a scan that is not
/// complete, or NULL.
ss_status cli_scan_text(const ss_scan* scan, const ss_map* map, const ss_basin_summary* summary,
                        const char* to_resume, FILE* out, ss_error* err);

#endif
