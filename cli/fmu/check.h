// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An FMU of ours against its own model.
#ifndef SLIPSTICK_CLI_CHECK_FMU_H
#define SLIPSTICK_CLI_CHECK_FMU_H

#include <stdbool.h>

/// Looks at the description and runs the FMU, in Co-Simulation and in Model Exchange, beside its model.
/// Returns the status to exit with: CLI_NOT_MET where something is not as it should be.
int cli_check_fmu(const char* path, bool json);

#endif
