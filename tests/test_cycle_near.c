// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The cycle that is asked for by a start near it, and searches that are ended within a motion.
#include "rig.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

// The two-well oscillator x'' + 0.3 x' - x + x^3 = 0.29 cos(1.2 t). Within one well its cycle of one period
// flips at an amplitude of 0.266, that of two periods at 0.287: here both are unstable, and what attracts has
// four periods.
static ss_model* two_wells(double x, double v)
{
    rig parts;
    rig_init(&parts);
    int body = rig_body(&parts, 1.0, x, v);
    rig_spring(&parts, body, SS_GROUND, -1.0, 0.3)->cubic = 1.0;
    rig_force(&parts, body, "0.29*cos(1.2*t)");
    return rig_model(&parts);
}

// How far a motion is after a time from where it began.
static double gap_after(double x, double v, double time)
{
    ss_model* model = two_wells(x, v);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, time);
    double gap = hypot(ss_sim_x(m.sim)[0] - x, ss_sim_v(m.sim)[0] - v);
    run_stop(&m);
    ss_model_destroy(model);
    return gap;
}

// Starts near the unstable cycle of two periods, at either of its two places, lead to it and to no other; a
// start near that of one period leads to that one. Which of them a start lies on is seen by its motion alone.
static void test_the_nearest_cycle_is_found(void** state)
{
    (void)state;
    const double starts[][2] = {{0.6406, 0.3896}, {0.3694, 0.2989}}, P = 2.0 * pi / 1.2;
    const int periods[] = {2, 1};
    for (int k = 0; k < 2; k++) {
        ss_model* model = two_wells(starts[k][0], starts[k][1]);
        ss_cycle_def def = ss_cycle_def_default();
        ss_cycle* cycle;
        ss_error err = {0};
        def.near = true;
        def.until = 100.0 * P;
        if (ss_cycle_find(model, &def, &cycle, &err) != SS_OK) fail_msg("%s", err.text);
        double x = ss_cycle_x(cycle)[0], v = ss_cycle_v(cycle)[0], first[2];
        expect_near("period", ss_cycle_period(cycle), periods[k] * P, 1e-12);
        assert_true(hypot(x - starts[k][0], v - starts[k][1]) < 0.01);
        ss_cycle_multiplier(cycle, 0, first);
        assert_true(first[0] < -1.0 && !ss_cycle_is_stable(cycle));
        assert_true(gap_after(x, v, periods[k] * P) < 1e-7);
        if (periods[k] == 2) assert_true(gap_after(x, v, P) > 0.1);
        ss_cycle_destroy(cycle);
        ss_model_destroy(model);
    }
}

static bool thrice(void* user, double fraction)
{
    (void)fraction;
    return ++*(int*)user < 3;
}

// A body of a milligram swings 1e11 times on its way to where a cycle is looked for: nobody waits for that.
static void test_a_search_is_ended_within_a_motion(void** state)
{
    (void)state;
    int asked = 0;
    rig parts;
    rig_init(&parts);
    int heavy = rig_body(&parts, 1.0, 0.5, 0.0), light = rig_body(&parts, 1e-6, 0.0, 0.0);
    rig_spring(&parts, heavy, light, 1e3, 0.0);
    rig_spring(&parts, light, SS_GROUND, 1e3, 0.0)->cubic = 1e3;
    ss_model* model = rig_model(&parts);
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    def.until = 1e7;
    def.progress = thrice;
    def.user = &asked;
    assert_int_equal(ss_cycle_find(model, &def, &cycle, &err), SS_NOT_FOUND);
    assert_non_null(strstr(err.text, "interrupted"));
    assert_int_equal(asked, 3);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearest_cycle_is_found),
        cmocka_unit_test(test_a_search_is_ended_within_a_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
