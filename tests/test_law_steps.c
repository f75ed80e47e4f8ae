// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The elasto-plastic law and GMS alone: steps of constant speed against closed forms and against a small
// Runge-Kutta integration of their rates.
#include "rig.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const ss_elasto_plastic elasto = {{1e5, 300.0, 0.4, 1.0, 1.5, 0.01, 2.0}, 4e-6};

// The classical method with many steps: z' by ss_elasto_plastic_rate, whose second derivative by z jumps
// where the branches meet, which leaves an error of about 1e-10 of z.
static double by_runge_kutta(const ss_elasto_plastic* law, double z, double v, double dt)
{
    enum { STEPS = 20000 };
    double h = dt / STEPS;
    for (int k = 0; k < STEPS; k++) {
        double a = ss_elasto_plastic_rate(law, z, v);
        double b = ss_elasto_plastic_rate(law, z + 0.5 * h * a, v);
        double c = ss_elasto_plastic_rate(law, z + 0.5 * h * b, v);
        double d = ss_elasto_plastic_rate(law, z + h * c, v);
        z += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return z;
}

static void test_elasto_plastic_against_runge_kutta(void** state)
{
    (void)state;
    const double starts[] = {0.0, -9e-6, 3.9e-6, 6e-6, 9e-6, 1.6e-5}, speeds[] = {1e-3, -1e-3, 0.02, -0.5};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 4; k++)
            for (int share = 1; share <= 8; share *= 2) {
                double v = speeds[k], dt = 4e-6 * share / fabs(v), z = starts[i];
                double truth = by_runge_kutta(&elasto, z, v, dt), before = z;
                double force = ss_elasto_plastic_step(&elasto, &z, v, dt);
                expect_near("deflection after a step", z, truth, 1e-14);
                expect_near("force after a step", force, ss_elasto_plastic_force(&elasto, z, v), 0.0);
                double half = before;
                ss_elasto_plastic_step(&elasto, &half, v, 0.5 * dt);
                ss_elasto_plastic_step(&elasto, &half, v, 0.5 * dt);
                expect_near("two halves", half, z, 16.0 * DBL_EPSILON * 1.6e-5);
            }
}

// Below the breakaway it is a spring, to all digits; long sliding ends at g/sigma0; a breakaway just below
// the end of the range and just above 0 changes nothing of that.
static void test_elasto_plastic_ends(void** state)
{
    (void)state;
    double z = 0.0;
    assert_true(ss_elasto_plastic_step(&elasto, &z, 1e-3, 4e-3) ==
                ss_elasto_plastic_force(&elasto, 4e-6, 1e-3));
    const double breakaways[] = {1e-12, 4e-6, 1e-5 * (1.0 - 1e-9)};
    for (size_t k = 0; k < 3; k++) {
        ss_elasto_plastic law = elasto;
        law.breakaway = breakaways[k];
        z = -1e-5;
        double force = ss_elasto_plastic_step(&law, &z, 0.004, 1e9), g = 1.0 + 0.5 * exp(-0.16);
        expect_near("steady deflection", z, g / 1e5, 1e-19);
        expect_near("steady force", force, -(g + 0.4 * 0.004), 1e-14);
    }
    z = 1e-6;
    assert_true(isnan(ss_elasto_plastic_step(&elasto, &z, NAN, 1.0)) && z == 1e-6);
}

static const double stiffness[] = {1e5, 2e4}, share[] = {0.75, 0.25};
static const ss_gms gms = {2, stiffness, share, 1.0, 1.5, 0.01, 2.0, 20.0, 3.0};

// Each element by hand: a spring until its limit, then F = share s + (F - share s) exp(-C t/s).
static void test_gms_closed_form(void** state)
{
    (void)state;
    double v = 1e-3, s = ss_gms_level(&gms, v), fast = 0.02, low = ss_gms_level(&gms, fast);
    ss_gms_element elements[2] = {{0}};
    double force = ss_gms_step(&gms, elements, v, 0.005); // 5 um: 0.5 N and 0.1 N
    expect_near("two springs", force, -(0.5 + 0.1 + 3.0 * v), 1e-15);
    force = ss_gms_step(&gms, elements, v, 0.02); // the first slips at share s, the second is at 0.5 N
    assert_true(elements[0].direction == 1 && elements[1].direction == 1);
    expect_near("both slip", force, -(s + 3.0 * v), 1e-14);
    force = ss_gms_step(&gms, elements, fast, 0.01);
    expect_near("both relax", force, -(low + (s - low) * exp(-20.0 * 0.01 / low) + 3.0 * fast), 1e-14);
    double held = -force - 3.0 * fast;
    force = ss_gms_step(&gms, elements, -v, 0.001); // back: both are springs again
    assert_true(elements[0].direction == 0 && elements[1].direction == 0);
    expect_near("turned", force, -(held - 1e-6 * 1.2e5 - 3.0 * v), 1e-14);
    ss_gms_element kept[2] = {elements[0], elements[1]};
    assert_true(isnan(ss_gms_step(&gms, elements, 1.0, -1.0)) && elements[0].force == kept[0].force);
}

// A step of h is two steps of h/2, across slip too.
static void test_gms_steps_compose(void** state)
{
    (void)state;
    for (double h = 1e-6; h < 10.0; h *= 1.7) {
        ss_gms_element one[2] = {{-0.3, 0}, {0.1, 0}}, two[2] = {{-0.3, 0}, {0.1, 0}};
        double whole = ss_gms_step(&gms, one, 0.004, h);
        ss_gms_step(&gms, two, 0.004, 0.5 * h);
        expect_near("GMS in two halves", ss_gms_step(&gms, two, 0.004, 0.5 * h), whole, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elasto_plastic_against_runge_kutta),
        cmocka_unit_test(test_elasto_plastic_ends),
        cmocka_unit_test(test_gms_closed_form),
        cmocka_unit_test(test_gms_steps_compose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
