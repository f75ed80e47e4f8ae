// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/bare/lapacke.h"

#include "core/algebra/dense.h"
#include "core/algebra/eigen.h"
#include "core/algebra/svd.h"
#include "core/error.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_MEMORY = LAPACK_WORK_MEMORY_ERROR, FAILED = 1 };

// ---- eigenvalues

int LAPACKE_dsyev(int layout, char job, char triangle, int n, double a[], int lda, double values[])
{
    (void)layout, (void)job, (void)triangle, (void)lda; // symmetric: rows and columns are the same
    double *copy = ss_new((size_t)n * (size_t)n, sizeof *copy), *v = ss_new((size_t)n * (size_t)n, sizeof *v);
    double* found = ss_new((size_t)n, sizeof *found);
    int info = copy && v && found ? 0 : NO_MEMORY;
    if (info == 0) {
        memcpy(copy, a, (size_t)n * (size_t)n * sizeof *a);
        ss_symmetric_eigen(copy, n, found, v);
    }
    for (int k = 0; info == 0 && k < n; k++) { // ascending, by rank; equal ones in their order
        int place = 0;
        for (int j = 0; j < n; j++) place += found[j] < found[k] || (found[j] == found[k] && j < k);
        values[place] = found[k];
        for (int i = 0; i < n; i++)
            a[layout == LAPACK_COL_MAJOR ? place * n + i : i * n + place] = v[i * n + k];
    }
    free(copy);
    free(v);
    free(found);
    return info;
}

// Eigenvalues of a real matrix are real or come in pairs; rounding has made neither exact.
static void pair_up(double complex values[], int n, double rounding)
{
    for (int k = 0; k < n; k++)
        if (fabs(cimag(values[k])) <= rounding) values[k] = creal(values[k]);
    for (int k = 0; k < n; k++) {
        if (cimag(values[k]) == 0.0) continue;
        int other = -1;
        for (int j = k + 1; j < n; j++)
            if (cimag(values[j]) != 0.0 &&
                (other < 0 || cabs(values[j] - conj(values[k])) < cabs(values[other] - conj(values[k]))))
                other = j;
        if (other < 0) return;
        double complex mean = 0.5 * (values[k] + conj(values[other])), kept = values[k + 1];
        values[k] = creal(mean) + fabs(cimag(mean)) * I;
        values[other] = kept;
        values[k + 1] = conj(values[k]);
        k++;
    }
}

int LAPACKE_dgeev(int layout, char left_job, char right_job, int n, double a[], int lda, double real[],
                  double imaginary[], double left[], int ldl, double right[], int ldr)
{
    (void)layout, (void)left_job, (void)right_job, (void)lda, (void)left, (void)ldl, (void)right, (void)ldr;
    size_t size = (size_t)n, square = size * size;
    double complex* room = ss_new(size + 4 * square, sizeof *room);
    double* scale = ss_new(size, sizeof *scale);
    int info = room && scale ? 0 : NO_MEMORY;
    if (info == 0) {
        ss_spectrum out = {.values = room, .vectors = room + size, .inverse = room + size + square};
        if (!ss_eigen_solve(a, n, &out, room + size + 2 * square, scale)) info = FAILED;
        pair_up(out.values, n, 10.0 * DBL_EPSILON * out.norm);
        for (int k = 0; k < n; k++) {
            real[k] = creal(out.values[k]);
            imaginary[k] = cimag(out.values[k]);
        }
    }
    free(room);
    free(scale);
    return info;
}

// ---- singular values

static void transpose(const double a[], int rows, int columns, double out[])
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j];
}

// The orthonormal columns of thin (size x width) and the rest of the space, as columns of out (size x size).
static void fill_basis(const double thin[], int size, int width, double out[])
{
    for (int i = 0; i < size; i++) memcpy(&out[i * size], &thin[i * width], (size_t)width * sizeof *out);
    ss_complete_basis(out, size, size, width, size);
}

int LAPACKE_dgesvd(int layout, char left_job, char right_job, int rows, int columns, double a[], int lda,
                   double values[], double left[], int ldl, double right[], int ldr, double unused[])
{
    (void)layout, (void)lda, (void)ldl, (void)ldr, (void)unused;
    bool tall = rows >= columns;
    int most = tall ? rows : columns, least = tall ? columns : rows;
    size_t size = (size_t)most * (size_t)most;
    double *thin = ss_new(size, sizeof *thin), *v = ss_new(size, sizeof *v), *all = ss_new(size, sizeof *all);
    int info = thin && v && all ? 0 : NO_MEMORY;
    if (info == 0) {
        if (tall)
            memcpy(thin, a, (size_t)rows * (size_t)columns * sizeof *a);
        else
            transpose(a, rows, columns, thin); // A^T = V S U^T
        if (!ss_svd(thin, most, least, values, v)) info = FAILED;
        fill_basis(thin, most, least, all);
        if (left_job == 'A') memcpy(left, tall ? all : v, (size_t)rows * (size_t)rows * sizeof *left);
        if (right_job == 'A') transpose(tall ? v : all, columns, columns, right);
    }
    free(thin);
    free(v);
    free(all);
    return info;
}

// x = V S^-1 U^T b, with the singular values above the limit alone.
static void solve_least(const double u[], const double v[], const double values[], int rows, int columns,
                        int rank, const double b[], double x[], int sides)
{
    for (int j = 0; j < columns; j++) x[j * sides] = 0.0;
    for (int k = 0; k < rank; k++) {
        double share = 0.0;
        for (int i = 0; i < rows; i++) share += u[i * rows + k] * b[i];
        share /= values[k];
        for (int j = 0; j < columns; j++) x[j * sides] += share * v[k * columns + j];
    }
}

int LAPACKE_dgelsd(int layout, int rows, int columns, int sides, double a[], int lda, double b[], int ldb,
                   double values[], double limit, int* rank)
{
    double* u = ss_new((size_t)rows * (size_t)rows, sizeof *u);
    double* v = ss_new((size_t)columns * (size_t)columns, sizeof *v);
    double* side = ss_new((size_t)rows, sizeof *side);
    int info = u && v && side ? 0 : NO_MEMORY, least = rows < columns ? rows : columns;
    if (info == 0)
        info = LAPACKE_dgesvd(layout, 'A', 'A', rows, columns, a, lda, values, u, rows, v, columns, NULL);
    *rank = 0;
    if (limit < 0.0) limit = DBL_EPSILON;
    while (info == 0 && *rank < least && values[*rank] > limit * values[0]) ++*rank;
    for (int k = 0; info == 0 && k < sides; k++) {
        for (int i = 0; i < rows; i++) side[i] = b[i * ldb + k];
        solve_least(u, v, values, rows, columns, *rank, side, &b[k], ldb);
    }
    free(u);
    free(v);
    free(side);
    return info;
}

// ---- systems of equations

int LAPACKE_dpotrf(int layout, char triangle, int n, double a[], int lda)
{
    (void)layout, (void)triangle, (void)lda; // an upper triangle by columns is a lower one by rows
    return ss_cholesky(a, n) ? 0 : FAILED;
}

// Where element (i, j) of an n x n matrix stands.
static size_t at(int layout, int n, int i, int j)
{
    return layout == LAPACK_ROW_MAJOR ? (size_t)i * (size_t)n + (size_t)j : (size_t)j * (size_t)n + (size_t)i;
}

int LAPACKE_dgetrf(int layout, int rows, int columns, double a[], int lda, int pivots[])
{
    (void)columns, (void)lda;
    int n = rows, info = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[at(layout, n, i, k)]) > fabs(a[at(layout, n, best, k)])) best = i;
        pivots[k] = best + 1; // LAPACK counts from 1
        for (int j = 0; best != k && j < n; j++) {
            double kept = a[at(layout, n, k, j)];
            a[at(layout, n, k, j)] = a[at(layout, n, best, j)];
            a[at(layout, n, best, j)] = kept;
        }
        double pivot = a[at(layout, n, k, k)];
        if (!(fabs(pivot) > 0.0)) {
            if (info == 0) info = k + 1;
            continue;
        }
        for (int i = k + 1; i < n; i++) {
            double share = a[at(layout, n, i, k)] /= pivot;
            for (int j = k + 1; share != 0.0 && j < n; j++)
                a[at(layout, n, i, j)] -= share * a[at(layout, n, k, j)];
        }
    }
    return info;
}

static void swap_entries(double b[], int i, int j)
{
    double kept = b[i];
    b[i] = b[j];
    b[j] = kept;
}

// P L U x = b, or its transpose, for one side.
static void solve_factored(int layout, bool transposed, int n, const double a[], const int pivots[],
                           double x[])
{
    for (int k = 0; !transposed && k < n; k++) swap_entries(x, k, pivots[k] - 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= (transposed ? a[at(layout, n, j, i)] : a[at(layout, n, i, j)]) * x[j];
        if (transposed) x[i] /= a[at(layout, n, i, i)];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= (transposed ? a[at(layout, n, j, i)] : a[at(layout, n, i, j)]) * x[j];
        if (!transposed) x[i] /= a[at(layout, n, i, i)];
    }
    for (int k = n - 1; transposed && k >= 0; k--) swap_entries(x, k, pivots[k] - 1);
}

int LAPACKE_dgetrs(int layout, char transposed, int n, int sides, const double a[], int lda,
                   const int pivots[], double b[], int ldb)
{
    (void)lda;
    if (layout == LAPACK_COL_MAJOR || sides == 1) {
        for (int k = 0; k < sides; k++)
            solve_factored(layout, transposed == 'T', n, a, pivots,
                           &b[k * (layout == LAPACK_COL_MAJOR ? ldb : 1)]);
        return 0;
    }
    double* side = ss_new((size_t)n, sizeof *side);
    for (int k = 0; side && k < sides; k++) {
        for (int i = 0; i < n; i++) side[i] = b[i * ldb + k];
        solve_factored(layout, transposed == 'T', n, a, pivots, side);
        for (int i = 0; i < n; i++) b[i * ldb + k] = side[i];
    }
    free(side);
    return side ? 0 : NO_MEMORY;
}

int LAPACKE_dgesv(int layout, int n, int sides, double a[], int lda, int pivots[], double b[], int ldb)
{
    int info = LAPACKE_dgetrf(layout, n, n, a, lda, pivots);
    return info ? info : LAPACKE_dgetrs(layout, 'N', n, sides, a, lda, pivots, b, ldb);
}
