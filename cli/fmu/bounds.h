// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Between which values a number of a model may be set, whatever the others are.
#ifndef SLIPSTICK_CLI_BOUNDS_H
#define SLIPSTICK_CLI_BOUNDS_H

#include "slipstick/slipstick.h"

/// Smallest and largest value in SI; -INFINITY and INFINITY where the model knows none.
typedef struct cli_bounds {
    double least, most;
    bool failed; ///< memory ran out: nothing is known
} cli_bounds;

/// The bounds of the number at a path, whose value is `value` and whose dimension is plain or not.
cli_bounds cli_find_bounds(const ss_document* document, const char* path, double value, bool plain);

#endif
