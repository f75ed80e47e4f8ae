// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/certify/zonotope.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/minimax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double ss_zonotope_rank_tolerance = SS_FAINT;
const double ss_zonotope_span_tolerance = SS_CLEAR;

// Columns of W with a level; length[k] is the length of column k, 1 for an empty one.
static void gather_columns(ss_zonotope* z, const double W[], int contacts, double length[])
{
    for (int k = 0; k < z->count; k++) {
        for (int i = 0; i < z->n; i++) z->w[i * z->count + k] = W[i * contacts + z->index[k]];
        double sum = 0.0;
        for (int i = 0; i < z->n; i++) sum = hypot(sum, z->w[i * z->count + k]);
        length[k] = sum > 0.0 ? sum : 1.0;
    }
}

// With the columns scaled to length 1, w = S diag(length) and S = U Sigma V^T: the pseudo-inverse used is
// diag(1/length) V Sigma^-1 U^T, and what moves nothing is diag(1/length) V_0.
static bool decompose(ss_pool* pool, ss_zonotope* z, const double length[])
{
    int n = z->n, m = z->count, least = n < m ? n : m;
    double* scaled = ss_new((size_t)n * (size_t)m, sizeof *scaled);
    double* values = ss_new((size_t)least, sizeof *values);
    double* left = ss_new((size_t)n * (size_t)least, sizeof *left);
    double* right = ss_new((size_t)m * (size_t)m, sizeof *right);
    bool good = scaled && values && left && right;
    for (int i = 0; good && i < n; i++)
        for (int k = 0; k < m; k++) scaled[i * m + k] = z->w[i * m + k] / length[k];
    good = good && ss_algebra_svd(scaled, n, m, values, left, right);
    for (int i = 0; good && i < least; i++) z->rank += values[i] > ss_zonotope_rank_tolerance * values[0];
    z->free = good ? ss_pool_new(pool, (size_t)m * (size_t)(m - z->rank), sizeof(double)) : NULL;
    for (int k = 0; z->free && k < m; k++) {
        for (int r = 0; r < z->rank; r++)
            for (int i = 0; i < n; i++)
                z->pseudo[k * n + i] += right[r * m + k] / values[r] * left[i * least + r] / length[k];
        for (int r = z->rank; r < m; r++)
            z->free[k * (m - z->rank) + r - z->rank] = right[r * m + k] / length[k];
    }
    free(scaled);
    free(values);
    free(left);
    free(right);
    return z->free != NULL;
}

bool ss_zonotope_make(ss_pool* pool, const double W[], const double level[], int n, int contacts,
                      ss_zonotope* out)
{
    *out = (ss_zonotope){.n = n, .index = ss_pool_new(pool, (size_t)contacts, sizeof(int))};
    out->level = ss_pool_new(pool, (size_t)contacts, sizeof(double));
    if (pool->failed) return false;
    for (int k = 0; k < contacts; k++)
        if (level[k] > 0.0) {
            out->level[out->count] = level[k];
            out->index[out->count++] = k;
        }
    size_t size = (size_t)n * (size_t)out->count;
    out->w = ss_pool_new(pool, size, sizeof(double));
    out->pseudo = ss_pool_new(pool, size, sizeof(double));
    double* length = ss_new((size_t)out->count, sizeof *length);
    bool good = !pool->failed && length;
    if (good) gather_columns(out, W, contacts, length);
    good = good && decompose(pool, out, length);
    free(length);
    return good;
}

double ss_zonotope_off_span(const ss_zonotope* z, const double x[])
{
    double sum = 0.0;
    for (int i = 0; i < z->n; i++) {
        double left = x[i];
        for (int k = 0; k < z->count; k++)
            left -= z->w[i * z->count + k] * ss_algebra_dot(&z->pseudo[k * z->n], x, z->n);
        sum = hypot(sum, left);
    }
    return sum;
}

double ss_zonotope_gauge(const ss_zonotope* z, const double x[])
{
    int m = z->count, unknowns = m - z->rank;
    double* a = ss_new((size_t)m * (size_t)unknowns, sizeof *a);
    double* b = ss_new((size_t)m + (size_t)unknowns, sizeof *b);
    double gauge = NAN;
    if (a && b) {
        for (int k = 0; k < m; k++) {
            b[k] = ss_algebra_dot(&z->pseudo[k * z->n], x, z->n) / z->level[k];
            for (int j = 0; j < unknowns; j++) a[k * unknowns + j] = z->free[k * unknowns + j] / z->level[k];
        }
        gauge = ss_minimax(a, b, m, unknowns, b + m);
    }
    free(a);
    free(b);
    return gauge;
}
