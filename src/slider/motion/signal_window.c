// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/motion/signal_window.h"

#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "share/quantity.h"

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

size_t ss_window_scratch(const ss_signal* signal) { return ss_signal_scratch_size(signal, ORDER); }

size_t ss_window_kink_room(const ss_signal* signal)
{
    return (size_t)ss_signal_kink_count(signal) * (ORDER + 1);
}

double ss_window_kink(const ss_signal* signal, double t, double until, double scratch[], double kinks[])
{
    enum { WINDOWS = 10000 };
    double c[ORDER + 1], first = INFINITY;
    int count = ss_signal_kink_count(signal);
    for (int k = 0; count > 0 && t < until && first == INFINITY && k < WINDOWS; k++) {
        if (!ss_signal_series(signal, t, ORDER, c, kinks, scratch)) return INFINITY;
        double window = until - t;
        for (int j = 0; j < count; j++) window = fmin(window, reach_of(&kinks[j * (ORDER + 1)], window));
        for (int j = 0; j < count; j++) first = fmin(first, t + root_within(&kinks[j * (ORDER + 1)], window));
        t += window;
    }
    return first == INFINITY && count > 0 && t < until ? t : first;
}

// How far the piece of the signal goes that begins at t, up to `to`.
static double piece_end(const ss_signal* signal, double t, double to, double kinks[])
{
    int count = ss_signal_kink_count(signal);
    double end = fmin(to, ss_signal_next_breakpoint(signal, t)), window = end - t;
    for (int j = 0; j < count; j++) window = fmin(window, reach_of(&kinks[j * (ORDER + 1)], window));
    for (int j = 0; j < count; j++) window = fmin(window, root_within(&kinks[j * (ORDER + 1)], window));
    return window < end - t ? t + window : end;
}

double ss_window_integral(const ss_signal* signal, double from, double to, double scratch[], double kinks[])
{
    double c[ORDER + 1], sum = 0.0, t = from;
    if (ss_signal_is_constant(signal)) return ss_signal_value(signal, from) * (to - from);
    while (t < to) {
        double past = t + SS_NOISE * (1.0 + fabs(t)), part = 0.0; // a kink so near has been reached
        ss_clearance clear = {.span = to - from, .reach = INFINITY};
        if (!ss_signal_series_clear(signal, past, ORDER, c, kinks, &clear, scratch)) return NAN;
        double end = piece_end(signal, past, to, kinks), h = fmin(reach_of(c, end - t), clear.reach);
        double next = h < end - t ? t + h : end;
        if (!(next > past)) next = fmin(to, past);
        for (int k = ORDER; k >= 0; k--) part = part * (next - t) + c[k] / (k + 1);
        sum += part * (next - t);
        t = next;
    }
    return sum;
}

// For all times from t on, as far as its harmonics tell.
static bool never_negative(const ss_signal* signal, double t, double scratch[])
{
    enum { HARMONICS = 32 };
    ss_harmonic harmonics[HARMONICS];
    double least;
    if (ss_signal_stays(signal, t, scratch)) return ss_signal_value(signal, t) >= 0.0;
    int count = ss_signal_spectrum(signal, t, &least, harmonics, HARMONICS);
    for (int k = 0; k < count; k++) least -= hypot(harmonics[k].sine, harmonics[k].cosine);
    return count >= 0 && least >= 0.0;
}

double ss_window_negative(const ss_signal* signal, double from, double to, double scratch[], double kinks[])
{
    enum { WINDOWS = 1000000 };
    double c[ORDER + 1], t = from;
    for (int n = 0; t < to && n < WINDOWS && !never_negative(signal, t, scratch); n++) {
        double past = t + SS_NOISE * (1.0 + fabs(t)); // a kink so near has been reached
        if (!ss_signal_series(signal, past, ORDER, c, kinks, scratch)) return INFINITY;
        double end = piece_end(signal, past, to, kinks), h = reach_of(c, end - t);
        double next = h < end - t ? t + h : end, size = 0.0, power = 1.0;
        for (int k = 0; k <= ORDER; k++, power *= h) size += fabs(c[k]) * power;
        c[0] += SS_SUM_NOISE * size; // it may touch 0
        if (c[0] <= 0.0) return t;
        double root = root_within(c, next - t);
        if (root <= next - t) return t + root;
        t = next > past ? next : past;
    }
    return INFINITY;
}
