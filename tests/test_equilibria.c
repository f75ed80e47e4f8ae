// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where open models would stand without friction: places and eigenvalues in closed form.
#include "slipstick/follow.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The place nearest to x, its eigenvalues among them.
static const ss_equilibrium* nearest(const ss_equilibria* found, double x)
{
    const ss_equilibrium *list = ss_equilibria_list(found), *best = NULL;
    for (int e = 0; e < ss_equilibria_count(found); e++)
        if (!best || fabs(list[e].x[0] - x) < fabs(best->x[0] - x)) best = &list[e];
    assert_non_null(best);
    return best;
}

static void expect_eigenvalue(const ss_equilibrium* at, double re, double im)
{
    for (int k = 0; k < at->eigenvalue_count; k++)
        if (hypot(at->eigenvalues[2 * k] - re, at->eigenvalues[2 * k + 1] - im) <
            1e-9 * (1.0 + hypot(re, im)))
            return;
    fail_msg("no eigenvalue %g + %g i", re, im);
}

// m l^2 phi'' = -m g l sin phi: hangs with +- i sqrt(g/l), stands on end with +- sqrt(g/l).
static void pendulum(void** state)
{
    (void)state;
    double w = sqrt(9.81 / 0.4), pi = acos(-1.0);
    ss_model* model =
        text_parts_model("bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
                         "potentials: [\"0.5 kg*9.81 m/s^2*0.4 m*(1 - cos(rod.x))\"]\n"
                         "contacts: {p: {between: [rod, ground], law: coulomb, friction: 0.3 N*m}}\n"
                         "start: {rod: {x: 2.5 rad}}\n");
    ss_equilibria* found;
    ss_error err;
    assert_int_equal(ss_equilibria_find(model, &found, &err), SS_OK);
    assert_true(fabs(nearest(found, 0.0)->x[0]) < 1e-14);
    expect_eigenvalue(nearest(found, 0.0), 0.0, w);
    assert_true(fabs(nearest(found, pi)->x[0] - pi) < 1e-14);
    expect_eigenvalue(nearest(found, pi), w, 0.0);
    expect_eigenvalue(nearest(found, pi), -w, 0.0);
    ss_equilibria_destroy(found);
    ss_model_destroy(model);
}

// x'' = k x (1 - z^2), z' = (x - z)/tau: places -1, 0 and 1, where z = x. At 0 the motion of x and that of z
// come apart: +- sqrt(k) and -1/tau.
static void two_wells(void** state)
{
    (void)state;
    ss_model* model = text_parts_model("bodies: {b: {mass: 1 kg}}\n"
                                       "states: {z: {rate: \"(b.x - z)/0.1 s\"}}\n"
                                       "forces: [{body: b, force: \"9 N/m*b.x*(1 - (z/1 m)^2)\"}]\n"
                                       "start: {b: {x: 0.5 m}}\n");
    ss_equilibria* found;
    ss_error err;
    assert_int_equal(ss_equilibria_find(model, &found, &err), SS_OK);
    assert_int_equal(ss_equilibria_count(found), 3);
    for (int k = -1; k <= 1; k++) {
        assert_true(fabs(nearest(found, k)->x[0] - k) < 1e-13);
        assert_true(fabs(nearest(found, k)->states[0] - k) < 1e-13);
    }
    expect_eigenvalue(nearest(found, 0.0), 3.0, 0.0);
    expect_eigenvalue(nearest(found, 0.0), -3.0, 0.0);
    expect_eigenvalue(nearest(found, 0.0), -10.0, 0.0);
    ss_equilibria_destroy(found);
    ss_model_destroy(model);
}

// Free directions, and what varies in time, have none.
static void none(void** state)
{
    (void)state;
    const char* const parts[] = {
        "bodies: {a: {mass: 1 kg}}\nforces: [{body: a, force: \"-1 N*s/m*a.v\"}]\n",
        "bodies: {a: {mass: 1 kg}}\nforces: [{body: a, force: \"1 N*sin(1 rad/s*t) - 1 N/m^3*a.x^3\"}]\n",
    };
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        ss_model* model = text_parts_model(parts[k]);
        ss_equilibria* found;
        ss_error err;
        assert_int_equal(ss_equilibria_find(model, &found, &err), SS_OK);
        assert_int_equal(ss_equilibria_count(found), 0);
        ss_equilibria_destroy(found);
        ss_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pendulum), cmocka_unit_test(two_wells),
                                       cmocka_unit_test(none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
