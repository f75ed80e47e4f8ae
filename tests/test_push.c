// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A finger that pushes slowly. What must hold is told by definitions alone: the finger does not penetrate,
// its force is in its cone and opposes the slip, and its load is on the limit surface where the motion takes
// as much power from it as from no other load (the principle of maximum power). Powers are summed up here by
// hand.
#include "random_system.h"
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
enum { GRAINS = 40 };

// Sum of level |v| over points; a disk by GRAINS x GRAINS of its area, to a few digits.
static double power_of(const slider_rig* r, const double q[3], double* coarse)
{
    double sum = 0.0;
    *coarse = 0.0;
    for (int i = 0; i < r->def.support_count; i++) {
        const ss_support_def* s = &r->supports[i];
        double x = s->position_m[0], y = s->position_m[1];
        if (s->kind == SS_SUPPORT_POINT) {
            sum += s->friction_N[0] * hypot(q[0] - q[2] * y, q[1] + q[2] * x);
        } else if (s->kind == SS_SUPPORT_WHEEL) {
            double size = hypot(s->axle[0], s->axle[1]);
            sum += s->friction_N[0] * fabs(s->axle[0] * (q[0] - q[2] * y) + s->axle[1] * (q[1] + q[2] * x)) /
                   size;
        } else {
            for (int a = 0; a < GRAINS; a++)
                for (int b = 0; b < GRAINS; b++) {
                    double radius = s->radius_m * sqrt((a + 0.5) / GRAINS),
                           angle = (b + 0.5) * 2.0 * pi / GRAINS;
                    double px = x + radius * cos(angle), py = y + radius * sin(angle);
                    double level = s->load * s->mu[0] / (GRAINS * GRAINS);
                    sum += level * hypot(q[0] - q[2] * py, q[1] + q[2] * px);
                }
            *coarse = 1e-3;
        }
    }
    return sum;
}

static void check_law(const slider_rig* r, const ss_push* p, const ss_push_answer* a, unsigned* seed)
{
    const double *q = a->motion, *f = a->force, *n = p->normal, t[2] = {n[1], -n[0]};
    double size = hypot(n[0], n[1]), u[2] = {q[0] - q[2] * p->at[1], q[1] + q[2] * p->at[0]};
    double closing = ((p->finger[0] - u[0]) * n[0] + (p->finger[1] - u[1]) * n[1]) / size;
    double slip = ((p->finger[0] - u[0]) * t[0] + (p->finger[1] - u[1]) * t[1]) / size;
    double normal = (f[0] * n[0] + f[1] * n[1]) / size, along = (f[0] * t[0] + f[1] * t[1]) / size;
    double load[3] = {f[0], f[1], p->at[0] * f[1] - p->at[1] * f[0]}, coarse;
    assert_true(normal >= 0.0 && fabs(along) <= p->mu * normal * (1.0 + 1e-9) + 1e-13);
    expect_near("closing", closing, 0.0, 1e-9);
    if (a->mode == SS_MODE_STICK) expect_near("slip", slip, 0.0, 1e-9);
    if (a->mode == SS_MODE_SLIP_PLUS) assert_true(slip > 0.0 && fabs(along - p->mu * normal) < 1e-9);
    if (a->mode == SS_MODE_SLIP_MINUS) assert_true(slip < 0.0 && fabs(along + p->mu * normal) < 1e-9);
    double power = power_of(r, q, &coarse);
    expect_near("power", load[0] * q[0] + load[1] * q[1] + load[2] * q[2], power, 1e-9 + coarse * power);
    for (int k = 0; k < 200; k++) { // no other motion takes more from this load than friction gives it
        double other[3];
        for (int i = 0; i < 3; i++)
            other[i] = k % 2 ? q[i] + slider_uniform(seed, -0.1, 0.1) : slider_uniform(seed, -1.0, 1.0);
        power = power_of(r, other, &coarse);
        assert_true(load[0] * other[0] + load[1] * other[1] + load[2] * other[2] <=
                    power * (1.0 + coarse) + 1e-10);
    }
}

static void set_slider(slider_rig* r, int kind, unsigned* seed)
{
    slider_random(r, seed);
    if (kind == 1) { // symmetric: two points, or one
        r->def.support_count = slider_uniform(seed, 0.0, 1.0) < 0.5 ? 2 : 1;
        r->supports[1] = r->supports[0];
        for (int i = 0; i < 2; i++) r->supports[1].position_m[i] = -r->supports[0].position_m[i];
    }
    if (kind == 2)
        slider_wheel(r, slider_uniform(seed, -1.0, 1.0), 0.3, 1.0, slider_uniform(seed, -1.0, 1.0), 0.4);
    if (kind == 3) {
        r->def.support_count = 0;
        ss_support_def* s = slider_patch(r, SS_SUPPORT_DISK, slider_uniform(seed, 0.2, 2.0), 0.5);
        s->load = 1.0;
        s->position_m[0] = slider_uniform(seed, -0.5, 0.5);
    }
}

static void a_push_obeys_its_laws(void** state)
{
    (void)state;
    unsigned seed = 3;
    int seen[SS_MODE_SLIP + 1] = {0};
    for (int k = 0; k < 2000; k++) {
        slider_rig r;
        ss_slider* slider;
        ss_push_answer a;
        double angle = slider_uniform(&seed, 0.0, 2.0 * pi), way = angle + slider_uniform(&seed, -1.4, 1.4);
        set_slider(&r, k % 4, &seed);
        ss_push p = {.at = {slider_uniform(&seed, -1.5, 1.5), slider_uniform(&seed, -1.5, 1.5)},
                     .normal = {2.0 * cos(angle), 2.0 * sin(angle)},
                     .mu = k % 5 == 0 ? 0.0 : slider_uniform(&seed, 0.0, 1.5),
                     .finger = {cos(way), sin(way)}};
        assert_int_equal(ss_slider_create(&r.def, &slider, NULL), SS_OK);
        assert_int_equal(ss_slider_push(slider, 0.0, &p, &a, NULL), SS_OK);
        assert_true(a.mode != SS_MODE_OPEN);
        seen[a.mode]++;
        check_law(&r, &p, &a, &seed);
        ss_slider_destroy(slider);
    }
    assert_true(seen[SS_MODE_STICK] > 300 && seen[SS_MODE_SLIP_PLUS] > 300 && seen[SS_MODE_SLIP_MINUS] > 300);
}

// A bar on two feet pushed straight through its middle by a smooth finger: anything between turning about one
// end and about the other takes the same power. The smallest motion is told, and that there are others.
static void where_there_are_many_motions_the_smallest_is_told(void** state)
{
    (void)state;
    slider_rig r;
    ss_slider* slider;
    ss_push_answer a;
    slider_init(&r);
    slider_point(&r, -1.0, 0.0, 0.5);
    slider_point(&r, 1.0, 0.0, 0.5);
    assert_int_equal(ss_slider_create(&r.def, &slider, NULL), SS_OK);
    for (int k = 0; k < 2; k++) {
        ss_push p = {.at = {0.0, -0.1}, .normal = {0.0, 1.0}, .mu = 0.3 * k, .finger = {0.0, 0.2}};
        assert_int_equal(ss_slider_push(slider, 0.0, &p, &a, NULL), SS_OK);
        expect_near("vx", a.motion[0], 0.0, 1e-12);
        expect_near("vy", a.motion[1], 0.2, 1e-12);
        expect_near("spin", a.motion[2], 0.0, 1e-12);
        expect_near("force", a.force[1], 1.0, 1e-12);
        assert_true(k == 1 || !a.determined);
    }
    ss_slider_destroy(slider);
}

// The bar turns about its far foot exactly, along the one line of its cone: the near foot gives f = 0.5
// across, the far one what it likes within its disc. The least force is the one without a component along the
// bar.
static void on_a_facet_the_least_force_is_told(void** state)
{
    (void)state;
    slider_rig r;
    ss_slider* slider;
    ss_push_answer a;
    slider_init(&r);
    slider_point(&r, -1.0, 0.0, 0.5);
    slider_point(&r, 1.0, 0.0, 0.5);
    assert_int_equal(ss_slider_create(&r.def, &slider, NULL), SS_OK);
    ss_push p = {.at = {0.5, 0.0}, .normal = {0.0, 1.0}, .mu = 0.3, .finger = {0.0, 0.3}};
    assert_int_equal(ss_slider_push(slider, 0.0, &p, &a, NULL), SS_OK);
    assert_int_equal(a.mode, SS_MODE_STICK);
    expect_near("spin", a.motion[2], 0.2, 1e-12);
    expect_near("vy", a.motion[1], 0.2, 1e-12);
    expect_near("fx", a.force[0], 0.0, 1e-10);
    expect_near("fy", a.force[1], 0.5 * 2.0 / 1.5, 1e-10); // moments about the far foot
    assert_false(a.determined);
    ss_slider_destroy(slider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_obeys_its_laws),
        cmocka_unit_test(where_there_are_many_motions_the_smallest_is_told),
        cmocka_unit_test(on_a_facet_the_least_force_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
