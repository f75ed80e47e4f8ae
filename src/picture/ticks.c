// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ticks at round numbers: 1, 2 or 5 times a power of ten.
#include "picture/figure.h"

#include <math.h>
#include <stdio.h>

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
    bool plain = power >= -4 && largest < 1e6;
    ticks.decimals = !plain ? -1 : power < 0 ? (int)-power : 0;
    return ticks;
}

const char* ss_ticks_label(const ss_ticks* ticks, int k, char* out, size_t size)
{
    double value = ticks->first + k * ticks->step;
    if (fabs(value) < 1e-9 * ticks->step) value = 0;
    if (ticks->decimals < 0)
        snprintf(out, size, "%g", value);
    else
        snprintf(out, size, "%.*f", ticks->decimals, value);
    return out;
}

ss_plot_axis ss_axis_around(const char* label, double low, double high)
{
    double extra = 0.05 * (high - low);
    if (!(high - low > 1e-12 * fmax(fabs(low), fabs(high)))) extra = low == 0.0 ? 1.0 : 0.1 * fabs(low);
    return (ss_plot_axis){label, low - extra, high + extra};
}
