// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Branches of cycles against closed forms: impact oscillators (grazing, one impact per period), Den Hartog's
// oscillator (where it begins to stick), a belt (Hopf point), and folds against another integrator.
#include "follow_rig.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static ss_solution_branch* follow(const char* model, const char* path, double from, double to, bool near)
{
    ss_follow_def def = ss_follow_def_default();
    def.near = near;
    return follow_text(model, def, path, from, to);
}

// m x'' + c x' + k x in -F Sign(x'), c < 0, m = k = F = 1: with s = -c/2, w = sqrt(1 - s^2), a half cycle is
// pi/w long and the turning point is coth(s pi/2w); its square root of the multiplier is exp(s pi/w).
static void test_unstable_cycle_over_the_damping(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: T\nparameters: {c: -0.5 N*s/m}\nbodies: {block: {mass: 1 kg}}\n"
               "connections: [{between: [block, ground], stiffness: 1 N/m, damping: c}]\n"
               "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
               "start: {block: {x: 2.6 m}}\n",
               "parameters.c", -0.5, -1.2, true);
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        double s = -0.5 * point.value, w = sqrt(1.0 - s * s);
        expect_near("period", point.period, 2.0 * pi / w, 1e-9);
        expect_near("amplitude", point.amplitude[0], 1.0 / tanh(0.5 * s * pi / w), 1e-9);
        assert_int_equal(point.spectrum_count, 1);
        expect_near("multiplier", point.spectrum[0][0], exp(2.0 * s * pi / w), 1e-7 * exp(2.0 * s * pi / w));
        assert_false(point.stable);
        assert_int_equal(point.events, 2);
    }
    assert_int_equal(ss_solution_branch_special_count(branch), 0);
    assert_true(last_point(branch).value == -1.2);
    ss_solution_branch_destroy(branch);
}

// ---- an oscillator m = k = 1, damping c, under f cos(w t) against a stop at g with restitution e

enum { DIMENSION = 2 };
static const double c = 0.1, w = 1.5, g = 0.5, e = 0.7; // N*s/m, rad/s, m, 1

// Free motion from (1, 0) or (0, 1) after the time t.
static void swing(double t, double out[2][2])
{
    double s = -0.5 * c, wd = sqrt(1.0 - s * s), grow = exp(s * t), C = cos(wd * t), S = sin(wd * t);
    out[0][0] = grow * (C - s / wd * S);
    out[0][1] = grow * S / wd;
    out[1][0] = -grow * (s * s / wd + wd) * S;
    out[1][1] = grow * (C + s / wd * S);
}

// Force with which one impact per period of speed u closes: with F = a + i b at the phase of the impact the
// motion is Re(F G e^{iwt}) and a free one, and both conditions after a period are linear in a and b.
static double force_of_impact(double u)
{
    double T = 2.0 * pi / w, h[2][2], m[2][2], r[2];
    double _Complex G = 1.0 / (1.0 - w * w + I * c * w), p[2] = {G, I * w * G};
    swing(T, h);
    for (int i = 0; i < DIMENSION; i++) {
        // (1 - H) particular(a, b) = (g, u) - H (g, -e u)
        double re = creal(p[i]), im = cimag(p[i]);
        m[i][0] = re - h[i][0] * creal(p[0]) - h[i][1] * creal(p[1]);
        m[i][1] = -im + h[i][0] * cimag(p[0]) + h[i][1] * cimag(p[1]);
        r[i] = (i == 0 ? g : u) - h[i][0] * g + h[i][1] * e * u;
    }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    return hypot((r[0] * m[1][1] - r[1] * m[0][1]) / det, (r[1] * m[0][0] - r[0] * m[1][0]) / det);
}

static const char* const impact_oscillator =
    "slipstick: 1\ntitle: T\nparameters: {w: 1.5 rad/s, f: 0.2 N}\nbodies: {ball: {mass: 1 kg}}\n"
    "connections: [{between: [ball, ground], stiffness: 1 N/m, damping: 0.1 N*s/m}]\n"
    "forces: [{body: ball, force: f * cos(w*t)}]\n"
    "contacts: {stop: {between: [ball, ground], law: rigid-stop, above: 0.5 m, restitution: 0.7}}\n"
    "start: {ball: {x: -0.16 m}}\nrun: {until: 400 s}\n";

// It touches where f = g |1 - w^2 + i c w|. Orbits that strike go back from there, over the speed u of the
// impact, to the least force with which one closes, and turn: a fold.
static void test_grazing_and_what_strikes_beyond(void** state)
{
    (void)state;
    double low = 0.1, high = 3.0;
    for (int k = 0; k < 200; k++) { // golden section
        double a = high - 0.6180339887498949 * (high - low), b = low + 0.6180339887498949 * (high - low);
        if (force_of_impact(a) < force_of_impact(b))
            high = b;
        else
            low = a;
    }
    ss_solution_branch* branch = follow(impact_oscillator, "parameters.f", 0.2, 0.9, false);
    ss_solution_branch_special touch = special_point(branch, 0, SS_SPECIAL_GRAZING);
    expect_near("touch", touch.at.value, g * hypot(1.0 - w * w, c * w), 1e-9);
    assert_string_equal(touch.contact, "stop");
    assert_string_equal(touch.what, "impact appears");
    ss_solution_branch_special fold = special_point(branch, 1, SS_SPECIAL_FOLD);
    expect_near("fold", fold.at.value, force_of_impact(low), 1e-9);
    assert_int_equal(ss_solution_branch_special_count(branch), 2);
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        expect_near("period", point.period, 2.0 * pi / w, 1e-12);
        assert_int_equal(point.events, k <= touch.after ? 0 : 1);
        assert_true(point.stable == (k <= touch.after || k > fold.after));
        if (k <= touch.after)
            expect_near("amplitude", point.amplitude[0], point.value / hypot(1.0 - w * w, c * w), 1e-10);
    }
    assert_true(last_point(branch).value == 0.9);
    ss_solution_branch_destroy(branch);
}

// The same from the side of the impacts, down: the fold, then the touch, then without impacts to the end.
static void test_grazing_from_the_side_of_the_impacts(void** state)
{
    (void)state;
    ss_solution_branch* branch = follow(
        "slipstick: 1\ntitle: T\nparameters: {w: 1.5 rad/s, f: 0.9 N}\nbodies: {ball: {mass: 1 kg}}\n"
        "connections: [{between: [ball, ground], stiffness: 1 N/m, damping: 0.1 N*s/m}]\n"
        "forces: [{body: ball, force: f * cos(w*t)}]\n"
        "contacts: {stop: {between: [ball, ground], law: rigid-stop, above: 0.5 m, restitution: 0.7}}\n"
        "run: {until: 400 s}\n",
        "parameters.f", 0.9, 0.1, false);
    special_point(branch, 0, SS_SPECIAL_FOLD);
    ss_solution_branch_special touch = special_point(branch, 1, SS_SPECIAL_GRAZING);
    expect_near("touch", touch.at.value, g * hypot(1.0 - w * w, c * w), 1e-6);
    assert_string_equal(touch.what, "impact vanishes");
    assert_true(last_point(branch).value == 0.1);
    expect_near("amplitude", last_point(branch).amplitude[0], 0.1 / hypot(1.0 - w * w, c * w), 1e-10);
    ss_solution_branch_destroy(branch);
}

// Den Hartog, m = k = P = 1 and r = w: X^2 = V^2 - (F U)^2 in continuous sliding, V = 1/(1 - r^2),
// U = sin(pi/r)/(r (1 + cos(pi/r))). At a reversal the net force is r^2 X: it sticks where that is below F.
static void test_den_hartog_begins_to_stick(void** state)
{
    (void)state;
    double r = 1.6, V = 1.0 / (1.0 - r * r), U = sin(pi / r) / (r * (1.0 + cos(pi / r)));
    double limit = fabs(V) / sqrt(U * U + 1.0 / (r * r * r * r));
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: T\nparameters: {level: 0.1 N}\nbodies: {block: {mass: 1 kg}}\n"
               "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
               "forces: [{body: block, force: 1 N * cos(1.6 rad/s*t)}]\n"
               "contacts: {floor: {between: [block, ground], law: coulomb, friction: level}}\n"
               "start: {block: {x: -0.64 m}}\nrun: {until: 400 s}\n",
               "parameters.level", 0.1, 0.9, false);
    ss_solution_branch_special stick = special_point(branch, 0, SS_SPECIAL_BOUNDARY);
    expect_near("limit", stick.at.value, limit, 1e-8);
    assert_string_equal(stick.contact, "floor");
    assert_string_equal(stick.what, "stick begins");
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        double F = point.value;
        if (F < limit) expect_near("amplitude", point.amplitude[0], sqrt(V * V - F * F * U * U), 1e-9);
        assert_int_equal(point.events, k <= stick.after ? 2 : 4);
    }
    assert_true(last_point(branch).value == 0.9);
    ss_solution_branch_destroy(branch);
}

// Stick-slip on a belt is stable until the block just does not stick; from there the unstable cycle of pure
// slip goes back and shrinks to steady sliding where friction falls as fast as the damper resists.
static void test_belt_from_stick_slip_to_its_hopf_point(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: T\nparameters: {speed: 0.1 m/s}\n"
               "bodies: {block: {mass: 1 kg}, belt: {speed: speed}}\n"
               "connections: [{between: [block, ground], stiffness: 100 N/m, damping: 3 N*s/m}]\n"
               "contacts: {face: {between: [block, belt], law: curve, force: 1 N + 2 N*exp(-v/(0.1 m/s))}}\n"
               "start: {block: {x: 10 mm}}\nrun: {until: 40 s}\n",
               "parameters.speed", 0.1, 0.5, false);
    ss_solution_branch_special slip = special_point(branch, 0, SS_SPECIAL_BOUNDARY),
                               hopf = special_point(branch, 1, SS_SPECIAL_HOPF);
    assert_string_equal(slip.what, "stick ends");
    expect_near("hopf", hopf.at.value, 0.1 * log(20.0 / 3.0), 1e-9);
    expect_near("period there", hopf.at.period, 2.0 * pi / 10.0, 1e-8);
    assert_int_equal(ss_solution_branch_special_count(branch), 2);
    for (long k = 0; k < ss_solution_branch_count(branch); k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        assert_true(point.stable == (k <= slip.after));
        assert_int_equal(point.events, k <= slip.after ? 2 : 0);
    }
    ss_solution_branch_destroy(branch);
}

// A belt whose friction rises again at high speed: the unstable cycle passes its Hopf point at a distance,
// since it starts where the block is about to stick and not where it turns back. There the branch ends, and
// is not walked once more with the same orbits; the number is the root of the slope of the curve, 0.3 (2
// v/0.09) exp(-(v/0.3)^2) = 0.1.
static void test_branch_ends_where_it_passes_its_hopf_point(void** state)
{
    (void)state;
    ss_solution_branch* branch =
        follow("slipstick: 1\ntitle: T\nparameters: {speed: 0.1 m/s}\n"
               "bodies: {block: {mass: 1 kg}, belt: {speed: speed}}\n"
               "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
               "contacts: {face: {between: [block, belt], law: stribeck, coulomb: 0.7 N, static: 1 N, "
               "stribeck_speed: 0.3 m/s, viscous: 0.1 N*s/m}}\n"
               "run: {until: 60 s}\n",
               "parameters.speed", 0.02, 3.0, false);
    ss_solution_branch_special slip = special_point(branch, 0, SS_SPECIAL_BOUNDARY),
                               hopf = special_point(branch, 1, SS_SPECIAL_HOPF);
    double low = 0.4, high = 0.8;
    for (int k = 0; k < 60; k++) {
        double v = 0.5 * (low + high), slope = 0.3 * (2.0 * v / 0.09) * exp(-v * v / 0.09) - 0.1;
        *(slope > 0.0 ? &low : &high) = v;
    }
    expect_near("hopf", hopf.at.value, low, 1e-9);
    assert_int_equal(ss_solution_branch_special_count(branch), 2);
    assert_string_equal(ss_solution_branch_end(branch), "shrinks to a steady state");
    for (long k = slip.after + 1; k + 1 < ss_solution_branch_count(branch); k++)
        assert_true(ss_solution_branch_get(branch, k).value > ss_solution_branch_get(branch, k + 1).value);
    ss_solution_branch_destroy(branch);
}

static double turn_bit(double speed, double t, double x, double v)
{
    double rock = 1000.0 + 3000.0 * exp(-v) + 100.0 * v;
    return (473.0 * (speed * t - x) + 20.0 * (speed - v) - rock) / 374.0;
}

// The least speed of a bit that slips all the time, by another integrator, and where it ends.
static double slowest(double speed, double period, double* x, double* v)
{
    enum { STEPS = 100000 };
    double h = period / STEPS, least = *v;
    for (int k = 0; k < STEPS; k++) {
        double t = k * h, v1 = *v, a1 = turn_bit(speed, t, *x, v1), v2 = v1 + 0.5 * h * a1;
        double a2 = turn_bit(speed, t + 0.5 * h, *x + 0.5 * h * v1, v2), v3 = v1 + 0.5 * h * a2;
        double a3 = turn_bit(speed, t + 0.5 * h, *x + 0.5 * h * v2, v3), v4 = v1 + h * a3;
        double a4 = turn_bit(speed, t + h, *x + h * v3, v4);
        *x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        *v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        least = fmin(least, *v);
    }
    return least;
}

// A drill string is a belt in a frame that turns: the bit advances with the table. From stick-slip over the
// unstable cycle, which begins where its bit comes to v = 0, to the Hopf point at ln 25; and the same numbers
// as the belt it is.
static void test_drill_string_advances(void** state)
{
    (void)state;
    static const char* const string =
        "slipstick: 1\ntitle: T\nparameters: {speed: 2 rad/s}\nbodies: {table: {speed: speed}, bit: "
        "{inertia: 374 kg*m^2}}\n"
        "connections: [{between: [bit, table], stiffness: 473 N*m/rad, damping: 20 N*m*s/rad}]\n"
        "contacts: {rock: {between: [bit, ground], law: stribeck, coulomb: 1 kN*m, static: 4 kN*m, "
        "stribeck_speed: 1 rad/s, shape: 1, viscous: 100 N*m*s/rad}}\nstart: {bit: {v: 10 rad/s}}\nrun: "
        "{until: 200 s}\n";
    static const char* const belt =
        "slipstick: 1\ntitle: T\nparameters: {speed: 2 rad/s}\nbodies: {rock: {speed: speed}, bit: {inertia: "
        "374 kg*m^2}}\n"
        "connections: [{between: [bit, ground], stiffness: 473 N*m/rad, damping: 20 N*m*s/rad}]\n"
        "contacts: {face: {between: [bit, rock], law: stribeck, coulomb: 1 kN*m, static: 4 kN*m, "
        "stribeck_speed: 1 rad/s, shape: 1, viscous: 100 N*m*s/rad}}\nstart: {bit: {v: 8 rad/s}}\nrun: "
        "{until: 200 s}\n";
    ss_solution_branch* branch = follow(string, "parameters.speed", 2.0, 20.0, false);
    ss_solution_branch* other = follow(belt, "parameters.speed", 2.0, 20.0, false);
    for (int k = 0; k < 2; k++) {
        ss_solution_branch_special own = special_point(branch, k,
                                                       k == 0 ? SS_SPECIAL_BOUNDARY : SS_SPECIAL_HOPF),
                                   its = special_point(other, k,
                                                       k == 0 ? SS_SPECIAL_BOUNDARY : SS_SPECIAL_HOPF);
        expect_near("special point", own.at.value, its.at.value, 1e-8 * its.at.value);
        expect_near("its period", own.at.period, its.at.period, 1e-7);
    }
    ss_solution_branch_point touch = special_point(branch, 0, SS_SPECIAL_BOUNDARY).at;
    double x = touch.x[1], v = touch.v[1];
    expect_near("slowest", slowest(touch.value, touch.period, &x, &v), 0.0, 1e-6);
    expect_near("advance", x - touch.x[1], touch.value * touch.period, 1e-6);
    expect_near("speed", v, touch.v[1], 1e-6);
    expect_near("hopf", special_point(branch, 1, SS_SPECIAL_HOPF).at.value, log(25.0), 3e-8);
    ss_solution_branch_point first = ss_solution_branch_get(branch, 0),
                             same = ss_solution_branch_get(other, 0);
    expect_near("amplitude", first.amplitude[1], same.amplitude[1], 1e-7);
    expect_near("period", first.period, same.period, 1e-9);
    assert_int_equal(first.spectrum_count, 1);
    expect_near("multiplier", first.spectrum[0][0], 0.0, 1e-9);
    ss_solution_branch_destroy(branch);
    ss_solution_branch_destroy(other);
}

// ---- a cubic spring, by another integrator

// x'' = f cos(W t) - 0.1 x' - x - x^3 and its variation, y = (x, v, dx/da, dv/da, dx/db, dv/db).
static void duffing(double t, double W, const double y[6], double out[6])
{
    double x = y[0], k = -1.0 - 3.0 * x * x;
    out[0] = y[1];
    out[1] = 0.3 * cos(W * t) - 0.1 * y[1] - x - x * x * x;
    for (int j = 2; j < 6; j += 2) {
        out[j] = y[j + 1];
        out[j + 1] = k * y[j] - 0.1 * y[j + 1];
    }
}

static void runge_kutta(double W, double y[6])
{
    enum { STEPS = 4000 };
    double h = 2.0 * pi / W / STEPS, k[4][6], z[6];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    for (int n = 0; n < STEPS; n++) {
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 6; j++) z[j] = y[j] + (s > 0 ? share[s] * h * k[s - 1][j] : 0.0);
            duffing((n + share[s]) * h, W, z, k[s]);
        }
        for (int j = 0; j < 6; j++) y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

static void test_folds_of_a_cubic_spring(void** state)
{
    (void)state;
    ss_solution_branch* branch = follow(
        "slipstick: 1\ntitle: T\nparameters: {w: 0.8 rad/s}\nbodies: {block: {mass: 1 kg}}\n"
        "connections: [{between: [block, ground], stiffness: 1 N/m, damping: 0.1 N*s/m, cubic: 1 N/m^3}]\n"
        "forces: [{body: block, force: 0.3 N * cos(w*t)}]\nrun: {until: 300 s}\n",
        "parameters.w", 0.8, 2.5, false);
    assert_int_equal(ss_solution_branch_special_count(branch), 2);
    for (int k = 0; k < 2; k++) {
        ss_solution_branch_special fold = special_point(branch, k, SS_SPECIAL_FOLD);
        double y[6] = {fold.at.x[0], fold.at.v[0], 1.0, 0.0, 0.0, 1.0};
        runge_kutta(fold.at.value, y);
        expect_near("closes", y[0], fold.at.x[0], 1e-9);
        // A multiplier is 1 where 1 - trace + determinant = 0.
        expect_near("multiplier", 1.0 - y[2] - y[5] + y[2] * y[5] - y[3] * y[4], 0.0, 1e-8);
    }
    assert_true(last_point(branch).value == 2.5);
    ss_solution_branch_destroy(branch);
}

static bool stop_soon(void* user, double fraction)
{
    int* left = user;
    (void)fraction;
    return --*left > 0;
}

static void test_a_branch_that_is_interrupted_is_kept(void** state)
{
    (void)state;
    ss_document* document = NULL;
    ss_solution_branch* branch = NULL;
    ss_error err = {0};
    ss_follow_def def = ss_follow_def_default();
    int left = 40;
    assert_int_equal(
        ss_document_parse_yaml("m", impact_oscillator, strlen(impact_oscillator), &document, &err), SS_OK);
    def.document = document;
    def.path = "parameters.f";
    def.from = 0.2;
    def.to = 0.9;
    def.progress = stop_soon;
    def.user = &left;
    ss_status status = ss_follow_run(&def, &branch, &err);
    ss_document_destroy(document);
    if (status == SS_NOT_FOUND) return; // before the first cycle
    assert_int_equal(status, SS_OK);
    assert_true(ss_solution_branch_is_unfinished(branch));
    assert_string_equal(ss_solution_branch_end(branch), "interrupted");
    ss_solution_branch_destroy(branch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unstable_cycle_over_the_damping),
        cmocka_unit_test(test_grazing_and_what_strikes_beyond),
        cmocka_unit_test(test_grazing_from_the_side_of_the_impacts),
        cmocka_unit_test(test_den_hartog_begins_to_stick),
        cmocka_unit_test(test_belt_from_stick_slip_to_its_hopf_point),
        cmocka_unit_test(test_branch_ends_where_it_passes_its_hopf_point),
        cmocka_unit_test(test_drill_string_advances),
        cmocka_unit_test(test_folds_of_a_cubic_spring),
        cmocka_unit_test(test_a_branch_that_is_interrupted_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
