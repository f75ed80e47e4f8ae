// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Units and dimensions.
#ifndef SLIPSTICK_CORE_UNIT_H
#define SLIPSTICK_CORE_UNIT_H

#include "slipstick/signal.h"

/// A unit with its prefix: x units are x * numerator / denominator in SI. Kept as a fraction so that 8 um is
/// the same double as 8e-6.
typedef struct ss_unit {
    double numerator, denominator;
    ss_dimension dimension;
    const char *prefix_word, *word; ///< "milli", "metre"
} ss_unit;

bool ss_unit_find(const char* name, size_t length, ss_unit* unit);
/// Writes what was probably meant by an unknown unit ("N*m" for "Nm", "Hz" for "hz") and returns true, or
/// false.
bool ss_unit_suggest(const char* name, size_t length, char* out, size_t size);
/// All units and prefixes, for errors. Returns out.
const char* ss_unit_list(char* out, size_t size);
ss_dimension ss_dimension_combine(ss_dimension a, ss_dimension b, double power); ///< a * b^power

#endif
