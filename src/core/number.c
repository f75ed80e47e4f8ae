// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/number.h"

#include <stdio.h>
#include <string.h>

// Asking the locale what it writes for a point would not be safe among threads. It is whatever is left.
const char* ss_number_format(double value, int digits, char* out, size_t size)
{
    static const char others[] = "0123456789+-einfa"; // and of what is not finite
    snprintf(out, size, "%.*g", digits, value);
    size_t at = strspn(out, others), length = strcspn(out + at, others);
    if (length == 0) return out;
    out[at] = '.';
    memmove(out + at + 1, out + at + length, strlen(out + at + length) + 1);
    return out;
}

static size_t digits_at(const char* text) { return strspn(text, "0123456789"); }

size_t ss_number_length(const char* text)
{
    size_t n = text[0] == '+' || text[0] == '-', whole = digits_at(text + n);
    n += whole;
    size_t decimals = text[n] == '.' ? digits_at(text + n + 1) : 0;
    if (whole + decimals == 0) return 0;
    if (text[n] == '.') n += 1 + decimals;
    if (text[n] != 'e' && text[n] != 'E') return n;
    size_t sign = text[n + 1] == '+' || text[n + 1] == '-', exponent = digits_at(text + n + 1 + sign);
    return exponent > 0 ? n + 1 + sign + exponent : n; // "2 em" is a number and a name
}
