// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The members of the family of tolerances lie where their meaning says: computations whose exact results are
// known are rounded on purpose, and what they leave is compared.
#include "core/algebra/dense.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Numbers in [-1, 1) that are the same everywhere.
static double next(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

// Between 1/2 and 1 the distance of two doubles is eps/2, and half of it rounds away.
static void test_what_no_sum_shows(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 1000; k++) {
        volatile double x = 0.5 + 0.499 * fabs(next(&seed));
        volatile double more = x * (1.0 + SS_UNNOTICED), sum = x + SS_UNNOTICED;
        assert_true(more == x && sum == x);
    }
    assert_true(SS_PROVED < SS_UNNOTICED && SS_LAST_BIT <= 0.5 * DBL_EPSILON);
}

// Length 1, computed: the squares of the components add up to 1.
static void test_unit_vectors(void** state)
{
    (void)state;
    uint64_t seed = 2;
    double worst = 0.0;
    for (int k = 0; k < 1000; k++) {
        double q[3] = {next(&seed), next(&seed), next(&seed)}, sum = 0.0;
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        for (int i = 0; i < 3; i++) sum += (q[i] / sqrt(square)) * (q[i] / sqrt(square));
        worst = fmax(worst, fabs(sum - 1.0));
    }
    assert_true(worst > 0.0 && worst <= SS_UNIT_NOISE);
}

// 1 multiplied by n numbers and divided by them again: 2 n operations.
static double wander(int n, uint64_t* seed)
{
    double x = 1.0, factors[32];
    for (int k = 0; k < n; k++) x *= factors[k] = 1.5 + next(seed);
    for (int k = 0; k < n; k++) x /= factors[k];
    return fabs(x - 1.0);
}

static void test_tens_of_operations(void** state)
{
    (void)state;
    uint64_t seed = 3;
    double worst = 0.0;
    for (int k = 0; k < 1000; k++) worst = fmax(worst, wander(20, &seed));
    assert_true(worst > SS_UNIT_NOISE && worst <= SS_NOISE);
}

// The same terms with both signs, in another order: the sum is exactly 0.
static void test_sums(void** state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t round = 0; round < 100; round++) {
        uint64_t up = round, down = round;
        double sum = 0.0, size = 0.0, terms[500];
        for (int k = 0; k < 500; k++) terms[k] = next(&up);
        for (int k = 0; k < 500; k++) sum += terms[k];
        for (int k = 0; k < 500; k++) sum -= terms[(k * 7 + 3) % 500]; // 7 and 500 have no common factor
        for (int k = 0; k < 500; k++) size = fmax(size, fabs(next(&down)));
        worst = fmax(worst, fabs(sum) / size);
    }
    assert_true(worst > 0.0 && worst <= SS_SUM_NOISE);
    assert_true(SS_RELATIVE_ZERO > 9.0 * SS_SUM_NOISE);
}

// Hilbert's matrix of order n, times its common denominator: integers, so that its row sums are exact and the
// solution is (1, .., 1). Condition 500, 15000 and 480000 for orders 3, 4 and 5.
static double solve_hilbert(int n, double denominator)
{
    double a[25], b[5] = {0}, worst = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i] += a[i * n + j] = denominator / (i + j + 1);
    assert_true(ss_cholesky(a, n));
    ss_cholesky_solve(a, n, b);
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(b[i] - 1.0));
    return worst;
}

static void test_solved_systems(void** state)
{
    (void)state;
    assert_true(solve_hilbert(3, 60.0) <= SS_RELATIVE_ZERO);
    assert_true(solve_hilbert(4, 420.0) <= SS_SOLVED);
    double worst = solve_hilbert(5, 2520.0);
    assert_true(worst > SS_SUM_NOISE && worst <= SS_FAINT);
    assert_true(SS_CLEAR > 9.0 * SS_FAINT && SS_SAME == SS_CLEAR);
}

// x^2 - 2 x + 1 has a double zero at 1. A root of the last bit beside it its value is lost in the rounding of
// its terms; a root of the noise beside it its sign can be trusted.
static void test_double_zeros(void** state)
{
    (void)state;
    volatile double near = 1.0 + SS_ROOT_BIT, far = 1.0 + SS_ROOT_NOISE;
    assert_true(fabs(near * near - 2.0 * near + 1.0) <= 2.0 * DBL_EPSILON);
    assert_true(far * far - 2.0 * far + 1.0 > 4.0 * 4.0 * 0.5 * DBL_EPSILON);
    assert_true(fabs(SS_ROOT_NOISE * SS_ROOT_NOISE / SS_NOISE - 1.0) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_no_sum_shows),  cmocka_unit_test(test_unit_vectors),
        cmocka_unit_test(test_tens_of_operations), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_solved_systems),     cmocka_unit_test(test_double_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
