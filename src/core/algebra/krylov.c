// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A block Krylov space of A = K^-1 M, which is symmetric in the product of M: from a block of vectors V_1,
//
//     A V_k = V_1 H_1k + .. + V_k H_kk + V_k+1 R,    V^T M V = 1, (1)
//
// orthogonal to all blocks before it (twice, so that it is to rounding). The eigenvalues of V^T M A V = H are
// nearly the largest of A, 1/lambda. Modes of one frequency are found as far as a block has vectors.
#include "core/algebra/modes.h"

#include "core/algebra/dense.h"
#include "core/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8 };

typedef struct krylov {
    const ss_ldl* factor;
    const ss_sparse* M;
    size_t n;
    int count, most;     // vectors so far, at the end
    double* v;           // a vector after the other, each of n
    double* h;           // most x most
    double *now, *m_now; // BLOCK vectors, row by row: A V_k, M times it
    double *row, *work;
    uint64_t seed;
} krylov;

static bool make(krylov* s, const ss_ldl* factor, const ss_sparse* M, int width)
{
    size_t n = (size_t)M->rows, most = 3 * (size_t)width;
    if (most < 4 * BLOCK) most = 4 * BLOCK;
    if (most > n) most = n;
    *s = (krylov){.factor = factor, .M = M, .n = n, .most = (int)most, .seed = 0x9e3779b97f4a7c15u};
    s->v = ss_new(n * most, sizeof *s->v);
    s->h = ss_new(most * most, sizeof *s->h);
    s->now = ss_new(3 * n * BLOCK, sizeof *s->now);
    s->row = ss_new(2 * n, sizeof *s->row);
    if (!s->v || !s->h || !s->now || !s->row) return false;
    s->m_now = s->now + n * BLOCK;
    s->work = s->m_now + n * BLOCK;
    return true;
}

static void drop(krylov* s)
{
    free(s->v);
    free(s->h);
    free(s->now);
    free(s->row);
}

// The same numbers in every run, between -1 and 1.
static void draw(krylov* s, double x[])
{
    for (size_t k = 0; k < s->n; k++) {
        s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
        x[k] = (double)(s->seed >> 11) * 0x1p-52 - 1.0;
    }
}

static double dot(const double a[], const double b[], size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

// Takes x as the next vector, without what lies in those before it. Its shares of them go to column `of` of H
// where that is one (>= 0). A vector that says nothing new is replaced by one drawn anew.
static void take(krylov* s, double x[], int of)
{
    size_t n = s->n, most = (size_t)s->most;
    double *mx = s->row + n, size = 0.0;
    for (int tries = 0; tries < 4; tries++) {
        ss_sparse_times(s->M, x, 1, mx);
        double before = sqrt(dot(x, mx, n));
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < s->count; i++) {
                const double* v = s->v + (size_t)i * n;
                double share = dot(v, mx, n);
                for (size_t k = 0; k < n; k++) x[k] -= share * v[k];
                if (of >= 0) s->h[(size_t)i * most + (size_t)of] += share;
            }
            ss_sparse_times(s->M, x, 1, mx);
        }
        size = sqrt(dot(x, mx, n));
        if (size > 1e-10 * before) break;
        draw(s, x);
        of = -1;
    }
    double* to = s->v + (size_t)s->count * n;
    for (size_t k = 0; k < n; k++) to[k] = x[k] / size;
    if (of >= 0) s->h[(size_t)s->count * most + (size_t)of] += size;
    s->count++;
}

// The shares of x in all vectors, for the last blocks, behind which no more come.
static void share_out(krylov* s, const double x[], int of)
{
    double* mx = s->row + s->n;
    ss_sparse_times(s->M, x, 1, mx);
    for (int i = 0; i < s->count; i++)
        s->h[(size_t)i * (size_t)s->most + (size_t)of] = dot(s->v + (size_t)i * s->n, mx, s->n);
}

// A V for the vectors from `first` on, up to a block of them; the results are taken while there is room.
static void grow(krylov* s, int first, int width)
{
    size_t n = s->n, w = (size_t)width;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < w; j++) s->now[k * w + j] = s->v[((size_t)first + j) * n + k];
    ss_sparse_times(s->M, s->now, width, s->m_now);
    ss_ldl_solve(s->factor, s->m_now, width, s->work);
    for (int j = 0; j < width; j++) {
        for (size_t k = 0; k < n; k++) s->row[k] = s->m_now[k * w + (size_t)j];
        if (s->count < s->most)
            take(s, s->row, first + j);
        else
            share_out(s, s->row, first + j);
    }
}

static int compare(const void* a, const void* b)
{
    double x = **(double*const*)a, y = **(double*const*)b;
    return (x < y) - (x > y);
}

// The vectors of the space that belong to the largest eigenvalues of H. room: 2 most^2 + most.
static void pick(const krylov* s, int width, double* room, const double** order, double x[], double values[])
{
    size_t m = (size_t)s->most, w = (size_t)width;
    double *h = room, *vectors = room + m * m, *value = vectors + m * m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) h[i * m + j] = 0.5 * (s->h[i * m + j] + s->h[j * m + i]);
    ss_symmetric_eigen(h, s->most, value, vectors);
    for (size_t i = 0; i < m; i++) order[i] = &value[i];
    qsort(order, m, sizeof *order, compare);
    memset(x, 0, s->n * w * sizeof *x);
    for (size_t j = 0; j < w; j++) {
        size_t from = (size_t)(order[j] - value);
        values[j] = value[from] > 0.0 ? 1.0 / value[from] : 1.0;
        for (size_t i = 0; i < m; i++) {
            double share = vectors[i * m + from];
            const double* v = s->v + i * s->n;
            for (size_t k = 0; k < s->n; k++) x[k * w + j] += share * v[k];
        }
    }
}

bool ss_krylov_begin(const ss_ldl* factor, const ss_sparse* M, int width, double x[], double values[])
{
    krylov s;
    bool good = make(&s, factor, M, width);
    size_t m = (size_t)s.most;
    double* room = ss_new(2 * m * m + m, sizeof *room);
    const double** order = ss_new(m, sizeof *order);
    good = good && room && order;
    for (int j = 0; j < BLOCK && good && s.count < s.most; j++) {
        draw(&s, s.row);
        take(&s, s.row, -1);
    }
    for (int first = 0; good && first < s.most; first += BLOCK)
        grow(&s, first, s.most - first < BLOCK ? s.most - first : BLOCK);
    if (good) pick(&s, width, room, order, x, values);
    drop(&s);
    free(room);
    free(order);
    return good;
}
