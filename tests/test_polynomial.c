// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Polynomials, on products of integers whose values and derivatives are exact numbers.
#include "core/algebra/polynomial.h"
#include "core/algebra/sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DEGREE = 5, STRIDE = 3 };

// (x - 1)(x + 2)(x - 3)(x^2 + 1) = x^5 - 2 x^4 - 4 x^3 + 4 x^2 - 5 x + 6
static const double coefficients[DEGREE + 1] = {6.0, -5.0, 4.0, -4.0, -2.0, 1.0};

static double factors(double x) { return (x - 1.0) * (x + 2.0) * (x - 3.0) * (x * x + 1.0); }

// By the product rule, factor by factor.
static double slope_of(double x)
{
    double a = x - 1.0, b = x + 2.0, c = x - 3.0, d = x * x + 1.0;
    return b * c * d + a * c * d + a * b * d + a * b * c * 2.0 * x;
}

static double bend_of(double x)
{
    double a = x - 1.0, b = x + 2.0, c = x - 3.0, d = x * x + 1.0;
    return 2.0 * (a * d + b * d + c * d + 2.0 * x * (a * b + a * c + b * c) + a * b * c);
}

static void test_at_whole_places(void** state)
{
    (void)state;
    double apart[STRIDE * (DEGREE + 1)];
    for (int k = 0; k < STRIDE * (DEGREE + 1); k++)
        apart[k] = k % STRIDE == 1 ? coefficients[k / STRIDE] : 99.0;
    for (int x = -6; x <= 6; x++) {
        double slope, bend = bend_of(x);
        assert_true(ss_poly_value(coefficients, 1, DEGREE, x) == factors(x));
        assert_true(ss_poly_slope(coefficients, 1, DEGREE, x) == slope_of(x));
        assert_true(ss_poly_second_derivative(coefficients, 1, DEGREE, x) == bend);
        assert_true(ss_poly_both(apart + 1, STRIDE, DEGREE, x, &slope) == factors(x) && slope == slope_of(x));
        assert_true(ss_poly_value(apart + 1, STRIDE, DEGREE, x) == factors(x));
        assert_true(ss_poly_second_derivative(apart + 1, STRIDE, DEGREE, x) == bend);
    }
}

// Several series side by side, each cut off at another power: small integers, whose sums are exact, so that
// no way of adding them up may differ.
static void test_side_by_side(void** state)
{
    (void)state;
    enum { MOST = 5, LONGEST = 11 };
    for (int n = 1; n <= MOST; n++)
        for (int order = 1; order <= LONGEST; order++)
            for (int x = -2; x <= 2; x++) {
                double c[MOST * (LONGEST + 2)], value[MOST], slope[MOST], bend[MOST], own;
                for (int k = 0; k < n * (order + 1); k++) c[k] = (7 * k + 3 * n) % 11 - 5;
                for (int k = n * (order + 1); k < MOST * (LONGEST + 2); k++) c[k] = NAN; // is not looked at
                ss_sum_both(c, n, order, x, value, slope);
                ss_sum_second_derivative(c, n, order, x, bend);
                for (int i = 0; i < n; i++) {
                    assert_true(value[i] == ss_poly_both(c + i, n, order, x, &own) && slope[i] == own);
                    assert_true(bend[i] == ss_poly_second_derivative(c + i, n, order, x));
                }
            }
}

// The bound is that of the polynomial with all signs made positive, and none smaller would do for it.
static void test_bound(void** state)
{
    (void)state;
    double positive[DEGREE + 1];
    for (int k = 0; k <= DEGREE; k++) positive[k] = fabs(coefficients[k]);
    for (int s = 0; s <= 4; s++) {
        double bound = ss_poly_bound(coefficients, 1, DEGREE, s);
        assert_true(bound == ss_poly_value(positive, 1, DEGREE, s));
        for (int k = -8 * s; k <= 8 * s; k++) assert_true(fabs(factors(0.125 * k)) <= bound);
    }
}

static void test_short_ones(void** state)
{
    (void)state;
    double slope, constant = 7.0;
    assert_true(ss_poly_value(&constant, 1, 0, 3.0) == 7.0 && ss_poly_slope(&constant, 1, 0, 3.0) == 0.0);
    assert_true(ss_poly_both(&constant, 1, 0, 3.0, &slope) == 7.0 && slope == 0.0);
    assert_true(ss_poly_value(&constant, 1, -1, 3.0) == 0.0 &&
                ss_poly_second_derivative(coefficients, 1, 1, 3.0) == 0.0);
}

// A polynomial of degree five is the one through its own ends: x = 2 u, u in [0, 1].
static void test_quintic(void** state)
{
    (void)state;
    const double h = 2.0;
    double c[6], scale = 1.0;
    ss_poly_quintic((ss_passage){factors(0.0), slope_of(0.0), bend_of(0.0)},
                    (ss_passage){factors(h), slope_of(h), bend_of(h)}, h, c);
    for (int k = 0; k <= DEGREE; k++, scale *= h) assert_true(c[k] == coefficients[k] * scale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_whole_places), cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_bound),           cmocka_unit_test(test_short_ones),
        cmocka_unit_test(test_quintic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
