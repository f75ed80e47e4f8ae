// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Windows: fast and slow modes together. Steps by series would go by the fast ones; what is known of the slow
// ones must come out all the same, to the bit wherever the run is cut and whether a ledger is kept.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static rig r;
static run m;
static const double pi = 3.14159265358979323846;

// A block of 1 kg on 1 N/m and a floor of 1 N, let go at x0, beside a body of 1 kg on `stiffness` that is
// damped. They share nothing but the run.
static ss_model* make_pair(double x0, double stiffness)
{
    rig_init(&r);
    rig_body(&r, 1.0, x0, 0.0);
    rig_body(&r, 1.0, 1e-3, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 0.0);
    rig_spring(&r, 1, SS_GROUND, stiffness, 0.01 * sqrt(stiffness));
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    return rig_model(&r);
}

// Each half swing takes pi s and 2 m, and the block rests at the first turning point within 1 m of 0.
static void test_half_swings_beside_a_fast_body(void** state)
{
    (void)state;
    static const struct {
        double x0;
        int swings;
        double rest;
    } truth[] = {{2.0, 1, 0.0}, {3.25, 2, -0.75}, {5.5, 3, 0.5}, {11.5, 6, -0.5}};
    for (double stiffness = 1e4; stiffness < 1e13; stiffness *= 100.0)
        for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
            ss_model* model = make_pair(truth[k].x0, stiffness);
            run_start(&m, model, NULL, NULL);
            run_to(&m, 40.0);
            assert_int_equal(m.event_count, truth[k].swings);
            expect_near("rest", ss_sim_x(m.sim)[0], truth[k].rest, 1e-11);
            assert_true(ss_sim_v(m.sim)[0] == 0.0);
            for (int e = 0; e < truth[k].swings; e++)
                expect_near("turning point", m.events[e].t, pi * (e + 1), 1e-11);
            assert_true(run_energy_error(&m) < 1e-12);
            run_stop(&m);
            ss_model_destroy(model);
        }
}

// Three blocks in a row, of which stiff springs make one; the last one rubs on the floor and may meet a stop.
static ss_model* make_row(double stop)
{
    rig_init(&r);
    rig_body(&r, 1.0, 3.0, 0.0);
    rig_body(&r, 1.7, 3.0, 0.0);
    rig_body(&r, 0.6, 3.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.3, 0.02);
    rig_spring(&r, 0, 1, 3e8, 40.0);
    rig_spring(&r, 1, 2, 7e8, 30.0);
    rig_coulomb(&r, 2, SS_GROUND, 0.11);
    rig_stop(&r, 1, SS_GROUND, stop, -1, 0.0);
    return rig_model(&r);
}

// Together they are a body of 3.3 kg on 1.3 N/m with 0.02 N s/m, but for what the springs give: 1e-8 m. With
// d = c/(2 m) and w^2 = k/m - d^2 a half swing takes pi/w, and leaves e^(-d pi/w) of the distance from where
// friction and spring balance.
static void test_a_stiff_row_swings_as_one(void** state)
{
    (void)state;
    ss_model* model = make_row(-100.0);
    double d = 0.02 / 6.6, w = sqrt(1.3 / 3.3 - d * d), x = 3.0, sign = 1.0;
    run_start(&m, model, NULL, NULL);
    run_to(&m, 60.0);
    assert_true(m.event_count > 8);
    for (int e = 1; e < 8; e++) { // event 0: it begins to slip
        double middle = sign * 0.11 / 1.3;
        x = middle - (x - middle) * exp(-d * pi / w);
        sign = -sign;
        expect_near("turning point", m.events[e].t, e * pi / w, 2e-6);
    }
    double middle = sign * 0.11 / 1.3, t = 60.0 - 7.0 * pi / w; // on the eighth half swing at the latest
    if (t < pi / w)
        expect_near("place", ss_sim_x(m.sim)[2],
                    middle + (x - middle) * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 1e-5);
    assert_true(run_energy_error(&m) < 1e-8);
    run_stop(&m);
    ss_model_destroy(model);
}

// The state of a run at t = 20 s, asked for at `moments` times before.
static void state_at_twenty(const ss_model* model, bool ledger, int moments, double out[6])
{
    ss_sim_def def = ss_sim_def_default();
    def.ledger = ledger;
    run_start_def(&m, model, def);
    for (int k = 1; k <= moments; k++) run_to(&m, 20.0 * k / (moments + 1.0) + 1e-3 * k * k / moments);
    run_to(&m, 20.0);
    memcpy(out, ss_sim_x(m.sim), 3 * sizeof(double));
    memcpy(out + 3, ss_sim_v(m.sim), 3 * sizeof(double));
}

static void test_cuts_and_ledgers_change_nothing(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        ss_model* model = make_row(k % 2 == 0 ? -100.0 : -1.5);
        double whole[6], other[6];
        state_at_twenty(model, true, 0, whole);
        long events = m.event_count;
        double last = m.events[events - 1].t;
        run_stop(&m);
        state_at_twenty(model, k < 2, k < 2 ? 57 : 0, other);
        assert_int_equal(m.event_count, events);
        assert_true(m.events[events - 1].t == last);
        for (int i = 0; i < 6; i++) expect_near("state", other[i], whole[i], 0.0);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// A stop that is met within a window ends it: the row hits it at -1.5 m with the speed that its energy leaves
// it, v^2 = (k/m)(x0^2 - x^2) - 2 F (x0 - x)/m without the damper, and stays there while the spring pushes.
static void test_a_stop_is_not_missed(void** state)
{
    (void)state;
    ss_model* model = make_row(-1.5);
    run_start(&m, model, NULL, NULL);
    run_to(&m, 20.0);
    bool met = false;
    for (long e = 0; e < m.event_count && !met; e++) {
        met = m.events[e].contact == 1;
        double k = 1.3 / 3.3, v = sqrt(k * (9.0 - 2.25) - 2.0 * 0.11 * 4.5 / 3.3);
        if (met) expect_near("speed of the impact", m.events[e].speed_in, v, 0.02 * v);
    }
    assert_true(met);
    run_stop(&m);
    ss_model_destroy(model);
}

// m = k = 1 and the force sin(w t)/2 from x = 1: x = cos t + a (sin w t - w sin t), a = 1/(2 (1 - w^2)). The
// force puts in the energy that is there. A stop that is far away keeps nobody from looking.
static void test_forced_beside_a_fast_body(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 1.0, 0.0);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 0.0);
    rig_spring(&r, 1, SS_GROUND, 1e8, 100.0);
    rig_force(&r, 0, "0.5*sin(0.7*t)");
    rig_stop(&r, 0, SS_GROUND, 100.0, 1, 0.5);
    ss_model* model = rig_model(&r);
    run_start(&m, model, NULL, NULL);
    double w = 0.7, a = 0.5 / (1.0 - w * w);
    for (double t = 0.5; t < 100.0; t *= 1.7) {
        run_to(&m, t);
        double x = cos(t) + a * (sin(w * t) - w * sin(t)), v = a * w * (cos(w * t) - cos(t)) - sin(t);
        expect_near("x", ss_sim_x(m.sim)[0], x, 1e-13 * (1.0 + t));
        expect_near("v", ss_sim_v(m.sim)[0], v, 1e-13 * (1.0 + t));
        expect_near("input", ss_sim_energy(m.sim).input, 0.5 * (x * x + v * v - 1.0), 1e-13 * (1.0 + t));
    }
    assert_int_equal(m.event_count, 0);
    run_stop(&m);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_swings_beside_a_fast_body),
        cmocka_unit_test(test_a_stiff_row_swings_as_one),
        cmocka_unit_test(test_cuts_and_ledgers_change_nothing),
        cmocka_unit_test(test_a_stop_is_not_missed),
        cmocka_unit_test(test_forced_beside_a_fast_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
