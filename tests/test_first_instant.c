// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The first instant is an instant like all others: a controller that ticks there sees driven bodies, inputs
// and states as they are at that time, whichever way the run came to begin.
#include "share/derivative.h"
#include "share/run.h"
#include "slipstick/derivative.h"
#include "slipstick/exchange.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// What is seen at the tick at t: places and speeds of a body that is driven along a sine, of one driven by a
// speed and of one on a table; a signal of both; an input, one that varies and one on a table; a state; and a
// count of the ticks. Exchanged runs know no table of places; up to 1 s the line is the same.
static const char watcher[] =
    "inputs: {u: 3 N, w: \"2 N + 5 N/s*t\", h: {table: [[0 s, 7], [2 s, 9]]}}\n"
    "bodies:\n"
    "  b: {mass: 1 kg}\n"
    "  d: {position: \"0.4 m + 0.1 m*sin(3 rad/s*t)\"}\n"
    "  e: {speed: \"1.5 m/s - 2 m/s^2*t\"}\n"
    "  f: {position: %s}\n"
    "states: {age: {rate: 1 /s, start: 2.5}}\n"
    "signals: {far: d.x - e.v*(1 s)}\n"
    "start: {b: {x: 0.7 m, v: -0.2 m/s}, e: {x: 0.25 m}}\n"
    "connections: [{between: [b, d], stiffness: 4 N/m}]\n"
    "sampled:\n"
    "  k:\n"
    "    every: 0.25 s\n"
    "    memory: {dx: 0 m, dv: 0 m/s, ex: 0 m, ev: 0 m/s, fx: 0 m, fv: 0 m/s, g: 0 m, mu: 0 N, mw: 0 N,\n"
    "             mh: 0, ms: 0, bx: 0 m, n: 0}\n"
    "    at_tick: [{dx: d.x}, {dv: d.v}, {ex: e.x}, {ev: e.v}, {fx: f.x}, {fv: f.v}, {g: far}, {mu: u},\n"
    "              {mw: w}, {mh: h}, {ms: age}, {bx: b.x}, {n: n + 1}]\n"
    "forces: [{body: b, force: \"1 N/m*dx + 0.1*mu\"}]\n";

static const char on_table[] = "{table: [[0 s, 0.2 m], [1 s, 0.5 m], [2 s, 0.1 m]]}";
static const char on_line[] = "\"0.2 m + 0.3 m/s*t\"";

enum { DX, DV, EX, EV, FX, FV, FAR, U, W, H, S, BX, TICKS };

static ss_model* model;
static ss_sim* sim;

static void near(const char* what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-13)) fail_msg("%s: %.17g, not %.17g", what, got, want);
}

static ss_model* read_watcher(const char* place)
{
    char text[2048];
    snprintf(text, sizeof text, watcher, place);
    return text_parts_model(text);
}

// At its last tick, t, in a motion that began `since` before that.
static void sees(const ss_sim* run, double t, double since, double u, double ticks)
{
    const double* m = ss_sim_memory(run);
    double d = 0.4 + 0.1 * sin(3.0 * t), ev = 1.5 - 2.0 * t;
    near("d.x", m[DX], d);
    near("d.v", m[DV], 0.3 * cos(3.0 * t));
    near("e.v", m[EV], ev);
    near("f.x", m[FX], 0.2 + 0.3 * t);
    near("f.v", m[FV], 0.3);
    near("far", m[FAR], d - ev);
    near("u", m[U], u);
    near("w", m[W], 2.0 + 5.0 * t);
    near("h", m[H], 7.0 + t);
    near("s", m[S], 2.5 + since);
    near("n", m[TICKS], ticks);
}

static int begin(void** state)
{
    (void)state;
    model = read_watcher(on_table);
    sim = text_run(model, true, 1e-12);
    return 0;
}

static int end(void** state)
{
    (void)state;
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    return 0;
}

static void test_a_run_begins(void** state)
{
    (void)state;
    sees(sim, 0.0, 0.0, 3.0, 1.0);
    near("e.x", ss_sim_memory(sim)[EX], 0.25);
    near("b.x", ss_sim_memory(sim)[BX], 0.7);
    text_run_to(sim, 0.1);
    sees(sim, 0.0, 0.0, 3.0, 1.0);
}

// What is left of an earlier motion is not seen.
static void test_a_run_begins_again(void** state)
{
    (void)state;
    ss_error err;
    text_run_to(sim, 1.9);
    assert_int_equal(ss_sim_restart(sim, NULL, NULL, &err), SS_OK);
    sees(sim, 0.0, 0.0, 3.0, 1.0);
    near("e.x", ss_sim_memory(sim)[EX], 0.25);
}

// At 0.5 s: the drives are where they are then. The ledger begins with the spring at its length there, and
// balances.
static void test_a_run_begins_later(void** state)
{
    (void)state;
    ss_error err;
    double x[] = {0.7, 0.0, 0.9, 0.0}, v[4] = {0};
    assert_int_equal(ss_sim_restart_at(sim, 0.5, x, v, &err), SS_OK);
    sees(sim, 0.5, 0.0, 3.0, 1.0);
    near("e.x", ss_sim_memory(sim)[EX], 0.9);
    double stretch = 0.7 - (0.4 + 0.1 * sin(1.5));
    near("energy", ss_sim_energy(sim).start, 0.5 * 4.0 * stretch * stretch);
    text_run_to(sim, 0.99);
    sees(sim, 0.75, 0.25, 3.0, 2.0);
    ss_energy e = ss_sim_energy(sim);
    near("residual", e.residual, 0.0);
}

// An input that is set before anybody goes on has that value from the beginning, for controllers, too; set
// twice, the last value counts. Later the tick has been, and the next one sees what is set.
static void test_an_input_is_set_at_the_start(void** state)
{
    (void)state;
    ss_error err;
    assert_int_equal(ss_sim_set_input(sim, 0, 9.0, &err), SS_OK);
    assert_int_equal(ss_sim_set_input(sim, 0, 5.0, &err), SS_OK);
    text_run_to(sim, 0.1);
    sees(sim, 0.0, 0.0, 5.0, 1.0);
    ss_model* same = read_watcher(on_table);
    ss_sim* other = text_run(same, true, 1e-12);
    assert_int_equal(ss_sim_set_input(other, 0, 5.0, &err), SS_OK);
    text_run_to(other, 0.1);
    near("b.x", ss_sim_x(sim)[0], ss_sim_x(other)[0]);
    assert_int_equal(ss_sim_set_input(sim, 0, 6.0, &err), SS_OK);
    text_run_to(sim, 0.2);
    sees(sim, 0.0, 0.0, 5.0, 1.0);
    text_run_to(sim, 0.3);
    sees(sim, 0.25, 0.25, 6.0, 2.0);
    ss_sim_destroy(other);
    ss_model_destroy(same);
}

// Inputs that are functions of time, or tables, likewise.
static void test_a_table_is_set_at_the_start(void** state)
{
    (void)state;
    ss_error err;
    assert_int_equal(ss_sim_set_input(sim, 1, -1.0, &err), SS_OK);
    assert_int_equal(ss_sim_set_input(sim, 2, 8.5, &err), SS_OK);
    text_run_to(sim, 0.1);
    near("w", ss_sim_memory(sim)[W], -1.0);
    near("h", ss_sim_memory(sim)[H], 8.5);
    near("n", ss_sim_memory(sim)[TICKS], 1.0);
}

// A run that was saved where it began, and loaded into another, is still at its beginning; one that was saved
// later is not.
static void test_a_saved_run_begins(void** state)
{
    (void)state;
    ss_error err;
    for (int late = 0; late < 2; late++) {
        ss_sim* other = text_run(model, true, 1e-12);
        if (late == 0) text_run_to(other, 1.1);
        if (late == 1) text_run_to(sim, 0.3);
        size_t size = ss_sim_save_size(sim);
        void* bytes = malloc(size);
        assert_int_equal(ss_sim_save(sim, bytes, size, &err), SS_OK);
        assert_int_equal(ss_sim_load(other, bytes, size, &err), SS_OK);
        assert_int_equal(ss_sim_set_input(other, 0, 5.0, &err), SS_OK);
        text_run_to(other, late == 0 ? 0.1 : 0.4);
        sees(other, late == 0 ? 0.0 : 0.25, late == 0 ? 0.0 : 0.25, late == 0 ? 5.0 : 3.0, 1.0 + late);
        text_run_to(other, 0.6);
        sees(other, 0.5, 0.5, 5.0, 3.0);
        free(bytes);
        ss_sim_destroy(other);
    }
}

// Taken over by a model of other numbers, drives are where they are: a stop between b and the driven d is
// open by what lies between them now.
static void test_a_run_is_taken_over(void** state)
{
    (void)state;
    ss_error err;
    static const char text[] =
        "bodies: {b: {mass: %g kg}, d: {position: \"0.3 m + 1 m/s*t\"}}\n"
        "start: {b: {x: 1 m, v: 0.5 m/s}}\n"
        "contacts: {wall: {between: [d, b], law: rigid-stop, above: 0 m, restitution: 0}}\n";
    char first[512], second[512];
    snprintf(first, sizeof first, text, 1.0);
    snprintf(second, sizeof second, text, 2.0);
    ss_model *a = text_parts_model(first), *b = text_parts_model(second);
    ss_sim *from = text_run(a, true, 1e-12), *to = text_run(b, true, 1e-12);
    text_run_to(from, 1.0); // 0.3 + t meets 1 + 0.5 t at t = 1.4 s
    assert_int_equal(ss_sim_take_over(to, from, &err), SS_OK);
    text_run_to(to, 1.39);
    near("free", ss_sim_v(to)[0], 0.5);
    text_run_to(to, 1.41);
    near("pushed", ss_sim_v(to)[0], 1.0);
    ss_sim_destroy(from), ss_sim_destroy(to);
    ss_model_destroy(a), ss_model_destroy(b);
}

// A run whose time is somebody else's: at its first event, with an input that was set before.
static void test_an_exchanged_run_begins(void** state)
{
    (void)state;
    ss_error err;
    ss_exchange_instant instant;
    ss_model* own = read_watcher(on_line);
    ss_sim* run = text_run(own, true, 1e-12);
    double x[] = {0.7, 0.0, 0.9, 0.0}, v[4] = {0};
    assert_int_equal(ss_exchange_begin(run, 0.5, x, v, &err), SS_OK);
    sees(run, 0.5, 0.0, 3.0, 1.0);
    ss_exchange_input(run, 0, 5.0);
    assert_int_equal(ss_exchange_event(run, &instant, &err), SS_OK);
    sees(run, 0.5, 0.0, 5.0, 1.0);
    ss_exchange_input(run, 0, 6.0);
    assert_int_equal(ss_exchange_event(run, &instant, &err), SS_OK);
    sees(run, 0.5, 0.0, 5.0, 1.0);
    ss_sim_destroy(run);
    ss_model_destroy(own);
}

// The force 1 N/m dx holds from the first tick on: b.x(t) = a t^2/2 with a = 0.4 + A sin(0), dx/da = t^2/2 of
// the offset a, taken through the tick at 0, once with an input that is set there.
static void test_derivatives_go_through_the_first_tick(void** state)
{
    (void)state;
    ss_error err;
    static const char text[] =
        "parameters: {a: %.17g}\n"
        "inputs: {u: 0 N}\n"
        "bodies: {b: {mass: 1 kg}, d: {position: \"a*(1 m) + 0.1 m*sin(3 rad/s*t)\"}}\n"
        "sampled: {k: {every: 5 s, memory: {held: 0 N}, at_tick: [{held: \"held + 1 N/m*d.x + "
        "u*d.x/(1 m)\"}]}}\n"
        "forces: [{body: b, force: held}]\n";
    ss_model* at[3];
    for (int k = 0; k < 3; k++) {
        char own[1024];
        snprintf(own, sizeof own, text, 0.4 + 0.1 * (k - 1));
        at[k] = text_parts_model(own);
    }
    const ss_model* beside[] = {at[0], at[2]};
    const double weights[] = {-5.0, 5.0};
    ss_direction by = {.models = beside, .weights = weights, .model_count = 2};
    for (int set = 0; set < 2; set++) {
        ss_sim* run = text_run(at[1], true, 1e-12);
        ss_derivative* derivative;
        double x[2], v[2];
        assert_int_equal(ss_derivative_create(at[1], &by, 1, &derivative, &err), SS_OK);
        assert_int_equal(ss_derivative_attach(derivative, run, &err), SS_OK);
        if (set) assert_int_equal(ss_sim_set_input(run, 0, 2.0, &err), SS_OK);
        text_run_to(run, 3.0);
        assert_true(ss_derivative_bodies(derivative, 0, x, v));
        near("x", ss_sim_x(run)[0], 0.4 * 4.5 * (1.0 + 2.0 * set));
        near("dx/da", x[0], 4.5 * (1.0 + 2.0 * set));
        near("dv/da", v[0], 3.0 * (1.0 + 2.0 * set));
        ss_derivative_destroy(derivative);
        ss_sim_destroy(run);
    }
    for (int k = 0; k < 3; k++) ss_model_destroy(at[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_run_begins, begin, end),
        cmocka_unit_test_setup_teardown(test_a_run_begins_again, begin, end),
        cmocka_unit_test_setup_teardown(test_a_run_begins_later, begin, end),
        cmocka_unit_test_setup_teardown(test_an_input_is_set_at_the_start, begin, end),
        cmocka_unit_test_setup_teardown(test_a_table_is_set_at_the_start, begin, end),
        cmocka_unit_test_setup_teardown(test_a_saved_run_begins, begin, end),
        cmocka_unit_test(test_a_run_is_taken_over),
        cmocka_unit_test(test_an_exchanged_run_begins),
        cmocka_unit_test(test_derivatives_go_through_the_first_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
