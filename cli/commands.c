// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The table of all commands.
#include "command.h"

#include <stddef.h>

const cli_command* const cli_commands[] = {&cli_check, &cli_simulate,   &cli_certify, &cli_cycle, &cli_follow,
                                           &cli_basin, &cli_scan,       &cli_surface, &cli_fit,   &cli_fmu,
                                           &cli_atlas, &cli_completion, NULL};
