// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a search tells while it is under way, where it is interrupted or runs off, and what it warns of or
// refuses before it begins.
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

static bool stop_soon(void* user, double fraction)
{
    (void)fraction;
    return --*(int*)user > 0;
}

// Wherever it is interrupted, what is told is never worse than the guess.
static void an_interrupted_fit_keeps_its_best(void** state)
{
    (void)state;
    for (int after = 3; after < 60; after += 3) {
        fit_bench b;
        int left = after;
        fit_bench_setup(&b, fit_swing);
        fit_bench_trace(&b, "block.x", 0.001);
        fit_bench_record(&b, NULL, NULL, 200, 0.01, 0, NULL);
        fit_bench_free(&b, "connections[0].stiffness", 70);
        fit_bench_free(&b, "contacts.floor.friction", 0.9);
        b.def.starts = 3;
        b.def.progress = stop_soon;
        b.def.user = &left;
        fit_bench_run(&b);
        assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_INTERRUPTED);
        assert_true(ss_fit_rms(b.fit) < 0.15);
        for (int j = 0; j < 2; j++) { // nothing is claimed of what is no minimum
            ss_fit_parameter q = ss_fit_get_parameter(b.fit, j);
            assert_true(isnan(q.standard_error) && isnan(q.low) && isnan(q.high));
            for (int k = 0; k < 2; k++) assert_true(isnan(ss_fit_correlation(b.fit, j, k)));
        }
        assert_false(fit_warns(&b, "stiffness", "correlation"));
        assert_true(ss_fit_note_count(b.fit) > 0);
        if (after > 100) assert_true(fabs(ss_fit_get_parameter(b.fit, 0).value - 40) < 1e-3);
        fit_bench_teardown(&b);
    }
}

typedef struct heard {
    int count;
    long iterations;
    double left;
} heard;

static void hear(void* user, long iterations, double left)
{
    heard* so_far = user;
    assert_true(iterations >= so_far->iterations);
    assert_true(left < so_far->left);
    *so_far = (heard){so_far->count + 1, iterations, left};
}

// What is told on the way gets ever better, and ends with what the answer says.
static void the_best_so_far_is_told(void** state)
{
    (void)state;
    fit_bench b;
    heard last = {.left = INFINITY};
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", 0.001);
    fit_bench_record(&b, NULL, NULL, 200, 0.01, 0, (double[]){0.001});
    fit_bench_free(&b, "connections[0].stiffness", 70);
    fit_bench_free(&b, "contacts.floor.friction", 0.9);
    b.def.better = hear;
    b.def.user = &last;
    fit_bench_run(&b);
    double least = INFINITY, most = -INFINITY;
    for (long k = 0; k < ss_recording_count(b.recordings[0]); k++) {
        least = fmin(least, ss_recording_value(b.recordings[0], k, 0));
        most = fmax(most, ss_recording_value(b.recordings[0], k, 0));
    }
    assert_true(last.count > 2);
    double rms = ss_fit_rms(b.fit);
    assert_true(fabs(last.left * (most - least) - rms) < 0.1 * rms);
    fit_bench_teardown(&b);
}

// A block that stays where it was let go, under a spring: the heavier, the better it fits, and no mass is
// heavy enough.
static void a_number_that_runs_off_is_no_answer(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_random_state = 8;
    fit_bench_record(&b, "bodies.block.mass", "1e12", 200, 0.01, 0, (const double[]){1e-5});
    fit_bench_free(&b, "bodies.block.mass", 1.0);
    fit_bench_run(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_GAVE_UP);
    assert_true(fit_warns(&b, "mass", "the data do not bound it"));
    assert_true(isnan(ss_fit_get_parameter(b.fit, 0).low));
    fit_bench_teardown(&b);
}

// The same with a stiffness of which only the ratio to the mass matters: as the search did not end, they have
// no correlation, and nothing is said of one.
static void a_search_that_did_not_end_has_no_correlation(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_random_state = 8;
    fit_bench_record(&b, "bodies.block.mass", "1e12", 200, 0.01, 0, (const double[]){1e-5});
    fit_bench_free(&b, "bodies.block.mass", 1.0);
    ss_fit_free* stiffness = fit_bench_free(&b, "connections[0].stiffness", 40.0);
    stiffness->least = 30.0;
    stiffness->most = 50.0;
    fit_bench_run(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_GAVE_UP);
    assert_true(isnan(ss_fit_correlation(b.fit, 0, 1)) && isnan(ss_fit_correlation(b.fit, 1, 1)));
    for (int k = 0; k < ss_fit_warning_count(b.fit); k++)
        assert_null(strstr(ss_fit_warning(b.fit, k), "correlation"));
    fit_bench_teardown(&b);
}

static void count_warning(void* user, const char* text)
{
    assert_non_null(strstr(text, "unit"));
    ++*(int*)user;
}

// The recording of a motion of 3 s, its time or its place multiplied by a thousand: told before the search.
static void units_that_differ_by_a_thousand_are_told(void** state)
{
    (void)state;
    static const double factors[5][2] = {{1, 1}, {1000, 1}, {0.001, 1}, {1, 1000}, {1, 0.001}};
    for (int k = 0; k < 5; k++) {
        fit_bench b;
        int told = 0;
        fit_bench_setup(&b, fit_swing);
        fit_bench_trace(&b, "block.x", NAN);
        fit_bench_record(&b, NULL, NULL, 300, 0.01, 0, NULL);
        ss_recording* true_one = b.recordings[0];
        double times[300], places[300];
        for (int i = 0; i < 300; i++) {
            times[i] = factors[k][0] * ss_recording_time(true_one, i);
            places[i] = factors[k][1] * ss_recording_value(true_one, i, 0);
        }
        ss_recording_destroy(true_one);
        assert_int_equal(ss_recording_create("made.csv", times, places, 300, 1, &b.recordings[0], NULL),
                         SS_OK);
        fit_bench_free(&b, "connections[0].stiffness", 42);
        b.def.warn = count_warning;
        b.def.user = &told;
        fit_bench_run(&b);
        assert_int_equal(told, k > 0);
        assert_int_equal(fit_warns(&b, "block.x", "unit"), k > 0);
        fit_bench_teardown(&b);
    }
}

// Stiffness and mass of a swing with known friction have a correlation near 1, and a good recording knows
// both: the warning does not deny that.
static void numbers_that_lean_on_each_other_may_be_known(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_random_state = 5;
    fit_bench_record(&b, NULL, NULL, 300, 0.01, 0, (const double[]){1e-6});
    fit_bench_free(&b, "connections[0].stiffness", 41);
    fit_bench_free(&b, "bodies.block.mass", 1.02);
    fit_bench_run(&b);
    assert_true(fabs(ss_fit_correlation(b.fit, 0, 1)) > 0.95);
    assert_true(ss_fit_get_parameter(b.fit, 0).standard_error < 0.4);
    assert_true(fit_warns(&b, "stiffness and mass", "lean on each other"));
    assert_false(fit_warns(&b, "stiffness and mass", "cannot be told apart"));
    fit_bench_teardown(&b);
}

// About the moment at which a pull has moved the block farthest, it looks like an offset of the sensor: the
// pull is known well, the offset, which is 0, is not. The warning says so.
static void one_of_two_that_lean_may_be_known(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, "slipstick: 1\ntitle: pull\nbodies: {block: {mass: 1 kg}}\n"
                        "connections: [{between: [block, ground], stiffness: 40 N/m}]\n"
                        "forces: [{body: block, force: 4 N}]\n");
    fit_bench_trace(&b, "block.x", NAN);
    fit_random_state = 5;
    fit_bench_record(&b, NULL, NULL, 300, 0.002, 0, (const double[]){1e-6});
    b.def.from = 0.42;
    b.def.to = 0.58;
    fit_bench_free(&b, "forces[0].force", 4.1);
    fit_bench_free(&b, "sensor.block.x.offset", 0);
    fit_bench_run(&b);
    assert_true(fabs(ss_fit_correlation(b.fit, 0, 1)) > 0.95);
    assert_true(fit_warns(&b, "force and offset cannot be told apart", "any closer than"));
    fit_bench_teardown(&b);
}

static void refuse(fit_bench* b, const char* says)
{
    ss_error err = {0};
    char text[1024];
    ss_fit* fit = NULL;
    assert_int_equal(ss_fit_run(&b->def, &fit, &err), SS_BAD_INPUT);
    assert_null(fit);
    if (!strstr(ss_error_format(&err, text, sizeof text), says))
        fail_msg("'%s' does not say '%s'", text, says);
}

static void misuse_is_refused(void** state)
{
    (void)state;
    fit_bench b;
    fit_bench_setup(&b, fit_swing);
    fit_bench_trace(&b, "block.x", NAN);
    fit_bench_record(&b, NULL, NULL, 20, 0.01, 0, NULL);
    refuse(&b, "no number is free");
    ss_fit* none = NULL;
    ss_error err = {0};
    assert_int_equal(ss_fit_run(NULL, &none, &err), SS_BAD_INPUT);
    fit_bench_free(&b, "contacts.floor.fricton", NAN);
    refuse(&b, "--free contacts.floor.fricton");
    b.free[0].path = "contacts.floor.friction";
    b.free[0].least = 1;
    b.free[0].most = 2;
    refuse(&b, "lies outside the bounds");
    b.free[0] = ss_fit_free_default();
    b.free[0].path = "contacts.floor.static"; // the file does not mention it: 0 is below friction
    refuse(&b, "give a first guess with --set");
    b.free[0].path = "title";
    refuse(&b, "--free title");
    b.free[0].path = "contacts.floor.friction";
    b.traces[0].shows = "brick.x";
    refuse(&b, "there is no body 'brick'; there are block");
    b.traces[0].shows = "block.a";
    refuse(&b, "BODY.x or BODY.v");
    b.traces[0].shows = "block.x";
    b.def.from = 0.185;
    fit_bench_free(&b, "block.x", NAN);
    refuse(&b, "1 samples cannot determine 2 numbers");
    fit_bench_teardown(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_fit_keeps_its_best),
        cmocka_unit_test(the_best_so_far_is_told),
        cmocka_unit_test(a_number_that_runs_off_is_no_answer),
        cmocka_unit_test(a_search_that_did_not_end_has_no_correlation),
        cmocka_unit_test(units_that_differ_by_a_thousand_are_told),
        cmocka_unit_test(numbers_that_lean_on_each_other_may_be_known),
        cmocka_unit_test(one_of_two_that_lean_may_be_known),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
