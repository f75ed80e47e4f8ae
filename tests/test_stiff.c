// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stiff springs and dampers beside curved laws: motions made up beforehand, the force that makes them given
// as an input. Steps are counted: what follows fast must not hold them short.
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

// The run asks whether to go on every 256 steps.
static long hundreds;

static bool count_steps(void* user, double t)
{
    (void)user, (void)t;
    hundreds++;
    return true;
}

static ss_model* start(void)
{
    ss_model* model = rig_model(&r);
    ss_sim_def def = ss_sim_def_default();
    def.keep_going = count_steps;
    hundreds = 0;
    run_start_def(&m, model, def);
    return model;
}

static void stop(ss_model* model)
{
    run_stop(&m);
    ss_model_destroy(model);
}

static void expect_few(long most)
{
    if (hundreds > most) fail_msg("%ld steps", 256 * hundreds);
}

// x = 1 + sin(t)/2 of a gram at a cubic spring with a damper of 100 N s/m: the speed follows at 1e5 1/s.
static void test_overdamped_cubic_spring(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1e-3, 1.0, 0.5);
    rig_spring(&r, 0, SS_GROUND, 10.0, 100.0)->cubic = 40.0;
    rig_force(&r, 0, "-0.0005*sin(t) + 50*cos(t) + 10*(1 + 0.5*sin(t)) + 40*(1 + 0.5*sin(t))^3");
    ss_model* model = start();
    for (int i = 1; i <= 8; i++) {
        double t = 2.5 * i;
        run_to(&m, t);
        expect_near("place", ss_sim_x(m.sim)[0], 1.0 + 0.5 * sin(t), 1e-11);
        expect_near("speed", ss_sim_v(m.sim)[0], 0.5 * cos(t), 1e-9);
    }
    assert_true(run_energy_error(&m) <= 1e-11);
    expect_few(40); // by series: 500 000
    stop(model);
}

// v = 2 + cos(t)/2 of a body of 10 g on a Stribeck contact with 200 N s/m of viscous friction.
static void test_overdamped_stribeck(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 0.01, 0.0, 2.5);
    ss_contact_def* contact = rig_coulomb(&r, 0, SS_GROUND, 1.0);
    contact->law = SS_LAW_STRIBECK;
    contact->stribeck =
        (ss_stribeck){.coulomb = 3.0, .static_level = 5.0, .speed = 1.5, .shape = 2.0, .viscous = 200.0};
    rig_force(&r, 0, "-0.005*sin(t) + 3 + 2*exp(-((2 + 0.5*cos(t))/1.5)^2) + 200*(2 + 0.5*cos(t))");
    ss_model* model = start();
    for (int i = 1; i <= 8; i++) {
        double t = 2.5 * i;
        run_to(&m, t);
        expect_near("place", ss_sim_x(m.sim)[0], 2.0 * t + 0.5 * sin(t), 1e-10);
        expect_near("speed", ss_sim_v(m.sim)[0], 2.0 + 0.5 * cos(t), 1e-10);
    }
    assert_int_equal(m.event_count, 0);
    assert_true(run_energy_error(&m) <= 1e-11);
    expect_few(40);
    stop(model);
}

// A body held by friction of 2 N under 3 sin(t) N: it moves when the force has come to 2 N, whatever the
// length of the steps in which nothing moved. The spring is stiff, cubic, and not strained.
static void test_release_after_long_steps(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1e-3, 0.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1e4, 1e3)->cubic = 1e5;
    rig_coulomb(&r, 0, SS_GROUND, 2.0);
    rig_force(&r, 0, "3*sin(t)");
    ss_model* model = start();
    run_to(&m, 1.0);
    assert_true(m.event_count >= 1);
    expect_event(&m, 0, asin(2.0 / 3.0), 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-11);
    stop(model);
}

static void put_stribeck(int a, int b, ss_stribeck law)
{
    ss_contact_def* contact = rig_coulomb(&r, a, b, 1.0);
    contact->law = SS_LAW_STRIBECK;
    contact->stribeck = law;
}

// Three contacts come to hold two bodies together, of which one would do, and the two swing as one on a cubic
// spring: what the spring and its damper take and give is all there is.
static void test_redundant_holds(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.14483, 0.0, -1.08909);
    rig_body(&r, 0.618059, 0.0, -0.834149);
    rig_spring(&r, 0, 1, 493.584, 398.908)->cubic = 6.71807;
    rig_spring(&r, 1, SS_GROUND, 0.21118, 0.210496)->cubic = 2.97872;
    put_stribeck(1, 0, (ss_stribeck){0.542066, 0.770658, 0.00120047, 1.5, 100.0});
    rig_coulomb(&r, 0, 1, 9.33434);
    put_stribeck(1, 0, (ss_stribeck){0.834527, 1.05387, 0.011141, 1.0, 0.0});
    ss_model* model = start();
    run_to(&m, 5.0);
    assert_int_equal(m.event_count, 3);
    expect_near("energy", run_energy_error(&m), 0.0, 1e-11);
    stop(model);
}

// More contacts than a body has room for in Newton's matrix, each with a force of its own: what one of them
// writes beyond its place another one reads.
static void test_many_contacts(void** state)
{
    (void)state;
    double sum = 0.0;
    char force[160];
    rig_init(&r);
    rig_body(&r, 1e-3, 1.0, 0.5);
    rig_spring(&r, 0, SS_GROUND, 10.0, 100.0)->cubic = 40.0;
    for (int i = 0; i < 12; i++) {
        rig_coulomb(&r, 0, SS_GROUND, 0.5 + 0.1 * i);
        sum += 0.5 + 0.1 * i;
    }
    snprintf(force, sizeof force,
             "%.17g - 0.0005*sin(t) + 50*cos(t) + 10*(1 + 0.5*sin(t)) + 40*(1 + 0.5*sin(t))^3", sum);
    rig_force(&r, 0, force);
    ss_model* model = start();
    for (int k = 1; k <= 5; k++) {
        double t = 0.25 * k;
        run_to(&m, t);
        expect_near("place", ss_sim_x(m.sim)[0], 1.0 + 0.5 * sin(t), 1e-11);
        expect_near("speed", ss_sim_v(m.sim)[0], 0.5 * cos(t), 1e-9);
        for (int i = 0; i < 12; i++)
            expect_near("force", ss_sim_contact(m.sim, i).force, -0.5 - 0.1 * i, 1e-15);
    }
    stop(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overdamped_cubic_spring),
        cmocka_unit_test(test_overdamped_stribeck),
        cmocka_unit_test(test_release_after_long_steps),
        cmocka_unit_test(test_redundant_holds),
        cmocka_unit_test(test_many_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
