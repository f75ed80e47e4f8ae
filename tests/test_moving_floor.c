// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders on floors that move. The library follows them as seen from the floor. Here they are followed in
// space, by Newton's law and the definition of friction alone, and by laws that know nothing of either:
// whoever sits on a belt sees a still floor, a shaken floor is a still one with the opposite force, what
// rides does not creep, and the ledger closes.
#include "random_system.h"
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const ss_dimension metre = {.m = 1}, speed = {.m = 1, .s = -1}, newton = {.m = 1, .kg = 1, .s = -2},
                          plain = {0};

static ss_signal* signal_of(const char* text, ss_dimension dimension)
{
    ss_signal* signal = NULL;
    ss_error err;
    ss_scope scope = {.allow_time = true};
    if (ss_signal_parse(text, &scope, dimension, &signal, &err) != SS_OK) fail_msg("%s: %s", text, err.text);
    return signal;
}

static ss_signal* number_of(double value)
{
    ss_signal* signal = NULL;
    assert_int_equal(ss_signal_constant(value, &signal, NULL), SS_OK);
    return signal;
}

// ---- in space, by hand

// p = amplitude sin(rate t + phase) is where the floor's centre is, beside its start; it turns by
// swing sin(beat t), and it heaves: gravity is 1 + heave sin(rate t). Every other support carries a share of
// the weight. The load pulls at a place of the body; the plane is inclined along x.
typedef struct world {
    double amplitude[2], rate, phase, swing, beat, heave, center[2], force[2], at[2], tilt;
    const slider_rig* body;
} world;

static void floor_velocity(const world* w, double t, const double x[2], double v[2])
{
    double p[2], dp[2], spin = w->swing * w->beat * cos(w->beat * t);
    for (int i = 0; i < 2; i++) {
        p[i] = w->center[i] + w->amplitude[i] * (sin(w->rate * t + w->phase) - sin(w->phase));
        dp[i] = w->amplitude[i] * w->rate * cos(w->rate * t + w->phase);
    }
    v[0] = dp[0] - spin * (x[1] - p[1]);
    v[1] = dp[1] + spin * (x[0] - p[0]);
}

// y: place, angle, velocity, spin in space. m = r_g = g = 1.
static void newton_law(const world* w, double t, const double y[6], double d[6])
{
    double gravity = 1.0 + w->heave * sin(w->rate * t);
    double c = cos(y[2]), n = sin(y[2]), force[2] = {w->force[0] + gravity * sin(w->tilt), w->force[1]};
    double ax = c * w->at[0] - n * w->at[1], ay = n * w->at[0] + c * w->at[1];
    double moment = ax * w->force[1] - ay * w->force[0];
    for (int i = 0; i < w->body->def.support_count; i++) {
        const ss_support_def* s = &w->body->supports[i];
        double rx = c * s->position_m[0] - n * s->position_m[1],
               ry = n * s->position_m[0] + c * s->position_m[1];
        double at[2] = {y[0] + rx, y[1] + ry}, under[2];
        floor_velocity(w, t, at, under);
        double vx = y[3] - y[5] * ry - under[0], vy = y[4] + y[5] * rx - under[1];
        double level =
            isnan(s->friction_N[0]) ? s->mu[0] * s->load * gravity * cos(w->tilt) : s->friction_N[0];
        double share = level / hypot(vx, vy);
        force[0] -= share * vx;
        force[1] -= share * vy;
        moment -= share * (rx * vy - ry * vx);
    }
    for (int i = 0; i < 3; i++) d[i] = y[3 + i];
    d[3] = force[0];
    d[4] = force[1];
    d[5] = moment;
}

static void runge_kutta(const world* w, double t, double h, double y[6])
{
    double k[4][6], z[6];
    newton_law(w, t, y, k[0]);
    for (int stage = 1; stage < 4; stage++) {
        double part = stage < 3 ? 0.5 * h : h;
        for (int i = 0; i < 6; i++) z[i] = y[i] + part * k[stage - 1][i];
        newton_law(w, t + part, z, k[stage]);
    }
    for (int i = 0; i < 6; i++) y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

typedef struct given {
    ss_signal *place[2], *angle, *force[2], *gravity;
} given;

static void lay_weight(slider_rig* body)
{
    for (int i = 0; i < body->def.support_count; i += 2) {
        body->supports[i].load = 0.5;
        body->supports[i].mu[0] = 2.0 * body->supports[i].friction_N[0];
        body->supports[i].friction_N[0] = NAN;
    }
}

static void set_world(world* w, slider_rig* body, unsigned* seed, given* g)
{
    char text[120];
    slider_random(body, seed);
    *w = (world){
        .body = body, .rate = slider_uniform(seed, 0.5, 3.0), .phase = slider_uniform(seed, 0.0, 3.0)};
    w->swing = slider_uniform(seed, -1.0, 1.0);
    w->beat = slider_uniform(seed, 0.5, 2.0);
    w->tilt = slider_uniform(seed, 0.0, 0.4);
    w->heave = slider_uniform(seed, -0.9, 0.9);
    lay_weight(body);
    for (int i = 0; i < 2; i++) {
        w->amplitude[i] = slider_uniform(seed, -0.4, 0.4);
        w->center[i] = slider_uniform(seed, -1.0, 1.0);
        w->force[i] = slider_uniform(seed, -0.3, 0.3);
        w->at[i] = body->load.at_m[i] = slider_uniform(seed, -0.5, 0.5);
        body->def.floor.center_m[i] = w->center[i];
        snprintf(text, sizeof text, "%.17g m*sin(%.17g rad/s*t + %.17g)", w->amplitude[i], w->rate, w->phase);
        g->place[i] = signal_of(text, metre);
        g->force[i] = number_of(w->force[i]);
    }
    snprintf(text, sizeof text, "%.17g*sin(%.17g rad/s*t)", w->swing, w->beat);
    g->angle = signal_of(text, plain);
    snprintf(text, sizeof text, "1 m/s^2 + %.17g m/s^2*sin(%.17g rad/s*t)", w->heave, w->rate);
    g->gravity = signal_of(text, (ss_dimension){.m = 1, .s = -2});
    body->def.gravity_signal = g->gravity;
    body->def.floor.position_x = g->place[0];
    body->def.floor.position_y = g->place[1];
    body->def.floor.angle = g->angle;
    body->def.floor.tilt_rad = w->tilt;
    body->def.floor.downhill[0] = 2.0;
    body->load.force_x = g->force[0];
    body->load.force_y = g->force[1];
}

static void drop(given* g)
{
    for (int i = 0; i < 2; i++) {
        ss_signal_destroy(g->place[i]);
        ss_signal_destroy(g->force[i]);
    }
    ss_signal_destroy(g->angle);
    ss_signal_destroy(g->gravity);
}

// A floor that is shaken, turned to and fro and inclined, and a body that is towed at a place of its own: for
// a third of a second, before any foot stops, Newton's law in space with steps of 1e-4 tells the motion to
// 1e-11.
static void newtons_law_in_space_gives_the_same_motion(void** state)
{
    (void)state;
    unsigned seed = 11;
    int compared = 0;
    for (int k = 0; k < 60; k++) {
        enum { STEPS = 3000 };
        slider_rig body;
        slide_run r;
        world w;
        given g;
        set_world(&w, &body, &seed, &g);
        double y[6] = {0}, u[3];
        slider_random_speed(&seed, u);
        slide_start(&r, &body, u[0], u[1], u[2], 1e-13);
        memcpy(&y[3], u, sizeof u);
        slide_to(&r, 0.3);
        if (r.event_count == 0) {
            for (int i = 0; i < STEPS; i++) runge_kutta(&w, i * 1e-4, 1e-4, y);
            ss_slider_state end = ss_slide_state(r.slide);
            const double own[6] = {end.x, end.y, end.angle, end.vx, end.vy, end.spin};
            for (int i = 0; i < 6; i++) expect_near("in space", own[i], y[i], 2e-10);
            compared++;
        }
        assert_true(slide_energy_error(&r) < 1e-10);
        slide_stop(&r);
        drop(&g);
    }
    assert_true(compared > 30);
}

// Galilei: who rides on a belt sees a still floor.
static void a_belt_is_a_still_floor_for_who_rides_on_it(void** state)
{
    (void)state;
    unsigned seed = 5;
    for (int k = 0; k < 60; k++) {
        slider_rig body;
        slide_run still, moved;
        double u[3], v[2] = {slider_uniform(&seed, -1.0, 1.0), slider_uniform(&seed, -1.0, 1.0)};
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        slide_start(&still, &body, u[0], u[1], u[2], 1e-12);
        ss_signal* belt[2] = {number_of(v[0]), number_of(v[1])};
        body.def.floor.velocity_x = belt[0];
        body.def.floor.velocity_y = belt[1];
        slide_start(&moved, &body, u[0] + v[0], u[1] + v[1], u[2], 1e-12);
        slide_to(&still, 50.0);
        slide_to(&moved, 50.0);
        assert_true(still.outcome == SS_AT_REST && moved.outcome == SS_AT_REST);
        ss_slider_state a = ss_slide_state(still.slide), b = ss_slide_state(moved.slide);
        double t = ss_slide_time(still.slide);
        expect_near("t", ss_slide_time(moved.slide), t, 1e-9);
        expect_near("x", b.x, a.x + v[0] * t, 1e-9);
        expect_near("y", b.y, a.y + v[1] * t, 1e-9);
        expect_near("angle", b.angle, a.angle, 1e-9);
        assert_true(b.relative[0] == 0.0 && b.relative[1] == 0.0 && b.relative[2] == 0.0);
        assert_true(still.event_count == moved.event_count && slide_energy_error(&moved) < 2e-11);
        slide_stop(&still);
        slide_stop(&moved);
        for (int i = 0; i < 2; i++) ss_signal_destroy(belt[i]);
    }
}

// A floor shaken by p(t) is a still one with the force -m p'' on the body: with p = 0.3 (1 - cos(2 t)), that
// force is -1.2 cos(2 t). The same floor told by its velocity, 0.6 sin(2 t), moves the body alike.
static void a_shaken_floor_is_a_force_the_other_way(void** state)
{
    (void)state;
    unsigned seed = 77;
    ss_signal *place = signal_of("0.3 m*(1 - cos(2 rad/s*t))", metre),
              *velocity = signal_of("0.6 m/s*sin(2 rad/s*t)", speed),
              *force = signal_of("-1.2 N*cos(2 rad/s*t)", newton);
    for (int k = 0; k < 20; k++) {
        slider_rig body;
        slide_run r[3];
        double u[3];
        slider_random(&body, &seed);
        slider_random_speed(&seed, u);
        for (int i = 0; i < 3; i++) {
            body.load.force_x = i == 0 ? force : NULL;
            body.def.floor.position_x = i == 1 ? place : NULL;
            body.def.floor.velocity_x = i == 2 ? velocity : NULL;
            slide_start(&r[i], &body, u[0], u[1], u[2], 1e-12);
            slide_to(&r[i], 4.0);
        }
        ss_slider_state a = ss_slide_state(r[0].slide);
        for (int i = 1; i < 3; i++) {
            ss_slider_state b = ss_slide_state(r[i].slide);
            expect_near("x", b.x, a.x + 0.3 * (1.0 - cos(8.0)), 1e-9);
            expect_near("y", b.y, a.y, 1e-9);
            expect_near("angle", b.angle, a.angle, 1e-9);
            expect_near("vx", b.vx, a.vx + 0.6 * sin(8.0), 1e-9);
            assert_true(r[i].event_count == r[0].event_count && slide_energy_error(&r[i]) < 1e-9);
        }
        for (int i = 0; i < 3; i++) slide_stop(&r[i]);
    }
    ss_signal_destroy(place);
    ss_signal_destroy(velocity);
    ss_signal_destroy(force);
}

// Carried round by a turntable a thousand times, exactly: the place is a circle's, not a sum's.
static void what_rides_does_not_creep(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    ss_signal* spin = number_of(2.0);
    slider_init(&body);
    slider_point(&body, 0.3, 0.1, 0.5);
    slider_point(&body, -0.2, 0.2, 0.5);
    slider_point(&body, 0.1, -0.4, 0.5);
    body.def.floor.spin = spin;
    body.def.start[0] = 0.2;
    slide_start(&r, &body, 0.0, 0.4, 2.0, 1e-10);
    slide_to(&r, 3141.5926535897931);
    assert_true(r.outcome == SS_AT_REST && ss_slide_time(r.slide) == 0.0 && r.event_count == 0);
    ss_slider_state end = ss_slide_state(r.slide);
    assert_true(end.x == 0.2 && end.y == 0.0 && end.relative[0] == 0.0 && end.relative[2] == 0.0);
    slide_stop(&r);
    ss_signal_destroy(spin);
}

// A belt with level mu m g = 1/2 jumps to 1 m/s at t = 1, tells its place, and stops at t = 4. Thrown off its
// hold, the body is taken along in 2 s, way 1 m lost, and after the stop slides on for 2 s and 1 m: it ends 2
// + 1 m ahead less the metre it lost at first.
static void a_belt_that_starts_at_once_and_stops_at_once(void** state)
{
    (void)state;
    const double t[] = {0.0, 1.0, 4.0, 5.0}, x[] = {0.0, 0.0, 3.0, 3.0};
    slider_rig body;
    slide_run r;
    ss_signal* place = NULL;
    assert_int_equal(ss_signal_table(t, x, 4, &place, NULL), SS_OK);
    slider_init(&body);
    slider_point(&body, 0.0, 0.0, 0.5);
    body.def.floor.position_x = place;
    slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
    slide_to(&r, 20.0);
    ss_slider_state end = ss_slide_state(r.slide);
    assert_true(r.outcome == SS_AT_REST);
    assert_int_equal(r.event_count, 4);
    expect_near("rest", ss_slide_time(r.slide), 6.0, 1e-9);
    expect_near("place", end.x, 3.0, 1e-9);
    assert_true(end.vx == 0.0 && slide_energy_error(&r) < 1e-10);
    slide_stop(&r);
    ss_signal_destroy(place);
}

// A floor whose speed grows like 5 t^2 carries the body until its acceleration 10 t is what friction bears,
// 1/2 m/s^2 at t = 0.05; from then on the body has 1/2 m/s^2, and the floor runs away under it: at t = 1 it
// is at 5 0.05^3/3 + v 0.95 + 0.95^2/4 with v = 5 0.05^2.
static void a_floor_that_goes_ever_faster_lets_go(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    ss_signal* velocity = signal_of("5 m/s*(t/(1 s))^2", speed);
    slider_init(&body);
    slider_point(&body, 0.0, 1.0, 0.25);
    slider_point(&body, 0.0, -1.0, 0.25);
    body.def.floor.velocity_x = velocity;
    slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
    slide_to(&r, 1.0);
    assert_int_equal(r.outcome, SS_TIME_REACHED);
    assert_int_equal(r.event_count, 2);
    expect_near("lets go", r.events[0].t, 0.05, 1e-12);
    ss_slider_state end = ss_slide_state(r.slide);
    expect_near("x", end.x, 5.0 * 0.05 * 0.05 * 0.05 / 3.0 + 0.0125 * 0.95 + 0.25 * 0.95 * 0.95, 1e-9);
    expect_near("vx", end.vx, 0.0125 + 0.5 * 0.95, 1e-9);
    assert_true(slide_energy_error(&r) < 1e-9);
    slide_stop(&r);
    ss_signal_destroy(velocity);
}

// Nothing is known of the range of t sin(t): a floor that moves so is never called steady.
static void what_is_not_known_is_not_steady(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    ss_signal* velocity = signal_of("0.001 m/s*(t/(1 s))*sin(t/(1 s))", speed);
    slider_init(&body);
    slider_point(&body, 0.0, 0.0, 0.5);
    body.def.floor.velocity_x = velocity;
    slide_start(&r, &body, 0.0, 0.0, 0.0, 1e-10);
    slide_to(&r, 10.0);
    assert_int_equal(r.outcome, SS_TIME_REACHED);
    slide_stop(&r);
    ss_signal_destroy(velocity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newtons_law_in_space_gives_the_same_motion),
        cmocka_unit_test(a_belt_is_a_still_floor_for_who_rides_on_it),
        cmocka_unit_test(a_shaken_floor_is_a_force_the_other_way),
        cmocka_unit_test(what_rides_does_not_creep),
        cmocka_unit_test(a_belt_that_starts_at_once_and_stops_at_once),
        cmocka_unit_test(a_floor_that_goes_ever_faster_lets_go),
        cmocka_unit_test(what_is_not_known_is_not_steady),
    };
    return cmocka_run_group_tests_name("moving floor", tests, NULL, NULL);
}
