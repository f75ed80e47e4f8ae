// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues of a steady state: of y' = f(y) in its modes, over the directions that the contacts which hold
// leave. With W their rows, q = N a and q' = N b for N a basis of W^T q = 0, and
//
//     a' = b,     b' = N^T (1 - M^-1 W A^+ W^T) q''(a, b, s, z),     A = W^T M^-1 W
//
// Directions that nothing feels have the eigenvalue 0, for ever: it is left out.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/follow/steady_branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double on_the_axis = 1e-10; // real part of an eigenvalue as a share of the largest

// Rows (over coordinates) of the contacts that hold; returns their number.
static int held_rows(const ss_steady* s, double rows[], int contacts[])
{
    int n = s->field->n, count = 0;
    for (int i = 0; i < s->contacts; i++) {
        const ss_contact* contact = &s->model->contacts[i];
        bool holds = !ss_has_bristles(contact) && ss_steady_field_may_hold(s->field, i) &&
                     s->modes[i] != SS_STEADY_SLIP && s->modes[i] != SS_STEADY_OPEN;
        if (!holds) continue;
        double* row = rows + (size_t)count * (size_t)n;
        memset(row, 0, (size_t)n * sizeof(double));
        for (int k = 0; k < contact->q.count; k++) row[contact->q.index[k]] += contact->q.value[k];
        contacts[count++] = i;
    }
    return count;
}

// Takes out of column `of` of the accelerations what the held contacts do not allow: a -= M^-1 W A^+ W^T a.
// With an orthonormal basis N of what they allow, N b' with b' the least squares of M N b' = M a.. is the
// same as solving (N^T M N) b' = N^T M a, which needs no A.
static bool project(const ss_steady* s, const double basis[], int left, double accelerations[], int columns)
{
    int n = s->field->n;
    size_t nn = (size_t)n * (size_t)n;
    double* memory = ss_new(2 * nn + (size_t)n * (size_t)columns, sizeof(double));
    if (!memory) return false;
    double *mass = memory, *small = mass + nn, *weighted = small + nn;
    ss_model_get_matrix(s->model, SS_MATRIX_MASS, mass);
    ss_algebra_multiply(mass, accelerations, n, n, columns, weighted); // M a
    for (int r = 0; r < left; r++)
        for (int c = 0; c < left; c++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) sum += basis[r * n + i] * mass[i * n + j] * basis[c * n + j];
            small[r * left + c] = sum;
        }
    bool fine = left == 0 || ss_algebra_cholesky(small, left);
    double* right = mass; // not needed any more
    for (int c = 0; c < columns && fine; c++) {
        for (int r = 0; r < left; r++) {
            right[r] = 0.0;
            for (int i = 0; i < n; i++) right[r] += basis[r * n + i] * weighted[i * columns + c];
        }
        if (left > 0) ss_algebra_cholesky_solve(small, left, right);
        for (int r = 0; r < left; r++) accelerations[r * columns + c] = right[r];
    }
    free(memory);
    return fine;
}

// The matrix of the reduced system, of which the size is returned; -1 without memory.
static int reduce(ss_steady* s, double out[])
{
    int n = s->field->n, w = s->width, rest = w - 2 * n;
    size_t room = (size_t)s->contacts * (size_t)n + (size_t)w * (size_t)w;
    double* memory = ss_new(room + 1, sizeof(double));
    int* contacts = ss_new((size_t)s->contacts, sizeof(int));
    int size = -1;
    if (memory && contacts) {
        double* wide = memory + (size_t)s->contacts * (size_t)n;
        int held = held_rows(s, memory, contacts);
        int free_count = n;
        for (int i = 0; i < n * n; i++) s->work.basis[i] = i % (n + 1) == 0;
        if (held > 0) free_count = ss_algebra_null_space(memory, held, n, 1e-10, s->work.basis);
        size = free_count < 0 ? -1 : 2 * free_count + rest;
        // columns of y' over (a, b, s, z)
        for (int r = 0; r < w && size >= 0; r++)
            for (int c = 0; c < size; c++) {
                double sum = 0.0;
                const double* jac = s->work.jacobian + (size_t)r * (size_t)w;
                if (c >= 2 * free_count) sum = jac[2 * n + c - 2 * free_count];
                for (int i = 0; i < n && c < 2 * free_count; i++)
                    sum += jac[(c < free_count ? 0 : n) + i] * s->work.basis[(c % free_count) * n + i];
                wide[r * size + c] = sum;
            }
        if (size > 0 && !project(s, s->work.basis, free_count, wide + n * size, size)) size = -1;
        for (int c = 0; c < size; c++) {
            for (int r = 0; r < free_count; r++) {
                out[r * size + c] = c == free_count + r;
                out[(free_count + r) * size + c] = wide[(n + r) * size + c];
            }
            for (int r = 0; r < rest; r++)
                out[(2 * free_count + r) * size + c] = wide[(2 * n + r) * size + c];
        }
    }
    free(memory);
    free(contacts);
    return size;
}

// Leaves out the eigenvalues that are 0 because nothing feels a direction.
static int leave_out(double (*values)[2], int count, int zeros)
{
    for (; zeros > 0 && count > 0; zeros--) {
        int least = 0;
        for (int k = 1; k < count; k++)
            if (hypot(values[k][0], values[k][1]) < hypot(values[least][0], values[least][1])) least = k;
        count--;
        values[least][0] = values[count][0];
        values[least][1] = values[count][1];
    }
    return count;
}

// How many eigenvalues are beyond the imaginary axis, and the one nearest to it: of real ones, which pass one
// by one, and of pairs.
static void test(ss_branch_point* out)
{
    const ss_solution_branch_record* record = &out->record;
    int beyond = 0;
    for (int k = 0; k < SS_TESTS; k++) out->tests[k] = NAN;
    for (int k = 0; k < record->spectrum_count; k++) {
        const double* value = record->spectrum[k];
        int which = value[1] == 0.0 ? SS_TEST_UNIT : SS_TEST_PAIR;
        beyond += value[0] > 0.0;
        if (!(fabs(out->tests[which]) <= fabs(value[0]))) out->tests[which] = value[0];
    }
    memset(out->counts, 0, sizeof out->counts);
    out->counts[SS_TEST_UNIT] = beyond % 2;
    out->counts[SS_TEST_PAIR] = beyond;
}

// A speed of rounding is none.
static void keep_speeds(const ss_steady* s, double v[])
{
    for (int b = 0; b < s->field->bodies; b++) {
        double v_b = s->field->v[b];
        v[b] = fabs(v_b) <= SS_SUM_NOISE * s->scale[s->field->n] ? 0.0 : v_b;
    }
}

ss_status ss_steady_spectrum(ss_steady* s, const double u[], ss_branch_point* out, ss_error* err)
{
    ss_solution_branch_record* record = &out->record;
    const ss_steady_field* field = s->field;
    ss_steady_field_at(s->field, u);
    ss_steady_field_rates(s->field, s->work.rates, s->work.jacobian);
    int size = reduce(s, s->work.reduced);
    if (size < 0 ||
        (size > 0 && !ss_algebra_spectrum(s->work.reduced, size, s->work.real, s->work.imaginary)))
        return ss_fail_no_memory(err);
    for (int k = 0; k < size; k++) {
        record->spectrum[k][0] = s->work.real[k];
        record->spectrum[k][1] = s->work.imaginary[k];
    }
    record->spectrum_count = leave_out(record->spectrum, size, s->free_count + s->resting);
    ss_solution_branch_record_sort(s->branch, record);
    double largest = 0.0;
    record->stable = true;
    for (int k = 0; k < record->spectrum_count; k++)
        largest = fmax(largest, hypot(record->spectrum[k][0], record->spectrum[k][1]));
    for (int k = 0; k < record->spectrum_count; k++)
        record->stable = record->stable && record->spectrum[k][0] < -on_the_axis * largest;
    record->neutral = !record->stable && record->spectrum[0][0] <= on_the_axis * largest;
    record->value = u[s->size];
    memcpy(record->x, field->x, (size_t)field->bodies * sizeof(double));
    keep_speeds(s, record->v);
    memcpy(record->states, field->s, (size_t)field->states * sizeof(double));
    test(out);
    return SS_OK;
}
