// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of motions: closed forms, and differences of neighbouring motions over random systems.
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
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- a motion of a model file with derivatives by paths

enum { PATHS = 4, EVENTS = 64 };

typedef struct moving {
    ss_document* document;
    ss_model* model;
    ss_sim* sim;
    ss_path_direction* paths[PATHS];
    ss_derivative* derivative;
    int count, events;
    double late[EVENTS][PATHS];
} moving;

static void on_event(void* user, const ss_event* event)
{
    moving* m = user;
    for (int j = 0; j < m->count && m->events < EVENTS; j++)
        ss_derivative_event(m->derivative, j, event->contact, &m->late[m->events][j]);
    m->events++;
}

static void check(ss_status status, const ss_error* err)
{
    if (status != SS_OK) fail_msg("%s: %s", err->field, err->text);
}

static void start(moving* m, const char* text, const char* const paths[], int count, double until)
{
    ss_error err = {0};
    ss_outcome outcome;
    *m = (moving){.count = count};
    check(ss_document_parse_yaml("m.yaml", text, strlen(text), &m->document, &err), &err);
    check(ss_model_create_from_document(m->document, &m->model, &err), &err);
    ss_direction directions[PATHS];
    for (int j = 0; j < count; j++) {
        check(ss_path_direction_create(m->document, m->model, paths[j], until, &m->paths[j], &err), &err);
        directions[j] = *ss_path_direction_get(m->paths[j]);
    }
    ss_sim_def def = ss_sim_def_default();
    def.on_event = on_event;
    def.user = m;
    def.tolerance = 1e-12;
    check(ss_sim_create(m->model, &def, &m->sim, &err), &err);
    check(ss_derivative_create(m->model, directions, count, &m->derivative, &err), &err);
    check(ss_derivative_attach(m->derivative, m->sim, &err), &err);
    check(ss_sim_advance(m->sim, until, &outcome, &err), &err);
}

static void end(moving* m)
{
    ss_derivative_destroy(m->derivative);
    for (int j = 0; j < m->count; j++) ss_path_direction_destroy(m->paths[j]);
    ss_sim_destroy(m->sim);
    ss_model_destroy(m->model);
    ss_document_destroy(m->document);
}

static void expect(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g, not %.17g", got, want);
}

// A block slides to rest after v^2 / (2 mu g), at v / (mu g); its friction force does not change with v.
static void test_sliding_to_rest(void** state)
{
    (void)state;
    static const char* const paths[] = {"parameters.mu", "block.v", "bodies.block.mass"};
    const double mu = 0.3, g = 9.81, v = 2.0;
    double x, speed, force;
    moving m;
    start(&m,
          "slipstick: 1\ntitle: t\nparameters: {mu: 0.3, g: 9.81 m/s^2}\nbodies: {block: {mass: 2 kg}}\n"
          "contacts: {floor: {between: [block, ground], law: coulomb, mu: mu, normal: 2 kg * g}}\n"
          "start: {block: {v: 2 m/s}}\n",
          paths, 3, 3.0);
    assert_int_equal(m.events, 1);
    assert_true(ss_derivative_bodies(m.derivative, 0, &x, &speed));
    expect(x, -v * v / (2.0 * mu * mu * g), 1e-12);
    expect(speed, 0.0, 1e-14);
    expect(m.late[0][0], -v / (mu * mu * g), 1e-12);
    assert_true(ss_derivative_bodies(m.derivative, 1, &x, &speed));
    expect(x, v / (mu * g), 1e-12);
    expect(m.late[0][1], 1.0 / (mu * g), 1e-12);
    assert_true(ss_derivative_bodies(m.derivative, 2, &x, &speed)); // the normal force is given
    expect(x, v * v / (4.0 * mu * g), 1e-12);
    assert_true(ss_derivative_forces(m.derivative, 0, &force));
    expect(force, 0.0, 1e-12); // nothing pulls at it
    end(&m);
}

// A block under sin(t) slips from asin F, in stick before and after, to where cos(asin F) - cos(t) has become
// F (t - asin F): its speed changes by -(t - asin F) with F, its place by half of the square of that.
static void test_slip_between_two_phases_of_stick(void** state)
{
    (void)state;
    static const char* const paths[] = {"parameters.F", "block.x"};
    for (int k = 0; k < 30; k++) {
        double F = 0.82 + 0.005 * k, from = asin(F), low = from + 0.1, high = 3.14, x, speed;
        char text[512];
        moving m;
        while (cos(from) - cos(low) < F * (low - from)) low = from + 0.5 * (low - from);
        for (int round = 0; round < 60; round++) {
            double t = 0.5 * (low + high);
            *(cos(from) - cos(t) > F * (t - from) ? &low : &high) = t;
        }
        snprintf(text, sizeof text,
                 "slipstick: 1\ntitle: t\nparameters: {F: %.17g N}\nbodies: {block: {mass: 1 kg}}\n"
                 "forces: [{body: block, force: 1 N * sin(1 rad/s * t)}]\n"
                 "contacts: {floor: {between: [block, ground], law: coulomb, friction: F}}\n",
                 F);
        start(&m, text, paths, 2, 3.14);
        assert_int_equal(m.events, 2);
        assert_true(ss_derivative_bodies(m.derivative, 0, &x, &speed));
        expect(x, -0.5 * (low - from) * (low - from), 1e-9);
        expect(speed, 0.0, 1e-14);
        assert_true(ss_derivative_bodies(m.derivative, 1, &x, &speed));
        expect(x, 1.0, 1e-12);
        end(&m);
    }
}

// A ball is dropped from a height onto a plate: it strikes at sqrt(2 h / g) and rises to e^2 h.
static void test_bounce(void** state)
{
    (void)state;
    static const char* const paths[] = {"ball.x", "contacts.plate.restitution", "contacts.plate.below"};
    const double g = 9.81, h = 1.0, e = 0.8, t = sqrt(2.0 * h / g), v = g * t, until = t * (1.0 + e);
    double x, speed;
    moving m;
    start(&m,
          "slipstick: 1\ntitle: t\nbodies: {ball: {mass: 3 kg}}\n"
          "forces: [{body: ball, force: -3 kg * 9.81 m/s^2}]\n"
          "contacts: {plate: {between: [ball, ground], law: rigid-stop, below: 0 m, restitution: 0.8}}\n"
          "start: {ball: {x: 1 m}}\n",
          paths, 3, until);
    // After the blow x = e v s - g s^2 / 2, s the time since, v = sqrt(2 g h): at its top s = e v / g.
    double late = 1.0 / v, s = until - t; // d t / d h
    expect(m.late[0][0], late, 1e-12);
    assert_true(ss_derivative_bodies(m.derivative, 0, &x, &speed));
    expect(x, e * (g / v) * s - (e * v - g * s) * late, 1e-12);
    expect(speed, e * (g / v) + g * late, 1e-12);
    assert_true(ss_derivative_bodies(m.derivative, 1, &x, &speed));
    expect(x, v * s, 1e-12);
    expect(speed, v, 1e-12);
    expect(m.late[0][1], 0.0, 1e-14);
    assert_true(ss_derivative_bodies(m.derivative, 2, &x, &speed)); // a higher plate is a lower drop
    expect(m.late[0][2], -1.0 / v, 1e-12);
    expect(x, 1.0 - (e * (g / v) * s - (e * v - g * s) * late), 1e-12);
    end(&m);
}

// A swing that just reaches a stop has a derivative before, and none after.
static void test_touch(void** state)
{
    (void)state;
    static const char* const paths[] = {"ball.x"};
    static const char text[] =
        "slipstick: 1\ntitle: t\nbodies: {ball: {mass: 1 kg}}\n"
        "connections: [{between: [ball, ground], stiffness: 1 N/m}]\n"
        "contacts: {stop: {between: [ball, ground], law: rigid-stop, above: 1 m, restitution: 0.5}}\n"
        "start: {ball: {x: -1 m}}\n";
    double x, v;
    moving m;
    start(&m, text, paths, 1, 2.0);
    assert_true(ss_derivative_bodies(m.derivative, 0, &x, &v));
    expect(x, cos(2.0), 1e-13);
    expect(v, -sin(2.0), 1e-13);
    end(&m);
    start(&m, text, paths, 1, 5.0);
    assert_false(ss_derivative_bodies(m.derivative, 0, &x, &v));
    assert_true(isnan(x) && isnan(v));
    end(&m);
}

// What is no number of the motion is refused, with the path.
static void test_refuses(void** state)
{
    (void)state;
    static const char* const paths[] = {"parameters.nope", "title",     "bodies",
                                        "forces[0].force", "run.until", "contacts.floor.law"};
    static const char text[] = "slipstick: 1\ntitle: t\nbodies: {b: {mass: 1 kg}}\n"
                               "forces: [{body: b, force: \"sin(t)\"}]\n"
                               "contacts: {floor: {between: [b, ground], law: coulomb, friction: 1 N}}\n";
    ss_error err = {0};
    ss_document* document;
    ss_model* model;
    check(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), &err);
    check(ss_model_create_from_document(document, &model, &err), &err);
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        ss_path_direction* direction;
        assert_int_equal(ss_path_direction_create(document, model, paths[k], 1.0, &direction, &err),
                         SS_BAD_INPUT);
        assert_null(direction);
        assert_non_null(strstr(err.origin, paths[k]));
    }
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// ---- differences of neighbouring motions

typedef struct logged {
    ss_event events[1024];
    int count;
} logged;

static void keep(void* user, const ss_event* event)
{
    logged* log = user;
    if (log->count < 1024) log->events[log->count] = *event;
    log->count++;
}

static bool same_order(const logged* a, const logged* b)
{
    if (a->count != b->count || a->count > 1024) return false;
    for (int k = 0; k < a->count; k++)
        if (a->events[k].contact != b->events[k].contact || a->events[k].to != b->events[k].to) return false;
    return true;
}

// The end of the motion from a start; false where it does not get there.
static bool end_of(const ss_model* model, const double x[], const double v[], double until, logged* log,
                   double out[])
{
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim;
    ss_outcome outcome;
    ss_error err;
    log->count = 0;
    def.on_event = keep;
    def.user = log;
    def.start_x = x;
    def.start_v = v;
    def.tolerance = 1e-12;
    if (ss_sim_create(model, &def, &sim, &err) != SS_OK) return false;
    bool there = ss_sim_advance(sim, until, &outcome, &err) == SS_OK &&
                 (outcome == SS_TIME_REACHED || outcome == SS_AT_REST);
    int bodies = ss_model_body_count(model);
    memcpy(out, ss_sim_x(sim), (size_t)bodies * sizeof(double));
    memcpy(out + bodies, ss_sim_v(sim), (size_t)bodies * sizeof(double));
    ss_sim_destroy(sim);
    return there;
}

// Compares one random direction of one system with differences; true where they could be compared.
static bool compare(random_system* system, const ss_model* model, random_source* source)
{
    static logged log[5];
    int bodies = system->bodies;
    double dx[PEER_MAX] = {0}, dv[PEER_MAX] = {0}, y[PEER_MAX] = {0}, out[5][2 * PEER_MAX], got[2 * PEER_MAX];
    for (int i = 0; i < bodies; i++) y[i] = random_between(source, -1.0, 1.0);
    random_system_expand(system, y, true, dx);
    for (int i = 0; i < bodies; i++) y[i] = random_between(source, -1.0, 1.0);
    random_system_expand(system, y, true, dv);
    const double h = 1e-5;
    static const double places[5] = {0.0, -2.0, -1.0, 1.0, 2.0};
    for (int k = 0; k < 5; k++) {
        double x[PEER_MAX], v[PEER_MAX];
        for (int b = 0; b < bodies; b++) {
            x[b] = system->x[b] + places[k] * h * dx[b];
            v[b] = system->v[b] + places[k] * h * dv[b];
        }
        if (!end_of(model, x, v, system->until, &log[k], out[k]) || !same_order(&log[0], &log[k]))
            return false;
    }
    ss_direction direction = {.x = dx, .v = dv};
    ss_derivative* derivative;
    ss_sim* sim;
    ss_outcome outcome;
    ss_error err = {0};
    ss_sim_def def = ss_sim_def_default();
    def.start_x = system->x;
    def.start_v = system->v;
    def.tolerance = 1e-12;
    check(ss_sim_create(model, &def, &sim, &err), &err);
    check(ss_derivative_create(model, &direction, 1, &derivative, &err), &err);
    check(ss_derivative_attach(derivative, sim, &err), &err);
    check(ss_sim_advance(sim, system->until, &outcome, &err), &err);
    bool exists = ss_derivative_bodies(derivative, 0, got, got + bodies);
    double size = 1.0;
    for (int b = 0; b < 2 * bodies; b++) size = fmax(size, fabs(got[b]));
    for (int b = 0; b < 2 * bodies && exists; b++) {
        double want = (out[1][b] - 8.0 * out[2][b] + 8.0 * out[3][b] - out[4][b]) / (12.0 * h);
        expect(got[b], want, 3e-6 * size);
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
    return exists;
}

static void test_random_starts(void** state)
{
    (void)state;
    int compared = 0, count = random_count(140);
    random_source source = {4711};
    for (int k = 0; k < count; k++) {
        random_system* system = malloc(sizeof *system);
        assert_non_null(system);
        random_system_make(system, (random_kind)(k % RANDOM_KINDS), (uint64_t)(900 + k));
        system->until = fmin(system->until, 6.0);
        ss_model* model = random_system_model(system);
        compared += compare(system, model, &source);
        ss_model_destroy(model);
        free(system);
    }
    assert_true(3 * compared >= count); // the others pass events in another order nearby
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_to_rest), cmocka_unit_test(test_slip_between_two_phases_of_stick),
        cmocka_unit_test(test_bounce),          cmocka_unit_test(test_touch),
        cmocka_unit_test(test_refuses),         cmocka_unit_test(test_random_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
