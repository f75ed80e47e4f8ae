// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Certificates of open models: springs and dampers that are written as expressions, also through signals,
// potentials, inputs and driven bodies, are judged as those of connections are; what integrates, samples,
// bends or has no energy is outside, and named.
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

static ss_certificate* certify(const char* text)
{
    ss_model* model = text_model(text);
    ss_certificate* out = NULL;
    ss_error err = {0};
    if (ss_certify(model, NULL, &out, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    ss_model_destroy(model);
    return out;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-10 * fabs(a);
}

// Two bodies, one pulled towards a place that drifts not, as connections and as expressions.
static void written_either_way(void** state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        char springs[1200], expressions[1400];
        // C is positive definite, indefinite or negative, as k goes: verdicts of all kinds.
        double kp = 100.0 + 37.0 * k, kd = 3.0 - 0.2 * k, side = 50.0 + k, place = 0.01 * (k - 15);
        snprintf(springs, sizeof springs,
                 "slipstick: 1\ntitle: springs\n"
                 "bodies: {a: {mass: 2 kg}, b: {mass: 1 kg}, z: {position: %.17g m}}\n"
                 "connections:\n"
                 "  - {between: [a, b], stiffness: 100 N/m, damping: 1 N*s/m}\n"
                 "  - {between: [a, z], stiffness: %.17g N/m}\n"
                 "  - {between: [a, ground], damping: %.17g N*s/m}\n"
                 "  - {between: [b, ground], stiffness: %.17g N/m}\n"
                 "forces: [{body: a, force: 1.5 N}]\n"
                 "contacts: {guide: {between: [a, ground], law: coulomb, friction: 8 N, static: 12 N}}\n",
                 place, kp, kd, side);
        snprintf(expressions, sizeof expressions,
                 "slipstick: 1\ntitle: expressions\n"
                 "bodies: {a: {mass: 2 kg}, b: {mass: 1 kg}, z: {position: %.17g m}}\n"
                 "inputs: {push: 1.5 N}\n"
                 "states: {watcher: {rate: a.v - watcher/1 s}}\n" // nothing acts on it
                 "connections: [{between: [a, b], stiffness: 100 N/m}]\n"
                 "signals: {error: z.x - a.x, rate: \"1 N*s/m*(b.v - a.v)\"}\n"
                 "potentials: [\"0.5*%.17g N/m*b.x^2\"]\n"
                 "forces:\n"
                 "  - {body: a, force: \"%.17g N/m*error - %.17g N*s/m*a.v + push\"}\n"
                 "  - {between: [a, b], force: rate}\n"
                 "contacts: {guide: {between: [a, ground], law: coulomb, friction: 8 N, static: 12 N}}\n",
                 place, side, kp, kd);
        ss_certificate *one = certify(springs), *two = certify(expressions);
        assert_int_equal(one->verdict, two->verdict);
        assert_int_equal(one->not_positive, two->not_positive);
        assert_true(same(one->beta, two->beta));
        assert_true(same(one->rho_star, two->rho_star));
        assert_true(same(one->set.max_energy, two->set.max_energy));
        ss_certificate_destroy(one);
        ss_certificate_destroy(two);
    }
}

// The first line of the argument holds the words.
static void expect_outside(const char* parts, const char* words)
{
    char text[900];
    snprintf(text, sizeof text, "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n%s",
             parts);
    ss_certificate* c = certify(text);
    assert_int_equal(c->verdict, SS_NOT_ASSURED);
    if (!strstr(c->reason, words)) fail_msg("'%s' is not in '%s'", words, c->reason);
    ss_certificate_destroy(c);
}

static void reasons(void** state)
{
    (void)state;
    const char* rough = "contacts: {c: {between: [a, ground], law: coulomb, friction: 1 N}}\n";
    char text[800];
    snprintf(text, sizeof text,
             "states: {sum: {rate: 0 m - a.x}}\nforces: [{body: a, force: \"1 N/(m*s)*sum\"}]\n%s", rough);
    expect_outside(text, "the state 'sum' acts");
    snprintf(text, sizeof text, "forces: [{body: a, force: \"-1 N/m^2*a.x^2\"}]\n%s", rough);
    expect_outside(text, "forces[0].force is not affine");
    snprintf(text, sizeof text, "potentials: [\"1 J*(1 - cos(a.x/1 m))\"]\n%s", rough);
    expect_outside(text, "potentials are not quadratic");
    snprintf(text, sizeof text, "inputs: {u: \"1 N*sin(2 rad/s*t)\"}\nforces: [{body: a, force: u}]\n%s",
             rough);
    expect_outside(text, "inputs.u varies in time");
    snprintf(text, sizeof text,
             "connections: [{between: [a, ground], stiffness: 9 N/m}, {between: [b, ground], stiffness: 9 "
             "N/m}]\nforces: [{body: a, force: \"2 N/m*b.x\"}]\n%s",
             rough);
    expect_outside(text, "K is not symmetric (two entries differ by 2 N/m)");
    expect_outside(
        "contacts: {c: {between: [a, ground], law: coulomb, friction: \"1 N + 1 N/m*abs(a.x)\"}}\n",
        "the friction of contact 'c' follows the motion");
    expect_outside("contacts: {c: {between: [a, ground], law: coulomb, friction: {forward: 1 N, backward: "
                   "inf}}}\n",
                   "contact 'c' never slips one way");
    expect_outside("sampled: {servo: {every: 1 ms, memory: {u: 0 N}, at_tick: [{u: \"-1 N/m*a.x\"}]}}\n"
                   "forces: [{body: a, force: u}]\n",
                   "the controller 'servo' acts by steps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_either_way), cmocka_unit_test(reasons)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
