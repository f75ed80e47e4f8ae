// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Runs that end before their time, because the motion escapes, events are used up or the caller wants no
// more: forces, bristles and the ledger are those of the moment that is told, as a run up to that very moment
// tells them.
#include "rig.h"
#include "slider_rig.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// A body that is held against a force of time, one for each law with a memory or a curve, one that flies.
static const char* const everything =
    "bodies: {a: {mass: 1}, b: {mass: 1}, c: {mass: 1}, d: {mass: 1}, e: {mass: 1}}\n"
    "connections:\n"
    "  - {between: [c, ground], stiffness: 3}\n"
    "  - {between: [d, ground], stiffness: 5}\n"
    "forces: [{body: a, force: \"2*sin(3*t)\"}]\n"
    "contacts:\n"
    "  hold: {between: [a, ground], law: coulomb, friction: 5}\n"
    "  maxwell: {between: [c, ground], law: maxwell-slip, elements: [[10, 0.5], [20, 2]]}\n"
    "  lugre: {between: [d, ground], law: lugre, sigma0: 100, sigma1: 1, sigma2: 0.1, coulomb: 1,\n"
    "          static: 1.5, stribeck_speed: 0.1}\n"
    "  stribeck: {between: [e, ground], law: stribeck, coulomb: 0.5, static: 1, stribeck_speed: 0.5}\n"
    "start: {b: {v: 1}, c: {x: 1, v: 0.3}, d: {x: 1, v: 0.2}, e: {v: 3}}\n"
    "run: {until: 10}\n";

static run given_up, whole;

static bool never(void* user, double t)
{
    (void)user;
    (void)t;
    return false;
}

static void expect_same_moment(const ss_model* model, ss_sim_def def, ss_outcome outcome)
{
    run_start_def(&given_up, model, def);
    run_to(&given_up, 1e6);
    assert_int_equal(given_up.outcome, outcome);
    run_start_def(&whole, model, ss_sim_def_default());
    run_to(&whole, ss_sim_time(given_up.sim));
    for (int i = 0; i < 5; i++) {
        expect_near("place", ss_sim_x(given_up.sim)[i], ss_sim_x(whole.sim)[i], 1e-12);
        expect_near("speed", ss_sim_v(given_up.sim)[i], ss_sim_v(whole.sim)[i], 1e-12);
    }
    for (int i = 0; i < 4; i++) {
        ss_contact_state got = ss_sim_contact(given_up.sim, i), want = ss_sim_contact(whole.sim, i);
        expect_near("force", got.force, want.force, 1e-12);
        if (!isnan(want.z)) expect_near("z", got.z, want.z, 1e-12);
    }
    expect_near("residual", run_energy_error(&given_up), 0.0, 1e-12);
    run_stop(&given_up);
    run_stop(&whole);
}

static void test_bodies(void** state)
{
    (void)state;
    ss_model* model = text_parts_model(everything);
    for (int k = 1; k <= 12; k++) {
        ss_sim_def def = ss_sim_def_default();
        def.escape = 0.11 + 0.27 * k;
        expect_same_moment(model, def, SS_ESCAPED);
        def = ss_sim_def_default();
        def.max_events = k;
        expect_same_moment(model, def, SS_EVENT_LIMIT);
    }
    ss_sim_def def = ss_sim_def_default();
    def.keep_going = never;
    expect_same_moment(model, def, SS_INTERRUPTED);
    ss_model_destroy(model);
}

// The plate of [GRP91], Figure 9, lets go of the foot about which it turns: that foot slips from rest, and
// its force is the one that held it.
static void test_slider_at_the_end_of_a_hold(void** state)
{
    (void)state;
    slider_rig plate;
    slide_run r;
    ss_error err;
    slider_init(&plate);
    slider_point(&plate, 0.0, -5.0, 0.4);
    slider_point(&plate, 2.5, -5.0, 0.5);
    slide_start(&r, &plate, -1.5, 0.0, 0.3, 1e-10);
    ss_slide_def def = ss_slide_def_default();
    def.max_events = 1;
    ss_slide* given_up_slide;
    assert_int_equal(ss_slide_create(r.slider, &def, &given_up_slide, &err), SS_OK);
    ss_outcome outcome;
    assert_int_equal(ss_slide_advance(given_up_slide, 60.0, &outcome, &err), SS_OK);
    assert_int_equal(outcome, SS_EVENT_LIMIT);
    slide_to(&r, ss_slide_time(given_up_slide));
    for (int i = 0; i < 2; i++) {
        ss_support_state got = ss_slide_support(given_up_slide, i), want = ss_slide_support(r.slide, i);
        for (int k = 0; k < 2; k++) expect_near("force", got.force[k], want.force[k], 1e-9);
    }
    ss_slide_destroy(given_up_slide);
    slide_stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_slider_at_the_end_of_a_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
