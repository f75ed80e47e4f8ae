// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Decimal numbers as text, the same in every locale.
#ifndef SLIPSTICK_CORE_NUMBER_H
#define SLIPSTICK_CORE_NUMBER_H

#include <stddef.h>

enum { SS_NUMBER_SIZE = 40 }; ///< room for any number

/// Writes a number as %.*g does, with so many digits, but always with a point. Returns out.
const char* ss_number_format(double value, int digits, char* out, size_t size);

/// How much of a text's beginning is a decimal number: sign, digits with a point among them, exponent. 0: it
/// begins with none.
size_t ss_number_length(const char* text);

#endif
