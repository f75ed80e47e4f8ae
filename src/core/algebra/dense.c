// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool ss_cholesky(double a[], int n)
{
    for (int j = 0; j < n; j++) {
        double d = a[j * n + j];
        for (int k = 0; k < j; k++) d -= a[j * n + k] * a[j * n + k];
        if (!(d > 0.0)) return false;
        double pivot = sqrt(d);
        a[j * n + j] = pivot;
        for (int i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++) s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = s / pivot;
        }
    }
    return true;
}

void ss_cholesky_solve(const double l[], int n, double b[])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= l[i * n + k] * b[k];
        b[i] /= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= l[k * n + i] * b[k];
        b[i] /= l[i * n + i];
    }
}

static void transpose(double a[], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double keep = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = keep;
        }
}

// x = L^-1 x
static void solve_forward(const double l[], int n, double x[])
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < i; k++) sum += l[i * n + k] * x[k];
        x[i] = (x[i] - sum) / l[i * n + i];
    }
}

void ss_congruence(const double l[], int n, double a[])
{
    for (int i = 0; i < n; i++) solve_forward(l, n, &a[i * n]); // rows: a L^-T
    transpose(a, n);
    for (int i = 0; i < n; i++) solve_forward(l, n, &a[i * n]);
    transpose(a, n);
}

// Rotates rows and columns p, q so that a[p][q] vanishes. That entry is set to zero rather than computed: the
// rounding of the computed one, next to a large diagonal, never gets small beside a tiny one.
static void jacobi_rotate(double a[], int n, double v[], int p, int q)
{
    double apq = a[p * n + q], theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta));
    double c = 1.0 / hypot(1.0, t), s = t * c;
    for (int k = 0; k < n; k++) {
        if (k == p || k == q) continue;
        double akp = a[k * n + p], akq = a[k * n + q];
        a[k * n + p] = a[p * n + k] = c * akp - s * akq;
        a[k * n + q] = a[q * n + k] = s * akp + c * akq;
    }
    a[p * n + p] -= t * apq;
    a[q * n + q] += t * apq;
    a[p * n + q] = a[q * n + p] = 0.0;
    for (int k = 0; k < n; k++) {
        double vkp = v[k * n + p], vkq = v[k * n + q];
        v[k * n + p] = c * vkp - s * vkq;
        v[k * n + q] = s * vkp + c * vkq;
    }
}

void ss_symmetric_eigen(double a[], int n, double values[], double v[])
{
    enum { SWEEPS = 60 }; // quadratic convergence: ten are plenty, the rest is safety
    memset(v, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) v[i * n + i] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool changed = false;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double small = DBL_EPSILON * sqrt(fabs(a[p * n + p])) * sqrt(fabs(a[q * n + q]));
                if (fabs(a[p * n + q]) <= small || a[p * n + q] == 0.0) continue;
                jacobi_rotate(a, n, v, p, q);
                changed = true;
            }
        if (!changed) break;
    }
    for (int i = 0; i < n; i++) values[i] = a[i * n + i];
}

int ss_pseudo_inverse(const double a[], int n, double tolerance, double out[], double free_share[],
                      double work[])
{
    double *copy = work, *v = work + n * n, *values = work + 2 * n * n;
    memcpy(copy, a, (size_t)n * (size_t)n * sizeof(double));
    ss_symmetric_eigen(copy, n, values, v);
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = fmax(largest, values[i]);
    memset(out, 0, (size_t)n * (size_t)n * sizeof(double));
    if (free_share) memset(free_share, 0, (size_t)n * sizeof(double));
    int rank = 0;
    for (int k = 0; k < n; k++) {
        bool counts = values[k] > tolerance * largest;
        rank += counts;
        for (int i = 0; i < n; i++) {
            if (!counts && free_share) free_share[i] += v[i * n + k] * v[i * n + k];
            if (!counts) continue;
            for (int j = 0; j < n; j++) out[i * n + j] += v[i * n + k] * v[j * n + k] / values[k];
        }
    }
    return rank;
}
