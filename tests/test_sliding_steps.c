// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How many steps a sliding motion takes that is smooth, but hard for explicit steps: patches large against
// the radius of gyration, bodies pulled hardly more than friction bears, bodies that are fast. The motions
// are known in closed form, or compared with themselves at a smaller tolerance.
#include "rig.h"
#include "slider/motion/slide_impl.h"
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const ss_dimension newton = {.m = 1, .kg = 1, .s = -2};

static ss_signal* signal_of(const char* text)
{
    ss_signal* signal = NULL;
    ss_error err;
    ss_scope scope = {.allow_time = true};
    if (ss_signal_parse(text, &scope, newton, &signal, &err) != SS_OK) fail_msg("%s", err.text);
    return signal;
}

// A ring of 1000 radii of gyration hardly turns: it runs straight and stops after v/mu, v^2/(2 mu), where
// explicit steps would be stable below 6 (2 v/mu)/R^2 only.
static void a_large_ring_runs_straight(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    slider_init(&body);
    slider_patch(&body, SS_SUPPORT_RING, 1000.0, 0.5);
    slide_start(&r, &body, 10.0, 0.0, 1e-9, 1e-10);
    slide_to(&r, 100.0);
    ss_slider_state at = ss_slide_state(r.slide);
    assert_int_equal(r.outcome, SS_AT_REST);
    expect_near("time", ss_slide_time(r.slide), 20.0, 1e-10);
    expect_near("way", at.x, 100.0, 1e-9);
    expect_near("aside", at.y, 0.0, 1e-9);
    assert_true(r.slide->course.steps < 300);
    slide_stop(&r);
}

// On a wheel at its centre of mass a body rolls freely: x = t^2/2, at 1000 radii of gyration per unit of time
// in the end.
static void a_fast_body_takes_long_steps(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    ss_signal* force = signal_of("1 N");
    slider_init(&body);
    slider_wheel(&body, 0.0, 0.0, 0.0, 1.0, 0.5);
    body.load.force_x = force;
    slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
    slide_to(&r, 1000.0);
    expect_near("way", ss_slide_state(r.slide).x, 5e5, 1e-4);
    assert_true(r.slide->course.steps < 1000);
    slide_stop(&r);
    ss_signal_destroy(force);
}

typedef struct shaken {
    ss_slider_state at;
    long steps, events;
    double energy_error;
} shaken;

// A box of 3 by 2, not over its centre of mass, shaken with a ten-thousandth more than friction bears.
static shaken shake(double tolerance)
{
    static const double corners[] = {-1, -1, 2, -1, 2, 1, -1, 1};
    slider_rig body;
    slide_run r;
    ss_signal *along = signal_of("0.29997 N * sin(6 rad/s * t)"), *across = signal_of("0.0105 N");
    slider_init(&body);
    ss_support_def* box = slider_patch(&body, SS_SUPPORT_POLYGON, 0.0, 0.3);
    box->vertices = corners;
    box->vertex_count = 4;
    body.load.force_x = along;
    body.load.force_y = across;
    body.load.in_body = true;
    slide_start(&r, &body, 0.0, 0.0, 0.0, tolerance);
    slide_to(&r, 5.0);
    shaken out = {ss_slide_state(r.slide), r.slide->course.steps, r.event_count, slide_energy_error(&r)};
    slide_stop(&r);
    ss_signal_destroy(along);
    ss_signal_destroy(across);
    return out;
}

static void a_body_hardly_pulled_takes_few_steps(void** state)
{
    (void)state;
    shaken at = shake(1e-10), finer = shake(1e-12);
    assert_true(at.events > 8 && at.events == finer.events);
    double moved = hypot(finer.at.x, finer.at.y) + fabs(finer.at.angle);
    assert_true(moved > 0.0);
    expect_near("x", at.at.x / moved, finer.at.x / moved, 1e-6);
    expect_near("y", at.at.y / moved, finer.at.y / moved, 1e-6);
    expect_near("angle", at.at.angle / moved, finer.at.angle / moved, 1e-6);
    assert_true(at.steps < 2500);
}

// A strong foot on a floor 120 times rougher one way follows the easy way of the floor as a wheel would, long
// before its slope makes steps unstable; where it turns back it all but stops, and keeps its own digits.
static shaken spin_on_a_rough_floor(double tolerance)
{
    slider_rig body;
    slide_run r;
    slider_init(&body);
    slider_point(&body, -0.305, 0.4777, 29.8);
    slider_point(&body, -0.3953, -0.4056, 0.019);
    slider_patch(&body, SS_SUPPORT_ANNULUS, 149.2, 0.0086)->inner_m = 55.6;
    body.def.floor_mu[0] = 3.0;
    body.def.floor_mu[1] = 0.024;
    body.def.floor_axis[0] = body.def.floor_axis[1] = 1.0;
    slide_start(&r, &body, 0.0, 0.0, -7.72, tolerance);
    slide_to(&r, 100.0);
    assert_int_equal(r.outcome, SS_AT_REST);
    shaken out = {ss_slide_state(r.slide), r.slide->course.steps, r.event_count, slide_energy_error(&r)};
    slide_stop(&r);
    return out;
}

static void a_foot_on_a_rough_floor_takes_few_steps(void** state)
{
    (void)state;
    shaken at = spin_on_a_rough_floor(1e-10), finer = spin_on_a_rough_floor(1e-12);
    expect_near("x", at.at.x, finer.at.x, 1e-7);
    expect_near("y", at.at.y, finer.at.y, 1e-7);
    expect_near("angle", at.at.angle, finer.at.angle, 1e-7);
    assert_true(at.energy_error < 1e-9);
    assert_true(at.steps < 2000);
}

// The load has some thirty kinks; what is slave to it settles again after each, in steps of collocation.
static shaken pull_with_kinks(double tolerance)
{
    static const double corners[] = {0.0218,  0.0117, 0.0087,  -0.005, 0.0076,
                                     -0.0232, 0.0137, -0.0118, 0.0388, -0.0209};
    slider_rig body;
    slide_run r;
    ss_signal *along = signal_of("3.05 N * abs(sin(52.75 rad/s * t))"), *across = signal_of("-1.11 N");
    slider_init(&body);
    slider_patch(&body, SS_SUPPORT_DISK, 0.189, 0.0468);
    slider_patch(&body, SS_SUPPORT_DISK, 0.38, 0.037)->position_m[0] = -0.0117;
    slider_point(&body, -0.0229, -0.0322, 0.0387);
    ss_support_def* plate = slider_patch(&body, SS_SUPPORT_POLYGON, 0.0, 2.22);
    plate->vertices = corners;
    plate->vertex_count = 5;
    body.def.floor_mu[0] = 39.4;
    body.def.floor_mu[1] = 0.0108;
    body.load.force_x = along;
    body.load.force_y = across;
    body.load.in_body = true;
    slide_start(&r, &body, 0.0, -0.00866, 0.0, tolerance);
    slide_to(&r, 1.85);
    shaken out = {ss_slide_state(r.slide), r.slide->course.steps, r.event_count, slide_energy_error(&r)};
    slide_stop(&r);
    ss_signal_destroy(along);
    ss_signal_destroy(across);
    return out;
}

static void kinks_of_the_load_are_passed_in_few_steps(void** state)
{
    (void)state;
    shaken at = pull_with_kinks(1e-10), finer = pull_with_kinks(1e-12);
    double moved = hypot(finer.at.x, finer.at.y);
    expect_near("x", at.at.x / moved, finer.at.x / moved, 1e-9);
    expect_near("y", at.at.y / moved, finer.at.y / moved, 1e-9);
    expect_near("angle", at.at.angle, finer.at.angle, 1e-9);
    assert_true(at.energy_error < 1e-9);
    assert_true(at.steps < 1500);
}

// Load and Hessian of one polygon at a motion.
static void of_polygon(const double* vertices, int count, double along, const double q[3], double load[3],
                       double hessian[9])
{
    slider_rig body;
    ss_slider* slider;
    ss_error err;
    slider_init(&body);
    ss_support_def* s = slider_patch(&body, SS_SUPPORT_POLYGON, 0.0, 0.3);
    s->vertices = vertices;
    s->vertex_count = count;
    body.def.floor_mu[0] = along;
    assert_int_equal(ss_slider_create(&body.def, &slider, &err), SS_OK);
    ss_slider_load(slider, 0.3, q, load);
    ss_slider_hessian(slider, 0.3, q, hessian);
    ss_slider_destroy(slider);
}

static double area_of(const double v[6])
{
    return 0.5 * ((v[2] - v[0]) * (v[5] - v[1]) - (v[3] - v[1]) * (v[4] - v[0]));
}

// Load and Hessian of a box are those of its two halves, whose own centres are elsewhere: each is then
// computed in another way, from where the centre of rotation is near to where it is as good as infinite.
static void a_box_is_the_sum_of_its_halves(void** state)
{
    (void)state;
    static const double all[] = {-1, -1, 2, -1.5, 2.5, 1, -1, 1.2};
    const double half[2][6] = {{all[0], all[1], all[2], all[3], all[4], all[5]},
                               {all[0], all[1], all[4], all[5], all[6], all[7]}};
    double area = area_of(half[0]) + area_of(half[1]);
    unsigned seed = 7;
    for (int n = 0; n < 300; n++) {
        double whole[3], h[9], part[3], hp[9], far = pow(10.0, slider_uniform(&seed, -0.5, 6.0));
        double angle = slider_uniform(&seed, 0.0, 6.28), along = n % 2 ? 0.5 : 1.0;
        const double q[3] = {far * cos(angle), far * sin(angle), 1.0};
        of_polygon(all, 4, along, q, whole, h);
        for (int k = 0; k < 2; k++) {
            of_polygon(half[k], 3, along, q, part, hp);
            double share = area_of(half[k]) / area;
            for (int i = 0; i < 3; i++) whole[i] -= share * part[i];
            for (int i = 0; i < 9; i++) h[i] -= share * hp[i];
        }
        for (int i = 0; i < 3; i++) expect_near("load", whole[i], 0.0, 1e-14);
        for (int i = 0; i < 9; i++) expect_near("Hessian", h[i] * far, 0.0, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_ring_runs_straight),
        cmocka_unit_test(a_fast_body_takes_long_steps),
        cmocka_unit_test(a_body_hardly_pulled_takes_few_steps),
        cmocka_unit_test(a_foot_on_a_rough_floor_takes_few_steps),
        cmocka_unit_test(kinks_of_the_load_are_passed_in_few_steps),
        cmocka_unit_test(a_box_is_the_sum_of_its_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
