// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The bounds on third derivatives of a patch's power, which clear the sphere of motions, against the Hessian
// itself at random places: random patches on random floors, cells wide and narrow, also where the body turns
// about a place of the boundary. Along t_i and t_j the Hessian changes by no more than the bounds say.
#include "slider/surface/load_field.h"
#include "slider_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ss_slider* random_patch(unsigned* seed, int n)
{
    static const double kite[] = {0.9, 1.2, 1.7, 1.1, 1.1, 1.6, 0.7, 1.5};
    static const double arrow[] = {-1, -1, 0.2, -0.4, -0.5, -0.5, -0.6, 0.3};
    static const ss_support_kind kinds[] = {SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS, SS_SUPPORT_POLYGON,
                                            SS_SUPPORT_RING};
    slider_rig rig;
    slider_init(&rig);
    double radius = pow(10.0, slider_uniform(seed, -1, 2));
    ss_support_def* d = slider_patch(&rig, kinds[n % 4], radius, 1.0);
    d->inner_m = radius * slider_uniform(seed, 0.05, 0.8);
    for (int i = 0; i < 2; i++) d->position_m[i] = slider_uniform(seed, -1.2, 1.2);
    if (kinds[n % 4] == SS_SUPPORT_POLYGON) {
        d->vertices = n % 8 < 4 ? kite : arrow;
        d->vertex_count = 4;
        d->position_m[0] = d->position_m[1] = 0.0;
    }
    if (n % 3 != 0) {
        rig.def.floor_mu[0] = pow(10.0, slider_uniform(seed, -1.5, 1));
        rig.def.floor_mu[1] = pow(10.0, slider_uniform(seed, -1.5, 1));
        rig.def.floor_axis[0] = slider_uniform(seed, -1, 1);
        rig.def.floor_axis[1] = slider_uniform(seed, 0.1, 1);
    }
    ss_slider* slider = NULL;
    ss_error err;
    if (ss_slider_create(&rig.def, &slider, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return slider;
}

// A motion about a place that is often near the boundary.
static void random_motion(const ss_element* e, unsigned* seed, double q[3])
{
    double angle = slider_uniform(seed, 0, 6.3), spin = slider_uniform(seed, 0, 1) < 0.5 ? -1.0 : 1.0;
    double from = e->radius * pow(10.0, slider_uniform(seed, -1, 1));
    if (slider_uniform(seed, 0, 1) < 0.5) from = e->radius * slider_uniform(seed, 0.9, 1.1);
    q[0] = spin * (e->y + from * sin(angle));
    q[1] = -spin * (e->x + from * cos(angle));
    q[2] = spin;
    double size = ss_norm3(q);
    for (int i = 0; i < 3; i++) q[i] /= size;
}

static double between(double h[9], const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += a[i] * ss_dot3(&h[3 * i], b);
    return sum;
}

// How many pairs of places were compared; also the largest share of the bound that was used.
static int check_cell(const ss_slider* s, unsigned* seed, double* share)
{
    enum { LOOKS = 20 };
    const ss_element* e = &s->elements[0];
    ss_floor floor = ss_floor_at(s, 0.0);
    ss_around around;
    ss_power center = {0};
    double q[3], bend[4], largest = 0.0;
    random_motion(e, seed, q);
    ss_around_disc(q, 0.0, &around);
    for (int i = 0; i < 2; i++) around.d[i] = pow(10.0, slider_uniform(seed, -7, -1));
    ss_element_power(e, &floor, q, &center);
    ss_patch_bend(e, &floor, &around, center.h, bend);
    if (!isfinite(bend[3])) return 0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(center.h[i]));
    for (int n = 0; n < LOOKS; n++) {
        double at[3], x[2];
        for (int k = 0; k < 2; k++) x[k] = around.d[k] * slider_uniform(seed, -1, 1);
        for (int i = 0; i < 3; i++) at[i] = q[i] + x[0] * around.t[0][i] + x[1] * around.t[1][i];
        ss_power there = {0};
        ss_element_power(e, &floor, at, &there);
        for (int i = 0; i < 9; i++) there.h[i] -= center.h[i];
        for (int k = 0; k < 3; k++) {
            double change = fabs(between(there.h, around.t[k > 1], around.t[k > 0]));
            double most = bend[k] * around.d[0] + bend[k + 1] * around.d[1];
            if (change > most + 1e-9 * largest)
                fail_msg("the Hessian changes by %g, not %g, in a cell %g x %g", change, most, around.d[0],
                         around.d[1]);
            *share = fmax(*share, change / (most + 1e-9 * largest));
        }
    }
    return LOOKS;
}

static void test_bounds_hold(void** state)
{
    (void)state;
    enum { PATCHES = 400, CELLS = 20 };
    unsigned seed = 5;
    double share = 0.0;
    int looks = 0;
    for (int n = 0; n < PATCHES; n++) {
        ss_slider* s = random_patch(&seed, n);
        for (int k = 0; k < CELLS; k++) looks += check_cell(s, &seed, &share);
        ss_slider_destroy(s);
    }
    assert_true(looks > PATCHES * CELLS * 10); // of 20 each: for most cells something is known
    assert_true(share > 0.3);                  // and the bounds are not far from what happens
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
