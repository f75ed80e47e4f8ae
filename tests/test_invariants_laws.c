// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Levels that depend on direction, on sticking or slipping, and on time; floors and belts that are driven.
// Each motion is worked out by hand in the comment above it.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static rig r;
static run m;
static ss_model* model;

static void begin(void) { model = run_start_rig(&m, &r); }

static void end(double energy) { run_end(&m, model, energy); }

// 1 N resists forward motion, 2 N backward: from 1 m/s the block slides 0.5 m, from -1 m/s 0.25 m; 1.5 N
// pushes it forward, -1.5 N does not move it.
static void direction_block(double v, const char* force)
{
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, v);
    rig_coulomb(&r, 0, SS_GROUND, 1.0)->coulomb = (ss_coulomb){1.0, 2.0, 1.0, 2.0};
    if (force) rig_force(&r, 0, force);
    begin();
    run_to(&m, 10.0);
}

static void test_direction_dependent_friction(void** state)
{
    (void)state;
    direction_block(1.0, NULL);
    expect_event(&m, 0, 1.0, 0, SS_MODE_SLIP_PLUS, SS_MODE_STICK, 1e-14);
    expect_near("forward", ss_sim_x(m.sim)[0], 0.5, 1e-14);
    end(1e-12);
    direction_block(-1.0, NULL);
    expect_event(&m, 0, 0.5, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-14);
    expect_near("backward", ss_sim_x(m.sim)[0], -0.25, 1e-14);
    end(1e-12);
    direction_block(0.0, "1.5");
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_near("pushed forward", ss_sim_x(m.sim)[0], 25.0, 1e-12);
    end(1e-12);
    direction_block(0.0, "-1.5");
    assert_true(m.outcome == SS_AT_REST && ss_sim_x(m.sim)[0] == 0.0);
    end(1e-12);
}

// A block on a spring on a belt of speed u, static level S above the kinetic one D. Stick until k x = S;
// then, with y = x - D/k and a = (S - D)/k, slip from y = a, y' = u until y' = u again, at y = -a, which
// takes (2/w)(pi - atan(a w/u)); then stick for 2 a/u; and so on.
static void test_stick_slip_on_a_belt(void** state)
{
    (void)state;
    const double mass = 2.0, k = 8.0, w = 2.0, S = 3.0, D = 2.0, u = 0.5, a = (S - D) / k;
    rig_init(&r);
    int block = rig_body(&r, mass, 0.0, u), belt = rig_driven_speed(&r, "0.5");
    rig_spring(&r, block, SS_GROUND, k, 0.0);
    rig_coulomb(&r, block, belt, D)->coulomb = (ss_coulomb){D, D, S, S};
    begin();
    run_to(&m, 50.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    double t = S / k / u, slip = 2.0 / w * (pi - atan(a * w / u));
    assert_true(m.event_count > 20);
    for (long i = 0; i + 1 < m.event_count; i += 2) {
        expect_event(&m, i, t, 0, SS_MODE_STICK, SS_MODE_SLIP_MINUS, 1e-12 * fmax(1.0, t));
        expect_event(&m, i + 1, t + slip, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-12 * fmax(1.0, t));
        t += slip + 2.0 * a / u;
    }
    assert_false(run_has_note(&m, "many-futures"));
    end(1e-12);
}

// Friction 2 - t/2 under a constant force of 1 N: gives way at t = 2, then x'' = t/2 - 1, x = (t-2)^3/12.
static void test_friction_that_fades(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    ss_contact_def* floor = rig_coulomb(&r, 0, SS_GROUND, 0.0);
    floor->forward = floor->backward = rig_signal(&r, "2 - t/2");
    rig_force(&r, 0, "1");
    begin();
    run_to(&m, 3.5);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, 2.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-14);
    expect_near("x", ss_sim_x(m.sim)[0], 1.5 * 1.5 * 1.5 / 12.0, 1e-14);
    end(1e-12);
}

// A brake that presses ever harder: friction t on a block of 1 m/s stops it where t^2/2 = 1.
static void test_friction_that_grows(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 1.0);
    ss_contact_def* floor = rig_coulomb(&r, 0, SS_GROUND, 0.0);
    floor->forward = floor->backward = rig_signal(&r, "1 * t");
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, sqrt(2.0), 0, SS_MODE_SLIP_PLUS, SS_MODE_STICK, 1e-14);
    expect_near("x", ss_sim_x(m.sim)[0], sqrt(2.0) * (1.0 - 1.0 / 3.0), 1e-14); // t - t^3/6
    end(1e-12);
}

// The table goes 1 m out and back at 1 m/s and stops. The disk (1 kg, 4 N) is carried; at t = 1 the table
// turns under it, the disk follows after 0.5 s; at t = 2 the table stops and the disk 0.25 s later, at 0.375
// m.
static void test_driven_by_a_table_with_kinks(void** state)
{
    (void)state;
    const double t[] = {0.0, 1.0, 2.0}, x[] = {0.0, 1.0, 0.0};
    rig_init(&r);
    int disk = rig_body(&r, 1.0, 0.0, 1.0), table = rig_driven(&r, "0");
    r.bodies[table].position = rig_table(&r, t, x, 3);
    rig_coulomb(&r, disk, table, 4.0);
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.event_count, 4);
    expect_event(&m, 0, 1.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-15);
    expect_event(&m, 1, 1.5, 0, SS_MODE_SLIP_PLUS, SS_MODE_STICK, 1e-14);
    expect_event(&m, 2, 2.0, 0, SS_MODE_STICK, SS_MODE_SLIP_MINUS, 1e-15);
    expect_event(&m, 3, 2.25, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-14);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("place of rest", ss_sim_x(m.sim)[0], 0.375, 1e-14);
    end(1e-12);
}

// A force with kinks, |t - 2| - 1 (from 1 down to -1 and up again) against 0.5 N at 1 kg, from rest:
// slips at once with a = 0.5 - t, stops when t/2 = t^2/2, at t = 1, where the load is 0.
static void test_force_with_kinks(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_coulomb(&r, 0, SS_GROUND, 0.5);
    rig_force(&r, 0, "abs(t - 2) - 1");
    begin();
    run_to(&m, 2.0);
    expect_event(&m, 0, 1.0, 0, SS_MODE_SLIP_PLUS, SS_MODE_STICK, 1e-14);
    // At 1.5 s the load is -0.5: back it goes, v = -(t-1.5)^2/2 until 2 s, then the load rises from -1.
    expect_event(&m, 1, 1.5, 0, SS_MODE_STICK, SS_MODE_SLIP_MINUS, 1e-14);
    expect_near("v at the kink", ss_sim_v(m.sim)[0], -0.125, 1e-14);
    run_to(&m, 2.5);
    expect_near("v after the kink", ss_sim_v(m.sim)[0], -0.25, 1e-14); // + ((t-2)^2/2 - 0.5 (t-2)) at 2.5
    end(1e-12);
}

// On a fast belt the friction is constant and only shifts the swing: x = D/k + (x0 - D/k) cos(w t).
static void test_swing_on_a_fast_belt(void** state)
{
    (void)state;
    rig_init(&r);
    int block = rig_body(&r, 1.0, 2.0, 0.0), belt = rig_driven_speed(&r, "100");
    rig_spring(&r, block, SS_GROUND, 4.0, 0.0);
    rig_coulomb(&r, block, belt, 3.0);
    begin();
    run_to(&m, 50.0);
    assert_int_equal(m.event_count, 0);
    expect_near("x", ss_sim_x(m.sim)[0], 0.75 + 1.25 * cos(100.0), 1e-12);
    end(1e-12);
}

// Stribeck with a linear fall for high speeds only has no closed form; but at rest its level is the static
// one, and a load just below it holds while one just above does not.
static void test_stribeck_holds_up_to_the_static_level(void** state)
{
    (void)state;
    const char* forces[] = {"1.4999", "1.55"};
    for (int i = 0; i < 2; i++) {
        rig_init(&r);
        rig_body(&r, 1.0, 0.0, 0.0);
        ss_contact_def* floor = rig_contact(&r, rig_row(&r, 0, 1.0, SS_GROUND, -1.0));
        floor->law = SS_LAW_STRIBECK;
        floor->stribeck = (ss_stribeck){1.0, 1.5, 0.1, 2.0, 0.2};
        rig_force(&r, 0, forces[i]);
        begin();
        run_to(&m, 200.0);
        if (i == 0)
            assert_true(m.outcome == SS_AT_REST && ss_sim_x(m.sim)[0] == 0.0);
        else // the level falls faster than 0.2 v rises; ends where 1 + 0.2 v = 1.55
            expect_near("final speed", ss_sim_v(m.sim)[0], 2.75, 1e-8);
        end(1e-9);
    }
}

// However narrow the fall of the level, the swing ends, and its energy balances. The narrower, the nearer it
// comes to Coulomb friction 0.1 at rest and 0.07 in motion with a damper of 0.05: x -> d - (x - d) e^(-pi
// c/(2 m w)) in each half swing, d = 0.07, w^2 = 1 - c^2/4.
static void test_narrow_stribeck(void** state)
{
    (void)state;
    double w = sqrt(1.0 - 0.05 * 0.05 / 4.0), keep = exp(-0.025 * pi / w), x = 3.0;
    int swings = 0;
    for (; fabs(x) > 0.1; swings++) x = x > 0.0 ? 0.07 - (x - 0.07) * keep : -0.07 - (x + 0.07) * keep;
    for (int decade = 0; decade >= -6; decade--)
        for (int shape = 1; shape <= 2; shape++) {
            rig_init(&r);
            rig_body(&r, 1.0, 3.0, 0.0);
            rig_spring(&r, 0, SS_GROUND, 1.0, 0.0);
            ss_contact_def* floor = rig_contact(&r, rig_row(&r, 0, 1.0, SS_GROUND, -1.0));
            floor->law = SS_LAW_STRIBECK;
            floor->stribeck = (ss_stribeck){0.07, 0.1, pow(10.0, decade), shape, 0.05};
            begin();
            run_to(&m, 100.0);
            assert_int_equal(m.outcome, SS_AT_REST);
            if (decade < -4) {
                assert_int_equal(m.event_count, swings);
                expect_near("place of rest", ss_sim_x(m.sim)[0], x, 1e-3);
                expect_near("time of rest", ss_sim_time(m.sim), swings * pi / w, 1e-2);
            }
            end(1e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direction_dependent_friction),
        cmocka_unit_test(test_stick_slip_on_a_belt),
        cmocka_unit_test(test_friction_that_fades),
        cmocka_unit_test(test_friction_that_grows),
        cmocka_unit_test(test_driven_by_a_table_with_kinks),
        cmocka_unit_test(test_force_with_kinks),
        cmocka_unit_test(test_swing_on_a_fast_belt),
        cmocka_unit_test(test_stribeck_holds_up_to_the_static_level),
        cmocka_unit_test(test_narrow_stribeck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
