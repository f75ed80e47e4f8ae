// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of open models: forces and rates that are expressions of the motion, and sampled controllers.
// The truth is the difference of neighbouring motions; events fall elsewhere for each of them.
#include "derivative_rig.h"
#include "share/derivative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
        "asinh(2*p*a.x)",
        "acosh(3 + p*a.x) - acosh(3)",
        "atanh(0.3*p*a.x)",
        "2*log1p(0.5*p*a.x)",
        "expm1(p*a.x)",
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
        derivative_asked a = {
            text,
            {{"parameters.p", 1.1}, {"parameters.F", 0.02}, {"start.a.x", 0.9}, {"bodies.a.inertia", 1.0}},
            4.7};
        derivative_ask(&a);
    }
}

static void test_models(void** state)
{
    (void)state;
    static const derivative_asked models[] = {
        // two bodies, one tied by a ratio, a state with a nonlinear rate, a level that follows the motion
        {"parameters: {k: 3 N/m, c: 0.4, f: 0.2 N}\n"
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, b], stiffness: k}, {between: [b, ground], stiffness: 2 N/m}]\n"
         "states: {w: {rate: \"1/s*(sin(a.x*1 rad/m) - c*w)\", start: 0.1}}\n"
         "forces: [{body: b, force: \"-1 N*w*w*w - 1 N*sin(b.x*1 rad/m)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: \"f*(1 + 0.5*cos(w*1 rad))\"}}\n"
         "start: {a: {x: 1 m}, b: {v: 0.5 m/s}}\n",
         {{"parameters.k", 3.0}, {"parameters.c", 0.4}, {"parameters.f", 0.2}, {"start.a.x", 1.0}},
         9.0},
        {"parameters: {load: 0.5 kg, l: 0.4 m}\n"
         "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
         "potentials: [\"load*9.81 m/s^2*l*(1 - cos(rod.x))\"]\n"
         "contacts: {pivot: {between: [rod, ground], law: coulomb, friction: 0.03 N*m}}\n"
         "start: {rod: {x: 2.5 rad}}\n",
         {{"parameters.load", 0.5},
          {"parameters.l", 0.4},
          {"start.rod.x", 2.5},
          {"contacts.pivot.friction", 0.03}},
         3.0},
        // beside laws that bend: without a state, and with one
        {"parameters: {load: 0.5 kg, S: 0.05 N*m, V: 0.5 rad/s}\n"
         "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
         "potentials: [\"load*9.81 m/s^2*0.4 m*(1 - cos(rod.x))\"]\n"
         "contacts: {pivot: {between: [rod, ground], law: stribeck, coulomb: 0.03 N*m, static: S, "
         "stribeck_speed: V}}\n"
         "start: {rod: {x: 2.5 rad}}\n",
         {{"parameters.load", 0.5}, {"parameters.S", 0.05}, {"start.rod.x", 2.5}, {"parameters.V", 0.5}},
         3.0},
        {"parameters: {k: 3 N/m, p: 0.7 N, F: 0.4 N, M: 1 kg}\n"
         "bodies: {a: {mass: M}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, b], stiffness: k}, {between: [b, ground], stiffness: 2 N/m}]\n"
         "states: {w: {rate: \"1/s*(sin(b.x*1 rad/m) - w)\", start: 0.1}}\n"
         "forces: [{body: a, force: \"-p*sin(a.x*2 rad/m) - 0.3 N*w*w\"}]\n"
         "contacts: {floor: {between: [a, ground], law: lugre, sigma0: 40 N/m, sigma1: 1 N*s/m, sigma2: 0.1 "
         "N*s/m, coulomb: F, static: 0.6 N, stribeck_speed: 0.4 m/s}}\n"
         "start: {a: {x: 2 m}, b: {v: 0.5 m/s}}\n",
         {{"parameters.k", 3.0}, {"parameters.p", 0.7}, {"parameters.F", 0.4}, {"parameters.M", 1.0}},
         5.0},
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) derivative_ask(&models[k]);
}

// Forces of time whose means, amplitudes, phases and frequencies change; constant ones beside all the rest.
static void test_forced(void** state)
{
    (void)state;
    static const derivative_asked models[] = {
        {"parameters: {A: 1 N, B: 0.3 N, p: 0.4, w: 1.5 rad/s}\n"
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, ground], stiffness: 1 N/m}, {between: [a, b], stiffness: 2 N/m}]\n"
         "forces: [{body: a, force: \"B + A*cos(1.5 rad/s*t + p)\"}, {body: b, force: "
         "\"A*sin(0.7 rad/s*t) + 0.2 N*cos(w*t)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: 0.2 N}}\n",
         {{"parameters.A", 1.0}, {"parameters.B", 0.3}, {"parameters.p", 0.4}, {"parameters.w", 1.5}},
         14.3},
        // two frequencies that change in long steps, and a phase with one of them
        {"parameters: {A: 1 N, w: 1.5 rad/s, u: 0.7 rad/s, F: 0.2 N}\n"
         "bodies: {a: {mass: 1 kg}}\n"
         "connections: [{between: [a, ground], stiffness: 1 N/m}]\n"
         "forces: [{body: a, force: \"A*cos(w*(t - 0.3 s)) + 0.5 N*sin(u*t)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: F, static: 1.3*F}}\n",
         {{"parameters.A", 1.0}, {"parameters.w", 1.5}, {"parameters.u", 0.7}, {"parameters.F", 0.2}},
         38.2},
        {"parameters: {A: 1 N, B: 0.3 N, p: 0.4, F: 0.2 N}\n"
         "bodies: {a: {mass: 1 kg}}\n"
         "connections: [{between: [a, ground], stiffness: 1 N/m}]\n"
         "forces: [{body: a, force: \"B + A*cos(1.5 rad/s*t + p)\"}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: F, static: 1.3*F}}\n",
         {{"parameters.A", 1.0}, {"parameters.B", 0.3}, {"parameters.p", 0.4}, {"parameters.F", 0.2}},
         38.2},
        {"parameters: {B: 0.3 N*m, F: 0.03 N*m}\n"
         "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
         "forces: [{body: rod, force: B}]\n"
         "potentials: [\"2 N*m*(1 - cos(rod.x))\"]\n"
         "contacts: {pivot: {between: [rod, ground], law: coulomb, friction: F}}\n"
         "start: {rod: {x: 1.5 rad}}\n",
         {{"parameters.B", 0.3}, {"parameters.F", 0.03}, {"start.rod.x", 1.5}, {"bodies.rod.inertia", 0.08}},
         3.1},
        {"parameters: {B: 0.8 N, kp: 2000 N/m, F: 0.5 N}\n"
         "bodies: {stage: {mass: 2 kg}}\n"
         "sampled:\n  servo:\n    every: 1 ms\n    memory: {command: 0 N}\n    at_tick:\n"
         "      - command: kp*(10 mm - stage.x) - 20 N*s/m*stage.v\n"
         "forces: [{body: stage, force: command}, {body: stage, force: B}]\n"
         "contacts: {guide: {between: [stage, ground], law: coulomb, friction: F}}\n",
         {{"parameters.B", 0.8}, {"parameters.kp", 2e3}, {"parameters.F", 0.5}, {"bodies.stage.mass", 2.0}},
         0.13},
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) derivative_ask(&models[k]);
}

// A stage under a controller: affine lines or not, with a delay or none, with a state and two bodies; it
// slips, reverses and sticks on the way.
static void test_sampled(void** state)
{
    (void)state;
    static const derivative_asked models[] = {
        {"parameters: {ki: 20 kN/(m*s), kp: 2000 N/m, F: 0.5 N, M: 2 kg}\n"
         "bodies: {stage: {mass: M}}\n"
         "connections: [{between: [stage, ground], stiffness: 30 N/m, damping: 1 N*s/m}]\n"
         "sampled:\n  servo:\n    every: 1 ms\n    memory: {sum: 0 m*s, command: 0 N}\n    at_tick:\n"
         "      - e: 10 mm - stage.x\n      - sum: sum + e * 1 ms\n"
         "      - command: kp*e + ki*sum - 20 N*s/m*stage.v\n"
         "forces: [{body: stage, force: command}]\n"
         "contacts: {guide: {between: [stage, ground], law: coulomb, friction: F}}\n",
         {{"parameters.ki", 2e4}, {"parameters.kp", 2e3}, {"parameters.F", 0.5}, {"parameters.M", 2.0}},
         0.2},
        {"parameters: {kp: 1500 N/m, k: 30 N/m}\n"
         "bodies: {stage: {mass: 2 kg}, load: {mass: 1 kg}}\n"
         "connections: [{between: [stage, load], stiffness: k, damping: 3 N*s/m}]\n"
         "states: {lag: {rate: \"(stage.x - lag)/5 ms\", start: 0 m}}\n"
         "sampled:\n  servo:\n    every: 1 ms\n    delay: 0.3 ms\n    offset: 0.2 ms\n"
         "    memory: {command: 0 N}\n    at_tick:\n"
         "      - command: kp*(10 mm - lag) - 30 N*s/m*stage.v + 0.3*command\n"
         "forces: [{body: stage, force: command}]\n"
         "contacts: {guide: {between: [stage, ground], law: coulomb, friction: 0.5 N},\n"
         "           bed: {between: [load, ground], law: coulomb, friction: 0.2 N}}\n"
         "start: {stage: {v: 0.1 m/s}, load: {v: 0.3 m/s}}\n",
         {{"parameters.kp", 1.5e3},
          {"parameters.k", 30.0},
          {"bodies.load.mass", 1.0},
          {"start.stage.v", 0.1}},
         0.06},
        {"parameters: {kp: 2000 N/m, F: 0.5 N}\n"
         "bodies: {stage: {mass: 2 kg}}\n"
         "sampled:\n  servo:\n    every: 2 ms\n    memory: {command: 0 N, count: 0}\n    at_tick:\n"
         "      - e: 10 mm - stage.x\n"
         "      - count: round(e / 1 mm)\n"
         "      - command: \"kp*10 mm*tanh(e/10 mm) + 1 N*count - 40 N*s/m*stage.v\"\n"
         "forces: [{body: stage, force: command}]\n"
         "contacts: {guide: {between: [stage, ground], law: coulomb, friction: F}}\n"
         "start: {stage: {x: 1 mm}}\n",
         {{"parameters.kp", 2e3},
          {"parameters.F", 0.5},
          {"start.stage.x", 0.001},
          {"bodies.stage.mass", 2.0}},
         0.05},
        // By the exponent of a power lines have no tangent, by the other number they have.
        {"parameters: {n: 0.5, Q: 0.2 N}\n"
         "bodies: {a: {mass: 1 kg}}\n"
         "connections: [{between: [a, ground], stiffness: 5 N/m, damping: 0.3 N*s/m}]\n"
         "sampled:\n  servo:\n    every: 0.1 s\n    memory: {u: 0 N}\n    at_tick:\n"
         "      - u: \"-Q*(9 + a.x/1 m)^n - Q*sin(3*a.x/1 m)*a.v/(1 m/s)\"\n"
         "forces: [{body: a, force: u}]\n"
         "contacts: {floor: {between: [a, ground], law: coulomb, friction: 0.01 N}}\n"
         "start: {a: {x: 1 m}}\n",
         {{"parameters.n", 0.5}, {"parameters.Q", 0.2}, {"bodies.a.mass", 1.0}, {"start.a.x", 1.0}},
         1.0},
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) derivative_ask(&models[k]);
}

// A rod that friction holds away from its lowest place: what holds it is M = -load g l sin(x) there, and so
// dM = -g l (load cos(x) dx + sin(x) dload).
static void test_force_at_rest(void** state)
{
    (void)state;
    const char* text = "slipstick: 1\ntitle: t\nparameters: {load: 0.5 kg, F: 0.3 N*m}\n"
                       "bodies: {rod: {inertia: 0.08 kg*m^2}}\n"
                       "potentials: [\"load*9.81 m/s^2*0.4 m*(1 - cos(rod.x))\"]\n"
                       "contacts: {pivot: {between: [rod, ground], law: coulomb, friction: F}}\n"
                       "start: {rod: {x: 2.5 rad}}\n";
    static const char* const paths[] = {"parameters.load", "parameters.F", "start.rod.x"};
    ss_sim_def def = ss_sim_def_default();
    ss_error err = {0};
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_outcome outcome;
    derivative_check(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), &err);
    derivative_check(ss_model_create_from_document(document, &model, &err), &err);
    for (int k = 0; k < 3; k++) {
        ss_path_direction* path = NULL;
        ss_derivative* derivative = NULL;
        double dx, dv, force;
        derivative_check(ss_path_direction_create(document, model, paths[k], 20.0, &path, &err), &err);
        derivative_check(ss_sim_create(model, &def, &sim, &err), &err);
        derivative_check(ss_derivative_create(model, ss_path_direction_get(path), 1, &derivative, &err),
                         &err);
        derivative_check(ss_derivative_attach(derivative, sim, &err), &err);
        derivative_check(ss_sim_advance(sim, 20.0, &outcome, &err), &err);
        assert_int_equal(outcome, SS_AT_REST);
        assert_true(ss_derivative_bodies(derivative, 0, &dx, &dv));
        assert_true(ss_derivative_forces(derivative, 0, &force));
        double x = ss_sim_x(sim)[0], want = 9.81 * 0.4 * (0.5 * cos(x) * dx + (k == 0 ? sin(x) : 0.0));
        if (!(fabs(force - want) <= 1e-9 * fabs(want)))
            fail_msg("by %s: the force changes by %.12g, not %.12g", paths[k], force, want);
        ss_derivative_destroy(derivative);
        ss_sim_destroy(sim);
        ss_path_direction_destroy(path);
    }
    ss_model_destroy(model);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_at_rest), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_models),        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
