// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The laws used alone, as a controller would: values by hand, and what is refused, field by field.
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(value, expected, tolerance)                                                              \
    assert_true(fabs((value) - (expected)) <= (tolerance)*fmax(1.0, fabs(expected)))

// ---- Coulomb

static const ss_coulomb lopsided = {.forward = 1, .backward = 2, .static_forward = 3, .static_backward = 5};

// Moving forward, friction points back, and the other way round; the level at rest has no say.
static void test_coulomb_slips_with_the_kinetic_level(void** state)
{
    (void)state;
    const double speeds[] = {5e-324, 1e-12, 1.0, 1e300, INFINITY};
    for (int k = 0; k < 5; k++) {
        assert_true(ss_coulomb_force(&lopsided, speeds[k], 100.0) == -1.0);
        assert_true(ss_coulomb_force(&lopsided, -speeds[k], 100.0) == 2.0);
    }
}

// At rest the force is what holds, cut at -3 (a pull forward is answered by a force backward) and at +5.
static void test_coulomb_holds_up_to_the_static_level(void** state)
{
    (void)state;
    assert_true(ss_coulomb_force(&lopsided, 0.0, 0.0) == 0.0);
    assert_true(ss_coulomb_force(&lopsided, 0.0, -2.5) == -2.5);
    assert_true(ss_coulomb_force(&lopsided, -0.0, 4.5) == 4.5);
    assert_true(ss_coulomb_force(&lopsided, 0.0, -3.0) == -3.0);
    assert_true(ss_coulomb_force(&lopsided, 0.0, -3.5) == -3.0);
    assert_true(ss_coulomb_force(&lopsided, 0.0, INFINITY) == 5.0);
}

static void test_coulomb_make(void** state)
{
    (void)state;
    ss_coulomb law = ss_coulomb_make(0.7);
    assert_true(law.forward == 0.7 && law.backward == 0.7);
    assert_true(law.static_forward == 0.7 && law.static_backward == 0.7);
    assert_int_equal(ss_coulomb_check(&law, NULL), SS_OK);
    law = ss_coulomb_make(0.0); // a smooth floor is a floor
    assert_int_equal(ss_coulomb_check(&law, NULL), SS_OK);
    assert_true(ss_coulomb_force(&law, 0.0, 1.0) == 0.0);
}

static void refuse_coulomb(ss_coulomb law, const char* field)
{
    ss_error err = {0};
    assert_int_equal(ss_coulomb_check(&law, &err), SS_BAD_INPUT);
    assert_int_equal(ss_coulomb_check(&law, NULL), SS_BAD_INPUT);
    assert_int_equal(err.status, SS_BAD_INPUT);
    assert_string_equal(err.field, field);
    assert_true(err.text[0] != '\0');
    assert_int_equal(err.line, 0);
}

static void test_coulomb_check(void** state)
{
    (void)state;
    ss_error err;
    assert_int_equal(ss_coulomb_check(&lopsided, &err), SS_OK);
    const double bad[] = {-1.0, NAN, -5e-324};
    for (int k = 0; k < 3; k++) {
        refuse_coulomb((ss_coulomb){bad[k], 1, 1, 1}, "forward");
        refuse_coulomb((ss_coulomb){1, bad[k], 1, 1}, "backward");
        refuse_coulomb((ss_coulomb){1, 1, bad[k], 1}, "static_forward");
        refuse_coulomb((ss_coulomb){1, 1, 1, bad[k]}, "static_backward");
    }
    // It never slips one way: then the level at rest is infinite there, too, and only there.
    assert_int_equal(ss_coulomb_check(&(ss_coulomb){INFINITY, 1, INFINITY, 1}, &err), SS_OK);
    refuse_coulomb((ss_coulomb){INFINITY, 1, 1, 1}, "static");
    refuse_coulomb((ss_coulomb){1, 1, INFINITY, 1}, "static_forward");
    refuse_coulomb((ss_coulomb){INFINITY, INFINITY, INFINITY, INFINITY}, "backward");
    refuse_coulomb((ss_coulomb){1, 1, 0.999, 1}, "static");
    refuse_coulomb((ss_coulomb){1, 1, 1, 0.999}, "static");
}

// ---- Stribeck

static const ss_stribeck falling = {
    .coulomb = 1, .static_level = 3, .speed = 0.5, .shape = 2, .viscous = 0.25};

// At |v| = speed the surplus has fallen to 1/e for every shape, at twice that speed to exp(-2^shape).
static void test_stribeck_level(void** state)
{
    (void)state;
    const double inverse_e = 0.36787944117144232160, inverse_e4 = 0.018315638888734180294;
    assert_near(ss_stribeck_level(&falling, 0.5), 1.0 + 2.0 * inverse_e + 0.125, 1e-15);
    assert_near(ss_stribeck_level(&falling, -0.5), 1.0 + 2.0 * inverse_e + 0.125, 1e-15);
    assert_near(ss_stribeck_level(&falling, 1.0), 1.0 + 2.0 * inverse_e4 + 0.25, 1e-15);
    for (double shape = 1.0; shape <= 4.0; shape += 0.375) {
        ss_stribeck law = falling;
        law.shape = shape;
        assert_near(ss_stribeck_level(&law, 0.5), 1.0 + 2.0 * inverse_e + 0.125, 1e-15);
        assert_true(ss_stribeck_level(&law, 0.0) == 3.0); // the limit for v -> 0
    }
}

// Far above the Stribeck speed only Coulomb and the viscous part are left.
static void test_stribeck_at_high_speed(void** state)
{
    (void)state;
    assert_near(ss_stribeck_level(&falling, 1000.0), 251.0, 1e-15);
    assert_near(ss_stribeck_level(&falling, 1e200), 0.25e200, 1e-15);
}

static void test_stribeck_force(void** state)
{
    (void)state;
    assert_true(ss_stribeck_force(&falling, 0.5, 7.0) == -ss_stribeck_level(&falling, 0.5));
    assert_true(ss_stribeck_force(&falling, -0.5, 7.0) == ss_stribeck_level(&falling, 0.5));
    assert_true(ss_stribeck_force(&falling, 0.0, 2.9) == 2.9);
    assert_true(ss_stribeck_force(&falling, -0.0, -2.9) == -2.9);
    assert_true(ss_stribeck_force(&falling, 0.0, 3.1) == 3.0);
    assert_true(ss_stribeck_force(&falling, 0.0, -3.1) == -3.0);
}

static void refuse_stribeck(ss_stribeck law, const char* field)
{
    ss_error err = {0};
    assert_int_equal(ss_stribeck_check(&law, &err), SS_BAD_INPUT);
    assert_int_equal(ss_stribeck_check(&law, NULL), SS_BAD_INPUT);
    assert_int_equal(err.status, SS_BAD_INPUT);
    assert_string_equal(err.field, field);
    assert_true(err.text[0] != '\0');
}

static void test_stribeck_check(void** state)
{
    (void)state;
    assert_int_equal(ss_stribeck_check(&falling, NULL), SS_OK);
    assert_int_equal(ss_stribeck_check(&(ss_stribeck){0, 0, 1, 1, 0}, NULL), SS_OK);
    const double bad[] = {-1.0, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        refuse_stribeck((ss_stribeck){bad[k], 3, 1, 2, 0}, "coulomb");
        refuse_stribeck((ss_stribeck){1, bad[k], 1, 2, 0}, "static");
        refuse_stribeck((ss_stribeck){1, 3, bad[k], 2, 0}, "stribeck_speed");
        refuse_stribeck((ss_stribeck){1, 3, 1, bad[k], 0}, "shape");
        refuse_stribeck((ss_stribeck){1, 3, 1, 2, bad[k]}, "viscous");
    }
    refuse_stribeck((ss_stribeck){1, 0.999, 1, 2, 0}, "static");
    refuse_stribeck((ss_stribeck){1, 3, 0, 2, 0}, "stribeck_speed");
    refuse_stribeck((ss_stribeck){1, 3, 1, 0.999, 0}, "shape");
}

// ---- rigid stop

// "above" stops what grows beyond its position, "below" what falls beneath it.
static void test_rigid_stop_gap(void** state)
{
    (void)state;
    const ss_rigid_stop above = {2.0, 1, 0.5}, below = {-3.0, -1, 0.5};
    assert_true(ss_rigid_stop_gap(&above, 0.5) == 1.5);
    assert_true(ss_rigid_stop_gap(&above, 2.0) == 0.0);
    assert_true(ss_rigid_stop_gap(&above, 2.25) == -0.25);
    assert_true(ss_rigid_stop_gap(&below, 0.5) == 3.5);
    assert_true(ss_rigid_stop_gap(&below, -3.0) == 0.0);
    assert_true(ss_rigid_stop_gap(&below, -4.0) == -1.0);
}

static void refuse_stop(ss_rigid_stop law, const char* field)
{
    ss_error err = {0};
    assert_int_equal(ss_rigid_stop_check(&law, &err), SS_BAD_INPUT);
    assert_int_equal(ss_rigid_stop_check(&law, NULL), SS_BAD_INPUT);
    assert_int_equal(err.status, SS_BAD_INPUT);
    assert_string_equal(err.field, field);
    assert_true(err.text[0] != '\0');
}

static void test_rigid_stop_check(void** state)
{
    (void)state;
    assert_int_equal(ss_rigid_stop_check(&(ss_rigid_stop){0.0, 1, 0.0}, NULL), SS_OK);
    assert_int_equal(ss_rigid_stop_check(&(ss_rigid_stop){-1.0, -1, 1.0}, NULL), SS_OK);
    refuse_stop((ss_rigid_stop){NAN, 1, 0.5}, "above");
    refuse_stop((ss_rigid_stop){INFINITY, -1, 0.5}, "below");
    refuse_stop((ss_rigid_stop){0.0, 0, 0.5}, "side");
    refuse_stop((ss_rigid_stop){0.0, 2, 0.5}, "side");
    refuse_stop((ss_rigid_stop){0.0, 1, -0.1}, "restitution");
    refuse_stop((ss_rigid_stop){0.0, 1, 1.1}, "restitution");
    refuse_stop((ss_rigid_stop){0.0, 1, NAN}, "restitution");
}

// ---- Hunt-Crossley

// Two metres beyond the stop at 1 m: p = 2, k p^n = 3 * 2^2 = 12, and 1 + 1.5 alpha p' = 1 + 0.3 p'.
static const ss_hunt_crossley above = {.position = 1, .side = 1, .stiffness = 3, .exponent = 2, .alpha = 0.2};
static const ss_hunt_crossley below = {
    .position = 1, .side = -1, .stiffness = 3, .exponent = 2, .alpha = 0.2};

static void test_hunt_crossley_force(void** state)
{
    (void)state;
    assert_true(ss_hunt_crossley_penetration(&above, 3.0) == 2.0);
    assert_true(ss_hunt_crossley_penetration(&below, 3.0) == -2.0);
    assert_near(ss_hunt_crossley_force(&above, 3.0, 0.0), -12.0, 1e-15);
    assert_near(ss_hunt_crossley_force(&above, 3.0, 1.0), -12.0 * 1.3, 1e-15);
    assert_near(ss_hunt_crossley_force(&above, 3.0, -1.0), -12.0 * 0.7, 1e-15);
    assert_near(ss_hunt_crossley_force(&below, -1.0, 1.0), 12.0 * 0.7, 1e-15);
    assert_true(ss_hunt_crossley_force(&above, 1.0, 5.0) == 0.0);
    assert_true(ss_hunt_crossley_force(&above, 0.0, 5.0) == 0.0);
    assert_near(ss_hunt_crossley_energy(&above, 2.0), 8.0, 1e-15);
    assert_true(ss_hunt_crossley_energy(&above, -2.0) == 0.0);
}

// A stop never pulls: where 1 + 1.5 alpha p' < 0 there is no force.
static void test_hunt_crossley_never_pulls(void** state)
{
    (void)state;
    assert_true(ss_hunt_crossley_push(&above, 2.0, -4.0) == 0.0);
    assert_true(ss_hunt_crossley_push(&above, 2.0, -1e300) == 0.0);
    assert_true(ss_hunt_crossley_push(&above, 2.0, -3.0) > 0.0);
}

// By 30 digits of Lambert's function: v_out = (1 + W0(-(1 + a v) e^-(1 + a v))) / a.
static const struct {
    double alpha, speed, restitution;
} impacts[] = {
    {0.01, 0.1, 0.9990009989012983},
    {0.01, 2.0, 0.9803914029849221},
    {0.1, 1.0, 0.9090157413492023},
    {1.0, 1.0, 0.4877412560153485},
};

static void test_hunt_crossley_restitution(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof impacts / sizeof impacts[0]; k++) {
        ss_hunt_crossley law = {.side = 1, .stiffness = 1, .exponent = 1, .alpha = impacts[k].alpha};
        assert_near(ss_hunt_crossley_restitution(&law, impacts[k].speed), impacts[k].restitution, 4e-16);
        assert_near(ss_hunt_crossley_restitution(&law, -impacts[k].speed), impacts[k].restitution, 4e-16);
    }
}

// The implicit relation a (v_in + v_out) = ln((1 + a v_in) / (1 - a v_out)) over many magnitudes. Slow
// impacts, where it cannot be checked by subtracting, have e = 1 - 2u/3 + 4u^2/9 - 44u^3/135 + O(u^4),
// u = a v_in.
static void test_hunt_crossley_restitution_relation(void** state)
{
    (void)state;
    ss_hunt_crossley law = {.side = 1, .stiffness = 1, .exponent = 1.5, .alpha = 1.0 / 1.5};
    for (double u = 0.05; u < 30.0; u *= 1.1) {
        double out = u * ss_hunt_crossley_restitution(&law, u);
        assert_true(out > 0.0 && out < fmin(u, 1.0));
        assert_near(log1p(u) - log1p(-out) - u - out, 0.0, 1e-14 * (1.0 + out / (1.0 - out)));
    }
    for (double u = 1e-16; u < 1e-4; u *= 3.0)
        assert_near(ss_hunt_crossley_restitution(&law, u),
                    1.0 - u * (2.0 / 3.0 - u * (4.0 / 9.0 - u * 44.0 / 135.0)), 4e-16);
    assert_true(ss_hunt_crossley_restitution(&law, 0.0) == 1.0);
    assert_near(1000.0 * ss_hunt_crossley_restitution(&law, 1000.0), 1.0, 1e-15);
    law.alpha = 0.0;
    assert_true(ss_hunt_crossley_restitution(&law, 7.0) == 1.0);
}

static void test_hunt_crossley_first_order(void** state)
{
    (void)state;
    assert_near(ss_hunt_crossley_restitution_first_order(&above, 2.0), 0.6, 1e-15);
    assert_near(ss_hunt_crossley_restitution_first_order(&above, -10.0), -1.0, 1e-15);
}

// Without loss all of m v^2 / 2 is stored; with losses the reference's numbers.
static void test_hunt_crossley_depth(void** state)
{
    (void)state;
    ss_hunt_crossley law = {.side = 1, .stiffness = 8.0, .exponent = 1, .alpha = 0};
    assert_near(ss_hunt_crossley_depth(&law, 2.0, 3.0), 1.5, 1e-15);
    law = (ss_hunt_crossley){.side = 1, .stiffness = 1e4, .exponent = 1.5, .alpha = 1};
    assert_near(ss_hunt_crossley_depth(&law, 0.052, 1.0) / 0.006474153159334554, 1.0, 1e-14);
    law.exponent = 1;
    assert_near(ss_hunt_crossley_depth(&law, 0.052, 1.0) / 0.0016425693137424521, 1.0, 1e-14);
}

static void refuse_elastic(ss_hunt_crossley law, const char* field)
{
    ss_error err = {0};
    assert_int_equal(ss_hunt_crossley_check(&law, &err), SS_BAD_INPUT);
    assert_int_equal(ss_hunt_crossley_check(&law, NULL), SS_BAD_INPUT);
    assert_string_equal(err.field, field);
}

static void test_hunt_crossley_check(void** state)
{
    (void)state;
    assert_int_equal(ss_hunt_crossley_check(&above, NULL), SS_OK);
    assert_int_equal(ss_hunt_crossley_check(&(ss_hunt_crossley){0, -1, 1, 1, 0}, NULL), SS_OK);
    refuse_elastic((ss_hunt_crossley){NAN, 1, 1, 1, 0}, "above");
    refuse_elastic((ss_hunt_crossley){INFINITY, -1, 1, 1, 0}, "below");
    refuse_elastic((ss_hunt_crossley){0, 0, 1, 1, 0}, "side");
    refuse_elastic((ss_hunt_crossley){0, 1, 0, 1, 0}, "stiffness");
    refuse_elastic((ss_hunt_crossley){0, 1, INFINITY, 1, 0}, "stiffness");
    refuse_elastic((ss_hunt_crossley){0, 1, NAN, 1, 0}, "stiffness");
    refuse_elastic((ss_hunt_crossley){0, 1, 1, 0.99, 0}, "exponent");
    refuse_elastic((ss_hunt_crossley){0, 1, 1, NAN, 0}, "exponent");
    refuse_elastic((ss_hunt_crossley){0, 1, 1, 1, -0.1}, "alpha");
    refuse_elastic((ss_hunt_crossley){0, 1, 1, 1, NAN}, "alpha");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coulomb_slips_with_the_kinetic_level),
        cmocka_unit_test(test_coulomb_holds_up_to_the_static_level),
        cmocka_unit_test(test_coulomb_make),
        cmocka_unit_test(test_coulomb_check),
        cmocka_unit_test(test_stribeck_level),
        cmocka_unit_test(test_stribeck_at_high_speed),
        cmocka_unit_test(test_stribeck_force),
        cmocka_unit_test(test_stribeck_check),
        cmocka_unit_test(test_rigid_stop_gap),
        cmocka_unit_test(test_rigid_stop_check),
        cmocka_unit_test(test_hunt_crossley_force),
        cmocka_unit_test(test_hunt_crossley_never_pulls),
        cmocka_unit_test(test_hunt_crossley_restitution),
        cmocka_unit_test(test_hunt_crossley_restitution_relation),
        cmocka_unit_test(test_hunt_crossley_first_order),
        cmocka_unit_test(test_hunt_crossley_depth),
        cmocka_unit_test(test_hunt_crossley_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
