// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A stop that is a spring with a damper beside it, against closed forms: a free mass on it is a damped
// oscillator until the force would pull; with the limit an undamped one comes before. What happens at the
// touch, where the force jumps; touches without speed; rest. Random rows of blocks: test_peer_elastic.c.
#include "rig.h"
#include "share/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ss_elastic_stop stop_of(double stiffness, double exponent, double damping, bool limited)
{
    return (ss_elastic_stop){
        .side = 1, .stiffness = stiffness, .exponent = exponent, .damping = damping, .limited = limited};
}

// A free mass that meets the stop at t = 0.5 s with this speed (m/s).
static void fly(run* m, ss_model** model, double mass, double speed, ss_elastic_stop law, double until)
{
    static rig r;
    rig_init(&r);
    rig_body(&r, mass, -0.5 * speed, speed);
    rig_damped(&r, 0, SS_GROUND, law);
    *model = rig_model(&r);
    run_start(m, *model, NULL, NULL);
    run_to(m, until);
}

// m p'' + d p' + k p = 0 from p = 0 with speed v until k p + d p' = -m p'' = 0: with D = d/(2 sqrt(k m)) =
// cos b it takes the phase 2 b, and leaves exp(-2 b cot b) of the speed, above D = 1 the same of imaginary b.
static void test_free_mass(void** state)
{
    (void)state;
    static const double ratios[] = {0.0, 1e-6, 0.1, 0.5, 0.9, 1.0, 1.5, 10.0, 100.0};
    const double mass = 2.0, k = 800.0, w = sqrt(k / mass), speed = 0.7;
    for (size_t j = 0; j < sizeof ratios / sizeof *ratios; j++) {
        double D = ratios[j], root = sqrt(fabs(1.0 - D * D));
        double phase = D < 1.0 ? 2.0 * acos(D) / root : D > 1.0 ? 2.0 * acosh(D) / root : 2.0;
        double e = exp(-D * phase);
        static run m;
        ss_model* model;
        fly(&m, &model, mass, speed, stop_of(k, 1.0, 2.0 * D * sqrt(k * mass), false), 2.0);
        assert_int_equal(m.event_count, 2);
        expect_event(&m, 0, 0.5, 0, SS_MODE_OPEN, SS_MODE_CLOSED, 1e-14);
        expect_event(&m, 1, 0.5 + phase / w, 0, SS_MODE_CLOSED, SS_MODE_OPEN, 1e-11);
        expect_near("restitution", -ss_sim_v(m.sim)[0] / speed, e, 1e-11);
        assert_true(run_energy_error(&m) < 1e-12);
        // Heavily damped, it has not yet left what it has pressed in.
        double p = fmax(0.0, ss_sim_x(m.sim)[0]), lost = ss_sim_energy(m.sim).impact + 0.5 * k * p * p;
        expect_near("loss", lost, 0.5 * mass * speed * speed * (1.0 - e * e), 1e-11);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Limited: m p'' = -2 k p until d p' = k p, then the damped oscillator until its force is 0.
static void test_limited(void** state)
{
    (void)state;
    static const double ratios[] = {0.01, 0.2, 0.7, 0.95};
    const double mass = 0.5, k = 200.0, speed = 1.3;
    for (size_t j = 0; j < sizeof ratios / sizeof *ratios; j++) {
        double d = 2.0 * ratios[j] * sqrt(k * mass), fast = sqrt(2.0 * k / mass),
               first = atan(d * fast / k) / fast;
        double p = speed / fast * sin(fast * first), v = speed * cos(fast * first);
        double slow = 0.5 * d / mass, w = sqrt(k / mass - slow * slow);
        double c = k * p + d * v, s = (k * v - d * 2.0 * k * p / mass + slow * c) / w;
        double second = atan2(c, -s) / w;
        double end =
            exp(-slow * second) * (v * cos(w * second) - (slow * v + k / mass * p) / w * sin(w * second));
        static run m;
        ss_model* model;
        fly(&m, &model, mass, speed, stop_of(k, 1.0, d, true), 2.0);
        assert_int_equal(m.event_count, 2); // where the limit ends is no event
        expect_event(&m, 1, 0.5 + first + second, 0, SS_MODE_CLOSED, SS_MODE_OPEN, 1e-11);
        expect_near("speed", ss_sim_v(m.sim)[0], end, 1e-11);
        assert_true(run_energy_error(&m) < 1e-12);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Without damping all four ways to write it are one law: with the limit or not, and Hunt-Crossley without
// loss.
static void test_without_damping(void** state)
{
    (void)state;
    static const double exponents[] = {1.0, 1.5, 1.8, 2.0};
    for (size_t j = 0; j < sizeof exponents / sizeof *exponents; j++) {
        double x[3], v[3];
        for (int kind = 0; kind < 3; kind++) {
            static rig r;
            static run m;
            rig_init(&r);
            rig_body(&r, 0.3, -0.2, 1.0);
            rig_spring(&r, 0, SS_GROUND, 5.0, 0.1);
            ss_hunt_crossley other = {.side = 1, .stiffness = 900.0, .exponent = exponents[j]};
            if (kind == 2)
                rig_elastic(&r, 0, SS_GROUND, other);
            else
                rig_damped(&r, 0, SS_GROUND, stop_of(900.0, exponents[j], 0.0, kind == 1));
            ss_model* model = rig_model(&r);
            run_start(&m, model, NULL, NULL);
            run_to(&m, 5.0);
            assert_true(m.event_count > 4);
            x[kind] = ss_sim_x(m.sim)[0];
            v[kind] = ss_sim_v(m.sim)[0];
            run_stop(&m);
            ss_model_destroy(model);
        }
        for (int kind = 1; kind < 3; kind++) {
            expect_near("x", x[kind], x[0], 0.0);
            expect_near("v", v[kind], v[0], 0.0);
        }
    }
}

// A mass flies into a block that friction holds: its damper pushes with d v at once. Where that is more than
// the friction the block breaks loose at the touch, otherwise later; limited, always later.
static void test_touch_breaks_loose(void** state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        double friction = kind == 0 ? 3.9 : 4.1;
        static rig r;
        static run m;
        rig_init(&r);
        int mass = rig_body(&r, 1.0, -1.0, 2.0), block = rig_body(&r, 5.0, 0.0, 0.0);
        rig_coulomb(&r, block, SS_GROUND, friction);
        rig_damped(&r, mass, block, stop_of(300.0, 1.0, 2.0, kind == 2)); // d v = 4 N
        ss_model* model = rig_model(&r);
        run_start(&m, model, NULL, NULL);
        run_to(&m, 3.0);
        double touch = 0.5, loose = NAN;
        for (int e = 0; e < (int)m.event_count && isnan(loose); e++)
            if (m.events[e].contact == 0) loose = m.events[e].t;
        if (kind == 0) expect_near("loose", loose, touch, 1e-14);
        if (kind == 1) assert_true(loose > touch + 1e-6 && loose < touch + 0.01);
        // Before it breaks loose p'' = -2 k p, and 2 k p is 4.1 N.
        double fast = sqrt(600.0);
        if (kind == 2) expect_near("loose", loose, touch + asin(4.1 / 600.0 * fast / 2.0) / fast, 1e-11);
        assert_true(run_energy_error(&m) < 1e-12);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Pushed from p = 0, p' = 0 by a constant force: the damped oscillator's answer to a step. Where the damper
// is weaker than the limit the answer differs; there only the end is known, k p = F.
static void test_pushed_from_touch(void** state)
{
    (void)state;
    const double mass = 1.5, k = 60.0, push = 3.0, ratio = 0.4, w = sqrt(k / mass);
    for (int limited = 0; limited < 2; limited++) {
        static rig r;
        static run m;
        rig_init(&r);
        rig_body(&r, mass, 0.0, 0.0);
        rig_force(&r, 0, "3");
        rig_damped(&r, 0, SS_GROUND, stop_of(k, 1.0, 2.0 * ratio * sqrt(k * mass), limited == 1));
        ss_model* model = rig_model(&r);
        run_start(&m, model, NULL, NULL);
        for (int j = 1; j <= 10 && !limited; j++) {
            double t = 0.1 * j, wd = w * sqrt(1.0 - ratio * ratio), decay = exp(-ratio * w * t);
            run_to(&m, t);
            double want = push / k * (1.0 - decay * (cos(wd * t) + ratio * w / wd * sin(wd * t)));
            expect_near("x", ss_sim_x(m.sim)[0], want, 1e-12);
        }
        run_to(&m, 30.0);
        expect_near("end", ss_sim_x(m.sim)[0], push / k, 1e-12);
        assert_int_equal(m.event_count, 0); // closed from the start
        assert_true(run_energy_error(&m) < 1e-12);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// A driven body in a stop: closed where k p^n + d p' > 0 and p > 0, whatever it weighs.
static void drive(const char* place, ss_elastic_stop law, double at, double force, double last, double within)
{
    static rig r;
    static run m;
    rig_init(&r);
    int body = rig_driven(&r, place);
    rig_damped(&r, body, SS_GROUND, law);
    ss_model* model = rig_model(&r);
    run_start(&m, model, NULL, NULL);
    run_to(&m, at);
    expect_near(place, -ss_sim_contact(m.sim, 0).force, force, 1e-11 * fmax(1.0, force));
    run_to(&m, 4.0);
    assert_int_equal(m.event_count, 1);
    expect_near(place, m.events[0].t, last, within);
    run_stop(&m);
    ss_model_destroy(model);
}

static void test_driven(void** state)
{
    (void)state;
    // Entered without speed, and without acceleration: a triple zero, known to the cube root of rounding.
    const double triple = 1e-4, simple = 1e-11;
    drive("(t - 1)^3", stop_of(10.0, 1.0, 3.0, false), 1.5, 10.0 * 0.125 + 3.0 * 0.75, 1.0, triple);
    drive("(t - 1)^3", stop_of(10.0, 2.0, 3.0, false), 1.5, 10.0 / 64.0 + 3.0 * 0.75, 1.0, triple);
    drive("(t - 1)^3", stop_of(10.0, 2.0, 3.0, true), 1.5, 20.0 / 64.0, 1,
          1.0); // 3 p' = 2.25 N is above 10 p^2
    drive("(t - 1)^3", stop_of(10.0, 1.0, 0.1, true), 1.5, 1.25 + 0.075, 1.0, triple);
    // p = t (3 - t)/2 is closed from the start; 4 p + 2 p' = 0 where 2 t (3 - t) + 3 - 2 t = 0.
    drive("t * (3 - t) / 2", stop_of(4.0, 1.0, 2.0, false), 1.0, 4.0 + 1.0, 1.0 + sqrt(2.5), simple);
    drive("t^2 * (2 - t)", stop_of(4.0, 1.5, 0.0, false), 1.0, 4.0, 2.0, simple); // at p = 0
    // 4 p^1.5 + p'/2 = 0 at t = 1.75, where p = 1/4 and p' = -1
    double p = 1.140625, rate = -1.375;
    drive("2 - t + (t - 1.75)^2 / 4", stop_of(4.0, 1.5, 0.5, false), 1.0, 4.0 * pow(p, 1.5) + 0.5 * rate,
          1.75, simple);
}

static void test_at_rest(void** state)
{
    (void)state;
    static rig r;
    static run m;
    rig_init(&r);
    rig_body(&r, 1.0, 0.25, 0.0);
    rig_force(&r, 0, "2");
    rig_damped(&r, 0, SS_GROUND, stop_of(32.0, 2.0, 5.0, true)); // 32 0.25^2 = 2
    ss_model* model = rig_model(&r);
    run_start(&m, model, NULL, NULL);
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    expect_near("t", ss_sim_time(m.sim), 0.0, 0.0);
    run_stop(&m);
    ss_model_destroy(model);
}

// The law alone, and what it refuses.
static void test_alone(void** state)
{
    (void)state;
    ss_elastic_stop law = stop_of(100.0, 2.0, 3.0, false);
    ss_error err;
    expect_near("plain", ss_elastic_stop_push(&law, 0.1, 0.2), 1.6, 1e-15);
    expect_near("cut", ss_elastic_stop_push(&law, 0.1, -0.5), 0.0, 0.0);
    expect_near("outside", ss_elastic_stop_push(&law, -0.1, 0.5), 0.0, 0.0);
    law.limited = true;
    expect_near("limited", ss_elastic_stop_push(&law, 0.1, 0.5), 2.0, 1e-15);
    expect_near("within", ss_elastic_stop_push(&law, 0.1, 0.2), 1.6, 1e-15);
    law.side = -1;
    law.position = 0.5;
    expect_near("below", ss_elastic_stop_force(&law, 0.4, -0.2), 1.6, 1e-15);
    expect_near("energy", ss_elastic_stop_energy(&law, 0.3), 100.0 * 0.027 / 3.0, 1e-15);
    assert_int_equal(ss_elastic_stop_check(&law, &err), SS_OK);
    law.damping = -1.0;
    assert_int_equal(ss_elastic_stop_check(&law, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "damping");
    law.damping = 1.0;
    law.exponent = 0.5;
    assert_int_equal(ss_elastic_stop_check(&law, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "exponent");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_mass),         cmocka_unit_test(test_limited),
        cmocka_unit_test(test_without_damping),   cmocka_unit_test(test_touch_breaks_loose),
        cmocka_unit_test(test_pushed_from_touch), cmocka_unit_test(test_driven),
        cmocka_unit_test(test_at_rest),           cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
