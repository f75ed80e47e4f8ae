// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What maps say of motions that have not ended: steady sliding, repeating, or on the way.
#include "lab/map/basin_motion.h"
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ss_motion_verdict judge(const ss_model* model, double x, double v, double until)
{
    ss_sim_def def = ss_sim_def_default();
    ss_motion_classifier* asked;
    ss_motion_verdict verdict;
    ss_error err = {0};
    double xs[2] = {x, 0.0}, vs[2] = {v, 0.0}; // the second body, if any, is driven
    if (ss_motion_classifier_create(model, &def, &asked, &err) != SS_OK) fail_msg("%s", err.text);
    const ss_motion_start start = {.x = xs, .v = vs};
    if (ss_motion_classifier_ask(asked, &start, until, &verdict, &err) != SS_OK) fail_msg("%s", err.text);
    ss_motion_classifier_destroy(asked);
    assert_int_equal(isnan(verdict.shape), !verdict.steady && !verdict.repeats);
    return verdict;
}

// m x'' + c x' + k x = F(V - x'), F rising with the speed: all motions end where k x = F(V). The distance
// decays as exp(-(c + F') t / 2m): about 1e-13 after 100 s, a tenth after 8 s.
static void test_steady_sliding_is_told_from_the_way_to_it(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 0.0, 0.0), belt = rig_driven_speed(&parts, "5");
    rig_spring(&parts, block, SS_GROUND, 1.0, 0.5);
    ss_contact_def* face = rig_coulomb(&parts, block, belt, 1.0);
    face->law = SS_LAW_STRIBECK;
    face->stribeck =
        (ss_stribeck){.coulomb = 1.0, .static_level = 1.0, .speed = 1.0, .shape = 2.0, .viscous = 0.1};
    ss_model* model = rig_model(&parts);
    ss_motion_verdict late = judge(model, 0.3, 0.0, 150.0), early = judge(model, 0.3, 0.0, 8.0),
                      other = judge(model, -1.0, 2.0, 150.0);
    assert_true(late.steady && other.steady);
    assert_false(late.repeats);
    expect_near("shape", late.shape, other.shape, 1e-4 * fabs(late.shape));
    assert_false(early.steady || early.repeats);
    ss_model_destroy(model);
}

// Stick-slip in closed form repeats from the first stick on, its period being 4.3 s; before it has been seen
// often enough it is on its way.
static void test_stick_slip_repeats(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 0.8, 0.0, 0.0), belt = rig_driven_speed(&parts, "0.15");
    rig_spring(&parts, block, SS_GROUND, 3.0, 0.0)->cubic = 1e-9;
    ss_contact_def* face = rig_coulomb(&parts, block, belt, 0.7);
    face->coulomb.static_forward = face->coulomb.static_backward = 1.2;
    ss_model* model = rig_model(&parts);
    ss_motion_verdict late = judge(model, 0.0, 0.0, 200.0), other = judge(model, 0.4, 0.1, 200.0);
    assert_true(late.repeats && other.repeats);
    assert_false(late.steady || other.steady);
    expect_near("shape", late.shape, other.shape, 0.01 * fabs(late.shape));
    ss_motion_verdict early = judge(model, 0.0, 0.0, 10.0);
    assert_false(early.steady || early.repeats);
    ss_model_destroy(model);
}

// Without events: a cubic spring without damping repeats, with a little of it never does.
static void test_motions_without_events(void** state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        rig parts;
        rig_init(&parts);
        int block = rig_body(&parts, 1.0, 1.0, 0.0);
        rig_spring(&parts, block, SS_GROUND, 1.0, damped ? 1e-3 : 0.0)->cubic = 0.7;
        ss_model* model = rig_model(&parts);
        ss_motion_verdict verdict = judge(model, 1.0, 0.0, 120.0);
        assert_int_equal(verdict.repeats, !damped);
        assert_false(verdict.steady);
        ss_model_destroy(model);
    }
}

// Under inputs: the answer to a force repeats with it once the transient has died out.
static void test_motions_under_inputs(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 0.0, 0.0);
    rig_spring(&parts, block, SS_GROUND, 4.0, 0.4)->cubic = 0.1;
    rig_coulomb(&parts, block, SS_GROUND, 0.1);
    rig_force(&parts, block, "max(-1, 2*sin(1.3*t))");
    ss_model* model = rig_model(&parts);
    assert_true(judge(model, 0.5, 0.0, 400.0).repeats);
    assert_false(judge(model, 0.5, 0.0, 25.0).repeats);
    ss_model_destroy(model);
}

// A body that drives away pulls a block over viscous friction, which soon slides steadily behind it. With a
// force by a table that still has to act the motion is on its way, however calm it is before that.
static void test_a_table_is_heeded_behind_a_body_that_drives_away(void** state)
{
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        static const double t[3] = {0.0, 500.0, 501.0}, pushes[3] = {0.0, 0.0, 1.0};
        rig parts;
        rig_init(&parts);
        int block = rig_body(&parts, 1.0, 0.0, 0.0), hand = rig_driven_speed(&parts, "0.3");
        rig_spring(&parts, block, hand, 4.0, 1.0);
        rig_coulomb(&parts, block, SS_GROUND, 0.2);
        rig_force(&parts, block, "0");
        if (waits) parts.forces[0].force = rig_table(&parts, t, pushes, 3);
        ss_model* model = rig_model(&parts);
        ss_motion_verdict verdict = judge(model, 0.0, 0.0, 200.0);
        assert_int_equal(verdict.steady, !waits);
        assert_false(verdict.repeats);
        ss_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_sliding_is_told_from_the_way_to_it),
        cmocka_unit_test(test_stick_slip_repeats),
        cmocka_unit_test(test_motions_without_events),
        cmocka_unit_test(test_motions_under_inputs),
        cmocka_unit_test(test_a_table_is_heeded_behind_a_body_that_drives_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
