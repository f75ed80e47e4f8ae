// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models: what is affine in the motion is the same motion whether it is written as springs, dampers and
// constant forces or as expressions; states follow their closed forms; the ledger closes; what cannot be
// computed is told.
#include "random_system.h"
#include "share/model_parts.h"
#include "share/run.h"
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

enum { TEXT = 6000, BODIES = 4 };

// ---- springs as expressions

typedef struct chain {
    int n;
    double mass[BODIES], x[BODIES], v[BODIES], stiffness[BODIES], damping[BODIES], length[BODIES];
    double push[BODIES], friction[BODIES], still[BODIES];
} chain;

static chain draw(uint64_t seed)
{
    random_source r = {.state = seed * 15485863u};
    chain c = {.n = random_integer(&r, 1, BODIES)};
    for (int i = 0; i < c.n; i++) {
        c.mass[i] = random_between(&r, 0.3, 3.0);
        c.x[i] = random_between(&r, -2.0, 2.0);
        c.v[i] = random_integer(&r, 0, 1) ? 0.0 : random_between(&r, -2.0, 2.0);
        c.stiffness[i] = random_between(&r, 0.5, 9.0);
        c.damping[i] = random_integer(&r, 0, 1) ? random_between(&r, 0.0, 0.5) : 0.0;
        c.length[i] = random_between(&r, -0.5, 0.5);
        c.push[i] = random_between(&r, -0.5, 0.5);
        c.friction[i] = random_between(&r, 0.1, 0.6);
        c.still[i] = random_integer(&r, 0, 1) ? 1.3 * c.friction[i] : c.friction[i];
    }
    return c;
}

static int write_springs(const chain* c, char* out, size_t size)
{
    int used = snprintf(out, size, "connections:\n");
    for (int i = 0; i < c->n; i++) {
        char other[16] = "ground";
        if (i > 0) snprintf(other, sizeof other, "b%d", i - 1);
        used += snprintf(
            out + used, size - (size_t)used,
            "  - {between: [b%d, %s], stiffness: %.17g N/m, damping: %.17g N*s/m, length: %.17g m}\n", i,
            other, c->stiffness[i], c->damping[i], c->length[i]);
    }
    used += snprintf(out + used, size - (size_t)used, "forces:\n");
    for (int i = 0; i < c->n; i++)
        used += snprintf(out + used, size - (size_t)used, "  - {body: b%d, force: %.17g N}\n", i, c->push[i]);
    return used;
}

// The same as signals and forces between bodies; every other push by way of a state that never changes.
static int write_expressions(const chain* c, char* out, size_t size)
{
    int used = snprintf(out, size, "states: {idle: {rate: 0 N/s, start: 1 N}}\nsignals:\n");
    for (int i = 0; i < c->n; i++) {
        char x[32] = "0 m", v[32] = "0 m/s";
        if (i > 0) snprintf(x, sizeof x, "b%d.x", i - 1);
        if (i > 0) snprintf(v, sizeof v, "b%d.v", i - 1);
        used += snprintf(out + used, size - (size_t)used,
                         "  spring%d: \"-%.17g N/m*(b%d.x - %s - (%.17g m)) - %.17g N*s/m*(b%d.v - %s)\"\n",
                         i, c->stiffness[i], i, x, c->length[i], c->damping[i], i, v);
    }
    used += snprintf(out + used, size - (size_t)used, "forces:\n");
    for (int i = 0; i < c->n; i++) {
        char other[16] = "ground";
        if (i > 0) snprintf(other, sizeof other, "b%d", i - 1);
        used += snprintf(out + used, size - (size_t)used, "  - {between: [b%d, %s], force: spring%d}\n", i,
                         other, i);
        used += i % 2 ? snprintf(out + used, size - (size_t)used,
                                 "  - {body: b%d, force: \"(%.17g)*idle\"}\n", i, c->push[i])
                      : snprintf(out + used, size - (size_t)used, "  - {body: b%d, force: %.17g N}\n", i,
                                 c->push[i]);
    }
    return used;
}

static ss_model* model_of(const chain* c, bool expressions)
{
    static char out[TEXT];
    size_t size = sizeof out;
    int used = snprintf(out, size, "slipstick: 1\ntitle: chain\nbodies:\n");
    for (int i = 0; i < c->n; i++)
        used += snprintf(out + used, size - (size_t)used, "  b%d: {mass: %.17g kg}\n", i, c->mass[i]);
    used += expressions ? write_expressions(c, out + used, size - (size_t)used)
                        : write_springs(c, out + used, size - (size_t)used);
    used += snprintf(out + used, size - (size_t)used, "contacts:\n");
    for (int i = 0; i < c->n; i++)
        used +=
            snprintf(out + used, size - (size_t)used,
                     "  c%d: {between: [b%d, ground], law: coulomb, friction: %.17g N, static: %.17g N}\n", i,
                     i, c->friction[i], c->still[i]);
    used += snprintf(out + used, size - (size_t)used, "start:\n");
    for (int i = 0; i < c->n; i++)
        used += snprintf(out + used, size - (size_t)used, "  b%d: {x: %.17g m, v: %.17g m/s}\n", i, c->x[i],
                         c->v[i]);
    assert_true((size_t)used < size);
    return text_model(out);
}

static void test_springs_as_expressions(void** state)
{
    (void)state;
    static run a, b;
    long events = 0;
    for (int seed = 1; seed <= random_count(200); seed++) {
        chain c = draw((uint64_t)seed);
        ss_model *springs = model_of(&c, false), *open = model_of(&c, true);
        char name[32];
        snprintf(name, sizeof name, "seed %d", seed);
        assert_true(ss_model_is_linear(open));
        run_start(&a, springs, NULL, NULL);
        run_start(&b, open, NULL, NULL);
        run_to(&a, 12.0);
        run_to(&b, 12.0);
        assert_int_equal(a.event_count, b.event_count);
        for (int i = 0; i < a.event_count; i++)
            expect_event(&b, i, a.events[i].t, a.events[i].contact, a.events[i].from, a.events[i].to, 2e-12);
        for (int i = 0; i < c.n; i++) {
            expect_near(name, ss_sim_x(b.sim)[i], ss_sim_x(a.sim)[i], 1e-12);
            expect_near(name, ss_sim_v(b.sim)[i], ss_sim_v(a.sim)[i], 1e-12);
        }
        double energy = run_energy_error(&b);
        if (!(energy <= 1e-12)) fail_msg("%s: energy residual %.3g of the energy in play", name, energy);
        events += a.event_count;
        run_stop(&a);
        run_stop(&b);
        ss_model_destroy(springs);
        ss_model_destroy(open);
    }
    assert_true(events > 200);
}

// ---- states

// Two filters in a row, driven by a ramp: s1 = t - T + T e^(-t/T), and s2 likewise in closed form.
static void test_filters(void** state)
{
    (void)state;
    static run m;
    ss_model* model =
        text_model("slipstick: 1\ntitle: filters\ninputs: {u: \"2*t/1 s\"}\n"
                   "states: {one: {rate: (u - one)/(0.5 s)}, two: {rate: (one - two)/(0.5 s), start: 1}}\n"
                   "bodies: {m: {mass: 1 kg}}\nrun: {until: 5 s}\n");
    run_start(&m, model, NULL, NULL);
    for (double t = 0.25; t <= 5.0; t += 0.25) {
        run_to(&m, t);
        double e = exp(-t / 0.5);
        expect_near("one", ss_sim_states(m.sim)[0], 2.0 * (t - 0.5 + 0.5 * e), 1e-14);
        expect_near("two", ss_sim_states(m.sim)[1], 2.0 * (t - 1.0 + (1.0 + t) * e) + e, 2e-14);
        expect_near("input", ss_sim_input(m.sim, 0), 2.0 * t, 1e-15);
    }
    run_stop(&m);
    ss_model_destroy(model);
}

// An integrator that winds up behind a block that sticks is no rest, and the block breaks loose by it:
// ki e0 t = level at t = 8/3, with e0 = 1, kp = 1, ki = 3, level 9.
static void test_winding_up_is_no_rest(void** state)
{
    (void)state;
    static run m;
    ss_model* model = text_model("slipstick: 1\ntitle: wind-up\nbodies: {m: {mass: 1 kg}}\n"
                                 "states: {sum: {rate: 1 m - m.x}}\n"
                                 "forces: [{body: m, force: 1 N/m*(1 m - m.x) + 3 N/(m*s)*sum}]\n"
                                 "contacts: {floor: {between: [m, ground], law: coulomb, friction: 9 N}}\n");
    run_start(&m, model, NULL, NULL);
    run_to(&m, 2.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_near("sum", ss_sim_states(m.sim)[0], 2.0, 1e-14);
    assert_false(ss_sim_settles(m.sim, NULL));
    run_to(&m, 3.0);
    assert_true(m.event_count >= 1);
    expect_event(&m, 0, 8.0 / 3.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-13);
    run_stop(&m);
    ss_model_destroy(model);
}

// A filtered force that stays below the friction never moves the block, and the filter goes to its end; with
// less friction the block breaks loose, and until then nothing settles.
static void test_filters_settle(void** state)
{
    (void)state;
    static run m;
    const char* head =
        "slipstick: 1\ntitle: filter\nbodies: {m: {mass: 1 kg}}\nstates: {u: {rate: (5 N - u)/(0.5 s)}}\n"
        "forces: [{body: m, force: u}]\n";
    for (int level = 4; level <= 6; level += 2) {
        char text[400];
        double limit_x[1];
        snprintf(text, sizeof text, "%scontacts: {c: {between: [m, ground], law: coulomb, friction: %d N}}\n",
                 head, level);
        ss_model* model = text_model(text);
        run_start(&m, model, NULL, NULL);
        run_to(&m, 0.5);
        assert_int_equal(ss_sim_settles(m.sim, limit_x), level == 6);
        if (level == 6) expect_near("limit", ss_sim_limit_states(m.sim)[0], 5.0, 1e-13);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// ---- kinks and levels

// abs(x) as a spring: x'' = -sgn(x), from x = 1/2 to -1/2 and back in 4 s, without any event.
static void test_kink_of_position(void** state)
{
    (void)state;
    static run m;
    ss_model* model = text_model("slipstick: 1\ntitle: kink\nbodies: {m: {mass: 1 kg}}\n"
                                 "potentials: [\"1 N*abs(m.x)\"]\nstart: {m: {x: 0.5 m}}\n");
    run_start(&m, model, NULL, NULL);
    run_to(&m, 1.0);
    expect_near("x at the edge", ss_sim_x(m.sim)[0], 0.0, 1e-15);
    run_to(&m, 2.0);
    expect_near("x on the other side", ss_sim_x(m.sim)[0], -0.5, 1e-14);
    run_to(&m, 41.0);
    expect_near("x after ten swings", ss_sim_x(m.sim)[0], 0.0, 1e-13);
    expect_near("v after ten swings", fabs(ss_sim_v(m.sim)[0]), 1.0, 1e-13);
    assert_true(run_energy_error(&m) <= 1e-12);
    assert_int_equal(m.event_count, 0);
    run_stop(&m);
    ss_model_destroy(model);
}

// A level that the motion makes negative ends the run there, with its field and time.
static void test_level_becomes_negative(void** state)
{
    (void)state;
    ss_model* model =
        text_model("slipstick: 1\ntitle: negative\nbodies: {m: {mass: 1 kg}}\n"
                   "contacts: {floor: {between: [m, ground], law: coulomb, mu: 1, normal: 1 N - 1 N/m*m.x}}\n"
                   "start: {m: {v: 2 m/s}}\n");
    ss_sim* sim = NULL;
    ss_error err;
    ss_outcome outcome;
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    assert_true(ss_sim_advance(sim, 5.0, &outcome, &err) != SS_OK);
    assert_string_equal(err.field, "contacts.floor.normal");
    expect_near("time", ss_sim_time(sim), 0.5 * log(3.0), 1e-9); // x - 1 = (e^t - 3 e^-t)/2
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

// An expression that leaves its numbers is told with its field.
static void test_expression_that_ends(void** state)
{
    (void)state;
    ss_model* model =
        text_model("slipstick: 1\ntitle: ends\nbodies: {m: {mass: 1 kg}}\n"
                   "forces: [{body: m, force: 1 N*sqrt(1 - m.x/1 m)}]\nstart: {m: {v: 2 m/s}}\n");
    ss_sim* sim = NULL;
    ss_error err;
    ss_outcome outcome;
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    assert_true(ss_sim_advance(sim, 5.0, &outcome, &err) != SS_OK);
    assert_string_equal(err.field, "forces[0].force");
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

// -U sign(x) with friction F < U: swings shrink by r = (U - F)/(U + F) in height, so that half swings take
// t0 sqrt(r)^k; they end after finite time, at rest on the edge.
static void test_swings_end_on_an_edge(void** state)
{
    (void)state;
    static run m;
    ss_model* model = text_model("slipstick: 1\ntitle: edge\nbodies: {m: {mass: 2 kg}}\n"
                                 "potentials: [\"5 N*abs(m.x - 0.3 m)\"]\n"
                                 "contacts: {floor: {between: [m, ground], law: coulomb, friction: 1 N}}\n"
                                 "start: {m: {x: 1.3 m}}\n");
    run_start(&m, model, NULL, NULL);
    run_to(&m, 20.0);
    // From a height h the edge is reached after sqrt(2 h m/(U - F)), the next height after sqrt(2 r h m/(U +
    // F)).
    double in = sqrt(2.0 * 2.0 / 4.0), out = sqrt(2.0 * 2.0 / 6.0), r = sqrt(4.0 / 6.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    // Swings below the rounding of the place are not told from rest: the time is known to the root of it.
    expect_near("time", ss_sim_time(m.sim), (in + r * out) / (1.0 - r), 1e-6);
    expect_near("place", ss_sim_x(m.sim)[0], 0.3, 1e-13);
    assert_true(run_energy_error(&m) <= 1e-12);
    run_stop(&m);
    ss_model_destroy(model);
}

// A clutch with one way: shaft and wheel become one at once, by an impact that keeps the momentum; the wheel
// runs ahead as soon as the shaft is braked.
static void test_one_way(void** state)
{
    (void)state;
    static run m;
    ss_model* model = text_model(
        "slipstick: 1\ntitle: one way\nbodies: {a: {inertia: 1 kg*m^2}, b: {inertia: 2 kg*m^2}}\n"
        "forces: [{body: a, force: \"-3 N*m*step(t - 1 s)\"}]\n"
        "contacts: {clutch: {between: [a, b], law: coulomb, friction: {forward: inf, backward: 0 N*m}}}\n"
        "start: {a: {v: 3 rad/s}}\n");
    run_start(&m, model, NULL, NULL);
    expect_near("together", ss_sim_v(m.sim)[0], 1.0, 1e-15);
    expect_near("together", ss_sim_v(m.sim)[1], 1.0, 1e-15);
    run_to(&m, 2.0);
    expect_near("braked", ss_sim_v(m.sim)[0], -2.0, 1e-14);
    expect_near("runs ahead", ss_sim_v(m.sim)[1], 1.0, 1e-15);
    assert_int_equal(m.event_count, 1);
    expect_event(&m, 0, 1.0, 0, SS_MODE_STICK, SS_MODE_SLIP_MINUS, 1e-15);
    expect_near("impact", ss_sim_energy(m.sim).impact, 3.0, 1e-14);
    run_stop(&m);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_as_expressions), cmocka_unit_test(test_filters),
        cmocka_unit_test(test_winding_up_is_no_rest),  cmocka_unit_test(test_kink_of_position),
        cmocka_unit_test(test_level_becomes_negative), cmocka_unit_test(test_expression_that_ends),
        cmocka_unit_test(test_swings_end_on_an_edge),  cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_filters_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
