// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An FMU of ours against its own model.
#ifndef SLIPSTICK_CLI_CHECK_FMU_H
#define SLIPSTICK_CLI_CHECK_FMU_H

#include <stdbool.h>

typedef struct cli_fmu_look {
    bool run;   ///< in Co-Simulation and in Model Exchange, beside the model inside; otherwise nothing is run
    bool trust; ///< also a binary that is not ours to the bit: it may do whatever the user may
    bool json;
} cli_fmu_look;

/// Looks at the description and the binary of an FMU, and runs it where that is asked for. Returns the status
/// to exit with: CLI_NOT_MET where something is not as it should be.
int cli_check_fmu(const char* path, const cli_fmu_look* look);

#endif
