// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The reduction: K_ii is factored once, for what the kept coordinates move and for the modes between them.
#include "model/build/reduction.h"

#include "core/algebra/modes.h"
#include "core/error.h"
#include "core/tolerance.h"

#include <stdlib.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

typedef struct parts {
    int size, kept, inner, modes;
    int *place, *number; // of a coordinate among the kept (as -1 - place) or the inner ones; of an inner one
    ss_sparse K, M;      // of the inner ones
    double* psi;         // inner x kept
    ss_modes found;
} parts;

static ss_status divide(parts* p, const ss_matrices_def* def, ss_pool* pool, ss_error* err)
{
    *p = (parts){.size = def->M.rows, .kept = def->keep_count, .modes = def->modes};
    p->inner = p->size - p->kept;
    p->place = ss_pool_new(pool, (size_t)p->size, sizeof *p->place);
    p->number = ss_pool_new(pool, (size_t)p->inner, sizeof *p->number);
    if (pool->failed) return ss_fail_no_memory(err);
    for (int i = 0, k = 0; i < p->size; i++) {
        bool kept = k < p->kept && def->keep[k] == i;
        p->place[i] = kept ? -1 - k : i - k;
        if (!kept) p->number[i - k] = i;
        k += kept;
    }
    return SS_OK;
}

// Rows and columns of a that belong to what is not kept.
static ss_sparse take_inner(const parts* p, const ss_sparse* a, ss_pool* pool)
{
    ss_entry* entries = ss_new((size_t)a->start[a->rows], sizeof *entries);
    size_t used = 0;
    if (!entries) {
        pool->failed = true;
        return (ss_sparse){0};
    }
    for (int i = 0; i < p->inner; i++)
        for (int k = a->start[p->number[i]]; k < a->start[p->number[i] + 1]; k++)
            if (p->place[a->index[k]] >= 0)
                entries[used++] = (ss_entry){i, p->place[a->index[k]], a->value[k]};
    ss_sparse out = ss_sparse_build(pool, p->inner, entries, used);
    free(entries);
    return out;
}

// Psi = -K_ii^-1 K_ib
static ss_status find_static(parts* p, const ss_sparse* K, const ss_ldl* factor, ss_pool* pool, ss_error* err)
{
    size_t kept = (size_t)p->kept, room = (size_t)p->inner * kept;
    double* work = ss_new(room, sizeof *work);
    p->psi = ss_pool_new(pool, room, sizeof *p->psi);
    if (!work || pool->failed) {
        free(work);
        return ss_fail_no_memory(err);
    }
    for (int i = 0; i < p->inner; i++)
        for (int k = K->start[p->number[i]]; k < K->start[p->number[i] + 1]; k++) {
            int place = p->place[K->index[k]];
            if (place < 0) p->psi[(size_t)i * kept + (size_t)(-1 - place)] -= K->value[k];
        }
    ss_ldl_solve(factor, p->psi, p->kept, work);
    free(work);
    return SS_OK;
}

static ss_status find_modes(parts* p, const ss_ldl* factor, ss_pool* pool, ss_error* err)
{
    switch (ss_modes_lowest(pool, &p->K, factor, &p->M, p->modes, &p->found)) {
    case SS_MODES_FOUND: return SS_OK;
    case SS_MODES_NO_MEMORY: return ss_fail_no_memory(err);
    default:
        return ss_fail(err, SS_BAD_INPUT, "matrices.reduce.modes",
                       "the %d lowest modes could not be found for sure: M or K is singular to rounding, or "
                       "too many modes lie close together",
                       p->modes);
    }
}

static ss_status solve_inner(parts* p, const ss_sparse* M, const ss_sparse* K, ss_pool* pool, ss_error* err)
{
    ss_ldl factor, mass;
    p->K = take_inner(p, K, pool);
    if (!pool->failed) p->M = take_inner(p, M, pool);
    if (!pool->failed) ss_ldl_factor(pool, &p->K, &factor);
    if (!pool->failed) ss_ldl_factor(pool, &p->M, &mass);
    if (pool->failed) return ss_fail_no_memory(err);
    if (mass.negative > 0 || !(mass.smallest > SS_NOISE))
        return ss_fail(err, SS_BAD_INPUT, "matrices.M", "the mass matrix must be positive definite");
    if (factor.negative > 0 || !(factor.smallest > SS_NOISE))
        return ss_fail(err, SS_BAD_INPUT, "matrices.reduce.keep",
                       "with the kept coordinates at rest something can still move freely (to rounding), or "
                       "K pushes it away; keep a coordinate of it");
    ss_status status = find_static(p, K, &factor, pool, err);
    return status == SS_OK ? find_modes(p, &factor, pool, err) : status;
}

// B of (1), and B^T K B: the two do not pull at each other, as K_bi Phi + Psi^T K_ii Phi = 0.
static void put_together(const parts* p, const ss_sparse* K, ss_reduction* out)
{
    size_t kept = (size_t)p->kept, modes = (size_t)p->modes, n = kept + modes;
    for (int i = 0; i < p->size; i++) {
        double* row = out->basis + (size_t)i * n;
        int place = p->place[i];
        if (place < 0) {
            row[-1 - place] = 1.0;
            continue;
        }
        memcpy(row, p->psi + (size_t)place * kept, kept * sizeof *row);
        memcpy(row + kept, p->found.vectors + (size_t)place * modes, modes * sizeof *row);
    }
    for (int i = 0; i < p->size; i++)
        for (int k = K->start[i]; k < K->start[i + 1] && p->place[i] < 0; k++)
            for (size_t j = 0; j < kept; j++)
                out->stiffness[(size_t)(-1 - p->place[i]) * n + j] +=
                    K->value[k] * out->basis[(size_t)K->index[k] * n + j];
    for (size_t i = 0; i < kept; i++)
        for (size_t j = 0; j < i; j++)
            out->stiffness[i * n + j] = out->stiffness[j * n + i] =
                0.5 * (out->stiffness[i * n + j] + out->stiffness[j * n + i]);
    for (size_t j = 0; j < modes; j++) out->stiffness[(kept + j) * (n + 1)] = p->found.values[j];
}

ss_status ss_matrices_reduce(const ss_matrices_def* def, const ss_sparse* M, const ss_sparse* K,
                             ss_pool* kept, ss_pool* pool, ss_reduction* out, ss_error* err)
{
    parts p;
    size_t n = (size_t)def->keep_count + (size_t)def->modes;
    ss_status status = divide(&p, def, pool, err);
    if (status != SS_OK) return status;
    out->basis = ss_pool_new(kept, (size_t)p.size * n, sizeof *out->basis);
    out->stiffness = ss_pool_new(pool, n * n, sizeof *out->stiffness);
    out->first_left_out = NAN;
    if (kept->failed || pool->failed) return ss_fail_no_memory(err);
    if (p.inner > 0) {
        status = solve_inner(&p, M, K, pool, err);
        if (status != SS_OK) return status;
        if (isfinite(p.found.next)) out->first_left_out = sqrt(p.found.next) / two_pi;
    }
    put_together(&p, K, out);
    return SS_OK;
}
