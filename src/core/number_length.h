// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Decimal numbers as text, the same in every locale: share/number.h, and what only the library needs.
#ifndef SLIPSTICK_CORE_NUMBER_LENGTH_H
#define SLIPSTICK_CORE_NUMBER_LENGTH_H

#include "share/number.h"

/// How much of a text's beginning is a decimal number: sign, digits with a point among them, exponent. 0: it
/// begins with none.
size_t ss_number_length(const char* text);

#endif
