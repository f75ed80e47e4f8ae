// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A Krylov space comes near the modes (krylov.c); subspace iteration ends there. A space of more vectors than
// modes are wanted is turned towards the lowest ones by Y = K^-1 M X, and within it the modes are those of
// two small matrices (Rayleigh and Ritz):
//
//     A = Y^T K Y,    B = Y^T M Y,    B s = A s/lambda,    X = Y s. (1)
//
// As many eigenvalues of K - sigma M are negative as modes lie below sigma [Sylvester's law of inertia].
#include "core/algebra/modes.h"

#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 8, ROUNDS = 200 };

typedef struct space {
    size_t n;
    int width;             // vectors of the space
    double *x, *y, *mx;    // n x width: X, Y, M X; later M Y
    double *a, *b, *s;     // width x width
    double *small, *value; // width each: eigenvalues of (1), lambda
    double* work;          // n x width
} space;

static bool make_space(space* s, size_t n, int width)
{
    size_t size = n * (size_t)width, area = (size_t)width * (size_t)width;
    double* room = ss_new(4 * size + 3 * area + 2 * (size_t)width, sizeof *room);
    *s = (space){.n = n, .width = width, .x = room};
    if (!room) return false;
    s->y = room + size;
    s->mx = room + 2 * size;
    s->work = room + 3 * size;
    s->a = room + 4 * size;
    s->b = s->a + area;
    s->s = s->b + area;
    s->small = s->s + area;
    s->value = s->small + width;
    return true;
}

// out = p^T q, which is symmetric
static void product(const space* s, const double p[], const double q[], double out[])
{
    size_t w = (size_t)s->width;
    memset(out, 0, w * w * sizeof *out);
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = 0; i < w; i++) {
            double factor = p[k * w + i];
            for (size_t j = i; j < w; j++) out[i * w + j] += factor * q[k * w + j];
        }
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < i; j++) out[i * w + j] = out[j * w + i];
}

// How far the first `count` vectors are from modes: |lambda y - x| against |x| = 1 in the norm of M, y = K^-1
// M x; y holds lambda y. mx is overwritten.
static double miss(space* s, const ss_sparse* M, int count)
{
    size_t w = (size_t)s->width;
    double worst = 0.0, *sum = s->small;
    for (size_t k = 0; k < s->n * w; k++) s->work[k] = s->y[k] - s->x[k];
    ss_sparse_times(M, s->work, s->width, s->mx);
    memset(sum, 0, w * sizeof *sum);
    for (size_t k = 0; k < s->n * w; k++) sum[k % w] += s->work[k] * s->mx[k];
    for (int j = 0; j < count; j++) {
        if (!isfinite(sum[j])) return INFINITY;
        worst = fmax(worst, sqrt(fmax(sum[j], 0.0)));
    }
    return worst;
}

static int compare(const void* a, const void* b)
{
    double x = **(double*const*)a, y = **(double*const*)b;
    return (x < y) - (x > y);
}

// X = Y s by (1), s in the order of ascending lambda. False where the space has lost a dimension.
static bool turn(space* s, const double** order, double vectors[], double l[])
{
    size_t w = (size_t)s->width;
    memcpy(l, s->a, w * w * sizeof *l);
    if (!ss_cholesky(l, s->width)) return false;
    ss_congruence(l, s->width, s->b);
    ss_symmetric_eigen(s->b, s->width, s->small, vectors);
    for (size_t j = 0; j < w; j++) order[j] = &s->small[j];
    qsort(order, w, sizeof *order, compare);
    for (size_t j = 0; j < w; j++) {
        size_t from = (size_t)(order[j] - s->small);
        if (!(s->small[from] > 0.0)) return false;
        s->value[j] = 1.0 / s->small[from];
        double scale = sqrt(s->value[j]); // s^T A s = 1 becomes s^T B s = 1
        for (size_t i = w; i-- > 0;) {    // L^T s = v
            double sum = vectors[i * w + from] * scale;
            for (size_t m = i + 1; m < w; m++) sum -= l[m * w + i] * s->s[m * w + j];
            s->s[i * w + j] = sum / l[i * w + i];
        }
    }
    memset(s->x, 0, s->n * w * sizeof *s->x);
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = 0; i < w; i++)
            for (size_t j = 0; j < w; j++) s->x[k * w + j] += s->y[k * w + i] * s->s[i * w + j];
    return true;
}

// Until the first `count` vectors are modes to rounding, as far as that goes. Answers how far they are.
static double iterate(space* s, const ss_ldl* factor, const ss_sparse* M, int count, double* room,
                      const double** order)
{
    size_t w = (size_t)s->width;
    double best = INFINITY;
    for (int round = 0, worse = 0; round < ROUNDS && worse < 2; round++) {
        ss_sparse_times(M, s->x, s->width, s->mx);
        memcpy(s->y, s->mx, s->n * w * sizeof *s->y);
        ss_ldl_solve(factor, s->y, s->width, s->work);
        for (size_t k = 0; k < s->n * w; k++) {
            s->y[k] *= s->value[k % w];
            s->mx[k] *= s->value[k % w]; // K Y
        }
        product(s, s->y, s->mx, s->a);
        double off = miss(s, M, count);
        worse = off < 0.5 * best ? 0 : best < 1e-9 ? worse + 1 : 0;
        best = fmin(best, off);
        ss_sparse_times(M, s->y, s->width, s->mx);
        product(s, s->y, s->mx, s->b);
        if (!turn(s, order, room, room + w * w)) return INFINITY;
    }
    return best;
}

// Whether as many modes lie below sigma as were found there.
static bool counts(const ss_sparse* K, const ss_sparse* M, double sigma, int below)
{
    ss_pool pool = {0};
    ss_ldl f;
    ss_sparse shifted = ss_sparse_add(&pool, K, -sigma, M);
    if (!pool.failed) ss_ldl_factor(&pool, &shifted, &f);
    bool proved = !pool.failed && f.smallest > SS_SAME && f.negative == below;
    ss_pool_free(&pool);
    return proved;
}

static bool is_same(double a, double b) { return b - a <= 1e-6 * b; }

// Whether exactly the first `count` values, and those that equal the last of them, lie below what follows.
// Where more equal the last than the space has vectors, all that lie below those must have been found.
static bool none_is_missing(const space* s, const ss_sparse* K, const ss_sparse* M, int count)
{
    const double* value = s->value;
    int below = count;
    while (below < s->width && is_same(value[below - 1], value[below])) below++;
    if ((size_t)below == s->n) return true;
    if (below < s->width) return counts(K, M, 0.5 * (value[below - 1] + value[below]), below);
    while (below > 0 && (below == s->width || is_same(value[below - 1], value[below]))) below--;
    double under = below > 0 ? value[below - 1] : 0.0;
    return counts(K, M, 0.5 * (under + value[below]), below);
}

// The first modes of the space, each with its largest entry positive.
static void keep(const space* s, ss_modes* out)
{
    size_t w = (size_t)s->width, count = (size_t)out->count;
    for (size_t j = 0; j < count; j++) {
        double largest = 0.0;
        for (size_t k = 0; k < s->n; k++)
            if (fabs(s->x[k * w + j]) > fabs(largest) * (1.0 + SS_SAME)) largest = s->x[k * w + j];
        for (size_t k = 0; k < s->n; k++)
            out->vectors[k * count + j] = largest < 0.0 ? -s->x[k * w + j] : s->x[k * w + j];
        out->values[j] = s->value[j];
    }
    out->next = out->count < s->width ? s->value[count] : INFINITY;
}

ss_modes_answer ss_modes_lowest(ss_pool* pool, const ss_sparse* K, const ss_ldl* factor, const ss_sparse* M,
                                int count, ss_modes* out)
{
    size_t n = (size_t)K->rows;
    int width = count + (count > GUARD ? count : GUARD);
    if ((size_t)width > n) width = (int)n;
    size_t area = (size_t)width * (size_t)width;
    *out = (ss_modes){.count = count,
                      .values = ss_pool_new(pool, (size_t)count, sizeof(double)),
                      .vectors = ss_pool_new(pool, n * (size_t)count, sizeof(double)),
                      .next = INFINITY};
    space s = {0};
    double* room = ss_new(2 * area, sizeof *room);
    const double** order = ss_new((size_t)width, sizeof *order);
    ss_modes_answer answer = SS_MODES_NO_MEMORY;
    if (room && order && make_space(&s, n, width) && !pool->failed) {
        int sought = count < width ? count + 1 : count; // the first one left out is told, too
        bool good = ss_krylov_begin(factor, M, width, s.x, s.value) &&
                    iterate(&s, factor, M, sought, room, order) < 1e-8;
        answer = good && none_is_missing(&s, K, M, sought) ? SS_MODES_FOUND : SS_MODES_NOT_FOUND;
        if (good) keep(&s, out);
    }
    free(s.x);
    free(room);
    free(order);
    return answer;
}
