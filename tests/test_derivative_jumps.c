// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives across jumps: of forces, rates, friction levels and driven speeds, at places and at times that
// move with the number. The truth is the difference of neighbouring motions, which pass the jumps elsewhere.
#include "derivative_rig.h"
#include "random_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_one_by_one(void** state)
{
    (void)state;
    static const derivative_asked models[] = {
        // a place, a time, a pulse and a staircase of time
        {"parameters: {p: 0.72, q: 0.35, w: 0.25}\n"
         "bodies: {a: {mass: 1.3}}\n"
         "connections: [{between: [a, ground], stiffness: 2, damping: 0.1}]\n"
         "forces: [{body: a, force: \"-2*step(a.x - q) + step(t - p) - 3*(step(t - q) - step(t - q - w)) + "
         "0.2*floor(t/w)\"}]\n"
         "start: {a: {v: 2.1}}\n",
         {{"parameters.p", 0.72}, {"parameters.q", 0.35}, {"parameters.w", 0.25}, {"start.a.v", 2.1}},
         1.9},
        // rates of states, counted places, an edge that moves, an input that jumps
        {"parameters: {p: 0.6, q: 0.35, w: 0.7}\n"
         "inputs: {u: \"0.3 + 0.8*step(t - p)\"}\n"
         "bodies: {a: {mass: 1.3}, b: {mass: 0.7}}\n"
         "states: {s: {rate: \"a.v - 0.2*s + 0.4*floor(b.x/q) + step(a.x - w*t)\", start: 0.1}}\n"
         "connections: [{between: [a, ground], stiffness: 2}, {between: [a, b], stiffness: 3, damping: "
         "0.1}]\n"
         "forces: [{body: a, force: \"s - ceil(2*a.x - p) + sign(u - w)\"}, {body: b, force: "
         "\"0.3*round(b.x/q)*u\"}]\n"
         "start: {a: {v: 1.7}}\n",
         {{"parameters.p", 0.6}, {"parameters.q", 0.35}, {"parameters.w", 0.7}, {"start.a.v", 1.7}},
         2.3},
        // a belt whose speed jumps, and a friction level that does; the block sticks to it on the way
        {"parameters: {p: 0.6, q: 1.7, f: 0.8}\n"
         "bodies: {a: {mass: 1}, d: {speed: \"0.7 - 1.1*step(t - p)\"}}\n"
         "connections: [{between: [a, ground], stiffness: 2}]\n"
         "contacts: {c: {between: [a, d], law: coulomb, friction: \"f + 0.4*step(t - q)\"}}\n"
         "start: {a: {x: 0.3, v: 0.2}}\n",
         {{"parameters.p", 0.6}, {"parameters.q", 1.7}, {"parameters.f", 0.8}, {"start.a.x", 0.3}},
         3.1},
        // a level that jumps with the place, beside Stribeck's curve
        {"parameters: {p: 0.4, q: 0.9, f: 0.3}\n"
         "bodies: {a: {mass: 1}, b: {mass: 2}}\n"
         "connections: [{between: [a, b], stiffness: 5}]\n"
         "contacts:\n"
         "  c: {between: [a, ground], law: coulomb, friction: \"f*(1 + step(a.x - p))\"}\n"
         "  g: {between: [b, ground], law: stribeck, coulomb: 0.2, static: 0.4, stribeck_speed: 0.3}\n"
         "forces: [{body: b, force: \"-sign(b.x - q)\"}]\n"
         "start: {a: {v: 2}, b: {v: 1.5}}\n",
         {{"parameters.p", 0.4}, {"parameters.q", 0.9}, {"parameters.f", 0.3}, {"start.a.v", 2.0}},
         1.7},
        // the force of a potential with a corner, and bristles
        {"parameters: {p: 0.4, q: 0.9, k: 3}\n"
         "bodies: {a: {mass: 1}}\n"
         "potentials: [\"k*abs(a.x - p) + max(a.x - q, 0)\"]\n"
         "contacts: {c: {between: [a, ground], law: lugre, sigma0: 60, sigma1: 1, sigma2: 0.1, coulomb: "
         "0.3}}\n"
         "start: {a: {v: 2.4}}\n",
         {{"parameters.p", 0.4}, {"parameters.q", 0.9}, {"parameters.k", 3.0}, {"start.a.v", 2.4}},
         1.1},
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) derivative_ask(&models[k]);
}

// ---- at random

static uint64_t seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static const char* pick(const char* const list[], int count) { return list[(int)uniform(0.0, count)]; }

static const char* const jumps[] = {"step(a.x - p)",
                                    "step(t - p)",
                                    "sign(a.x - p)",
                                    "floor(a.x/q)",
                                    "ceil(2*a.x - p)",
                                    "round(a.x/q)",
                                    "floor(t/q)",
                                    "round(t*w)",
                                    "(step(t - p) - step(t - p - q))",
                                    "step(a.x - p)*a.x",
                                    "step(t - p)*cos(w*t)",
                                    "step(sin(w*t) - 0.3*q)",
                                    "step(a.x*a.x - p*p)",
                                    "step(a.x - q*t)",
                                    "sign(u - p)",
                                    "step(b.x - a.x - 0.3*p)"};
static const char* const contacts[] = {
    "", "contacts: {c: {between: [a, ground], law: coulomb, friction: \"0.2 + 0.3*step(t - p)\"}}\n",
    "contacts: {c: {between: [a, b], law: coulomb, friction: \"0.1 + 0.2*step(a.x - p)\"}}\n",
    "contacts: {c: {between: [a, ground], law: stribeck, coulomb: 0.2, static: 0.3, stribeck_speed: 0.2}}\n"};

// Two bodies, an input, a state, and two to four jumps among their forces and rates.
static void test_random(void** state)
{
    (void)state;
    enum { MODELS = 10, JUMPS = sizeof jumps / sizeof *jumps, CONTACTS = sizeof contacts / sizeof *contacts };
    int count = random_count(MODELS);
    for (int k = 0; k < count; k++) {
        char text[2000];
        seed = 977u * (unsigned)k + 3u;
        for (int i = 0; i < 8; i++) (void)uniform(0.0, 1.0);
        double p = uniform(0.2, 1.2), q = uniform(0.3, 0.9), x = uniform(0.1, 0.9), v = uniform(0.5, 2.5);
        double c[5];
        for (int i = 0; i < 5; i++) c[i] = uniform(-1.5, 1.5);
        snprintf(
            text, sizeof text,
            "parameters: {p: %.17g, q: %.17g, w: 1.3}\n"
            "inputs: {u: \"0.2 + 0.7*t + 0.4*step(t - q)\"}\n"
            "bodies: {a: {mass: 1.2}, b: {mass: 0.8}}\n"
            "states: {s: {rate: \"a.v - 0.3*s + %.3f*%s\", start: 0.1}}\n"
            "connections: [{between: [a, ground], stiffness: 2, damping: 0.1}, {between: [a, b], stiffness: "
            "3}]\n"
            "forces: [{body: a, force: \"%.3f*%s + %.3f*%s\"}, {body: b, force: \"%.3f*s + %.3f*%s\"}]\n"
            "%sstart: {a: {x: %.17g, v: %.17g}}\n",
            p, q, c[0], pick(jumps, 8), c[1], pick(jumps, JUMPS), c[2], pick(jumps, JUMPS), c[3], c[4],
            pick(jumps, JUMPS), pick(contacts, CONTACTS), x, v);
        derivative_asked a = {
            text, {{"parameters.p", p}, {"parameters.q", q}, {"start.a.x", x}, {"start.a.v", v}}, 2.1};
        derivative_ask_by(&a, 2e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_by_one), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
