// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sparse matrices are sorted by counting, first by column, then by row: linear in entries, rows and columns.
#include "core/algebra/sparse.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

// The order of entries by key (below `keys`), those of one key as they stand in `before`, which may be NULL
// for their own order. next: room for keys + 1.
static void sort_by(const ss_entry entries[], size_t count, bool by_row, int keys, const size_t before[],
                    size_t next[], size_t order[])
{
    memset(next, 0, ((size_t)keys + 1) * sizeof *next);
    for (size_t k = 0; k < count; k++) next[(by_row ? entries[k].row : entries[k].column) + 1]++;
    for (int i = 0; i < keys; i++) next[i + 1] += next[i];
    for (size_t k = 0; k < count; k++) {
        size_t from = before ? before[k] : k;
        order[next[by_row ? entries[from].row : entries[from].column]++] = from;
    }
}

ss_sparse ss_sparse_build(ss_pool* pool, int rows, const ss_entry entries[], size_t count)
{
    ss_sparse out = {.rows = rows,
                     .start = ss_pool_new(pool, (size_t)rows + 1, sizeof(int)),
                     .index = ss_pool_new(pool, count, sizeof(int)),
                     .value = ss_pool_new(pool, count, sizeof(double))};
    int columns = 0;
    for (size_t k = 0; k < count; k++)
        columns = columns > entries[k].column ? columns : entries[k].column + 1;
    size_t* next = ss_new((size_t)(rows > columns ? rows : columns) + 1, sizeof *next);
    size_t *by_column = ss_new(count, sizeof *by_column), *order = ss_new(count, sizeof *order);
    if (!next || !by_column || !order) pool->failed = true;
    if (!pool->failed) {
        sort_by(entries, count, false, columns, NULL, next, by_column);
        sort_by(entries, count, true, rows, by_column, next, order);
        int used = 0;
        for (size_t k = 0; k < count; k++) {
            const ss_entry *now = &entries[order[k]], *last = k > 0 ? &entries[order[k - 1]] : NULL;
            if (!last || last->row != now->row || last->column != now->column)
                out.index[used++] = now->column;
            out.value[used - 1] += now->value;
            out.start[now->row + 1] = used;
        }
        for (int i = 0; i < rows; i++)
            if (out.start[i + 1] < out.start[i]) out.start[i + 1] = out.start[i];
    }
    free(next);
    free(by_column);
    free(order);
    return out;
}

ss_sparse ss_sparse_from(ss_pool* pool, const ss_matrix_def* def)
{
    ss_entry* entries = ss_new(def->count, sizeof *entries);
    size_t used = 0;
    if (!entries) {
        pool->failed = true;
        return (ss_sparse){0};
    }
    for (size_t k = 0; k < def->count; k++) {
        size_t columns = (size_t)def->columns;
        if (def->value[k] == 0.0) continue;
        entries[used++] = (ss_entry){def->row ? def->row[k] : (int)(k / columns),
                                     def->row ? def->column[k] : (int)(k % columns), def->value[k]};
    }
    ss_sparse out = ss_sparse_build(pool, def->rows, entries, used);
    free(entries);
    return out;
}

static size_t list_entries(const ss_sparse* a, double factor, ss_entry out[], size_t used)
{
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            out[used++] = (ss_entry){i, a->index[k], factor * a->value[k]};
    return used;
}

ss_sparse ss_sparse_add(ss_pool* pool, const ss_sparse* a, double factor, const ss_sparse* b)
{
    ss_entry* entries = ss_new((size_t)a->start[a->rows] + (size_t)b->start[b->rows], sizeof *entries);
    if (!entries) {
        pool->failed = true;
        return (ss_sparse){0};
    }
    size_t used = list_entries(b, factor, entries, list_entries(a, 1.0, entries, 0));
    ss_sparse out = ss_sparse_build(pool, a->rows, entries, used);
    free(entries);
    return out;
}

ss_sparse ss_sparse_transpose(ss_pool* pool, const ss_sparse* a, int columns)
{
    size_t count = (size_t)a->start[a->rows];
    ss_sparse out = {.rows = columns,
                     .start = ss_pool_new(pool, (size_t)columns + 1, sizeof(int)),
                     .index = ss_pool_new(pool, count, sizeof(int)),
                     .value = ss_pool_new(pool, count, sizeof(double))};
    int* next = ss_new((size_t)columns + 1, sizeof *next);
    if (!next) pool->failed = true;
    if (!pool->failed) {
        for (size_t k = 0; k < count; k++) out.start[a->index[k] + 1]++;
        for (int j = 0; j < columns; j++) next[j + 1] = out.start[j + 1] += out.start[j];
        for (int i = 0; i < a->rows; i++)
            for (int k = a->start[i]; k < a->start[i + 1]; k++) {
                int at = next[a->index[k]]++;
                out.index[at] = i;
                out.value[at] = a->value[k];
            }
    }
    free(next);
    return out;
}

void ss_sparse_times(const ss_sparse* a, const double b[], int width, double out[])
{
    size_t w = (size_t)width;
    memset(out, 0, (size_t)a->rows * w * sizeof *out);
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            const double* from = b + (size_t)a->index[k] * w;
            double *to = out + (size_t)i * w, factor = a->value[k];
            for (size_t j = 0; j < w; j++) to[j] += factor * from[j];
        }
}
