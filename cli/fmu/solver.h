// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A small solver for Model Exchange: Dormand and Prince's method of order 5, steps by its error estimate,
// events by bisection of the step.
#ifndef SLIPSTICK_CLI_SOLVER_H
#define SLIPSTICK_CLI_SOLVER_H

#include "fmu/importer.h"

/// Integrates from 0 to `until`; the importer stands there in the end. Returns NULL, or what went wrong.
const char* cli_solve(cli_importer* importer, int states, int indicators, double until);

#endif
