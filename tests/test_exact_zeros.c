// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers that are 0 in truth and a sum of larger ones that cancel: the answer says 0, not 1e-17. And numbers
// that are small in truth keep their digits.
#include "slipstick/lab.h"
#include "text_rig.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 32 };

typedef struct motion {
    ss_model* model;
    ss_sim* sim;
    ss_branch branches[MOST];
    int count;
} motion;

static void keep(void* user, const ss_branch* branch)
{
    motion* m = user;
    if (m->count < MOST) m->branches[m->count++] = *branch;
}

static void run(motion* m, const char* text, double until)
{
    ss_error err;
    ss_outcome outcome;
    memset(m, 0, sizeof *m);
    m->model = text_model(text);
    ss_sim_def def = ss_sim_def_default();
    def.on_branch = keep;
    def.user = m;
    ss_status status = ss_sim_create(m->model, &def, &m->sim, &err);
    if (status == SS_OK) status = ss_sim_advance(m->sim, until, &outcome, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

static void end(motion* m)
{
    ss_sim_destroy(m->sim);
    ss_model_destroy(m->model);
}

// x'' = -10 x -+ 1 from -0.2: a swing about -0.1 that ends at 0, where the spring is slack.
static void test_stops_at_zero(void** state)
{
    (void)state;
    motion m;
    run(&m,
        "slipstick: 1\ntitle: zeros\n"
        "bodies: {b: {mass: 1}}\n"
        "connections: [{between: [b, ground], stiffness: 10}]\n"
        "contacts: {c: {between: [b, ground], law: coulomb, friction: 1}}\n"
        "start: {b: {x: -0.2}}\n",
        3.0);
    ss_contact_state contact = ss_sim_contact(m.sim, 0);
    assert_true(ss_sim_x(m.sim)[0] == 0.0 && ss_sim_v(m.sim)[0] == 0.0);
    assert_true(contact.mode == SS_MODE_STICK && contact.force == 0.0);
    end(&m);
}

// A block comes to rest on one that is held by springs and the ground: nothing pulls at it.
static void test_nothing_to_hold(void** state)
{
    (void)state;
    motion m;
    run(&m,
        "slipstick: 1\ntitle: zeros\n"
        "bodies: {a: {mass: 0.5}, b: {mass: 1}, c: {mass: 3}}\n"
        "connections:\n"
        "  - {between: [a, ground], stiffness: 10, damping: 0.1}\n"
        "  - {between: [b, a], stiffness: 4}\n"
        "contacts:\n"
        "  upper: {between: [c, b], law: coulomb, friction: 0.6}\n"
        "  left: {between: [a, ground], law: coulomb, friction: 0.3}\n"
        "  both: {along: {b: 2, a: 0.7}, law: coulomb, friction: 0.5}\n"
        "start: {c: {x: 0.1, v: -0.3}, b: {x: -0.2, v: 0.1}}\n",
        10.0);
    ss_contact_state upper = ss_sim_contact(m.sim, 0);
    assert_true(upper.mode == SS_MODE_STICK && upper.force == 0.0);
    assert_true(ss_sim_contact(m.sim, 2).force != 0.0);
    end(&m);
}

// The level 0.3 (1 + cos pi t) is 0 at t = 1.
static void test_level_touches_zero(void** state)
{
    (void)state;
    motion m;
    run(&m,
        "slipstick: 1\ntitle: zeros\n"
        "bodies: {b: {mass: 1}}\n"
        "contacts: {c: {between: [b, ground], law: coulomb, mu: 0.3, normal: \"1 + cos(pi*1 Hz*t)\"}}\n"
        "start: {b: {v: 3}}\n",
        1.0);
    ss_contact_state contact = ss_sim_contact(m.sim, 0);
    assert_true(contact.mode == SS_MODE_SLIP_PLUS && contact.force == 0.0 && contact.limit == 0.0);
    assert_true(fabs(ss_sim_v(m.sim)[0] - 2.7) < 1e-14); // 3 - 0.3 (1 + sin(pi)/pi)
    end(&m);
}

// From reversal to reversal of a free body its bristles take up the work that they have done: none in all.
static void test_work_of_free_swings(void** state)
{
    (void)state;
    static const char* const laws[] = {"law: lugre, sigma0: 1e4, sigma1: 0, sigma2: 0, coulomb: 1",
                                       "law: maxwell-slip, elements: [[100, 0.5], [50, 0.4]]"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        motion m;
        snprintf(
            text, sizeof text,
            "slipstick: 1\ntitle: zeros\nbodies: {b: {mass: 1}}\ncontacts: {c: {between: [b, ground], %s}}\n"
            "start: {b: {v: 0.1}}\n",
            laws[k]);
        run(&m, text, 3.0);
        assert_true(m.count > 3);
        assert_true(fabs(m.branches[0].work - 0.005) < 1e-15); // all of its kinetic energy
        for (int j = 1; j < m.count; j++) assert_true(m.branches[j].work == 0.0);
        end(&m);
    }
}

// Springs bring everything to 0: so says the limit.
static void test_limit(void** state)
{
    (void)state;
    motion m;
    double limit[3];
    run(&m,
        "slipstick: 1\ntitle: zeros\n"
        "bodies: {a: {mass: 3}, b: {mass: 1}, c: {mass: 1}}\n"
        "connections:\n"
        "  - {between: [a, ground], stiffness: 4, damping: 0.3}\n"
        "  - {between: [c, a], stiffness: 0.3, damping: 0.1}\n"
        "  - {between: [b, c], stiffness: 10}\n"
        "contacts: {c0: {between: [c, b], law: coulomb, friction: 1.2}}\n"
        "start: {a: {x: 0.1}, b: {v: 1}, c: {x: -0.2, v: 1}}\n",
        5.0);
    assert_true(ss_sim_settles(m.sim, limit));
    assert_true(limit[0] == 0.0 && limit[2] == 0.0);
    end(&m);
}

// Small numbers that are no rounding: x = 1e-20 m + 1e-20 m/s t, and what decays as exp(-t).
static void test_small_numbers_stay(void** state)
{
    (void)state;
    motion m;
    run(&m,
        "slipstick: 1\ntitle: zeros\n"
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "connections: [{between: [b, ground], stiffness: 0, damping: 1}]\n"
        "start: {a: {x: 1e-20, v: 1e-20}, b: {v: 1}}\n",
        50.0);
    assert_true(fabs(ss_sim_x(m.sim)[0] - 5.1e-19) < 1e-33);
    assert_true(fabs(ss_sim_v(m.sim)[1] - exp(-50.0)) < 1e-12 * exp(-50.0));
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_at_zero),
        cmocka_unit_test(test_nothing_to_hold),
        cmocka_unit_test(test_level_touches_zero),
        cmocka_unit_test(test_work_of_free_swings),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_small_numbers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
