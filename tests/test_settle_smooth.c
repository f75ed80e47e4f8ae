// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling of open models that are not linear: what is said comes true, what is known to settle is found
// once the motion is near, and nothing is said of what goes on.
#include "rig.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static bool settles(const char* parts, double until, double limit[])
{
    ss_model* model = text_parts_model(parts);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, until);
    bool said = m.outcome == SS_TIME_REACHED && ss_sim_settles(m.sim, limit);
    run_end(&m, model, INFINITY);
    return said;
}

// U (1 - cos x) with damping c, pushed by a constant moment: it comes to sin x = moment/U, and not to any
// place at all without damping.
static void pendulum(void** state)
{
    (void)state;
    static const char parts[] = "bodies: {rod: {inertia: 1 kg*m^2}}\n"
                                "potentials: [\"5 J*(1 - cos(rod.x))\"]\n"
                                "forces: [{body: rod, force: \"%g N*m - %g N*m*s*rod.v\"}]\n"
                                "start: {rod: {x: 1 rad}}\n";
    char text[400];
    double limit[4];
    for (double moment = -2.0; moment <= 2.0; moment += 1.0) {
        snprintf(text, sizeof text, parts, moment, 1.0);
        assert_true(settles(text, 15.0, limit));
        assert_true(fabs(limit[0] - asin(moment / 5.0)) < 1e-12);
    }
    snprintf(text, sizeof text, parts, 0.0, 0.0);
    assert_false(settles(text, 15.0, limit));
    snprintf(text, sizeof text, parts, 0.0, -0.05);
    assert_false(settles(text, 5.0, limit));
    snprintf(text, sizeof text, parts, 5.5, 1.0); // it turns over and over
    assert_false(settles(text, 15.0, limit));
}

// Motions that do not decay exponentially to a point, or whose forces are not continuous there.
static void nothing_is_said(void** state)
{
    (void)state;
    static const char* const parts[] = {
        "bodies: {a: {mass: 1 kg}}\npotentials: [\"1 N/m^3*a.x^4\"]\n" // dies out like a power of t
        "forces: [{body: a, force: \"-1 N*s/m*a.v\"}]\nstart: {a: {x: 1 m}}\n",
        "bodies: {a: {mass: 1 kg}}\n" // van der Pol
        "forces: [{body: a, force: \"-1 N/m*a.x + 1 N*s/m*(1 - (a.x/1 m)^2)*a.v\"}]\n"
        "start: {a: {x: 0.01 m}}\n",
        "bodies: {a: {mass: 1 kg}}\npotentials: [\"1 N*abs(a.x)\"]\n" // a force that jumps at the bottom
        "forces: [{body: a, force: \"-1 N*s/m*a.v\"}]\nstart: {a: {x: 1 m}}\n",
        "bodies: {a: {mass: 1 kg}}\n" // stands where it likes
        "forces: [{body: a, force: \"-1 N*s/m*a.v - 1 N*s^3/m^3*a.v^3\"}]\nstart: {a: {v: 1 m/s}}\n",
        "bodies: {a: {mass: 1 kg}}\nstates: {n: {rate: 1}}\n" // a clock goes on
        "forces: [{body: a, force: \"-1 N/m*a.x - 1 N*s/m*a.v - 1 N/m^3*a.x^3\"}]\nstart: {a: {x: 1 m}}\n",
        "bodies: {a: {mass: 1 kg}}\n" // the time itself
        "forces: [{body: a, force: \"-1 N/m*a.x - 1 N*s/m*a.v - 1 N/m^3*a.x^3*exp(-t/1 s)\"}]\n"
        "start: {a: {x: 1 m}}\n",
    };
    double limit[4];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (double t = 0.5; t < 100.0; t *= 3.0) assert_false(settles(parts[k], t, limit));
}

// A cart that friction holds, a rod that swings and pulls at it: the friction needed is at most
// 10 N sin(amplitude). Where the floor has less, the cart moves, and nothing may be said before.
static void contacts_hold_all_the_way(void** state)
{
    (void)state;
    static const char parts[] = "bodies: {cart: {mass: 1 kg}, rod: {inertia: 1 kg*m^2}}\n"
                                "potentials: [\"5 J*(1 - cos(rod.x - 2*cart.x/(1 m)))\"]\n"
                                "forces: [{body: rod, force: \"-1 N*m*s*rod.v\"}]\n"
                                "contacts: {floor: {between: [cart, ground], law: coulomb, friction: %g N}}\n"
                                "start: {rod: {x: 0.5 rad}}\n";
    char text[500];
    double limit[4];
    snprintf(text, sizeof text, parts, 20.0);
    assert_true(settles(text, 0.01, limit));
    assert_true(limit[0] == 0.0 && fabs(limit[1]) < 1e-12);
    for (double friction = 1.0; friction < 4.7; friction += 1.2) { // 10 sin(0.5) = 4.79
        snprintf(text, sizeof text, parts, friction);
        assert_false(settles(text, 1e-3, limit));
    }
}

// Random wells, dampers, saturated controllers and filters: whenever it is said, a run ten times as long, at
// least 60 s, is there, with no further event.
static void what_is_said_comes_true(void** state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int said = 0;
    for (int k = 0; k < 60; k++) {
        double u[10];
        for (int i = 0; i < 10; i++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            u[i] = (double)(seed >> 11) * 0x1p-53;
        }
        char text[800], floor[100];
        snprintf(floor, sizeof floor,
                 "contacts: {floor: {between: [b, ground], law: coulomb, friction: %g N}}\n", 2.0 * u[8]);
        snprintf(text, sizeof text,
                 "bodies: {a: {mass: 1 kg}, b: {mass: %g kg}}\n"
                 "states: {f: {rate: \"(a.x - f)/(%g s)\"}}\n"
                 "potentials: [\"%g J*(a.x/1 m)^4 - %g J*(a.x/1 m)^2 + %g J*cos(a.x/1 m - b.x/1 m)\"]\n"
                 "connections: [{between: [b, ground], stiffness: 4 N/m, damping: %g N*s/m}]\n"
                 "forces: [{body: a, force: \"-%g N*s/m*a.v + %g N*tanh((f - b.x)/(1 m))\"}]\n"
                 "start: {a: {x: %g m}}\n%s",
                 0.5 + u[0], 0.1 + u[1], 0.3 + u[2], 2.0 * u[3], 2.0 * u[4] - 1.0, u[5], 0.2 + u[6],
                 2.0 * u[7], 2.0 * u[9], k % 2 ? floor : "");
        ss_model* model = text_parts_model(text);
        run m;
        double limit[2];
        run_start(&m, model, NULL, NULL);
        for (double t = 1.0; t < 40.0; t *= 1.7) {
            run_to(&m, t);
            if (m.outcome != SS_TIME_REACHED || !ss_sim_settles(m.sim, limit)) continue;
            long events = m.event_count;
            run_to(&m, fmax(60.0, 10.0 * t));
            assert_int_equal(m.event_count, events);
            for (int b = 0; b < 2; b++)
                if (!(fabs(ss_sim_x(m.sim)[b] - limit[b]) < 1e-3 * (1.0 + fabs(limit[b]))))
                    fail_msg("model %d at %g s: %.17g, not %.17g", k, t, ss_sim_x(m.sim)[b], limit[b]);
            said++;
            break;
        }
        run_end(&m, model, INFINITY);
    }
    assert_true(said >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum),
        cmocka_unit_test(nothing_is_said),
        cmocka_unit_test(contacts_hold_all_the_way),
        cmocka_unit_test(what_is_said_comes_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
