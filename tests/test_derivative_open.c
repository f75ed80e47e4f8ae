// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of open models: forces and rates that are expressions of the motion, and sampled controllers.
// The truth is the difference of neighbouring motions, of the eighth order in the number; events fall
// elsewhere for each of them.
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

enum { MOST = 4 };

typedef struct asked {
    const char* text;  // of the model but for its head
    const char* paths; // divided by blanks
    double until;      // s
} asked;

static void check(ss_status status, const ss_error* err)
{
    if (status != SS_OK) fail_msg("%s: %s", err->field, err->text);
}

// x and v of the first body at the end of the motion of each model of the direction, summed by their weights.
static void difference(const ss_direction* direction, double until, double out[2], double size[2])
{
    ss_sim_def def = ss_sim_def_default();
    ss_error err = {0};
    def.tolerance = 1e-12;
    out[0] = out[1] = size[0] = size[1] = 0.0;
    for (int k = 0; k < direction->model_count; k++) {
        ss_sim* sim = NULL;
        ss_outcome outcome;
        check(ss_sim_create(direction->models[k], &def, &sim, &err), &err);
        check(ss_sim_advance(sim, until, &outcome, &err), &err);
        double end[2] = {ss_sim_x(sim)[0], ss_sim_v(sim)[0]};
        for (int i = 0; i < 2; i++) {
            out[i] += direction->weights[k] * end[i];
            size[i] += fabs(direction->weights[k]) * (fabs(end[i]) + 1e-3);
        }
        ss_sim_destroy(sim);
    }
}

// All directions at once, stopping on the way as often as a plot would, and not at all.
static void compare(const ss_model* model, const ss_direction directions[], int count, double until,
                    int stops)
{
    ss_sim_def def = ss_sim_def_default();
    ss_error err = {0};
    ss_sim* sim = NULL;
    ss_derivative* derivative = NULL;
    ss_outcome outcome;
    double x[8], v[8];
    check(ss_sim_create(model, &def, &sim, &err), &err);
    check(ss_derivative_create(model, directions, count, &derivative, &err), &err);
    check(ss_derivative_attach(derivative, sim, &err), &err);
    for (int k = 1; k <= stops; k++) {
        check(ss_sim_advance(sim, until * k / stops, &outcome, &err), &err);
        for (int j = 0; j < count; j++) assert_true(ss_derivative_bodies(derivative, j, x, v));
    }
    for (int j = 0; j < count; j++) {
        double want[2], size[2];
        difference(&directions[j], until, want, size);
        assert_true(ss_derivative_bodies(derivative, j, x, v));
        double got[2] = {x[0], v[0]};
        for (int i = 0; i < 2; i++)
            if (!(fabs(got[i] - want[i]) <= 1e-7 * fabs(want[i]) + 1e-10 * size[i]))
                fail_msg("%s, %d stops: d%c is %.15g, not %.15g", directions[j].name, stops, i ? 'v' : 'x',
                         got[i], want[i]);
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
}

static void ask(const asked* a)
{
    char text[2000], paths[200];
    ss_error err = {0};
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_path_direction* made[MOST];
    ss_direction directions[MOST];
    int count = 0;
    snprintf(text, sizeof text, "slipstick: 1\ntitle: t\n%s", a->text);
    snprintf(paths, sizeof paths, "%s", a->paths);
    check(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), &err);
    check(ss_model_create_from_document(document, &model, &err), &err);
    for (char* path = strtok(paths, " "); path; path = strtok(NULL, " "), count++) {
        assert_true(count < MOST);
        check(ss_path_direction_create(document, model, path, a->until, &made[count], &err), &err);
        directions[count] = *ss_path_direction_get(made[count]);
    }
    compare(model, directions, count, a->until, 1);
    compare(model, directions, count, a->until, 37);
    for (int j = 0; j < count; j++) ss_path_direction_destroy(made[j]);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// ---- every operation of an expression

// A swing of about 1 rad with an expression as its force; each has the number p in it.
static void test_operations(void** state)
{
    (void)state;
    static const char* const forces[] = {
        "p*sin(a.x)",
        "sin(p*a.x)",
        "cos(a.x + p) - cos(p)",
        "tan(0.5*p*a.x)",
        "tanh(2*p*a.x)",
        "exp(p*a.x) - 1",
        "3*log(3 + p*a.x) - 3*log(3)",
        "3*sqrt(3 + p*a.x) - 3*sqrt(3)",
        "0.3*(3 + p*a.x)^1.7 - 0.3*3^1.7",
        "asin(0.5*p*a.x)",
        "1.6 - acos(0.5*p*a.x)",
        "atan(p*a.x)",
        "2*atan2(p*a.x, 2 + a.x)",
        "hypot(1 + p*a.x, a.v*1 s) - 1",
        "sinh(p*a.x)",
        "0.3*cosh(p*a.x) - 0.3 + a.x",
        "a.x/(3 + p*a.v*1 s)",
        "4*p/3 - 4*p/(3 + a.x)",
        "min(p*a.x, 0.3) + max(a.x, -0.2*p)",
        "abs(a.x - 0.1*p)*a.x + a.x",
        "clip(p*a.x, -0.4, 0.4)",
        "a.x*a.x*a.x*p + a.x*cos(p*a.v*1 s)",
        "a.x + 0.3*sin(p*1 rad/s*t)*a.x*a.x",
        "a.x*(1 + 0.2*p*t*1 Hz) + 0.1*a.x^3",
    };
    for (size_t k = 0; k < sizeof forces / sizeof forces[0]; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 "parameters: {p: 1.1, F: 0.02 N*m}\nbodies: {a: {inertia: 1 kg*m^2}}\n"
                 "forces: [{body: a, force: \"-1 N*m*(%s)\"}]\n"
                 "contacts: {pivot: {between: [a, ground], law: coulomb, friction: F}}\n"
                 "start: {a: {x: 0.9 rad, v: 0.1 rad/s}}\n",
                 forces[k]);
        asked a = {text, "parameters.p parameters.F a.x bodies.a.inertia", 4.7};
        ask(&a);
    }
}

static void test_models(void** state)
{
    (void)state;
    static const asked models[] = {
        // two bodies, one tied by a ratio, a state with a nonlinear rate, a level that follows the motion
        {"parameters: {k: 3 N/m, c: 0.4, f: 0.2 N}\n"
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, b], stiffness: k}, {between: [b, ground], stiffness: 2 N/m}]\n"
         "states: {w: {rate: \"1/s*(sin(a.x*1 rad/m) - c*w)\", start: 0.1}}\n"
         "forces: [{body: b, force: \"-1 N*w*w*w - 1 N*sin(b.x*1 rad/m)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: \"f*(1 + 0.5*cos(w*1 rad))\"}}\n"
         "start: {a: {x: 1 m}, b: {v: 0.5 m/s}}\n",
         "parameters.k parameters.c parameters.f a.x", 9.0},
        {"parameters: {load: 0.5 kg, l: 0.4 m}\n"
         "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
         "potentials: [\"load*9.81 m/s^2*l*(1 - cos(rod.x))\"]\n"
         "contacts: {pivot: {between: [rod, ground], law: coulomb, friction: 0.03 N*m}}\n"
         "start: {rod: {x: 2.5 rad}}\n",
         "parameters.load parameters.l rod.x contacts.pivot.friction", 3.0},
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) ask(&models[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
