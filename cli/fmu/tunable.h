// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which numbers of a model become parameters of an FMU, and which of them may change while it runs.
#ifndef SLIPSTICK_CLI_TUNABLE_H
#define SLIPSTICK_CLI_TUNABLE_H

#include "option/options.h"

typedef struct cli_parameters {
    char** paths;
    bool* tunable;
    int count;
} cli_parameters;

/// All `parameters` of the document, and those of lists PATH,PATH,..; a path that is no number of the model
/// is told. Returns CLI_GO_ON or the status to exit with.
int cli_parameters_find(const ss_document* document, const cli_texts* sets, const cli_texts* lists,
                        cli_parameters* out);
void cli_parameters_free(cli_parameters* parameters);

#endif
