// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Far ends of motions in their last mode: the same closed forms as near ones; and motions that do not decay,
// which leap only where nothing could end the mode, and late.
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
static ss_model* model;

static void begin(void) { model = run_start_rig(&m, &r); }

static void end(void) { run_end(&m, model, INFINITY); }

// m = k = 1 without damping, from x = 1: x = cos t, looked at from time `from` to `to`, each `factor` times
// the one before, within `loss` per radian.
static void expect_swing(double from, double to, double factor, double loss)
{
    rig_init(&r);
    rig_body(&r, 1.0, 1.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 0.0);
    begin();
    for (double t = from; t < to; t *= factor) {
        run_to(&m, t);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        expect_near("x", ss_sim_x(m.sim)[0], cos(t), 1e-13 + loss * t);
        expect_near("v", ss_sim_v(m.sim)[0], -sin(t), 1e-13 + loss * t);
        assert_true(run_energy_error(&m) < 1e-13 + loss * t);
    }
    end();
}

// It does not decay and so does not leap before 1e5 steps: the rounding of a cell would be multiplied by
// their number. Strides are off by at most a few epsilons per radian.
static void test_undamped_swing(void** state)
{
    (void)state;
    expect_swing(100.0, 1e5, 7.0, 1e-15);
}

// Later it leaps: no contact can end the mode, and what rounding does to the phase is a few epsilons per cell
// of half a radian.
static void test_undamped_far_ahead(void** state)
{
    (void)state;
    expect_swing(1e5, 2e10, 10.0, 4e-15);
}

// A damper of 1 N s/m and a spring that pushes with 1e-8 N/m: from the place and speed of the growing one of
// its two modes, x = e^(p t), p^2 + p = 1e-8. At 1e9 s it has grown by e^10.
static void test_slow_growth(void** state)
{
    (void)state;
    double p = 2e-8 / (1.0 + sqrt(1.0 + 4e-8));
    rig_init(&r);
    rig_body(&r, 1.0, 1.0, p);
    rig_spring(&r, 0, SS_GROUND, -1e-8, 1.0);
    begin();
    for (double t = 1e7; t < 2e9; t *= 10.0) {
        run_to(&m, t);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        expect_near("x", ss_sim_x(m.sim)[0] / exp(p * t), 1.0, 1e-12 + 1e-15 * t);
        expect_near("v", ss_sim_v(m.sim)[0] / (p * exp(p * t)), 1.0, 1e-12 + 1e-15 * t);
    }
    end();
}

// m = c = F = 1: v = 1 - e^-t, x = t - v, and the damper takes t - 2 v + (1 - e^-2t)/2. The force puts in x.
static void test_pushed_through_air(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 0.0, 1.0);
    rig_force(&r, 0, "1");
    begin();
    for (double t = 10.0; t < 1e5; t *= 1e2) {
        run_to(&m, t);
        double v = 1.0 - exp(-t);
        ss_energy energy = ss_sim_energy(m.sim);
        expect_near("x", ss_sim_x(m.sim)[0], t - v, 1e-14 * t);
        expect_near("v", ss_sim_v(m.sim)[0], v, 1e-14);
        expect_near("input", energy.input, t - v, 1e-14 * t);
        expect_near("damping", energy.damping, t - 2.0 * v - 0.5 * expm1(-2.0 * t), 1e-14 * t);
    }
    end();
}

// Two blocks held together by static friction, with a cubic spring between them that therefore does not
// move, swing as one of mass 4 kg on k = 4 N/m with c = 0.8 N s/m: x = e^(-t/10) (cos w t + sin(w t)/(10 w)),
// w^2 = 0.99. A third block stands on a floor of its own.
static void hold_together(void)
{
    rig_init(&r);
    for (int i = 0; i < 3; i++) rig_body(&r, i == 0 ? 1.0 : 3.0, 1.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 4.0, 0.8);
    rig_spring(&r, 0, 1, 0.0, 0.0)->cubic = 2.0;
    rig_coulomb(&r, 0, 1, 10.0);
    rig_coulomb(&r, 2, SS_GROUND, 1.0);
    begin();
}

static void test_held_cubic_spring(void** state)
{
    (void)state;
    hold_together();
    double w = sqrt(0.99), limit[RIG_BODIES];
    for (double t = 1.0; t < 1e100; t *= t < 1e4 ? 2.0 : 1e9) {
        run_to(&m, t);
        double x = exp(-0.1 * t) * (cos(w * t) + sin(w * t) / (10.0 * w));
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        for (int b = 0; b < 2; b++) expect_near("x", ss_sim_x(m.sim)[b], x, 2e-13);
        assert_true(ss_sim_x(m.sim)[2] == 1.0 && m.event_count == 0);
        assert_true(ss_sim_settles(m.sim, limit));
        expect_near("limit", limit[0], 0.0, 1e-15);
        expect_near("damping", ss_sim_energy(m.sim).damping, 2.0 - ss_sim_energy(m.sim).end, 1e-12);
    }
    end();
}

// Whoever asks for states on the way changes nothing at the end, to the bit; and time does not run back.
static void test_asking_on_the_way(void** state)
{
    (void)state;
    double x[2][3], damping[2];
    for (int often = 0; often < 2; often++) {
        hold_together();
        for (double t = 3.0; often && t < 5e5; t *= 1.37) run_to(&m, t);
        run_to(&m, 1e6);
        run_to(&m, 10.0);
        assert_true(ss_sim_time(m.sim) == 1e6);
        memcpy(x[often], ss_sim_x(m.sim), sizeof x[0]);
        damping[often] = ss_sim_energy(m.sim).damping;
        end();
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_true(damping[0] == damping[1]);
}

// A slow approach beside a fast one, in slip that never ends: m x'' + c x' = -k (x - x_0) with c = 100, k =
// 1: the rates are -0.010001 and -99.99 per second. At 1e4 s the slip speed is far below the rounding of x.
static void test_endless_slip(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 5.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 100.0);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    begin();
    double root = sqrt(50.0 * 50.0 - 1.0), slow = -1.0 / (50.0 + root), fast = -50.0 - root;
    for (double t = 10.0; t < 1e7; t *= 4.0) {
        run_to(&m, t);
        double x = 1.0 + 4.0 * (fast * exp(slow * t) - slow * exp(fast * t)) / (fast - slow);
        assert_int_equal(m.event_count, 0);
        expect_near("x", ss_sim_x(m.sim)[0], x, 1e-11);
    }
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undamped_swing),    cmocka_unit_test(test_pushed_through_air),
        cmocka_unit_test(test_held_cubic_spring), cmocka_unit_test(test_asking_on_the_way),
        cmocka_unit_test(test_endless_slip),      cmocka_unit_test(test_undamped_far_ahead),
        cmocka_unit_test(test_slow_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
