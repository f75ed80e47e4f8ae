// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions of bodies that are wide against their radius of gyration. They lie in a band of small
// spins where the power is almost flat one way and very steep the other; elsewhere moments decide. Symmetry
// tells what a round patch off the centre of mass must have; of random bodies Euler's count must be 2, and
// the load must be along every direction told.
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { BODIES = 12 };
#else
enum { BODIES = 60 };
#endif

static ss_slider* make(slider_rig* rig)
{
    ss_slider* slider = NULL;
    ss_error err;
    if (ss_slider_create(&rig->def, &slider, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return slider;
}

static ss_eigen_set all_of(const ss_slider* s)
{
    ss_eigen_set set;
    ss_error err;
    assert_int_equal(ss_slider_eigen(s, 0, NULL, &set, &err), SS_OK);
    return set;
}

// The load is along q, as far as rounding and the flatness of the power allow.
static void expect_along(const ss_slider* s, const ss_eigen_direction* d)
{
    double load[3], size = 0.0, across = 0.0;
    if (!ss_slider_load(s, 0, d->q, load)) return; // a facet
    for (int i = 0; i < 3; i++) size += load[i] * d->q[i];
    for (int i = 0; i < 3; i++) across = fmax(across, fabs(load[i] - size * d->q[i]));
    if (across > 1e-10 * size + 1e-13 * d->radii[1])
        fail_msg("(%g, %g, %g): the load is off by %g of %g", d->q[0], d->q[1], d->q[2], across, size);
}

// A round patch off the centre of mass is its own mirror image: translations along the offset are
// eigen-directions with the whole friction as their load; so are two that go across it and turn a little, and
// two that turn almost on the spot. The wider the patch, the flatter the valley of the first four, down to
// 1e-8 of the power: there are no more all the same, each is told once, and translation along the offset
// repels, because a patch is drawn behind the centre of mass as little as before it.
static void test_flat_valley(void** state)
{
    (void)state;
    static const ss_support_kind kinds[] = {SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS, SS_SUPPORT_RING};
    for (int wide = 0; wide < 6; wide++)
        for (int k = 0; k < 3; k++) {
            double radius = 20.0 * pow(3.0, wide);
            slider_rig rig;
            slider_init(&rig);
            ss_support_def* patch = slider_patch(&rig, kinds[k], radius, 0.7);
            patch->inner_m = 0.8 * radius;
            patch->position_m[0] = 0.6;
            ss_slider* s = make(&rig);
            ss_eigen_set set = all_of(s);
            if (set.count != 6) fail_msg("radius %g, kind %d: %d directions", radius, k, set.count);
            assert_true(set.has_euler && set.euler == 2);
            for (int i = 0; i < set.count; i++) {
                const ss_eigen_direction* d = &set.items[i];
                bool along = d->q[1] == 0.0 && d->q[2] == 0.0;
                expect_along(s, d);
                if (along) assert_true(fabs(d->magnitude - 0.7) < 1e-14 && d->stability == SS_UNSTABLE);
                if (!along && fabs(d->q[2]) < 0.5) assert_true(d->q[0] == 0.0 && d->stability == SS_STABLE);
            }
            ss_eigen_set_free(&set);
            ss_slider_destroy(s);
        }
}

// Points, wheels and polygons within a few radii of gyration beside a wide patch, on floors of both kinds.
static void test_random_wide_bodies(void** state)
{
    (void)state;
    static const ss_support_kind kinds[] = {SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS, SS_SUPPORT_RING};
    static const double kite[] = {6, 30, 10, 19, 25, -20, 24, -12, 19, 1, 30, 4};
    unsigned seed = 5;
    for (int n = 0; n < BODIES; n++) {
        slider_rig rig;
        slider_init(&rig);
        double radius = exp(slider_uniform(&seed, 3.0, 6.0));
        ss_support_def* patch = slider_patch(&rig, kinds[n % 3], radius, slider_uniform(&seed, 0.1, 1.0));
        patch->inner_m = 0.5 * radius;
        for (int i = 0; i < 2; i++) patch->position_m[i] = slider_uniform(&seed, -9.0, 9.0);
        for (int k = 0; k < n % 4; k++) {
            double x = slider_uniform(&seed, -20.0, 20.0), y = slider_uniform(&seed, -20.0, 20.0);
            slider_point(&rig, x, y, slider_uniform(&seed, 0.01, 0.3));
        }
        if (n % 4 == 1) {
            ss_support_def* polygon =
                slider_patch(&rig, SS_SUPPORT_POLYGON, 1.0, slider_uniform(&seed, 0.1, 3.0));
            polygon->vertices = kite;
            polygon->vertex_count = 6;
        }
        if (n % 5 == 0) rig.def.floor_mu[1] = slider_uniform(&seed, 0.2, 5.0);
        ss_slider* s = make(&rig);
        ss_eigen_set set = all_of(s);
        if (!set.complete || (set.has_euler && set.euler != 2))
            fail_msg("body %d: %d directions, count %d, complete %d", n, set.count, set.euler, set.complete);
        for (int i = 0; i < set.count; i++) expect_along(s, &set.items[i]);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat_valley),
        cmocka_unit_test(test_random_wide_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
