// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// LuGre and Dahl alone: exact steps, energy, and what is refused.
#include "rig.h"
#include "share/law.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const ss_lugre plain = {1e5, 300.0, 0.4, 1.0, 1.0, NAN, 2.0};
static const ss_lugre falling = {1e5, 300.0, 160.0, 1.0, 1.5, 0.01, 2.0};

// A step of h is two steps of h/2, and a step long enough ends at the steady state sgn(v) g(v)/sigma0.
static void test_steps_compose(void** state)
{
    (void)state;
    const double speeds[] = {1e-9, -1e-6, 0.003, -0.01, 0.5, -1e3};
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++)
        for (double h = 1e-9; h < 1e4; h *= 100.0) {
            double one = 3e-6, two = 3e-6, v = speeds[k];
            ss_lugre_step(&falling, &one, v, h);
            ss_lugre_step(&falling, &two, v, 0.5 * h);
            ss_lugre_step(&falling, &two, v, 0.5 * h);
            expect_near("LuGre in two halves", two, one, 4.0 * DBL_EPSILON * 1.5e-5);
            ss_dahl law = {1e5, 1.0, 0.5 + 0.5 * (double)k};
            one = two = 3e-6;
            ss_dahl_step(&law, &one, v, h);
            ss_dahl_step(&law, &two, v, 0.5 * h);
            ss_dahl_step(&law, &two, v, 0.5 * h);
            expect_near("Dahl in two halves", two, one, 16.0 * DBL_EPSILON * 1e-5);
        }
    double z = -1e-5;
    double force = ss_lugre_step(&falling, &z, 0.004, 1e9), g = 1.0 + 0.5 * exp(-0.16);
    expect_near("steady deflection", z, g / 1e5, 1e-19);
    expect_near("steady force", force, -(g + 160.0 * 0.004), 1e-14);
}

// While h sigma0 |v|/g is small the bristle is a spring: z grows by v h, to all digits.
static void test_small_steps_keep_digits(void** state)
{
    (void)state;
    double z = 0.0, dahl = 0.0;
    ss_lugre_step(&plain, &z, 1e-12, 1e-9);
    assert_true(fabs(z - 1e-21) <= 1e-15 * 1e-21 + 1e-33);
    const ss_dahl law = {1e5, 1.0, 1.7};
    ss_dahl_step(&law, &dahl, -1e-12, 1e-9);
    assert_true(fabs(dahl + 1e-21) <= 1e-14 * 1e-21);
}

// Dahl of shape 1 is LuGre with sigma1 = sigma2 = 0 and one level. Of shape n it obeys du/dr = -u^n, whose
// solution for n = 2 is u/(1 + u r), and for n = 1/2 (sqrt(u) - r/2)^2 until that is 0.
static void test_dahl_closed_forms(void** state)
{
    (void)state;
    const ss_lugre twin = {1e3, 0.0, 0.0, 2.0, 2.0, NAN, 2.0};
    const double zc = 2e-3;
    for (double way = 1e-5; way < 0.1; way *= 3.0) {
        double z = -1.1e-3, lugre = -1.1e-3, u = 1.0 + 0.55, r = way / zc;
        const ss_dahl one = {1e3, 2.0, 1.0}, two = {1e3, 2.0, 2.0}, half = {1e3, 2.0, 0.5};
        ss_lugre_step(&twin, &lugre, way, 1.0);
        ss_dahl_step(&one, &z, way, 1.0);
        expect_near("shape 1", z, lugre, 1e-15 * zc);
        z = -1.1e-3;
        ss_dahl_step(&two, &z, way, 1.0);
        expect_near("shape 2", z, zc * (1.0 - u / (1.0 + u * r)), 1e-15 * zc);
        z = -1.1e-3;
        ss_dahl_step(&half, &z, way, 1.0);
        double root = fmax(sqrt(u) - 0.5 * r, 0.0);
        expect_near("shape 1/2", z, zc * (1.0 - root * root), 4e-15 * zc);
    }
}

static uint64_t seed;
static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

// Over any motion: work done on the contact = growth of sigma0 z^2/2 + loss. With constant v on each piece z
// is exponential; Simpson's rule on pieces much shorter than tau integrates the power.
static double loss_of_motion(const ss_lugre* law, double* least)
{
    double z = uniform(-1.0, 1.0) * law->static_level / law->sigma0, total = 0.0;
    for (int piece = 0; piece < 20; piece++) {
        double v = uniform(-1.0, 1.0) * pow(10.0, uniform(-3.0, 0.0));
        double dt = 0.05 * law->coulomb / (law->sigma0 * fabs(v));
        for (int k = 0; k < 4; k++) {
            double before = ss_lugre_loss(law, z, v), first = z, work = -ss_lugre_force(law, z, v) * v;
            ss_lugre_step(law, &z, v, 0.5 * dt);
            double middle = ss_lugre_loss(law, z, v), half_work = -ss_lugre_force(law, z, v) * v;
            ss_lugre_step(law, &z, v, 0.5 * dt);
            double loss = dt / 6.0 * (before + 4.0 * middle + ss_lugre_loss(law, z, v));
            double done = dt / 6.0 * (work + 4.0 * half_work - ss_lugre_force(law, z, v) * v);
            double stored = 0.5 * law->sigma0 * (z * z - first * first);
            double size = dt * (fabs(before) + fabs(work) + fabs(half_work)) + law->sigma0 * first * first;
            assert_true(fabs(done - stored - loss) <= 1e-5 * size);
            *least = fmin(*least, fmin(before, middle));
            total += loss;
        }
    }
    return total;
}

// [R15, (5)-(7)]: at and above the threshold no motion gives energy; the reference's violation without sigma2
// starts at |v| = Fs^2/(sigma1 (Fs - Fc)), and 0.05 m/s gives back 0.28 W.
static void test_passivity(void** state)
{
    (void)state;
    seed = 1;
    for (int motion = 0; motion < 10000; motion++) {
        ss_lugre law = {
            pow(10.0, uniform(2.0, 8.0)), 0.0, 0.0, 1.0, uniform(1.0, 3.0), 1e-3, uniform(0.5, 3.0)};
        law.sigma1 = uniform(0.0, 2.0) * sqrt(law.sigma0);
        law.sigma2 = ss_lugre_threshold(&law) * uniform(1.0, 1.5);
        assert_true(ss_lugre_is_passive(&law));
        double least = 0.0;
        assert_true(loss_of_motion(&law, &least) >= 0.0);
        assert_true(least >= -1e-12 * (law.static_level + law.sigma1 + law.sigma2));
    }
    ss_lugre active = {1e5, sqrt(1e5), 0.0, 1.0, 1.5, 1e-4, 2.0};
    expect_near("threshold", ss_lugre_threshold(&active), 158.11388300841898, 1e-12);
    assert_false(ss_lugre_is_passive(&active));
    expect_near("supply at 0.05 m/s", ss_lugre_loss(&active, 1.5e-5, 0.05), -0.2827847075210474, 1e-13);
    double onset = 0.014230249470757707;
    assert_true(ss_lugre_loss(&active, 1.5e-5, 1.001 * onset) < 0.0);
    assert_true(ss_lugre_loss(&active, 1.5e-5, 0.999 * onset) > 0.0);
    active.sigma2 = ss_lugre_threshold(&active);
    assert_true(ss_lugre_is_passive(&active));
    active.sigma1 = active.sigma2 = 0.0; // (6) as printed is 0/0 here
    assert_true(ss_lugre_is_passive(&active));
    expect_near("damping ratio", ss_lugre_damping_ratio(&plain, 4.0), 300.4 / (2.0 * sqrt(4e5)), 1e-15);
}

static void test_bad_numbers_do_not_spread(void** state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const ss_dahl dahl = {1e5, 1.0, 1.0};
    for (int k = 0; k < 3; k++) {
        double z = 1e-6;
        assert_true(isnan(ss_lugre_step(&plain, &z, bad[k], 1e-3)));
        assert_true(isnan(ss_lugre_step(&plain, &z, 0.1, bad[k])));
        assert_true(isnan(ss_dahl_step(&dahl, &z, bad[k], 1e-3)));
        assert_true(isnan(ss_dahl_step(&dahl, &z, 0.1, bad[k])));
        assert_true(z == 1e-6);
    }
    double z = 1e-6;
    assert_true(isnan(ss_lugre_step(&plain, &z, 0.1, -1e-3))); // time does not run backwards
    ss_lugre_step(&plain, &z, 1e300, 1e300);                   // more than enough to relax
    expect_near("z after all overflows", z, 1e-5, 1e-20);
    z = 1e-6;
    assert_true(isfinite(ss_lugre_step(&plain, &z, 1e304, 0.0)));
    assert_true(z == 1e-6); // no time has passed, however fast
    ss_dahl_step(&dahl, &z, 1e304, 0.0);
    assert_true(z == 1e-6);
    const ss_dahl quadratic = {1e5, 1.0, 2.0};
    ss_dahl_step(&quadratic, &z, 1e304, 1.0);
    expect_near("z of Dahl after all overflows", z, 1e-5, 1e-20);
}

static void expect_refused(ss_status status, const ss_error* err, const char* field)
{
    assert_int_equal(status, SS_BAD_INPUT);
    assert_string_equal(err->field, field);
    assert_true(strlen(err->text) > 10);
}

static void test_parameters_that_make_no_sense(void** state)
{
    (void)state;
    ss_error err;
    const struct {
        ss_lugre law;
        const char* field;
    } bad[] = {
        {{0.0, 1, 1, 1, 1, 1, 2}, "sigma0"},         {{-1.0, 1, 1, 1, 1, 1, 2}, "sigma0"},
        {{1, -1.0, 1, 1, 1, 1, 2}, "sigma1"},        {{1, 1, NAN, 1, 1, 1, 2}, "sigma2"},
        {{1, 1, 1, 0.0, 1, 1, 2}, "coulomb"},        {{1, 1, 1, 1, 0.9, 1, 2}, "static"},
        {{1, 1, 1, 1, 2, 0.0, 2}, "stribeck_speed"}, {{1, 1, 1, 1, 2, NAN, 2}, "stribeck_speed"},
        {{1, 1, 1, 1, 2, 1, 0.0}, "shape"},          {{1, 1, 1, 1, 2, 1, -2.0}, "shape"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        expect_refused(ss_lugre_check(&bad[k].law, &err), &err, bad[k].field);
    assert_int_equal(ss_lugre_check(&plain, &err), SS_OK);
    expect_refused(ss_dahl_check(&(ss_dahl){-1.0, 1.0, 1.0}, &err), &err, "sigma0");
    expect_refused(ss_dahl_check(&(ss_dahl){1.0, 0.0, 1.0}, &err), &err, "coulomb");
    expect_refused(ss_dahl_check(&(ss_dahl){1.0, 1.0, 0.0}, &err), &err, "shape");
}

// In full sliding Dahl's z does not move, and all the work is lost, whatever the last digit of z says: with
// shapes below 1 a rounding of 1 - sigma0 z/Fc would become 1e-8.
static void test_dahl_slides_fully(void** state)
{
    (void)state;
    seed = 11;
    for (int k = 0; k < 10000; k++) {
        ss_dahl law = {pow(10.0, uniform(0.0, 9.0)), pow(10.0, uniform(-3.0, 3.0)), k % 2 == 0 ? 0.5 : 0.3};
        double v = k % 3 == 0 ? -0.7 : 0.7, z = copysign(law.coulomb / law.sigma0, v);
        assert_true(ss_dahl_rate(&law, z, v) == 0.0);
        expect_near("loss", ss_dahl_loss(&law, z, v) / (law.coulomb * 0.7), 1.0, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_compose),
        cmocka_unit_test(test_small_steps_keep_digits),
        cmocka_unit_test(test_dahl_closed_forms),
        cmocka_unit_test(test_dahl_slides_fully),
        cmocka_unit_test(test_passivity),
        cmocka_unit_test(test_bad_numbers_do_not_spread),
        cmocka_unit_test(test_parameters_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
