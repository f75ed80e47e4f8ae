// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inverse of a square matrix that need not be symmetric, by elimination with full pivoting. Where it has
// none, the pseudo-inverse A^+ = A^T (A A^T)^+, by which solutions have the least norm.
#include "core/algebra/dense.h"

#include <math.h>
#include <string.h>

static const double squared = 1e-14; // share of the largest eigenvalue of A A^T: smaller ones are zero

static void swap_rows(double m[], int n, int r, int s)
{
    for (int k = 0; k < n && r != s; k++) {
        double kept = m[r * n + k];
        m[r * n + k] = m[s * n + k];
        m[s * n + k] = kept;
    }
}

static void swap_columns(double m[], int n, int r, int c)
{
    for (int k = 0; k < n && r != c; k++) {
        double kept = m[k * n + r];
        m[k * n + r] = m[k * n + c];
        m[k * n + c] = kept;
    }
}

// Turns m into a unit matrix and out, which begins as one, into its inverse but for the order of its rows,
// which `order` tells. Returns how many pivots there are; *sign: that of the determinant.
static int eliminate(double m[], int n, double tolerance, double out[], int order[], double* sign)
{
    double largest = 0.0;
    for (int k = 0; k < n * n; k++) largest = fmax(largest, fabs(m[k]));
    for (int r = 0; r < n; r++) {
        int s = r, c = r;
        for (int i = r; i < n; i++)
            for (int j = r; j < n; j++)
                if (fabs(m[i * n + j]) > fabs(m[s * n + c])) {
                    s = i;
                    c = j;
                }
        double pivot = m[s * n + c];
        if (!(fabs(pivot) > tolerance * largest)) return r;
        *sign *= ((s != r) == (c != r) ? 1.0 : -1.0) * (pivot > 0.0 ? 1.0 : -1.0);
        swap_rows(m, n, r, s);
        swap_rows(out, n, r, s);
        swap_columns(m, n, r, c);
        int kept = order[r];
        order[r] = order[c];
        order[c] = kept;
        for (int k = 0; k < n; k++) {
            m[r * n + k] /= pivot;
            out[r * n + k] /= pivot;
        }
        for (int i = 0; i < n; i++) {
            double f = m[i * n + r];
            for (int k = 0; k < n && i != r && f != 0.0; k++) {
                m[i * n + k] -= f * m[r * n + k];
                out[i * n + k] -= f * out[r * n + k];
            }
        }
    }
    return n;
}

// work: 4 n^2 + n.
static void pseudo_inverse(const double a[], int n, double out[], double free_share[], double work[])
{
    double *gram = work, *inverse = gram + n * n, *rest = inverse + n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            gram[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) gram[i * n + j] += a[i * n + k] * a[j * n + k];
        }
    (void)ss_pseudo_inverse(gram, n, squared, inverse, NULL, rest);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) out[i * n + j] += a[k * n + i] * inverse[k * n + j];
        }
    for (int i = 0; i < n && free_share; i++) { // of 1 - A^+ A
        free_share[i] = 1.0;
        for (int k = 0; k < n; k++) free_share[i] -= out[i * n + k] * a[k * n + i];
    }
}

int ss_general_inverse(const double a[], int n, double tolerance, double out[], double free_share[],
                       bool* positive, double work[], int order[])
{
    size_t size = (size_t)n * (size_t)n * sizeof(double);
    double *m = work, *mixed = m + n * n, sign = 1.0;
    memcpy(m, a, size);
    memset(mixed, 0, size);
    for (int k = 0; k < n; k++) {
        mixed[k * n + k] = 1.0;
        order[k] = k;
    }
    int rank = eliminate(m, n, tolerance, mixed, order, &sign);
    if (positive) *positive = rank < n || sign > 0.0;
    if (rank < n) {
        pseudo_inverse(a, n, out, free_share, work);
        return rank;
    }
    for (int r = 0; r < n; r++) memcpy(&out[order[r] * n], &mixed[r * n], (size_t)n * sizeof(double));
    for (int k = 0; k < n && free_share; k++) free_share[k] = 0.0;
    return rank;
}
