// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models that once took far more steps than their motion asks for. Each is interrupted after a number of
// steps well above what it takes, and the ledger tells whether the motion is right.
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

#define HEAD "slipstick: 1\ntitle: found\n"

typedef struct motion {
    ss_model* model;
    ss_sim* sim;
    ss_outcome outcome;
    int left; // questions until it is interrupted; one is asked every 256 steps
} motion;

static bool keep_going(void* user, double t)
{
    (void)t;
    return ((motion*)user)->left-- > 0;
}

// tolerance: 0 for the usual one
static void run_to(motion* m, const char* text, double until, int steps, double tolerance)
{
    ss_error err;
    memset(m, 0, sizeof *m);
    m->left = steps / 256;
    m->model = text_model(text);
    ss_sim_def def = ss_sim_def_default();
    if (tolerance > 0.0) def.tolerance = tolerance;
    def.keep_going = keep_going;
    def.user = m;
    ss_status status = ss_sim_create(m->model, &def, &m->sim, &err);
    if (status == SS_OK) status = ss_sim_advance(m->sim, until, &m->outcome, &err);
    if (status != SS_OK) fail_msg("%s: %s", err.field, err.text);
}

static void run(motion* m, const char* text, double until, int steps) { run_to(m, text, until, steps, 0.0); }

static void end(motion* m)
{
    ss_sim_destroy(m->sim);
    ss_model_destroy(m->model);
}

static void expect_closed_ledger(const motion* m)
{
    ss_energy energy = ss_sim_energy(m->sim);
    double size = fabs(energy.start) + fabs(energy.input) + fabs(energy.friction) + fabs(energy.damping);
    assert_true(fabs(energy.residual) < 1e-11 * size);
}

// Two bodies that move together at 8 m/s part with a jerk of 2e7 m/s^3 and no acceleration: for a while their
// relative speed is below the rounding of their speeds, which is no arrival at rest.
static void test_bodies_part_at_speed(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD "bodies:\n"
             "  b0: {mass: 0.6084433802194799}\n"
             "  b3: {mass: 3.80181}\n"
             "  b4: {mass: 12.4093}\n"
             "  b5: {mass: 0.18809}\n"
             "  b1: {mass: 1}\n"
             "connections: [{between: [b1, b4], stiffness: 0.51}]\n"
             "contacts:\n"
             "  c0: {along: {b1: -1, b0: -0.105, b4: 1}, law: coulomb, mu: 0.28, normal: 40, mu_static: "
             "0.280028}\n"
             "  c2: {between: [b1, b0], law: coulomb, friction: \"0.0460836*t\"}\n"
             "  c3: {between: [b0, b5], law: coulomb, mu: 0.238, normal: \"76.04835 + "
             "0.45333243692049213*sin(2.383*t)\"}\n"
             "  c4: {between: [b3, b1], law: maxwell-slip, elements: {count: 1000, stiffness: \"1e3\", "
             "breakaway: \"0.1*i\"}}\n"
             "  c5: {between: [b1, b0], law: rigid-stop, below: 0.01, restitution: 0.221}\n"
             "start:\n"
             "  b0: {x: -0.2, v: 72.5261}\n"
             "  b1: {x: 0.04}\n"
             "  b3: {x: -14.858111162088342, v: 0.0809164}\n"
             "  b4: {v: -0.014274852718347483}\n"
             "  b5: {x: -30.4841}\n",
        0.008, 4096);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    end(&m);
}

// Light bodies between strong dampers and a spring under load creep along: what rounding of their large
// accelerations leaves in their small speeds does not shorten steps.
static void test_rounding_between_dampers(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD
        "bodies:\n"
        "  b3: {mass: 0.04}\n"
        "  b4: {mass: 0.0617989}\n"
        "  b5: {mass: 0.02}\n"
        "  b0: {mass: 3}\n"
        "  b1: {mass: 0.0454889}\n"
        "  b2: {mass: 0.046084410953397166}\n"
        "ties: [{b2: 1, b1: -1}]\n"
        "connections:\n"
        "  - {between: [b4, b0], stiffness: 58.1414, length: -8}\n"
        "  - {along: {b4: -6.971127914539095, b1: 1}, stiffness: 0.0528503, damping: 31.0212956604824}\n"
        "contacts:\n"
        "  c0: {between: [b4, ground], law: stribeck, coulomb: 0.02706715633358838, static: 0.054134313, "
        "stribeck_speed: 0.2, shape: 4, viscous: 0.02}\n"
        "  c1: {along: {b4: -1, b0: 1, b3: -1, b5: -1}, law: coulomb, friction: 59.20642474391513, "
        "static: 59.212345}\n"
        "  c4: {between: [b2, b4], law: maxwell-slip, elements: [[20, 78.0], [16.0236, 3], [30.0, 0.3]]}\n"
        "  c5: {between: [b2, b0], law: lugre, sigma0: 0.03, sigma1: 5.650455069152421, sigma2: 1.85596, "
        "coulomb: 0.595652}\n"
        "start:\n"
        "  b0: {v: 2.52934}\n"
        "  b1: {x: 0.02}\n"
        "  b2: {x: 1.165536681487644, v: 90}\n"
        "  b3: {x: -55.1352, v: 2}\n"
        "  b4: {x: -0.155448, v: 0.01}\n"
        "  b5: {x: 0.342651}\n",
        100.0, 30000); // explicit steps would be a million
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    end(&m);
}

// Friction between the same two bodies adds up, however many contacts it is shared by. Which of them is at
// its limit is decided anew only where those that are not cannot go on holding by themselves.
static void test_shared_friction(void** state)
{
    (void)state;
    const char text[] =
        HEAD "bodies: {b0: {mass: 1.6928}, b1: {mass: 1.9137}, b2: {mass: 1.6098}, b3: {mass: 1.8835}}\n"
             "connections:\n"
             "  - {between: [b0, ground], stiffness: 1.5511, damping: 0.0931}\n"
             "  - {between: [b1, b0], stiffness: 18.9238, damping: 0.1298}\n"
             "  - {between: [b2, b1], stiffness: 18.1171, damping: 0.0226}\n"
             "  - {between: [b3, b2], stiffness: 9.9123, damping: 0.0493}\n"
             "forces:\n"
             "  - {body: b0, force: \"4.8405*sin(1.8293*t + 0.999)\"}\n"
             "  - {body: b1, force: \"2.2546*sin(1.9944*t + 5.257)\"}\n"
             "  - {body: b2, force: \"3.5029*sin(1.9083*t + 5.811)\"}\n"
             "  - {body: b3, force: \"1.7875*sin(5.8255*t + 2.299)\"}\n"
             "start: {b0: {x: -0.9569, v: -0.1702}, b1: {x: 0.8716, v: -0.4724}}\n"
             "contacts:\n%s";
    const char *shared = "  c0: {between: [b0, b1], law: coulomb, friction: 0.2236}\n"
                         "  c2: {between: [b3, b0], law: coulomb, friction: 1.5715}\n"
                         "  c3: {between: [b0, b1], law: coulomb, friction: 1.3123}\n"
                         "  c4: {between: [b3, b0], law: coulomb, friction: 0.4380}\n"
                         "  c5: {between: [b0, b1], law: coulomb, friction: 1.5925}\n",
               *summed = "  c0: {between: [b0, b1], law: coulomb, friction: 3.1284}\n"
                         "  c2: {between: [b3, b0], law: coulomb, friction: 2.0095}\n";
    char whole[2048];
    motion m, sum;
    snprintf(whole, sizeof whole, text, shared);
    run(&m, whole, 100.0, 2560);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    snprintf(whole, sizeof whole, text, summed);
    run(&sum, whole, 100.0, 2560);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(ss_sim_x(m.sim)[i] - ss_sim_x(sum.sim)[i]) < 1e-10);
        assert_true(fabs(ss_sim_v(m.sim)[i] - ss_sim_v(sum.sim)[i]) < 1e-10);
    }
    end(&m), end(&sum);
}

// Drag like v |v| of a body that comes to rest in its bristles: long before the speed fades away its square
// has no digits left, and says nothing about steps any more.
static void test_drag_that_fades_away(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD
        "bodies: {b: {mass: 0.4524}}\n"
        "forces: [{body: b, force: \"-1.022*b.v*abs(b.v)\", ledger: damping}]\n"
        "contacts: {c: {between: [b, ground], law: elasto-plastic, sigma0: 76390, sigma1: 160.3, sigma2: "
        "0.0631, coulomb: 0.6012, static: 1.076, stribeck_speed: 0.0319, breakaway: 4.453e-6}}\n"
        "start: {b: {v: -1.572}}\n",
        3.5, 16384);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    end(&m);
}

// LuGre bristles that follow a million times a second, beside generalised Maxwell-slip.
static void test_two_kinds_of_bristles(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD "bodies: {a: {mass: 1}, b: {mass: 1}, d: {speed: 0.1}}\n"
             "connections: [{between: [b, ground], stiffness: 100}, {between: [a, b], stiffness: 50}]\n"
             "contacts:\n"
             "  c: {between: [b, d], law: lugre, sigma0: 1e6, sigma1: 300, sigma2: 0.4, coulomb: 1, "
             "static: 1.5, stribeck_speed: 0.01}\n"
             "  g: {between: [a, ground], law: gms, elements: [[1000, 0.5], [300, 0.5]], coulomb: 1, "
             "static: 1.3, stribeck_speed: 0.01, attraction: 10}\n",
        10.0, 40000);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    end(&m);
}

// Elasto-plastic bristles below their breakaway stand still for good, beside others that slide and follow a
// million times a second. Each block is alone, and the one that stands stays where springs and bristles
// balance, k x = -sigma0 z.
static void test_bristles_that_stand(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
             "connections: [{between: [a, ground], stiffness: 10}, {between: [b, ground], stiffness: 25}]\n"
             "forces: [{body: b, force: \"6*sin(4*t)\"}]\n"
             "contacts:\n"
             "  c: {between: [a, ground], law: elasto-plastic, sigma0: 1e4, sigma1: 300, sigma2: 0, coulomb: "
             "0.5, breakaway: 3e-5}\n"
             "  d: {between: [b, ground], law: lugre, sigma0: 1e6, sigma1: 300, sigma2: 0.4, coulomb: 1, "
             "static: 1.5, stribeck_speed: 0.01}\n"
             "start: {a: {x: 1e-3, v: 0}, b: {x: 0.5}}\n",
        20.0, 40000);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    assert_true(ss_sim_v(m.sim)[0] == 0.0);
    assert_true(fabs(10.0 * ss_sim_x(m.sim)[0] + 1e4 * ss_sim_contact(m.sim, 0).z) < 1e-15);
    end(&m);
}

// A hard spring and a damper that pushes, x'' - x' + x^3 = 0: amplitudes grow like e^(t/3), because in slow
// growth of x^3 the action x^3 goes as e^t, and so do the swings per second. Until 200 s it would swing 1e29
// times: it is given up soon. Until 15 s it is not, and the ledger closes.
static void test_growth_that_quickens(void** state)
{
    (void)state;
    static const char text[] = HEAD "bodies: {b: {mass: 1}}\n"
                                    "connections: [{between: [b, ground], cubic: 1, damping: -1}]\n"
                                    "start: {b: {x: 1}}\n";
    motion m;
    run(&m, text, 200.0, 1 << 20);
    assert_int_equal(m.outcome, SS_EVENT_LIMIT);
    assert_true(ss_sim_time(m.sim) > 10.0 && ss_sim_time(m.sim) < 60.0);
    expect_closed_ledger(&m);
    end(&m);
    run(&m, text, 15.0, 1 << 20);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect_closed_ledger(&m);
    end(&m);
}

// A hard spring under a force e^t: it quickens like e^(t/3), and the end is within reach.
static void test_growth_within_reach(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD "bodies: {b: {mass: 1}}\n"
             "connections: [{between: [b, ground], cubic: 1, damping: 0.5}]\n"
             "forces: [{body: b, force: \"exp(t)\"}]\n"
             "start: {b: {x: 1}}\n",
        22.0, 1 << 22);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    end(&m);
}

// Stribeck friction on a belt, of a shape a little above 1. The block breaks loose with no acceleration: for
// a while its slip is below the rounding of its speed, and steps that go by its size get nowhere. In the
// limit the shape is 1, where the curve is analytic: what a shape of 1 + e changes is of the order of e. The
// second model begins to slip at once, beside a force that is an expression of the place.
static void test_slip_on_a_belt_of_fractional_shape(void** state)
{
    (void)state;
    const char* const models[] = {
        HEAD "bodies: {b: {mass: 1.9}, belt: {speed: 0.15}}\n"
             "connections: [{between: [b, ground], stiffness: 13.5}]\n"
             "contacts: {c: {between: [b, belt], law: stribeck, coulomb: 1.29, static: 2.18, stribeck_speed: "
             "0.052, shape: %.17g, viscous: 0.29}}\n"
             "start: {b: {x: 0.1, v: 0.15}}\n",
        HEAD "bodies: {b: {mass: 0.586998}, belt: {speed: 0.367509}}\n"
             "connections: [{between: [b, ground], stiffness: 10.3457, cubic: 6.80053, length: -0.28198}]\n"
             "forces: [{body: b, force: 1.33018172095}, {body: b, force: \"-1.10629*tanh(0.97701*b.x)\"}]\n"
             "contacts: {c: {between: [b, belt], law: stribeck, coulomb: 1.11430760645, static: "
             "1.6796404275063428, stribeck_speed: 0.159391, shape: %.17g, viscous: 0.0177721}}\n"
             "start: {b: {x: -0.688004, v: 0.367509}}\n"};
    const double shapes[] = {1.0, 1.0 + 1e-6, 1.0 + 1e-4, 1.01, 1.05, 1.0911, 1.14251};
    for (int k = 0; k < 2; k++) {
        double x = 0.0;
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            motion m;
            char text[1000];
            snprintf(text, sizeof text, models[k], shapes[i]); // NOLINT: all formats are in this function
            run(&m, text, 2.0, 20000);
            assert_int_equal(m.outcome, SS_TIME_REACHED);
            expect_closed_ledger(&m);
            double place = ss_sim_x(m.sim)[0];
            if (i == 0) x = place;
            assert_true(fabs(place - x) <= 0.2 * (shapes[i] - 1.0));
            end(&m);
        }
    }
}

// The same curve, once by name and once written out. A fractional power is not analytic at v = 0, where slip
// begins: that is no escape, and beside an expression of the motion no force that is not finite.
static void test_fractional_power_beside_an_expression(void** state)
{
    (void)state;
    const char* const laws[] = {
        "law: stribeck, coulomb: 1.3, static: 2.1, stribeck_speed: 0.05, shape: 1.2, viscous: 0.1",
        "law: curve, force: \"1.3 N + 0.8 N*exp(-(v/(0.05 m/s))^1.2) + 0.1 N*v/(1 m/s)\""};
    for (int i = 0; i < 4; i++) {
        double x[2];
        for (int k = 0; k < 2; k++) {
            motion m;
            char text[1000];
            snprintf(text, sizeof text,
                     HEAD "bodies: {b: {mass: 1.9}, belt: {speed: \"%s\"}}\n"
                          "connections: [{between: [b, ground], stiffness: 13.5}]\n"
                          "forces: [{body: b, force: \"-0.3*tanh(b.x)\"}]\n"
                          "contacts: {c: {between: [b, belt], %s}}\n"
                          "start: {b: {x: %g, v: 0.15}}\n",
                     i % 2 ? "0.15 + 0.05*sin(3*t)" : "0.15", laws[k], i < 2 ? 0.1 : -0.2);
            run(&m, text, 3.0, 50000);
            assert_int_equal(m.outcome, SS_TIME_REACHED);
            x[k] = ss_sim_x(m.sim)[0];
            end(&m);
        }
        assert_true(fabs(x[1] - x[0]) < 1e-9);
    }
}

// Curves with fractional powers of the speed, by a coarse tolerance: next to v = 0 their series reach as far
// as the slip has gone, whatever the speeds of the bodies say. Beyond, the slip ended and began for ever.
static void test_fractional_powers_by_a_coarse_tolerance(void** state)
{
    (void)state;
    static const char* const texts[] = {
        HEAD "bodies: {b: {mass: 1.9}, d: {mass: 3}}\n"
             "forces: [{body: b, force: \"2*sin(3*t)\"}]\n"
             "connections: [{between: [b, ground], stiffness: 13.5}, {between: [d, ground], stiffness: 5}]\n"
             "contacts: {c: {between: [b, d], law: curve, force: \"2 N - 0.5 N*(v/(1 m/s))^1.19/(1+v/(1 "
             "m/s))^2\"}}\n"
             "start: {b: {x: 0.095979, v: 2.5101}, d: {v: 1.5}}\n",
        HEAD "bodies: {b: {mass: 1.9}, d: {mass: 3}}\n"
             "connections: [{between: [b, ground], stiffness: 13.5}, {between: [d, ground], stiffness: 5}]\n"
             "contacts: {c: {between: [b, d], law: curve, force: \"2 N + 0.5 N*(v/(1 m/s))^1.0836\"}}\n"
             "start: {b: {x: 0.1, v: 1.9}, d: {v: 1.5}}\n"};
    const double tolerances[] = {1e-12, 1e-10, 1e-9, 1e-8, 1e-7};
    for (int k = 0; k < 2; k++) {
        double x = 0.0;
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
            motion m;
            run_to(&m, texts[k], 3.0, 5000, tolerances[i]);
            assert_int_equal(m.outcome, SS_TIME_REACHED);
            if (i == 0) x = ss_sim_x(m.sim)[0];
            assert_true(fabs(ss_sim_x(m.sim)[0] - x) <= 10.0 * tolerances[i]);
            end(&m);
        }
    }
}

// A milligram, damped, on elements: overdamped 1e6 times faster than it creeps. It creeps home; beside others
// that swing slowly; and under a slow force, through reversals. All of that is stiff, and no step by its
// fastest rate would do.
static void test_light_bodies_on_elements(void** state)
{
    (void)state;
    static const char* const texts[] = {
        HEAD "bodies: {b: {mass: 1e-6}}\n"
             "connections: [{between: [b, ground], stiffness: 12.15, damping: 1.593}]\n"
             "contacts:\n"
             "  c: {between: [b, ground], law: maxwell-slip, elements: [[251.1, 1.521], [151.9, 1.872]]}\n"
             "start: {b: {x: 0.12314, v: -0.27866}}\n",
        HEAD "bodies: {a: {mass: 2.528}, b: {mass: 1e-6}, c: {mass: 8.205}}\n"
             "connections:\n"
             "  - {between: [a, ground], stiffness: 6.104, damping: 2.97}\n"
             "  - {between: [a, b], stiffness: 21.49, damping: 2.784}\n"
             "  - {between: [b, c], stiffness: 5.412}\n"
             "contacts: {c: {between: [b, ground], law: maxwell-slip, elements: [[1546, 0.3926]]}}\n"
             "start: {a: {x: 0.0443184, v: -0.149574}, b: {x: -0.0328373, v: -0.894576},\n"
             "        c: {x: -0.0242071, v: -0.300578}}\n",
        HEAD "bodies: {b: {mass: 1e-6}}\n"
             "connections: [{between: [b, ground], stiffness: 2.816, damping: 1.126}]\n"
             "forces: [{body: b, force: \"2.11*sin(1.37*t)\"}]\n"
             "contacts: {c: {between: [b, ground], law: maxwell-slip, elements: [[403.3, 0.6009]]}}\n"
             "start: {b: {x: 0.0142647, v: -0.104498}}\n"};
    for (int k = 0; k < 3; k++) {
        motion m;
        run(&m, texts[k], 30.0, 1 << 13);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        expect_closed_ledger(&m);
        end(&m);
    }
}

// The same beside a heavy body, against its closed form from event to event in 40 digits.
static void test_light_body_in_closed_form(void** state)
{
    (void)state;
    motion m;
    run(&m,
        HEAD "bodies: {a: {mass: 2.065}, b: {mass: 1e-6}}\n"
             "connections:\n"
             "  - {between: [a, ground], stiffness: 463.1, damping: 0.01078}\n"
             "  - {between: [a, b], stiffness: 31.55, damping: 2.698}\n"
             "contacts: {c: {between: [a, ground], law: maxwell-slip, elements: [[963.7, 0.02308]]}}\n"
             "start: {a: {x: -0.135093, v: 0.811946}, b: {x: -0.17647, v: 0.63764}}\n",
        1.0, 1 << 13);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_true(fabs(ss_sim_x(m.sim)[0] - 0.135864537567627469) < 1e-12);
    assert_true(fabs(ss_sim_x(m.sim)[1] - 0.135864386822759644) < 1e-12);
    assert_true(fabs(ss_sim_v(m.sim)[0] - 0.744722877912263298) < 1e-11);
    assert_true(fabs(ss_sim_v(m.sim)[1] - 0.744735939560273681) < 1e-11);
    end(&m);
}

// A harmonic force beside a contact, for 1e99 s: that is told to be out of reach, soon. 1e5 s are not.
static void test_what_is_out_of_reach(void** state)
{
    (void)state;
    static const char text[] = HEAD "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
                                    "connections: [{between: [a, ground], stiffness: 1, cubic: 1}]\n"
                                    "forces: [{body: a, force: \"2*sin(4.468*t)\"}]\n"
                                    "contacts: {c: {between: [b, ground], law: coulomb, friction: 1}}\n";
    motion m;
    run(&m, text, 1e99, 1 << 22);
    assert_int_equal(m.outcome, SS_EVENT_LIMIT);
    end(&m);
    run(&m, text, 1e4, 1 << 22);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_part_at_speed),
        cmocka_unit_test(test_rounding_between_dampers),
        cmocka_unit_test(test_shared_friction),
        cmocka_unit_test(test_drag_that_fades_away),
        cmocka_unit_test(test_two_kinds_of_bristles),
        cmocka_unit_test(test_bristles_that_stand),
        cmocka_unit_test(test_growth_that_quickens),
        cmocka_unit_test(test_growth_within_reach),
        cmocka_unit_test(test_slip_on_a_belt_of_fractional_shape),
        cmocka_unit_test(test_fractional_power_beside_an_expression),
        cmocka_unit_test(test_fractional_powers_by_a_coarse_tolerance),
        cmocka_unit_test(test_light_bodies_on_elements),
        cmocka_unit_test(test_light_body_in_closed_form),
        cmocka_unit_test(test_what_is_out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
