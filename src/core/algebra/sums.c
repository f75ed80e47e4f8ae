// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Four neighbouring numbers are orders k .. k + 4/n - 1 of n series.
#include "core/algebra/sums.h"
#include "core/algebra/polynomial.h"
#include "core/algebra/wide.h"

#define INLINE static inline __attribute__((always_inline))

enum { LANES = 4 };

// The first powers of s, as n series have them, and the factor to the next four.
INLINE double powers(const int n, double s, ss_four* first)
{
    double square = s * s;
    *first = n == 1 ? (ss_four){1.0, s, square, square * s} : (ss_four){1.0, 1.0, s, s};
    return n == 1 ? square * square : square;
}

// What is left before the end, less than four.
INLINE void rest(const double c[], const double end[], const int n, ss_four* out)
{
    if (n == 2)
        *out = (ss_four){c[0], c[1], 0.0, 0.0};
    else
        *out = (ss_four){c[0], c + 1 < end ? c[1] : 0.0, c + 2 < end ? c[2] : 0.0, 0.0};
}

// Adds up what belongs to each series.
INLINE void join(const ss_four* sum, const int n, double out[])
{
    if (n == 1) out[0] = ((*sum)[0] + (*sum)[1]) + ((*sum)[2] + (*sum)[3]);
    for (int i = 0; i < 2 && n == 2; i++) out[i] = (*sum)[i] + (*sum)[2 + i];
}

INLINE void both(const double c[], const int n, int order, double s, double value[], double slope[])
{
    const double *end = c + n * (order + 1), *full = c + (n * (order + 1) & -LANES);
    ss_four sum = {0.0}, rate = {0.0}, p, term = {0.0}; // rate: of s times the derivative, sum_k k c_k s^k
    ss_four k = n == 1 ? (ss_four){0.0, 1.0, 2.0, 3.0} : (ss_four){0.0, 0.0, 1.0, 1.0};
    const double next = powers(n, s, &p), orders = n == 1 ? 4.0 : 2.0; // in four numbers
    for (; c < full; c += LANES, p *= next, k += orders) {
        term = *(const ss_four*)c * p;
        sum += term;
        rate += k * term;
    }
    if (c < end) {
        rest(c, end, n, &term);
        sum += term * p;
        rate += k * term * p;
    }
    rate /= s;
    join(&sum, n, value);
    join(&rate, n, slope);
}

INLINE void bends(const double c[], const int n, int order, double s, double out[])
{
    const double *end = c + n * (order + 1), *full = c + 2 * n + (n * (order - 1) & -LANES);
    ss_four sum = {0.0}, p, last = {0.0}; // of the coefficients from c_2 on
    ss_four k = n == 1 ? (ss_four){1.0, 2.0, 3.0, 4.0} : (ss_four){1.0, 1.0, 2.0, 2.0};
    const double next = powers(n, s, &p), orders = n == 1 ? 4.0 : 2.0; // in four numbers
    for (c += 2 * n; c < full; c += LANES, p *= next, k += orders)
        sum += *(const ss_four*)c * p * (k * k + k);
    if (c < end) {
        rest(c, end, n, &last);
        sum += last * p * (k * k + k);
    }
    join(&sum, n, out);
}

// Of many series, two at once.
INLINE void both_of_two(const double c[], int n, int order, double s, double value[], double slope[])
{
    ss_two sum = {0.0}, rate = {0.0};
    for (int k = order; k >= 0; k--) {
        rate = rate * s + sum;
        sum = sum * s + *(const ss_two*)(c + (size_t)k * (size_t)n);
    }
    *(ss_two*)value = sum;
    *(ss_two*)slope = rate;
}

SS_WIDE void ss_sum_both(const double c[], int n, int order, double s, double value[], double slope[])
{
    int i = 0;
    if (n == 1 && s != 0.0) {
        both(c, 1, order, s, value, slope);
    } else if (n == 2 && s != 0.0) {
        both(c, 2, order, s, value, slope);
    } else {
        for (; i + 1 < n; i += 2) both_of_two(c + i, n, order, s, value + i, slope + i);
        if (i < n) value[i] = ss_poly_both(c + i, n, order, s, &slope[i]);
    }
}

SS_WIDE void ss_sum_second_derivative(const double c[], int n, int order, double s, double bend[])
{
    if (n == 1)
        bends(c, 1, order, s, bend);
    else if (n == 2)
        bends(c, 2, order, s, bend);
    else
        for (int i = 0; i < n; i++) bend[i] = ss_poly_second_derivative(c + i, n, order, s);
}
