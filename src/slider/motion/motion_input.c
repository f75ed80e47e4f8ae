// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where applied loads are not smooth: at the points of tables, and where the arguments of abs, min and max
// change sign. Steps end there. Each argument is known by its Taylor series (core/expression/series.h),
// trusted as far as its last terms vanish; in Bernstein's form of that polynomial no root is overlooked.
#include "slider/motion/motion.h"

#include "core/expression/series.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

enum { ORDER = 20 };

// The first root in the window of a polynomial with Bernstein coefficients b, as a share of the window; 2
// where there is none. b[0] > 0.
static double first_root(const double b[ORDER + 1], double low, double high)
{
    double left[ORDER + 1], right[ORDER + 1], middle = 0.5 * (low + high);
    bool positive = true;
    for (int i = 0; i <= ORDER; i++) positive = positive && b[i] > 0.0;
    if (positive) return 2.0;
    if (!(middle > low && middle < high) || high - low < SS_LAST_BIT) return high;
    memcpy(right, b, sizeof right);
    left[0] = b[0];
    for (int n = 1; n <= ORDER; n++) { // de Casteljau
        for (int i = 0; i + n <= ORDER; i++) right[i] = 0.5 * (right[i] + right[i + 1]);
        left[n] = right[0];
    }
    double root = first_root(left, low, middle);
    return root <= 1.0 ? root : right[0] <= 0.0 ? middle : first_root(right, middle, high);
}

// How far a series may be trusted: its last two terms are below rounding of the largest.
static double reach_of(const double c[ORDER + 1], double most)
{
    double h = most;
    for (int round = 0; round < 60; round++, h *= 0.7) {
        double power = 1.0, largest = 0.0, term = 0.0, last = 0.0;
        for (int k = 0; k <= ORDER; k++, power *= h) {
            last = term;
            term = fabs(c[k]) * power;
            largest = fmax(largest, term);
        }
        if (term + last <= SS_UNIT_NOISE * largest) return h;
    }
    return h;
}

// The first root of a kink function in (0, window]; INFINITY for none. Zero at the beginning is the kink one
// comes from.
static double root_within(double c[ORDER + 1], double window)
{
    double b[ORDER + 1], power = 1.0;
    int lead = 0;
    while (lead <= ORDER && c[lead] == 0.0) lead++;
    if (lead > ORDER) return INFINITY;
    for (int k = 0; k <= ORDER; k++) c[k] = k + lead <= ORDER ? c[k + lead] : 0.0;
    for (int k = 0; k <= ORDER; k++, power *= window) b[k] = c[k] * power;
    for (int k = 0; k <= ORDER; k++) { // b_i = sum over k of C(i, k)/C(n, k) c_k
        double ratio = 1.0;
        for (int j = 0; j < k; j++) ratio *= (double)(ORDER - j) / (j + 1);
        b[k] /= ratio;
    }
    for (int n = 1; n <= ORDER; n++)
        for (int i = ORDER; i >= n; i--) b[i] += b[i - 1];
    if (!(b[0] > 0.0)) return INFINITY;
    double root = first_root(b, 0.0, 1.0);
    return root <= 1.0 ? root * window : INFINITY;
}

// The first kink of a signal in (t, until], in s. Of arguments that vary so fast that even WINDOWS of them do
// not reach the end, the end of the last window: nothing is overlooked, the step just ends there.
static double next_kink(const ss_slide* s, const ss_signal* signal, double t, double until)
{
    enum { WINDOWS = 10000 };
    double c[ORDER + 1], first = INFINITY, *kinks = s->inputs.kink_series;
    int count = ss_signal_kink_count(signal);
    for (int k = 0; count > 0 && t < until && first == INFINITY && k < WINDOWS; k++) {
        if (!ss_signal_series(signal, t, ORDER, c, kinks, s->inputs.scratch)) return INFINITY;
        double window = until - t;
        for (int j = 0; j < count; j++) window = fmin(window, reach_of(&kinks[j * (ORDER + 1)], window));
        for (int j = 0; j < count; j++) first = fmin(first, t + root_within(&kinks[j * (ORDER + 1)], window));
        t += window;
    }
    return first == INFINITY && count > 0 && t < until ? t : first;
}

size_t ss_slide_kink_room(const ss_slider* slider)
{
    const ss_signal* const signals[] = {slider->force_x, slider->force_y, slider->moment};
    int most = 0;
    for (int i = 0; i < 3; i++)
        if (signals[i] && ss_signal_kink_count(signals[i]) > most) most = ss_signal_kink_count(signals[i]);
    return (size_t)most * (ORDER + 1);
}

double ss_slide_next_break(ss_slide* s, double t, double within)
{
    const ss_signal* const signals[] = {s->slider->force_x, s->slider->force_y, s->slider->moment};
    double unit = s->slider->unit_time, past = SS_NOISE * (1.0 + t); // one so near has been reached
    if (!(t >= s->inputs.break_from && t + within <= s->inputs.break_to && s->inputs.break_at > t + past)) {
        s->inputs.break_from = t;
        s->inputs.break_to = t + 2.0 * within;
        s->inputs.break_at = INFINITY;
        for (int i = 0; i < 3; i++) {
            if (!signals[i]) continue;
            double point = ss_signal_next_breakpoint(signals[i], (t + past) * unit);
            double kink = next_kink(s, signals[i], (t + past) * unit, s->inputs.break_to * unit);
            s->inputs.break_at = fmin(s->inputs.break_at, fmin(point, kink) / unit);
        }
    }
    return s->inputs.break_at;
}
