// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Periodic motions against closed forms.
#include "random_system.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static ss_cycle* find(const ss_model* model, double period)
{
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    def.period = period;
    def.near = true;
    if (ss_cycle_find(model, &def, &cycle, &err) != SS_OK) fail_msg("%s", err.text);
    return cycle;
}

static double multiplier(const ss_cycle* cycle, int k)
{
    double value[2];
    ss_cycle_multiplier(cycle, k, value);
    return hypot(value[0], value[1]);
}

// m x'' + c x' + k x in -F Sign(x'), c < 0: a half cycle maps the turning point A to (A - F/k) r - F/k.
static void test_negative_damping_has_a_cycle_in_closed_form(void** state)
{
    (void)state;
    double m = 1.3, c = -0.4, k = 2.0, F = 0.9;
    double sigma = -c / (2.0 * m), omega = sqrt(k / m - sigma * sigma), r = exp(sigma * pi / omega);
    double amplitude = F / k * (r + 1.0) / (r - 1.0);
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, m, 1.05 * amplitude, 0.0);
    rig_spring(&parts, block, SS_GROUND, k, c);
    rig_coulomb(&parts, block, SS_GROUND, F);
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    expect_near("period", ss_cycle_period(cycle), 2.0 * pi / omega, 1e-12);
    expect_near("amplitude", ss_cycle_amplitude(cycle, 0), amplitude, 1e-12 * amplitude);
    expect_near("middle", ss_cycle_middle(cycle, 0), 0.0, 1e-12 * amplitude);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 1);
    expect_near("multiplier", multiplier(cycle, 0), r * r, 1e-11 * r * r);
    assert_false(ss_cycle_is_stable(cycle));
    assert_int_equal(ss_cycle_event_count(cycle), 2);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// A linear and a cubic spring [VL04, section 6]: 40-digit Taylor shooting, as in the reference tables.
static void test_cubic_spring(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 1.6, 0.0);
    rig_spring(&parts, block, SS_GROUND, 1.0, -0.5)->cubic = 1.0;
    rig_coulomb(&parts, block, SS_GROUND, 1.0);
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    expect_near("amplitude", ss_cycle_amplitude(cycle, 0), 1.5948729416716734, 1e-11);
    expect_near("period", ss_cycle_period(cycle), 3.7470453597832836, 1e-11);
    expect_near("multiplier", multiplier(cycle, 0), 1.7844614431599937 * 1.7844614431599937, 1e-9);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// Two equal blocks swinging against each other: x'' - 0.25 x' + 3 x in -Sign(x') for x = x1 = -x2. Both
// floors switch at one instant, but do not act on each other: the multipliers are well defined.
static void test_two_blocks_against_each_other(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int a = rig_body(&parts, 1.0, 2.9, 0.0), b = rig_body(&parts, 1.0, -2.9, 0.0);
    rig_spring(&parts, a, SS_GROUND, 1.0, 0.5);
    rig_spring(&parts, b, SS_GROUND, 1.0, 0.5);
    rig_spring(&parts, a, b, 1.0, -0.375);
    rig_coulomb(&parts, a, SS_GROUND, 1.0);
    rig_coulomb(&parts, b, SS_GROUND, 1.0);
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    expect_near("period", ss_cycle_period(cycle), 3.63708266289729, 1e-12);
    expect_near("amplitude", ss_cycle_amplitude(cycle, 0), 2.945371329705595, 1e-12);
    expect_near("growth", multiplier(cycle, 0), 1.2552285485864176 * 1.2552285485864176, 1e-11);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 3);
    assert_true(multiplier(cycle, 1) < 1.0); // the sum of both is damped
    assert_false(ss_cycle_is_coupled(cycle));
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// On a belt of speed V, friction Fs at rest and Fk in motion: with u = x - Fk/k and the radius
// R = |(u0, V/w)|, u0 = (Fs - Fk)/k, the block slips through the angle 2 pi - 2 atan(u0 w/V) and is carried
// by 2 u0. It forgets everything while it sticks.
static void test_stick_slip_on_a_belt_in_closed_form(void** state)
{
    (void)state;
    double m = 0.8, k = 3.0, V = 0.15, Fs = 1.2, Fk = 0.7, omega = sqrt(k / m), u0 = (Fs - Fk) / k;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, m, 0.0, 0.0), belt = rig_driven_speed(&parts, "0.15");
    rig_spring(&parts, block, SS_GROUND, k, 0.0);
    ss_contact_def* face = rig_coulomb(&parts, block, belt, Fk);
    face->coulomb.static_forward = face->coulomb.static_backward = Fs;
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    double slip = (2.0 * pi - 2.0 * atan(u0 * omega / V)) / omega;
    expect_near("period", ss_cycle_period(cycle), slip + 2.0 * u0 / V, 1e-11);
    expect_near("amplitude", ss_cycle_amplitude(cycle, block), hypot(u0, V / omega), 1e-11);
    expect_near("middle", ss_cycle_middle(cycle, block), Fk / k, 1e-11);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 1);
    assert_true(multiplier(cycle, 0) == 0.0);
    assert_true(ss_cycle_is_stable(cycle));
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// Without friction a forced oscillator answers with amplitude F/|k - m W^2 + i c W| and its multipliers are
// exp((-c/2m +- i omega) T).
static void test_forced_oscillator(void** state)
{
    (void)state;
    double m = 1.0, c = 0.3, k = 4.0, W = 1.3, T = 2.0 * pi / W;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, m, 0.1, 0.0);
    rig_spring(&parts, block, SS_GROUND, k, c);
    rig_force(&parts, block, "6*sin(1.3*t)");
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    assert_true(ss_cycle_is_forced(cycle));
    expect_near("period", ss_cycle_period(cycle), T, 1e-13);
    expect_near("amplitude", ss_cycle_amplitude(cycle, 0), 6.0 / hypot(k - m * W * W, c * W), 1e-10);
    assert_int_equal(ss_cycle_multiplier_count(cycle), 2);
    expect_near("multiplier", multiplier(cycle, 0), exp(-0.5 * c / m * T), 1e-12);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// A ball between its own weight and a plate: bounces of restitution e under constant force, thrown back by a
// plate that moves as A sin(W t), repeat with the plate's period where it strikes at the speed that just
// makes good the loss: v_plate = g T (1 - e) / (2 (1 + e)). The derivative of one period has determinant e^2.
static void test_ball_on_a_shaken_plate(void** state)
{
    (void)state;
    double e = 0.8, g = 9.81;
    rig parts;
    rig_init(&parts);
    int plate = rig_driven(&parts, "0.01*sin(40*t)");
    double T = 2.0 * pi / 40.0, plate_speed = g * T * (1.0 - e) / (2.0 * (1.0 + e));
    double phase = acos(plate_speed / 0.4); // 0.01 * 40 cos(phase) = plate_speed
    double strike = phase / 40.0, height = 0.01 * sin(phase), up = 0.5 * g * T;
    double fall = T - strike; // from the strike before t = 0 to t = 0
    int ball = rig_body(&parts, 0.1, height + up * fall - 0.5 * g * fall * fall, up - g * fall);
    rig_force(&parts, ball, "-0.981");
    rig_stop(&parts, ball, plate, 0.0, -1, e);
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find(model, NAN);
    expect_near("period", ss_cycle_period(cycle), T, 1e-13);
    assert_int_equal(ss_cycle_event_count(cycle), 1);
    expect_near("strike", ss_cycle_event(cycle, 0).t, strike, 1e-10);
    expect_near("determinant", multiplier(cycle, 0) * multiplier(cycle, 1), e * e, 1e-9);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// ---- what is claimed of a period

// The same ball beyond its flip: with W^2 A/g = G, cos(phase) = pi (1-e)/((1+e) G), the trace of one period
// is 1 + e^2 - (1+e)^2 G sin(phase) and the determinant e^2. One multiplier is below -1, so the motion of one
// period is unstable, and the motion comes to one of two.
static void add_shaken_ball(rig* parts, double e, double G, double x, double v)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g*sin(20*pi*t)", G * 9.81 / (400.0 * pi * pi));
    int plate = rig_driven(parts, text);
    int ball = rig_body(parts, 1.0, x, v);
    rig_force(parts, ball, "-9.81");
    rig_stop(parts, ball, plate, 0.0, -1, e);
}

static ss_model* shaken_ball(double e, double G, double x, double v)
{
    rig parts;
    rig_init(&parts);
    add_shaken_ball(&parts, e, G, x, v);
    return rig_model(&parts);
}

static ss_cycle* find_with(const ss_model* model, double period, bool near)
{
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    def.period = period;
    def.near = near;
    def.until = 60.0;
    if (ss_cycle_find(model, &def, &cycle, &err) != SS_OK) fail_msg("%s", err.text);
    return cycle;
}

static void test_the_least_period_shows_a_flip(void** state)
{
    (void)state;
    double e = 0.9, G = 1.12, phase = acos(pi * (1.0 - e) / ((1.0 + e) * G));
    double trace = 1.0 + e * e - (1.0 + e) * (1.0 + e) * G * sin(phase);
    double root = 0.5 * (trace - sqrt(trace * trace - 4.0 * e * e));
    ss_model* model = shaken_ball(e, G, 0.0109, -0.27);
    for (int multiple = 1; multiple <= 3;
         multiple += 2) { // a period that is asked for is a multiple of its own
        ss_cycle* cycle = find_with(model, 0.1 * multiple, true);
        expect_near("period", ss_cycle_period(cycle), 0.1, 1e-13);
        expect_near("multiplier", multiplier(cycle, 0), -root, 1e-8);
        assert_false(ss_cycle_is_stable(cycle));
        ss_cycle_destroy(cycle);
    }
    ss_cycle* cycle = find_with(model, NAN, false);
    expect_near("period", ss_cycle_period(cycle), 0.2, 1e-13);
    assert_true(ss_cycle_is_stable(cycle));
    assert_int_equal(ss_cycle_event_count(cycle), 2);
    expect_near("determinant", multiplier(cycle, 0) * multiplier(cycle, 1), e * e * e * e, 1e-8);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// Without forcing, a first guess of several periods leads to one.
static void test_a_guess_of_several_periods(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 0.0, 0.0), belt = rig_driven_speed(&parts, "0.15");
    rig_spring(&parts, block, SS_GROUND, 3.0, 0.0);
    ss_contact_def* face = rig_coulomb(&parts, block, belt, 0.7);
    face->coulomb.static_forward = face->coulomb.static_backward = 1.2;
    ss_model* model = rig_model(&parts);
    ss_cycle* once = find_with(model, NAN, false);
    for (int times = 2; times <= 6; times++) {
        ss_cycle* cycle = find_with(model, times * ss_cycle_period(once), false);
        expect_near("period", ss_cycle_period(cycle), ss_cycle_period(once), 1e-11);
        ss_cycle_destroy(cycle);
    }
    ss_cycle_destroy(once);
    ss_model_destroy(model);
}

static void refuse_period(const ss_model* model, double period, const char* why)
{
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    def.period = period;
    assert_int_equal(ss_cycle_find(model, &def, &cycle, &err), SS_BAD_INPUT);
    assert_null(cycle);
    if (!strstr(err.text, why)) fail_msg("'%s' does not say '%s'", err.text, why);
}

// One body under one input, from 0.
static ss_model* pushed(const char* force)
{
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 0.0, 0.0);
    rig_spring(&parts, block, SS_GROUND, 4.0, 0.3);
    rig_force(&parts, block, force);
    return rig_model(&parts);
}

static void test_periods_that_inputs_do_not_have(void** state)
{
    (void)state;
    static const struct {
        const char* force;
        double period; // of the input, by hand
    } inputs[] = {{"sin(1.3*t)", 2.0 / 1.3}, {"abs(sin(t))", 1.0},       {"max(0, sin(2*t))", 1.0},
                  {"sin(t)^2", 1.0},         {"sin(4*t)+cos(6*t)", 1.0}, {"sin(0.3361*t)*0+cos(2*t)", 1.0}};
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        ss_model* model = pushed(inputs[k].force);
        double period = pi * inputs[k].period;
        ss_cycle* cycle = find_with(model, NAN, false);
        expect_near(inputs[k].force, ss_cycle_period(cycle), period, 1e-11);
        ss_cycle_destroy(cycle);
        cycle = find_with(model, 3.0 * period * (1.0 + 3e-10), false);
        expect_near(inputs[k].force, ss_cycle_period(cycle), period, 1e-11);
        ss_cycle_destroy(cycle);
        refuse_period(model, 0.5 * period, "must be a multiple");
        refuse_period(model, period * (1.0 + 3e-9), "must be a multiple");
        ss_model_destroy(model);
    }
    static const char* const never[] = {"sin(t)+sin(1.4142135623730951*t)", "exp(-t)", "t*sin(t)", "0.1*t"};
    for (size_t k = 0; k < sizeof never / sizeof never[0]; k++) {
        ss_model* model = pushed(never[k]);
        refuse_period(model, NAN, "no common period");
        refuse_period(model, 2.0 * pi, "no common period");
        ss_model_destroy(model);
    }
}

// x'' + 0.1 x' + x = cos 1.5 t against a wall at 0, e = 0.8, from x = -1: Newton's first step from there
// leads far beyond the wall. One impact per period at the speed of the closed form (Shaw and Holmes 1983).
static void test_starts_beyond_stops_are_not_made(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, -1.0, 0.0);
    rig_spring(&parts, block, SS_GROUND, 1.0, 0.1);
    rig_force(&parts, block, "cos(1.5*t)");
    rig_stop(&parts, block, SS_GROUND, 0.0, 1, 0.8);
    ss_model* model = rig_model(&parts);
    for (int near = 0; near < 2; near++) {
        ss_cycle* cycle = find_with(model, NAN, near == 1);
        assert_int_equal(ss_cycle_event_count(cycle), 1);
        expect_near("speed", ss_cycle_event(cycle, 0).speed_in, 1.4813594661203215, 1e-10);
        ss_cycle_destroy(cycle);
    }
    ss_model_destroy(model);
}

// Den Hartog's oscillator with its inputs shifted such that an event falls on t = 0, to rounding on either
// side: the events of a period are as many as from any other start.
static void test_events_on_the_start_count_once(void** state)
{
    (void)state;
    static const double cases[3][2] = {{0.6, 0.3}, {1.0, 0.9}, {0.2, 0.4}};
    for (int c = 0; c < 3; c++) {
        double phase = 0.123, W = cases[c][0];
        size_t count = 0;
        for (int round = 0; round < 6; round++) {
            char text[64];
            rig parts;
            rig_init(&parts);
            int block = rig_body(&parts, 1.0, 0.0, 0.0);
            rig_spring(&parts, block, SS_GROUND, 1.0, 0.0);
            snprintf(text, sizeof text, "cos(%.17g*t+%.17g)", W, phase);
            rig_force(&parts, block, text);
            rig_coulomb(&parts, block, SS_GROUND, cases[c][1]);
            ss_model* model = rig_model(&parts);
            ss_cycle_def def = ss_cycle_def_default();
            ss_cycle* cycle;
            def.until = 400.0;
            assert_int_equal(ss_cycle_find(model, &def, &cycle, NULL), SS_OK);
            if (round == 0) count = ss_cycle_event_count(cycle);
            assert_int_equal(ss_cycle_event_count(cycle), count);
            for (size_t k = 0; k < count; k++) {
                double t = ss_cycle_event(cycle, k).t;
                assert_true(t == 0.0 || t > 1e-6);
                assert_true(k == 0 || t >= ss_cycle_event(cycle, k - 1).t);
            }
            size_t next = (size_t)round % count;
            phase += W * ss_cycle_event(cycle, next).t + (round % 3 - 1) * 2e-16;
            ss_cycle_destroy(cycle);
            ss_model_destroy(model);
        }
    }
}

// Den Hartog's oscillator below resonance, without stops: x'' + x + 0.1 Sign(x') = cos(t/2). What it comes to
// moves by 4/3 to either side about any place where friction can hold it, less and less to the one where it
// is just not held: there a turning point x returns to x - c (x - x0)^2, and the multiplier is 1. The same
// without friction and hardly any damping is linear, and its multiplier exp(-c T/2) is known to the last
// digit.
static void test_stable_only_where_it_is_known(void** state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        double c = 1e-7, T = 4.0 * pi;
        rig parts;
        rig_init(&parts);
        int block = rig_body(&parts, 1.0, 1.0, 0.0);
        rig_spring(&parts, block, SS_GROUND, 1.0, damped ? c : 0.0);
        if (!damped) rig_coulomb(&parts, block, SS_GROUND, 0.1);
        rig_force(&parts, block, "cos(0.5*t)");
        ss_model* model = rig_model(&parts);
        ss_cycle* cycle = find_with(model, NAN, false);
        expect_near("period", ss_cycle_period(cycle), T, 1e-13);
        expect_near("amplitude", ss_cycle_amplitude(cycle, 0), 4.0 / 3.0, 1e-7);
        assert_true(ss_cycle_is_stable(cycle) == (damped == 1));
        assert_true(ss_cycle_is_neutral(cycle) == (damped == 0));
        if (damped) expect_near("multiplier", multiplier(cycle, 0), exp(-0.5 * c * T), 1e-10);
        ss_cycle_destroy(cycle);
        ss_model_destroy(model);
    }
}

// A ball that bounces to rest on the plate in every period: no derivative exists, but the motion repeats, and
// all is forgotten while it lies on the plate. It leaves where the plate falls with g: sin(w t) = 1/G.
static void test_a_cycle_with_infinitely_many_bounces(void** state)
{
    (void)state;
    double G = 1.2, leaves = asin(1.0 / G) / (20.0 * pi);
    ss_model* model = shaken_ball(0.3, G, 0.01, 0.0);
    ss_cycle* cycle = find_with(model, NAN, false);
    bool left = false;
    expect_near("period", ss_cycle_period(cycle), 0.1, 1e-13);
    assert_true(ss_cycle_is_stable(cycle));
    assert_true(ss_cycle_is_by_differences(cycle));
    for (size_t k = 0; k < ss_cycle_event_count(cycle); k++)
        left = left || fabs(ss_cycle_event(cycle, k).t - leaves) < 1e-9;
    assert_true(left);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

// A body without room between two stops, beside the ball that bounces to rest: it has no neighbouring motion,
// and nothing is claimed of how neighbours behave.
static void test_no_neighbour_is_no_multiplier(void** state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++) {
        rig parts;
        rig_init(&parts);
        add_shaken_ball(&parts, 0.3, 1.2, 0.01, 0.0);
        int other = rig_body(&parts, 1.0, 0.0, 0.0);
        rig_stop(&parts, other, SS_GROUND, 0.0, -1, 0.0);
        if (pinned) rig_stop(&parts, other, SS_GROUND, 0.0, 1, 0.0);
        rig_force(&parts, other, "-1");
        ss_model* model = rig_model(&parts);
        ss_cycle_def def = ss_cycle_def_default();
        ss_cycle* cycle;
        ss_error err = {0};
        ss_status status = ss_cycle_find(model, &def, &cycle, &err);
        assert_int_equal(status, pinned ? SS_NOT_FOUND : SS_OK);
        if (pinned) assert_non_null(strstr(err.text, "no neighbouring motions"));
        ss_cycle_destroy(cycle);
        ss_model_destroy(model);
    }
}

// A block held by friction beside one that is pushed: its speed is forgotten, its place is not.
static void test_what_sticks_all_the_time(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int a = rig_body(&parts, 1.0, 0.0, 0.0), b = rig_body(&parts, 1.0, 0.01, 0.0);
    rig_spring(&parts, a, SS_GROUND, 1.0, 0.4);
    rig_spring(&parts, a, b, 1.0, 0.0);
    rig_coulomb(&parts, b, SS_GROUND, 5.0);
    rig_force(&parts, a, "0.3*cos(2*t)");
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle = find_with(model, NAN, false);
    expect_near("its place", multiplier(cycle, 0), 1.0, 1e-12);
    expect_near("the other block", multiplier(cycle, 1), exp(-0.2 * pi), 1e-9);
    assert_true(multiplier(cycle, 3) == 0.0);
    ss_cycle_destroy(cycle);
    ss_model_destroy(model);
}

static bool stop_at_once(void* user, double fraction)
{
    (void)fraction;
    return ++*(int*)user < 20;
}

static void test_a_search_can_be_ended(void** state)
{
    (void)state;
    int asked = 0;
    ss_model* model = shaken_ball(0.9, 1.12, 0.0109, -0.27);
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    def.progress = stop_at_once;
    def.user = &asked;
    assert_int_equal(ss_cycle_find(model, &def, &cycle, &err), SS_NOT_FOUND);
    assert_non_null(strstr(err.text, "interrupted"));
    assert_int_equal(asked, 20);
    ss_model_destroy(model);
}

typedef struct patience {
    int asked, most; // most: 0 is without end
} patience;

static bool stop_late(void* user, double fraction)
{
    (void)fraction;
    patience* p = user;
    return ++p->asked != p->most;
}

// Ended at the last moments at which it asks, while the events are listed: no list that is not complete.
static void test_a_search_ended_late_has_no_answer(void** state)
{
    (void)state;
    ss_model* model = shaken_ball(0.3, 1.2, 0.01, 0.0);
    ss_cycle_def def = ss_cycle_def_default();
    ss_cycle* cycle;
    ss_error err = {0};
    patience whole = {0};
    def.progress = stop_late;
    def.user = &whole;
    assert_int_equal(ss_cycle_find(model, &def, &cycle, &err), SS_OK);
    ss_cycle_destroy(cycle);
    for (int before = 0; before < 5; before++) {
        patience p = {.most = whole.asked - before};
        def.user = &p;
        assert_int_equal(ss_cycle_find(model, &def, &cycle, &err), SS_NOT_FOUND);
        assert_null(cycle);
        assert_non_null(strstr(err.text, "interrupted"));
    }
    ss_model_destroy(model);
}

static void test_what_comes_to_rest_has_no_cycle(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 3.0, 0.0);
    rig_spring(&parts, block, SS_GROUND, 1.0, 0.1);
    rig_coulomb(&parts, block, SS_GROUND, 0.5);
    ss_model* model = rig_model(&parts);
    ss_cycle* cycle;
    ss_error err;
    assert_int_equal(ss_cycle_find(model, NULL, &cycle, &err), SS_NOT_FOUND);
    assert_null(cycle);
    assert_non_null(strstr(err.text, "at-rest"));
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_negative_damping_has_a_cycle_in_closed_form),
        cmocka_unit_test(test_cubic_spring),
        cmocka_unit_test(test_two_blocks_against_each_other),
        cmocka_unit_test(test_stick_slip_on_a_belt_in_closed_form),
        cmocka_unit_test(test_forced_oscillator),
        cmocka_unit_test(test_stable_only_where_it_is_known),
        cmocka_unit_test(test_ball_on_a_shaken_plate),
        cmocka_unit_test(test_the_least_period_shows_a_flip),
        cmocka_unit_test(test_a_guess_of_several_periods),
        cmocka_unit_test(test_periods_that_inputs_do_not_have),
        cmocka_unit_test(test_starts_beyond_stops_are_not_made),
        cmocka_unit_test(test_events_on_the_start_count_once),
        cmocka_unit_test(test_a_cycle_with_infinitely_many_bounces),
        cmocka_unit_test(test_no_neighbour_is_no_multiplier),
        cmocka_unit_test(test_what_sticks_all_the_time),
        cmocka_unit_test(test_a_search_can_be_ended),
        cmocka_unit_test(test_a_search_ended_late_has_no_answer),
        cmocka_unit_test(test_what_comes_to_rest_has_no_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
