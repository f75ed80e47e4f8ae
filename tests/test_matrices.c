// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coordinates given by matrices beside everything else. What is described by M, C and K is described once
// more by masses, ties, springs and dampers: a matrix entry m_12 is a mass m_12 on x_1 + x_2, an entry k_12 a
// spring between the two. The motions must be the same.
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// M = [[2, 0.5], [0.5, 1]], C = [[0.4, -0.1], [-0.1, 0.1]], K = [[30, -10], [-10, 20]], f = [1, 0], or the
// same by bodies; then what stands beside both.
static const char by_matrices[] = "matrices:\n"
                                  "  M: [[2, 0.5], [0.5, 1]]\n"
                                  "  C: [[0.4, -0.1], [-0.1, 0.1]]\n"
                                  "  K: [[30, -10], [-10, 20]]\n"
                                  "  f: [1, 0]\n"
                                  "  names: {root: 1, tip: 2}\n"
                                  "ties: [%s]\n"
                                  "connections:\n"
                                  "%s"
                                  "forces:\n"
                                  "%s"
                                  "bodies: {%s}\n"
                                  "start: {tip: {x: 0.2, v: 1}%s}\n";
static const char by_bodies[] = "ties: [{root: 1, tip: 1, both: -1}, %s]\n"
                                "connections:\n"
                                "  - {between: [root, tip], stiffness: 10, damping: 0.1}\n"
                                "  - {between: [root, ground], stiffness: 20, damping: 0.3}\n"
                                "  - {between: [tip, ground], stiffness: 10}\n"
                                "%s"
                                "forces:\n"
                                "  - {body: root, force: 1}\n"
                                "%s"
                                "bodies: {root: {mass: 1.5}, tip: {mass: 0.5}, both: {mass: 0.5}, %s}\n"
                                "start: {tip: {x: 0.2, v: 1}, both: {x: 0.2, v: 1}%s}\n";

typedef struct company {
    const char *ties, *connections, *forces, *bodies, *start, *rest;
} company;

static const company with_laws = {
    .connections = "  - {between: [tip, block], stiffness: 50, damping: 0.3}\n"
                   "  - {between: [root, base], stiffness: 20, damping: 0.1}\n",
    .forces = "  - {body: tip, force: \"2 N*cos(2 rad/s*t) - 0.3 N/m*late/(1 s)\"}\n",
    .bodies = "block: {mass: 1}, base: {position: \"0.1 m*sin(3 rad/s*t)\"}",
    .start = ", block: {x: 0.1}",
    .rest =
        "states: {late: {rate: tip.x - block.x}}\n"
        "contacts:\n"
        "  floor: {between: [block, ground], law: coulomb, friction: 0.5}\n"
        "  wall: {along: {tip: 1, root: -0.5}, law: lugre, coulomb: 0.2, static: 0.3, stribeck_speed: 0.01,\n"
        "    sigma0: 1e3, sigma1: 1, sigma2: 0}\n"};

static const company with_tie = {
    .ties = "{tip: 1, wheel: -0.5}",
    .connections = "  - {between: [wheel, ground], stiffness: 3, cubic: 4, length: 0.1}\n",
    .forces = "  - {body: root, force: \"step(t - 1 s)*2 N\"}\n",
    .bodies = "wheel: {mass: 0.3}",
    .start = ", wheel: {x: 0.7, v: 2}",
    .rest = "contacts:\n"
            "  floor: {between: [root, ground], law: coulomb, friction: 0.4, static: 0.6}\n"
            "  catch: {between: [tip, ground], law: rigid-stop, above: 0.25, restitution: 0.5}\n"};

static const company with_controller = {
    .connections = "  - {between: [tip, mass], stiffness: 7, damping: 0.2}\n",
    .forces = "  - {body: root, force: \"held\"}\n",
    .bodies = "mass: {mass: 2}",
    .start = "",
    .rest =
        "sampled: {loop: {every: 0.1, memory: {held: 0 N}, at_tick: [{held: \"-5 N/m*root.x - 1 "
        "N*s/m*tip.v\"}]}}\n"
        "contacts:\n"
        "  floor: {between: [mass, ground], law: coulomb, friction: 0.2}\n"
        "  joint: {between: [tip, root], law: stribeck, coulomb: 0.1, static: 0.2, stribeck_speed: 0.05}\n"};

static void write_model(const char* form, const company* beside, char* out, size_t size)
{
    char head[2048];
    const char* connections = beside->connections ? beside->connections : "";
    snprintf(head, sizeof head, form, beside->ties ? beside->ties : "", connections, beside->forces,
             beside->bodies, beside->start);
    snprintf(out, size, "%s%s", head, beside->rest);
}

static ss_motion* run_for(const ss_model* model, double until)
{
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion = NULL;
    ss_error err = {0};
    def.until = until;
    def.tolerance = 1e-13;
    assert_int_equal(ss_motion_create(model, &def, &motion, &err), SS_OK);
    if (ss_motion_run(motion, &err) != SS_OK) fail_msg("%s", err.text);
    return motion;
}

static void assert_near(double a, double b, double allowed)
{
    if (!(fabs(a - b) <= allowed)) fail_msg("%.17g is not %.17g", a, b);
}

static void compare(const company* beside, double until, size_t least_events)
{
    char text[4096];
    write_model(by_matrices, beside, text, sizeof text);
    ss_model* given = text_parts_model(text);
    write_model(by_bodies, beside, text, sizeof text);
    ss_model* made = text_parts_model(text);
    ss_motion *a = run_for(given, until), *b = run_for(made, until);
    assert_true(a->event_count >= least_events);
    assert_int_equal(a->event_count, b->event_count);
    for (size_t k = 0; k < a->event_count; k++) assert_near(a->events[k].t, b->events[k].t, 1e-10);
    ss_model_info info = ss_model_get_info(given);
    for (int i = 0; i < info.body_count; i++) {
        int other = ss_model_find(made, SS_PART_BODY, ss_model_get_body(given, i).name);
        assert_near(a->end.x[i], b->end.x[other], 1e-10);
        assert_near(a->end.v[i], b->end.v[other], 1e-10);
    }
    assert_near(a->energy.friction, b->energy.friction, 1e-10);
    assert_near(a->energy.damping, b->energy.damping, 1e-10);
    assert_near(a->energy.input, b->energy.input, 1e-10);
    assert_near(a->energy.residual, 0.0, 1e-10);
    ss_motion_destroy(a);
    ss_motion_destroy(b);
    ss_model_destroy(given);
    ss_model_destroy(made);
}

static void test_laws_drives_and_states(void** state)
{
    (void)state;
    compare(&with_laws, 5.0, 10);
}

static void test_ties_stops_and_cubic_springs(void** state)
{
    (void)state;
    compare(&with_tie, 4.0, 5);
}

static void test_controllers(void** state)
{
    (void)state;
    compare(&with_controller, 4.0, 4);
}

// Modal damping against its definition: with M^-1 K of eigenvalues 1 and 3 (M = 1, K = [[2, -1], [-1, 2]])
// and vectors (1, 1)/sqrt 2, (1, -1)/sqrt 2, C = sum of 2 zeta omega phi phi^T.
static void test_modal_damping(void** state)
{
    (void)state;
    ss_model* model = text_parts_model("matrices: {M: [[1, 0], [0, 1]], K: [[2, -1], [-1, 2]], C: {modal: "
                                       "[0.02, 0.05], rayleigh: [0.1, 0.01 s]}}\n");
    double C[4], slow = 2.0 * 0.02, fast = 2.0 * 0.05 * sqrt(3.0);
    ss_model_get_matrix(model, SS_MATRIX_DAMPING, C);
    assert_near(C[0], 0.5 * (slow + fast) + 0.1 + 0.02, 1e-15);
    assert_near(C[1], 0.5 * (slow - fast) - 0.01, 1e-15);
    assert_near(C[2], C[1], 1e-15);
    assert_near(C[3], C[0], 1e-15);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws_drives_and_states),
        cmocka_unit_test(test_ties_stops_and_cubic_springs),
        cmocka_unit_test(test_controllers),
        cmocka_unit_test(test_modal_damping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
