// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Calls that make no sense are refused, and a run that somebody ends keeps what was computed.
#include "rig.h"
#include "share/model_parts.h"
#include "slider_rig.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void refused(ss_status status, const ss_error* err, const char* field)
{
    assert_int_equal(status, SS_BAD_INPUT);
    assert_string_equal(err->field, field);
}

// A block that swings on a cubic spring, so that time passes in steps.
static ss_model* swinging(rig* r)
{
    rig_init(r);
    int block = rig_body(r, 1, 1, 0);
    rig_spring(r, block, SS_GROUND, 1, 0)->cubic = 1;
    return rig_model(r);
}

static void test_no_time_at_all(void** state)
{
    (void)state;
    static rig r;
    static run motion;
    ss_model* model = swinging(&r);
    ss_error err;
    ss_outcome outcome;
    run_start(&motion, model, NULL, NULL);
    refused(ss_sim_advance(motion.sim, NAN, &outcome, &err), &err, "until");
    assert_int_equal(ss_sim_advance(motion.sim, 1, &outcome, &err), SS_OK);
    assert_true(ss_sim_time(motion.sim) == 1);
    ss_sim_destroy(motion.sim);

    ss_batch* batch;
    ss_batch_def def = ss_batch_def_default();
    def.until = INFINITY;
    refused(ss_batch_create(model, &def, &batch, &err), &err, "until");
    ss_model_destroy(model);
}

static void test_matrices_that_are_not_there(void** state)
{
    (void)state;
    static const double one[] = {1}, no_number[] = {NAN};
    const ss_matrix_def single = ss_matrix_whole(1, 1, one);
    const ss_matrices_def good = {.M = single, .C = single, .K = single, .W = single, .friction = one};
    ss_matrices_def m;
    ss_system_def def = ss_system_def_default();
    ss_model* model;
    ss_error err;
    def.matrices = &m;
    m = good;
    assert_int_equal(ss_model_create(&def, &model, &err), SS_OK);
    ss_model_destroy(model);
    m.K.value = NULL;
    refused(ss_model_create(&def, &model, &err), &err, "matrices.K");
    m = good;
    m.friction = NULL;
    refused(ss_model_create(&def, &model, &err), &err, "matrices.friction");
    m = good;
    m.start_v = no_number;
    refused(ss_model_create(&def, &model, &err), &err, "matrices.start_v");
}

// A restart beyond a stop is neither the old motion nor a new one; the next restart is as good as the first.
static void test_a_start_that_cannot_be(void** state)
{
    (void)state;
    static rig r;
    static run motion;
    rig_init(&r);
    int block = rig_body(&r, 1, 0, 1);
    rig_stop(&r, block, SS_GROUND, 2, 1, 0.5);
    ss_model* model = rig_model(&r);
    const double beyond[] = {3}, before[] = {1};
    ss_error err;
    ss_outcome outcome;
    run_start(&motion, model, NULL, NULL);
    assert_int_equal(ss_sim_advance(motion.sim, 1, &outcome, &err), SS_OK);
    assert_int_equal(ss_sim_restart(motion.sim, beyond, NULL, &err), SS_BAD_INPUT);
    assert_int_equal(ss_sim_advance(motion.sim, 2, &outcome, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "beyond the stop"));
    assert_int_equal(ss_sim_restart(motion.sim, before, NULL, &err), SS_OK);
    assert_int_equal(ss_sim_advance(motion.sim, 2, &outcome, &err), SS_OK);
    assert_true(fabs(ss_sim_x(motion.sim)[block] - 1.5) < 1e-14); // 1 s there, 1 s back at half the speed
    ss_sim_destroy(motion.sim);
    ss_model_destroy(model);
}

static bool twice(void* user, double t)
{
    (void)t;
    return --*(int*)user > 0;
}

// A load that turns for ever pulls a slider about: the run ends where it is told to, and stays there.
static void test_an_interrupted_slider_keeps_its_way(void** state)
{
    (void)state;
    slider_rig body;
    ss_slider* slider;
    ss_slide* slide;
    ss_error err;
    ss_outcome outcome;
    int answers = 2;
    slider_init(&body);
    slider_point(&body, 1, 0, 0.5);
    slider_point(&body, -1, 0, 0.5);
    ss_signal* pull;
    const ss_scope timed = {.allow_time = true};
    const ss_dimension newton = {.m = 1, .kg = 1, .s = -2};
    assert_int_equal(ss_signal_parse("4 N * sin(3 rad/s * t)", &timed, newton, &pull, &err), SS_OK);
    body.load.force_x = pull;
    assert_int_equal(ss_slider_create(&body.def, &slider, &err), SS_OK);
    ss_slide_def def = ss_slide_def_default();
    def.keep_going = twice;
    def.user = &answers;
    assert_int_equal(ss_slide_create(slider, &def, &slide, &err), SS_OK);
    assert_int_equal(ss_slide_advance(slide, 1e6, &outcome, &err), SS_OK);
    assert_int_equal(outcome, SS_INTERRUPTED);
    double t = ss_slide_time(slide), way = ss_slide_state(slide).x;
    assert_true(t > 0 && t < 1e5 && way != 0);
    assert_int_equal(ss_slide_advance(slide, 1e6, &outcome, &err), SS_OK); // it has ended
    assert_int_equal(outcome, SS_INTERRUPTED);
    assert_true(ss_slide_time(slide) == t);
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    ss_signal_destroy(pull);
}

static void test_a_quantity_has_no_index(void** state)
{
    (void)state;
    const ss_scope scope = {.index_varies = true};
    double value;
    ss_error err;
    assert_int_equal(ss_quantity_parse("2*i", &scope, (ss_dimension){0}, &value, &err), SS_BAD_INPUT);
}

static void test_driven_bodies_know_their_start(void** state)
{
    (void)state;
    static rig r;
    rig_init(&r);
    rig_body(&r, 1, 0, 0);
    int shaken = rig_driven(&r, "0.5 + 2*sin(3*t)"), belt = rig_driven_speed(&r, "0.1");
    ss_model* model = rig_model(&r);
    assert_true(ss_model_start_x(model, shaken) == 0.5);
    assert_true(fabs(ss_model_start_v(model, shaken) - 6) < 1e-14);
    assert_true(ss_model_start_v(model, belt) == 0.1);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_time_at_all),
        cmocka_unit_test(test_matrices_that_are_not_there),
        cmocka_unit_test(test_a_start_that_cannot_be),
        cmocka_unit_test(test_an_interrupted_slider_keeps_its_way),
        cmocka_unit_test(test_a_quantity_has_no_index),
        cmocka_unit_test(test_driven_bodies_know_their_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
