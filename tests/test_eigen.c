// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues and eigenvectors, judged by what they must do: A v = lambda v, V^-1 V = 1, and spectra that are
// known from elsewhere.
#include "core/algebra/eigen.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

static double a[MOST * MOST], copy[MOST * MOST], scale[MOST];
static double complex values[MOST], vectors[MOST * MOST], inverse[MOST * MOST], work[2 * MOST * MOST];
static ss_spectrum spectrum = {.values = values, .vectors = vectors, .inverse = inverse};

static void solve(const double matrix[], int n)
{
    memcpy(copy, matrix, (size_t)(n * n) * sizeof(double));
    assert_true(ss_eigen_solve(copy, n, &spectrum, work, scale));
}

// Largest |A v - lambda v| over the size of v.
static double residual(const double matrix[], int n)
{
    double worst = 0.0;
    for (int k = 0; k < n; k++) {
        double off = 0.0, length = 0.0;
        for (int i = 0; i < n; i++) {
            double complex sum = -values[k] * vectors[i * n + k];
            for (int j = 0; j < n; j++) sum += matrix[i * n + j] * vectors[j * n + k];
            off = fmax(off, cabs(sum));
            length = fmax(length, cabs(vectors[i * n + k]));
        }
        worst = fmax(worst, off / length);
    }
    return worst;
}

static double inverse_error(int n)
{
    double worst = 0.0;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            double complex sum = k == l ? -1.0 : 0.0;
            for (int i = 0; i < n; i++) sum += inverse[k * n + i] * vectors[i * n + l];
            worst = fmax(worst, cabs(sum));
        }
    return worst;
}

// Whether some eigenvalue is this one.
static void need_value(int n, double complex want, double tolerance)
{
    double nearest = INFINITY;
    for (int k = 0; k < n; k++) nearest = fmin(nearest, cabs(values[k] - want));
    if (!(nearest <= tolerance))
        fail_msg("no eigenvalue near %g%+gi: off by %g", creal(want), cimag(want), nearest);
}

static uint64_t dice = 12345;

static double random_number(void) // in [-1, 1)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (double)(dice >> 11) * 0x1p-52 - 1.0;
}

static void test_random_matrices(void** state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++)
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < n * n; i++) a[i] = round == 3 && i % 3 ? 0.0 : random_number();
            solve(a, n);
            double trace = 0.0;
            double complex sum = 0.0;
            for (int i = 0; i < n; i++) {
                trace += a[i * (n + 1)];
                sum += values[i];
            }
            assert_true(cabs(sum - trace) <= 1e-13 * n);
            assert_true(residual(a, n) <= 1e-13 * n);
            if (spectrum.condition < 1e8) assert_true(inverse_error(n) <= 1e-15 * n * spectrum.condition);
        }
}

// x'' + 2 d x' + w^2 x = 0: -d +- sqrt(d^2 - w^2), over 16 decades of stiffness.
static void test_oscillators(void** state)
{
    (void)state;
    for (double w = 1e-4; w < 1e5; w *= 10.0)
        for (int k = 0; k < 5; k++) {
            double d = (double[]){0.0, 1e-3, 0.5, 2.0, 100.0}[k] * w;
            solve((double[]){0.0, 1.0, -w * w, -2.0 * d}, 2);
            double complex root = csqrt((double complex)(d * d - w * w));
            double slow = d > w ? w * w / (d + creal(root)) : 0.0;
            need_value(2, -d - root, 1e-14 * (d + w));
            need_value(2, slow > 0.0 ? -slow : -d + root, 1e-14 * (d + w));
            assert_true(residual((double[]){0.0, 1.0, -w * w, -2.0 * d}, 2) <=
                        1e-12 * (d + w) * fmax(w, 1.0));
            assert_true(spectrum.condition < 1e3);
        }
}

// The discrete string: 2 - 2 cos(k pi/(n+1)); the cyclic shift: the n-th roots of 1.
static void test_known_spectra(void** state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    int n = 30;
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) {
        a[i * n + i] = 2.0;
        if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = -1.0;
    }
    solve(a, n);
    for (int k = 1; k <= n; k++) need_value(n, 2.0 - 2.0 * cos(k * pi / (n + 1)), 1e-14 * n);
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) a[i * n + (i + 1) % n] = 1.0;
    solve(a, n);
    for (int k = 0; k < n; k++)
        need_value(n, cos(2.0 * pi * k / n) + csqrt(-1.0) * sin(2.0 * pi * k / n), 1e-14 * n);
    assert_true(spectrum.condition < 1.001 * n); // a normal matrix
}

static void test_diagonal_and_zero(void** state)
{
    (void)state;
    solve((double[]){3.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 3.0}, 3);
    need_value(3, 3.0, 0.0);
    need_value(3, -1.0, 0.0);
    assert_true(spectrum.condition <= 3.0 + 1e-12);
    solve((double[]){0.0, 0.0, 0.0, 0.0}, 2);
    assert_true(values[0] == 0.0 && values[1] == 0.0 && spectrum.condition < 2.1);
    solve((double[]){-7.0}, 1);
    assert_true(values[0] == -7.0);
}

// Jordan blocks have too few vectors: the condition says so, also when hidden by another basis.
static void test_defective(void** state)
{
    (void)state;
    solve((double[]){0.0, 1.0, 0.0, 0.0}, 2); // a free body
    assert_true(spectrum.condition > 1e10);
    solve((double[]){0.0, 1.0, -1.0, -2.0}, 2); // critical damping
    need_value(2, -1.0, 1e-7);
    assert_true(spectrum.condition > 1e6);
    for (int n = 2; n <= MOST; n *= 2) {
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            a[i * n + i] = -1.0;
            if (i > 0) a[(i - 1) * n + i] = 1.0;
        }
        solve(a, n);
        assert_true(spectrum.condition > 1e10);
    }
}

// Scaling one variable changes neither eigenvalues nor condition: 1 mm and 1e6 km in one matrix.
static void test_scales(void** state)
{
    (void)state;
    double s[4] = {1.0, 1e12, 1e-6, 1e3}, m[16] = {-1, 2, 0.5, 0, -2, -1, 0, 1, 0, 1, -3, 0.2, 0.3, 0, 1, -4};
    solve(m, 4);
    double complex before[4];
    memcpy(before, values, sizeof before);
    double condition = spectrum.condition;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) m[i * 4 + j] *= s[i] / s[j];
    solve(m, 4);
    for (int k = 0; k < 4; k++) need_value(4, before[k], 1e-13);
    assert_true(spectrum.condition < 10.0 * condition);
}

static void test_refuses_what_is_not_finite(void** state)
{
    (void)state;
    double bad[4] = {1.0, NAN, 0.0, 1.0}, worse[4] = {INFINITY, 1.0, 1.0, 1.0};
    assert_false(ss_eigen_solve(bad, 2, &spectrum, work, scale));
    assert_false(ss_eigen_solve(worse, 2, &spectrum, work, scale));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_matrices),
        cmocka_unit_test(test_oscillators),
        cmocka_unit_test(test_known_spectra),
        cmocka_unit_test(test_diagonal_and_zero),
        cmocka_unit_test(test_defective),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_refuses_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
