// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions with bristles where no closed form is at hand: invariants, limits, stiffness, other contacts beside
// them.
#include "core/algebra/lu.h"
#include "engine/flow/collocation.h"
#include "rig.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static ss_contact_def* lugre(rig* r, int a, int b, ss_lugre law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_LUGRE;
    contact->lugre = law;
    return contact;
}

static double end_of(const ss_model* model, double tolerance, double until, double* x, double* v)
{
    run r;
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    run_start_def(&r, model, def);
    run_to(&r, until);
    *x = ss_sim_x(r.sim)[0];
    *v = ss_sim_v(r.sim)[0];
    double error = run_energy_error(&r);
    run_stop(&r);
    return error;
}

// Radau IIA integrates polynomials of degree 2 s - 2 exactly at its end, and of degree s - 1 at every node.
static void test_collocation(void** state)
{
    (void)state;
    ss_collocation m;
    ss_collocation_make(&m);
    assert_true(m.node[SS_STAGES - 1] == 1.0);
    for (int k = 0; k <= 2 * SS_STAGES - 2; k++)
        for (int i = k < SS_STAGES ? 0 : SS_STAGES - 1; i < SS_STAGES; i++) {
            double sum = 0.0;
            for (int j = 0; j < SS_STAGES; j++) sum += m.once[i][j] * pow(m.node[j], k);
            expect_near("integral of u^k", sum, pow(m.node[i], k + 1) / (k + 1), 4e-16);
        }
    double a[9] = {0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, 0.0, -1.0}, x[3] = {7.0, 3.0, 1.0};
    int pivots[3];
    assert_true(ss_lu_factor(a, 3, pivots));
    ss_lu_solve(a, 3, pivots, x);
    for (int k = 0; k < 3; k++) expect_near("x", x[k], k + 1.0, 1e-15);
    double singular[4] = {1.0, 2.0, 2.0, 4.0};
    assert_false(ss_lu_factor(singular, 2, pivots));
}

// A band is a full matrix with zeros, whatever the pivots.
static void test_band(void** state)
{
    (void)state;
    enum { N = 23, BAND = 4, WIDTH = 3 * BAND + 1 };
    seed = 5;
    for (int k = 0; k < 200; k++) {
        double full[N * N] = {0.0}, band[N * WIDTH] = {0.0}, x[N], y[N];
        int pivots[N];
        for (int r = 0; r < N; r++) {
            x[r] = y[r] = uniform(-1.0, 1.0);
            for (int c = r - BAND; c <= r + BAND; c++)
                if (c >= 0 && c < N) full[r * N + c] = band[r * WIDTH + c - r + BAND] = uniform(-1.0, 1.0);
        }
        assert_true(ss_lu_factor(full, N, pivots));
        ss_lu_solve(full, N, pivots, x);
        assert_true(ss_band_factor(band, N, BAND, pivots));
        ss_band_solve(band, N, BAND, pivots, y);
        for (int r = 0; r < N; r++) expect_near("x", y[r], x[r], 1e-7 * (1.0 + fabs(x[r])));
    }
}

static ss_model* belt_of_two(double sigma0)
{
    rig r;
    rig_init(&r);
    int first = rig_body(&r, 1.0, 0.0, 0.0), second = rig_body(&r, 1.0, 0.0, 0.0),
        belt = rig_driven_speed(&r, "0.1");
    rig_spring(&r, first, SS_GROUND, 20.0, 0.0);
    rig_spring(&r, first, second, 10.0, 0.0);
    const ss_lugre law = {sigma0, sqrt(sigma0), 0.4, 1.0, 1.5, 0.01, 2.0};
    lugre(&r, first, belt, law);
    lugre(&r, second, belt, law);
    return rig_model(&r);
}

enum { TIMES = 40 };

static void speeds_of(const ss_model* model, double tolerance, double v[TIMES])
{
    run r;
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    run_start_def(&r, model, def);
    for (int k = 0; k < TIMES; k++) {
        run_to(&r, 8.0 * (k + 1) / TIMES);
        v[k] = ss_sim_v(r.sim)[0];
    }
    run_stop(&r);
}

// Halving the tolerance halves the error: over 9 halvings it falls by 2^9, give or take that steps are whole;
// and it stays far below the tolerance itself, at coarse ones so far that they do not show. The motion sticks
// and slips, by series and by collocation.
static void test_tolerance_is_kept(void** state)
{
    (void)state;
    ss_model* model = belt_of_two(1e5);
    double truth[TIMES], got[TIMES], first = 0.0, last = 0.0;
    speeds_of(model, 1e-14, truth);
    for (int k = 0; k <= 16; k++) {
        double tolerance = 1e-2 * pow(0.5, k), error = 0.0;
        speeds_of(model, tolerance, got);
        for (int j = 0; j < TIMES; j++) error = fmax(error, fabs(got[j] - truth[j]) / 0.1);
        assert_true(error < tolerance);
        if (k >= 4 && k < 8) first += log2(error) / 4.0;
        if (k > 12) last += log2(error) / 4.0;
    }
    assert_true(first - last > 0.9 * 9.0);
    ss_model_destroy(model);
}

// The stiffer the bristles, the nearer to dry friction: with sigma1 = sqrt(sigma0) the distance falls like
// 1/sqrt(sigma0), by 0.32 for every power of ten.
static void test_tends_to_coulomb(void** state)
{
    (void)state;
    double dry[6], before = INFINITY;
    for (int stiffness = 3; stiffness <= 7; stiffness++) {
        double worst = 0.0;
        for (int pass = stiffness == 3 ? 0 : 1; pass < 2; pass++) {
            rig r;
            rig_init(&r);
            int block = rig_body(&r, 1.0, 0.0, 0.0), belt = rig_driven_speed(&r, "0.1");
            rig_spring(&r, block, SS_GROUND, 10.0, 0.3);
            if (pass == 0)
                rig_coulomb(&r, block, belt, 1.0);
            else {
                double sigma0 = pow(10.0, stiffness);
                lugre(&r, block, belt, (ss_lugre){sigma0, sqrt(sigma0), 0.0, 1.0, 1.0, NAN, 2.0});
            }
            ss_model* model = rig_model(&r);
            run m;
            run_start(&m, model, NULL, NULL);
            for (int k = 0; k < 6; k++) {
                run_to(&m, 0.4 + 0.7 * k);
                double x = ss_sim_x(m.sim)[0];
                if (pass == 0) dry[k] = x;
                worst = fmax(worst, fabs(x - dry[k]));
            }
            run_stop(&m);
            ss_model_destroy(model);
        }
        assert_true(worst < 0.4 * before);
        before = worst;
    }
    assert_true(before < 5e-5);
}

// Grams and tons, bristles from soft to 1e8 N/m and beyond, from any start: energy is kept, |z| <=
// static/sigma0 stays true, and no motion without input gains energy.
static void test_stiff_is_normal(void** state)
{
    (void)state;
    seed = 3;
    for (int k = 0; k < 60; k++) {
        double sigma0 = pow(10.0, uniform(2.0, 9.0)), mass = pow(10.0, uniform(-3.0, 3.0));
        ss_lugre law = {sigma0, uniform(0.0, 2.0) * sqrt(sigma0 * mass), 0.0, 1.0, uniform(1.0, 2.0), 0.01,
                        2.0};
        law.sigma2 = ss_lugre_threshold(&law);
        rig r;
        rig_init(&r);
        int body = rig_body(&r, mass, 0.0, uniform(-1.0, 1.0));
        rig_spring(&r, body, SS_GROUND, uniform(0.0, 5.0), 0.0);
        lugre(&r, body, SS_GROUND, law)->start.saturation = uniform(-1.0, 1.0);
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        double before = ss_sim_energy(m.sim).end, start = before;
        for (int j = 1; j <= 8; j++) {
            run_to(&m, 40.0 * j / sqrt(sigma0 / mass));
            ss_energy energy = ss_sim_energy(m.sim);
            assert_true(energy.end <= before + 1e-12 * start);
            assert_true(fabs(ss_sim_contact(m.sim, 0).z) <= law.static_level / sigma0 * (1.0 + 1e-9));
            before = energy.end;
        }
        assert_true(run_energy_error(&m) < 1e-9);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Below the threshold of sigma2 a fast start at full deflection gives energy: the ledger shows it.
static void test_not_passive(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int probe = rig_driven_speed(&r, "0.05");
    lugre(&r, probe, SS_GROUND, (ss_lugre){1e5, sqrt(1e5), 0.0, 1.0, 1.5, 1e-4, 2.0})->start.z = 1.5e-5;
    ss_model* model = rig_model(&r);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, 1e-6);
    expect_near("loss", ss_sim_energy(m.sim).friction / 1e-6, -0.2827847075210474, 0.05);
    assert_true(run_energy_error(&m) < 1e-12);
    run_stop(&m);
    ss_model_destroy(model);
}

// The step for real-time loops, fed with the speed in the middle of each interval, is the model up to an
// error of second order in dt.
static void test_real_time_step(void** state)
{
    (void)state;
    const ss_lugre law = {1e4, 100.0, 0.4, 1.0, 1.5, 0.01, 2.0};
    rig r;
    rig_init(&r);
    int probe = rig_driven_speed(&r, "0.02*sin(7*t)+0.01*cos(3*t)");
    lugre(&r, probe, SS_GROUND, law);
    ss_model* model = rig_model(&r);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, 2.0);
    double truth = ss_sim_contact(m.sim, 0).z, error[2];
    for (int k = 0; k < 2; k++) {
        int steps = 4000 << k;
        double z = 0.0, dt = 2.0 / steps;
        for (int j = 0; j < steps; j++) {
            double t = (j + 0.5) * dt;
            ss_lugre_step(&law, &z, 0.02 * sin(7.0 * t) + 0.01 * cos(3.0 * t), dt);
        }
        error[k] = fabs(z - truth);
    }
    assert_true(error[0] < 1e-4 * 1.5e-4);
    assert_true(error[1] < 0.3 * error[0]);
    run_stop(&m);
    ss_model_destroy(model);
}

// Bristles beside held Coulomb contacts, rigid stops, ties and drives: the ledger closes, and two tolerances
// agree.
static void test_in_company(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int lower = rig_body(&r, 2.0, 0.0, 0.8), upper = rig_body(&r, 1.0, 0.0, 0.0),
        shaker = rig_driven(&r, "0.02*sin(9*t)");
    int third = rig_body(&r, 0.5, 0.0, -0.2);
    rig_spring(&r, lower, SS_GROUND, 50.0, 0.1);
    rig_spring(&r, third, lower, 200.0, 0.0);
    rig_coulomb(&r, upper, lower, 3.0); // it sticks for a while, and slips
    lugre(&r, lower, SS_GROUND, (ss_lugre){1e4, 60.0, 1.0, 0.5, 0.7, 0.02, 1.5});
    lugre(&r, third, shaker, (ss_lugre){1e6, 500.0, 0.0, 0.4, 0.4, NAN, 2.0});
    rig_stop(&r, lower, SS_GROUND, 0.05, 1, 0.6);
    static const double k[] = {30.0, 20.0}, c[] = {0.1, 0.3};
    ss_contact_def* wire = rig_contact(&r, rig_row(&r, upper, 1.0, SS_GROUND, 0.0));
    wire->law = SS_LAW_MAXWELL_SLIP;
    wire->maxwell_slip = (ss_maxwell_def){k, c, 2};
    wire->start.elements = (const double[]){0.002, -0.01};
    ss_model* model = rig_model(&r);
    double x[2], v[2];
    for (int pass = 0; pass < 2; pass++)
        assert_true(end_of(model, pass == 0 ? 1e-9 : 1e-12, 1.5, &x[pass], &v[pass]) < 1e-9);
    expect_near("x", x[0], x[1], 1e-9);
    expect_near("v", v[0], v[1], 1e-8);
    ss_model_destroy(model);
}

// Many elements: by the branch as a whole where the tolerance allows it, element by element where it does
// not, and the two agree to the looser one.
static void test_many_elements(void** state)
{
    (void)state;
    enum { N = 100000 };
    static double k[N], c[N];
    for (int i = 0; i < N; i++) {
        k[i] = 100.0 / N;
        c[i] = 2.0 * (i + 1.0) / N / N;
    }
    rig r;
    rig_init(&r);
    int mass = rig_body(&r, 1.0, 0.0, 0.3);
    ss_contact_def* pad = rig_contact(&r, rig_row(&r, mass, 1.0, SS_GROUND, 0.0));
    pad->law = SS_LAW_MAXWELL_SLIP;
    pad->maxwell_slip = (ss_maxwell_def){k, c, N};
    pad->start.saturation = 1.0;
    ss_model* model = rig_model(&r);
    double x[2], v[2];
    for (int pass = 0; pass < 2; pass++)
        assert_true(end_of(model, pass == 0 ? 1e-10 : 1e-12, 0.75, &x[pass], &v[pass]) < 1e-11);
    expect_near("x", x[0], x[1], 1e-10 * 0.045);
    expect_near("v", v[0], v[1], 1e-10 * 0.3);
    ss_model_destroy(model);
}

// Standing still is rest; a push of any size is not.
static void test_rest(void** state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 1.0, 0.0, 0.0);
        lugre(&r, body, SS_GROUND, (ss_lugre){1e4, 10.0, 0.0, 1.0, 1.0, NAN, 2.0});
        if (pass == 1) rig_force(&r, body, "1e-9");
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        run_to(&m, 10.0);
        assert_int_equal(m.outcome, pass == 0 ? SS_AT_REST : SS_TIME_REACHED);
        if (pass == 1) expect_near("x", ss_sim_x(m.sim)[0], 1e-13, 1e-17); // the spring of the bristles
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// A body on a spring comes to hold in its bristles, ever less of its swings being left: they are below
// rounding soon, and never 0. What holds it besides makes them 0.
static void test_decay_is_no_rest(void** state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 1.0, 0.1, 0.2);
        rig_spring(&r, body, SS_GROUND, 100.0, 0.0);
        lugre(&r, body, SS_GROUND, (ss_lugre){1e4, 200.0, 0.4, 1.0, 1.01, 0.001, 2.0});
        if (pass == 1) rig_coulomb(&r, body, SS_GROUND, 0.5);
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        run_to(&m, 1e6);
        assert_int_equal(m.outcome, pass == 0 ? SS_TIME_REACHED : SS_AT_REST);
        if (pass == 0) assert_int_equal(ss_sim_conclude(m.sim), SS_TIME_REACHED);
        if (pass == 0) // of springs alone
            expect_near("balance", 100.0 * ss_sim_x(m.sim)[0] + 1e4 * ss_sim_contact(m.sim, 0).z, 0.0, 1e-13);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Damped so much that it never reverses, a mass creeps home until its numbers end: it settles, without end
// and without ever shorter steps. Beside another one, too.
static void test_creeps_to_the_end(void** state)
{
    (void)state;
    const ss_lugre law = {2e4, 233.0, 2.3, 2.5, 3.5, 0.01, 2.0};
    for (int bodies = 1; bodies <= 2; bodies++) {
        rig r;
        rig_init(&r);
        for (int b = 0; b < bodies; b++) {
            int body = rig_body(&r, 0.6, -0.02, b == 0 ? -0.5 : 0.3);
            lugre(&r, body, SS_GROUND, law);
        }
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        run_to(&m, 30.0);
        double limit[2], end = ss_sim_x(m.sim)[0];
        run_to(&m, 1e9);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        assert_true(ss_sim_settles(m.sim, limit));
        assert_true(limit[0] == end && ss_sim_x(m.sim)[0] == end && ss_sim_v(m.sim)[0] == 0.0);
        assert_true(run_energy_error(&m) < 1e-12);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Three bodies, pushed along together, come to rest among themselves: what is left of their relative speeds
// is rounding of the speed they share, and must neither stop the run nor fill its log. (Steps cut to the time
// between two such roundings once shrank without end.)
static void test_pushed_along_together(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    const double mass[] = {1.5598248442406286, 1.3797231830365226, 0.4627482587502964},
                 x[] = {-0.0469225257678942, -0.026403648031440543, 0.02374407433989903},
                 v[] = {-0.9562617577638255, -0.6282708597056386, -0.33024360455043356};
    const ss_dahl laws[] = {{157.50149735312488, 0.7163009141798405, 1.5},
                            {13582.96062945625, 1.1720618742422755, 1.0},
                            {531.791185103076, 2.4925376173841207, 1.0}};
    const int pairs[][2] = {{0, 2}, {1, 0}, {2, 1}};
    for (int b = 0; b < 3; b++) rig_body(&r, mass[b], x[b], v[b]);
    rig_spring(&r, 0, 2, 69.7206126914522, 3.442013498947519);
    rig_spring(&r, 1, 0, 0.0, 4.3421828599563925);
    rig_force(&r, 0, "-0.3019312777482339");
    for (int c = 0; c < 3; c++) {
        ss_contact_def* contact = rig_contact(&r, rig_row(&r, pairs[c][0], 1.0, pairs[c][1], -1.0));
        contact->law = SS_LAW_DAHL;
        contact->dahl = laws[c];
    }
    ss_model* model = rig_model(&r);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, 20.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_true(ss_sim_event_count(m.sim) < 2000);
    double total = mass[0] + mass[1] + mass[2], momentum = 0.0;
    for (int b = 0; b < 3; b++) momentum += mass[b] * v[b];
    for (int b = 0; b < 3; b++)
        expect_near("v", ss_sim_v(m.sim)[b], (momentum - 0.3019312777482339 * 20.0) / total, 1e-9);
    run_stop(&m);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collocation),
        cmocka_unit_test(test_tolerance_is_kept),
        cmocka_unit_test(test_tends_to_coulomb),
        cmocka_unit_test(test_stiff_is_normal),
        cmocka_unit_test(test_not_passive),
        cmocka_unit_test(test_real_time_step),
        cmocka_unit_test(test_in_company),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_many_elements),
        cmocka_unit_test(test_decay_is_no_rest),
        cmocka_unit_test(test_creeps_to_the_end),
        cmocka_unit_test(test_pushed_along_together),
        cmocka_unit_test(test_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
