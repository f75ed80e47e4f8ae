// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Moments where event-driven programs go wrong, each with a motion that can be worked out by hand.
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

static void block(double mass, double stiffness, double friction, double x, double v)
{
    rig_init(&r);
    rig_body(&r, mass, x, v);
    if (stiffness != 0.0) rig_spring(&r, 0, SS_GROUND, stiffness, 0.0);
    rig_coulomb(&r, 0, SS_GROUND, friction);
}

// Each half swing costs 2 delta of amplitude, delta = friction / stiffness, and lasts pi sqrt(m/k). From
// 5.5 delta the third one ends at 0.5 delta, within the band that holds. So for any mass, stiffness, length.
static void check_swings(double mass, double stiffness, double delta)
{
    double half = pi * sqrt(mass / stiffness);
    block(mass, stiffness, stiffness * delta, 5.5 * delta, 0.0);
    begin();
    run_to(&m, 100.0 * half);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 3);
    expect_event(&m, 0, half, 0, SS_MODE_SLIP_MINUS, SS_MODE_SLIP_PLUS, 1e-12 * half);
    expect_event(&m, 1, 2.0 * half, 0, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS, 1e-12 * half);
    expect_event(&m, 2, 3.0 * half, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-12 * half);
    expect_near("place of rest", ss_sim_x(m.sim)[0], 0.5 * delta, 1e-13 * delta);
    assert_true(ss_sim_v(m.sim)[0] == 0.0);
    end(1e-12);
}

static void test_swings_of_any_size(void** state)
{
    (void)state;
    for (int mass = -6; mass <= 6; mass += 3)
        for (int stiffness = -3; stiffness <= 9; stiffness += 3)
            for (int delta = -6; delta <= 3; delta += 3)
                check_swings(pow(10.0, mass), pow(10.0, stiffness), pow(10.0, delta));
    check_swings(1e6, 1e-9, 1.0); // nine years
}

// A light block dropped on a heavy moving one: both slow down until they share the momentum.
static void test_mass_ratio_of_a_million(void** state)
{
    (void)state;
    double light = 1e-3, heavy = 1e3, friction = 2e-3, speed = 3.0;
    rig_init(&r);
    int a = rig_body(&r, light, 0.0, 0.0), b = rig_body(&r, heavy, 0.0, speed);
    rig_coulomb(&r, a, b, friction);
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 1);
    double together = speed / (friction / light + friction / heavy), common = speed * heavy / (heavy + light);
    expect_event(&m, 0, together, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-13);
    expect_near("common speed", ss_sim_v(m.sim)[0], common, 1e-13);
    assert_true(ss_sim_v(m.sim)[0] == ss_sim_v(m.sim)[1]);
    double x = 0.5 * friction / light * together * together + common * (10.0 - together);
    expect_near("light block", ss_sim_x(m.sim)[0], x, 1e-12);
    end(1e-12);
}

// Three equal blocks, started alike, each on its own floor: every event has one time, in the model's order.
static void test_simultaneous_events(void** state)
{
    (void)state;
    rig_init(&r);
    for (int i = 0; i < 3; i++) {
        rig_body(&r, 1.0, i == 1 ? -5.5 : 5.5, 0.0);
        rig_spring(&r, i, SS_GROUND, 1.0, 0.0);
        rig_coulomb(&r, i, SS_GROUND, 1.0);
    }
    begin();
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(m.events[i].contact, i % 3);
        assert_true(m.events[i].t == m.events[i - i % 3].t);
        expect_near("time", m.events[i].t, (1 + i / 3) * pi, 1e-13);
    }
    end(1e-12);
}

// An odd multiple of delta ends exactly on the edge of the band that holds, and holds there.
static void test_landing_on_the_edge(void** state)
{
    (void)state;
    for (int n = 1; n <= 8; n++) {
        double delta = ldexp(1.0, n - 4);
        block(1.0, 1.0, delta, (2 * n + 1) * delta, 0.0);
        begin();
        run_to(&m, 100.0);
        assert_int_equal(m.outcome, SS_AT_REST);
        assert_int_equal(m.event_count, n);
        expect_near("time of rest", ss_sim_time(m.sim), n * pi, 1e-13 * n);
        expect_near("edge", fabs(ss_sim_x(m.sim)[0]), delta, 1e-13 * delta * n);
        end(1e-12);
    }
}

static void test_starts_at_rest(void** state)
{
    (void)state;
    const double inside[] = {0.0, 0.5, -0.999, 1.0, -1.0}; // the last two on the edge
    for (int i = 0; i < 5; i++) {
        block(1.0, 1.0, 1.0, inside[i], 0.0);
        begin();
        assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_STICK);
        run_to(&m, 100.0);
        assert_int_equal(m.outcome, SS_AT_REST);
        assert_int_equal(m.event_count, 0);
        assert_true(ss_sim_time(m.sim) == 0.0 && ss_sim_x(m.sim)[0] == inside[i]);
        expect_near("holding force", ss_sim_contact(m.sim, 0).force, inside[i], 1e-15);
        end(1e-12);
    }
    double outside = 1.0 + 0x1p-20; // swings once, about 1, to as far inside
    block(1.0, 1.0, 1.0, outside, 0.0);
    begin();
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_SLIP_MINUS);
    run_to(&m, 100.0);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, pi, 0, SS_MODE_SLIP_MINUS, SS_MODE_STICK, 1e-9);
    expect_near("just inside", ss_sim_x(m.sim)[0], 2.0 - outside, 4e-15);
    end(1e-9);
}

// A force growing with t, against 1 N, at 1 kg: at t = 1 slip starts with zero acceleration, x = (t-1)^3/6.
static void test_slip_that_starts_without_acceleration(void** state)
{
    (void)state;
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "1 * t");
    begin();
    run_to(&m, 3.0);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, 1.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-14);
    expect_near("x", ss_sim_x(m.sim)[0], 8.0 / 6.0, 1e-14);
    expect_near("v", ss_sim_v(m.sim)[0], 2.0, 1e-14);
    end(1e-12);
}

// A force of at most 1 N against 1 N, just below the limit or touching it at every peak: never moves.
static void test_a_touch_is_no_slip(void** state)
{
    (void)state;
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "0.999999 * sin(2 * t)");
    begin();
    run_to(&m, 1000.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(m.event_count == 0 && ss_sim_time(m.sim) == 0.0 && ss_sim_x(m.sim)[0] == 0.0);
    end(1e-12);
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "1 * sin(2 * t)");
    begin();
    run_to(&m, 1000.0);
    assert_true(m.event_count == 0 && ss_sim_x(m.sim)[0] == 0.0);
    end(1e-12);
}

// Just above the limit it slips for a millisecond or so, every half period: not one of these may be missed.
static void test_short_slips_are_found(void** state)
{
    (void)state;
    const double above = 1e-6;
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "(1 + 1e-6) * sin(t)");
    begin();
    run_to(&m, 100.0 * pi);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 200);
    for (int i = 0; i < 100; i++) {
        double start = i * pi + asin(1.0 / (1.0 + above));
        ss_mode way = i % 2 == 0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
        expect_event(&m, 2 * i, start, 0, SS_MODE_STICK, way, 1e-9); // the limit is passed at a slope of 1e-3
        assert_true(m.events[2 * i + 1].to == SS_MODE_STICK);
        assert_true(m.events[2 * i + 1].t - start > 1e-3 && m.events[2 * i + 1].t - start < 1e-2);
    }
    end(1e-9);
}

static void test_no_friction_at_all(void** state)
{
    (void)state;
    block(1.0, 1.0, 0.0, 1.0, 0.0);
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 3);
    for (int i = 0; i < 3; i++)
        expect_event(&m, i, (i + 1) * pi, 0, i % 2 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS,
                     i % 2 ? SS_MODE_SLIP_MINUS : SS_MODE_SLIP_PLUS, 1e-13);
    expect_near("x", ss_sim_x(m.sim)[0], cos(10.0), 1e-13);
    end(1e-12);
    block(1.0, 1.0, 0.0, 0.0, 0.0);
    begin();
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 0);
    end(1e-12);
}

// Two blocks joined by a rough cable that sticks, both on damped springs: they swing on as one, ever less,
// about the stretch they stuck with.
static void test_stick_that_is_not_rest(void** state)
{
    (void)state;
    double limit[2];
    rig_init(&r);
    rig_body(&r, 1.0, 1.1, 0.0);
    rig_body(&r, 1.0, 1.0, 0.0);
    for (int i = 0; i < 2; i++) rig_spring(&r, i, SS_GROUND, 1.0, 0.2);
    rig_coulomb(&r, 0, 1, 0.5);
    begin();
    run_to(&m, 50.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 0);
    assert_true(ss_sim_settles(m.sim, limit));
    expect_near("limit of the first", limit[0], 0.05, 1e-12);
    expect_near("limit of the second", limit[1], -0.05, 1e-12);
    // e^(-0.1 t) (cos w t + 0.1/w sin w t), w^2 = 1 - 0.01, times the middle 1.05
    double w = sqrt(0.99), swing = 1.05 * exp(-5.0) * (cos(50.0 * w) + 0.1 / w * sin(50.0 * w));
    expect_near("first", ss_sim_x(m.sim)[0], swing + 0.05, 1e-13);
    expect_near("second", ss_sim_x(m.sim)[1], swing - 0.05, 1e-13);
    end(1e-12);
}

// c^2 > 4 k m: from 5 the block creeps towards the edge x = 1 of the band and never gets there.
static void test_overdamped_approach_never_sticks(void** state)
{
    (void)state;
    double limit;
    rig_init(&r);
    rig_body(&r, 1.0, 5.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 3.0);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    begin();
    run_to(&m, 1000.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.event_count, 0);
    assert_true(ss_sim_settles(m.sim, &limit));
    expect_near("limit", limit, 1.0, 1e-12);
    end(1e-12);
}

// The table swings with at most A w^2 = (b/m) (1 + above).
static void check_carried(double above, double until)
{
    char text[80];
    double w = 10.0, amplitude = 4.0 * (1.0 + above) / (w * w);
    rig_init(&r);
    int disk = rig_body(&r, 0.5, 0.0, amplitude * w);
    snprintf(text, sizeof text, "%.17g * sin(10 * t)", amplitude);
    int table = rig_driven(&r, text);
    rig_coulomb(&r, disk, table, 2.0);
    begin();
    run_to(&m, until);
}

static void test_carried_body_just_below_and_above(void** state)
{
    (void)state;
    check_carried(-1e-9, 100.0);
    assert_int_equal(m.event_count, 0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_true(ss_sim_contact(m.sim, 0).velocity == 0.0);
    expect_near("carried", ss_sim_x(m.sim)[0], ss_sim_x(m.sim)[1], 1e-15);
    end(1e-12);
    check_carried(1e-6, 2.0);
    assert_true(m.event_count > 0);
    // x'' = -A w^2 sin(w t): the table pulls back, the disk cannot follow and slips forward
    expect_event(&m, 0, asin(1.0 / (1.0 + 1e-6)) / 10.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-9);
    end(1e-9);
}

static void two_floors(const char* force)
{
    block(1.0, 0.0, 0.6, 0.0, 0.0);
    rig_coulomb(&r, 0, SS_GROUND, 0.7);
    rig_force(&r, 0, force);
    begin();
}

// Two floors under one block hold up to the sum of their levels; how they share it nobody can tell.
static void test_redundant_contacts(void** state)
{
    (void)state;
    two_floors("1.25");
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    ss_contact_state a = ss_sim_contact(m.sim, 0), b = ss_sim_contact(m.sim, 1);
    assert_true(!a.determined && !b.determined && m.note_count > 0);
    expect_near("sum of the forces", a.force + b.force, -1.25, 1e-14);
    assert_true(fabs(a.force) <= 0.6 && fabs(b.force) <= 0.7);
    end(1e-12);
    two_floors("1.5");
    run_to(&m, 10.0);
    assert_int_equal(m.event_count, 0);
    expect_near("x", ss_sim_x(m.sim)[0], 0.5 * 0.2 * 100.0, 1e-12);
    end(1e-12);
    two_floors("1 * t");
    run_to(&m, 3.3);
    assert_int_equal(m.event_count, 2);
    expect_event(&m, 0, 1.3, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-14);
    expect_event(&m, 1, 1.3, 1, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-14);
    assert_true(m.events[0].t == m.events[1].t);
    expect_near("x", ss_sim_x(m.sim)[0], 8.0 / 6.0, 1e-13);
    end(1e-12);
}

// The load starts on the limit. Where it turns inwards the contact holds; where it grows the contact slips
// from t = 0 on, which is no event, and x = t^3/6.
static void test_starts_exactly_on_the_limit(void** state)
{
    (void)state;
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "1 - t/10");
    begin();
    run_to(&m, 19.0);
    assert_int_equal(m.event_count, 0);
    end(1e-12);
    block(1.0, 0.0, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "1 + t");
    begin();
    run_to(&m, 2.0);
    assert_int_equal(m.event_count, 0);
    expect_near("x", ss_sim_x(m.sim)[0], 8.0 / 6.0, 1e-14);
    expect_near("v", ss_sim_v(m.sim)[0], 2.0, 1e-14);
    end(1e-12);
}

// A gram on 1e6 N/m, pulled at a nanometre per second for a day: it sticks for 400 s at a time and slips for
// microseconds. With w = sqrt(k/m) and V << w (Fs - Fk)/k each cycle takes 2 (Fs - Fk)/(k V) plus less than
// 2 pi/w, and the first breaks loose at Fs/(k V).
static void test_a_day_of_creeping_pull(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1e-3, 0.0, 0.0);
    rig_spring(&r, 0, rig_driven_speed(&r, "1e-9"), 1e6, 0.0);
    ss_contact_def* floor = rig_coulomb(&r, 0, SS_GROUND, 1.0);
    floor->coulomb.static_forward = floor->coulomb.static_backward = 1.2;
    begin();
    run_to(&m, 86400.0);
    assert_int_equal(m.event_count, 2 * 213); // at 1200 s, then every 400 s and a little, short of 86400 s
    expect_event(&m, 0, 1200.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-9);
    for (long k = 2; k < m.event_count; k += 2)
        expect_near("cycle", m.events[k].t - m.events[k - 2].t, 400.0, 2e-4);
    end(1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swings_of_any_size),
        cmocka_unit_test(test_mass_ratio_of_a_million),
        cmocka_unit_test(test_simultaneous_events),
        cmocka_unit_test(test_landing_on_the_edge),
        cmocka_unit_test(test_starts_at_rest),
        cmocka_unit_test(test_slip_that_starts_without_acceleration),
        cmocka_unit_test(test_a_touch_is_no_slip),
        cmocka_unit_test(test_short_slips_are_found),
        cmocka_unit_test(test_no_friction_at_all),
        cmocka_unit_test(test_stick_that_is_not_rest),
        cmocka_unit_test(test_overdamped_approach_never_sticks),
        cmocka_unit_test(test_carried_body_just_below_and_above),
        cmocka_unit_test(test_redundant_contacts),
        cmocka_unit_test(test_starts_exactly_on_the_limit),
        cmocka_unit_test(test_a_day_of_creeping_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
