// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions that repeat but for a steady advance which nothing feels: a block that a pulsed force moves along a
// floor, in closed form, and a drill string that a torque turns, against its own return map integrated here.
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void near(const char* what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%s: %.15g, not %.15g", what, got, want);
}

static ss_model* make(const char* text, ss_document** document)
{
    ss_model* model = NULL;
    ss_error err = {0};
    if (ss_document_parse_yaml("m.yaml", text, strlen(text), document, &err) != SS_OK ||
        ss_model_create_from_document(*document, &model, &err) != SS_OK)
        fail_msg("%s: %s", err.field, err.text);
    return model;
}

static ss_cycle* find(const ss_model* model)
{
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle = NULL;
    ss_error err = {0};
    if (ss_cycle_find(model, &def, &cycle, &err) != SS_OK) fail_msg("%s", err.text);
    return cycle;
}

// 3 N for 1 s, then nothing for 3 s, against 1 N of friction on 1 kg: 2 m/s after 1 m, 2 m more in 2 s, rest.
static const char shoved[] =
    "slipstick: 1\ntitle: p\nbodies: {block: {mass: 1 kg}}\n"
    "forces: [{body: block, force: \"3 N * step(sin(2 rad/s * pi / 4 * t + pi / 4) - sin(pi / 4))\"}]\n"
    "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\nrun: {until: 40 s}\n";

static void test_shoves_in_closed_form(void** state)
{
    (void)state;
    ss_document* document;
    ss_model* model = make(shoved, &document);
    ss_cycle* cycle = find(model);
    double multiplier[2];
    // The sine is above its value at 0 for t in (0, 1) of 4 s.
    near("period", ss_cycle_period(cycle), 4.0, 1e-9);
    near("drift", ss_cycle_drift(cycle, 0), 3.0, 1e-9);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 1);
    ss_cycle_multiplier(cycle, 0, multiplier);
    near("multiplier", hypot(multiplier[0], multiplier[1]), 0.0, 0.0);
    assert_true(ss_cycle_is_stable(cycle));
    // x - 0.75 t: at t = 0: 0; least where the speed 2 t first is 0.75; most where 2 - (t - 1) is.
    double low = 0.375 * 0.375 - 0.75 * 0.375, high = 1.0 + 1.25 * 0.5 * (2.0 + 0.75) - 0.75 * 2.25;
    near("amplitude", ss_cycle_amplitude(cycle, 0), 0.5 * (high - low), 1e-9);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// Two blocks that nothing holds: one is shaken unevenly and advances, the other comes back to wherever it is,
// and a shift of it stays: a multiplier 1. Its middle is that of the motion from the model's own start.
static const char shaken[] =
    "slipstick: 1\ntitle: p\nbodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
    "forces: [{body: a, force: \"2 N*cos(2 rad/s*t) + 1 N*cos(4 rad/s*t)\"}, {body: b, force: \"3 "
    "N*cos(2 rad/s*t)\"}]\n"
    "contacts: {fa: {between: [a, ground], law: coulomb, friction: 1 N},\n"
    "  fb: {between: [b, ground], law: coulomb, friction: 1 N}}\nrun: {until: 100 s}\n";

static void test_what_does_not_drift_stays(void** state)
{
    (void)state;
    ss_document* document;
    ss_model* model = make(shaken, &document);
    ss_cycle* cycle = find(model);
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim;
    ss_error err = {0};
    ss_outcome outcome;
    double multiplier[2], low = INFINITY, high = -INFINITY, period = 3.14159265358979323846, a[2];
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    for (int k = 0; k <= 4000; k++) {
        assert_int_equal(ss_sim_advance(sim, period * (40.0 + k / 4000.0), &outcome, &err), SS_OK);
        low = fmin(low, ss_sim_x(sim)[1]);
        high = fmax(high, ss_sim_x(sim)[1]);
        if (k % 4000 == 0) a[k > 0] = ss_sim_x(sim)[0];
    }
    near("drift", ss_cycle_drift(cycle, 0), a[1] - a[0], 1e-9);
    near("no drift", ss_cycle_drift(cycle, 1), 0.0, 0.0);
    near("middle", ss_cycle_middle(cycle, 1), 0.5 * (low + high), 1e-6);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 3);
    ss_cycle_multiplier(cycle, 0, multiplier);
    near("a shift stays", multiplier[0], 1.0, 0.0);
    assert_false(ss_cycle_is_stable(cycle));
    ss_sim_destroy(sim);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// ---- two discs, a torque on the upper one, Coulomb friction with a level at rest on the lower one

static const double J1 = 5.0, J2 = 1.0, K = 10.0, C = 6.0, torque = 15.0, level = 6.0, rest = 14.0;
static const char string[] =
    "slipstick: 1\ntitle: s\nbodies: {top: {inertia: 5 kg*m^2}, bit: {inertia: 1 kg*m^2}}\n"
    "connections:\n  - {between: [top, ground], damping: 6 N*m*s}\n"
    "  - {between: [top, bit], stiffness: 10 N*m}\n"
    "forces: [{body: top, force: 15 N*m}]\n"
    "contacts: {rock: {between: [bit, ground], law: coulomb, friction: 6 N*m, static: 14 N*m}}\n"
    "start: {top: {v: 1.5 rad/s}}\nrun: {until: 90 s}\n";

// y = (twist, top's speed, bit's speed, top's angle); the bit slips, or sticks.
static void rate(const double y[4], bool slips, double out[4])
{
    out[0] = y[1] - y[2];
    out[1] = (torque - C * y[1] - K * y[0]) / J1;
    out[2] = slips ? (K * y[0] - level) / J2 : 0.0;
    out[3] = y[1];
}

static void step(double y[4], bool slips, double h)
{
    double k[4][4], at[4];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) at[i] = y[i] + (s > 0 ? share[s] * h * k[s - 1][i] : 0.0);
        rate(at, slips, k[s]);
    }
    for (int i = 0; i < 4; i++) y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// To where g changes its sign: the bit's speed, or what the twist lacks of the level at rest.
static double go(double y[4], bool slips)
{
    const double h = 2e-4;
    double t = 0.0, kept[4];
    for (int k = 0;; k++) {
        memcpy(kept, y, sizeof kept);
        step(y, slips, h);
        double g = slips ? y[2] : rest - K * y[0];
        if (k > 10 && g <= 0.0) break;
        t += h;
    }
    double low = 0.0, high = h;
    for (int round = 0; round < 60; round++) {
        double middle = 0.5 * (low + high);
        memcpy(y, kept, sizeof kept);
        step(y, slips, middle);
        *((slips ? y[2] : rest - K * y[0]) <= 0.0 ? &high : &low) = middle;
    }
    return t + low;
}

// From release to release: top's speed there, the time and the way.
static double come_back(double v, double* time, double* way)
{
    double y[4] = {rest / K, v, 0.0, 0.0};
    *time = go(y, true);
    y[2] = 0.0;
    *time += go(y, false);
    *way = y[3];
    return y[1];
}

static void test_string_returns(void** state)
{
    (void)state;
    double v = 1.5, time, way, other_time, other_way;
    for (int k = 0; k < 60; k++) v = come_back(v, &time, &way);
    double slope =
        (come_back(v + 1e-5, &other_time, &other_way) - come_back(v - 1e-5, &other_time, &other_way)) / 2e-5;
    ss_document* document;
    ss_model* model = make(string, &document);
    ss_cycle* cycle = find(model);
    double multiplier[2];
    near("period", ss_cycle_period(cycle), time, 1e-9 * time);
    near("drift of the top", ss_cycle_drift(cycle, 0), way, 1e-9 * way);
    near("drift of the bit", ss_cycle_drift(cycle, 1), way, 1e-9 * way);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 2); // of four: the flow and the angle of the whole
    ss_cycle_multiplier(cycle, 0, multiplier);
    near("multiplier", multiplier[0], slope, 1e-6);
    ss_cycle_multiplier(cycle, 1, multiplier);
    near("forgotten", hypot(multiplier[0], multiplier[1]), 0.0, 0.0);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shoves_in_closed_form),
                                       cmocka_unit_test(test_what_does_not_drift_stays),
                                       cmocka_unit_test(test_string_returns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
