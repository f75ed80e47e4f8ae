// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Small dense algebra judged by what defines it: residuals, orthonormality, the four equations of Penrose,
// and matrices whose spectrum is known in closed form.
#include "core/algebra/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LARGEST = 12, SQUARE = LARGEST * LARGEST };

// A number in [-1, 1), the same sequence in every run.
static double draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1p-63;
}

// out = a b, with b transposed on demand.
static void multiply(const double a[], const double b[], bool transposed, int n, double out[])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * b[transposed ? j * n + k : k * n + j];
            out[i * n + j] = sum;
        }
}

static double difference(const double a[], const double b[], int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

// G G^T with G of `rank` columns: positive semidefinite, of that rank.
static void random_gram(uint64_t* seed, int n, int rank, double out[])
{
    double g[SQUARE];
    for (int k = 0; k < n * n; k++) g[k] = k % n < rank ? draw(seed) : 0.0;
    multiply(g, g, true, n, out);
}

// The second difference, 2 on the diagonal and -1 beside it: eigenvalues 4 sin^2(k pi / (2 n + 2)).
static void second_difference(int n, double out[])
{
    memset(out, 0, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < n; i++) {
        out[i * n + i] = 2.0;
        if (i > 0) out[i * n + i - 1] = out[(i - 1) * n + i] = -1.0;
    }
}

// ---- Cholesky

static void test_cholesky_by_hand(void** state)
{
    (void)state;
    // L = [2; 6 1; -8 5 3]
    double a[] = {4, 12, -16, 12, 37, -43, -16, -43, 98};
    assert_true(ss_cholesky(a, 3));
    const double l[] = {2, 6, 1, -8, 5, 3};
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = 0; j <= i; j++, k++) assert_true(fabs(a[i * 3 + j] - l[k]) <= 1e-15 * 10.0);
    double b[] = {0, 6, 39}; // A x with x = (1, 1, 1) is (0, 6, 39)
    ss_cholesky_solve(a, 3, b);
    for (int i = 0; i < 3; i++) assert_true(fabs(b[i] - 1.0) < 1e-13);
}

static void test_cholesky_solves(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        int n = 1 + round % LARGEST;
        double a[SQUARE], l[SQUARE], x[LARGEST], b[LARGEST];
        random_gram(&seed, n, n, a);
        for (int i = 0; i < n; i++) a[i * n + i] += 0.1;
        for (int i = 0; i < n; i++) x[i] = draw(&seed);
        for (int i = 0; i < n; i++) {
            b[i] = 0.0;
            for (int j = 0; j < n; j++) b[i] += a[i * n + j] * x[j];
        }
        memcpy(l, a, sizeof l);
        assert_true(ss_cholesky(l, n));
        ss_cholesky_solve(l, n, b);
        assert_true(difference(b, x, n) < 1e-12);
    }
}

static void test_cholesky_refuses(void** state)
{
    (void)state;
    double indefinite[] = {1, 2, 2, 1}, singular[] = {1, 1, 1, 1}, zero[] = {0}, strange[] = {NAN};
    assert_false(ss_cholesky(indefinite, 2));
    assert_false(ss_cholesky(singular, 2));
    assert_false(ss_cholesky(zero, 1));
    assert_false(ss_cholesky(strange, 1));
    assert_true(ss_cholesky(NULL, 0));
}

// ---- eigenvalues

static void check_eigen(const double a[], int n, double values[], double tolerance)
{
    double copy[SQUARE], v[SQUARE], product[SQUARE], expected[SQUARE];
    memcpy(copy, a, (size_t)(n * n) * sizeof(double));
    ss_symmetric_eigen(copy, n, values, v);
    multiply(a, v, false, n, product);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) expected[i * n + k] = v[i * n + k] * values[k];
    assert_true(difference(product, expected, n * n) <= tolerance);
    double transposed[SQUARE], unit[SQUARE];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) transposed[k * n + i] = v[i * n + k];
    multiply(transposed, transposed, true, n, product);
    for (int k = 0; k < n * n; k++) unit[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    assert_true(difference(product, unit, n * n) <= 1e-14 * n);
}

static void sort(double x[], int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
            double swap = x[j];
            x[j] = x[j - 1];
            x[j - 1] = swap;
        }
}

static void test_known_spectrum(void** state)
{
    (void)state;
    const double pi = acos(-1.0);
    for (int n = 1; n <= LARGEST; n++) {
        double a[SQUARE], values[LARGEST];
        second_difference(n, a);
        check_eigen(a, n, values, 1e-14 * n);
        sort(values, n);
        for (int k = 1; k <= n; k++) {
            double half = sin(k * pi / (2.0 * n + 2.0));
            assert_true(fabs(values[k - 1] - 4.0 * half * half) < 1e-14);
        }
    }
}

static void test_random_symmetric(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 200; round++) {
        int n = 1 + round % LARGEST;
        double a[SQUARE], values[LARGEST], trace = 0.0, sum = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = draw(&seed);
        check_eigen(a, n, values, 2e-14 * n);
        for (int i = 0; i < n; i++) {
            trace += a[i * n + i];
            sum += values[i];
        }
        assert_true(fabs(trace - sum) < 1e-13);
    }
}

// A permutation has zeros on its diagonal, where a test relative to the diagonal must not stop too early.
static void test_eigen_of_zero_diagonal(void** state)
{
    (void)state;
    const double swap[] = {0, 1, 1, 0};
    double values[2];
    check_eigen(swap, 2, values, 1e-15);
    sort(values, 2);
    assert_true(fabs(values[0] + 1.0) < 1e-15 && fabs(values[1] - 1.0) < 1e-15);
}

// Scales of 1e-8 and 1e8 side by side: every eigenvalue of a graded matrix keeps its own digits.
static void test_graded(void** state)
{
    (void)state;
    // D B D with B = [2 1; 1 2], D = diag(1e-8, 1e8): det = 3, trace = 2e16 + 2e-16
    double a[] = {2e-16, 1.0, 1.0, 2e16}, values[2], v[4];
    ss_symmetric_eigen(a, 2, values, v);
    sort(values, 2);
    assert_true(fabs(values[1] / 2e16 - 1.0) < 1e-14);
    assert_true(fabs(values[0] / 1.5e-16 - 1.0) < 1e-13);
}

// ---- pseudo-inverse

// The four equations of Penrose determine the pseudo-inverse; for symmetric a and x two of them coincide.
static void check_penrose(const double a[], const double x[], int n, double tolerance)
{
    double ax[SQUARE], product[SQUARE];
    multiply(a, x, false, n, ax);
    multiply(ax, a, false, n, product);
    assert_true(difference(product, a, n * n) <= tolerance);
    multiply(x, ax, false, n, product);
    double size = 0.0;
    for (int k = 0; k < n * n; k++) size = fmax(size, fabs(x[k]));
    assert_true(difference(product, x, n * n) <= tolerance * fmax(1.0, size * size));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_true(fabs(ax[i * n + j] - ax[j * n + i]) <= tolerance * fmax(1.0, size));
}

static void test_pseudo_inverse(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 400; round++) {
        int n = 1 + round % 8, rank = (round / 8) % (n + 1);
        double a[SQUARE], x[SQUARE], share[LARGEST], work[2 * SQUARE + LARGEST], total = 0.0;
        random_gram(&seed, n, rank, a);
        int found = ss_pseudo_inverse(a, n, 1e-10, x, share, work);
        assert_int_equal(found, rank);
        check_penrose(a, x, n, 1e-8);
        // The null space has n - rank dimensions; the shares of the unit vectors in it add up to that.
        for (int i = 0; i < n; i++) total += share[i];
        assert_true(fabs(total - (n - rank)) < 1e-12);
    }
}

// Two equal contacts share what one would carry: (1 1; 1 1)+ = 1/4 (1 1; 1 1). A third, apart, is determined.
static void test_pseudo_inverse_by_hand(void** state)
{
    (void)state;
    const double a[] = {1, 1, 0, 1, 1, 0, 0, 0, 4};
    const double expected[] = {0.25, 0.25, 0, 0.25, 0.25, 0, 0, 0, 0.25};
    double x[9], share[3], work[2 * 9 + 3];
    assert_int_equal(ss_pseudo_inverse(a, 3, 1e-12, x, share, work), 2);
    assert_true(difference(x, expected, 9) < 1e-15);
    assert_true(fabs(share[0] - 0.5) < 1e-15 && fabs(share[1] - 0.5) < 1e-15 && share[2] < 1e-30);
    assert_int_equal(ss_pseudo_inverse(a, 3, 1e-12, x, NULL, work), 2);
    const double nothing[] = {0, 0, 0, 0};
    assert_int_equal(ss_pseudo_inverse(nothing, 2, 1e-12, x, share, work), 0);
    for (int k = 0; k < 4; k++) assert_true(x[k] == 0.0);
    assert_true(share[0] == 1.0 && share[1] == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cholesky_by_hand),
                                       cmocka_unit_test(test_cholesky_solves),
                                       cmocka_unit_test(test_cholesky_refuses),
                                       cmocka_unit_test(test_known_spectrum),
                                       cmocka_unit_test(test_random_symmetric),
                                       cmocka_unit_test(test_eigen_of_zero_diagonal),
                                       cmocka_unit_test(test_graded),
                                       cmocka_unit_test(test_pseudo_inverse),
                                       cmocka_unit_test(test_pseudo_inverse_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
