// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction levels that vary in time, reach 0 or cross, where the motion is known in closed form.
// test_peer_levels.c has random ones against a second opinion.
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

enum { MOST = 64 };

typedef struct motion {
    ss_model* model;
    ss_sim* sim;
    ss_outcome outcome;
    ss_event events[MOST];
    int count, notes;
} motion;

static void keep(void* user, const ss_event* event)
{
    motion* m = user;
    if (m->count < MOST) m->events[m->count++] = *event;
}

static void count_note(void* user, const ss_note* note)
{
    (void)note;
    ((motion*)user)->notes++;
}

static void start(motion* m, const char* text)
{
    ss_error err;
    memset(m, 0, sizeof *m);
    m->model = text_model(text);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = keep;
    def.on_note = count_note;
    def.user = m;
    ss_status status = ss_sim_create(m->model, &def, &m->sim, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

static void end(motion* m)
{
    ss_sim_destroy(m->sim);
    ss_model_destroy(m->model);
}

static void go(motion* m, double until)
{
    ss_error err;
    ss_status status = ss_sim_advance(m->sim, until, &m->outcome, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
    assert_true(m->outcome == SS_TIME_REACHED || m->outcome == SS_AT_REST);
}

static void expect(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g, not %.17g", got, want);
}

#define HEAD "slipstick: 1\ntitle: levels\nrun: {until: 4 s}\nbodies: {m: {mass: 1 kg}}\n"

// A force t against a static level of 5 that the kinetic one, 5 - t/10, leaves at t = 0: it breaks loose at
// t = 5, and then v = integral of (t - 5 + t/10).
static void test_static_equals_kinetic_at_first(void** state)
{
    (void)state;
    motion m;
    start(&m, HEAD
          "forces: [{body: m, force: 1 N/s*t}]\n"
          "contacts: {c: {between: [m, ground], law: coulomb, friction: 5 N - 0.1 N/s*t, static: 5 N}}\n");
    go(&m, 8.0);
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 5.0, 1e-13);
    expect(ss_sim_v(m.sim)[0], 0.55 * (64 - 25) - 5 * 3, 1e-12);
    expect(ss_sim_x(m.sim)[0], 0.55 / 3 * (512 - 125) - 2.5 * 39 + (25 - 0.55 * 25) * 3, 1e-12);
    end(&m);
}

// The kinetic level 3 + t/2 passes the static one of 4.5 at t = 3. A force of 2 + t reaches the static level
// before that, at t = 2.5; one of 1 + t meets the kinetic one after it, at t = 4.
static void test_kinetic_rises_past_static(void** state)
{
    (void)state;
    motion m;
    start(&m, HEAD
          "forces: [{body: m, force: 2 N + 1 N/s*t}]\n"
          "contacts: {c: {between: [m, ground], law: coulomb, friction: 3 N + 0.5 N/s*t, static: 4.5 N}}\n");
    go(&m, 6.0); // the force meets the level at rest at 2.5 where that is the static one; kinetic: 4.25
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 2.5, 1e-13);
    expect(ss_sim_v(m.sim)[0], 0.25 * (36 - 6.25) - 3.5, 1e-12);
    end(&m);
    start(&m, HEAD
          "forces: [{body: m, force: 1 N + 1 N/s*t}]\n"
          "contacts: {c: {between: [m, ground], law: coulomb, friction: 3 N + 0.5 N/s*t, static: 4.5 N}}\n");
    go(&m, 6.0); // both pass the static level at 3 and 3.5; force and kinetic level are equal at 4
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 4.0, 1e-13);
    expect(ss_sim_v(m.sim)[0], 0.25 * (36 - 16) - 2 * 2, 1e-12);
    end(&m);
}

// An open clutch (normal force 0 until t = 2) whose mu_static is above mu: the force t - 1 from t = 1 on
// moves it at once, v = (t - 1)^2/2.
static void test_open_clutch(void** state)
{
    (void)state;
    motion m;
    start(&m, HEAD "forces: [{body: m, force: {table: [[1 s, 0 N], [3 s, 2 N]]}}]\n"
                   "contacts: {c: {between: [m, ground], law: coulomb, mu: 0.5, mu_static: 0.8,\n"
                   "           normal: {table: [[0 s, 0 N], [2 s, 0 N], [3 s, 1 N]]}}}\n");
    go(&m, 2.0);
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 1.0, 0.0);
    expect(ss_sim_v(m.sim)[0], 0.5, 1e-14);
    expect(ss_sim_x(m.sim)[0], 1.0 / 6, 1e-14);
    assert_int_equal(m.notes, 0);
    end(&m);
}

// Levels that touch 0 while nothing pulls: no event, nothing moves, no note.
static void test_touch_without_force(void** state)
{
    static const char* const levels[] = {
        "friction: '10 N*sin(2*pi*1.3 Hz*t)^2'",
        "friction: 'max(0 N, 10 N*sin(2*pi*0.7 Hz*t + 0.3))'",
        "friction: '3 N - 3 N*cos(2*pi*1.1 Hz*t)'",
        "mu: 0.3, mu_static: 0.5, normal: '10 N*sin(2*pi*0.9 Hz*t)^2'",
        "mu: 0.3, mu_static: 0.3, normal: 'abs(10 N*sin(2*pi*0.9 Hz*t + 1))'",
        "friction: '5 N*sin(2*pi*0.9 Hz*t)^2', static: 5 N",
    };
    (void)state;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        motion m;
        char text[512] = HEAD "contacts: {c: {between: [m, ground], law: coulomb, ";
        strcat(strcat(text, levels[k]), "}}\n");
        start(&m, text);
        go(&m, 20.0);
        assert_int_equal(m.count, 0);
        assert_int_equal(m.notes, 0);
        assert_true(ss_sim_x(m.sim)[0] == 0.0);
        end(&m);
    }
}

// A kinetic level that sinks below 0 is an error at that time, wherever steps end.
static void test_negative_level(void** state)
{
    (void)state;
    motion m;
    ss_error err;
    start(&m, HEAD "contacts: {c: {between: [m, ground], law: coulomb, friction: 5 N - 1 N/s*t}}\n"
                   "start: {m: {v: 100 m/s}}\n");
    assert_int_equal(ss_sim_advance(m.sim, 100.0, &m.outcome, &err), SS_BAD_INPUT);
    expect(ss_sim_time(m.sim), 5.0, 1e-11);
    assert_string_equal(err.field, "contacts.c.friction");
    end(&m);
}

// A speed that touches 0 where nothing rubs, v = 1 - cos t: no change of mode.
static void test_touch_of_the_speed(void** state)
{
    (void)state;
    motion m;
    start(&m, HEAD "forces: [{body: m, force: '1 N*sin(1 rad/s*t)'}]\n"
                   "contacts: {c: {between: [m, ground], law: coulomb, friction: 0 N}}\n");
    go(&m, 40.0);
    assert_int_equal(m.count, 0);
    expect(ss_sim_x(m.sim)[0], 40.0 - sin(40.0), 1e-12);
    end(&m);
}

// A ratchet and a weak contact side by side, levels up to 1e15 apart: F = t - 5 is held backward by both and
// forward by the weak one alone, up to its static level of 0.0012; then 0.001 rubs. The forces told are of
// least norm: the weak contact takes all it can.
static void test_levels_far_apart(void** state)
{
    static const double strong[] = {1e3, 1e6, 1e9, 1e12};
    (void)state;
    for (size_t k = 0; k < sizeof strong / sizeof *strong; k++) {
        motion m;
        char text[512];
        snprintf(text, sizeof text,
                 HEAD
                 "forces: [{body: m, force: {table: [[0, -5], [10, 5]]}}]\n"
                 "contacts:\n"
                 "  ratchet: {between: [m, ground], law: coulomb, friction: {forward: 0, backward: %g}}\n"
                 "  weak: {between: [m, ground], law: coulomb, friction: 0.001, static: 0.0012}\n",
                 strong[k]);
        start(&m, text);
        go(&m, 2.0);
        expect(ss_sim_contact(m.sim, 0).force, 3.0 - 0.0012, 1e-14);
        expect(ss_sim_contact(m.sim, 1).force, 0.0012, 1e-14);
        assert_false(ss_sim_contact(m.sim, 1).determined);
        go(&m, 9.0);
        assert_int_equal(m.count, 2);
        expect(m.events[0].t, 5.0012, 1e-12);
        expect(ss_sim_v(m.sim)[0], 0.5 * (16 - 0.0012 * 0.0012) - 0.001 * (4 - 0.0012), 1e-12);
        assert_true(ss_sim_contact(m.sim, 0).force == 0.0);
        assert_true(ss_sim_contact(m.sim, 0).determined);
        assert_int_equal(m.notes,
                         2); // forces not determined; if the ratchet pushes back, weak gives way earlier
        end(&m);
    }
}

// Two springs pull a block to either side by forces whose difference is its friction level, to the rounding
// of the forces, which are up to 1e6 times as large: it rests at its limit. So it does in the same way
// between springs to bodies that are driven, and stand. Every spring counts for what is rounding, cubic ones
// too.
static void test_rest_at_the_limit_between_springs(void** state)
{
    static const char* const ends[] = {"ground", "wall"};
    (void)state;
    for (int k = 0; k < 120; k++) {
        motion m;
        char text[800];
        bool cubic = k % 2 == 0;
        double e1 = 0.1 + 0.013 * k, e2 = e1 / (1.0 + 1e-6 * (k + 1)), stiffness = 1000.0 + 77.7 * k;
        double force = cubic ? stiffness * (e1 * e1 * e1 - e2 * e2 * e2) : stiffness * (e1 - e2);
        const char *key = cubic ? "cubic" : "stiffness", *end_ = ends[k / 2 % 2];
        snprintf(text, sizeof text,
                 "slipstick: 1\ntitle: limit\nbodies: {m: {mass: 1 kg}, wall: {position: 0 m}}\n"
                 "connections:\n"
                 "  - {between: [m, %s], %s: %.17g, length: %.17g}\n"
                 "  - {between: [m, %s], %s: %.17g, length: -%.17g}\n"
                 "contacts: {c: {between: [m, ground], law: coulomb, friction: %.17g}}\nrun: {until: 4 s}\n",
                 end_, key, stiffness, e1, end_, key, stiffness, e2, force);
        start(&m, text);
        assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_STICK);
        go(&m, 4.0);
        assert_int_equal(m.outcome, SS_AT_REST);
        assert_int_equal(m.count, 0);
        end(&m);
    }
}

// A level that is the square of the place touches 0 whenever the block passes there, and is never negative,
// though a step may begin a rounding before that. A static level beside it, spent by then, makes steps end
// there. Against what the run gives without it (only the first break from rest needs it, and the block moves
// by then: both motions are the same).
static void test_level_of_the_place_squared(void** state)
{
    (void)state;
    for (int k = 0; k < 400; k++) {
        motion m;
        char text[900];
        double place[2];
        for (int with = 0; with < 2; with++) {
            snprintf(text, sizeof text,
                     HEAD "connections: [{between: [m, ground], stiffness: 24.5, damping: 0.27}]\n"
                          "forces: [{body: m, force: \"2.6*sin(4.5*t+4.7) + 3.9*sin(3*t+1.7)\"}]\n"
                          "contacts: {c: {between: [m, ground], law: coulomb, friction: \"%.17g*m.x^2\"%s}}\n"
                          "start: {m: {x: -0.3, v: 2}}\n",
                     2.6 + 0.001 * k, with ? ", static: \"1e-9*exp(-6*t^2)\"" : "");
            start(&m, text);
            go(&m, 4.0);
            place[with] = ss_sim_x(m.sim)[0];
            end(&m);
        }
        expect(place[1], place[0], 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static_equals_kinetic_at_first),
        cmocka_unit_test(test_kinetic_rises_past_static),
        cmocka_unit_test(test_open_clutch),
        cmocka_unit_test(test_touch_without_force),
        cmocka_unit_test(test_negative_level),
        cmocka_unit_test(test_touch_of_the_speed),
        cmocka_unit_test(test_levels_far_apart),
        cmocka_unit_test(test_rest_at_the_limit_between_springs),
        cmocka_unit_test(test_level_of_the_place_squared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
