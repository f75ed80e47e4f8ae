// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives by numbers of model files, over random systems with every law: against differences of
// neighbouring motions that pass the same events.
#include "random_system.h"
#include "share/derivative.h"
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 2048, MOST_PATHS = 4, EVENTS = 512 };

typedef struct kind {
    const char* law; ///< with places for random numbers between 0.5 and 1.5
    const char* paths[MOST_PATHS];
} kind;

static const kind kinds[] = {
    {"coulomb, friction: %.6f", {"contacts.c.friction"}},
    {"coulomb, friction: %.6f, static: 1.9", {"contacts.c.friction", "contacts.c.static"}},
    {"coulomb, friction: \"%.6f N + 0.1 N * sin(2 rad/s * t)\"", {NULL}},
    {"stribeck, coulomb: %.6f, static: 1.8, stribeck_speed: %.6f, viscous: 0.1",
     {"contacts.c.coulomb", "contacts.c.static", "contacts.c.stribeck_speed", "contacts.c.viscous"}},
    {"curve, force: \"1 N + %.6f N * exp(-v / (0.5 m/s))\", static: 2.8", {"contacts.c.static"}},
    {"lugre, sigma0: 300, sigma1: %.6f, sigma2: 0.1, coulomb: %.6f, static: 1.8, stribeck_speed: 0.4",
     {"contacts.c.sigma0", "contacts.c.sigma1", "contacts.c.coulomb", "contacts.c.static"}},
    {"dahl, sigma0: 40, coulomb: %.6f", {"contacts.c.sigma0", "contacts.c.coulomb"}},
    {"elasto-plastic, sigma0: 100, sigma1: 2, sigma2: 0.1, coulomb: %.6f, breakaway: 0.003",
     {"contacts.c.sigma1", "contacts.c.coulomb"}},
    {"maxwell-slip, elements: [[30, 0.4], [%.6f, 0.7]]",
     {"contacts.c.elements[0][0]", "contacts.c.elements[1][1]"}},
    {"gms, elements: [[30, 0.4], [20, 0.6]], coulomb: %.6f, static: 1.6, stribeck_speed: 0.5, attraction: 20",
     {"contacts.c.coulomb", "contacts.c.attraction", "contacts.c.elements[1][0]",
      "contacts.c.stribeck_speed"}},
    {"rigid-stop, above: %.6f, restitution: 0.8", {"contacts.c.above", "contacts.c.restitution"}},
    {"hunt-crossley, above: %.6f, stiffness: 400, exponent: 1.5, alpha: 0.1",
     {"contacts.c.above", "contacts.c.stiffness", "contacts.c.alpha"}},
    {"elastic-stop, above: %.6f, stiffness: 400, damping: 2", {"contacts.c.above", "contacts.c.damping"}},
};

static const char* const common[] = {"bodies.a.mass",
                                     "connections[0].stiffness",
                                     "connections[1].damping",
                                     "parameters.w",
                                     "parameters.f",
                                     "a.x",
                                     "b.v",
                                     "connections[1].length"};

static void write_model(const kind* k, random_source* r, char out[TEXT])
{
    char law[512];
    snprintf(law, sizeof law, k->law, random_between(r, 0.5, 1.5), random_between(r, 0.5, 1.5)); // NOLINT
    snprintf(out, TEXT,
             "slipstick: 1\ntitle: t\nparameters: {w: %.6f rad/s, f: %.6f N}\n"
             "bodies: {a: {mass: %.6f}, b: {mass: %.6f}}\n"
             "connections:\n  - {between: [a, ground], stiffness: %.6f, damping: %.6f}\n"
             "  - {between: [b, a], stiffness: %.6f, damping: 0.2, length: 0.3}\n"
             "forces: [{body: b, force: \"f*cos(w*t)\"}]\n"
             "contacts:\n  c: {between: [a, ground], law: %s}\n"
             "  d: {between: [b, ground], law: coulomb, friction: 0.2}\n"
             "start: {a: {x: %.6f, v: %.6f}, b: {x: %.6f, v: %.6f}}\n",
             random_between(r, 1.0, 4.0), random_between(r, 1.0, 3.0), random_between(r, 0.5, 2.0),
             random_between(r, 0.5, 2.0), random_between(r, 2.0, 10.0), random_between(r, 0.0, 0.4),
             random_between(r, 2.0, 10.0), law, random_between(r, -0.4, 0.4), random_between(r, -2.0, 2.0),
             random_between(r, -0.4, 0.4), random_between(r, -2.0, 2.0));
}

// One body on one contact, which slips far.
static void write_lone_model(const kind* k, random_source* r, char out[TEXT])
{
    char law[512];
    snprintf(law, sizeof law, k->law, random_between(r, 0.5, 1.5), random_between(r, 0.5, 1.5)); // NOLINT
    snprintf(out, TEXT,
             "slipstick: 1\ntitle: t\nbodies: {a: {mass: %.6f}}\n"
             "connections: [{between: [a, ground], stiffness: %.6f}]\n"
             "contacts: {c: {between: [a, ground], law: %s}}\n"
             "start: {a: {x: %.6f, v: %.6f}}\n",
             random_between(r, 0.5, 2.0), random_between(r, 2.0, 10.0), law, random_between(r, -5.0, 0.0),
             random_between(r, -2.0, 2.0));
}

typedef struct passed {
    int contacts[EVENTS];
    ss_mode modes[EVENTS];
    int count;
    double state[4];
} passed;

static void keep(void* user, const ss_event* event)
{
    passed* p = user;
    if (p->count < EVENTS) p->contacts[p->count] = event->contact;
    if (p->count < EVENTS) p->modes[p->count] = event->to;
    p->count++;
}

static bool same(const passed* a, const passed* b)
{
    if (a->count != b->count || a->count > EVENTS) return false;
    size_t count = (size_t)a->count;
    return memcmp(a->contacts, b->contacts, count * sizeof(int)) == 0 &&
           memcmp(a->modes, b->modes, count * sizeof(ss_mode)) == 0;
}

// The motion, with the derivative by a direction where there is one.
static bool go(const ss_model* model, const ss_direction* direction, double until, passed* out, double got[4])
{
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_derivative* derivative = NULL;
    ss_outcome outcome;
    ss_error err = {0};
    out->count = 0;
    def.tolerance = 1e-13;
    def.on_event = keep;
    def.user = out;
    ss_status status = ss_sim_create(model, &def, &sim, &err);
    if (status == SS_OK && direction) status = ss_derivative_create(model, direction, 1, &derivative, &err);
    if (status == SS_OK && direction) status = ss_derivative_attach(derivative, sim, &err);
    if (status == SS_OK) status = ss_sim_advance(sim, until, &outcome, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
    size_t bodies = (size_t)ss_model_body_count(model);
    memset(out->state, 0, sizeof out->state);
    memcpy(out->state, ss_sim_x(sim), bodies * sizeof(double));
    memcpy(out->state + 2, ss_sim_v(sim), bodies * sizeof(double));
    bool exists = !direction || ss_derivative_bodies(derivative, 0, got, got + 2);
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
    return exists;
}

// Compares the derivative by one path; true where neighbours pass the same events.
static bool compare(const char* text, const char* path, double until)
{
    static passed at[5];
    ss_error err = {0};
    ss_document* document;
    ss_model* model;
    ss_path_direction* direction;
    double got[4] = {0}, size = 0.1;
    assert_int_equal(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), SS_OK);
    if (ss_model_create_from_document(document, &model, &err) != SS_OK) fail_msg("%s\n%s", err.text, text);
    if (ss_path_direction_create(document, model, path, until, &direction, &err) != SS_OK)
        fail_msg("%s: %s", path, err.text);
    double value = ss_path_direction_value(direction), h = 3e-6 * fmax(fabs(value), 0.1);
    bool fits = go(model, ss_path_direction_get(direction), until, &at[0], got);
    static const double places[5] = {0.0, -2.0, -1.0, 1.0, 2.0};
    for (int k = 1; k < 5 && fits; k++) {
        char number[40];
        ss_model* other;
        snprintf(number, sizeof number, "%.17g", value + places[k] * h);
        assert_int_equal(ss_document_set(document, path, number, "test", &err), SS_OK);
        assert_int_equal(ss_model_create_from_document(document, &other, &err), SS_OK);
        go(other, NULL, until, &at[k], NULL);
        fits = same(&at[0], &at[k]);
        ss_model_destroy(other);
    }
    for (int i = 0; i < 4; i++) size = fmax(size, fabs(got[i]));
    for (int i = 0; i < 4 && fits; i++) {
        double want =
            (at[1].state[i] - 8.0 * at[2].state[i] + 8.0 * at[3].state[i] - at[4].state[i]) / (12.0 * h);
        if (!(fabs(got[i] - want) <= 1e-5 * size))
            fail_msg("by %s: %.12g, not %.12g\n%s", path, got[i], want, text);
    }
    ss_path_direction_destroy(direction);
    ss_model_destroy(model);
    ss_document_destroy(document);
    return fits;
}

static void test_every_law(void** state)
{
    (void)state;
    int count = random_count(160), compared = 0, tried = 0;
    random_source r = {20261};
    for (int k = 0; k < count; k++) {
        const kind* own = &kinds[(size_t)k % (sizeof kinds / sizeof kinds[0])];
        char text[TEXT];
        int paths = 0;
        while (paths < MOST_PATHS && own->paths[paths]) paths++;
        write_model(own, &r, text);
        double until = random_between(&r, 1.0, 4.0);
        tried += 2;
        compared += compare(text, common[random_integer(&r, 0, 7)], until);
        compared +=
            compare(text, paths > 0 ? own->paths[random_integer(&r, 0, paths - 1)] : "parameters.w", until);
    }
    assert_true(2 * compared >= tried); // others pass events in another order, or have no derivative
}

static void test_lone_mass(void** state)
{
    (void)state;
    static const char* const numbers[] = {"bodies.a.mass", "connections[0].stiffness", "a.x", "a.v"};
    int count = random_count(104), compared = 0, tried = 0;
    random_source r = {51};
    for (int k = 0; k < count; k++) {
        const kind* own = &kinds[(size_t)k % (sizeof kinds / sizeof kinds[0])];
        char text[TEXT];
        write_lone_model(own, &r, text);
        double until = random_between(&r, 2.0, 6.0);
        tried += 1;
        compared += compare(text, numbers[random_integer(&r, 0, 3)], until);
        for (int p = 0; p < MOST_PATHS && own->paths[p]; p++, tried++)
            compared += compare(text, own->paths[p], until);
    }
    assert_true(2 * compared >= tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_law), cmocka_unit_test(test_lone_mass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
