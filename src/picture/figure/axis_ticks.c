// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ticks at round numbers: 1, 2 or 5 times a power of ten.
#include "core/number_length.h"
#include "core/tolerance.h"
#include "picture/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"

// Numbers that differ only far behind their leading digits are told relative to one of them, a round one.
static double choose_offset(double from, double to, double step)
{
    double largest = fmax(fabs(from), fabs(to));
    if (step > 1e-5 * largest) return 0;
    double round = pow(10, ceil(log10(to - from)));
    return round * ceil(from / round) <= to ? round * ceil(from / round) : round * floor(from / round);
}

ss_ticks ss_ticks_choose(double from, double to, int about)
{
    double raw = (to - from) / about, power = floor(log10(raw)), unit = pow(10, power);
    double ratio = raw / unit;
    double factor = ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10;
    double step = factor * unit;
    if (factor == 10) power++;
    ss_ticks ticks = {.step = step, .offset = choose_offset(from, to, step)};
    from -= ticks.offset;
    to -= ticks.offset;
    ticks.first = step * ceil(from / step - SS_SAME);
    ticks.count = 1 + (int)floor((to - ticks.first) / step + SS_SAME);
    if (ticks.count > 20) ticks.count = 20;
    double largest = fmax(fabs(from), fabs(to));
    bool plain = power >= -3 && largest < 1e5;
    ticks.exponent = plain ? 0 : (int)floor(log10(largest));
    ticks.decimals = (int)fmax(ticks.exponent - power, 0);
    return ticks;
}

double ss_tick_value(const ss_ticks* ticks, int k) { return ticks->offset + ticks->first + k * ticks->step; }

const char* ss_ticks_label(const ss_ticks* ticks, int k, char* out, size_t size)
{
    double value = ticks->first + k * ticks->step;
    if (fabs(value) < SS_SAME * ticks->step) value = 0;
    ss_format(out, size, "%s%.*f", value < 0 ? MINUS : "", ticks->decimals,
              fabs(value) / pow(10, ticks->exponent));
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
    const char* unit = strrchr(label, '('); // "m)" follows
    int name = unit ? (int)(unit - label) : (int)strlen(label);
    while (name > 0 && label[name - 1] == ' ') name--;
    snprintf(out, size, "%.*s", name, label);
    size_t used = strlen(out);
    if (ticks->offset != 0)
        ss_format(out + used, size - used, " %s %.15g", ticks->offset > 0 ? MINUS : "+", fabs(ticks->offset));
    used = strlen(out);
    if (ticks->exponent == 0) {
        snprintf(out + used, size - used, "%s%s", unit ? " " : "", unit ? unit : "");
        return out;
    }
    snprintf(out + used, size - used, " (10");
    add_raised(out, size, ticks->exponent);
    used = strlen(out);
    snprintf(out + used, size - used, "%s%s", unit ? " " : "", unit ? unit + 1 : ")");
    return out;
}

ss_plot_axis ss_axis_around(const char* label, double low, double high)
{
    static const double most = 1e300,
                        least = SS_NO_DIGITS; // beyond, differences are no numbers, or all alike
    low = fmin(fmax(low, -most), most);
    high = fmin(fmax(high, -most), most);
    double extra = 0.05 * (high - low), size = fmax(fabs(low), fabs(high));
    if (!(high - low > SS_SUM_NOISE * size)) extra = size < least ? 1.0 : 0.1 * size;
    return (ss_plot_axis){label, low - extra, high + extra};
}
