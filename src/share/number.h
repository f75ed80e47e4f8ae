// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers as text, with a decimal point whatever the locale of the program is that uses the library: a host
// that writes 0,5 itself still gets and gives 0.5 here.
#ifndef SLIPSTICK_SHARE_NUMBER_H
#define SLIPSTICK_SHARE_NUMBER_H

#include "share/error.h"

#include <stdarg.h>

enum { SS_NUMBER_SIZE = 40 }; ///< room for any number

/// Writes a number as %.*g does, with so many digits. Returns out.
const char* ss_number_format(double value, int digits, char* out, size_t size);
/// The fewest digits, at least 15, that read back as the same number. Returns out.
const char* ss_number_shortest(double value, char* out, size_t size);
/// Reads a text that is a decimal number and nothing else; false where it is not, or not finite.
bool ss_number_read(const char* text, double* out);

/// snprintf and vsnprintf, with a point on every system that has locales for single threads (POSIX.1-2008).
int ss_format(char* out, size_t size, const char* format, ...) SS_PRINTF(3, 4);
int ss_vformat(char* out, size_t size, const char* format, va_list arguments) SS_PRINTF(3, 0);

#endif
