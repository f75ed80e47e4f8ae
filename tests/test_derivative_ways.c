// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives go through a step the way the motion does: by series on which laws bend, at the nodes of stiff
// steps, with speed-clock steps, element by element. Whichever it is, they are the differences of
// neighbouring motions, and the same whether somebody asks for them on the way or not.
#include "engine/sensitivity/sensitivity.h"
#include "share/derivative.h"
#include "slipstick/derivative.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 1200, MOST_PATHS = 8, STOPS = 5, MOST_BODIES = 3 };

typedef struct kind {
    const char *law, *start;
    double until; // s: before the last swings, in which neighbours pass other events
    const char* paths[MOST_PATHS];
} kind;

static const char swings[] = "start: {a: {x: 5 m}}\n", slides[] = "start: {a: {v: 1.5 m/s}}\n",
                  bounces[] = "start: {a: {x: -1 m}}\n";

static const kind kinds[] = {
    {"stribeck, coulomb: 0.7 N, static: 1 N, stribeck_speed: 0.3 m/s, shape: 2, viscous: 0.05 N*s/m",
     swings,
     7.0,
     {"contacts.c.coulomb", "contacts.c.static", "contacts.c.stribeck_speed", "contacts.c.viscous",
      "contacts.c.shape"}},
    {"stribeck, coulomb: 0.7 N, static: 1 N, stribeck_speed: 0.3 m/s, shape: 1",
     swings,
     7.0,
     {"contacts.c.static", "contacts.c.stribeck_speed"}},
    {"stribeck, coulomb: 0.7 N, static: 1 N, stribeck_speed: 0.3 m/s, shape: 3",
     swings,
     7.0,
     {"contacts.c.static", "contacts.c.stribeck_speed"}},
    {"stribeck, coulomb: 0.7 N, static: 1 N, stribeck_speed: 0.3 m/s, shape: 4",
     swings,
     7.0,
     {"contacts.c.static", "contacts.c.stribeck_speed"}},
    {"stribeck, coulomb: 0.7 N, static: 1 N, stribeck_speed: 0.3 m/s, shape: 1.5",
     swings,
     7.0,
     {"contacts.c.static", "contacts.c.shape"}},
    {"curve, force: \"0.6 N + 0.4 N*exp(-v/(0.3 m/s))\", static: 1.1 N", swings, 7.0, {"contacts.c.static"}},
    {"curve, force: \"F + G*exp(-v/V) + 0.05 N*s/m*v\", static: 1.1 N",
     swings,
     7.0,
     {"parameters.F", "parameters.G", "parameters.V"}},
    {"curve, force: \"F + G/(1 + (v/V)^2)^1.5 + 0.1 N*max(0, v/V - 4)\", static: 1.1 N",
     swings,
     7.0,
     {"parameters.F", "parameters.G", "parameters.V"}},
    {"curve, force: \"F + G*(v/(1 m/s))^1.5\"", swings, 5.0, {"parameters.F", "parameters.G"}},
    {"curve, force: {forward: {table: [[0 m/s, 1 N], [V, F], [2 m/s, 0.5 N]]}, backward: \"F + "
     "G*tanh(v/V)\"}",
     swings,
     5.0,
     {"parameters.F", "parameters.G", "parameters.V"}},
    {"lugre, sigma0: 1e3 N/m, sigma1: 10 N*s/m, sigma2: 0.1 N*s/m, coulomb: 1 N, static: 1.5 N, "
     "stribeck_speed: 0.1 m/s, shape: 2",
     swings,
     5.0,
     {"contacts.c.sigma0", "contacts.c.sigma1", "contacts.c.sigma2", "contacts.c.coulomb",
      "contacts.c.static", "contacts.c.stribeck_speed", "contacts.c.shape"}},
    {"lugre, sigma0: 100 N/m, sigma1: 2 N*s/m, sigma2: 0.1 N*s/m, coulomb: 1 N",
     slides,
     1.6,
     {"contacts.c.sigma0", "contacts.c.sigma1", "contacts.c.sigma2"}},
    {"dahl, sigma0: 1e3 N/m, coulomb: 1 N", swings, 5.0, {"contacts.c.sigma0", "contacts.c.coulomb"}},
    {"dahl, sigma0: 50 N/m, coulomb: 1 N, shape: 2",
     slides,
     1.6,
     {"contacts.c.sigma0", "contacts.c.coulomb", "contacts.c.shape"}},
    {"elasto-plastic, sigma0: 1e3 N/m, sigma1: 10 N*s/m, sigma2: 0.1 N*s/m, coulomb: 1 N, breakaway: 0.5 mm",
     swings,
     5.0,
     {"contacts.c.sigma0", "contacts.c.sigma1", "contacts.c.breakaway"}},
    {"elasto-plastic, sigma0: 100 N/m, sigma1: 2 N*s/m, sigma2: 0.1 N*s/m, coulomb: 1 N, static: 1.3 N, "
     "stribeck_speed: 0.3 m/s, breakaway: 4 mm",
     slides,
     1.6,
     {"contacts.c.sigma0", "contacts.c.coulomb", "contacts.c.static", "contacts.c.stribeck_speed",
      "contacts.c.breakaway"}},
    {"maxwell-slip, elements: [[30 N/m, 0.4 N], [20 N/m, 0.6 N]]",
     swings,
     6.0,
     {"contacts.c.elements[0][0]", "contacts.c.elements[1][1]"}},
    {"gms, elements: [[300 N/m, 0.4], [200 N/m, 0.6]], coulomb: 1 N, static: 1.5 N, stribeck_speed: 0.1 m/s, "
     "attraction: 20 N/s, viscous: 0.1 N*s/m",
     swings,
     5.0,
     {"contacts.c.coulomb", "contacts.c.static", "contacts.c.stribeck_speed", "contacts.c.attraction",
      "contacts.c.viscous", "contacts.c.elements[0][0]"}},
    {"gms, elements: [[30 N/m, 0.4], [20 N/m, 0.6]], coulomb: 1 N, attraction: 20 N/s",
     slides,
     1.6,
     {"contacts.c.attraction", "contacts.c.elements[1][0]"}},
    {"hunt-crossley, above: 0.2 m, stiffness: 400 N/m^1.5, exponent: 1.5, alpha: 0.1 s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.alpha"}},
    {"hunt-crossley, above: 0.2 m, stiffness: 400 N/m^2.5, exponent: 2.5, alpha: 0.1 s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.alpha"}},
    {"hunt-crossley, above: 0.2 m, stiffness: 400 N/m^2, exponent: 2, alpha: 0.1 s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.alpha"}},
    {"hunt-crossley, above: 0.2 m, stiffness: 400 N/m^4, exponent: 4, alpha: 0.1 s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.alpha"}},
    {"hunt-crossley, above: 0.2 m, stiffness: 400 N/m^1.7, exponent: 1.7, alpha: 0.1 s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.alpha"}},
    {"elastic-stop, above: 0.2 m, stiffness: 400 N/m, damping: 2 N*s/m",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.damping"}},
    {"elastic-stop, above: 0.2 m, stiffness: 400 N/m^1.5, exponent: 1.5, damping: 2 N*s/m, limited: true",
     bounces,
     6.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.exponent", "contacts.c.damping"}},
    {"elastic-stop, below: 0.2 m, stiffness: 400 N/m^3, exponent: 3",
     swings,
     5.0,
     {"contacts.c.below", "contacts.c.stiffness"}},
    {"hunt-crossley, above: 0.5 m, stiffness: 20 N/m^1.5, exponent: 1.5, alpha: 0.3 s/m", // thrown out
     swings,
     4.0,
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.alpha"}},
};

static const char* const common[] = {"bodies.a.mass", "connections[0].stiffness", "a.x"};

static void check(ss_status status, const ss_error* err)
{
    if (status != SS_OK) fail_msg("%s: %s", err->field, err->text);
}

static void advance(ss_sim* sim, double until)
{
    ss_error err = {0};
    ss_outcome outcome;
    check(ss_sim_advance(sim, until, &outcome, &err), &err);
}

// A run, with the derivative where a direction is given.
static ss_sim* begin(const ss_model* model, const ss_direction* direction, double tolerance,
                     ss_derivative** derivative)
{
    ss_error err = {0};
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    def.ledger = false;
    def.tolerance = tolerance;
    check(ss_sim_create(model, &def, &sim, &err), &err);
    if (direction) check(ss_derivative_create(model, direction, 1, derivative, &err), &err);
    if (direction) check(ss_derivative_attach(*derivative, sim, &err), &err);
    return sim;
}

// How place and speed of the first body change.
static void first_body(ss_derivative* derivative, int direction, double out[2])
{
    double x[MOST_BODIES], v[MOST_BODIES];
    assert_true(ss_derivative_bodies(derivative, direction, x, v));
    out[0] = x[0];
    out[1] = v[0];
}

static void derivative_at(const ss_model* model, const ss_direction* direction, double until, double out[2])
{
    ss_derivative* derivative = NULL;
    ss_sim* sim = begin(model, direction, 1e-10, &derivative);
    advance(sim, until);
    first_body(derivative, 0, out);
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
}

static void difference_at(const ss_direction* direction, double until, double out[2])
{
    out[0] = direction->x ? NAN : 0.0;
    out[1] = out[0];
    for (int k = 0; k < direction->model_count; k++) {
        ss_sim* sim = begin(direction->models[k], NULL, 1e-12, NULL);
        advance(sim, until);
        out[0] += direction->weights[k] * ss_sim_x(sim)[0];
        out[1] += direction->weights[k] * ss_sim_v(sim)[0];
        ss_sim_destroy(sim);
    }
}

static void expect(const char* what, const char* text, const char* path, const double got[2],
                   const double want[2], double tolerance)
{
    double size = 1e-2 + fabs(want[0]) + fabs(want[1]);
    for (int i = 0; i < 2; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * size))
            fail_msg("%s, by %s: %.14g, not %.14g\n%s", what, path, got[i], want[i], text);
}

// On the way, too: each answer is that of a run which was asked for it alone.
static void ask_on_the_way(const char* text, const char* path, const ss_model* model,
                           const ss_direction* direction, double until)
{
    ss_derivative* derivative = NULL;
    ss_sim* sim = begin(model, direction, 1e-10, &derivative);
    for (int k = 1; k <= STOPS; k++) {
        double got[2], want[2], t = until * k / STOPS;
        advance(sim, t);
        first_body(derivative, 0, got);
        derivative_at(model, direction, t, want);
        expect("on the way", text, path, got, want, 1e-8);
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
}

static void read_model(const char* text, ss_document** document, ss_model** model)
{
    ss_error err = {0};
    check(ss_document_parse_yaml("m.yaml", text, strlen(text), document, &err), &err);
    check(ss_model_create_from_document(*document, model, &err), &err);
}

static void write_model(const kind* k, char text[TEXT])
{
    snprintf(text, TEXT,
             "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1 kg}}\n"
             "parameters: {F: 0.6 N, G: 0.4 N, V: 0.3 m/s}\n"
             "connections: [{between: [a, ground], stiffness: 2 N/m, damping: 0.01 N*s/m}]\n"
             "contacts: {c: {between: [a, ground], law: %s}}\n%s",
             k->law, k->start);
}

static void compare_text(const char* text, const char* path, double until)
{
    ss_error err = {0};
    ss_document* document;
    ss_model* model;
    ss_path_direction* from;
    double got[2], want[2];
    read_model(text, &document, &model);
    check(ss_path_direction_create(document, model, path, until, &from, &err), &err);
    const ss_direction* direction = ss_path_direction_get(from);
    derivative_at(model, direction, until, got);
    if (direction->model_count > 0 && !direction->x && !direction->v) {
        difference_at(direction, until, want);
        expect("at the end", text, path, got, want, 1e-7);
    }
    ask_on_the_way(text, path, model, direction, until);
    ss_path_direction_destroy(from);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

static void compare(const kind* k, const char* path)
{
    char text[TEXT];
    write_model(k, text);
    compare_text(text, path, k->until);
}

static void test_every_way(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (int p = 0; p < MOST_PATHS && kinds[k].paths[p]; p++) compare(&kinds[k], kinds[k].paths[p]);
        for (size_t p = 0; p < sizeof common / sizeof common[0]; p++) compare(&kinds[k], common[p]);
    }
}

// Several directions in one run: by the law, by a mass, by the start, each as if it were alone.
static void compare_together(const kind* k)
{
    enum { COUNT = 3 };
    const char* paths[COUNT] = {k->paths[0], "bodies.a.mass", "a.x"};
    char text[TEXT];
    ss_error err = {0};
    ss_document* document;
    ss_model* model;
    ss_path_direction* from[COUNT];
    ss_direction directions[COUNT];
    ss_derivative* derivative = NULL;
    write_model(k, text);
    read_model(text, &document, &model);
    for (int j = 0; j < COUNT; j++) {
        check(ss_path_direction_create(document, model, paths[j], k->until, &from[j], &err), &err);
        directions[j] = *ss_path_direction_get(from[j]);
    }
    ss_sim* sim = begin(model, NULL, 1e-10, NULL);
    check(ss_derivative_create(model, directions, COUNT, &derivative, &err), &err);
    check(ss_derivative_attach(derivative, sim, &err), &err);
    advance(sim, k->until);
    for (int j = 0; j < COUNT; j++) {
        double got[2], want[2];
        first_body(derivative, j, got);
        derivative_at(model, &directions[j], k->until, want);
        expect("together", text, paths[j], got, want, 1e-8);
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
    for (int j = 0; j < COUNT; j++) ss_path_direction_destroy(from[j]);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

static void test_several_at_once(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) compare_together(&kinds[k]);
}

// The clock of a stop with other bodies and laws beside it: all of them go by it.
static void test_a_clock_for_all(void** state)
{
    static const char text[] =
        "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1 kg}, b: {mass: 0.7 kg}, belt: {speed: 0.1 m/s}}\n"
        "connections:\n  - {between: [a, ground], stiffness: 2 N/m, damping: 0.01 N*s/m}\n"
        "  - {between: [b, ground], stiffness: 3 N/m, length: 0.4 m}\n"
        "contacts:\n"
        "  hit: {between: [b, a], law: hunt-crossley, below: 0.1 m, stiffness: 300 N/m^1.5, exponent: 1.5, "
        "alpha: 0.1 s/m}\n"
        "  wall: {between: [a, belt], law: elastic-stop, below: -0.6 m, stiffness: 200 N/m^1.5, exponent: "
        "1.5, damping: 1 N*s/m}\n"
        "  pad: {between: [a, belt], law: stribeck, coulomb: 0.1 N, static: 0.14 N, stribeck_speed: 0.3 "
        "m/s}\n"
        "  floor: {between: [b, ground], law: coulomb, friction: 0.05 N}\n"
        "start: {a: {x: -0.5 m, v: 1 m/s}, b: {x: 0.6 m, v: -0.5 m/s}}\n";
    static const char* const paths[] = {
        "bodies.a.mass",       "connections[0].stiffness", "connections[1].length",
        "contacts.hit.below",  "contacts.hit.stiffness",   "contacts.wall.damping",
        "contacts.pad.static", "contacts.floor.friction",  "bodies.belt.speed",
        "contacts.hit.alpha",  "contacts.wall.exponent",   "contacts.wall.below"};
    (void)state;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) compare_text(text, paths[p], 2.5);
}

// At how many of 500 looks, evenly spread up to a time in s, sensitivities have left the steps of the motion.
static int looks_off_the_steps(const char* text, const char* const paths[2], double until)
{
    enum { COUNT = 2, LOOKS = 500 };
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_path_direction* from[COUNT];
    ss_direction directions[COUNT];
    ss_derivative* derivative = NULL;
    ss_sim* sim = NULL;
    ss_error err;
    check(ss_document_parse_yaml("t", text, strlen(text), &document, &err), &err);
    check(ss_model_create_from_document(document, &model, &err), &err);
    for (int j = 0; j < COUNT; j++) {
        check(ss_path_direction_create(document, model, paths[j], until, &from[j], &err), &err);
        directions[j] = *ss_path_direction_get(from[j]);
    }
    check(ss_derivative_create(model, directions, COUNT, &derivative, &err), &err);
    check(ss_sim_create(model, NULL, &sim, &err), &err);
    check(ss_derivative_attach(derivative, sim, &err), &err);
    int left = 0;
    for (int k = 1; k <= LOOKS; k++) {
        double x, v;
        advance(sim, until * k / LOOKS);
        ss_derivative_bodies(derivative, 0, &x, &v);
        left += !derivative->along.has_series && !derivative->along.has_nodes;
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
    for (int j = 0; j < COUNT; j++) ss_path_direction_destroy(from[j]);
    ss_model_destroy(model);
    ss_document_destroy(document);
    return left;
}

// Changes of bristles that slip steadily fade into the noise of the motion; that is no reason to leave the
// steps of the motion, which are good enough for all else. The second model slips far, and what its bristles
// have changed by was most on steps of series.
static void test_faded_changes(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1 kg}}\n"
        "connections: [{between: [a, ground], stiffness: 200 N/m}]\n"
        "contacts: {c: {between: [a, ground], law: lugre, sigma0: 2e4 N/m, sigma1: 20 N*s/m, sigma2: 0.6 "
        "N*s/m, coulomb: 0.4 N, static: 0.6 N, stribeck_speed: 0.05 m/s}}\nstart: {a: {x: 30 mm}}\n",
        "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1 kg}}\n"
        "connections: [{between: [a, ground], stiffness: 2 N/m}]\n"
        "contacts: {c: {between: [a, ground], law: lugre, sigma0: 1e3 N/m, sigma1: 10 N*s/m, sigma2: 0.1 "
        "N*s/m, coulomb: 1 N, static: 1.5 N, stribeck_speed: 0.1 m/s}}\nstart: {a: {x: 5 m}}\n"};
    static const char* const paths[][2] = {{"contacts.c.sigma2", "contacts.c.static"},
                                           {"connections[0].stiffness", "bodies.a.mass"}};
    assert_in_range(looks_off_the_steps(texts[0], paths[0], 2.0), 0, 50);
    assert_in_range(looks_off_the_steps(texts[1], paths[1], 6.0), 0, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way), cmocka_unit_test(test_a_clock_for_all),
        cmocka_unit_test(test_several_at_once), cmocka_unit_test(test_faded_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
