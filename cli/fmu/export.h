// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From a model file to an FMU.
#ifndef SLIPSTICK_CLI_EXPORT_H
#define SLIPSTICK_CLI_EXPORT_H

#include "option/options.h"

typedef struct cli_export_def {
    const char* model; ///< path of the model file
    const cli_texts* set;
    const cli_texts* parameters; ///< lists PATH,PATH,.. of more than those of the file
    const char* out;
    int version;
    bool sources;     ///< with the code
    double tolerance; ///< of the solver inside
    bool json;        ///< answer as JSON
} cli_export_def;

/// Returns the status to exit with.
int cli_export(const cli_export_def* def);

#endif
