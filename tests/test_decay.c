// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Proofs that sums of exponentials stay positive, on sums whose zeros are known.
#include "core/algebra/decay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 4 };
static double complex rates[MOST], weights[MOST];

static ss_decay make(double constant, int count, const double complex rate[], const double complex weight[])
{
    for (int k = 0; k < count; k++) {
        rates[k] = rate[k];
        weights[k] = weight[k];
    }
    return (ss_decay){constant, count, rates, weights};
}

// 1 - a e^-t is zero at t = log a.
static void test_one_exponential(void** state)
{
    (void)state;
    for (double a = -3.0; a < 5.0; a += 0.25)
        for (double from = 0.0; from < 2.0; from += 0.3) {
            ss_decay g = make(1.0, 1, (double complex[]){-1.0}, (double complex[]){-a});
            assert_int_equal(ss_decay_is_positive(&g, from, INFINITY), a * exp(-from) < 1.0);
        }
}

// 1 + a e^(-d t) cos(t + p): at the lowest point after `from` it is decided.
static void test_a_damped_swing(void** state)
{
    (void)state;
    double complex i = csqrt(-1.0);
    int positive = 0, all = 0;
    for (double d = 0.01; d < 1.0; d *= 1.7)
        for (double a = 0.1; a < 9.0; a *= 1.4)
            for (double p = 0.0; p < 6.3; p += 0.7) {
                double lowest = INFINITY;
                for (double t = 0.0; t < 20.0; t += 1e-3)
                    lowest = fmin(lowest, 1.0 + a * exp(-d * t) * cos(t + p));
                if (fabs(lowest) < 1e-4) continue;
                ss_decay g = make(1.0, 2, (double complex[]){-d + i, -d - i},
                                  (double complex[]){0.5 * a * cexp(i * p), 0.5 * a * cexp(-i * p)});
                assert_int_equal(ss_decay_is_positive(&g, 0.0, INFINITY), lowest > 0.0);
                positive += lowest > 0.0;
                all++;
            }
    assert_true(positive > 50 && all - positive > 50);
}

// a e^-t + b e^-2t is a + b e^-t after division: zero where e^t = -b/a.
static void test_division(void** state)
{
    (void)state;
    for (double a = -1.0; a <= 1.0; a += 2.0)
        for (double b = -3.0; b < 4.0; b += 0.5) {
            double rate;
            ss_decay g = make(0.0, 3, (double complex[]){-2.0, -1.0, -0.1}, (double complex[]){b, a, 0.0});
            assert_true(ss_decay_divide(&g, 1e-12, &rate));
            assert_true(rate == -1.0 && g.constant == a);
            assert_int_equal(ss_decay_is_positive(&g, 0.0, INFINITY), a > 0.0 && a + b > 0.0);
        }
}

static void test_nothing_to_divide_by(void** state)
{
    (void)state;
    double rate;
    ss_decay g = make(0.0, 2, (double complex[]){-1.0, -2.0}, (double complex[]){1e-15, 1.0});
    assert_false(ss_decay_divide(&g, 1e-12, &rate)); // the sign of the slowest is rounding
    g = make(0.0, 2, (double complex[]){-1.0, -2.0}, (double complex[]){0.0, 0.0});
    assert_false(ss_decay_divide(&g, 0.0, &rate));
}

// cos(w t) e^-t: positive up to pi/(2 w) only.
static void test_a_pair_is_positive_for_a_while(void** state)
{
    (void)state;
    double complex i = csqrt(-1.0);
    double rate, w = 1e-3, end = 1.5707963267948966 / w;
    ss_decay g = make(0.0, 2, (double complex[]){-1.0 + w * i, -1.0 - w * i}, (double complex[]){0.5, 0.5});
    assert_true(ss_decay_divide(&g, 1e-12, &rate));
    assert_true(rate == -1.0 && g.constant == 0.0);
    assert_true(ss_decay_is_positive(&g, 0.0, 0.99 * end));
    assert_false(ss_decay_is_positive(&g, 0.0, 1.01 * end));
    assert_false(ss_decay_is_positive(&g, 0.0, INFINITY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_exponential),
        cmocka_unit_test(test_a_damped_swing),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_nothing_to_divide_by),
        cmocka_unit_test(test_a_pair_is_positive_for_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
