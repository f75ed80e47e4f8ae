// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Values that hold between instants: inputs set from outside, and the memory of sampled controllers.
#include "share/run.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096 };

typedef struct motion {
    ss_model* model;
    ss_sim* sim;
    ss_outcome outcome;
    ss_event events[MOST];
    int count;
} motion;

static motion m, other;

static void keep(void* user, const ss_event* event)
{
    motion* to = user;
    if (to->count < MOST) to->events[to->count++] = *event;
}

static void begin(motion* to, const char* text)
{
    ss_error err;
    memset(to, 0, sizeof *to);
    to->model = text_model(text);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = keep;
    def.user = to;
    if (ss_sim_create(to->model, &def, &to->sim, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

static void end(motion* of)
{
    ss_sim_destroy(of->sim);
    ss_model_destroy(of->model);
}

static void go(motion* of, double until)
{
    ss_error err;
    if (ss_sim_advance(of->sim, until, &of->outcome, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

static void set(motion* of, int input, double value)
{
    ss_error err;
    assert_int_equal(ss_sim_set_input(of->sim, input, value, &err), SS_OK);
}

static void expect_near(const char* what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%s: %.17g, not %.17g", what, got, want);
}

// ---- inputs

static const char pushed[] =
    "slipstick: 1\ntitle: held\n"
    "inputs: {push: %s, pull: 0 N}\n"
    "bodies: {block: {mass: 2 kg}}\n"
    "forces: [{body: block, force: push - pull}]\n"
    "connections: [{between: [block, ground], stiffness: 3 N/m, damping: 0.1 N*s/m}]\n"
    "contacts: {floor: {between: [block, ground], law: coulomb, friction: 4 N, static: 5 N}}\n";

static void begin_pushed(motion* to, const char* push)
{
    char text[1024];
    snprintf(text, sizeof text, pushed, push);
    begin(to, text);
}

// The same staircase, set from outside and given as a function of time.
static void test_a_staircase(void** state)
{
    (void)state;
    const double value[] = {0, 9, -7, 12, 4.5, -15, 3};
    enum { STEPS = sizeof value / sizeof *value };
    char push[512] = "\"0 N";
    for (int i = 1; i < STEPS; i++) {
        size_t used = strlen(push);
        snprintf(push + used, sizeof push - used, " + %.17g N * step(t/1 s - %d)", value[i] - value[i - 1],
                 i);
    }
    strcat(push, "\"");
    begin_pushed(&m, "0 N");
    begin_pushed(&other, push);
    go(&other, 30.0);
    for (int i = 1; i < STEPS; i++) {
        go(&m, i);
        set(&m, 0, value[i]);
    }
    go(&m, 30.0);
    assert_true(m.count > 6);
    assert_int_equal(m.count, other.count);
    for (int k = 0; k < m.count; k++) {
        expect_near("time", m.events[k].t, other.events[k].t, 1e-13 * 30.0);
        assert_int_equal(m.events[k].from, other.events[k].from);
        assert_int_equal(m.events[k].to, other.events[k].to);
    }
    expect_near("place", ss_sim_x(m.sim)[0], ss_sim_x(other.sim)[0], 1e-13);
    assert_int_equal(m.outcome, SS_AT_REST);
    ss_energy e = ss_sim_energy(m.sim);
    expect_near("residual", e.residual, 0.0, 1e-12 * e.input);
    end(&m), end(&other);
}

static const char servo[] =
    "slipstick: 1\ntitle: servo\n"
    "inputs: {push: %s}\n"
    "bodies: {stage: {mass: 2 kg}}\n"
    "states: {sum: {rate: 10 mm - stage.x, start: 0}}\n"
    "forces: [{body: stage, force: \"2 kN/m*(10 mm - stage.x) + 20 kN/(m*s)*sum - 60 N*s/m*stage.v + "
    "push\"}]\n"
    "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 8 N, static: 12 N}}\n";

static void begin_servo(motion* to, const char* push)
{
    char text[1024];
    snprintf(text, sizeof text, servo, push);
    begin(to, text);
}

// A loop that runs in long steps: whether its input has a value from the beginning, or is set before the
// first step or at some later time, makes no difference to what follows. A long step that begins where an
// input was set once took over the end of the step before it, and went to infinity.
static void test_a_loop_is_set_anywhere(void** state)
{
    (void)state;
    for (int k = 1; k <= 60; k++) {
        double value = 0.25 * (k - 30), at = k % 3 == 0 ? 0.0 : 0.02 * k;
        char push[96];
        snprintf(push, sizeof push, at > 0.0 ? "\"%.17g N * step(t/1 s - %.17g)\"" : "%.17g N", value, at);
        begin_servo(&m, "0 N");
        begin_servo(&other, push);
        if (at > 0.0) go(&m, at);
        set(&m, 0, value);
        go(&m, 2.0), go(&other, 2.0);
        assert_int_equal(m.count, other.count);
        expect_near("place", ss_sim_x(m.sim)[0], ss_sim_x(other.sim)[0], 1e-10);
        expect_near("sum", ss_sim_states(m.sim)[0], ss_sim_states(other.sim)[0], 1e-10);
        end(&m), end(&other);
    }
}

// An input that is set to nothing and later let go follows its function from then on; so does one whose
// function begins there.
static void test_a_released_input_follows_the_model(void** state)
{
    (void)state;
    ss_error err;
    begin_pushed(&m, "\"9 N * sin(2/1 s * t)\"");
    begin_pushed(&other, "\"9 N * sin(2/1 s * t) * step(t/1 s - 1.3)\"");
    set(&m, 0, 0.0);
    go(&m, 1.3);
    expect_near("held", ss_sim_input(m.sim, 0), 0.0, 0.0);
    assert_int_equal(ss_sim_release_input(m.sim, 0, &err), SS_OK);
    go(&m, 9.0), go(&other, 9.0);
    assert_true(m.count > 3 && m.count == other.count);
    for (int k = 0; k < m.count; k++) expect_near("time", m.events[k].t, other.events[k].t, 1e-12);
    expect_near("place", ss_sim_x(m.sim)[0], ss_sim_x(other.sim)[0], 1e-12);
    assert_int_equal(ss_sim_release_input(m.sim, 2, &err), SS_BAD_INPUT);
    end(&m), end(&other);
}

// At rest the block may be pushed with up to 5 N. With exactly that it stays, and rest is proved anew; with
// more it goes on from the time that the caller had got to: a = (6 - 4)/2 = 1 m/s^2.
static void test_rest_lasts_until_an_input_is_set(void** state)
{
    (void)state;
    begin_pushed(&m, "0 N");
    assert_int_equal(m.count, 0);
    go(&m, 10.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("rest", ss_sim_time(m.sim), 0.0, 0.0);
    set(&m, 0, 5.0);
    go(&m, 20.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("rest", ss_sim_time(m.sim), 10.0, 0.0);
    assert_int_equal(m.count, 0);
    set(&m, 0, 9.0); // both at one instant: 6 N are left, and nothing happens in between
    set(&m, 1, 3.0);
    expect_near("now", ss_sim_time(m.sim), 20.0, 0.0);
    go(&m, 20.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.count, 1);
    expect_near("break", m.events[0].t, 20.0, 0.0);
    assert_int_equal(m.events[0].to, SS_MODE_SLIP_PLUS);
    go(&m, 20.001);
    expect_near("place", ss_sim_x(m.sim)[0], 0.5e-6, 1e-10);
    end(&m);
}

// Where an input is set while the block turns, the turn and what is set are two instants; the block then
// goes on as if it had been let go there.
static void test_set_at_an_event(void** state)
{
    (void)state;
    bool at_event;
    ss_error err;
    begin_pushed(&m, "0 N");
    set(&m, 0, 40.0);
    assert_int_equal(ss_sim_advance_to_event(m.sim, 100.0, &at_event, &m.outcome, &err), SS_OK);
    assert_true(at_event && ss_sim_time(m.sim) == 0.0 &&
                ss_sim_instant(m.sim).contacts[0].mode == SS_MODE_STICK);
    assert_int_equal(ss_sim_advance_to_event(m.sim, 100.0, &at_event, &m.outcome, &err), SS_OK);
    assert_true(at_event);
    double t = ss_sim_time(m.sim), x = ss_sim_x(m.sim)[0];
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_SLIP_MINUS);
    set(&m, 0, 3.0 * x + 1.0); // the spring is outweighed: it sticks
    go(&m, t);
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_STICK);
    expect_near("force", ss_sim_contact(m.sim, 0).force, -1.0, 1e-12);
    go(&m, t + 1.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("rest", ss_sim_x(m.sim)[0], x, 0.0);
    end(&m);
}

static void test_wrong_inputs_are_refused(void** state)
{
    (void)state;
    ss_error err;
    begin_pushed(&m, "1 N");
    assert_int_equal(ss_sim_set_input(m.sim, 2, 1.0, &err), SS_BAD_INPUT);
    assert_int_equal(ss_sim_set_input(m.sim, -1, 1.0, &err), SS_BAD_INPUT);
    assert_int_equal(ss_sim_set_input(m.sim, 0, NAN, &err), SS_BAD_INPUT);
    expect_near("as it was", ss_sim_input(m.sim, 0), 1.0, 0.0);
    set(&m, 0, 2.0);
    expect_near("set", ss_sim_input(m.sim, 0), 2.0, 0.0);
    assert_int_equal(ss_sim_restart(m.sim, NULL, NULL, &err), SS_OK);
    expect_near("as the model says", ss_sim_input(m.sim, 0), 1.0, 0.0);
    end(&m);
}

// Setting a hundred thousand times and going on a little each time: x'' = u/2 with u = +-1 N in turn, above a
// steady push that outweighs friction. The speed goes up and down by the same, so that after an even number
// of them only the steady part counts: v = (6 - 4)/2 t.
static void test_many_sets(void** state)
{
    (void)state;
    enum { SETS = 100000 };
    begin(&m, "slipstick: 1\ntitle: held\n"
              "inputs: {push: 0 N}\n"
              "bodies: {block: {mass: 2 kg}}\n"
              "forces: [{body: block, force: 6 N + push}]\n"
              "contacts: {floor: {between: [block, ground], law: coulomb, friction: 4 N}}\n");
    for (int i = 0; i < SETS; i++) {
        set(&m, 0, i % 2 == 0 ? 1.0 : -1.0);
        go(&m, (i + 1) / 1024.0);
    }
    double t = SETS / 1024.0;
    expect_near("speed", ss_sim_v(m.sim)[0], t, 1e-12 * t);
    assert_int_equal(m.count, 0); // it slips from the start on
    end(&m);
}

// ---- sampled controllers

// A stage of 2 kg that slides forward under 3 N of friction, with a PID loop at 64 Hz whose command holds
// 1/256 s later, an encoder of 1/1024 m and a limit of 16 N, met at 53 of 60 ticks. All numbers are
// rational: these were computed with fractions.
static void test_exact_arithmetic(void** state)
{
    (void)state;
    begin(&m, "slipstick: 1\ntitle: held\n"
              "bodies: {stage: {mass: 2 kg}}\n"
              "start: {stage: {v: 4 m/s}}\n"
              "sampled:\n"
              "  servo:\n"
              "    every: 0.015625 s\n"
              "    delay: 0.00390625 s\n"
              "    memory: {sum: 0 m*s, last: 0 m, command: 5 N}\n"
              "    at_tick:\n"
              "      - e: \"8 m - round(stage.x / 0.0009765625 m) * 0.0009765625 m\"\n"
              "      - sum: \"sum + e * 0.015625 s\"\n"
              "      - command: \"clip(3 N/m*e + 2 N/(m*s)*sum + 0.125 N*s/m*(e - last)/0.015625 s, -16 N, "
              "16 N)\"\n"
              "      - last: e\n"
              "forces: [{body: stage, force: command}]\n"
              "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 3 N}}\n");
    go(&m, 0.9375 - 1e-9);
    const double* memory = ss_sim_memory(m.sim);
    expect_near("x", ss_sim_x(m.sim)[0] + 1e-9 * ss_sim_v(m.sim)[0], 6.583635810064152, 1e-13);
    expect_near("v", ss_sim_v(m.sim)[0], 9.997299075126648, 1e-8);
    expect_near("sum", memory[0], 4.910308837890625, 1e-13);
    expect_near("last", memory[1], 1.572265625, 0.0);
    expect_near("command", memory[2], 13.30303955078125, 1e-12);
    assert_int_equal(m.count, 0);
    end(&m);
}

// Two rates: a counter every 0.3 s and one that copies it every 0.1 s, after it in the file. At each instant
// the copy sees what the counter has just set, also where 3 * 0.1 and 0.3 are different numbers; memory that
// never comes to rest keeps the run going.
static void test_two_rates(void** state)
{
    (void)state;
    begin(
        &m,
        "slipstick: 1\ntitle: held\n"
        "bodies: {block: {mass: 1 kg}}\n"
        "sampled:\n"
        "  slow: {every: 0.3 s, memory: {count: 0}, at_tick: [{count: count + 1}]}\n"
        "  fast: {every: 0.1 s, memory: {seen: 0, ticks: 0}, at_tick: [{seen: count}, {ticks: ticks + 1}]}\n"
        "contacts: {floor: {between: [block, ground], law: coulomb, friction: 4 N}}\n");
    for (int i = 0; i < 300; i++) {
        go(&m, i * 0.1);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        const double* memory = ss_sim_memory(m.sim); // count, seen, ticks: the right limit
        int slow = 1 + i / 3;
        expect_near("count", memory[0], slow, 0.0);
        expect_near("seen", memory[1], slow, 0.0);
        expect_near("ticks", memory[2], i + 1, 0.0);
    }
    end(&m);
}

// A counter up to 7 that pushes with nothing: the block is at rest all the time, the memory from the tick on
// at which it becomes 7: 6 * 0.25 s.
static void test_rest_with_memory(void** state)
{
    (void)state;
    begin(&m, "slipstick: 1\ntitle: held\n"
              "bodies: {block: {mass: 1 kg}}\n"
              "sampled: {count: {every: 0.25 s, memory: {n: 0}, at_tick: [{n: \"min(n + 1, 7)\"}]}}\n"
              "contacts: {floor: {between: [block, ground], law: coulomb, friction: 4 N}}\n");
    go(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("rest", ss_sim_time(m.sim), 1.5, 0.0);
    expect_near("n", ss_sim_memory(m.sim)[0], 7.0, 0.0);
    end(&m);
}

static const char hunting[] =
    "slipstick: 1\ntitle: held\n"
    "bodies: {stage: {mass: 2 kg}}\n"
    "sampled:\n"
    "  servo:\n"
    "    every: 1 ms\n"
    "    delay: 0.2 ms\n"
    "    memory: {sum: 0 m*s, command: 0 N}\n"
    "    at_tick:\n"
    "      - e: 0.01 m - stage.x\n"
    "      - sum: sum + e * 1 ms\n"
    "      - command: 2 kN/m * e + 20 kN/(m*s) * sum - 60 N*s/m * stage.v\n"
    "forces: [{body: stage, force: command}]\n"
    "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 8 N, static: 12 N}}\n";

// A stage that hunts: it sticks through hundreds of ticks at a time, which the run passes in one go, unless
// it is asked in between. To the bit, that makes no difference.
static void test_ticks_passed_in_one_go(void** state)
{
    (void)state;
    begin(&m, hunting);
    begin(&other, hunting);
    go(&m, 5.0);
    for (int i = 1; i <= 10000; i++) go(&other, i * 0.0005);
    assert_true(m.count > 8);
    assert_int_equal(m.count, other.count);
    assert_memory_equal(m.events, other.events, sizeof(ss_event) * (size_t)m.count);
    assert_true(ss_sim_x(m.sim)[0] == ss_sim_x(other.sim)[0]);
    assert_memory_equal(ss_sim_memory(m.sim), ss_sim_memory(other.sim), 2 * sizeof(double));
    assert_true(ss_sim_contact(m.sim, 0).force == ss_sim_contact(other.sim, 0).force);
    end(&m), end(&other);
}

static bool until_one(void* user, double t)
{
    (void)user;
    return t < 1.0;
}

static void test_ticks_can_be_interrupted(void** state)
{
    (void)state;
    ss_error err;
    begin(&m, hunting);
    ss_sim_destroy(m.sim);
    ss_sim_def def = ss_sim_def_default();
    def.keep_going = until_one;
    assert_int_equal(ss_sim_create(m.model, &def, &m.sim, &err), SS_OK);
    go(&m, 1e4);
    assert_int_equal(m.outcome, SS_INTERRUPTED);
    assert_true(ss_sim_time(m.sim) >= 1.0 && ss_sim_time(m.sim) < 1000.0);
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_staircase),
        cmocka_unit_test(test_a_loop_is_set_anywhere),
        cmocka_unit_test(test_a_released_input_follows_the_model),
        cmocka_unit_test(test_rest_lasts_until_an_input_is_set),
        cmocka_unit_test(test_set_at_an_event),
        cmocka_unit_test(test_wrong_inputs_are_refused),
        cmocka_unit_test(test_many_sets),
        cmocka_unit_test(test_exact_arithmetic),
        cmocka_unit_test(test_two_rates),
        cmocka_unit_test(test_rest_with_memory),
        cmocka_unit_test(test_ticks_passed_in_one_go),
        cmocka_unit_test(test_ticks_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
