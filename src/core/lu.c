// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Gaussian elimination with partial pivoting, by rows.
#include "core/lu.h"

#include "core/wide.h"

#include <math.h>

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

void ss_lu_solve(const double a[], int n, const int pivots[], double x[])
{
    for (int r = 0; r < n; r++) {
        double swap = x[pivots[r]];
        x[pivots[r]] = x[r];
        x[r] = swap;
    }
    for (int r = 1; r < n; r++) {
        double sum = x[r];
        for (int k = 0; k < r; k++) sum -= a[r * n + k] * x[k];
        x[r] = sum;
    }
    for (int r = n - 1; r >= 0; r--) {
        double sum = x[r];
        for (int k = r + 1; k < n; k++) sum -= a[r * n + k] * x[k];
        x[r] = sum / a[r * n + r];
    }
}
