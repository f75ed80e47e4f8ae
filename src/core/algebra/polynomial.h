// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Polynomials sum_k c[k stride] s^k, k = 0 .. degree, by Horner's rule. Series of several quantities are kept
// side by side, so that the coefficients of one of them are `stride` apart. The functions are inline: with a
// stride known where they are called, the loop is as short as one written there. Two places sum otherwise,
// for speed: first_zero.h even and odd powers apart, record.c many series at a time.
#ifndef SLIPSTICK_CORE_POLYNOMIAL_H
#define SLIPSTICK_CORE_POLYNOMIAL_H

#include <math.h>
#include <stddef.h>

static inline double ss_poly_value(const double c[], int stride, int degree, double s)
{
    double sum = 0.0;
    for (int k = degree; k >= 0; k--) sum = sum * s + c[(size_t)k * (size_t)stride];
    return sum;
}

/// The first derivative.
static inline double ss_poly_slope(const double c[], int stride, int degree, double s)
{
    double sum = 0.0;
    for (int k = degree; k >= 1; k--) sum = sum * s + k * c[(size_t)k * (size_t)stride];
    return sum;
}

/// The second derivative.
static inline double ss_poly_second_derivative(const double c[], int stride, int degree, double s)
{
    double sum = 0.0;
    for (int k = degree; k >= 2; k--) sum = sum * s + k * (k - 1.0) * c[(size_t)k * (size_t)stride];
    return sum;
}

/// Value and first derivative in one sweep.
static inline double ss_poly_both(const double c[], int stride, int degree, double s, double* slope)
{
    double sum = 0.0, rate = 0.0;
    for (int k = degree; k >= 0; k--) {
        rate = rate * s + sum;
        sum = sum * s + c[(size_t)k * (size_t)stride];
    }
    *slope = rate;
    return sum;
}

/// The value, with the first and second derivatives.
static inline double ss_poly_all(const double c[], int stride, int degree, double s, double* slope,
                                 double* bend)
{
    double sum = 0.0, first = 0.0, second = 0.0;
    for (int k = degree; k >= 0; k--) {
        second = second * s + first;
        first = first * s + sum;
        sum = sum * s + c[(size_t)k * (size_t)stride];
    }
    *slope = first;
    *bend = 2.0 * second;
    return sum;
}

/// Bound on the magnitude on [-s, s], s >= 0.
static inline double ss_poly_bound(const double c[], int stride, int degree, double s)
{
    double sum = 0.0;
    for (int k = degree; k >= 0; k--) sum = sum * s + fabs(c[(size_t)k * (size_t)stride]);
    return sum;
}

/// Place, speed and acceleration of something at an instant.
typedef struct ss_passage {
    double x, v, a;
} ss_passage;

/// The polynomial of degree five in the share u of a time h, 0 <= u <= 1, that passes through both.
static inline void ss_poly_quintic(ss_passage from, ss_passage to, double h, double c[6])
{
    c[0] = from.x;
    c[1] = from.v * h;
    c[2] = 0.5 * from.a * h * h;
    double dx = to.x - c[0] - c[1] - c[2], dv = to.v * h - c[1] - 2.0 * c[2], da = to.a * h * h - 2.0 * c[2];
    c[3] = 10.0 * dx - 4.0 * dv + 0.5 * da;
    c[4] = -15.0 * dx + 7.0 * dv - da;
    c[5] = 6.0 * dx - 3.0 * dv + 0.5 * da;
}

#endif
