// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fits whose answer is known: recordings made by the model itself, with and without noise, and designed cases
// in which a recording can or cannot tell numbers apart.
#include "fit_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// ---- values

static void without_noise_every_digit_is_found(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_record(&b, NULL, NULL, 300, 0.01, 0, NULL);
    fit_bench_free(&b, "connections[0].stiffness", 60);
    fit_bench_free(&b, "contacts.floor.friction", 0.3);
    fit_bench_run(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_CONVERGED);
    fit_expect_found(&b, 0, 40, 1e-6);
    fit_expect_found(&b, 1, 0.5, 1e-8);
    assert_true(ss_fit_rms(b.fit) < 1e-9);
    fit_bench_teardown(&b);
}

// The speed jumps at every impact, and the sample nearest to it decides on which side it is.
static void speeds_are_fitted_across_impacts(void** state)
{
    (void)state;
    fit_bench b;
    const double sigma[] = {0.02};
    fit_random_state = 7;
    fit_bench_setup(&b, fit_ball);
    fit_bench_trace(&b, "ball.v", NAN);
    fit_bench_record(&b, NULL, NULL, 400, 0.005, 0, sigma);
    fit_bench_free(&b, "contacts.floor.restitution", 0.75);
    fit_bench_free(&b, "forces[0].force", -9.5);
    fit_bench_run(&b);
    fit_expect_near_truth(&b, 0, 0.8, 0.002);
    fit_expect_near_truth(&b, 1, -9.81, 0.02);
    fit_bench_teardown(&b);
}

// Positions and speeds together, noise of each learnt from its own residuals.
static void several_traces_are_weighed_by_their_noise(void** state)
{
    (void)state;
    fit_bench b;
    const double sigma[] = {0.002, 0.05};
    fit_random_state = 11;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_trace(&b, "block.v", NAN);
    fit_bench_record(&b, NULL, NULL, 400, 0.01, 0, sigma);
    fit_bench_free(&b, "connections[0].stiffness", 30);
    fit_bench_free(&b, "contacts.floor.friction", 0.7);
    fit_bench_run(&b);
    fit_expect_near_truth(&b, 0, 40, 0.1);
    fit_expect_near_truth(&b, 1, 0.5, 0.005);
    for (int c = 0; c < 2; c++) {
        ss_fit_residual r = ss_fit_get_residual(b.fit, c);
        assert_int_equal(r.samples, 400);
        assert_true(fabs(r.sigma / sigma[c] - 1) < 0.15);
    }
    assert_true(isnan(ss_fit_rms(b.fit))); // metres and metres per second have no common mean
    fit_bench_teardown(&b);
}

static void gaps_and_unequal_times_do_no_harm(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_record(&b, NULL, NULL, 400, 0.01, 0, NULL);
    ss_recording* whole = b.recordings[0];
    double t[400], x[400];
    int count = 0;
    for (int i = 0; i < 400; i += 1 + i % 7) {
        t[count] = whole->time[i];
        x[count] = i % 5 == 0 ? NAN : whole->values[i];
        count++;
    }
    ss_error err = {0};
    assert_int_equal(ss_recording_create("thin.csv", t, x, count, 1, &b.recordings[0], &err), SS_OK);
    ss_recording_destroy(whole);
    fit_bench_free(&b, "connections[0].stiffness", 50);
    fit_bench_free(&b, "block.x", 0.25);
    fit_bench_run(&b);
    fit_expect_found(&b, 0, 40, 1e-6);
    fit_expect_found(&b, 1, 0.2, 1e-8);
    assert_true(ss_fit_get_residual(b.fit, 0).samples < count);
    fit_bench_teardown(&b);
}

// A sensor that is late by 12 ms: samples before that show the start.
static void the_delay_of_the_clock_is_found(void** state)
{
    (void)state;
    fit_bench b;
    const double sigma[] = {0.001};
    fit_random_state = 3;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", 0.001);
    fit_bench_record(&b, NULL, NULL, 300, 0.01, 0.012, sigma);
    fit_bench_free(&b, "clock.delay", 0);
    fit_bench_free(&b, "connections[0].stiffness", 35);
    fit_bench_run(&b);
    fit_expect_near_truth(&b, 0, 0.012, 0.001);
    fit_expect_near_truth(&b, 1, 40, 0.2);
    fit_bench_teardown(&b);
}

// Two throws of different height, one floor: the heights are known, or found as well.
static void several_recordings_share_numbers(void** state)
{
    (void)state;
    for (int known = 0; known <= 1; known++) {
        fit_bench b;
        const double sigma[] = {0.001};
        fit_random_state = 5;
        fit_bench_setup(&b, fit_ball);
        fit_bench_trace(&b, "ball.x", NAN);
        fit_bench_record(&b, "ball.x", "0.5", 150, 0.01, 0, sigma);
        fit_bench_record(&b, "ball.x", "0.8", 150, 0.01, 0, sigma);
        fit_bench_free(&b, "contacts.floor.restitution", 0.7);
        for (int r = 0; r < 2 && !known; r++) fit_bench_free(&b, "ball.x", 0.6)->recording = r;
        b.known[0] = (ss_fit_known){"ball.x", "50 cm", 0};
        b.known[1] = (ss_fit_known){"ball.x", "0.8 m", 1};
        b.def.known_count = known ? 2 : 0;
        fit_bench_run(&b);
        fit_expect_near_truth(&b, 0, 0.8, 0.001);
        if (!known) {
            fit_expect_near_truth(&b, 1, 0.5, 0.001);
            fit_expect_near_truth(&b, 2, 0.8, 0.001);
            assert_string_equal(ss_fit_get_parameter(b.fit, 2).name, "ball.x#2");
        }
        fit_bench_teardown(&b);
    }
}

// Bounds are kept on the way and at the end; a minimum beyond one ends at it, and says so.
static void bounds_are_kept(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_record(&b, NULL, NULL, 200, 0.01, 0, NULL);
    ss_fit_free* stiffness = fit_bench_free(&b, "connections[0].stiffness", 50);
    stiffness->least = 45;
    stiffness->most = 80;
    ss_fit_free* friction = fit_bench_free(&b, "contacts.floor.friction", 0.3);
    friction->least = 0.1;
    fit_bench_run(&b);
    fit_expect_found(&b, 0, 45, 1e-3);
    assert_true(ss_fit_note_count(b.fit) > 0);
    fit_bench_teardown(&b);
}

// A sensor that rings for 20 ms after every impact: with those samples the answer is off, without them right.
static void samples_near_events_can_be_left_out(void** state)
{
    (void)state;
    for (int quiet = 0; quiet <= 1; quiet++) {
        fit_bench b;
        const double sigma[] = {0.0005};
        fit_random_state = 9;
        fit_bench_setup(&b, fit_ball);
        fit_bench_trace(&b, "ball.x", NAN);
        fit_bench_record(&b, NULL, NULL, 400, 0.004, 0, sigma);
        double impact = sqrt(2 * 0.5 / 9.81), flight = impact;
        for (int k = 0; impact < 1.6 && k < 20; k++) {
            for (long i = 0; i < b.recordings[0]->count; i++)
                if (b.recordings[0]->time[i] > impact && b.recordings[0]->time[i] < impact + 0.02)
                    b.recordings[0]->values[i] += 0.02;
            flight *= 0.8;
            impact += 2 * flight;
        }
        fit_bench_free(&b, "contacts.floor.restitution", 0.78);
        fit_bench_free(&b, "contacts.floor.below", 0.0);
        b.def.quiet = quiet ? 0.025 : 0;
        fit_bench_run(&b);
        if (quiet) {
            fit_expect_near_truth(&b, 0, 0.8, 0.001);
            fit_expect_near_truth(&b, 1, 0.0, 0.001);
            assert_true(ss_fit_get_residual(b.fit, 0).samples < 390);
        } else {
            assert_true(fabs(ss_fit_get_parameter(b.fit, 1).value) > 1e-3);
        }
        fit_bench_teardown(&b);
    }
}

// ---- what cannot be told apart

// Stiffness, friction and mass enter as their ratios only: a motion tells two of the three.
static void a_common_factor_is_not_determined(void** state)
{
    (void)state;
    fit_bench b;
    const double sigma[] = {0.001};
    fit_random_state = 2;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_record(&b, NULL, NULL, 300, 0.01, 0, sigma);
    fit_bench_free(&b, "connections[0].stiffness", 45);
    fit_bench_free(&b, "contacts.floor.friction", 0.55);
    fit_bench_free(&b, "bodies.block.mass", 1.2);
    fit_bench_run(&b);
    assert_true(fit_warns(&b, "stiffness and friction", "cannot be told apart"));
    assert_true(fit_warns(&b, "stiffness and mass", "cannot be told apart"));
    assert_true(fit_warns(&b, "mass", "not determined") || fit_warns(&b, "mass", "known only badly"));
    assert_true(isinf(ss_fit_get_parameter(b.fit, 2).standard_error));
    double ratio = ss_fit_get_parameter(b.fit, 0).value / ss_fit_get_parameter(b.fit, 2).value;
    assert_true(fabs(ratio - 40) < 0.2);
    fit_bench_teardown(&b);
}

// Damping of a motion that hardly moves: a number with no influence at all has no value.
static void a_number_without_influence_is_named(void** state)
{
    (void)state;
    fit_bench b;
    const double sigma[] = {0.001};
    fit_random_state = 4;
    fit_bench_setup(&b, fit_ball);
    fit_bench_trace(&b, "ball.x", NAN);
    fit_bench_record(&b, NULL, NULL, 60, 0.005, 0, sigma); // it has not reached the floor
    fit_bench_free(&b, "forces[0].force", -9);
    fit_bench_free(&b, "contacts.floor.restitution", 0.5);
    fit_bench_run(&b);
    fit_expect_near_truth(&b, 0, -9.81, 0.1);
    assert_true(isinf(ss_fit_get_parameter(b.fit, 1).standard_error));
    assert_true(fit_warns(&b, "restitution", "not determined") ||
                fit_warns(&b, "restitution", "known only badly"));
    fit_bench_teardown(&b);
}

static const char thrown[] =
    "slipstick: 1\ntitle: A disk between an elastic wall and a spring\nbodies: {disk: {mass: 24 g}}\n"
    "forces: [{body: disk, force: 0.2 N}]\n"
    "contacts: {wall: {between: [disk, ground], law: hunt-crossley, above: 10 mm, stiffness: 8e4 N/m^1.5, "
    "exponent: 1.5, alpha: 1.2 s/m}}\n"
    "start: {disk: {v: 0.2 m/s}}\n";

static void fit_wall(fit_bench* b, bool exponent, int samples)
{
    const double sigma[] = {8e-6};
    fit_random_state = 21;
    fit_bench_setup(b, thrown);
    fit_bench_trace(b, "disk.x", 8e-6);
    fit_bench_record(b, NULL, NULL, samples, 5e-4, 0, sigma);
    fit_bench_free(b, "contacts.wall.stiffness", 7e4);
    fit_bench_free(b, "contacts.wall.alpha", 1.0);
    if (exponent) fit_bench_free(b, "contacts.wall.exponent", 1.45);
    fit_bench_run(b);
}

// One impact seen by a sensor as coarse as the penetration: stiffness and exponent mean the same to it. With
// the exponent known, or ten impacts at ten speeds, they do not.
static void one_impact_cannot_tell_stiffness_from_exponent(void** state)
{
    (void)state;
    fit_bench b;
    fit_wall(&b, true, 160); // up to 0.08 s: one impact
    assert_true(fit_warns(&b, "stiffness and exponent", "cannot be told apart"));
    fit_bench_teardown(&b);
    fit_wall(&b, false, 160);
    assert_false(fit_warns(&b, "stiffness and", "cannot be told apart"));
    fit_expect_near_truth(&b, 0, 8e4, 8e3);
    fit_bench_teardown(&b);
    fit_wall(&b, false, 800); // ten impacts
    assert_false(fit_warns(&b, "stiffness and", "cannot be told apart"));
    assert_int_equal(ss_fit_warning_count(b.fit), 0);
    fit_expect_near_truth(&b, 0, 8e4, 800);
    fit_expect_near_truth(&b, 1, 1.2, 0.02);
    fit_bench_teardown(&b);
}

// Exactly the rule: |correlation| > 0.95, or an interval wider than half the value; nothing else.
static void warnings_follow_the_rule(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        fit_bench b;
        const double sigma[] = {0.002 * pow(4, k)};
        fit_random_state = 31 + (uint64_t)k;
        fit_bench_setup(&b, fit_swing);
        fit_bench_trace(&b, "block.x", sigma[0]);
        fit_bench_record(&b, NULL, NULL, 120, 0.01, 0, sigma);
        fit_bench_free(&b, "connections[0].stiffness", 40);
        fit_bench_free(&b, "contacts.floor.friction", 0.5);
        fit_bench_free(&b, "connections[0].damping", 0.0);
        fit_bench_run(&b);
        int want = 0;
        for (int i = 0; i < 3; i++) {
            ss_fit_parameter q = ss_fit_get_parameter(b.fit, i);
            want += q.high - q.low > 0.5 * fabs(q.value);
            for (int j = 0; j < i; j++) want += fabs(ss_fit_correlation(b.fit, i, j)) > 0.95;
        }
        assert_int_equal(ss_fit_warning_count(b.fit), want);
        fit_bench_teardown(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_every_digit_is_found),
        cmocka_unit_test(speeds_are_fitted_across_impacts),
        cmocka_unit_test(several_traces_are_weighed_by_their_noise),
        cmocka_unit_test(gaps_and_unequal_times_do_no_harm),
        cmocka_unit_test(the_delay_of_the_clock_is_found),
        cmocka_unit_test(several_recordings_share_numbers),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(samples_near_events_can_be_left_out),
        cmocka_unit_test(a_common_factor_is_not_determined),
        cmocka_unit_test(a_number_without_influence_is_named),
        cmocka_unit_test(one_impact_cannot_tell_stiffness_from_exponent),
        cmocka_unit_test(warnings_follow_the_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
