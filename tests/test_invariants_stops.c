// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Rigid stops: bounces, their accumulation, leaning on a stop and leaving it, impacts that happen together.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static rig r;
static run m;
static ss_model* model;

static void begin(void) { model = run_start_rig(&m, &r); }

static void end(void) { run_end(&m, model, 1e-12); }

static void expect_impact(long index, double t, int contact, ss_mode to, double in, double out)
{
    expect_event(&m, index, t, contact, SS_MODE_OPEN, to, 1e-12 * fmax(1.0, t));
    assert_int_equal(m.events[index].kind, SS_EVENT_IMPACT);
    expect_near("speed before", m.events[index].speed_in, in, 1e-12 * in);
    expect_near("speed after", m.events[index].speed_out, out, 1e-12 * in);
}

// A ball of 1 kg falls 1 m under 10 m/s^2 on the ground.
static void ball(double height, double restitution)
{
    rig_init(&r);
    rig_body(&r, 1.0, height, 0.0);
    rig_force(&r, 0, "-10");
    rig_stop(&r, 0, SS_GROUND, 0.0, -1, restitution);
    begin();
}

// Impact n comes 2 v_n / g after the one before, v_n = e^n v_0: all of them by sqrt(2h/g) (1+e)/(1-e).
static void check_accumulation(double e)
{
    double first = sqrt(0.2), last = first * (1.0 + e) / (1.0 - e), speed = sqrt(20.0), t = first;
    ball(1.0, e);
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(m.event_count >= 4 && m.event_count < 2000);
    for (int i = 0; i < 3; i++, speed *= e) {
        expect_impact(i, t, 0, SS_MODE_OPEN, speed, e * speed);
        t += 2.0 * e * speed / 10.0;
    }
    const ss_event* closing = &m.events[m.event_count - 1];
    assert_int_equal(closing->kind, SS_EVENT_ACCUMULATION);
    assert_true(closing->from == SS_MODE_OPEN && closing->to == SS_MODE_CLOSED);
    expect_near("limit time", closing->t, last, 1e-12 * last);
    for (long i = 1; i < m.event_count; i++) assert_true(m.events[i].t >= m.events[i - 1].t);
    assert_true(ss_sim_x(m.sim)[0] == 0.0 && ss_sim_v(m.sim)[0] == 0.0);
    expect_near("lost in impacts", ss_sim_energy(m.sim).impact, 10.0, 1e-11);
    expect_near("force", ss_sim_contact(m.sim, 0).force, 10.0, 1e-14);
    end();
}

static void test_accumulating_bounces(void** state)
{
    (void)state;
    check_accumulation(0.5);
    check_accumulation(0.25);
    check_accumulation(0.9);
}

// On a rail with 4 N of friction the ball rises against 14 N and falls with 6 N: each bounce leaves the share
// r = e sqrt(6/14) of the speed, and lasts e v/14 up and r v/6 down.
static void test_accumulating_bounces_on_a_rough_rail(void** state)
{
    (void)state;
    double e = 0.5, v = sqrt(12.0), ratio = e * sqrt(6.0 / 14.0);
    double last = v / 6.0 + (e * v / 14.0 + ratio * v / 6.0) / (1.0 - ratio);
    rig_init(&r);
    rig_body(&r, 1.0, 1.0, 0.0);
    rig_force(&r, 0, "-10");
    rig_coulomb(&r, 0, SS_GROUND, 4.0);
    rig_stop(&r, 0, SS_GROUND, 0.0, -1, e);
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(m.event_count < 1000);
    expect_near("limit time", ss_sim_time(m.sim), last, 1e-11);
    expect_near("lost in impacts", ss_sim_energy(m.sim).impact, 0.5 * v * v * 0.75 / (1.0 - ratio * ratio),
                1e-11);
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_STICK);
    assert_int_equal(ss_sim_contact(m.sim, 1).mode, SS_MODE_CLOSED);
    assert_true(ss_sim_x(m.sim)[0] == 0.0 && ss_sim_v(m.sim)[0] == 0.0);
    end();
}

static void test_elastic_ball_never_rests(void** state)
{
    (void)state;
    ball(1.0, 1.0);
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    double first = sqrt(0.2);
    assert_int_equal(m.event_count, (long)floor((100.0 / first + 1.0) / 2.0));
    for (long i = 0; i < m.event_count; i++) {
        expect_event(&m, i, (double)(2 * i + 1) * first, 0, SS_MODE_OPEN, SS_MODE_OPEN, 1e-11);
        assert_true(m.events[i].kind == SS_EVENT_IMPACT);
    }
    end();
}

static void test_an_impact_that_stays(void** state)
{
    (void)state;
    ball(1.0, 0.0);
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 1);
    expect_impact(0, sqrt(0.2), 0, SS_MODE_CLOSED, sqrt(20.0), 0.0);
    expect_near("time of rest", ss_sim_time(m.sim), sqrt(0.2), 1e-15);
    end();
}

static void test_leaning_from_the_start(void** state)
{
    (void)state;
    ball(0.0, 0.5);
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_CLOSED);
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(m.event_count == 0 && ss_sim_time(m.sim) == 0.0 && ss_sim_x(m.sim)[0] == 0.0);
    expect_near("force", ss_sim_contact(m.sim, 0).force, 10.0, 1e-14);
    end();
}

// Pressed with 10 - 5 t: after 2 s the block leaves the stop, slowly at first, x = 5 (t-2)^3 / 6.
static void test_leaving_a_stop(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "5 * t - 10");
    rig_stop(&r, 0, SS_GROUND, 0.0, -1, 0.5);
    begin();
    run_to(&m, 4.0);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, 2.0, 0, SS_MODE_CLOSED, SS_MODE_OPEN, 1e-14);
    expect_near("x", ss_sim_x(m.sim)[0], 40.0 / 6.0, 1e-13);
    end();
}

// Between two facing stops at -1 and 1 without any force: each bounce halves the speed, impacts at 1, 5, 13,
// ..
static void test_two_facing_stops(void** state)
{
    (void)state;
    double t = 1.0, speed = 1.0;
    rig_init(&r);
    rig_body(&r, 2.0, 0.0, 1.0);
    rig_stop(&r, 0, SS_GROUND, 1.0, 1, 0.5);
    rig_stop(&r, 0, SS_GROUND, -1.0, -1, 0.5);
    begin();
    run_to(&m, 600.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 8); // t = 2^(n+2) - 3
    for (int i = 0; i < 8; i++) {
        expect_impact(i, t, i % 2, SS_MODE_OPEN, speed, speed / 2.0);
        speed /= 2.0;
        t += 2.0 / speed;
    }
    end();
}

// Sliding against 1 N into a stop: v^2 = 4 - 2 x, at 0.5 m sqrt(3); half of it comes back and is used up.
static void test_stop_and_friction(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 2.0);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    rig_stop(&r, 0, SS_GROUND, 0.5, 1, 0.5);
    begin();
    run_to(&m, 10.0);
    double hit = 2.0 - sqrt(3.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 3);
    expect_event(&m, 0, hit, 0, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS, 1e-14);
    expect_impact(1, hit, 1, SS_MODE_OPEN, sqrt(3.0), 0.5 * sqrt(3.0));
    expect_event(&m, 2, hit + 0.5 * sqrt(3.0), 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-14);
    assert_true(m.events[0].t == m.events[1].t);
    expect_near("place of rest", ss_sim_x(m.sim)[0], 0.125, 1e-14);
    expect_near("lost in the impact", ss_sim_energy(m.sim).impact, 1.5 * 0.75, 1e-14);
    end();
}

// Three equal bodies; a stop at distance 0 keeps neighbours in order.
static void three(double x0, double v0, double x2, double v2, double restitution)
{
    rig_init(&r);
    rig_body(&r, 1.0, x0, v0);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_body(&r, 1.0, x2, v2);
    rig_stop(&r, 0, 1, 0.0, 1, restitution);
    rig_stop(&r, 1, 2, 0.0, 1, restitution);
    begin();
}

// Hit from both sides at once, the one in the middle stays and the others go back as they came.
static void test_hit_from_both_sides(void** state)
{
    (void)state;
    three(-1.0, 1.0, 1.0, -1.0, 1.0);
    run_to(&m, 2.0);
    assert_int_equal(m.event_count, 2);
    expect_impact(0, 1.0, 0, SS_MODE_OPEN, 1.0, 1.0);
    expect_impact(1, 1.0, 1, SS_MODE_OPEN, 1.0, 1.0);
    assert_true(m.events[0].t == m.events[1].t);
    expect_near("first", ss_sim_v(m.sim)[0], -1.0, 1e-14);
    expect_near("middle", ss_sim_v(m.sim)[1], 0.0, 1e-14);
    expect_near("last", ss_sim_v(m.sim)[2], 1.0, 1e-14);
    end();
}

// One body hits two that touch. With Newton's law at both contacts together (p1, p2 impulses):
//     1 - 2 p1 + p2 = -1,  p1 - 2 p2 = 0   so   p1 = 4/3, p2 = 2/3, speeds -1/3, 2/3, 2/3:
// momentum and energy are kept. (The toy does otherwise because its balls are elastic, not rigid.)
static void test_hit_on_two_that_touch(void** state)
{
    (void)state;
    three(-1.0, 1.0, 0.0, 0.0, 1.0);
    assert_int_equal(ss_sim_contact(m.sim, 1).mode, SS_MODE_CLOSED);
    run_to(&m, 2.0);
    expect_near("first", ss_sim_v(m.sim)[0], -1.0 / 3.0, 1e-14);
    expect_near("middle", ss_sim_v(m.sim)[1], 2.0 / 3.0, 1e-14);
    expect_near("last", ss_sim_v(m.sim)[2], 2.0 / 3.0, 1e-14);
    end();
}

// Equal masses exchange speeds; a light one bounces off a heavy one.
static void test_two_bodies_collide(void** state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double heavy = i == 0 ? 1.0 : 1e6, e = 0.8;
        rig_init(&r);
        rig_body(&r, 1.0, -1.0, 1.0);
        rig_body(&r, heavy, 0.0, 0.0);
        rig_stop(&r, 0, 1, 0.0, 1, e);
        begin();
        run_to(&m, 3.0);
        double centre = 1.0 / (1.0 + heavy);
        assert_int_equal(m.event_count, 1);
        expect_impact(0, 1.0, 0, SS_MODE_OPEN, 1.0, e);
        expect_near("light", ss_sim_v(m.sim)[0], centre - e * heavy / (1.0 + heavy), 1e-14);
        expect_near("heavy", ss_sim_v(m.sim)[1], centre + e * centre, 1e-14);
        end();
    }
}

// A ball on a plate that moves up at 1 m/s from below and then stops: it leaves the plate at once.
static void test_carried_by_a_moving_stop(void** state)
{
    (void)state;
    const double t[] = {0.0, 1.0, 2.0}, x[] = {0.0, 1.0, 1.0};
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 1.0);
    int plate = rig_driven(&r, "0");
    r.bodies[plate].position = rig_table(&r, t, x, 3);
    rig_force(&r, 0, "-10");
    rig_stop(&r, 0, plate, 0.0, -1, 0.0);
    begin();
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_CLOSED);
    run_to(&m, 5.0);
    assert_int_equal(m.event_count, 2);
    expect_event(&m, 0, 1.0, 0, SS_MODE_CLOSED, SS_MODE_OPEN, 1e-15);
    expect_impact(1, 1.2, 0, SS_MODE_CLOSED, 1.0, 0.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("place of rest", ss_sim_x(m.sim)[0], 1.0, 1e-15);
    end();
}

// On a plate that rises at u, the bounces lose what the ball has in the frame of the plate, m u^2/2 + m g h;
// everything else the plate has put in.
static void test_a_rising_plate_works(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 2.0, 0.1, 0.0);
    rig_force(&r, 0, "-20");
    rig_stop(&r, 0, rig_driven_speed(&r, "0.1"), 0.0, -1, 0.8);
    begin();
    run_to(&m, 3.0);
    ss_energy energy = ss_sim_energy(m.sim);
    expect_near("loss", energy.impact, 0.5 * 2.0 * 0.01 + 20.0 * 0.1, 1e-12);
    expect_near("input", energy.input, energy.end - energy.start + energy.impact, 1e-12);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accumulating_bounces),
        cmocka_unit_test(test_accumulating_bounces_on_a_rough_rail),
        cmocka_unit_test(test_elastic_ball_never_rests),
        cmocka_unit_test(test_an_impact_that_stays),
        cmocka_unit_test(test_leaning_from_the_start),
        cmocka_unit_test(test_leaving_a_stop),
        cmocka_unit_test(test_two_facing_stops),
        cmocka_unit_test(test_stop_and_friction),
        cmocka_unit_test(test_hit_from_both_sides),
        cmocka_unit_test(test_hit_on_two_that_touch),
        cmocka_unit_test(test_two_bodies_collide),
        cmocka_unit_test(test_carried_by_a_moving_stop),
        cmocka_unit_test(test_a_rising_plate_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
