// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is true of every sliding body [GRP91, section 10]: speed falls, spin falls where pressure is balanced,
// round bodies run straight, a turned start turns the motion, energy adds up.
#include "rig.h"
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

#if defined(__SANITIZE_ADDRESS__)
enum { SLIDERS = 60 };
#else
enum { SLIDERS = 300 };
#endif

static double speed_of(const ss_slider_state* s)
{
    return sqrt(s->vx * s->vx + s->vy * s->vy + s->spin * s->spin);
}

static void speed_always_falls(void** state)
{
    (void)state;
    unsigned seed = 11;
    for (int k = 0; k < SLIDERS; k++) {
        slider_rig body;
        slide_run r;
        double u[3], last = INFINITY;
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-10);
        for (int i = 0; i <= 40; i++) {
            slide_to(&r, 0.1 * i);
            ss_slider_state now = ss_slide_state(r.slide);
            if (speed_of(&now) > last * (1.0 + 1e-12)) fail_msg("slider %d gains speed", k);
            last = speed_of(&now);
        }
        slide_stop(&r);
    }
}

// The friction-weighted centre of the points is moved to the centre of mass.
static void spin_falls_where_pressure_is_balanced(void** state)
{
    (void)state;
    unsigned seed = 12;
    for (int k = 0; k < SLIDERS / 3; k++) {
        slider_rig body;
        slide_run r;
        double u[3], last = INFINITY, x = 0.0, y = 0.0;
        slider_random(&body, &seed);
        for (int i = 0; i < body.def.support_count; i++) {
            x += body.supports[i].friction_N[0] * body.supports[i].position_m[0];
            y += body.supports[i].friction_N[0] * body.supports[i].position_m[1];
        }
        for (int i = 0; i < body.def.support_count; i++) {
            body.supports[i].position_m[0] -= x;
            body.supports[i].position_m[1] -= y;
        }
        slider_random_speed(&seed, u);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-10);
        for (int i = 0; i <= 40; i++) {
            slide_to(&r, 0.1 * i);
            double spin = fabs(ss_slide_state(r.slide).spin);
            if (spin > last + 1e-10) fail_msg("slider %d: spin grows from %g to %g", k, last, spin);
            last = spin;
        }
        slide_stop(&r);
    }
}

static void round_bodies_run_straight(void** state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        slider_rig body;
        slide_run r;
        slider_init(&body);
        slider_patch(&body, SS_SUPPORT_RING, 0.5 + 0.2 * k, 0.6);
        slider_patch(&body, SS_SUPPORT_DISK, 1.5 - 0.1 * k, 0.4);
        slide_start(&r, &body, 1.0, 0.0, 0.2 + 0.3 * k, 1e-13);
        slide_to(&r, 60.0);
        assert_int_equal(r.outcome, SS_AT_REST);
        ss_slider_state end = ss_slide_state(r.slide);
        expect_near("across", end.y, 0.0, 1e-12);
        ss_final_motion final; // straight to the very end: in the body frame the way turns against the body
        assert_true(ss_slide_final_motion(r.slide, &final) && final.converged);
        double way = hypot(final.q[0], final.q[1]) > 1e-6 && !final.translates
                         ? sin(atan2(final.q[1], final.q[0]) + end.angle)
                         : 0.0;
        expect_near("final way", way, 0.0, 1e-10);
        slide_stop(&r);
    }
}

// A bar along itself: both radii of curvature equal the load, the instability is cubic. A motion beside it
// moves away from it for ever, ever more slowly: it has no direction yet, and none is made up.
static void a_direction_that_creeps_is_not_told_as_final(void** state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        slider_rig body;
        slide_run r;
        ss_final_motion final;
        double beside = 2e-4 * pow(3.0, k);
        slider_init(&body);
        slider_point(&body, 0.0, 1.0, 0.5);
        slider_point(&body, 0.0, -1.0, 0.5);
        slide_start(&r, &body, 0.5 * beside, 1.0, beside, 1e-10);
        slide_to(&r, 10.0);
        assert_int_equal(r.outcome, SS_AT_REST);
        assert_true(ss_slide_final_motion(r.slide, &final));
        if (final.converged)
            fail_msg("beside by %g: said to end as (%g, %g, %g)", beside, final.q[0], final.q[1], final.q[2]);
        assert_true(final.q[0] > beside * (1.0 - 1e-3) && final.q[2] > beside * (1.0 - 1e-3));
        slide_stop(&r);
    }
}

// Across the easy way of a floor with two coefficients a body is braked many times as hard: it must come to
// rest all the same.
static void bodies_come_to_rest_on_any_floor(void** state)
{
    (void)state;
    unsigned seed = 41;
    for (int k = 0; k < SLIDERS; k++) {
        slider_rig body;
        slide_run r;
        double u[3];
        slider_random(&body, &seed);
        body.def.floor_mu[1] = slider_uniform(&seed, 4.0, 20.0);
        for (int i = 0; i < 2; i++) body.def.floor_axis[i] = slider_uniform(&seed, -1.0, 1.0);
        slider_random_speed(&seed, u);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-10);
        slide_to(&r, 1e3);
        if (r.outcome != SS_AT_REST) fail_msg("slider %d stalls at %g s", k, ss_slide_time(r.slide));
        assert_true(slide_energy_error(&r) < 1e-9);
        slide_stop(&r);
    }
}

static void a_turned_start_turns_the_motion(void** state)
{
    (void)state;
    unsigned seed = 13;
    for (int k = 0; k < 40; k++) {
        slider_rig body;
        slide_run a, b;
        double u[3], turn = slider_uniform(&seed, -3.0, 3.0), c = cos(turn), n = sin(turn);
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        slide_start(&a, &body, u[0], u[1], u[2], 1e-10);
        slide_to(&a, 100.0);
        body.def.start[2] = turn;
        slide_start(&b, &body, c * u[0] - n * u[1], n * u[0] + c * u[1], u[2], 1e-10);
        slide_to(&b, 100.0);
        ss_slider_state p = ss_slide_state(a.slide), q = ss_slide_state(b.slide);
        expect_near("time", ss_slide_time(b.slide), ss_slide_time(a.slide), 1e-12 * ss_slide_time(a.slide));
        expect_near("x", q.x, c * p.x - n * p.y, 1e-12);
        expect_near("y", q.y, n * p.x + c * p.y, 1e-12);
        expect_near("angle", q.angle - turn, p.angle, 1e-12);
        slide_stop(&a);
        slide_stop(&b);
    }
}

// Looking at a motion does not change it, not even its last digit.
static void a_motion_does_not_depend_on_its_pieces(void** state)
{
    (void)state;
    unsigned seed = 14;
    for (int k = 0; k < 40; k++) {
        slider_rig body;
        slide_run a, b;
        double u[3];
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        slide_start(&a, &body, u[0], u[1], u[2], 1e-10);
        slide_start(&b, &body, u[0], u[1], u[2], 1e-10);
        slide_to(&a, 100.0);
        for (int i = 0; i < 57; i++) slide_to(&b, 0.0713 * i);
        slide_to(&b, 100.0);
        ss_slider_state p = ss_slide_state(a.slide), q = ss_slide_state(b.slide);
        assert_memory_equal(&p, &q, sizeof p);
        assert_true(ss_slide_time(a.slide) == ss_slide_time(b.slide));
        assert_int_equal(a.event_count, b.event_count);
        slide_stop(&a);
        slide_stop(&b);
    }
}

// Times are told as they were asked for, whatever the units inside.
static void asked_times_are_told_exactly(void** state)
{
    (void)state;
    static const double times[] = {0.1, 0.3, 0.7};
    slider_rig body;
    slide_run r;
    slider_init(&body);
    body.def.gyration_m = 0.4127;
    body.def.gravity = 9.81;
    slider_point(&body, 0.0, 1.0, 0.1);
    slide_start(&r, &body, 1.0, 0.5, 1.0, 1e-10);
    for (int k = 0; k < 3; k++) {
        slide_to(&r, times[k]);
        assert_true(ss_slide_time(r.slide) == times[k]);
    }
    slide_stop(&r);
}

static void expect_last_slip(slider_rig* body, const ss_slide_event* stop, const double start[3])
{
    const double* place = body->supports[stop->support].position_m;
    double force[3], others[3] = {0}, level = body->supports[stop->support].friction_N[0];
    slide_run r;
    slide_start(&r, body, start[0], start[1], start[2], 1e-10);
    slide_to(&r, stop->t);
    double spin = ss_slide_state(r.slide).spin, way = spin > 0.0 ? 1.0 : -1.0;
    slide_stop(&r);
    for (int i = 0; i < body->def.support_count; i++) {
        const double* at = body->supports[i].position_m;
        double x = at[0] - place[0], y = at[1] - place[1], length = hypot(x, y);
        if (i == stop->support) continue;
        double fx = -way * y / length * body->supports[i].friction_N[0],
               fy = way * x / length * body->supports[i].friction_N[0];
        others[0] += fx;
        others[1] += fy;
        others[2] += at[0] * fy - at[1] * fx;
    }
    for (int i = 0; i < 3; i++) force[i] = stop->load_before[i] - others[i];
    expect_near("level", hypot(force[0], force[1]), level, 1e-9);
    // Rotating about the place, u = spin (y, -x, 1); the body frame turns under the velocity.
    double a[3] = {-stop->load_before[0] - spin * spin * place[0],
                   -stop->load_before[1] - spin * spin * place[1], -stop->load_before[2]};
    double z[2] = {a[0] - a[2] * place[1], a[1] + a[2] * place[0]};
    expect_near("turning", force[0] * z[1], force[1] * z[0], 1e-9);
    assert_true(force[0] * z[0] + force[1] * z[1] < 0.0);
}

// A body comes to rest along an eigen-direction: its last load is on the limit surface and parallel to its
// final motion [GRP91, (9)].
// A support that stops before that comes to its stop in a direction that does not turn any more: its own
// acceleration is against its own force. The others then turn about it, so that their forces are known.
static void last_loads_are_those_of_the_limit(void** state)
{
    (void)state;
    unsigned seed = 31;
    int rests = 0, stops = 0;
    for (int k = 0; k < SLIDERS; k++) {
        slider_rig body;
        slide_run r;
        ss_final_motion final;
        double u[3];
        slider_random(&body, &seed);
        for (int i = 0; i < 3; i++) u[i] = slider_uniform(&seed, -1.5, 1.5);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-10);
        while (r.event_count == 0) slide_to(&r, ss_slide_time(r.slide) + 0.01);
        const ss_slide_event* first = &r.events[0];
        slide_to(&r, 1e3);
        assert_true(r.outcome == SS_AT_REST && ss_slide_final_motion(r.slide, &final));
        for (int i = 0; i < body.def.support_count; i++) { // all of them stop in the end, and say so
            ss_mode last = SS_MODE_SLIP;
            for (int e = 0; e < r.event_count; e++)
                if (r.events[e].support == i) last = r.events[e].to;
            assert_int_equal(last, SS_MODE_STICK);
        }
        const double* load = r.events[r.event_count - 1].load_before;
        for (int i = 0; i < 3 && final.converged; i++)
            expect_near("rest", load[i] * final.q[(i + 1) % 3], load[(i + 1) % 3] * final.q[i], 1e-12);
        if (final.converged) expect_near("surface", ss_slider_gauge(r.slider, 0.0, load), 1.0, 1e-9);
        rests += final.converged;
        if (first->t < ss_slide_time(r.slide)) {
            stops++;
            expect_last_slip(&body, first, u);
        }
        slide_stop(&r);
    }
    assert_true(rests > SLIDERS / 2 && stops > SLIDERS / 4);
}

// A few of everything: wheels with drag and ratchets, ellipses, patches off centre, an anisotropic floor.
static void random_mixture(slider_rig* body, unsigned* seed)
{
    slider_init(body);
    int points = 2 + (int)slider_uniform(seed, 0.0, 3.0), wheels = (int)slider_uniform(seed, 0.0, 3.0);
    bool floor = slider_uniform(seed, 0.0, 1.0) < 0.25;
    for (int i = 0; i < points; i++) {
        ss_support_def* s = slider_point(body, slider_uniform(seed, -1.5, 1.5),
                                         slider_uniform(seed, -1.5, 1.5), slider_uniform(seed, 0.1, 0.4));
        s->is_anisotropic = slider_uniform(seed, 0.0, 1.0) < 0.4;
        s->friction_N[1] *= s->is_anisotropic ? slider_uniform(seed, 0.5, 2.0) : 1.0;
        s->axis[1] = slider_uniform(seed, -1.0, 1.0);
    }
    for (int i = 0; i < wheels; i++) {
        double angle = slider_uniform(seed, 0.0, 6.28);
        ss_support_def* s =
            slider_wheel(body, slider_uniform(seed, -1.5, 1.5), slider_uniform(seed, -1.5, 1.5), cos(angle),
                         sin(angle), slider_uniform(seed, 0.1, 0.4));
        s->drag_N = slider_uniform(seed, 0.0, 1.0) < 0.5 ? 0.03 : 0.0;
        if (slider_uniform(seed, 0.0, 1.0) < 0.4) s->ratchet = SS_RATCHET_FORWARD;
    }
    if (slider_uniform(seed, 0.0, 1.0) < 0.4) {
        ss_support_def* s = slider_patch(body, SS_SUPPORT_DISK, 0.7, 0.2);
        s->position_m[0] = slider_uniform(seed, -0.5, 0.5);
    }
    if (floor) {
        body->def.floor_mu[1] = slider_uniform(seed, 0.5, 2.0);
        body->def.floor_axis[1] = 0.3;
    }
}

static void mixtures_come_to_rest_with_their_energy_accounted_for(void** state)
{
    (void)state;
    unsigned seed = 15;
    for (int k = 0; k < SLIDERS; k++) {
        slider_rig body;
        slide_run r;
        double u[3];
        random_mixture(&body, &seed);
        slider_random_speed(&seed, u);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-10);
        slide_to(&r, 500.0);
        if (r.outcome != SS_AT_REST)
            fail_msg("mixture %d: outcome %d at t = %g", k, (int)r.outcome, ss_slide_time(r.slide));
        if (!(slide_energy_error(&r) < 1e-10))
            fail_msg("mixture %d: energy is off by %.1e", k, slide_energy_error(&r));
        for (long i = 1; i < r.event_count && i < SLIDE_EVENTS; i++)
            assert_true(r.events[i].t >= r.events[i - 1].t && r.events[i].from != r.events[i].to);
        slide_stop(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_always_falls),
        cmocka_unit_test(spin_falls_where_pressure_is_balanced),
        cmocka_unit_test(round_bodies_run_straight),
        cmocka_unit_test(a_direction_that_creeps_is_not_told_as_final),
        cmocka_unit_test(bodies_come_to_rest_on_any_floor),
        cmocka_unit_test(a_turned_start_turns_the_motion),
        cmocka_unit_test(a_motion_does_not_depend_on_its_pieces),
        cmocka_unit_test(asked_times_are_told_exactly),
        cmocka_unit_test(last_loads_are_those_of_the_limit),
        cmocka_unit_test(mixtures_come_to_rest_with_their_energy_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
