// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#if defined(__unix__) || defined(__wasi__)
#define _POSIX_C_SOURCE 200809L // a locale for one thread
#endif
#include "core/number_length.h"
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Asking the locale what it writes for a point would not be safe among threads. It is whatever is left.
static void put_point(char* out)
{
    static const char others[] = "0123456789+-einfa"; // and of what is not finite
    size_t at = strspn(out, others), length = strcspn(out + at, others);
    if (length == 0) return;
    out[at] = '.';
    memmove(out + at + 1, out + at + length, strlen(out + at + length) + 1);
}

const char* ss_number_format(double value, int digits, char* out, size_t size)
{
    snprintf(out, size, "%.*g", digits, value);
    put_point(out);
    return out;
}

// Written and read in the locale at hand, so that both agree; then the point.
const char* ss_number_shortest(double value, char* out, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    put_point(out);
    return out;
}

// 12.34e5 is handed to strtod as 1234e3: without a point, it is read alike in every locale.
bool ss_number_read(const char* text, double* out)
{
    enum { LONGEST = 100 };
    char digits[LONGEST + 32];
    size_t used = 0, length = ss_number_length(text);
    long decimals = 0, exponent = 0;
    bool point = false;
    if (length == 0 || text[length]) return false;
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        if (used == LONGEST) return false;
        if (*text == '.')
            point = true;
        else
            digits[used++] = *text, decimals += point && *text != '+' && *text != '-';
    }
    if (*text) exponent = strtol(text + 1, NULL, 10);
    exponent = exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : exponent;
    snprintf(digits + used, sizeof digits - used, "e%ld", exponent - decimals);
    *out = strtod(digits, NULL);
    return isfinite(*out);
}

// The locale "C" costs nothing to make: it is always there.
int ss_vformat(char* out, size_t size, const char* format, va_list arguments)
{
#if defined(__unix__) || defined(__wasi__) || defined(__APPLE__)
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(out, size, format, arguments);
    if (before) uselocale(before);
    if (plain) freelocale(plain);
    return length;
#else
    return vsnprintf(out, size, format, arguments);
#endif
}

int ss_format(char* out, size_t size, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = ss_vformat(out, size, format, arguments);
    va_end(arguments);
    return length;
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
