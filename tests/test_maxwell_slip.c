// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maxwell-slip alone. Truth is the play operator element by element, x = max(y - r, min(y + r, x)), and the
// loops of the reference.
#include "rig.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct pad {
    ss_maxwell_slip law;
    ss_maxwell_state state;
    void* memory;
    ss_reversal* reversals;
    double *k, *c, *x; // elements as given, and their plays
    double* apart;
    double y;
} pad;

static void make(pad* p, int count, const double k[], const double c[])
{
    *p = (pad){.memory = malloc(ss_maxwell_slip_size(count))};
    size_t n = (size_t)count;
    p->reversals = malloc(n * sizeof *p->reversals);
    p->k = malloc(n * sizeof(double));
    p->c = malloc(n * sizeof(double));
    p->x = malloc(n * sizeof(double));
    p->apart = malloc(n * sizeof(double));
    memcpy(p->k, k, n * sizeof(double));
    memcpy(p->c, c, n * sizeof(double));
    assert_int_equal(ss_maxwell_slip_make(k, c, count, p->memory, &p->law, NULL), SS_OK);
}

static void start(pad* p, double y, double saturation)
{
    ss_maxwell_slip_start(&p->law, &p->state, p->reversals, y, saturation);
    for (int i = 0; i < p->law.count; i++) p->x[i] = y - saturation * p->c[i] / p->k[i];
    p->y = y;
}

static void free_pad(pad* p)
{
    free(p->memory);
    free(p->reversals);
    free(p->k);
    free(p->c);
    free(p->x);
    free(p->apart);
}

// The plain loop.
static double plain_move(pad* p, double y)
{
    double force = 0.0;
    for (int i = 0; i < p->law.count; i++) {
        double r = p->c[i] / p->k[i];
        p->x[i] = fmax(y - r, fmin(y + r, p->x[i]));
        force -= p->k[i] * (y - p->x[i]);
    }
    return force;
}

static double plain_energy(const pad* p, double y)
{
    double energy = 0.0;
    for (int i = 0; i < p->law.count; i++) energy += 0.5 * p->k[i] * (y - p->x[i]) * (y - p->x[i]);
    return energy;
}

static uint64_t seed = 7;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static const double k5[] = {5, 4, 3, 2, 1}, c5[] = {0.5, 0.8, 1.2, 1.4, 1.5};

// 003.b.maxwell.nested: forces at the reversals, and pairs that must agree to the last bit.
static void test_nested_loops(void** state)
{
    (void)state;
    static const double y[] = {0, 1, -0.6, 0.7, -0.2, 0.5, -0.1, 0.5, -0.2, 0.7, -0.6, 1, 1.2, -1.2, 1.2};
    static const double f[] = {0, 4.9, -4.5, 4.4, -3.3, 3.5, -2.7, 3.5, -3.3, 4.4, -4.5, 4.9, 5.1, -5.1, 5.1};
    static const int pairs[][2] = {{5, 7}, {4, 8}, {3, 9}, {2, 10}, {1, 11}, {12, 14}};
    pad p;
    double got[15], deflection[15][5];
    make(&p, 5, k5, c5);
    start(&p, 0.0, 0.0);
    for (int j = 0; j < 15; j++) {
        got[j] = ss_maxwell_slip_move(&p.law, &p.state, y[j]);
        ss_maxwell_slip_deflections(&p.law, &p.state, deflection[j]);
        expect_near("force", got[j], -f[j], 1e-14);
    }
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        assert_true(got[pairs[k][0]] == got[pairs[k][1]]);
        assert_memory_equal(deflection[pairs[k][0]], deflection[pairs[k][1]], sizeof deflection[0]);
    }
    free_pad(&p);
}

// 003.c.play: one element of unit stiffness is the stop y - x, also from a start on the boundary that moves
// inward.
static void test_play(void** state)
{
    (void)state;
    static const double y1[] = {0.3, 0.5, 0.6, 2, 1.5, 1, 0.9, -1, -0.2, 0, 0.1, 5};
    static const double s1[] = {0.3, 0.5, 0.5, 0.5, 0, -0.5, -0.5, -0.5, 0.3, 0.5, 0.5, 0.5};
    static const double y3[] = {1.9, 1.2, 1, 0.9, 2}, s3[] = {0.4, -0.3, -0.5, -0.5, 0.5};
    const double one = 1.0, half = 0.5;
    pad p;
    make(&p, 1, &one, &half);
    start(&p, 0.0, 0.0);
    for (int j = 0; j < 12; j++)
        expect_near("stop", -ss_maxwell_slip_move(&p.law, &p.state, y1[j]), s1[j], 2e-16);
    for (int apart = 0; apart < 2; apart++) {
        start(&p, 2.0, 1.0);
        if (apart) ss_maxwell_slip_start_apart(&p.law, &p.state, p.reversals, p.apart, 2.0, &half);
        for (int j = 0; j < 5; j++)
            expect_near("stop", -ss_maxwell_slip_move(&p.law, &p.state, y3[j]), s3[j], 2e-16);
    }
    free_pad(&p);
}

static void fill(double k[], double c[], int count, bool equal)
{
    for (int i = 0; i < count; i++) {
        k[i] = uniform(0.5, 2.0);
        c[i] = k[i] * (equal ? 1.0 + i % 3 : uniform(0.01, 2.0));
    }
}

// Random walks of all sizes, from every kind of start: force, stored energy and deflections are those of the
// plain loop, and the branch tells the force ahead up to where the next element slips.
static void walk(pad* p, double saturation, int steps)
{
    double y = 0.3, deflections[64];
    start(p, y, saturation);
    if (saturation > 1.0) {
        for (int i = 0; i < p->law.count; i++) {
            deflections[i] = uniform(-1.0, 1.0) * p->c[i] / p->k[i];
            p->x[i] = y - deflections[i];
        }
        ss_maxwell_slip_start_apart(&p->law, &p->state, p->reversals, p->apart, y, deflections);
    }
    for (int step = 0; step < steps; step++) {
        y += uniform(-1.0, 1.0) * pow(10.0, uniform(-3.0, 0.7));
        double want = plain_move(p, y), got = ss_maxwell_slip_move(&p->law, &p->state, y);
        double size = 1e-14 * p->law.sums[p->law.count].slip * (1.0 + fabs(y));
        expect_near("force", got, want, size);
        expect_near("energy", ss_maxwell_slip_energy(&p->law, &p->state), plain_energy(p, y), 4.0 * size);
        assert_true(p->state.depth <= p->law.count);
        ss_maxwell_slip_deflections(&p->law, &p->state, deflections);
        for (int i = 0; i < p->law.count; i++)
            expect_near("deflection", deflections[i], y - p->x[i], 1e-14 * (1.0 + fabs(y)));
        ss_maxwell_branch ahead = ss_maxwell_slip_branch(&p->law, &p->state);
        double s = fmin(0.7 * ahead.length, 1.0), direction = p->state.direction;
        pad copy = *p;
        double saved[64], apart[64];
        memcpy(saved, p->x, sizeof(double) * (size_t)p->law.count);
        copy.x = saved;
        expect_near("branch", plain_move(&copy, y + direction * s),
                    -direction * (ahead.force + ahead.stiffness * s), 4.0 * size);
        if (step % 7 == 0 && isfinite(ahead.length)) { // go to the end of the branch and let it yield
            (void)apart;
            y += direction * ahead.length;
            plain_move(p, y);
            ss_maxwell_slip_move(&p->law, &p->state, y);
            double length = ss_maxwell_slip_branch(&p->law, &p->state).length;
            if (length < 1e-12) ss_maxwell_slip_yield(&p->law, &p->state);
            expect_near("force after yielding", ss_maxwell_slip_force(&p->law, &p->state), plain_move(p, y),
                        size);
        }
    }
}

static void test_random_walks(void** state)
{
    (void)state;
    const double starts[] = {0.0, 1.0, -1.0, 0.4, -0.9, 2.0}; // 2: each element where it likes
    for (int round = 0; round < 60; round++) {
        double k[64], c[64];
        int count = 1 + (int)uniform(0.0, round < 30 ? 5.0 : 63.0);
        fill(k, c, count, round % 3 == 0);
        pad p;
        make(&p, count, k, c);
        for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) walk(&p, starts[s], 200);
        free_pad(&p);
    }
}

// Return-point memory: whatever happens between two extremes of a loop, back at the extreme every bit is as
// before.
static void test_closed_loops_close_to_the_bit(void** state)
{
    (void)state;
    double k[50], c[50];
    fill(k, c, 50, false);
    pad p;
    make(&p, 50, k, c);
    for (int round = 0; round < 2000; round++) {
        start(&p, 0.0, uniform(-1.0, 1.0));
        double low = uniform(-3.0, 0.0), high = uniform(0.0, 3.0);
        ss_maxwell_slip_move(&p.law, &p.state, high);
        ss_maxwell_slip_move(&p.law, &p.state, low);
        double first = ss_maxwell_slip_move(&p.law, &p.state, high);
        ss_maxwell_state before = p.state;
        for (int j = 0; j < 20; j++) ss_maxwell_slip_move(&p.law, &p.state, uniform(low, high));
        double again = ss_maxwell_slip_move(&p.law, &p.state, high);
        assert_true(first == again);
        assert_true(before.depth == p.state.depth && before.slipped == p.state.slipped);
    }
    free_pad(&p);
}

// N elements of k = 1/N and breakaways that fill (0, 1] are, for N to infinity, F = y - y^2/2 on the first
// loading and a closed curve after a reversal; the sums made beforehand must reproduce it with an error of
// order 1/N.
static void test_many_elements(void** state)
{
    (void)state;
    enum { N = 1000000 };
    double *k = malloc(N * sizeof *k), *c = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++) {
        int j = (int)((7919LL * i) % N); // unsorted on purpose
        k[i] = 1.0 / N;
        c[i] = (j + 1.0) / N / N;
    }
    void* memory = malloc(ss_maxwell_slip_size(N));
    ss_reversal* reversals = malloc(N * sizeof *reversals);
    ss_maxwell_slip law;
    ss_maxwell_state s;
    assert_int_equal(ss_maxwell_slip_make(k, c, N, memory, &law, NULL), SS_OK);
    expect_near("sum of stiffness", law.sums[0].hold, 1.0, 1e-15);
    expect_near("sum of breakaways", law.sums[N].slip, 0.5 * (N + 1.0) / N, 1e-15);
    ss_maxwell_slip_start(&law, &s, reversals, 0.0, 0.0);
    expect_near("loading", ss_maxwell_slip_move(&law, &s, 0.8), -(0.8 - 0.32), 2e-6);
    // back by d: F(0.8) - 2 (d/2 - (d/2)^2/2)
    expect_near("unloading", ss_maxwell_slip_move(&law, &s, 0.2), -(0.48 - 2.0 * (0.3 - 0.045)), 4e-6);
    free(k);
    free(c);
    free(memory);
    free(reversals);
}

// Which elements slip is told from their density where that is certain: exactly at the reach of each, and
// next to it, the number must be the one that a count gives, however they are spread.
static void test_places_are_exact(void** state)
{
    (void)state;
    enum { N = 3000, KINDS = 5 };
    static double k[N], c[N];
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < N; i++) {
            double u = (i + 1.0) / N;
            const double spread[KINDS] = {u, u * u * u, pow(10.0, -12.0 * u), uniform(1e-3, 1.0),
                                          i < 7 ? u : 3.0};
            k[i] = 1.0 / 3.0;
            c[i] = k[i] * spread[kind];
        }
        pad p;
        make(&p, N, k, c);
        for (int j = 0; j < 3 * N; j++) {
            double at = p.law.reach[j / 3], y = j % 3 == 0 ? at : nextafter(at, j % 3 == 1 ? 0.0 : 9.0);
            int count = 0;
            for (int low = 0, high = N; low < high; count = low) {
                int middle = (low + high) / 2;
                if (p.law.reach[middle] <= y)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (y < p.law.reach[0]) count = 0;
            start(&p, 0.0, 0.0);
            (void)ss_maxwell_slip_move(&p.law, &p.state, y);
            assert_int_equal(p.state.slipped, count);
        }
        free_pad(&p);
    }
}

static void test_what_is_refused(void** state)
{
    (void)state;
    ss_error err;
    ss_maxwell_slip law;
    double memory[64];
    const double good[] = {1.0, 2.0}, bad[] = {1.0, 0.0}, worse[] = {NAN, 1.0};
    assert_int_equal(ss_maxwell_slip_make(good, bad, 2, memory, &law, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "elements[1][1]");
    assert_int_equal(ss_maxwell_slip_make(worse, good, 2, memory, &law, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "elements[0][0]");
    assert_int_equal(ss_maxwell_slip_make(good, good, 0, memory, &law, &err), SS_BAD_INPUT);
    pad p;
    make(&p, 5, k5, c5);
    start(&p, 0.0, 0.0);
    double force = ss_maxwell_slip_move(&p.law, &p.state, 0.3);
    assert_true(isnan(ss_maxwell_slip_move(&p.law, &p.state, NAN)));
    assert_true(isnan(ss_maxwell_slip_step(&p.law, &p.state, INFINITY, 1.0)));
    assert_true(isnan(ss_maxwell_slip_step(&p.law, &p.state, 1.0, NAN)));
    assert_true(ss_maxwell_slip_force(&p.law, &p.state) == force);
    free_pad(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested_loops),    cmocka_unit_test(test_play),
        cmocka_unit_test(test_random_walks),    cmocka_unit_test(test_closed_loops_close_to_the_bit),
        cmocka_unit_test(test_many_elements),   cmocka_unit_test(test_places_are_exact),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
