// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// L is found row by row: row k of L solves L_11 D_1 l = a_k, whose pattern is what the elimination tree
// reaches from the entries of a_k.
#include "core/algebra/ldl.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct workspace {
    int* parent;   // in the elimination tree, -1: a root
    int* seen;     // the last row that reached a column
    int* pattern;  // columns of the present row, from the back in an order of elimination
    int* path;     // from an entry upwards to what has been reached before
    size_t* count; // entries of each column so far
    double* y;     // the present row; 0 elsewhere
} workspace;

static bool make_work(workspace* w, int n)
{
    size_t size = (size_t)n;
    int* room = ss_new(4 * size + 1, sizeof *room);
    *w =
        (workspace){.parent = room, .count = ss_new(size, sizeof *w->count), .y = ss_new(size, sizeof *w->y)};
    if (!room || !w->count || !w->y) return false;
    w->seen = room + size;
    w->pattern = room + 2 * size;
    w->path = room + 3 * size;
    return true;
}

static void free_work(workspace* w)
{
    free(w->parent);
    free(w->count);
    free(w->y);
}

// The tree and the number of entries of each column of L.
static void plan(const ss_sparse* a, ss_ldl* f, workspace* w)
{
    for (int k = 0; k < f->n; k++) {
        int row = f->order[k];
        w->parent[k] = -1;
        w->seen[k] = k;
        for (int p = a->start[row]; p < a->start[row + 1]; p++)
            for (int i = f->place[a->index[p]]; i < k && w->seen[i] != k; i = w->parent[i]) {
                if (w->parent[i] < 0) w->parent[i] = k;
                w->count[i]++;
                w->seen[i] = k;
            }
    }
    for (int k = 0; k < f->n; k++) f->start[k + 1] = f->start[k] + w->count[k];
}

// Row k of A below its diagonal into y; the columns that it reaches, an order of elimination from `top` on.
static int reach(const ss_sparse* a, const ss_ldl* f, int k, workspace* w, double* diagonal)
{
    int row = f->order[k], top = f->n;
    w->seen[k] = k;
    for (int p = a->start[row]; p < a->start[row + 1]; p++) {
        int i = f->place[a->index[p]], length = 0;
        if (i == k) *diagonal += a->value[p];
        if (i >= k) continue;
        w->y[i] += a->value[p];
        for (; w->seen[i] != k; i = w->parent[i]) {
            w->path[length++] = i;
            w->seen[i] = k;
        }
        while (length > 0) w->pattern[--top] = w->path[--length];
    }
    return top;
}

static void eliminate(const ss_sparse* a, ss_ldl* f, workspace* w)
{
    memset(w->count, 0, (size_t)f->n * sizeof *w->count);
    for (int k = 0; k < f->n; k++) w->seen[k] = -1;
    f->smallest = f->n > 0 ? INFINITY : 0.0;
    for (int k = 0; k < f->n; k++) {
        double diagonal = 0.0;
        int top = reach(a, f, k, w, &diagonal);
        double pivot = diagonal, size = fabs(diagonal);
        for (int at = top; at < f->n; at++) {
            int i = w->pattern[at];
            double y = w->y[i], l = y / f->d[i];
            size_t end = f->start[i] + w->count[i]++;
            w->y[i] = 0.0;
            for (size_t p = f->start[i]; p < end; p++) w->y[f->index[p]] -= f->value[p] * y;
            pivot -= l * y;
            size = fmax(size, fabs(l * y));
            f->index[end] = k;
            f->value[end] = l;
        }
        f->d[k] = pivot;
        f->negative += pivot < 0.0;
        double share = size > 0.0 ? fabs(pivot) / size : 0.0;
        if (!(share >= f->smallest)) f->smallest = share; // NaN is none either
    }
}

void ss_ldl_factor(ss_pool* pool, const ss_sparse* a, ss_ldl* out)
{
    size_t n = (size_t)a->rows;
    workspace w;
    *out = (ss_ldl){.n = a->rows,
                    .order = ss_pool_new(pool, n, sizeof(int)),
                    .place = ss_pool_new(pool, n, sizeof(int)),
                    .start = ss_pool_new(pool, n + 1, sizeof(size_t)),
                    .d = ss_pool_new(pool, n, sizeof(double))};
    if (!make_work(&w, a->rows)) pool->failed = true;
    if (!pool->failed) ss_dissect(pool, a, out->order);
    if (!pool->failed) {
        for (int k = 0; k < a->rows; k++) out->place[out->order[k]] = k;
        plan(a, out, &w);
        out->index = ss_pool_new(pool, out->start[n], sizeof(int));
        out->value = ss_pool_new(pool, out->start[n], sizeof(double));
    }
    if (!pool->failed) eliminate(a, out, &w);
    free_work(&w);
}

void ss_ldl_solve(const ss_ldl* f, double x[], int width, double work[])
{
    size_t w = (size_t)width;
    for (int k = 0; k < f->n; k++)
        memcpy(work + (size_t)k * w, x + (size_t)f->order[k] * w, w * sizeof *work);
    for (int k = 0; k < f->n; k++) {
        const double* from = work + (size_t)k * w;
        for (size_t p = f->start[k]; p < f->start[k + 1]; p++) {
            double* to = work + (size_t)f->index[p] * w;
            for (size_t j = 0; j < w; j++) to[j] -= f->value[p] * from[j];
        }
    }
    for (int k = f->n - 1; k >= 0; k--) {
        double* to = work + (size_t)k * w;
        for (size_t j = 0; j < w; j++) to[j] /= f->d[k];
        for (size_t p = f->start[k]; p < f->start[k + 1]; p++) {
            const double* from = work + (size_t)f->index[p] * w;
            for (size_t j = 0; j < w; j++) to[j] -= f->value[p] * from[j];
        }
    }
    for (int k = 0; k < f->n; k++)
        memcpy(x + (size_t)f->order[k] * w, work + (size_t)k * w, w * sizeof *work);
}
