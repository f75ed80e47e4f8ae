// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Branches of steady states against closed forms: folds where a friction curve is level, Hopf points by Routh
// and Hurwitz, limits of contacts by balance of forces.
#include "follow_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ss_solution_branch* follow(const char* model, const char* path, double from, double to)
{
    ss_follow_def def = ss_follow_def_default();
    def.steady = true;
    return follow_text(model, def, path, from, to);
}

// f = F(v), F = Fc + (Fs - Fc) exp(-v/w) + b v: the steady speed folds where F' = 0, and ends at v = 0 where
// f = Fs; below that force the block stays where it is.
static void test_fold_of_a_friction_curve(void** state)
{
    (void)state;
    double Fc = 1.0, Fs = 3.0, w = 0.1, b = 2.0, v = w * log((Fs - Fc) / (b * w));
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: Pushed\nparameters: {f: 4 N}\nbodies: {block: {mass: 2 kg}}\n"
               "forces: [{body: block, force: f}]\n"
               "contacts: {floor: {between: [block, ground], law: stribeck, coulomb: 1 N, static: 3 N, "
               "stribeck_speed: 0.1 m/s, shape: 1, viscous: 2 N*s/m}}\n"
               "start: {block: {v: 1.5 m/s}}\n",
               "parameters.f", 4.0, 0.5);
    ss_solution_branch_special fold = special_point(branch, 0, SS_SPECIAL_FOLD);
    expect_near("force", fold.at.value, Fc + (Fs - Fc) * exp(-v / w) + b * v, 1e-11);
    expect_near("speed", fold.at.v[0], v, 1e-7);
    ss_solution_branch_special rest = special_point(branch, 1, SS_SPECIAL_BOUNDARY);
    expect_near("limit", rest.at.value, Fs, 1e-8);
    assert_string_equal(rest.contact, "floor");
    assert_string_equal(rest.what, "slip+ > stick");
    assert_int_equal(ss_solution_branch_special_count(branch), 2);
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        double speed = point.v[0];
        if (speed == 0.0) {
            assert_true(point.stable);
            assert_int_equal(point.spectrum_count, 0);
            continue;
        }
        expect_near("curve", point.value, Fc + (Fs - Fc) * exp(-speed / w) + b * speed, 1e-9);
        double slope = b - (Fs - Fc) / w * exp(-speed / w);
        assert_int_equal(point.spectrum_count, 1); // the place it is at is felt by nothing
        expect_near("eigenvalue", point.spectrum[0][0], -slope / 2.0, 1e-8);
        assert_true(point.stable == (slope > 0.0));
    }
    assert_true(last_point(branch).value == 0.5);
    ss_solution_branch_destroy(branch);
}

// A table of sixty points on F = v^2: where v is one of them, f = v^2.
static void test_friction_table_of_sixty_points(void** state)
{
    (void)state;
    char table[2048] = "", model[4096];
    for (int k = 0; k < 60; k++) {
        size_t used = strlen(table);
        snprintf(table + used, sizeof table - used, "%s[%g, %g]", k > 0 ? ", " : "", 0.1 * k, 0.01 * k * k);
    }
    snprintf(model, sizeof model,
             "slipstick: 1\ntitle: Pushed\nparameters: {f: 4 N}\nbodies: {block: {mass: 2 kg}}\n"
             "forces: [{body: block, force: f}]\n"
             "contacts: {floor: {between: [block, ground], law: curve, force: {table: [%s]}}}\n"
             "start: {block: {v: 2 m/s}}\n",
             table);
    ss_solution_branch* branch = follow(model, "parameters.f", 4.0, 9.0);
    expect_near("first", ss_solution_branch_get(branch, 0).v[0], 2.0, 1e-9);
    expect_near("last", last_point(branch).v[0], 3.0, 1e-9);
    ss_solution_branch_destroy(branch);
}

// m s^3 + kd s^2 + kp s + ki: a pair is imaginary where ki = kd kp/m.
static void test_integral_action_by_hurwitz(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: PID\nparameters: {kp: 2000 N/m, ki: 1 kN/(m*s), kd: 60 N*s/m}\n"
               "bodies: {stage: {mass: 2 kg}}\nstates: {sum: {rate: 10 mm - stage.x}}\n"
               "forces: [{body: stage, force: 'kp*(10 mm - stage.x) + ki*sum - kd*stage.v - 5 N'}]\n",
               "parameters.ki", 100.0, 100000.0);
    ss_solution_branch_special hopf = special_point(branch, 0, SS_SPECIAL_HOPF);
    expect_near("ki", hopf.at.value, 60000.0, 1e-5);
    expect_near("frequency", fabs(hopf.at.spectrum[0][1]), sqrt(1000.0), 1e-8);
    assert_int_equal(ss_solution_branch_special_count(branch), 1);
    expect_near("place", last_point(branch).x[0], 0.01, 1e-12);
    expect_near("sum", last_point(branch).states[0], 5.0 / 100000.0, 1e-14);
    assert_int_equal(last_point(branch).spectrum_count, 3);
    ss_solution_branch_destroy(branch);
}

// Bristles on a belt of speed w: with g and g' at w, z = g/s0 and the linear system
//     m x'' = -k x - c x' - s0 z - s1 z' - s2 x',   z' = x' (1 - s0 z/g + s0 z w g'/g^2) - s0 w z/g
// is the cubic below; it has an imaginary pair where a1 a2 = a0 a3 (Hurwitz).
static double lugre_determinant(double w)
{
    double m = 1.0, k = 100.0, c = 3.0, s0 = 1e4, s1 = 10.0, s2 = 0.2, Fc = 1.0, Fs = 3.0, vs = 0.1;
    double e = exp(-w * w / (vs * vs)), g = Fc + (Fs - Fc) * e, slope = -2.0 * w / (vs * vs) * (Fs - Fc) * e;
    double p = -s0 * w / g, q = w * slope / g; // z' = q x' + p z
    double a3 = m, a2 = c + s2 + s1 * q - m * p, a1 = k + s0 * q - p * (c + s2 + s1 * q) + s1 * p * q,
           a0 = -k * p;
    return a1 * a2 - a0 * a3;
}

static void test_hopf_of_bristles_on_a_belt(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: Bristles on a belt\nparameters: {speed: 0.5 m/s}\n"
               "bodies: {block: {mass: 1 kg}, belt: {speed: speed}}\n"
               "connections: [{between: [block, ground], stiffness: 100 N/m, damping: 3 N*s/m}]\n"
               "contacts: {face: {between: [block, belt], law: lugre, sigma0: 1e4, sigma1: 10, sigma2: 0.2, "
               "coulomb: 1 N, static: 3 N, stribeck_speed: 0.1 m/s}}\n",
               "parameters.speed", 0.5, 0.001);
    assert_int_equal(ss_solution_branch_special_count(branch),
                     2); // slow creep is stable again: the curve is flat at 0
    for (int k = 0; k < 2; k++) {
        double at = special_point(branch, k, SS_SPECIAL_HOPF).at.value, h = 1e-8 * at;
        if (!(lugre_determinant(at - h) * lugre_determinant(at + h) < 0.0))
            fail_msg("no Hopf point at %.12g", at);
    }
    ss_solution_branch_destroy(branch);
}

// A spring, a rough floor and a stop: it stays where it is until k x + F, moves with the limit, meets the
// stop.
static void test_place_is_kept_until_the_limit(void** state)
{
    (void)state;
    ss_solution_branch* branch = follow(
        "slipstick: 1\ntitle: Pushed against a spring\nparameters: {f: 0 N}\nbodies: {block: {mass: 2 kg}}\n"
        "connections: [{between: [block, ground], stiffness: 10 N/m}]\nforces: [{body: block, force: f}]\n"
        "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}, "
        "stop: {between: [block, ground], law: rigid-stop, above: 0.15 m, restitution: 0.5}}\n"
        "start: {block: {x: 0.02 m}}\n",
        "parameters.f", 0.0, 5.0);
    ss_solution_branch_special loose = special_point(branch, 0, SS_SPECIAL_BOUNDARY);
    expect_near("breaks loose", loose.at.value, 0.2 + 1.0, 1e-9);
    assert_string_equal(loose.contact, "floor");
    ss_solution_branch_special stop = special_point(branch, 1, SS_SPECIAL_BOUNDARY);
    expect_near("meets the stop", stop.at.value, 1.5 + 1.0, 1e-9);
    assert_string_equal(stop.contact, "stop");
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        double f = point.value, x = f < 1.2 ? 0.02 : f < 2.5 ? (f - 1.0) / 10.0 : 0.15;
        expect_near("place", point.x[0], x, 1e-9);
        assert_true(point.v[0] == 0.0);
    }
    assert_true(last_point(branch).value == 5.0);
    ss_solution_branch_destroy(branch);
}

// Carried by a belt against a damper: it goes along up to c w = F, then slips with its own speed F/c.
static void test_carried_until_it_slips(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: Carried\nparameters: {speed: 0.6 m/s}\n"
               "bodies: {block: {mass: 1 kg}, belt: {speed: speed}}\n"
               "connections: [{between: [block, ground], damping: 3 N*s/m}]\n"
               "contacts: {face: {between: [block, belt], law: coulomb, friction: 1 N}}\n",
               "parameters.speed", 0.6, 0.1);
    ss_solution_branch_special limit = special_point(branch, 0, SS_SPECIAL_BOUNDARY);
    expect_near("speed", limit.at.value, 1.0 / 3.0, 1e-9);
    assert_string_equal(limit.what, "slip- > stick");
    expect_near("before", ss_solution_branch_get(branch, 0).v[0], 1.0 / 3.0, 1e-12);
    expect_near("after", last_point(branch).v[0], 0.1, 1e-12);
    ss_solution_branch_destroy(branch);
}

// A level that falls at once: the block breaks loose, and there the branch ends.
static void test_branch_ends_where_it_breaks_loose(void** state)
{
    (void)state;
    ss_solution_branch* branch = follow(
        "slipstick: 1\ntitle: Breaks loose\nparameters: {f: 0 N}\nbodies: {block: {mass: 2 kg}}\n"
        "connections: [{between: [block, ground], stiffness: 10 N/m}]\nforces: [{body: block, force: f}]\n"
        "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N, static: 3 N}}\n",
        "parameters.f", 0.0, -5.0);
    expect_near("breaks loose", special_point(branch, 0, SS_SPECIAL_BOUNDARY).at.value, -3.0, 1e-9);
    expect_near("end", last_point(branch).value, -3.0, 1e-9);
    assert_non_null(strstr(ss_solution_branch_end(branch), "breaks loose"));
    ss_solution_branch_destroy(branch);
}

static ss_status refuse(const char* model, ss_error* err)
{
    ss_document* document = NULL;
    ss_solution_branch* branch = NULL;
    ss_follow_def def = ss_follow_def_default();
    assert_int_equal(ss_document_parse_yaml("model.yaml", model, strlen(model), &document, err), SS_OK);
    def.document = document;
    def.path = "parameters.f";
    def.from = 1.0;
    def.to = 2.0;
    def.steady = true;
    ss_status status = ss_follow_run(&def, &branch, err);
    assert_null(branch);
    ss_document_destroy(document);
    return status;
}

static void test_what_has_no_steady_state_is_said(void** state)
{
    (void)state;
    ss_error err;
    assert_int_equal(refuse("slipstick: 1\ntitle: T\nparameters: {f: 1 N}\nbodies: {b: {mass: 1 kg}}\n"
                            "forces: [{body: b, force: f*sin(2 rad/s*t)}]\n",
                            &err),
                     SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "vary in time"));
    assert_int_equal(refuse("slipstick: 1\ntitle: T\nparameters: {f: 1 N}\nbodies: {b: {mass: 1 kg}}\n"
                            "forces: [{body: b, force: f + 1 N}]\n",
                            &err),
                     SS_NOT_FOUND); // it accelerates for ever
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fold_of_a_friction_curve),
        cmocka_unit_test(test_friction_table_of_sixty_points),
        cmocka_unit_test(test_integral_action_by_hurwitz),
        cmocka_unit_test(test_hopf_of_bristles_on_a_belt),
        cmocka_unit_test(test_place_is_kept_until_the_limit),
        cmocka_unit_test(test_carried_until_it_slips),
        cmocka_unit_test(test_branch_ends_where_it_breaks_loose),
        cmocka_unit_test(test_what_has_no_steady_state_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
