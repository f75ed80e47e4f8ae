// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Long steps of small linear models under harmonic forces: against closed forms, against the same run in
// steps by power series (a run that watches for escape takes no long steps), and asked often or once.
#include "random_system.h"
#include "rig.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static rig r;
static run long_steps, steps;

// m = 1, k = 4, c = 0.1 under 3 + 2 cos(1.5 t) + sin(0.7 t + 1): the sum of the two forced swings and the
// offset.
static void forced_motion(double t, double* x, double* v)
{
    static const struct {
        double w, amplitude, phase; // of the force, as a cosine
    } tone[2] = {{1.5, 2.0, 0.0}, {0.7, 1.0, 1.0 - 1.5707963267948966}};
    *x = 0.75;
    *v = 0.0;
    for (int k = 0; k < 2; k++) {
        double w = tone[k].w, re = 4.0 - w * w, im = 0.1 * w, a = tone[k].amplitude / hypot(re, im);
        double angle = w * t + tone[k].phase - atan2(im, re);
        *x += a * cos(angle);
        *v -= a * w * sin(angle);
    }
}

// A start on the forced motion stays on it, however far, asked at times `factor` apart.
static void expect_forced(double from, double to, double factor)
{
    double x, v;
    forced_motion(0.0, &x, &v);
    rig_init(&r);
    rig_body(&r, 1.0, x, v);
    rig_spring(&r, 0, SS_GROUND, 4.0, 0.1);
    rig_force(&r, 0, "3 + 2*cos(1.5*t)");
    rig_force(&r, 0, "sin(0.7*t + 1)");
    ss_model* model = run_start_rig(&long_steps, &r);
    for (double t = from; t <= to; t *= factor) {
        forced_motion(t, &x, &v);
        run_to(&long_steps, t);
        expect_near("x", ss_sim_x(long_steps.sim)[0], x, 4e-13 + 1e-15 * t);
        expect_near("v", ss_sim_v(long_steps.sim)[0], v, 4e-13 + 1e-15 * t);
        assert_true(run_energy_error(&long_steps) < 1e-12);
    }
    run_end(&long_steps, model, 1e-12);
}

static void test_forced_swing(void** state)
{
    (void)state;
    expect_forced(1.0, 2e4, 1.7);
    expect_forced(2e4, 2e4, 2.0);
}

// One to four bodies in a row, some on rough floors or rough against each other, under up to four tones.
static void draw(random_source* source)
{
    int n = random_integer(source, 1, 4), forces = random_integer(source, 1, 3);
    rig_init(&r);
    for (int b = 0; b < n; b++)
        rig_body(&r, random_between(source, 0.5, 2), random_between(source, -1, 1),
                 random_between(source, -1, 1));
    for (int b = 0; b < n; b++) {
        rig_spring(&r, b, b > 0 ? b - 1 : SS_GROUND, random_between(source, 0.5, 5),
                   random_between(source, 0, 0.3));
        if (random_integer(source, 0, 2) > 0)
            rig_coulomb(&r, b, random_integer(source, 0, 1) && b > 0 ? b - 1 : SS_GROUND,
                        random_between(source, 0.05, 0.6));
    }
    for (int f = 0; f < forces; f++) {
        char text[120];
        snprintf(text, sizeof text, "%g + %g*sin(%g*t + %g)",
                 random_integer(source, 0, 1) * random_between(source, -0.3, 0.3),
                 random_between(source, 0.3, 3),
                 random_integer(source, 0, 1) ? 1.25 : random_between(source, 0.3, 4),
                 random_between(source, 0, 6));
        rig_force(&r, random_integer(source, 0, n - 1), text);
    }
}

static void test_same_motion_as_steps(void** state)
{
    (void)state;
    random_source source = {20261117};
    long events = 0;
    for (int k = 0, count = random_count(150); k < count; k++) {
        draw(&source);
        ss_model* model = rig_model(&r);
        ss_sim_def def = ss_sim_def_default();
        const double until = 25.0;
        run_start_def(&long_steps, model, def);
        def.escape = 1e9;
        run_start_def(&steps, model, def);
        run_to(&long_steps, until);
        run_to(&steps, until);
        assert_int_equal(long_steps.outcome, steps.outcome);
        expect_events(&long_steps, steps.events, (int)steps.event_count, false, INFINITY, 1e-8, "steps");
        for (int b = 0; b < ss_model_body_count(model); b++) {
            expect_near("x", ss_sim_x(long_steps.sim)[b], ss_sim_x(steps.sim)[b], 1e-9);
            expect_near("v", ss_sim_v(long_steps.sim)[b], ss_sim_v(steps.sim)[b], 1e-9);
        }
        assert_true(run_energy_error(&long_steps) < 1e-11);
        events += long_steps.event_count;
        run_stop(&long_steps);
        run_stop(&steps);
        ss_model_destroy(model);
    }
    assert_true(events > 0);
}

// Who asks often sees the bits of who asks once.
static void test_asking_changes_nothing(void** state)
{
    (void)state;
    random_source source = {7};
    for (int k = 0, count = random_count(40); k < count; k++) {
        draw(&source);
        ss_model* model = rig_model(&r);
        size_t size = (size_t)ss_model_body_count(model) * sizeof(double);
        const double until = 12.0;
        run_start_def(&long_steps, model, ss_sim_def_default());
        run_start_def(&steps, model, ss_sim_def_default());
        run_to(&long_steps, until);
        for (double t = 0.0; t < until; t += random_between(&source, 0.0, 0.4)) run_to(&steps, t);
        run_to(&steps, until);
        assert_int_equal(long_steps.event_count, steps.event_count);
        assert_memory_equal(ss_sim_x(long_steps.sim), ss_sim_x(steps.sim), size);
        assert_memory_equal(ss_sim_v(long_steps.sim), ss_sim_v(steps.sim), size);
        run_stop(&long_steps);
        run_stop(&steps);
        ss_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forced_swing),
        cmocka_unit_test(test_same_motion_as_steps),
        cmocka_unit_test(test_asking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
