// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Matrices: coordinates whose masses, springs and dampers are given as M, C and K [VL04, (15)], with T after
// z = T q [VL04, (10)-(16)]. They become bodies before all that are given one by one, and columns of W become
// contacts before all others, so that rows, ties, forces and laws treat them as any body and contact.
#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "model/build/reduction.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DENSE = 2000 }; // coordinates of what is computed whole

int ss_matrices_coordinates(const ss_matrices_def* def)
{
    return !def ? 0 : def->T.value ? def->T.columns : def->M.rows + (def->keep ? def->modes : 0);
}

// Every entry is a number, and has its place.
static ss_status check_entries(const ss_matrix_def* a, const char* field, ss_error* err)
{
    for (size_t k = 0; k < a->count; k++) {
        if (!isfinite(a->value[k])) return ss_fail(err, SS_BAD_INPUT, field, "entries must be finite");
        if (a->row &&
            (a->row[k] < 0 || a->row[k] >= a->rows || a->column[k] < 0 || a->column[k] >= a->columns))
            return ss_fail(err, SS_BAD_INPUT, field, "entry (%d, %d) lies outside of a matrix of %d x %d",
                           a->row[k] + 1, a->column[k] + 1, a->rows, a->columns);
    }
    return SS_OK;
}

static ss_status check_matrix(const ss_matrix_def* a, const char* field, int rows, int columns, ss_error* err)
{
    if (!a->value) return SS_OK;
    if (a->rows != rows || a->columns != columns)
        return ss_fail(err, SS_BAD_INPUT, field, "needs to be %d x %d, not %d x %d", rows, columns, a->rows,
                       a->columns);
    if (!a->row && a->count != (size_t)rows * (size_t)columns)
        return ss_fail(err, SS_BAD_INPUT, field, "needs %d x %d entries", rows, columns);
    return check_entries(a, field, err);
}

static ss_status check_symmetric(const ss_sparse* a, ss_pool* pool, const char* field, ss_error* err)
{
    ss_sparse b = ss_sparse_transpose(pool, a, a->rows);
    if (pool->failed) return ss_fail_no_memory(err);
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i], l = b.start[i]; k < a->start[i + 1] || l < b.start[i + 1];) {
            int j = k < a->start[i + 1] ? a->index[k] : a->rows,
                m = l < b.start[i + 1] ? b.index[l] : a->rows;
            double here = j <= m ? a->value[k] : 0.0, there = m <= j ? b.value[l] : 0.0;
            if (fabs(here - there) > SS_RELATIVE_ZERO * fmax(fabs(here), fabs(there))) {
                int column = j < m ? j : m;
                return ss_fail(err, SS_BAD_INPUT, field,
                               "must be symmetric: entry (%d, %d) is %.9g, (%d, %d) is %.9g", i + 1,
                               column + 1, here, column + 1, i + 1, there);
            }
            k += j <= m;
            l += m <= j;
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
    for (int c = 0; c < def->W.columns; c++) {
        char field[48];
        snprintf(field, sizeof field, "matrices.friction[%d]", c);
        if (!(def->friction[c] >= 0.0 && isfinite(def->friction[c])))
            return ss_fail(err, SS_BAD_INPUT, field, "friction must be a number >= 0, not %g",
                           def->friction[c]);
    }
    return SS_OK;
}

static ss_status check_keep(const ss_matrices_def* def, ss_error* err)
{
    const char* field = "matrices.reduce.keep";
    int size = def->M.rows;
    if (!def->keep) return SS_OK;
    if (def->T.value) return ss_fail(err, SS_BAD_INPUT, field, "T is a reduction already");
    for (int k = 0; k < def->keep_count; k++)
        if (def->keep[k] <= (k > 0 ? def->keep[k - 1] : -1) || def->keep[k] >= size)
            return ss_fail(err, SS_BAD_INPUT, field, "needs ascending numbers from 0 to %d", size - 1);
    if (def->modes < 0 || def->modes > size - def->keep_count || def->keep_count + def->modes < 1)
        return ss_fail(err, SS_BAD_INPUT, "matrices.reduce.modes",
                       "expected 0 to %d modes, as many as coordinates are not kept, and one of something",
                       size - def->keep_count);
    if (def->keep_count + def->modes > MOST_DENSE)
        return ss_fail(err, SS_BAD_INPUT, "matrices.reduce.modes",
                       "%d coordinates and modes are left; at most %d", def->keep_count + def->modes,
                       MOST_DENSE);
    return SS_OK;
}

// What follows has no start of its own.
static ss_status check_start(const ss_matrices_def* def, ss_error* err)
{
    for (int i = 0, k = 0; i < def->M.rows; i++) {
        bool kept = k < def->keep_count && def->keep[k] == i;
        k += kept;
        if (!kept && ((def->start_x && def->start_x[i] != 0.0) || (def->start_v && def->start_v[i] != 0.0)))
            return ss_fail(err, SS_BAD_INPUT, "start",
                           "coordinate %d is not kept: it starts where kept ones and modes have it", i + 1);
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
    } parts[] = {{def->M.value, "matrices.M", true},
                 {def->K.value, "matrices.K", true},
                 {def->friction, "matrices.friction", def->W.value && def->W.columns > 0}};
    int size = def->M.rows, n = ss_matrices_coordinates(def);
    if (size < 1 || n < 1 || (def->T.value && n > size))
        return ss_fail(err, SS_BAD_INPUT, "matrices.T", "needs between 1 and %d columns", size);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (parts[k].needed && !parts[k].part)
            return ss_fail(err, SS_BAD_INPUT, parts[k].field, "is missing");
    ss_status status = check_matrix(&def->M, "matrices.M", size, size, err);
    if (status == SS_OK) status = check_matrix(&def->C, "matrices.C", size, size, err);
    if (status == SS_OK) status = check_matrix(&def->K, "matrices.K", size, size, err);
    if (status == SS_OK) status = check_vector(def->start_x, n, "matrices.start_x", err);
    if (status == SS_OK) status = check_vector(def->start_v, n, "matrices.start_v", err);
    if (status == SS_OK) status = check_vector(def->f, size, "matrices.f", err);
    if (status == SS_OK) status = check_matrix(&def->T, "matrices.T", size, n, err);
    if (status == SS_OK) status = check_matrix(&def->W, "matrices.W", size, def->W.columns, err);
    if (status == SS_OK) status = check_keep(def, err);
    if (status == SS_OK && def->keep) status = check_start(def, err);
    return status == SS_OK && def->W.value ? check_frictions(def, err) : status;
}

// ---- in the coordinates that move: z = B q, B = T, or Craig and Bampton's, or 1

// What matrices of definitions become on the way to the model.
typedef struct making {
    const ss_matrices_def* def;
    ss_model* model;
    ss_pool* pool;
    int size, n;            // rows of M; coordinates that move
    ss_sparse M, K;         // as given
    ss_reduction reduction; // of Craig and Bampton
    const double* basis;    // B, size x n, or NULL for 1
    ss_error* err;
} making;

// out = B^T b for b of size x columns.
static void reduce_columns(const making* m, const double b[], int columns, double out[])
{
    size_t size = (size_t)m->size, n = (size_t)m->n, width = (size_t)columns;
    if (!m->basis) {
        memcpy(out, b, size * width * sizeof *out);
        return;
    }
    memset(out, 0, n * width * sizeof *out);
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < n; i++) {
            double factor = m->basis[k * n + i];
            for (size_t j = 0; j < width && factor != 0.0; j++)
                out[i * width + j] += factor * b[k * width + j];
        }
}

static ss_sparse from_dense(making* m, const double a[])
{
    ss_matrix_def whole = ss_matrix_whole(m->n, m->n, a);
    return ss_sparse_from(&m->model->pool, &whole);
}

// B^T a B, kept in the model.
static ss_sparse reduce_matrix(making* m, const ss_matrix_def* a)
{
    size_t n = (size_t)m->n;
    ss_pool* pool = m->basis ? m->pool : &m->model->pool;
    ss_sparse given = ss_sparse_from(pool, a);
    if (!m->basis || pool->failed) return given;
    double* work = ss_pool_new(pool, ((size_t)m->size + n) * n, sizeof *work);
    if (!work) return given;
    double* out = work + (size_t)m->size * n;
    ss_sparse_times(&given, m->basis, m->n, work);
    reduce_columns(m, work, m->n, out);
    return from_dense(m, out);
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

static void fill_dense(const ss_sparse* a, double out[])
{
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            out[(size_t)i * (size_t)a->rows + (size_t)a->index[k]] = a->value[k];
}

// What is given by ratios of modes.
static ss_status make_modal(making* m, const ss_block* block, ss_sparse* out)
{
    int n = m->n;
    size_t area = (size_t)n * (size_t)n;
    double* rest = ss_pool_new(m->pool, 6 * area + (size_t)n, sizeof *rest);
    const double** order = ss_pool_new(m->pool, (size_t)n, sizeof *order);
    if (m->pool->failed) return ss_fail_no_memory(m->err);
    double *M = rest + 3 * area, *K = M + area, *C = K + area;
    fill_dense(&block->mass, M);
    fill_dense(&block->stiffness, K);
    ss_status status = add_modes(m->def, M, K, n, C, C + area, order, rest, m->err);
    *out = from_dense(m, C);
    return status;
}

// C as given, and what is given by ratios.
static ss_status make_damping(making* m, ss_block* block)
{
    const ss_matrices_def* def = m->def;
    ss_pool* pool = &m->model->pool;
    static const ss_matrix_def none = {0};
    ss_matrix_def zero = none;
    zero.rows = zero.columns = m->basis ? m->size : m->n;
    block->damping = reduce_matrix(m, def->C.value ? &def->C : &zero);
    if (pool->failed || m->pool->failed) return ss_fail_no_memory(m->err);
    if (def->rayleigh[0] != 0.0)
        block->damping = ss_sparse_add(pool, &block->damping, def->rayleigh[0], &block->mass);
    if (def->rayleigh[1] != 0.0 && !pool->failed)
        block->damping = ss_sparse_add(pool, &block->damping, def->rayleigh[1], &block->stiffness);
    if (pool->failed || def->modal_count == 0) return pool->failed ? ss_fail_no_memory(m->err) : SS_OK;
    if (m->n > MOST_DENSE)
        return ss_fail(
            m->err, SS_BAD_INPUT, "matrices.C",
            "ratios of damping need all modes, which are found for at most %d coordinates, not %d; "
            "reduce them",
            MOST_DENSE, m->n);
    ss_sparse modal;
    ss_status status = make_modal(m, block, &modal);
    if (status == SS_OK && !pool->failed) block->damping = ss_sparse_add(pool, &block->damping, 1.0, &modal);
    return pool->failed ? ss_fail_no_memory(m->err) : status;
}

// B of a definition with T, or with a reduction.
static ss_status make_basis(making* m)
{
    const ss_matrices_def* def = m->def;
    if (def->keep) {
        ss_status status =
            ss_matrices_reduce(def, &m->M, &m->K, &m->model->pool, m->pool, &m->reduction, m->err);
        m->basis = m->reduction.basis;
        m->n = def->keep_count + def->modes;
        return status;
    }
    m->n = ss_matrices_coordinates(def);
    if (!def->T.value) return SS_OK;
    ss_sparse T = ss_sparse_from(m->pool, &def->T);
    double* basis = ss_pool_new(m->pool, (size_t)m->size * (size_t)m->n, sizeof *basis);
    if (m->pool->failed) return ss_fail_no_memory(m->err);
    for (int i = 0; i < T.rows; i++)
        for (int k = T.start[i]; k < T.start[i + 1]; k++)
            basis[(size_t)i * (size_t)m->n + (size_t)T.index[k]] = T.value[k];
    m->basis = basis;
    return SS_OK;
}

static ss_status keep_matrices(making* m)
{
    const ss_matrices_def* def = m->def;
    ss_block* block = &m->model->matrices.block;
    ss_pool* pool = &m->model->pool;
    block->given = ss_matrices_coordinates(def);
    block->count = m->n;
    block->basis = m->reduction.basis;
    block->first_left_out = def->keep ? m->reduction.first_left_out : NAN;
    block->body = ss_pool_new(pool, (size_t)m->n, sizeof *block->body);
    if (def->f) block->force = ss_pool_new(pool, (size_t)m->n, sizeof *block->force);
    if (pool->failed) return ss_fail_no_memory(m->err);
    for (int i = 0; i < m->n; i++)
        block->body[i] = !def->keep ? i : i < def->keep_count ? def->keep[i] : m->size + i - def->keep_count;
    block->mass = reduce_matrix(m, &def->M);
    // What a reduction says of K is exact in its form: kept coordinates and modes do not pull at each other.
    block->stiffness = def->keep ? from_dense(m, m->reduction.stiffness) : reduce_matrix(m, &def->K);
    if (def->f) reduce_columns(m, def->f, 1, block->force);
    if (pool->failed || m->pool->failed) return ss_fail_no_memory(m->err);
    return make_damping(m, block);
}

// "q3" or "c2": what has no name of its own.
static const char* numbered(ss_pool* pool, const char* letter, int number)
{
    char name[24];
    int length = snprintf(name, sizeof name, "%s%d", letter, number);
    return ss_pool_text(pool, name, (size_t)length);
}

// Coordinates of the matrices, then the bodies given one by one.
static void unfold_bodies(const making* m, const ss_system_def* def, ss_system_def* out)
{
    const ss_matrices_def* from = def->matrices;
    int n = ss_matrices_coordinates(from);
    ss_body_def* bodies = ss_pool_new(m->pool, (size_t)n + (size_t)def->body_count, sizeof *bodies);
    for (int i = 0; i < n && bodies; i++) {
        const char* name = from->names && (!from->keep || i < m->size) ? from->names[i] : NULL;
        bool mode = from->keep && i >= m->size;
        bodies[i] = ss_body_def_default();
        bodies[i].name = name   ? name
                         : mode ? numbered(m->pool, "mode", i - m->size + 1)
                                : numbered(m->pool, "q", i + 1);
        bodies[i].start_x = from->start_x ? from->start_x[i] : 0.0;
        bodies[i].start_v = from->start_v ? from->start_v[i] : 0.0;
    }
    if (bodies && def->body_count > 0)
        memcpy(bodies + n, def->bodies, (size_t)def->body_count * sizeof *bodies);
    out->bodies = bodies;
    out->body_count = n + def->body_count;
}

// Column c of W as a row over bodies, after T where it is given. columns: W transposed.
static ss_row_def take_column(const making* m, const ss_sparse* columns, int c)
{
    bool transformed = m->def->T.value != NULL;
    int first = columns->start[c], count = columns->start[c + 1] - first;
    size_t room = (size_t)(transformed ? m->n : count);
    ss_term* terms = ss_pool_new(m->pool, room, sizeof *terms);
    double* sums = ss_pool_new(m->pool, room, sizeof *sums);
    if (m->pool->failed) return (ss_row_def){0};
    for (int k = 0; k < count; k++) {
        int z = columns->index[first + k];
        double value = columns->value[first + k];
        terms[transformed ? 0 : k] = (ss_term){z, value};
        for (size_t i = 0; i < room && transformed; i++) sums[i] += m->basis[(size_t)z * room + i] * value;
    }
    for (size_t i = 0; i < room && transformed; i++) terms[i] = (ss_term){(int)i, sums[i]};
    return (ss_row_def){terms, (int)room};
}

// Columns of W, then the contacts given one by one.
static void unfold_contacts(const making* m, const ss_system_def* def, ss_system_def* out)
{
    const ss_matrices_def* from = def->matrices;
    int count = from->W.value ? from->W.columns : 0;
    ss_sparse W = ss_sparse_from(m->pool, &from->W), columns = {0};
    if (!m->pool->failed) columns = ss_sparse_transpose(m->pool, &W, count);
    ss_contact_def* contacts =
        ss_pool_new(m->pool, (size_t)count + (size_t)def->contact_count, sizeof *contacts);
    for (int c = 0; c < count && !m->pool->failed; c++) {
        contacts[c] = ss_contact_def_default();
        contacts[c].name = numbered(m->pool, "c", c + 1);
        contacts[c].along = take_column(m, &columns, c);
        contacts[c].coulomb = ss_coulomb_make(from->friction[c]);
    }
    if (m->pool->failed) return;
    if (def->contact_count > 0)
        memcpy(contacts + count, def->contacts, (size_t)def->contact_count * sizeof *contacts);
    out->contacts = contacts;
    out->contact_count = count + def->contact_count;
}

ss_status ss_model_unfold_matrices(ss_model* model, const ss_system_def* def, ss_pool* pool,
                                   ss_system_def* out, ss_error* err)
{
    making m = {.def = def->matrices, .model = model, .pool = pool, .err = err};
    *out = *def;
    if (!def->matrices) return SS_OK;
    ss_status status = check_parts(def->matrices, err);
    if (status != SS_OK) return status;
    m.size = def->matrices->M.rows;
    m.M = ss_sparse_from(pool, &def->matrices->M);
    m.K = ss_sparse_from(pool, &def->matrices->K);
    if (pool->failed) return ss_fail_no_memory(err);
    status = check_symmetric(&m.M, pool, "matrices.M", err);
    if (status == SS_OK) status = check_symmetric(&m.K, pool, "matrices.K", err);
    if (status == SS_OK) status = make_basis(&m);
    if (status == SS_OK) status = keep_matrices(&m);
    if (status != SS_OK) return status;
    unfold_bodies(&m, def, out);
    unfold_contacts(&m, def, out);
    return pool->failed ? ss_fail_no_memory(err) : SS_OK;
}
