// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops of which several are met at one instant: rows of balls that touch, where some are met without
// speed, and a body that passes from one stop into the next. The truth for rows is the classical method of
// Runge and Kutta with a fixed small step in long double, which knows nothing of events.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { BALLS = 5 };

static rig r;
static run m;

// Balls of 1 kg in a row; ball 0 comes from a distance with 1 m/s, the last one may meet a wall.
typedef struct row {
    int count;
    bool wall; // touches the last ball
    double way, exponent, alpha;
} row;

static const double stiffness = 2000.0, until = 0.5;

static void accelerations(const row* w, const long double x[], const long double v[], long double a[])
{
    for (int i = 0; i < w->count; i++) a[i] = 0.0L;
    for (int i = 0; i < w->count - !w->wall; i++) {
        bool wall = i == w->count - 1;
        long double p = wall ? x[i] : x[i] - x[i + 1], rate = wall ? v[i] : v[i] - v[i + 1];
        if (p <= 0.0L) continue;
        long double force = stiffness * powl(p, w->exponent) * (1.0L + 1.5L * w->alpha * rate);
        if (force <= 0.0L) continue;
        a[i] -= force;
        if (!wall) a[i + 1] += force;
    }
}

static void follow(const row* w, int steps, long double x[], long double v[])
{
    const long double h = until / steps, at[] = {0.0L, 0.5L, 0.5L, 1.0L}, weight[] = {1.0L, 2.0L, 2.0L, 1.0L};
    for (int k = 0; k < steps; k++) {
        long double kx[BALLS] = {0}, kv[BALLS] = {0}, sx[BALLS] = {0}, sv[BALLS] = {0}, y[BALLS], u[BALLS];
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < w->count; i++) {
                y[i] = x[i] + at[stage] * h * kx[i];
                u[i] = v[i] + at[stage] * h * kv[i];
            }
            for (int i = 0; i < w->count; i++) kx[i] = u[i];
            accelerations(w, y, u, kv);
            for (int i = 0; i < w->count; i++) {
                sx[i] += weight[stage] * kx[i];
                sv[i] += weight[stage] * kv[i];
            }
        }
        for (int i = 0; i < w->count; i++) {
            x[i] += h / 6.0L * sx[i];
            v[i] += h / 6.0L * sv[i];
        }
    }
}

static void check(const row* w)
{
    long double x[BALLS] = {-(long double)w->way}, v[BALLS] = {1.0L};
    ss_hunt_crossley law = {
        .side = 1, .stiffness = stiffness, .exponent = w->exponent, .alpha = w->alpha, .position = 0.0};
    rig_init(&r);
    for (int i = 0; i < w->count; i++) rig_body(&r, 1.0, (double)x[i], (double)v[i]);
    for (int i = 0; i + 1 < w->count; i++) rig_elastic(&r, i, i + 1, law);
    if (w->wall) rig_elastic(&r, w->count - 1, SS_GROUND, law);
    ss_model* model = rig_model(&r);
    run_start(&m, model, NULL, NULL);
    run_to(&m, until);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    follow(w, 5000, x, v);
    for (int i = 0; i < w->count; i++) {
        expect_near("place", ss_sim_x(m.sim)[i], (double)x[i], 1e-6);
        expect_near("speed", ss_sim_v(m.sim)[i], (double)v[i], 1e-5);
    }
    expect_near("energy", run_energy_error(&m), 0.0, 1e-11);
    run_stop(&m);
    ss_model_destroy(model);
}

// The first ball arrives with speed where all others touch without any. The stops further back begin to close
// with ever higher derivatives of the motion, or with none where the exponent is a fraction.
static void test_rows_that_touch(void** state)
{
    (void)state;
    const double exponents[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0};
    for (int e = 0; e < 7; e++)
        for (int k = 0; k < 8; k++)
            check(&(row){k & 1 ? BALLS : 3, (k & 2) != 0, 1.0 / 128.0, exponents[e], k & 4 ? 0.3 : 0.0});
}

// The same without a flight before: the touch is the start.
static void test_rows_struck_at_the_start(void** state)
{
    (void)state;
    const double exponents[] = {1.0, 1.5, 1.7, 2.5, 3.0};
    for (int e = 0; e < 5; e++) check(&(row){4, e % 2 == 0, 0.0, exponents[e], 0.2});
}

// How long a body of 1 kg that arrives with 1 m/s is in a stop f = k p^n: 2 pm times the integral of
// (1 - u^(n+1))^(-1/2) over u = 0 .. 1, with pm = ((n+1) / 2k)^(1/(n+1)).
static double time_within(double k, double n)
{
    double q = 1.0 / (n + 1.0), deepest = pow(0.5 * (n + 1.0) / k, q);
    return 2.0 * deepest * sqrt(acos(-1.0)) * tgamma(1.0 + q) / tgamma(0.5 + q);
}

// Two stops without losses that begin at the same place, one to each side: the body passes from one into the
// other at one instant, ten times, always with 1 m/s. Series about the touch have gaps of n + 1, with a clock
// of 2 n + 2, which rounding fills where a step begins next to it.
static void check_two_sides(double place, const double exponents[2], double tolerance)
{
    const double k[] = {30.0, 8.0};
    rig_init(&r);
    int body = rig_body(&r, 1.0, place, 1.0);
    for (int s = 0; s < 2; s++) {
        ss_hunt_crossley law = {
            .side = s == 0 ? 1 : -1, .stiffness = k[s], .exponent = exponents[s], .position = place};
        rig_elastic(&r, body, SS_GROUND, law);
    }
    ss_model* model = rig_model(&r);
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = tolerance;
    run_start_def(&m, model, def);
    double t = 0.0, allowed = 100.0 * tolerance + 1e-12;
    for (int pass = 0; pass < 10; pass++) {
        int inside = pass % 2;
        t += time_within(k[inside], exponents[inside]);
        run_to(&m, t + 0.01);
        assert_int_equal(m.event_count, 2 * (pass + 1));
        for (int e = 0; e < 2; e++) {
            const ss_event* event = &m.events[2 * pass + e];
            expect_near("touch", event->t, t, allowed);
            assert_int_equal(event->to, event->contact == inside ? SS_MODE_OPEN : SS_MODE_CLOSED);
        }
    }
    run_stop(&m);
    ss_model_destroy(model);
}

static void test_from_one_stop_into_the_next(void** state)
{
    (void)state;
    const double exponents[] = {1.5, 2.0, 2.5, 3.0};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int digits = 5; digits <= 12; digits++)
                check_two_sides(digits % 2 ? 0.7 : 0.1, (double[]){exponents[a], exponents[b]},
                                pow(10.0, -digits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_that_touch),
        cmocka_unit_test(test_rows_struck_at_the_start),
        cmocka_unit_test(test_from_one_stop_into_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
