// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The variational equation D' = A(t) D between events by Gauss collocation of six stages (order 12).
#include "lab/cycle/variation.h"

#include "engine/flow/tangent.h"
#include "lab/algebra.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { STAGES = SS_GAUSS_STAGES };

// Legendre polynomial of degree STAGES on [-1, 1], and its derivative.
static double legendre(double x, double* derivative)
{
    double before = 1.0, value = x;
    for (int k = 2; k <= STAGES; k++) {
        double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
        before = value;
        value = next;
    }
    *derivative = STAGES * (x * value - before) / (x * x - 1.0);
    return value;
}

// Integral of the Lagrange polynomial of node j from 0 to c, by the coefficients of the polynomial.
static double integral(const double node[], int j, double c)
{
    double coefficient[STAGES] = {1.0}, sum = 0.0;
    int degree = 0;
    for (int k = 0; k < STAGES; k++) {
        if (k == j) continue;
        double scale = 1.0 / (node[j] - node[k]);
        for (int l = ++degree; l >= 0; l--)
            coefficient[l] =
                scale * ((l > 0 ? coefficient[l - 1] : 0.0) - node[k] * (l < degree ? coefficient[l] : 0.0));
    }
    for (int l = degree; l >= 0; l--) sum = (sum + coefficient[l] / (l + 1.0)) * c;
    return sum;
}

void ss_variation_create(ss_orbit* orbit)
{
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < STAGES; i++) {
        double x = -cos(pi * (i + 0.75) / (STAGES + 0.5)), slope;
        for (int round = 0; round < 20; round++) {
            double value = legendre(x, &slope);
            x -= value / slope;
        }
        orbit->node[i] = 0.5 * (1.0 + x);
    }
    for (int j = 0; j < STAGES; j++) orbit->weight[j] = integral(orbit->node, j, 1.0);
    for (int i = 0; i < STAGES; i++)
        for (int j = 0; j < STAGES; j++) orbit->inner[i][j] = integral(orbit->node, j, orbit->node[i]);
}

// Z_i = D + h sum_j inner_ij A_j Z_j, then D += h sum_j weight_j A_j Z_j. A_j = [0 I; stage j].
bool ss_variation_step(ss_orbit* orbit, double h)
{
    int n = orbit->n, w = orbit->width, size = STAGES * w;
    double *system = orbit->system, *z = orbit->rhs, *d = orbit->monodromy;
    memset(system, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int i = 0; i < STAGES; i++)
        for (int r = 0; r < w; r++) {
            double* row = system + (size_t)(i * w + r) * (size_t)size;
            row[i * w + r] = 1.0;
            for (int j = 0; j < STAGES; j++) {
                double factor = h * orbit->inner[i][j];
                if (r < n) row[j * w + n + r] -= factor;
                const double* a = orbit->stages + (size_t)(j * n + (r < n ? 0 : r - n)) * (size_t)w;
                for (int c = 0; r >= n && c < w; c++) row[j * w + c] -= factor * a[c];
            }
            memcpy(z + (size_t)(i * w + r) * (size_t)w, d + (size_t)r * (size_t)w,
                   (size_t)w * sizeof(double));
        }
    int info = LAPACKE_dgesv(LAPACK_ROW_MAJOR, size, w, system, size, orbit->pivots, z, w);
    orbit->no_memory = ss_algebra_ran_out(info);
    if (info != 0) return false;
    for (int j = 0; j < STAGES; j++) {
        const double *a = orbit->stages + (size_t)(j * n) * (size_t)w, *zj = z + (size_t)(j * w) * (size_t)w;
        double factor = h * orbit->weight[j];
        for (int c = 0; c < w; c++)
            for (int r = 0; r < n; r++) {
                double sum = 0.0;
                for (int k = 0; k < w; k++) sum += a[r * w + k] * zj[k * w + c];
                d[r * w + c] += factor * zj[(n + r) * w + c];
                d[(n + r) * w + c] += factor * sum;
            }
    }
    return true;
}

// How fast the variational equation turns: by its coefficients here and what the engine knows of the model.
static void set_identity(double matrix[], int width)
{
    for (int r = 0; r < width; r++)
        for (int c = 0; c < width; c++) matrix[r * width + c] = r == c;
}

// Where the Jacobian does not vary in a mode, all steps of it are equal and do the same to D.
bool ss_variation_make_stride(ss_orbit* orbit, double h)
{
    size_t w = (size_t)orbit->width, area = w * w, size = (size_t)orbit->n * w;
    ss_mode_jacobian(orbit->sim, orbit->stages, orbit->jacobian_scratch);
    for (size_t k = 1; k < STAGES; k++)
        memcpy(orbit->stages + k * size, orbit->stages, size * sizeof(double));
    memcpy(orbit->product, orbit->monodromy, area * sizeof(double));
    set_identity(orbit->monodromy, orbit->width);
    bool fine = ss_variation_step(orbit, h);
    memcpy(orbit->stride, orbit->monodromy, area * sizeof(double));
    memcpy(orbit->monodromy, orbit->product, area * sizeof(double));
    return fine;
}

void ss_variation_stride(ss_orbit* orbit)
{
    int w = orbit->width;
    memcpy(orbit->product, orbit->monodromy, (size_t)w * (size_t)w * sizeof(double));
    for (int r = 0; r < w; r++)
        for (int c = 0; c < w; c++) {
            double sum = 0.0;
            for (int k = 0; k < w; k++) sum += orbit->stride[r * w + k] * orbit->product[k * w + c];
            orbit->monodromy[r * w + c] = sum;
        }
}

void ss_variation_begin(ss_orbit* orbit) { set_identity(orbit->monodromy, orbit->width); }
