// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives across jumps: of forces, rates, friction levels and driven speeds, at places and at times that
// move with the number. The truth is the difference of neighbouring motions, which pass the jumps elsewhere.
#include "derivative_rig.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
