// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ticks at round numbers: 1, 2 or 5 times a power of ten.
#include "picture/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ss_ticks ss_ticks_choose(double from, double to, int about)
{
    double raw = (to - from) / about, power = floor(log10(raw)), unit = pow(10, power);
    double ratio = raw / unit;
    double factor = ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10;
    double step = factor * unit;
    if (factor == 10) power++;
    ss_ticks ticks = {.step = step, .first = step * ceil(from / step - 1e-9)};
    ticks.count = 1 + (int)floor((to - ticks.first) / step + 1e-9);
    if (ticks.count > 20) ticks.count = 20;
    double largest = fmax(fabs(from), fabs(to));
    bool plain = power >= -3 && largest < 1e5;
    ticks.exponent = plain ? 0 : (int)floor(log10(largest));
    ticks.decimals = (int)fmax(ticks.exponent - power, 0);
    return ticks;
}

const char* ss_ticks_label(const ss_ticks* ticks, int k, char* out, size_t size)
{
    double value = ticks->first + k * ticks->step;
    if (fabs(value) < 1e-9 * ticks->step) value = 0;
    snprintf(out, size, "%.*f", ticks->decimals, value / pow(10, ticks->exponent));
    return out;
}

// An exponent in raised digits.
static void add_raised(char* out, size_t size, int exponent)
{
    static const char* const digits[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                         "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                         "\xE2\x81\xB8", "\xE2\x81\xB9"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", exponent);
    for (const char* p = plain; *p; p++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s", *p == '-' ? "\xE2\x81\xBB" : digits[*p - '0']);
    }
}

const char* ss_ticks_axis(const ss_ticks* ticks, const char* label, char* out, size_t size)
{
    const char* unit = strrchr(label, '(');
    if (ticks->exponent == 0) {
        snprintf(out, size, "%s", label);
        return out;
    }
    snprintf(out, size, "%.*s%s10", unit ? (int)(unit - label) + 1 : (int)strlen(label), label,
             unit ? "" : " (");
    add_raised(out, size, ticks->exponent);
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", unit ? " " : "", unit ? unit + 1 : ")");
    return out;
}

ss_plot_axis ss_axis_around(const char* label, double low, double high)
{
    double extra = 0.05 * (high - low);
    if (!(high - low > 1e-12 * fmax(fabs(low), fabs(high)))) extra = low == 0.0 ? 1.0 : 0.1 * fabs(low);
    return (ss_plot_axis){label, low - extra, high + extra};
}
