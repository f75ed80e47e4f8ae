// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders that are pushed: what is held does not creep, a growing force breaks it loose where it must, loads
// beyond the limit move it slowly, kinks of loads are met, and their work is accounted for.
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

static ss_signal* signal_of(const char* text, ss_dimension dimension)
{
    ss_signal* signal = NULL;
    ss_error err;
    ss_scope scope = {.allow_time = true};
    if (ss_signal_parse(text, &scope, dimension, &signal, &err) != SS_OK) fail_msg("%s", err.text);
    return signal;
}

static void what_is_held_does_not_creep(void** state)
{
    (void)state;
    static const char* const loads[] = {"0.9 N", "0.9 N * sin(3 rad/s * t)",
                                        "0.5 N + 0.4 N * cos(t * 1 rad/s)"};
    for (size_t k = 0; k < sizeof loads / sizeof loads[0]; k++) {
        slider_rig body;
        slide_run r;
        ss_signal* force = signal_of(loads[k], (ss_dimension){.m = 1, .kg = 1, .s = -2});
        slider_init(&body);
        slider_point(&body, 0.0, 1.0, 0.5);
        slider_point(&body, 0.0, -1.0, 0.5);
        body.load.force_x = force;
        slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
        slide_to(&r, 1e6);
        ss_slider_state end = ss_slide_state(r.slide), nothing = {0};
        assert_memory_equal(&end, &nothing, sizeof end);
        assert_true(r.outcome == SS_AT_REST && ss_slide_time(r.slide) == 0.0 && r.event_count == 0);
        slide_stop(&r);
        ss_signal_destroy(force);
    }
}

// A bar across a force that grows like t/2 breaks loose at t = 2, when the force is 1; then x = (t - 2)^3/12.
static void a_growing_force_breaks_the_bar_loose(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    ss_signal* force = signal_of("0.5 N * t / (1 s)", (ss_dimension){.m = 1, .kg = 1, .s = -2});
    slider_init(&body);
    slider_point(&body, 0.0, 1.0, 0.5);
    slider_point(&body, 0.0, -1.0, 0.5);
    body.load.force_x = force;
    slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-12);
    slide_to(&r, 2.0 - 1e-9);
    ss_slider_state still = ss_slide_state(r.slide);
    assert_true(still.x == 0.0 && still.vx == 0.0 && still.angle == 0.0);
    slide_to(&r, 4.0);
    ss_slider_state end = ss_slide_state(r.slide);
    assert_int_equal(r.event_count, 2);
    expect_near("break", r.events[0].t, 2.0, 1e-12);
    expect_near("x", end.x, 8.0 / 12.0, 1e-10);
    expect_near("vx", end.vx, 1.0, 1e-10);
    expect_near("y", end.y, 0.0, 1e-12);
    assert_true(slide_energy_error(&r) < 1e-10);
    slide_stop(&r);
    ss_signal_destroy(force);
}

// The momentum over mass per time that friction takes from the body on average over the h after t, on the
// floor.
static void mean_load(slider_rig* body, const double start[3], double t, double h, double out[3])
{
    slide_run r;
    slide_start(&r, body, start[0], start[1], start[2], 1e-13);
    slide_to(&r, t);
    ss_slider_state from = ss_slide_state(r.slide);
    slide_to(&r, t + h);
    ss_slider_state to = ss_slide_state(r.slide);
    slide_stop(&r);
    const double u[3] = {from.vx - to.vx, from.vy - to.vy, from.spin - to.spin};
    double c = cos(from.angle), n = sin(from.angle);
    out[0] = (c * u[0] + n * u[1]) / h;
    out[1] = (c * u[1] - n * u[0]) / h;
    out[2] = u[2] / h;
}

// A plate that turns about a foot lets go of it. What the event tells of the load just after is the limit of
// what the body loses, which mean loads over h, h/2 and h/4 are extrapolated to.
static void the_load_after_a_break_is_its_limit(void** state)
{
    (void)state;
    static const double start[3] = {-1.5, 0.0, 0.3};
    slider_rig body;
    slide_run r;
    slider_init(&body);
    slider_point(&body, 0.0, -5.0, 0.4);
    slider_point(&body, 2.5, -5.0, 0.5);
    slide_start(&r, &body, start[0], start[1], start[2], 1e-10);
    slide_to(&r, 3.0);
    assert_int_equal(r.event_count, 1);
    ss_slide_event event = r.events[0];
    slide_stop(&r);
    double load[3][3];
    for (int k = 0; k < 3; k++) mean_load(&body, start, event.t, 4e-3 / (1 << k), load[k]);
    for (int i = 0; i < 3; i++) {
        double first = 2.0 * load[1][i] - load[0][i], second = 2.0 * load[2][i] - load[1][i];
        expect_near("load after", event.load_after[i], (4.0 * second - first) / 3.0, 1e-7);
        expect_near("load before", event.load_before[i], event.load_after[i], 1e-12);
    }
}

// A box shaken through its centre of mass, in any direction of the body, moves as a point does: its place is
// on the line of the force, it does not turn, and every load is along that line, also just before it stops,
// where the least push to the side would grow. Corners are written as halves, the centroid is their rounding.
static void a_shaken_box_stays_on_its_line(void** state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        slider_rig body;
        slide_run r;
        int group = k / 4;
        double way = 0.7 * (k % 4), c = cos(way), n = sin(way), a = 0.7 + 0.01 * k, b = 0.33,
               size = 0.33 + 0.1 * group;
        const double corners[] = {-a / 2, -b / 2, a / 2, -b / 2, a / 2, b / 2, -a / 2, b / 2};
        char text[2][100];
        snprintf(text[0], sizeof text[0], "%.17g N*sin(3 rad/s*t)", size * c);
        snprintf(text[1], sizeof text[1], "%.17g N*sin(3 rad/s*t)", size * n);
        ss_signal* force[2];
        for (int i = 0; i < 2; i++) force[i] = signal_of(text[i], (ss_dimension){.m = 1, .kg = 1, .s = -2});
        slider_init(&body);
        ss_support_def* box = slider_patch(&body, SS_SUPPORT_POLYGON, NAN, 0.3);
        box->vertices = corners;
        box->vertex_count = 4;
        body.load.force_x = force[0];
        body.load.force_y = force[1];
        slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
        slide_to(&r, 6.0);
        ss_slider_state end = ss_slide_state(r.slide);
        expect_near("across", n * end.x - c * end.y, 0.0, 1e-14);
        assert_true(end.angle == 0.0 && end.spin == 0.0 && r.event_count > 3);
        for (int e = 0; e < r.event_count; e++) {
            const double *before = r.events[e].load_before, *after = r.events[e].load_after;
            expect_near("before", hypot(before[0], before[1]), 0.3, 1e-9);
            expect_near("across", n * before[0] - c * before[1], 0.0, 1e-9);
            expect_near("across", n * after[0] - c * after[1], 0.0, 1e-9);
            assert_true(before[2] == 0.0 && after[2] == 0.0);
        }
        slide_stop(&r);
        for (int i = 0; i < 2; i++) ss_signal_destroy(force[i]);
    }
}

static bool count_rounds(void* user, double t)
{
    (void)t;
    return ++*(int*)user < 200;
}

static ss_signal* constant(double value)
{
    ss_signal* signal = NULL;
    ss_error err;
    assert_int_equal(ss_signal_constant(value, &signal, &err), SS_OK);
    return signal;
}

// A load that reaches a millionth farther than the limit surface: the body moves off, a millionth as fast as
// the load alone would have it, in the direction normal to the surface; and it does not take for ever.
static void loads_beyond_the_limit_move_slowly(void** state)
{
    (void)state;
    unsigned seed = 4;
    for (int k = 0; k < random_count(300) / 10; k++) {
        slider_rig body;
        ss_slider* slider;
        ss_slide* slide;
        ss_error err;
        ss_outcome outcome;
        ss_first_motion first;
        ss_slide_def def = ss_slide_def_default();
        int rounds = 0;
        double load[3];
        slider_random(&body, &seed);
        for (int i = 0; i < 3; i++) load[i] = slider_uniform(&seed, -1.0, 1.0);
        assert_int_equal(ss_slider_create(&body.def, &slider, &err), SS_OK);
        double gauge = ss_slider_gauge(slider, 0.0, load);
        for (int i = 0; i < 3; i++) load[i] *= (1.0 + 1e-6) / gauge;
        assert_int_equal(ss_slider_first_motion(slider, 0.0, load, &first, &err), SS_OK);
        ss_slider_destroy(slider);
        ss_signal* signals[3] = {constant(load[0]), constant(load[1]), constant(load[2])};
        body.load.force_x = signals[0];
        body.load.force_y = signals[1];
        body.load.moment = signals[2];
        body.load.in_body = true;
        def.keep_going = count_rounds;
        def.user = &rounds;
        assert_int_equal(ss_slider_create(&body.def, &slider, &err), SS_OK);
        assert_int_equal(ss_slide_create(slider, &def, &slide, &err), SS_OK);
        assert_int_equal(ss_slide_advance(slide, 1.0, &outcome, &err), SS_OK);
        ss_slider_state end = ss_slide_state(slide);
        const double v[3] = {end.vx, end.vy, end.spin}, *a = first.acceleration;
        double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        if (outcome != SS_TIME_REACHED) fail_msg("slider %d: %d rounds", k, rounds);
        for (int i = 0; i < 3; i++) assert_true(fabs(v[i] - a[i]) < 1e-3 * size);
        ss_slide_destroy(slide);
        ss_slider_destroy(slider);
        for (int i = 0; i < 3; i++) ss_signal_destroy(signals[i]);
    }
}

// A kink of the force within the motion, F = 1 + |t - 1|, and one at rest, where min keeps it below what
// friction holds and then lets go: a bar on friction 1/2 pushed by F is at x = 2 with v = 2 at t = 2; pushed
// by max(1/4, t - 1) it breaks loose at t = 3/2, and x = (t - 3/2)^3/6.
static void kinks_of_loads_are_met_exactly(void** state)
{
    (void)state;
    static const struct {
        const char* load;
        double until, x, v;
    } cases[] = {{"1 + abs(t - 1)", 2.0, 2.0, 2.0}, {"max(0.25, t - 1)", 3.5, 8.0 / 6.0, 2.0}};
    for (int k = 0; k < 2; k++) {
        slider_rig body;
        slide_run r;
        ss_signal* force = signal_of(cases[k].load, (ss_dimension){.m = 1, .kg = 1, .s = -2});
        slider_init(&body);
        slider_point(&body, 0.0, 1.0, 0.25);
        slider_point(&body, 0.0, -1.0, 0.25);
        body.load.force_x = force;
        slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-8);
        slide_to(&r, cases[k].until);
        ss_slider_state end = ss_slide_state(r.slide);
        expect_near("x", end.x, cases[k].x, 1e-10);
        expect_near("vx", end.vx, cases[k].v, 1e-10);
        slide_stop(&r);
        ss_signal_destroy(force);
    }
}

// Loads that swing in space or with the body push random sliders about, from rest or not; they stick and
// break loose many times.
static void pushed_sliders_have_their_energy_accounted_for(void** state)
{
    (void)state;
    const ss_dimension force = {.m = 1, .kg = 1, .s = -2}, moment = {.m = 2, .kg = 1, .s = -2};
    unsigned seed = 17;
    long events = 0;
    for (int k = 0; k < random_count(300) / 6; k++) {
        slider_rig body;
        slide_run r;
        ss_signal* load[3];
        double u[3];
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        for (int i = 0; i < 3; i++) {
            char text[100];
            snprintf(text, sizeof text, "%.3f * sin(%.3f * t + %.3f)", slider_uniform(&seed, 0.0, 1.6),
                     slider_uniform(&seed, 0.5, 3.0), slider_uniform(&seed, 0.0, 6.0));
            load[i] = signal_of(text, i < 2 ? force : moment);
        }
        body.load.force_x = load[0];
        body.load.force_y = load[1];
        body.load.moment = load[2];
        body.load.in_body = k % 3 == 0;
        slide_start(&r, &body, k % 2 ? 0.0 : u[0], k % 2 ? 0.0 : u[1], k % 2 ? 0.0 : u[2], 1e-10);
        slide_to(&r, 10.0);
        if (!(slide_energy_error(&r) < 5e-9))
            fail_msg("slider %d: energy is off by %.1e", k, slide_energy_error(&r));
        events += r.event_count;
        slide_stop(&r);
        for (int i = 0; i < 3; i++) ss_signal_destroy(load[i]);
    }
    assert_true(events > random_count(300) / 6);
}

// Two feet, a disk or a ring each, hold a moment as the couple of their forces, with less moment about their
// own centres than they can bear; of points and patches the forces add up to what is applied.
static void held_patches_share_what_is_applied(void** state)
{
    (void)state;
    static const double moment = 0.3, radius = 0.05, push = 0.2;
    const ss_dimension in_newton = {.m = 1, .kg = 1, .s = -2}, in_newton_metre = {.m = 2, .kg = 1, .s = -2};
    for (int with_point = 0; with_point < 2; with_point++) {
        slider_rig body;
        slide_run r;
        ss_signal *turns = signal_of("0.3", in_newton_metre), *pushes = signal_of("0.2", in_newton);
        double sum[3] = {0.0, 0.0, 0.0};
        slider_init(&body);
        slider_patch(&body, SS_SUPPORT_DISK, radius, 0.7)->position_m[0] = 1.0;
        slider_patch(&body, SS_SUPPORT_RING, radius, 0.7)->position_m[0] = -1.0;
        body.supports[0].load = body.supports[1].load = with_point ? 0.4 : 0.5;
        if (with_point) slider_point(&body, 0.3, 0.8, 0.2 * 0.7);
        body.load.moment = turns;
        body.load.force_x = pushes;
        slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
        slide_to(&r, 1.0);
        assert_int_equal(r.outcome, SS_AT_REST);
        for (int i = 0; i < 2 + with_point; i++) {
            ss_support_state foot = ss_slide_support(r.slide, i);
            double x = body.supports[i].position_m[0], y = body.supports[i].position_m[1], *f = foot.force;
            double about_centre = x * f[1] - y * f[0], own = foot.count == 3 ? f[2] - about_centre : 0.0;
            assert_false(foot.determined);
            assert_true(hypot(f[0], f[1]) < foot.limit && fabs(own) < radius * foot.limit);
            sum[0] += f[0];
            sum[1] += f[1];
            sum[2] += about_centre + own;
        }
        expect_near("push", sum[0], -push, 1e-14);
        expect_near("across", sum[1], 0.0, 1e-14);
        expect_near("moment", sum[2], -moment, 1e-14);
        slide_stop(&r);
        ss_signal_destroy(turns);
        ss_signal_destroy(pushes);
    }
}

// Largest share of a load at which a random slider of points and patches stays at rest, and its supports
// then.
static double hold_share(slider_rig* body, const double load[3], double share, ss_support_state feet[])
{
    const ss_dimension force = {.m = 1, .kg = 1, .s = -2}, moment = {.m = 2, .kg = 1, .s = -2};
    ss_signal* signals[3];
    slide_run r;
    for (int i = 0; i < 3; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", share * load[i]);
        signals[i] = signal_of(text, i < 2 ? force : moment);
    }
    body->load.force_x = signals[0];
    body->load.force_y = signals[1];
    body->load.moment = signals[2];
    slide_start(&r, body, 0.0, 0.0, 0.0, 1e-10);
    slide_to(&r, 1e-3);
    bool holds = r.outcome == SS_AT_REST;
    for (int i = 0; i < body->def.support_count; i++) feet[i] = ss_slide_support(r.slide, i);
    slide_stop(&r);
    for (int i = 0; i < 3; i++) ss_signal_destroy(signals[i]);
    return holds ? share : 0.0;
}

// Of random sliders, from small loads to all but the largest they hold: forces within limits, which add up.
static void held_forces_add_up_to_the_load(void** state)
{
    (void)state;
    static const double shares[] = {0.1, 0.7, 0.97, 0.9999};
    unsigned seed = 23;
    for (int k = 0; k < random_count(300) / 20; k++) {
        slider_rig body;
        ss_support_state feet[SLIDER_SUPPORTS];
        double load[3], low = 0.0, high = 8.0;
        slider_random(&body, &seed);
        for (int i = 0; i < k % 3; i++) {
            ss_support_def* patch = slider_patch(&body, i ? SS_SUPPORT_RING : SS_SUPPORT_DISK, 0.4, 0.3);
            patch->position_m[0] = slider_uniform(&seed, -1.0, 1.0);
            patch->load = 0.0;
            patch->friction_N[0] = patch->friction_N[1] = 0.3;
        }
        for (int i = 0; i < 3; i++) load[i] = slider_uniform(&seed, -1.0, 1.0);
        for (int i = 0; i < 16; i++) {
            double middle = 0.5 * (low + high);
            *(hold_share(&body, load, middle, feet) > 0.0 ? &low : &high) = middle;
        }
        for (size_t j = 0; j < sizeof shares / sizeof shares[0]; j++) {
            double sum[3] = {0.0, 0.0, 0.0}, share = hold_share(&body, load, shares[j] * low, feet);
            assert_true(share > 0.0);
            for (int i = 0; i < body.def.support_count; i++) {
                const double *f = feet[i].force, *at = body.supports[i].position_m;
                assert_true(hypot(f[0], f[1]) <= feet[i].limit * (1.0 + 1e-9));
                sum[0] += f[0];
                sum[1] += f[1];
                sum[2] += feet[i].count == 3 ? f[2] : at[0] * f[1] - at[1] * f[0];
            }
            for (int i = 0; i < 3; i++) expect_near("sum", sum[i], -share * load[i], 1e-12);
        }
    }
}

// A disk on a ring of feet is pushed with all it bears and a share d more: it moves off with d, however
// small.
static void hardly_more_than_the_limit_moves_it_hardly(void** state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    for (int decade = 2; decade <= 10; decade++) {
        double d = pow(10.0, -decade);
        slider_rig body;
        slide_run r;
        char text[40];
        snprintf(text, sizeof text, "%.17g", 1.0 + d);
        ss_signal* force = signal_of(text, (ss_dimension){.m = 1, .kg = 1, .s = -2});
        slider_init(&body);
        for (int i = 0; i < 5; i++) slider_point(&body, cos(0.4 * pi * i), sin(0.4 * pi * i), 0.1);
        slider_patch(&body, SS_SUPPORT_DISK, 0.7, 0.5);
        body.load.force_x = force;
        slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
        slide_to(&r, 1.0);
        ss_slider_state at = ss_slide_state(r.slide);
        expect_near("speed", at.vx / d, 1.0, 1e-5);
        slide_stop(&r);
        ss_signal_destroy(force);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_does_not_creep),
        cmocka_unit_test(the_load_after_a_break_is_its_limit),
        cmocka_unit_test(a_growing_force_breaks_the_bar_loose),
        cmocka_unit_test(a_shaken_box_stays_on_its_line),
        cmocka_unit_test(loads_beyond_the_limit_move_slowly),
        cmocka_unit_test(kinks_of_loads_are_met_exactly),
        cmocka_unit_test(held_patches_share_what_is_applied),
        cmocka_unit_test(held_forces_add_up_to_the_load),
        cmocka_unit_test(hardly_more_than_the_limit_moves_it_hardly),
        cmocka_unit_test(pushed_sliders_have_their_energy_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
