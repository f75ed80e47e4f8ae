// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An importer of FMUs: the binary is loaded, and both versions of the interface look alike from here.
#ifndef SLIPSTICK_CLI_IMPORTER_H
#define SLIPSTICK_CLI_IMPORTER_H

#include "slipstick/status.h"

#include <stdint.h>

typedef struct cli_importer {
    int version;
    void* library;
    char* token;
    char* folder; ///< of the resources
    bool exchange;
    void* instance;
    char fault[512]; ///< what the FMU logged last
    int events;      ///< that it logged
} cli_importer;

/// Loads the binary at a path. False: the importer says why in its fault.
bool cli_import(cli_importer* importer, const char* binary);
void cli_import_close(cli_importer* importer);

/// An instance that is initialised, with logging of events.
bool cli_import_begin(cli_importer* importer, bool exchange);
bool cli_import_get(cli_importer* importer, uint32_t reference, bool mode, double* value);
bool cli_import_step(cli_importer* importer, double from, double to);
// ---- Model Exchange
bool cli_import_put(cli_importer* importer, double t, const double y[], size_t count);
bool cli_import_states(cli_importer* importer, double y[], size_t count);
bool cli_import_rates(cli_importer* importer, double rates[], size_t count);
bool cli_import_indicators(cli_importer* importer, double out[], size_t count);
/// Event Mode, updates until they end, and back. next: of the next time event, or INFINITY.
bool cli_import_event(cli_importer* importer, bool first, double* next);

#endif
