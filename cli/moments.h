// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The moments a person asked for with --at and --every, one after the other.
#ifndef SLIPSTICK_CLI_MOMENTS_H
#define SLIPSTICK_CLI_MOMENTS_H

#include "options.h"

typedef struct cli_moments {
    cli_times at;
    double every, until; ///< s; every = 0 for none
    int next_at;         ///< index into at
    long next_every;
} cli_moments;

/// The next moment, INFINITY when there is none left. Two that are the same to rounding are one.
double cli_moments_next(cli_moments* moments);

#endif
