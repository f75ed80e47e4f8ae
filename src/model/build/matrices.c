// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Matrices: coordinates whose masses, springs and dampers are given as M, C and K [VL04, (15)], with T after
// z = T q [VL04, (10)-(16)]. They become bodies before all that are given one by one, and columns of W become
// contacts before all others, so that rows, ties, forces and laws treat them as any body and contact.
#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ss_matrices_coordinates(const ss_matrices_def* def)
{
    return !def ? 0 : def->T ? def->columns : def->size;
}

static ss_status check_matrix(const double a[], int n, const char* field, bool symmetric, ss_error* err)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double here = a[(size_t)i * (size_t)n + (size_t)j], there = a[(size_t)j * (size_t)n + (size_t)i];
            if (!isfinite(here)) return ss_fail(err, SS_BAD_INPUT, field, "entries must be finite");
            if (symmetric && fabs(here - there) > SS_RELATIVE_ZERO * fmax(fabs(here), fabs(there)))
                return ss_fail(err, SS_BAD_INPUT, field,
                               "must be symmetric: entry (%d, %d) is %.9g, (%d, %d) is %.9g", i + 1, j + 1,
                               here, j + 1, i + 1, there);
        }
    return SS_OK;
}

static ss_status check_vector(const double a[], int n, const char* field, ss_error* err)
{
    for (int i = 0; a && i < n; i++)
        if (!isfinite(a[i])) return ss_fail(err, SS_BAD_INPUT, field, "entries must be finite");
    return SS_OK;
}

static ss_status check_frictions(const ss_matrices_def* def, ss_error* err)
{
    for (int c = 0; c < def->contacts; c++) {
        char field[48];
        snprintf(field, sizeof field, "matrices.friction[%d]", c);
        if (!(def->friction[c] >= 0.0 && isfinite(def->friction[c])))
            return ss_fail(err, SS_BAD_INPUT, field, "friction must be a number >= 0, not %g",
                           def->friction[c]);
    }
    return SS_OK;
}

// All that is needed is there, and every number is one.
static ss_status check_parts(const ss_matrices_def* def, ss_error* err)
{
    const struct {
        const void* part;
        const char* field;
        bool needed;
    } parts[] = {{def->M, "matrices.M", true},
                 {def->K, "matrices.K", true},
                 {def->W, "matrices.W", def->contacts > 0},
                 {def->friction, "matrices.friction", def->contacts > 0}};
    int size = def->size, n = ss_matrices_coordinates(def);
    if (size < 1 || n < 1 || n > size)
        return ss_fail(err, SS_BAD_INPUT, "matrices.T", "needs between 1 and %d columns", size);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (parts[k].needed && !parts[k].part)
            return ss_fail(err, SS_BAD_INPUT, parts[k].field, "is missing");
    ss_status status = check_matrix(def->M, size, "matrices.M", true, err);
    if (status == SS_OK && def->C) status = check_matrix(def->C, size, "matrices.C", false, err);
    if (status == SS_OK) status = check_matrix(def->K, size, "matrices.K", true, err);
    if (status == SS_OK) status = check_vector(def->start_x, n, "matrices.start_x", err);
    if (status == SS_OK) status = check_vector(def->start_v, n, "matrices.start_v", err);
    if (status == SS_OK) status = check_vector(def->f, size, "matrices.f", err);
    if (status == SS_OK && def->T) status = check_vector(def->T, size * n, "matrices.T", err);
    if (status == SS_OK) status = check_vector(def->W, size * def->contacts, "matrices.W", err);
    return status == SS_OK ? check_frictions(def, err) : status;
}

// out = T^T b for b of size x columns; without T it is b.
static void reduce_columns(const ss_matrices_def* def, const double b[], int columns, double out[])
{
    size_t size = (size_t)def->size, n = (size_t)ss_matrices_coordinates(def), width = (size_t)columns;
    if (!def->T) {
        memcpy(out, b, size * width * sizeof *out);
        return;
    }
    memset(out, 0, n * width * sizeof *out);
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < width; j++) out[i * width + j] += def->T[k * n + i] * b[k * width + j];
}

// out = T^T a T; work holds size x n numbers.
static void reduce_matrix(const ss_matrices_def* def, const double a[], double work[], double out[])
{
    size_t size = (size_t)def->size, n = (size_t)ss_matrices_coordinates(def);
    if (!def->T) {
        memcpy(out, a, size * size * sizeof *out);
        return;
    }
    memset(work, 0, size * n * sizeof *work);
    for (size_t k = 0; k < size; k++)
        for (size_t l = 0; l < size; l++)
            for (size_t j = 0; j < n && a[k * size + l] != 0.0; j++)
                work[k * n + j] += a[k * size + l] * def->T[l * n + j];
    reduce_columns(def, work, (int)n, out);
}

static ss_sparse from_dense(ss_model* model, const double a[], int n)
{
    size_t used = 0, room = 0, size = (size_t)n * (size_t)n;
    for (size_t k = 0; k < size; k++) room += a[k] != 0.0;
    ss_entry* entries = ss_new(room, sizeof *entries);
    if (!entries) {
        model->pool.failed = true;
        return (ss_sparse){0};
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double value = a[(size_t)i * (size_t)n + (size_t)j];
            if (value != 0.0) entries[used++] = (ss_entry){i, j, value};
        }
    ss_sparse out = ss_sparse_build(&model->pool, n, entries, used);
    free(entries);
    return out;
}

static int compare_stiffness(const void* a, const void* b)
{
    double x = **(double*const*)a, y = **(double*const*)b;
    return (x > y) - (x < y);
}

// Adds M phi 2 zeta omega phi^T M for every mode. In coordinates in which M is 1, M = L L^T, phi = L^-T v.
// values: n; rest: three matrices.
static ss_status add_modes(const ss_matrices_def* def, const double M[], const double K[], int n, double C[],
                           double* values, const double** order, double rest[], ss_error* err)
{
    size_t area = (size_t)n * (size_t)n;
    double *l = rest, *k = l + area, *v = k + area, size = 0.0;
    memcpy(l, M, area * sizeof *l);
    memcpy(k, K, area * sizeof *k);
    if (!ss_cholesky(l, n)) return SS_OK; // told when M is inverted
    ss_congruence(l, n, k);
    ss_symmetric_eigen(k, n, values, v);
    for (int j = 0; j < n; j++) {
        order[j] = &values[j];
        size = fmax(size, fabs(values[j]));
    }
    qsort(order, (size_t)n, sizeof *order, compare_stiffness);
    for (int place = 0; place < n; place++) {
        int j = (int)(order[place] - values), which = place < def->modal_count ? place : def->modal_count - 1;
        if (values[j] < -SS_NOISE * n * size)
            return ss_fail(err, SS_BAD_INPUT, "matrices.C",
                           "a ratio of damping needs a frequency, and K pushes a mode away (%.6g 1/s^2)",
                           values[j]);
        double rate = 2.0 * def->modal[which] * sqrt(fmax(values[j], 0.0)), *w = k; // M phi = L v
        for (int i = 0; i < n; i++) {
            w[i] = 0.0;
            for (int m = 0; m <= i; m++)
                w[i] += l[(size_t)i * (size_t)n + (size_t)m] * v[(size_t)m * (size_t)n + (size_t)j];
        }
        for (size_t a = 0; a < area; a++) C[a] += rate * w[a / (size_t)n] * w[a % (size_t)n];
    }
    return SS_OK;
}

// C as given, and what is given by ratios.
static ss_status make_damping(const ss_matrices_def* def, const double M[], const double K[], ss_pool* pool,
                              double work[], double C[], ss_error* err)
{
    int n = ss_matrices_coordinates(def);
    size_t area = (size_t)n * (size_t)n;
    if (def->C)
        reduce_matrix(def, def->C, work, C);
    else
        memset(C, 0, area * sizeof *C);
    for (size_t a = 0; a < area; a++) C[a] += def->rayleigh[0] * M[a] + def->rayleigh[1] * K[a];
    if (def->modal_count == 0) return SS_OK;
    double* values = ss_pool_new(pool, (size_t)n, sizeof *values);
    const double** order = ss_pool_new(pool, (size_t)n, sizeof *order);
    double* rest = ss_pool_new(pool, 3 * area, sizeof *rest);
    if (pool->failed) return ss_fail_no_memory(err);
    return add_modes(def, M, K, n, C, values, order, rest, err);
}

static ss_status keep_matrices(ss_model* model, const ss_matrices_def* def, ss_pool* pool, ss_error* err)
{
    ss_block* block = &model->matrices.block;
    int n = block->count = ss_matrices_coordinates(def);
    size_t area = (size_t)n * (size_t)n;
    double* work = ss_pool_new(pool, (size_t)def->size * (size_t)n, sizeof *work);
    double* M = ss_pool_new(pool, 3 * area, sizeof *M);
    if (def->f) block->force = ss_pool_new(&model->pool, (size_t)n, sizeof *block->force);
    if (pool->failed || model->pool.failed) return ss_fail_no_memory(err);
    double *K = M + area, *C = K + area;
    reduce_matrix(def, def->M, work, M);
    reduce_matrix(def, def->K, work, K);
    ss_status status = make_damping(def, M, K, pool, work, C, err);
    if (status != SS_OK) return status;
    block->mass = from_dense(model, M, n);
    block->stiffness = from_dense(model, K, n);
    block->damping = from_dense(model, C, n);
    if (def->f) reduce_columns(def, def->f, 1, block->force);
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

// "q3" or "c2": what has no name of its own.
static const char* numbered(ss_pool* pool, char letter, int number)
{
    char name[24];
    int length = snprintf(name, sizeof name, "%c%d", letter, number);
    return ss_pool_text(pool, name, (size_t)length);
}

// Coordinates of the matrices, then the bodies given one by one.
static void unfold_bodies(const ss_system_def* def, ss_pool* pool, ss_system_def* out)
{
    const ss_matrices_def* from = def->matrices;
    int n = ss_matrices_coordinates(from);
    ss_body_def* bodies = ss_pool_new(pool, (size_t)n + (size_t)def->body_count, sizeof *bodies);
    for (int i = 0; i < n && bodies; i++) {
        const char* name = from->names ? from->names[i] : NULL;
        bodies[i] = ss_body_def_default();
        bodies[i].name = name ? name : numbered(pool, 'q', i + 1);
        bodies[i].start_x = from->start_x ? from->start_x[i] : 0.0;
        bodies[i].start_v = from->start_v ? from->start_v[i] : 0.0;
    }
    if (bodies && def->body_count > 0)
        memcpy(bodies + n, def->bodies, (size_t)def->body_count * sizeof *bodies);
    out->bodies = bodies;
    out->body_count = n + def->body_count;
}

// Columns of W, after T where it is given, then the contacts given one by one.
static void unfold_contacts(const ss_system_def* def, ss_pool* pool, ss_system_def* out)
{
    const ss_matrices_def* from = def->matrices;
    size_t n = (size_t)ss_matrices_coordinates(from), m = (size_t)from->contacts;
    double* W = ss_pool_new(pool, n * m, sizeof *W);
    ss_term* terms = ss_pool_new(pool, n * m, sizeof *terms);
    ss_contact_def* contacts = ss_pool_new(pool, m + (size_t)def->contact_count, sizeof *contacts);
    if (pool->failed) return;
    if (m > 0) reduce_columns(from, from->W, from->contacts, W);
    for (size_t c = 0; c < m; c++) {
        ss_term* row = &terms[c * n];
        for (size_t i = 0; i < n; i++) row[i] = (ss_term){(int)i, W[i * m + c]};
        contacts[c] = ss_contact_def_default();
        contacts[c].name = numbered(pool, 'c', (int)c + 1);
        contacts[c].along = (ss_row_def){row, (int)n};
        contacts[c].coulomb = ss_coulomb_make(from->friction[c]);
    }
    if (def->contact_count > 0)
        memcpy(contacts + m, def->contacts, (size_t)def->contact_count * sizeof *contacts);
    out->contacts = contacts;
    out->contact_count = from->contacts + def->contact_count;
}

ss_status ss_model_unfold_matrices(ss_model* model, const ss_system_def* def, ss_pool* pool,
                                   ss_system_def* out, ss_error* err)
{
    *out = *def;
    if (!def->matrices) return SS_OK;
    ss_status status = check_parts(def->matrices, err);
    if (status == SS_OK) status = keep_matrices(model, def->matrices, pool, err);
    if (status != SS_OK) return status;
    unfold_bodies(def, pool, out);
    unfold_contacts(def, pool, out);
    return pool->failed ? ss_fail_no_memory(err) : SS_OK;
}
