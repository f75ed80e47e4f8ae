// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Large structures: sparse factors against dense ones, modes against closed forms, and Craig and Bampton's
// reduction against the whole model.
#include "core/algebra/dense.h"
#include "core/algebra/ldl.h"
#include "core/algebra/modes.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;

static double draw(void) // 0 to 1
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

// ---- factors

enum { MOST = 60 };

// A symmetric matrix whose graph is a chain with a few more edges, in parts; `definite` or not.
static void draw_matrix(int n, bool definite, double a[])
{
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) {
        int j = draw() < 0.8 ? i - 1 : (int)(draw() * n);
        double value = draw() - 0.5;
        if (j < 0 || j == i) continue;
        a[i * n + j] += value;
        a[j * n + i] += value;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.1;
        for (int j = 0; j < n; j++) sum += fabs(a[i * n + j]);
        a[i * n + i] = definite || draw() < 0.7 ? sum : -sum;
    }
}

static int count_negative(const double a[], int n)
{
    static double work[MOST * MOST], vectors[MOST * MOST], values[MOST];
    int count = 0;
    memcpy(work, a, (size_t)n * (size_t)n * sizeof *a);
    ss_symmetric_eigen(work, n, values, vectors);
    for (int i = 0; i < n; i++) count += values[i] < 0.0;
    return count;
}

static void test_factors_solve_and_count(void** state)
{
    (void)state;
    static double a[MOST * MOST], x[MOST * 3], b[MOST * 3], work[MOST * 3];
    for (int k = 0; k < 300; k++) {
        int n = 1 + (int)(draw() * MOST);
        ss_pool pool = {0};
        ss_ldl f;
        draw_matrix(n, k % 2 == 0, a);
        ss_matrix_def def = ss_matrix_whole(n, n, a);
        ss_sparse sparse = ss_sparse_from(&pool, &def);
        for (int i = 0; i < 3 * n; i++) x[i] = draw() - 0.5;
        ss_sparse_times(&sparse, x, 3, b);
        ss_ldl_factor(&pool, &sparse, &f);
        assert_false(pool.failed);
        assert_int_equal(f.negative, count_negative(a, n));
        ss_ldl_solve(&f, b, 3, work);
        for (int i = 0; i < 3 * n; i++)
            if (!(fabs(b[i] - x[i]) <= 1e-11)) fail_msg("%d of %d: %.17g is not %.17g", i, n, b[i], x[i]);
        ss_pool_free(&pool);
    }
}

// Of a net of n x n vertices elimination in the order of rows fills n^3; nested dissection far less.
static void test_dissection_fills_little(void** state)
{
    (void)state;
    enum { N = 64 };
    static ss_entry entries[5 * N * N];
    size_t used = 0;
    for (int i = 0; i < N * N; i++) {
        const int beside[] = {i % N > 0 ? i - 1 : -1, i % N < N - 1 ? i + 1 : -1, i - N,
                              i + N < N * N ? i + N : -1};
        entries[used++] = (ss_entry){i, i, 4.1};
        for (int k = 0; k < 4; k++)
            if (beside[k] >= 0) entries[used++] = (ss_entry){i, beside[k], -1.0};
    }
    ss_pool pool = {0};
    ss_sparse net = ss_sparse_build(&pool, N * N, entries, used);
    ss_ldl f;
    ss_ldl_factor(&pool, &net, &f);
    assert_false(pool.failed);
    assert_true(f.start[N * N] < (size_t)N * N * N / 2);
    assert_int_equal(f.negative, 0);
    ss_pool_free(&pool);
}

// ---- modes

enum { SIDE = 24 };

// A square membrane, SIDE x SIDE masses 1 joined by springs 1, the rim held: (i, j) has the eigenvalue
// 4 sin^2(i pi/2/(SIDE + 1)) + 4 sin^2(j pi/2/(SIDE + 1)), each pair twice.
static void draw_membrane(ss_entry* entries, size_t* used)
{
    *used = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        entries[(*used)++] = (ss_entry){i, i, 4.0};
        if (i % SIDE > 0) entries[(*used)++] = (ss_entry){i, i - 1, -1.0};
        if (i % SIDE < SIDE - 1) entries[(*used)++] = (ss_entry){i, i + 1, -1.0};
        if (i >= SIDE) entries[(*used)++] = (ss_entry){i, i - SIDE, -1.0};
        if (i < SIDE * (SIDE - 1)) entries[(*used)++] = (ss_entry){i, i + SIDE, -1.0};
    }
}

static int compare(const void* a, const void* b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void test_modes_of_a_membrane(void** state)
{
    (void)state;
    static ss_entry entries[5 * SIDE * SIDE];
    static double exact[SIDE * SIDE];
    const double quarter = acos(-1.0) / 2.0 / (SIDE + 1);
    size_t used;
    ss_pool pool = {0};
    draw_membrane(entries, &used);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            exact[i * SIDE + j] = 4.0 * pow(sin((i + 1) * quarter), 2) + 4.0 * pow(sin((j + 1) * quarter), 2);
    qsort(exact, SIDE * SIDE, sizeof *exact, compare);
    ss_sparse K = ss_sparse_build(&pool, SIDE * SIDE, entries, used);
    for (int i = 0; i < SIDE * SIDE; i++) entries[i] = (ss_entry){i, i, 1.0};
    ss_sparse M = ss_sparse_build(&pool, SIDE * SIDE, entries, SIDE * SIDE);
    ss_ldl factor;
    ss_ldl_factor(&pool, &K, &factor);
    for (int count = 0; count <= 33; count += 3) {
        ss_modes modes;
        assert_int_equal(ss_modes_lowest(&pool, &K, &factor, &M, count, &modes), SS_MODES_FOUND);
        for (int j = 0; j < count; j++) {
            double largest = 0.0, length = 0.0;
            assert_true(fabs(modes.values[j] - exact[j]) <= 1e-12 * exact[j]);
            for (int i = 0; i < SIDE * SIDE; i++) {
                double x = modes.vectors[i * count + j], pull = 0.0;
                for (int k = K.start[i]; k < K.start[i + 1]; k++)
                    pull += K.value[k] * modes.vectors[K.index[k] * count + j];
                assert_true(fabs(pull - exact[j] * x) <= 1e-10);
                length += x * x;
                if (fabs(x) > fabs(largest)) largest = x;
            }
            assert_true(fabs(length - 1.0) <= 1e-12);
        }
        assert_true(fabs(modes.next - exact[count]) <= 1e-12 * exact[count]);
    }
    ss_pool_free(&pool);
}

// ---- reduced models

enum { LINKS = 12 };

typedef struct chain {
    double M[LINKS * LINKS], C[LINKS * LINKS], K[LINKS * LINKS];
} chain;

// A chain with random masses, springs and dampers, its first mass joined to the ground; M couples neighbours.
static void draw_chain(chain* s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < LINKS; i++) {
        double k = 10.0 + 30.0 * draw(), c = 0.2 * draw(), m = 0.3 * draw();
        s->M[i * LINKS + i] += 1.0 + draw() + m;
        s->K[i * LINKS + i] += k;
        s->C[i * LINKS + i] += c;
        if (i == 0) continue;
        int at[] = {i * LINKS + i - 1, (i - 1) * LINKS + i, (i - 1) * LINKS + i - 1};
        for (int e = 0; e < 3; e++) {
            s->M[at[e]] += m;
            s->K[at[e]] += e < 2 ? -k : k;
            s->C[at[e]] += e < 2 ? -c : c;
        }
    }
}

static ss_model* make_chain(const chain* s, const int keep[], int kept, int modes)
{
    static ss_contact_def contacts[2];
    static ss_term floor_term[] = {{3, 1.0}}, pair_terms[] = {{9, 1.0}, {5, -1.0}};
    static ss_force_def force;
    ss_signal* push = NULL;
    ss_scope nothing = {.allow_time = true};
    ss_error err = {0};
    ss_matrices_def matrices = {.M = ss_matrix_whole(LINKS, LINKS, s->M),
                                .C = ss_matrix_whole(LINKS, LINKS, s->C),
                                .K = ss_matrix_whole(LINKS, LINKS, s->K),
                                .keep = keep,
                                .keep_count = kept,
                                .modes = modes};
    ss_system_def def = ss_system_def_default();
    assert_int_equal(
        ss_signal_parse("3 N*cos(2 rad/s*t)", &nothing, (ss_dimension){1, 1, -2, 0}, &push, &err), SS_OK);
    contacts[0] = contacts[1] = ss_contact_def_default();
    contacts[0].name = "floor";
    contacts[0].along = (ss_row_def){floor_term, 1};
    contacts[0].coulomb = ss_coulomb_make(0.4);
    contacts[1].name = "pair";
    contacts[1].along = (ss_row_def){pair_terms, 2};
    contacts[1].coulomb = ss_coulomb_make(0.2);
    force = (ss_force_def){.body = 11, .force = push};
    def.matrices = &matrices;
    def.contacts = contacts;
    def.contact_count = 2;
    def.forces = &force;
    def.force_count = 1;
    ss_model* model = NULL;
    if (ss_model_create(&def, &model, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    ss_signal_destroy(push);
    return model;
}

static ss_motion* run(const ss_model* model)
{
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion = NULL;
    ss_error err = {0};
    def.until = 4.0;
    assert_int_equal(ss_motion_create(model, &def, &motion, &err), SS_OK);
    if (ss_motion_run(motion, &err) != SS_OK) fail_msg("%s", err.text);
    return motion;
}

// With all modes a reduction is a change of coordinates: contacts on kept coordinates and on others, and what
// follows, move as they did.
static void test_all_modes_are_the_whole_model(void** state)
{
    (void)state;
    static const int keeps[][4] = {{3, 5, 9, 11}, {11}, {0, 3}};
    static const int kept[] = {4, 1, 2, 0};
    for (int k = 0; k < 40; k++) {
        chain s;
        const int* keep = keeps[k % 4 % 3];
        int count = kept[k % 4];
        draw_chain(&s);
        ss_model *whole = make_chain(&s, NULL, 0, 0), *reduced = make_chain(&s, keep, count, LINKS - count);
        ss_motion *a = run(whole), *b = run(reduced);
        assert_int_equal(a->event_count, b->event_count);
        assert_true(a->event_count > 0);
        for (size_t e = 0; e < a->event_count; e++)
            assert_true(fabs(a->events[e].t - b->events[e].t) <= 1e-9);
        for (int i = 0; i < LINKS; i++) {
            assert_true(fabs(a->end.x[i] - b->end.x[i]) <= 1e-9);
            assert_true(fabs(a->end.v[i] - b->end.v[i]) <= 1e-9);
        }
        assert_true(fabs(a->energy.friction - b->energy.friction) <= 1e-9);
        assert_true(fabs(b->energy.residual) <= 1e-10);
        ss_motion_destroy(a);
        ss_motion_destroy(b);
        ss_model_destroy(whole);
        ss_model_destroy(reduced);
    }
}

static void expect_fault(ss_matrices_def* matrices, const char* field, const char* words)
{
    ss_system_def def = ss_system_def_default();
    ss_model* model = NULL;
    ss_error err = {0};
    def.matrices = matrices;
    assert_int_equal(ss_model_create(&def, &model, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, field);
    if (!strstr(err.text, words)) fail_msg("'%s' does not say '%s'", err.text, words);
}

static void test_what_cannot_be_reduced(void** state)
{
    (void)state;
    static const double M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, K[] = {1, -1, 0, -1, 1, 0, 0, 0, 0};
    static const int first[] = {0}, twice[] = {1, 1};
    ss_matrices_def good = {.M = ss_matrix_whole(3, 3, M),
                            .K = ss_matrix_whole(3, 3, K),
                            .keep = first,
                            .keep_count = 1,
                            .modes = 1};
    ss_matrices_def bad = good;
    expect_fault(&bad, "matrices.reduce.keep", "can still move freely"); // the third mass
    bad.keep = twice;
    bad.keep_count = 2;
    expect_fault(&bad, "matrices.reduce.keep", "ascending");
    bad = good;
    bad.modes = 3;
    expect_fault(&bad, "matrices.reduce.modes", "expected 0 to 2 modes");
    bad = good;
    bad.M.columns = 2;
    expect_fault(&bad, "matrices.M", "3 x 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors_solve_and_count), cmocka_unit_test(test_dissection_fills_little),
        cmocka_unit_test(test_modes_of_a_membrane),     cmocka_unit_test(test_all_modes_are_the_whole_model),
        cmocka_unit_test(test_what_cannot_be_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
