// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A quadratic bound by the bounded real lemma. For any rho_j > 0
//
//     (xi^H P xi)' <= xi^H (D^H P + P D + sum_j rho_j^2 kappa_j^2 row_j^H row_j + P push_j push_j^H
//     P/rho_j^2) xi,
//
// D = diag(values). P is the limit of P_0 = 0, D^H P_k+1 + P_k+1 D = -(Q + sum_j P_k push_j push_j^H
// P_k/rho_j^2) with Q = epsilon + sum_j rho_j^2 kappa_j^2 row_j^H row_j: in the coordinates of the modes each
// is a division. It exists where no frequency carries creep back onto itself with a gain of 1. How P came
// about does not matter: that the bracket is at most -2 rate P is seen by a Cholesky factor, with a margin
// for rounding.
#include "engine/proof/settle_gain.h"

#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 400, SHARES = 6, RATES = 40 };

static double square(double complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

static double norm(const double complex v[], int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += square(v[k]);
    return sqrt(sum);
}

// rho_j^2: input and output of creep count alike.
static double weight(const ss_gain* g, int j)
{
    double in = norm(g->push + j * g->size, g->size), out = norm(g->row + j * g->size, g->size);
    return in > 0.0 && out > 0.0 && g->kappa[j] > 0.0 ? in / (g->kappa[j] * out) : 0.0;
}

// out = epsilon + the terms of creep, with the present P.
static void add_terms(const ss_gain* g, double epsilon, double complex out[])
{
    int n = g->size;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int a = 0; a < n; a++) out[a * n + a] = epsilon;
    for (int j = 0; j < g->count; j++) {
        double w = weight(g, j), k2 = w * g->kappa[j] * g->kappa[j];
        const double complex *row = g->row + j * n, *push = g->push + j * n;
        double complex* pushed = g->pushed + j * n;
        if (w == 0.0) continue;
        for (int a = 0; a < n; a++) {
            pushed[a] = 0.0;
            for (int b = 0; b < n; b++) pushed[a] += g->p[a * n + b] * push[b];
        }
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                out[a * n + b] += k2 * conj(row[a]) * row[b] + pushed[a] * conj(pushed[b]) / w;
    }
}

// P for this epsilon; false where the rounds do not come to an end.
static bool iterate(ss_gain* g, double epsilon)
{
    int n = g->size;
    double first = 0.0;
    memset(g->p, 0, (size_t)(n * n) * sizeof *g->p);
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0, size = 0.0;
        add_terms(g, epsilon, g->next);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                double complex p = -g->next[a * n + b] / (conj(g->values[a]) + g->values[b]);
                change += square(p - g->p[a * n + b]);
                size += square(p);
                g->p[a * n + b] = p;
            }
        if (round == 0) first = size;
        if (!(size <= first / SS_RELATIVE_ZERO)) return false;
        if (change <= SS_RELATIVE_ZERO * SS_RELATIVE_ZERO * size) return true;
    }
    return false;
}

// The factor L of a Hermitian matrix, in place; false where it is not positive definite.
static bool factor(double complex a[], int n)
{
    for (int c = 0; c < n; c++) {
        double d = creal(a[c * n + c]);
        for (int k = 0; k < c; k++) d -= square(a[c * n + k]);
        if (!(d > 0.0)) return false;
        d = sqrt(d);
        a[c * n + c] = d;
        for (int r = c + 1; r < n; r++) {
            double complex sum = a[r * n + c];
            for (int k = 0; k < c; k++) sum -= a[r * n + k] * conj(a[c * n + k]);
            a[r * n + c] = sum / d;
        }
    }
    return true;
}

// Whether the bracket is at most -2 rate P: own = -(bracket) - 2 rate P - margin has a factor.
static bool decays(ss_gain* g, double rate)
{
    int n = g->size;
    double fastest = 0.0, margin = norm(g->p, n * n);
    for (int a = 0; a < n; a++) fastest = fmax(fastest, cabs(g->values[a]));
    margin *= 2.0 * g->uncertain + 64.0 * n * DBL_EPSILON * fastest;
    add_terms(g, 0.0, g->own);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double complex drift = (conj(g->values[a]) + g->values[b]) * g->p[a * n + b];
            g->own[a * n + b] = -drift - g->own[a * n + b] - 2.0 * rate * g->p[a * n + b];
        }
    for (int a = 0; a < n; a++) g->own[a * n + a] -= margin;
    return factor(g->own, n);
}

bool ss_gain_find(ss_gain* g, double fastest, double* rate)
{
    int n = g->size;
    double creep = 0.0;
    for (int j = 0; j < g->count; j++)
        creep += weight(g, j) * g->kappa[j] * g->kappa[j] * pow(norm(g->row + j * n, n), 2.0);
    double epsilon = creep > 0.0 ? 10.0 * creep / n : 1.0;
    for (int k = 0; k < SHARES; k++, epsilon *= 0.1) {
        if (!iterate(g, epsilon)) continue;
        *rate = fastest;
        for (int tries = 0; tries < RATES; tries++, *rate *= 0.7) {
            if (!decays(g, *rate)) continue;
            memcpy(g->own, g->p, (size_t)(n * n) * sizeof *g->p);
            return factor(g->own, n);
        }
    }
    return false;
}

double ss_gain_size(const ss_gain* g, const double complex xi[])
{
    double sum = 0.0;
    for (int a = 0; a < g->size; a++) {
        double complex part = 0.0;
        for (int b = a; b < g->size; b++) part += conj(g->own[b * g->size + a]) * xi[b];
        sum += square(part);
    }
    return sqrt(sum);
}

double ss_gain_row(const ss_gain* g, const double complex row[], double complex scratch[])
{
    for (int a = 0; a < g->size; a++) {
        scratch[a] = conj(row[a]);
        for (int b = 0; b < a; b++) scratch[a] -= g->own[a * g->size + b] * scratch[b];
        scratch[a] /= g->own[a * g->size + a];
    }
    return norm(scratch, g->size);
}
