// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a certificate promises, kept by the engine: random systems whose damping feeds energy in along
// directions that friction reaches. V and V' are computed here, from the matrices as drawn.
#include "core/algebra/dense.h"
#include "lab/certify/zonotope.h"
#include "random_system.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SYSTEMS = 40 }; // an order of magnitude slower
#else
enum { SYSTEMS = 240 };
#endif
enum { MOST = 6, STARTS = 3, POINTS = 6 };

typedef struct drawn {
    int n, m, bad;
    double M[MOST * MOST], C[MOST * MOST], K[MOST * MOST], W[MOST * MOST], p[MOST], f[MOST];
    double K_factor[MOST * MOST], M_factor[MOST * MOST];
    ss_model* model;
    ss_certificate* certificate;
} drawn;

static drawn systems[SYSTEMS + 1]; // number 0 stays empty

// ---- drawing

static void draw_positive(random_source* r, int n, double a[])
{
    double root[MOST * MOST];
    for (int i = 0; i < n * n; i++) root[i] = random_between(r, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) a[i * n + j] += root[i * n + k] * root[j * n + k];
        }
}

// Makes row k of q orthonormal to those before; false where nothing of it is left.
static bool orthonormalize(double q[], int n, int k)
{
    for (int turn = 0; turn < 2; turn++) {
        double length = 0.0;
        for (int j = 0; j < k; j++) {
            double along = 0.0;
            for (int i = 0; i < n; i++) along += q[k * n + i] * q[j * n + i];
            for (int i = 0; i < n; i++) q[k * n + i] -= along * q[j * n + i];
        }
        for (int i = 0; i < n; i++) length = hypot(length, q[k * n + i]);
        if (length < 1e-3) return false;
        for (int i = 0; i < n; i++) q[k * n + i] /= length;
    }
    return true;
}

// Some eigenvectors in the span of W, with eigenvalues <= 0, the others anywhere, with positive ones; at
// times a skew part, which does no work.
static void draw_damping(random_source* r, drawn* d)
{
    int n = d->n, wanted = random_integer(r, 1, n < d->m ? n : d->m), k = 0;
    double q[(MOST + 1) * MOST];
    for (int tries = 0; k < wanted && tries < 50; tries++) {
        for (int i = 0; i < n; i++) q[k * n + i] = 0.0;
        for (int c = 0; c < d->m; c++) {
            double share = random_between(r, -1, 1);
            for (int i = 0; i < n; i++) q[k * n + i] += share * d->W[i * d->m + c];
        }
        k += orthonormalize(q, n, k);
    }
    d->bad = k;
    while (k < n) {
        for (int i = 0; i < n; i++) q[k * n + i] = random_between(r, -1, 1);
        k += orthonormalize(q, n, k);
    }
    memset(d->C, 0, sizeof d->C);
    double skew = random_integer(r, 0, 3) == 0 ? 0.3 : 0.0;
    for (k = 0; k < n; k++) {
        double value = k >= d->bad           ? random_between(r, 0.1, 1)
                       : k > 0 && k % 3 == 0 ? 0.0
                                             : -random_between(r, 0.05, 0.5);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) d->C[i * n + j] += value * q[k * n + i] * q[k * n + j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double turn = skew * random_between(r, -1, 1);
            d->C[i * n + j] += turn;
            d->C[j * n + i] -= turn;
        }
}

static void draw_system(uint64_t seed, drawn* d)
{
    random_source source = {seed}, *r = &source;
    int n = d->n = random_integer(r, 1, MOST), m = d->m = random_integer(r, 1, MOST);
    draw_positive(r, n, d->M);
    draw_positive(r, n, d->K);
    for (int c = 0; c < m; c++) {
        d->p[c] = random_between(r, 0.2, 2);
        for (int i = 0; i < n; i++) d->W[i * m + c] = random_between(r, -1, 1);
        if (c == 2 && random_integer(r, 0, 1)) // redundant: the sum of two others
            for (int i = 0; i < n; i++) d->W[i * m + c] = d->W[i * m] + d->W[i * m + 1];
    }
    for (int i = 0; i < n; i++) d->f[i] = random_integer(r, 0, 1) ? random_between(r, -1, 1) : 0.0;
    draw_damping(r, d);
    memcpy(d->K_factor, d->K, sizeof d->K);
    memcpy(d->M_factor, d->M, sizeof d->M);
    assert_true(ss_cholesky(d->K_factor, n) && ss_cholesky(d->M_factor, n));
    ss_matrices_def matrices = {.M = ss_matrix_whole(n, n, d->M),
                                .C = ss_matrix_whole(n, n, d->C),
                                .K = ss_matrix_whole(n, n, d->K),
                                .W = ss_matrix_whole(n, m, d->W),
                                .friction = d->p,
                                .f = d->f};
    ss_system_def def = ss_system_def_default();
    def.matrices = &matrices;
    ss_error err;
    if (ss_model_create(&def, &d->model, &err) != SS_OK) fail_msg("%s", err.text);
    if (ss_certify(d->model, NULL, &d->certificate, &err) != SS_OK) fail_msg("%s", err.text);
}

static int draw_systems(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) draw_system(seed, &systems[seed]);
    return 0;
}

static int drop_systems(void** state)
{
    (void)state;
    for (int k = 1; k <= SYSTEMS; k++) {
        ss_certificate_destroy(systems[k].certificate);
        ss_model_destroy(systems[k].model);
    }
    return 0;
}

// ---- V and V'

static double quadratic(const double a[], const double x[], int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += x[i] * a[i * n + j] * x[j];
    return sum;
}

static double energy(const drawn* d, const double q[], const double v[])
{
    double x[MOST];
    for (int i = 0; i < d->n; i++) x[i] = q[i] - d->certificate->set.center[i];
    return 0.5 * quadratic(d->K, x, d->n) + 0.5 * quadratic(d->M, v, d->n);
}

// V', and the size of its terms.
static double power(const drawn* d, const double v[], double* size)
{
    double damping = quadratic(d->C, v, d->n), rub = 0.0;
    for (int c = 0; c < d->m; c++) {
        double slip = 0.0;
        for (int i = 0; i < d->n; i++) slip += d->W[i * d->m + c] * v[i];
        rub += d->p[c] * fabs(slip);
    }
    *size = fabs(damping) + rub;
    return -damping - rub;
}

// A start with the given energy: center + a random direction of (q, v).
static void draw_start(random_source* r, const drawn* d, double level, double q[], double v[])
{
    double moving = random_between(r, 0, 1), x[MOST];
    for (int i = 0; i < d->n; i++) {
        x[i] = random_between(r, -1, 1);
        v[i] = random_between(r, -1, 1);
    }
    double elastic = sqrt((1 - moving) * level / (0.5 * quadratic(d->K, x, d->n)));
    double kinetic = sqrt(moving * level / (0.5 * quadratic(d->M, v, d->n)));
    for (int i = 0; i < d->n; i++) {
        q[i] = d->certificate->set.center[i] + elastic * x[i];
        v[i] *= kinetic;
    }
}

// ---- promises

// Distance to E in position and speed together.
static double distance(const drawn* d, const double q[], const double v[])
{
    ss_membership place;
    assert_int_equal(ss_certificate_locate(d->certificate, q, &place, NULL), SS_OK);
    double sum = place.distance;
    for (int i = 0; i < d->n; i++) sum = hypot(sum, v[i]);
    return sum;
}

// From inside I_rho*: V never grows, and the distance to E falls below 1e-9 of its start.
static void expect_attracted(const drawn* d, ss_sim* sim, const double q[], const double v[], uint64_t seed)
{
    ss_error err;
    ss_outcome outcome = SS_TIME_REACHED;
    double before = energy(d, q, v), first = before, start = distance(d, q, v), left = start;
    if (ss_sim_restart(sim, q, v, &err) != SS_OK) fail_msg("%s", err.text);
    for (int k = 1; k <= 600 && left > 1e-9 * start; k++) {
        double t = k <= 400 ? 0.25 * k : 100.0 * pow(1.05, k - 400);
        if (ss_sim_advance(sim, t, &outcome, &err) != SS_OK) fail_msg("%s", err.text);
        double now = energy(d, ss_sim_x(sim), ss_sim_v(sim));
        if (now > before + 1e-12 * first)
            fail_msg("system %llu: V grows from %.17g to %.17g at t = %g", (unsigned long long)seed, before,
                     now, t);
        before = now;
        left = distance(d, ss_sim_x(sim), ss_sim_v(sim));
        if (outcome == SS_AT_REST) break;
    }
    if (!(left <= 1e-9 * start))
        fail_msg("system %llu: %g of the distance is left at t = %g (%s)", (unsigned long long)seed,
                 left / start, ss_sim_time(sim), ss_outcome_name(outcome));
}

static void test_starts_inside_come_to_rest(void** state)
{
    (void)state;
    int local = 0, whole = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        const drawn d = systems[seed];
        const ss_certificate* c = d.certificate;
        assert_int_equal(c->condition_31, SS_YES);
        assert_int_equal(c->not_positive, d.bad);
        assert_true(c->verdict >= SS_LOCAL_SUBSET && c->beta > 0.0 && !c->refuted);
        assert_true(c->paper_beta <= c->beta * (1 + 1e-12) && c->rho_energy >= c->rho_star);
        local += c->verdict == SS_LOCAL_SUBSET;
        whole += c->verdict == SS_LOCAL;
        random_source r = {seed + 1000};
        ss_sim_def def = ss_sim_def_default();
        ss_sim* sim;
        ss_error err;
        if (ss_sim_create(d.model, &def, &sim, &err) != SS_OK) fail_msg("%s", err.text);
        for (int start = 0; start < STARTS; start++) {
            double q[MOST], v[MOST], share = start == 0 ? 0.9999 : random_between(&r, 0.1, 1);
            // The last start is inside the larger region, where V' <= 0 still holds.
            double level = start == STARTS - 1 ? c->rho_energy : c->rho_star;
            draw_start(&r, &d, share * level, q, v);
            expect_attracted(&d, sim, q, v, seed);
        }
        ss_sim_destroy(sim);
    }
    assert_true(local > SYSTEMS / 20 && whole > SYSTEMS / 20); // both theorems have been asked
}

// On the boundary V' <= 0, also where (43) is sharp: v along M^-1 u_i.
static void test_power_on_the_boundary(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        const drawn d = systems[seed];
        const ss_certificate* c = d.certificate;
        random_source r = {seed + 2000};
        for (int draw = 0; draw < 400; draw++) {
            double v[MOST], size, levels[] = {c->rho_star, c->rho_energy};
            for (int which = 0; which < 2; which++) {
                for (int i = 0; i < d.n; i++)
                    v[i] = draw < d.bad ? c->eigenvectors[draw * d.n + i] : random_between(&r, -1, 1);
                if (draw < d.bad) ss_cholesky_solve(d.M_factor, d.n, v);
                double scale = sqrt(levels[which] / (0.5 * quadratic(d.M, v, d.n)));
                for (int i = 0; i < d.n; i++) v[i] *= scale;
                double grows = power(&d, v, &size);
                if (grows > 1e-8 * size)
                    fail_msg("system %llu: V' = %g of %g", (unsigned long long)seed, grows, size);
            }
        }
    }
}

// A point of E just inside or outside its edge within the span of W, and off that span.
static bool draw_point(random_source* r, const drawn* d, const ss_zonotope* z, int kind, double q[])
{
    double force[MOST] = {0};
    for (int c = 0; c < d->m; c++) {
        double g = d->p[c] * random_between(r, -1, 1);
        for (int i = 0; i < d->n; i++) force[i] += d->W[i * d->m + c] * g;
    }
    double gauge = ss_zonotope_gauge(z, force), scale = (kind == 0 ? 1 - 1e-6 : 1 + 1e-6) / gauge;
    for (int i = 0; i < d->n; i++) force[i] = (kind < 2 ? scale : 0.5) * force[i] + d->f[i];
    if (kind == 2) // some other force, which W does not span where its rank is below n
        for (int i = 0; i < d->n; i++) force[i] += random_between(r, -1e-3, 1e-3);
    memcpy(q, force, sizeof force);
    ss_cholesky_solve(d->K_factor, d->n, q);
    return kind == 0;
}

// Released at rest, a point of E stays and any other moves: by the engine, which knows nothing of E.
static void test_membership_is_what_sticks(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        const drawn d = systems[seed];
        ss_pool pool = {0};
        ss_zonotope z;
        assert_true(ss_zonotope_make(&pool, d.W, d.p, d.n, d.m, &z));
        random_source r = {seed + 3000};
        ss_sim_def def = ss_sim_def_default();
        ss_sim* sim;
        ss_error err;
        if (ss_sim_create(d.model, &def, &sim, &err) != SS_OK) fail_msg("%s", err.text);
        for (int point = 0; point < POINTS; point++) {
            double q[MOST], still[MOST] = {0};
            bool expected = draw_point(&r, &d, &z, point % 3, q);
            ss_membership place;
            ss_outcome outcome;
            assert_int_equal(ss_certificate_locate(d.certificate, q, &place, &err), SS_OK);
            if (point % 3 == 2 && z.rank == d.n) expected = place.inside; // agreement is all that is asked
            if (ss_sim_restart(sim, q, still, &err) != SS_OK) fail_msg("%s", err.text);
            if (ss_sim_advance(sim, 1e-3, &outcome, &err) != SS_OK) fail_msg("%s", err.text);
            if (place.inside != expected || (outcome == SS_AT_REST) != expected)
                fail_msg("system %llu, point %d: expected %d, E says %d, the engine %s",
                         (unsigned long long)seed, point, expected, place.inside, ss_outcome_name(outcome));
            assert_true(place.inside ? place.excess == 0.0 : place.excess > 0.0 && place.distance > 0.0);
        }
        ss_sim_destroy(sim);
        ss_pool_free(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_inside_come_to_rest),
        cmocka_unit_test(test_power_on_the_boundary),
        cmocka_unit_test(test_membership_is_what_sticks),
    };
    return cmocka_run_group_tests(tests, draw_systems, drop_systems);
}
