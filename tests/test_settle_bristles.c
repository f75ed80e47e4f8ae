// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling in bristles: what is said of the future must come true, and nothing may be said where bristles
// swing without damping, slide for ever, or meet something else first.
#include "rig.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static uint64_t seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static const ss_lugre usual = {1e4, 20.0, 0.0, 1.0, 1.0, NAN, 2.0};

static ss_contact_def* lugre(rig* r, int a, int b, ss_lugre law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_LUGRE;
    contact->lugre = law;
    return contact;
}

// Whether it is said at time t that the motion of the rig settles, and where.
static bool settles(rig* r, double t, double limit[])
{
    ss_model* model = rig_model(r);
    run m;
    run_start(&m, model, NULL, NULL);
    m.outcome = SS_TIME_REACHED;
    run_to(&m, t);
    bool said = m.outcome == SS_TIME_REACHED && ss_sim_settles(m.sim, limit);
    run_stop(&m);
    ss_model_destroy(model);
    return said;
}

// A mass of 1 kg slides to a stop and rings: the amplitude falls by e every 2/sigma1 = 0.1 s. Once that is
// small enough the limit is known to nine digits; and it is where the mass is much later.
static void test_ring_down(void** state)
{
    (void)state;
    double limit[2], later[2];
    bool said = false;
    for (double t = 0.2; t < 6.0; t += 0.4) {
        rig r;
        rig_init(&r);
        lugre(&r, rig_body(&r, 1.0, 0.0, 0.1), SS_GROUND, usual)->start.saturation = 1.0;
        bool now = settles(&r, t, limit);
        assert_true(now || !said); // once known, always known
        if (now && !said) {
            rig_init(&r);
            lugre(&r, rig_body(&r, 1.0, 0.0, 0.1), SS_GROUND, usual)->start.saturation = 1.0;
            assert_true(settles(&r, 12.0, later));
            expect_near("limit", limit[0], later[0], 1e-9 * 0.005);
        }
        said = now;
    }
    assert_true(said);
}

// On a spring of 100 N/m a mass comes to hold with three quarters of what its bristles can: creep is no small
// thing there, and yet no frequency carries it back onto itself. Springs and bristles balance at the limit.
static void test_under_load(void** state)
{
    (void)state;
    const double times[] = {2.0, 2.5, 1e3};
    double limit[3];
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 1.0, 0.1, 0.2);
        rig_spring(&r, body, SS_GROUND, 100.0, 0.0);
        lugre(&r, body, SS_GROUND, (ss_lugre){1e4, 200.0, 0.4, 1.0, 1.01, 0.001, 2.0});
        assert_true(settles(&r, times[k], &limit[k]));
        expect_near("limit", limit[k], limit[0], 1e-12 * 0.1);
    }
    assert_true(fabs(100.0 * limit[0]) > 0.7 && fabs(100.0 * limit[0]) < 0.8);
}

// What is left of a motion that provably dies out becomes smaller than rounding. From there on nothing moves,
// and rounding is not told as reversals, nor moves the body on by what each of them creeps.
static void test_rounding_does_not_go_on(void** state)
{
    (void)state;
    double end = NAN;
    for (int pass = 0; pass < 2; pass++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 0.4042, 0.177184, -0.948721);
        rig_spring(&r, body, SS_GROUND, 145.8, 0.9073);
        rig_force(&r, body, "0.3338");
        lugre(&r, body, SS_GROUND, (ss_lugre){2779.0, 21.96, 0.3576, 0.6356, 0.6356, NAN, 2.0});
        ss_model* model = rig_model(&r);
        ss_sim_def def = ss_sim_def_default();
        def.max_events = 2000;
        run m;
        run_start_def(&m, model, def);
        run_to(&m, pass == 0 ? 30.0 : 1e6);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        assert_true(ss_sim_settles(m.sim, NULL));
        if (pass == 0) end = ss_sim_x(m.sim)[0];
        assert_true(ss_sim_x(m.sim)[0] == end && ss_sim_v(m.sim)[0] == 0.0);
        assert_true(run_energy_error(&m) < 1e-12);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// ---- weakly damped

static const double stiffness[] = {4000.0, 3000.0, 3000.0}, breakaway[] = {0.3, 0.4, 0.3};

// One of the laws, each of 1e4 N/m and 1 N, with little damping or none of its own.
static void add_bristles(rig* r, int a, int b, ss_law_kind kind)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    ss_lugre weak = {1e4, 10.0, 0.4, 1.0, 1.0, NAN, 2.0};
    contact->law = kind;
    if (kind == SS_LAW_LUGRE) contact->lugre = (ss_lugre){1e4, 10.0, 0.4, 1.0, 1.5, 0.01, 2.0};
    if (kind == SS_LAW_DAHL) contact->dahl = (ss_dahl){1e4, 1.0, 1.0};
    if (kind == SS_LAW_ELASTO_PLASTIC) contact->elasto_plastic = (ss_elasto_plastic){weak, 2e-5};
    if (kind == SS_LAW_MAXWELL_SLIP) contact->maxwell_slip = (ss_maxwell_def){stiffness, breakaway, 3};
    if (kind == SS_LAW_GMS) contact->gms = (ss_gms){3, stiffness, breakaway, 1.0, 1.5, 0.01, 2.0, 50.0, 0.0};
}

static const ss_law_kind laws[] = {SS_LAW_LUGRE, SS_LAW_DAHL, SS_LAW_ELASTO_PLASTIC, SS_LAW_MAXWELL_SLIP,
                                   SS_LAW_GMS};
enum { LAWS = sizeof laws / sizeof *laws };

// One mass, or a chain of three, on a spring and on bristles that carry up to two thirds of what they can.
static void weakly_damped(rig* r, ss_law_kind kind, int bodies, double damping, double cubic)
{
    rig_init(r);
    for (int b = 0; b < bodies; b++) {
        rig_body(r, 1.0 + 0.3 * b, b == 0 ? 0.1 : 0.0, 0.0);
        rig_spring(r, b, b > 0 ? b - 1 : SS_GROUND, 100.0, 0.0)->cubic = cubic;
        if (damping > 0.0) rig_spring(r, b, SS_GROUND, 20.0, damping);
        add_bristles(r, b, SS_GROUND, kind);
    }
    rig_force(r, 0, "0.5");
}

// Bodies at the end, and the number of events, of a run to t.
static void stand(rig* r, double t, double tolerance, double x[], long* events, bool* said)
{
    ss_model* model = rig_model(r);
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    run m;
    run_start_def(&m, model, def);
    run_to(&m, t);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    *said = ss_sim_settles(m.sim, NULL);
    *events = m.event_count;
    for (int b = 0; b < ss_model_body_count(model); b++) {
        x[b] = ss_sim_x(m.sim)[b];
        assert_true(fabs(ss_sim_v(m.sim)[b]) < 1e-200); // of a neighbour that stands
    }
    assert_true(run_energy_error(&m) < 1e-12);
    run_stop(&m);
    ss_model_destroy(model);
}

// However much they carry, and however little damps them: the motion provably dies out, nothing is logged of
// it once it has, and where it ends depends neither on how long one waits nor on the tolerance.
static void test_weakly_damped(void** state)
{
    (void)state;
    for (int k = 0; k < 2 * LAWS; k++) {
        double early[3], late[3], coarse[3];
        long before, after, other;
        bool said;
        rig r;
        int bodies = k < LAWS ? 1 : 3;
        weakly_damped(&r, laws[k % LAWS], bodies, 1.0, 0.0);
        stand(&r, 200.0, 1e-10, early, &before, &said);
        assert_true(said);
        weakly_damped(&r, laws[k % LAWS], bodies, 1.0, 0.0);
        stand(&r, 1e6, 1e-10, late, &after, &said);
        assert_true(said);
        weakly_damped(&r, laws[k % LAWS], bodies, 1.0, 0.0);
        stand(&r, 200.0, 1e-7, coarse, &other, &said);
        assert_true(before == after && before > 20);
        for (int b = 0; b < bodies; b++) {
            expect_near("later x", late[b], early[b], 1e-14 * 0.1);
            expect_near("x", coarse[b], early[b], 1e-9 * 0.1);
        }
    }
}

// A cubic spring: nothing is proved. The body comes to stand all the same, and is not set swinging again by
// what rounding leaves of the forces on it.
static void test_not_proved_but_quiet(void** state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        double x[1], later[1];
        long before, after;
        bool said;
        rig r;
        weakly_damped(&r, laws[k], 1, 2.0, 1000.0);
        stand(&r, 200.0, 1e-10, x, &before, &said);
        assert_false(said);
        weakly_damped(&r, laws[k], 1, 2.0, 1000.0);
        stand(&r, 2e4, 1e-10, later, &after, &said);
        assert_true(before == after && x[0] == later[0]);
    }
}

// Elements that hold are springs, and without damping they swing for ever: that is told, reversal by
// reversal.
static void test_undamped_elements_swing_on(void** state)
{
    (void)state;
    for (int k = 3; k < LAWS; k++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 1.0, 0.0, 1e-6);
        rig_spring(&r, body, SS_GROUND, 100.0, 0.0);
        add_bristles(&r, body, SS_GROUND, laws[k]);
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        run_to(&m, 10.0);
        assert_int_equal(m.event_count, (long)(10.0 * sqrt(10100.0) / PI + 0.5));
        assert_false(ss_sim_settles(m.sim, NULL));
        expect_near("x", ss_sim_x(m.sim)[0], 1e-6 / sqrt(10100.0) * sin(10.0 * sqrt(10100.0)), 1e-19);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

static void test_what_is_not_said(void** state)
{
    (void)state;
    double limit[4];
    for (int k = 0; k < 7; k++) {
        rig r;
        rig_init(&r);
        int body = rig_body(&r, 1.0, 0.0, 0.1);
        ss_lugre law = usual;
        if (k == 0) law.sigma1 = 0.0;                               // dies out like 1/t only
        if (k == 1) rig_force(&r, body, "1.5");                     // more than the bristles hold
        if (k == 2) rig_force(&r, body, "0.01*sin(t)");             // goes on for ever
        if (k == 3) rig_stop(&r, body, SS_GROUND, 0.00495, 1, 0.5); // it leans on it, or may
        lugre(&r, body, k == 4 ? rig_driven_speed(&r, "0.1") : SS_GROUND, law);
        if (k == 5) rig_body(&r, 1.0, 0.0, 0.1); // a second one flies on
        if (k == 6) rig_coulomb(&r, rig_body(&r, 1.0, 0.0, 0.0), body, 1.0);
        bool said = settles(&r, 3.0, limit);
        if (k != 3) assert_false(said);
    }
}

// A system of up to three bodies, or its end at time t.
static void make_random(rig* r, uint64_t number)
{
    seed = 1000 + 77 * number;
    rig_init(r);
    int count = 1 + (int)uniform(0.0, 2.99);
    for (int b = 0; b < count; b++) {
        int body = rig_body(r, pow(10.0, uniform(-0.5, 0.5)), uniform(-0.01, 0.01), uniform(-0.3, 0.3));
        double level = uniform(0.5, 3.0), sigma0 = pow(10.0, uniform(2.0, 5.0));
        int other = body > 0 && uniform(0.0, 1.0) < 0.3 ? body - 1 : SS_GROUND;
        if (uniform(0.0, 1.0) < 0.6) rig_spring(r, body, other, uniform(1.0, 100.0), uniform(0.0, 5.0));
        lugre(r, body, SS_GROUND,
              (ss_lugre){sigma0, uniform(0.3, 2.5) * sqrt(sigma0), uniform(0.0, 1.0), level,
                         level * uniform(1.0, 1.5), 0.01, 2.0});
        if (uniform(0.0, 1.0) < 0.3) rig_stop(r, body, SS_GROUND, uniform(0.02, 0.2), 1, 0.5);
    }
    if (uniform(0.0, 1.0) < 0.3) rig_force(r, 0, "0.1");
}

static void test_what_is_said_comes_true(void** state)
{
    (void)state;
    enum { SYSTEMS = 60 };
    int said = 0;
    for (uint64_t k = 0; k < SYSTEMS; k++) {
        rig r;
        double limit[RIG_BODIES];
        make_random(&r, k);
        if (!settles(&r, 2.0, limit)) continue;
        said++;
        make_random(&r, k);
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        run_to(&m, 20.0);
        for (int b = 0; b < ss_model_body_count(model); b++) {
            expect_near("limit", ss_sim_x(m.sim)[b], limit[b], 1e-9 * 0.2);
            assert_true(fabs(ss_sim_v(m.sim)[b]) < 1e-9);
        }
        run_stop(&m);
        ss_model_destroy(model);
    }
    assert_true(said > SYSTEMS / 4); // it is not silence that makes this pass
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring_down),
        cmocka_unit_test(test_under_load),
        cmocka_unit_test(test_rounding_does_not_go_on),
        cmocka_unit_test(test_weakly_damped),
        cmocka_unit_test(test_not_proved_but_quiet),
        cmocka_unit_test(test_undamped_elements_swing_on),
        cmocka_unit_test(test_what_is_not_said),
        cmocka_unit_test(test_what_is_said_comes_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
