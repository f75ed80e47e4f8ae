// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The algebra that stands in for LAPACKE in the page, beside LAPACKE itself, on random matrices of all small
// shapes, and on matrices of known rank.
#include <lapacke.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int bare_dsyev(int layout, char job, char triangle, int n, double a[], int lda, double values[]);
int bare_dgeev(int layout, char left_job, char right_job, int n, double a[], int lda, double real[],
               double imaginary[], double left[], int ldl, double right[], int ldr);
int bare_dgesvd(int layout, char left_job, char right_job, int rows, int columns, double a[], int lda,
                double values[], double left[], int ldl, double right[], int ldr, double unused[]);
int bare_dgelsd(int layout, int rows, int columns, int sides, double a[], int lda, double b[], int ldb,
                double values[], double limit, int* rank);
int bare_dgetrf(int layout, int rows, int columns, double a[], int lda, int pivots[]);
int bare_dgetrs(int layout, char transposed, int n, int sides, const double a[], int lda, const int pivots[],
                double b[], int ldb);
int bare_dgesv(int layout, int n, int sides, double a[], int lda, int pivots[], double b[], int ldb);

enum { LARGEST = 9, SQUARE = LARGEST * LARGEST };
static const double rounding = 1e-12; // a few hundred roundings of numbers of size 1 to 10

static double draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1p-63;
}

static void fill(uint64_t* seed, double a[], int count)
{
    for (int k = 0; k < count; k++) a[k] = draw(seed);
}

// A rows x columns matrix of at most the given rank.
static void fill_of_rank(uint64_t* seed, double a[], int rows, int columns, int rank)
{
    double left[SQUARE], right[SQUARE];
    fill(seed, left, rows * rank);
    fill(seed, right, rank * columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            a[i * columns + j] = 0.0;
            for (int k = 0; k < rank; k++) a[i * columns + j] += left[i * rank + k] * right[k * columns + j];
        }
}

static void assert_near(const double a[], const double b[], int count, double allowed)
{
    for (int k = 0; k < count; k++) assert_true(fabs(a[k] - b[k]) <= allowed);
}

// Vectors are compared by what they do: a q = lambda q, and q has length 1.
static void test_symmetric(void** state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= LARGEST; n++) {
        double a[SQUARE], ours[SQUARE], theirs[SQUARE], values[LARGEST], expected[LARGEST];
        fill(&seed, a, n * n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
        memcpy(ours, a, sizeof a);
        memcpy(theirs, a, sizeof a);
        assert_int_equal(bare_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, ours, n, values), 0);
        assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, theirs, n, expected), 0);
        assert_near(values, expected, n, rounding);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++) sum += a[i * n + j] * ours[k * n + j];
                assert_true(fabs(sum - values[k] * ours[k * n + i]) <= rounding);
            }
    }
}

static int compare_complex(const void* a, const void* b)
{
    const double *x = a, *y = b;
    if (fabs(x[0] - y[0]) > 1e-9) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

// Simple eigenvalues of random matrices agree; those that are real are so exactly, the others come in exact
// pairs.
static void test_general(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n <= LARGEST; n++) {
        double a[SQUARE], b[SQUARE], re[LARGEST], im[LARGEST], ours[2 * LARGEST], theirs[2 * LARGEST];
        fill(&seed, a, n * n);
        memcpy(b, a, sizeof a);
        assert_int_equal(bare_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, a, n, re, im, NULL, 1, NULL, 1), 0);
        for (int k = 0; k < n; k++) {
            ours[2 * k] = re[k];
            ours[2 * k + 1] = im[k];
        }
        assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, b, n, re, im, NULL, 1, NULL, 1), 0);
        for (int k = 0; k < n; k++) {
            theirs[2 * k] = re[k];
            theirs[2 * k + 1] = im[k];
        }
        qsort(ours, (size_t)n, 2 * sizeof(double), compare_complex);
        qsort(theirs, (size_t)n, 2 * sizeof(double), compare_complex);
        assert_near(ours, theirs, 2 * n, 100 * rounding);
        for (int k = 0; k < n; k++)
            if (theirs[2 * k + 1] == 0.0) assert_true(ours[2 * k + 1] == 0.0);
    }
}

// Singular values agree; U S V^T is the matrix, U and V are orthonormal, also where the rank is not full.
static void test_singular(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int rows = 1; rows <= LARGEST; rows++)
        for (int columns = 1; columns <= LARGEST; columns++) {
            int least = rows < columns ? rows : columns, rank = 1 + (rows * 7 + columns) % least;
            double a[SQUARE], b[SQUARE], s[LARGEST], expected[LARGEST], u[SQUARE], v[SQUARE], work[LARGEST];
            fill_of_rank(&seed, a, rows, columns, rank);
            memcpy(b, a, sizeof a);
            assert_int_equal(bare_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', rows, columns, b, columns, s, u, rows, v,
                                         columns, work),
                             0);
            memcpy(b, a, sizeof a);
            assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, columns, b, columns, expected,
                                            NULL, rows, NULL, columns, work),
                             0);
            assert_near(s, expected, least, rounding);
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++) {
                    double sum = 0.0;
                    for (int k = 0; k < least; k++) sum += u[i * rows + k] * s[k] * v[k * columns + j];
                    assert_true(fabs(sum - a[i * columns + j]) <= rounding);
                }
            for (int i = 0; i < columns; i++)
                for (int j = 0; j < columns; j++) {
                    double sum = 0.0;
                    for (int k = 0; k < columns; k++) sum += v[i * columns + k] * v[j * columns + k];
                    assert_true(fabs(sum - (i == j)) <= rounding);
                }
        }
}

// Of all solutions that come nearest, the shortest: it is unique, so that both must find it.
static void test_least_squares(void** state)
{
    (void)state;
    enum { SIDES = 3 };
    uint64_t seed = 4;
    for (int rows = 1; rows <= LARGEST; rows++)
        for (int columns = 1; columns <= LARGEST; columns++) {
            int least = rows < columns ? rows : columns, rank = 1 + (rows + columns) % least, ours, theirs;
            double a[SQUARE], b[SQUARE], x[LARGEST * SIDES], y[LARGEST * SIDES], s[LARGEST];
            fill_of_rank(&seed, a, rows, columns, rank);
            fill(&seed, x, LARGEST * SIDES);
            memcpy(y, x, sizeof x);
            memcpy(b, a, sizeof a);
            assert_int_equal(
                bare_dgelsd(LAPACK_ROW_MAJOR, rows, columns, SIDES, b, columns, x, SIDES, s, 1e-9, &ours), 0);
            memcpy(b, a, sizeof a);
            assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, rows, columns, SIDES, b, columns, y, SIDES, s,
                                            1e-9, &theirs),
                             0);
            assert_int_equal(ours, theirs);
            double size =
                1.0 / s[theirs - 1]; // the condition: what an error of the right side is multiplied by
            assert_near(x, y, columns * SIDES, rounding * (1.0 + size * size));
        }
}

static void test_systems(void** state)
{
    (void)state;
    enum { SIDES = 2 };
    uint64_t seed = 5;
    for (int n = 1; n <= LARGEST; n++)
        for (int layout = LAPACK_ROW_MAJOR; layout <= LAPACK_COL_MAJOR; layout++)
            for (int transposed = 0; transposed < 2; transposed++) {
                double a[SQUARE], b[SQUARE], x[LARGEST * SIDES], y[LARGEST * SIDES];
                int pivots[LARGEST], expected[LARGEST], ld = layout == LAPACK_ROW_MAJOR ? SIDES : n;
                char form = transposed ? 'T' : 'N';
                fill(&seed, a, n * n);
                for (int i = 0; i < n; i++) a[i * n + i] += 2.0;
                fill(&seed, x, n * SIDES);
                memcpy(b, a, sizeof a);
                memcpy(y, x, sizeof x);
                assert_int_equal(bare_dgetrf(layout, n, n, a, n, pivots), 0);
                assert_int_equal(bare_dgetrs(layout, form, n, SIDES, a, n, pivots, x, ld), 0);
                assert_int_equal(LAPACKE_dgetrf(layout, n, n, b, n, expected), 0);
                assert_int_equal(LAPACKE_dgetrs(layout, form, n, SIDES, b, n, expected, y, ld), 0);
                assert_memory_equal(pivots, expected, (size_t)n * sizeof *pivots);
                assert_near(x, y, n * SIDES, rounding);
            }
    double singular[4] = {1.0, 2.0, 2.0, 4.0}, side[2] = {1.0, 1.0};
    int pivots[2];
    assert_true(bare_dgesv(LAPACK_ROW_MAJOR, 2, 1, singular, 2, pivots, side, 1) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric),     cmocka_unit_test(test_general), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_least_squares), cmocka_unit_test(test_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
