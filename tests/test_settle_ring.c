// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The bound on what rings in loaded bristles: no motion may fall more slowly than it says, whatever the signs
// of its speeds do and however the shares are off within their bounds.
#include "engine/proof/settle_ring.h"
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 3 };

static uint64_t seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

typedef struct system {
    ss_ring ring;
    double matrices[8][MOST * MOST];
    ss_ring_bristle bristles[MOST];
    ss_row rows[MOST];
    int index[MOST][2];
    double value[MOST][2];
} system;

static void link_matrices(system* s, int n)
{
    ss_ring* r = &s->ring;
    double** places[] = {&r->mass, &r->damping, &r->stiffness, &r->low, &r->full, &r->x, &r->y, &r->test};
    memset(s, 0, sizeof *s);
    r->n = r->count = n;
    r->bristles = s->bristles;
    for (int k = 0; k < 8; k++) *places[k] = s->matrices[k];
}

// A chain of masses on springs and dampers, each on bristles, some of them towards the mass before.
static void make_chain(system* s, int n, double most_off)
{
    link_matrices(s, n);
    ss_ring* r = &s->ring;
    for (int i = 0; i < n; i++) {
        r->mass[i * n + i] = uniform(0.3, 3.0);
        r->stiffness[i * n + i] += uniform(0.0, 50.0);
        r->damping[i * n + i] += uniform(0.05, 2.0);
        double k = uniform(0.0, 100.0), off = most_off * uniform(0.0, 1.0);
        for (int a = 0; a < 2 && i > 0; a++)
            for (int b = 0; b < 2; b++) r->stiffness[(i - a) * n + i - b] += a == b ? k : -k;
        bool pair = i > 0 && uniform(0.0, 1.0) < 0.4;
        s->index[i][0] = i, s->index[i][1] = i - 1;
        s->value[i][0] = 1.0, s->value[i][1] = -1.0;
        s->rows[i] = (ss_row){pair ? 2 : 1, s->index[i], s->value[i]};
        s->bristles[i] = (ss_ring_bristle){
            .row = &s->rows[i],
            .mobility = 1.0 / r->mass[i * n + i] + (pair ? 1.0 / r->mass[(i - 1) * (n + 1)] : 0.0),
            .sigma0 = uniform(50.0, 500.0),
            .sigma1 = uniform(0.0, 3.0),
            .sigma2 = uniform(0.0, 1.0),
            .near_rest = {{uniform(0.05, 1.0), uniform(1.0, 1.95)}, off, off, off}};
    }
}

// M a' = -(D a + K v + sum_j W_j p_j): p_j is what makes V largest of all that is allowed, or nothing.
static void jerk(const system* s, bool worst, const double v[], const double a[], double out[])
{
    const ss_ring* r = &s->ring;
    int n = r->n;
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int k = 0; k < n; k++) out[i] -= r->damping[i * n + k] * a[k] + r->stiffness[i * n + k] * v[k];
    }
    for (int j = 0; j < n; j++) {
        const ss_ring_bristle* b = &r->bristles[j];
        double vj = ss_row_dot(b->row, v), aj = ss_row_dot(b->row, a), share = b->near_rest.share[vj < 0.0];
        double force = b->sigma0 * share * vj + (b->sigma2 + b->sigma1 * share) * aj;
        double off = b->sigma0 * b->near_rest.off * fabs(vj) +
                     b->sigma1 * (b->near_rest.off_a * fabs(aj) + b->near_rest.off_v * fabs(vj));
        if (worst) force -= aj + r->blend * vj > 0.0 ? off : -off;
        for (int l = 0; l < b->row->count; l++) out[b->row->index[l]] -= b->row->value[l] * force;
    }
    for (int i = 0; i < n; i++) out[i] /= r->mass[i * (n + 1)];
}

// One step of the classical method of Runge and Kutta.
static void step(const system* s, bool worst, double h, double v[], double a[])
{
    int n = s->ring.n;
    double kv[4][MOST], ka[4][MOST], w[MOST], b[MOST];
    const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) {
            w[i] = v[i] + (k > 0 ? at[k] * h * kv[k - 1][i] : 0.0);
            b[i] = a[i] + (k > 0 ? at[k] * h * ka[k - 1][i] : 0.0);
        }
        memcpy(kv[k], b, sizeof b);
        jerk(s, worst, w, b, ka[k]);
    }
    for (int i = 0; i < n; i++) {
        v[i] += h / 6.0 * (kv[0][i] + 2.0 * kv[1][i] + 2.0 * kv[2][i] + kv[3][i]);
        a[i] += h / 6.0 * (ka[0][i] + 2.0 * ka[1][i] + 2.0 * ka[2][i] + ka[3][i]);
    }
}

static void follow(const system* s, bool worst, double rate)
{
    const double h = 5e-4;
    double v[MOST], a[MOST], none[MOST] = {0.0}, slip[MOST], size;
    for (int i = 0; i < s->ring.n; i++) {
        v[i] = uniform(-1.0, 1.0);
        a[i] = uniform(-10.0, 10.0);
        slip[i] = ss_ring_speed(&s->ring, s->bristles[i].row);
    }
    size = ss_ring_size(&s->ring, v, a, none);
    for (int k = 1; k <= 4000; k++) {
        step(s, worst, h, v, a);
        double now = ss_ring_size(&s->ring, v, a, none), bound = size * exp(-rate * h * k) * (1.0 + 1e-5);
        assert_true(now <= bound);
        for (int j = 0; j < s->ring.count; j++)
            assert_true(fabs(ss_row_dot(s->bristles[j].row, v)) <= slip[j] * now * (1.0 + 1e-9));
    }
}

static void test_nothing_falls_more_slowly(void** state)
{
    (void)state;
    int found = 0;
    for (uint64_t k = 0; k < 120; k++) {
        static system s;
        double rate;
        seed = 5 + 1000 * k;
        make_chain(&s, 1 + (int)(k % MOST), k % 4 == 0 ? 0.0 : pow(10.0, -1.0 - (double)(k % 5)));
        if (!ss_ring_find(&s.ring, &rate)) continue;
        found++;
        follow(&s, false, rate);
        follow(&s, true, rate);
    }
    assert_true(found > 60);
}

// One mass whose shares are nearly exact: m v'' + d v' + K v = 0 falls like e^(-d t/(2 m)), by any load.
static void test_rate_of_one_mass(void** state)
{
    (void)state;
    for (double share = 0.02; share <= 1.0; share += 0.14) {
        system s;
        double rate;
        make_chain(&s, 1, 0.0);
        s.ring.mass[0] = 2.0;
        s.ring.damping[0] = 0.01;
        s.ring.stiffness[0] = 100.0;
        s.bristles[0] = (ss_ring_bristle){.row = &s.rows[0],
                                          .mobility = 0.5,
                                          .sigma0 = 1e4,
                                          .near_rest = {{share, 2.0 - share}, 0.0, 0.0, 0.0}};
        assert_true(ss_ring_find(&s.ring, &rate));
        expect_near("rate", rate, 0.01 / 4.0, 1e-2 * 0.01 / 4.0);
        s.bristles[0].near_rest.off = 1e-2; // more than the damping makes up for
        assert_false(ss_ring_find(&s.ring, &rate));
    }
}

static void test_what_does_not_fall(void** state)
{
    (void)state;
    system s;
    double rate;
    make_chain(&s, 2, 0.0);
    for (int i = 0; i < 4; i++) s.ring.damping[i] = 0.0;
    s.bristles[1].sigma1 = s.bristles[1].sigma2 = 0.0; // one mass without damping of its own
    assert_false(ss_ring_find(&s.ring, &rate));
    make_chain(&s, 2, 0.0);
    s.ring.stiffness[0] = -1000.0; // pushed away
    assert_false(ss_ring_find(&s.ring, &rate));
    make_chain(&s, 2, 0.0);
    s.ring.stiffness[1] += 1.0; // no potential
    assert_false(ss_ring_find(&s.ring, &rate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_falls_more_slowly),
        cmocka_unit_test(test_rate_of_one_mass),
        cmocka_unit_test(test_what_does_not_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
