// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Gaussian elimination with partial pivoting, by rows.
#include "core/algebra/lu.h"

#include "core/algebra/wide.h"

#include <math.h>
#include <stddef.h>

// row -= factor top; the two do not overlap, which lets the compiler take several at a time.
static inline void subtract(double* restrict row, const double* restrict top, double factor, int count)
{
    for (int k = 0; k < count; k++) row[k] -= factor * top[k];
}

SS_WIDE bool ss_lu_factor(double a[], int n, int pivots[])
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[best * n + c])) best = r;
        pivots[c] = best;
        double pivot = a[best * n + c];
        if (!(fabs(pivot) > 0.0 && isfinite(pivot))) return false;
        for (int k = 0; k < n && best != c; k++) {
            double swap = a[best * n + k];
            a[best * n + k] = a[c * n + k];
            a[c * n + k] = swap;
        }
        for (int r = c + 1; r < n; r++) {
            double* row = a + r * n;
            if (row[c] == 0.0) continue;
            row[c] /= pivot;
            subtract(row + c + 1, a + c * n + c + 1, row[c], n - c - 1);
        }
    }
    return true;
}

// Four sums, none of which waits for another.
static inline double dot(const double* restrict a, const double* restrict x, int count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    int k = 0;
    for (; k + 3 < count; k += 4)
        for (int l = 0; l < 4; l++) sum[l] += a[k + l] * x[k + l];
    for (; k < count; k++) rest += a[k] * x[k];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

SS_WIDE void ss_lu_solve(const double a[], int n, const int pivots[], double x[])
{
    for (int r = 0; r < n; r++) {
        double swap = x[pivots[r]];
        x[pivots[r]] = x[r];
        x[r] = swap;
    }
    for (int r = 1; r < n; r++) x[r] -= dot(a + r * n, x, r);
    for (int r = n - 1; r >= 0; r--)
        x[r] = (x[r] - dot(a + r * n + r + 1, x + r + 1, n - r - 1)) / a[r * n + r];
}

// Element (r, r) of a band matrix.
static inline double* diagonal(double a[], int r, int band)
{
    return a + (size_t)r * (3 * (size_t)band + 1) + band;
}

SS_WIDE bool ss_band_factor(double a[], int n, int band, int pivots[])
{
    for (int c = 0; c < n; c++) {
        int best = c, last = c + band < n ? c + band : n - 1, count = c + 2 * band < n ? 2 * band : n - 1 - c;
        for (int r = c + 1; r <= last; r++)
            if (fabs(diagonal(a, r, band)[c - r]) > fabs(diagonal(a, best, band)[c - best])) best = r;
        pivots[c] = best;
        double *top = diagonal(a, c, band), *chosen = diagonal(a, best, band) + (c - best);
        if (!(fabs(*chosen) > 0.0 && isfinite(*chosen))) return false;
        for (int k = 0; k <= count && best != c; k++) {
            double swap = chosen[k];
            chosen[k] = top[k];
            top[k] = swap;
        }
        for (int r = c + 1; r <= last; r++) {
            double* row = diagonal(a, r, band) + (c - r);
            if (*row == 0.0) continue;
            *row /= *top;
            subtract(row + 1, top + 1, *row, count);
        }
    }
    return true;
}

SS_WIDE void ss_band_solve(const double a[], int n, int band, const int pivots[], double x[])
{
    size_t width = 3 * (size_t)band + 1;
    for (int c = 0; c < n; c++) {
        double swap = x[pivots[c]];
        x[pivots[c]] = x[c];
        x[c] = swap;
        for (int r = c + 1; r <= c + band && r < n; r++)
            x[r] -= a[(size_t)r * width + (size_t)(c - r + band)] * x[c];
    }
    for (int r = n - 1; r >= 0; r--) {
        const double* row = a + (size_t)r * width + band;
        int count = r + 2 * band < n ? 2 * band : n - 1 - r;
        x[r] = (x[r] - dot(row + 1, x + r + 1, count)) / *row;
    }
}
