// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/algebra.h"

#include "core/error.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ss_algebra_ran_out(int info)
{
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR;
}

// A column-major routine sees a row-major matrix transposed: nothing to a symmetric one, and its
// eigenvectors come out as rows.
bool ss_algebra_eigen(double a[], int n, double values[])
{
    return n == 0 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, values) == 0;
}

bool ss_algebra_spectrum(double a[], int n, double real[], double imaginary[])
{
    return n == 0 ||
           LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, real, imaginary, NULL, 1, NULL, 1) == 0;
}

static void fill_identity(double a[], int n)
{
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) a[i * n + i] = 1.0;
}

bool ss_algebra_svd(const double a[], int rows, int columns, double values[], double left[], double vectors[])
{
    if (rows == 0 || columns == 0) {
        fill_identity(vectors, columns);
        return true;
    }
    size_t size = (size_t)rows * (size_t)columns;
    int least = rows < columns ? rows : columns;
    double* copy = ss_new(size, sizeof *copy);
    double* unused = ss_new((size_t)least, sizeof *unused);
    double* all = left ? ss_new((size_t)rows * (size_t)rows, sizeof *all) : NULL;
    bool good = copy && unused && (all || !left);
    if (good) {
        memcpy(copy, a, size * sizeof *copy);
        good = LAPACKE_dgesvd(LAPACK_ROW_MAJOR, left ? 'A' : 'N', 'A', rows, columns, copy, columns, values,
                              all, rows, vectors, columns, unused) == 0;
    }
    for (int i = 0; good && left && i < rows; i++)
        memcpy(&left[i * least], &all[i * rows], (size_t)least * sizeof *left);
    free(copy);
    free(unused);
    free(all);
    return good;
}

int ss_algebra_null_space(const double a[], int rows, int columns, double tolerance, double basis[])
{
    int least = rows < columns ? rows : columns, rank = 0;
    double* values = ss_new((size_t)least, sizeof *values);
    double* vectors = ss_new((size_t)columns * (size_t)columns, sizeof *vectors);
    bool good = values && vectors && ss_algebra_svd(a, rows, columns, values, NULL, vectors);
    for (int i = 0; good && i < least; i++) rank += values[i] > tolerance;
    if (good)
        memcpy(basis, &vectors[rank * columns], (size_t)(columns - rank) * (size_t)columns * sizeof *basis);
    free(values);
    free(vectors);
    return good ? columns - rank : -1;
}

// One round: of the subspace spanned by the rows of v, what a keeps inside it. work holds 3 n^2 numbers.
static int keep_inside(const double a[], int n, int dimension, double tolerance, double v[], double work[])
{
    double *image = work, *inside = work + n * n, *part = work + 2 * n * n;
    ss_algebra_multiply_rows(v, a, dimension, n, n, image); // rows: a v
    ss_algebra_multiply_rows(image, v, dimension, n, dimension, part);
    ss_algebra_multiply(part, v, dimension, dimension, n, inside);
    for (int i = 0; i < dimension; i++)
        for (int j = 0; j < n; j++) part[j * dimension + i] = image[i * n + j] - inside[i * n + j];
    int kept = ss_algebra_null_space(part, n, dimension, tolerance, image);
    if (kept < 0) return kept;
    ss_algebra_multiply(image, v, kept, dimension, n, inside);
    memcpy(v, inside, (size_t)kept * (size_t)n * sizeof *v);
    return kept;
}

int ss_algebra_invariant(const double a[], int n, const double c[], int rows, double tolerance,
                         double basis[])
{
    double* work = ss_new(3 * (size_t)n * (size_t)n, sizeof *work);
    if (!work) return -1;
    int dimension = ss_algebra_null_space(c, rows, n, tolerance, basis);
    for (int before = n + 1; dimension > 0 && dimension < before;) {
        before = dimension;
        dimension = keep_inside(a, n, dimension, tolerance, basis, work);
    }
    free(work);
    return dimension;
}

// A row-major lower triangle is a column-major upper one.
bool ss_algebra_cholesky(double a[], int n)
{
    return n == 0 || LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, a, n) == 0;
}

void ss_algebra_cholesky_solve(const double l[], int n, double x[])
{
    ss_algebra_forward(l, n, x);
    ss_algebra_backward(l, n, x);
}

void ss_algebra_forward(const double l[], int n, double x[])
{
    for (int i = 0; i < n; i++) x[i] = (x[i] - ss_algebra_dot(&l[i * n], x, i)) / l[i * n + i];
}

void ss_algebra_backward(const double l[], int n, double x[])
{
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= l[i * n + i];
        for (int k = 0; k < i; k++) x[k] -= l[i * n + k] * x[i];
    }
}

void ss_algebra_multiply(const double a[], const double b[], int rows, int inner, int columns, double out[])
{
    memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++) out[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

void ss_algebra_multiply_rows(const double a[], const double b[], int rows, int inner, int columns,
                              double out[])
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[i * columns + j] = ss_algebra_dot(&a[i * inner], &b[j * inner], inner);
}

double ss_algebra_dot(const double a[], const double b[], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double ss_algebra_norm(const double a[], int n) { return sqrt(ss_algebra_dot(a, a, n)); }
