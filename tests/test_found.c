// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models that once went wrong, each with what must come out and why.
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 512 };
static const double pi = 3.14159265358979323846;

typedef struct motion {
    ss_model* model;
    ss_sim* sim;
    ss_outcome outcome;
    ss_event events[MOST];
    int count;
} motion;

static void keep(void* user, const ss_event* event)
{
    motion* m = user;
    if (m->count < MOST) m->events[m->count++] = *event;
}

static ss_status begin(motion* m, const char* text, ss_error* err)
{
    ss_document* document = NULL;
    memset(m, 0, sizeof *m);
    assert_int_equal(ss_document_parse_yaml("found.yaml", text, strlen(text), &document, err), SS_OK);
    ss_status status = ss_model_create_from_document(document, &m->model, err);
    ss_document_destroy(document);
    if (status != SS_OK) return status;
    ss_sim_def def = ss_sim_def_default();
    def.on_event = keep;
    def.user = m;
    return ss_sim_create(m->model, &def, &m->sim, err);
}

static ss_status go(motion* m, double until)
{
    ss_error err;
    return ss_sim_advance(m->sim, until, &m->outcome, &err);
}

static void end(motion* m)
{
    ss_sim_destroy(m->sim);
    ss_model_destroy(m->model);
}

static void start(motion* m, const char* text)
{
    ss_error err;
    if (begin(m, text, &err) != SS_OK) fail_msg("%s", err.text);
}

static void expect(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("expected %.15g, got %.15g", want, got);
}

#define HEAD "slipstick: 1\ntitle: found\n"

static motion m;

// The force that presses a body on a stop passes through zero at t = pi/w: there it leaves, whatever sin says
// about pi in its last digit.
static void test_stop_is_left_as_the_force_changes_sign(void** state)
{
    (void)state;
    for (int w = 1; w <= 10; w++) {
        char text[400];
        snprintf(text, sizeof text,
                 HEAD "bodies: {b: {mass: 1 kg}}\nforces: [{body: b, force: \"3 N*sin(%d rad/s*t)\"}]\n"
                      "contacts: {c: {between: [b, ground], law: rigid-stop, above: 0 m, restitution: 0}}\n",
                 w);
        start(&m, text);
        assert_int_equal(go(&m, 1.2 * pi / w), SS_OK);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        assert_int_equal(m.count, 1);
        assert_true(m.events[0].from == SS_MODE_CLOSED && m.events[0].to == SS_MODE_OPEN);
        expect(m.events[0].t, pi / w, 1e-11);
        end(&m);
    }
}

// A stop that stays closed is not struck by the rounding of a speed that passes through zero.
static void test_backlash_passes_its_reversals(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {motor: {inertia: 0.01 kg*m^2}, load: {inertia: 0.02 kg*m^2}}\n"
                   "forces: [{body: motor, force: \"1 N*m * sin(2*pi*2 Hz*t)\"}]\n"
                   "contacts:\n"
                   "  up: {between: [motor, load], law: rigid-stop, above: 2 deg, restitution: 0.4}\n"
                   "  dn: {between: [motor, load], law: rigid-stop, below: -2 deg, restitution: 0.4}\n"
                   "  brg: {between: [load, ground], law: coulomb, friction: 0.1 N*m}\n");
    assert_int_equal(go(&m, 2.0), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    ss_energy energy = ss_sim_energy(m.sim);
    assert_true(fabs(energy.residual) <= 1e-12 * fabs(energy.input));
    end(&m);
}

// A contact without friction changes nothing, also where its speed vanishes beside a kink of a drive.
static void test_no_friction_beside_a_kink(void** state)
{
    (void)state;
    const char* body = HEAD "bodies: {d: {position: \"0.1 m*abs(sin(2 rad/s*t))\"}, a: {mass: 1 kg}}\n"
                            "connections: [{between: [a, d], stiffness: 1 N/m}]\n";
    char text[400];
    snprintf(text, sizeof text, "%s%s", body,
             "contacts: {f: {between: [a, ground], law: coulomb, friction: 0 N}}\n");
    double x[2];
    for (int k = 0; k < 2; k++) {
        start(&m, k == 0 ? text : body);
        assert_int_equal(go(&m, 60.0), SS_OK);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        x[k] = ss_sim_x(m.sim)[1];
        end(&m);
    }
    expect(x[0], x[1], 1e-12);
}

// A drive that turns round at once takes nobody along: friction is bounded. b1 has none at all, and stands
// still.
static void test_drive_turns_round_as_a_contact_arrives(void** state)
{
    (void)state;
    start(&m, HEAD "bodies:\n  b1: {mass: 1 kg}\n  b2: {mass: 2 kg}\n  b3: {mass: 1 kg}\n"
                   "  d: {position: {table: [[0 s, 0 m], [1 s, 0.3 m], [2 s, 0.1 m], [4 s, 0.5 m]]}}\n"
                   "connections: [{between: [b3, b1], stiffness: 1 N/m}]\n"
                   "contacts:\n  c1: {between: [b2, d], law: coulomb, friction: 1 N}\n"
                   "  c2: {between: [b1, d], law: coulomb, friction: 0 N}\n");
    assert_int_equal(go(&m, 2.01), SS_OK);
    expect(ss_sim_v(m.sim)[0], 0.0, 1e-15);
    assert_true(ss_sim_v(m.sim)[1] < -0.18); // from -0.2 with at most 0.5 m/s^2
    end(&m);
}

// Two contacts that break loose together, one of which the other then turns around. Block 1 is pushed back by
// F1 and dragged along by block 2, which F2 pulls, through contact B of levels sB (static) and 1 N; the floor
// A under block 1 has 1 N and 0.9 N. With the static levels neither holds: a1 = F1 - 1 + sB > 0 and a2 = F2 -
// sB > a1. But then B slips, its force on block 1 falls to 1 N, and what is left, F1 + 1 N, is held by A
// within its kinetic level, or takes block 1 the other way.
static void test_released_contact_is_turned_around(void** state)
{
    static const struct {
        double sB, F1, F2, a1, a2;
        ss_mode floor;
    } list[] = {{2.0, -0.8, 3.0, 0.0, 2.0, SS_MODE_STICK}, {4.0, -2.5, 6.0, -0.6, 5.0, SS_MODE_SLIP_MINUS}};
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "bodies: {b1: {mass: 1 kg}, b2: {mass: 1 kg}}\n"
                      "forces: [{body: b1, force: %g N}, {body: b2, force: %g N}]\n"
                      "contacts:\n"
                      "  A: {between: [b1, ground], law: coulomb, friction: 0.9 N, static: 1 N}\n"
                      "  B: {between: [b2, b1], law: coulomb, friction: 1 N, static: %g N}\n",
                 list[k].F1, list[k].F2, list[k].sB);
        start(&m, text);
        assert_int_equal(go(&m, 2.0), SS_OK);
        assert_int_equal(m.outcome, SS_TIME_REACHED);
        assert_int_equal(m.count, 0);
        assert_int_equal(ss_sim_contact(m.sim, 0).mode, list[k].floor);
        expect(ss_sim_x(m.sim)[0], 2.0 * list[k].a1, 1e-14);
        expect(ss_sim_x(m.sim)[1], 2.0 * list[k].a2, 1e-14);
        end(&m);
    }
}

// Stribeck friction of shape 3/2 is not analytic at v = 0: beside it steps are very short, and coefficients
// beyond all numbers where the acceleration is large. Neither is the pole of an input. The classical method
// of Runge and Kutta, with steps so short that the jumps of friction at the reversals do no harm.
static void test_fractional_stribeck_friction_reverses_fast(void** state)
{
    (void)state;
    const double m0 = 0.02, k = 4000.0, h = 2e-7;
    start(&m,
          HEAD "bodies: {b: {mass: 0.02 kg}}\nconnections: [{between: [b, ground], stiffness: 4000 N/m}]\n"
               "forces: [{body: b, force: \"1 N*exp(-0.6/s*t)\"}]\n"
               "contacts: {c: {between: [b, ground], law: stribeck, coulomb: 0.1 N, static: 0.2 N,"
               " stribeck_speed: 1.7 m/s, shape: 1.5}}\nstart: {b: {x: 0.3 m, v: -1.7 m/s}}\n");
    double x = 0.3, v = -1.7;
    for (int step = 0; step < 250000; step++) { // 0.05 s
        double dx[5] = {0}, dv[5] = {0};
        static const double share[5] = {0.0, 0.0, 0.5, 0.5, 1.0};
        for (int j = 1; j <= 4; j++) {
            double xj = x + share[j] * h * dx[j - 1], vj = v + share[j] * h * dv[j - 1];
            double level = 0.1 + 0.1 * exp(-pow(fabs(vj) / 1.7, 1.5));
            dx[j] = vj;
            dv[j] = (exp(-0.6 * h * (step + share[j])) - k * xj - copysign(level, vj)) / m0;
        }
        x += h * (dx[1] + 2.0 * dx[2] + 2.0 * dx[3] + dx[4]) / 6.0;
        v += h * (dv[1] + 2.0 * dv[2] + 2.0 * dv[3] + dv[4]) / 6.0;
    }
    assert_int_equal(go(&m, 0.05), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(m.count, 7);
    expect(ss_sim_x(m.sim)[0], x, 1e-7);
    expect(ss_sim_v(m.sim)[0], v, 1e-4);
    end(&m);
}

// Held by its bristles between stiff springs that pull against each other, a body stands still but for the
// rounding of their forces, with no other speed to compare it to. The run goes on, and the body stays where
// springs of 3294 N/m balance to within what the bristles hold, 0.18312 N.
static void test_still_bristles_between_stiff_springs(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {b0: {mass: 0.624169}, b1: {mass: 0.090779}}\n"
                   "connections:\n"
                   "  - {between: [b0, ground], stiffness: 0.320891, damping: 0.298579, length: 0.044}\n"
                   "  - {between: [b0, b1], stiffness: 1831.051299}\n"
                   "  - {between: [b1, b0], stiffness: 907.454957, damping: 27.721115, length: 0.951}\n"
                   "  - {between: [b1, b0], stiffness: 555.73858, damping: 0.691132}\n"
                   "contacts:\n"
                   "  c0: {between: [b0, ground], law: maxwell-slip,"
                   " elements: [[31.788512, 0.981898], [241.135722, 3.859822]]}\n"
                   "  c1: {between: [b0, b1], law: dahl, sigma0: 120.47042, coulomb: 0.18312}\n"
                   "  c2: {between: [b0, ground], law: coulomb,"
                   " friction: \"4.87661 + 3.572409*sin(5.616485*t)\"}\n"
                   "start: {b0: {x: 0.9434, v: -0.184}, b1: {x: -0.05, v: -0.1346}}\n");
    assert_int_equal(go(&m, 20.0), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    const double *x = ss_sim_x(m.sim), k = 1831.051299 + 907.454957 + 555.73858;
    expect(x[1] - x[0], 907.454957 * 0.951 / k, 0.18312 / k);
    end(&m);
}

static bool a_few_steps(void* user, double t)
{
    (void)t;
    return ++*(int*)user <= 40; // of 256 steps each
}

// Stiff bristles slide while others stand still because dry friction holds them: these keep nobody from long
// steps, be it under a body at rest or between two that move together.
// With F = 2 N against Fc = 1 N and sigma2 = 0.5 N s/m the speed tends to 2 m/s, like 2 (1 - e^(-t/2)) m/s
// but for the microseconds in which the bristles fill, at a rate of sigma0 v/Fc = 2e6 per second.
static void test_bristles_that_stand_still_beside_stiff_ones(void** state)
{
    (void)state;
    const char* text =
        HEAD "bodies: {a: {mass: 0.6 kg}, b: {mass: 1 kg}, c: {mass: 0.4 kg}}\n"
             "forces: [{body: a, force: 2 N}]\n"
             "contacts:\n"
             "  slides: {between: [a, ground], law: lugre, sigma0: 1e6, sigma1: 0, sigma2: 0.5, coulomb: 1 N,"
             " static: 1.5 N, stribeck_speed: 1 m/s}\n"
             "  holds: {between: [b, ground], law: coulomb, friction: 5 N}\n"
             "  stands: {between: [b, ground], law: maxwell-slip, elements: [[50, 1]]}\n"
             "  joins: {between: [a, c], law: coulomb, friction: 5 N}\n"
             "  rides: {between: [a, c], law: dahl, sigma0: 2, coulomb: 1}\n"
             "start: {a: {v: 1 m/s}, c: {v: 1 m/s}, contacts: {slides: {saturation: 1}}}\n";
    int questions = 0;
    ss_document* document = NULL;
    ss_error err;
    memset(&m, 0, sizeof m);
    assert_int_equal(ss_document_parse_yaml("found.yaml", text, strlen(text), &document, &err), SS_OK);
    assert_int_equal(ss_model_create_from_document(document, &m.model, &err), SS_OK);
    ss_document_destroy(document);
    ss_sim_def def = ss_sim_def_default();
    def.keep_going = a_few_steps;
    def.user = &questions;
    assert_int_equal(ss_sim_create(m.model, &def, &m.sim, &err), SS_OK);
    assert_int_equal(go(&m, 10.0), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    double v = 1.0, h = 1e-3;
    for (int step = 0; step < 10000; step++) {
        double a[5] = {0};
        static const double share[5] = {0.0, 0.0, 0.5, 0.5, 1.0};
        for (int j = 1; j <= 4; j++) {
            double vj = v + share[j] * h * a[j - 1];
            a[j] = 1.0 - 0.5 * exp(-vj * vj) - 0.5 * vj;
        }
        v += h * (a[1] + 2.0 * a[2] + 2.0 * a[3] + a[4]) / 6.0;
    }
    expect(ss_sim_v(m.sim)[0], v, 1e-5);
    assert_true(ss_sim_x(m.sim)[1] == 0.0);
    end(&m);
}

// The run ends before the pole of a force with an error, not beyond it with nonsense.
static void test_force_with_a_pole(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {a: {mass: 1 kg}}\nforces: [{body: a, force: \"1 N/(t/(1 s) - 1)\"}]\n");
    assert_int_equal(go(&m, 0.99), SS_OK);
    expect(ss_sim_v(m.sim)[0], log(0.01), 1e-12);
    assert_int_equal(go(&m, 3.0), SS_BAD_INPUT);
    end(&m);
}

// The speed of any tied body counts; two that contradict the tie are an error.
static void test_speed_of_a_tied_body(void** state)
{
    (void)state;
    const char* body = HEAD "bodies: {motor: {inertia: 1 kg*m^2}, wheel: {inertia: 1 kg*m^2}}\n"
                            "ties: [{motor: 1, wheel: -5}]\n";
    char text[400];
    ss_error err;
    snprintf(text, sizeof text, "%sstart: {wheel: {v: 3 rad/s}}\n", body);
    start(&m, text);
    assert_true(ss_sim_v(m.sim)[0] == 15.0 && ss_sim_v(m.sim)[1] == 3.0);
    end(&m);
    snprintf(text, sizeof text, "%sstart: {motor: {v: 1 rad/s}, wheel: {v: 3 rad/s}}\n", body);
    assert_int_equal(begin(&m, text, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "contradicts the ties"));
}

// Ground 0.5 N (2 N at rest), pair 2.1 N, 3 N on b: the ground lets go, then the pair holds: a = 2.5/2 m/s^2.
static void test_pair_holds_once_the_ground_lets_go(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\nforces: [{body: b, force: 3 N}]\n"
                   "contacts:\n  g: {between: [a, ground], law: coulomb, friction: 0.5 N, static: 2 N}\n"
                   "  p: {between: [b, a], law: coulomb, friction: 2.1 N}\n");
    assert_int_equal(go(&m, 1.0), SS_OK);
    expect(ss_sim_v(m.sim)[0], 1.25, 1e-14);
    expect(ss_sim_contact(m.sim, 1).force, -1.75, 1e-14);
    end(&m);
}

// Levels and kinks that change quickly and late are seen: 1 - 0.9 tanh u = 0.5 and 2 max(0, tanh u) = 1 at u
// = 5 t - 10.
static void test_sudden_levels_and_forces(void** state)
{
    (void)state;
    start(
        &m, HEAD
        "bodies: {b: {mass: 1 kg}}\nforces: [{body: b, force: 0.5 N}]\n"
        "contacts: {f: {between: [b, ground], law: coulomb, friction: \"1 N - 0.9 N*tanh(5 Hz*t - 10)\"}}\n");
    assert_int_equal(go(&m, 3.0), SS_OK);
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 2.0 + atanh(0.5 / 0.9) / 5.0, 1e-11);
    end(&m);
    start(&m,
          HEAD "bodies: {b: {mass: 1 kg}}\nforces: [{body: b, force: \"2 N*max(0, tanh(5 Hz*t - 10))\"}]\n"
               "contacts: {f: {between: [b, ground], law: coulomb, friction: 1 N}}\n");
    assert_int_equal(go(&m, 3.0), SS_OK);
    assert_int_equal(m.count, 1);
    expect(m.events[0].t, 2.0 + atanh(0.5) / 5.0, 1e-11);
    end(&m);
}

// Held by the ground and rubbed by nothing: two bodies on floors without friction stay where they are while a
// third is pushed, and the run gets to its end.
static void test_frictionless_neighbours_of_a_held_body(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {a: {mass: 1 kg}, b: {mass: 0.5 kg}, c: {mass: 2 kg}}\n"
                   "forces: [{body: b, force: \"0.9 N*sin(2 rad/s*t)\"}]\n"
                   "contacts:\n"
                   "  ac: {between: [c, a], law: coulomb, friction: 0 N}\n"
                   "  floor: {between: [b, ground], law: coulomb, friction: \"1.5 N+0.5 N*sin(5 rad/s*t)\"}\n"
                   "  bc: {between: [b, c], law: coulomb, friction: 0 N}\n");
    assert_int_equal(go(&m, 10.0), SS_OK);
    assert_int_equal(m.count, 0);
    for (int b = 0; b < 3; b++) expect(ss_sim_x(m.sim)[b], 0.0, 0.0);
    end(&m);
}

// Small bounces between a floor without friction and a stop along the same line, met without any speed at the
// end: the run goes on to its time.
static void test_stop_met_without_speed(void** state)
{
    (void)state;
    start(&m, HEAD
          "bodies: {b0: {mass: 2 kg}, b1: {mass: 2 kg}, b2: {mass: 0.5 kg}, b3: {mass: 0.5 kg}}\n"
          "ties: [{b0: 1, b1: -1}]\n"
          "connections:\n"
          "  - {between: [b1, ground], stiffness: 100 N/m, damping: -0.1 N*s/m}\n"
          "  - {between: [b2, ground], stiffness: 10 N/m, damping: 0.1 N*s/m}\n"
          "  - {between: [b3, b1], stiffness: 10 N/m, damping: 0.1 N*s/m}\n"
          "forces: [{body: b0, force: -2 N}]\n"
          "contacts:\n"
          "  c0: {between: [b3, b2], law: coulomb, friction: 1 N, static: 1.5 N}\n"
          "  c1: {between: [b2, b1], law: stribeck, coulomb: 1 N, static: 1.5 N, stribeck_speed: 0.1 m/s}\n"
          "  c2: {between: [b3, ground], law: rigid-stop, below: 0 m, restitution: 0.3}\n"
          "  c3: {between: [b3, ground], law: coulomb, friction: 0 N}\n"
          "start: {b0: {v: 1 m/s}}\n");
    assert_int_equal(go(&m, 10.0), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    expect(ss_sim_time(m.sim), 10.0, 0.0);
    end(&m);
}

// x'' = 70 x^3 from x = 1/2 at the speed sqrt(35) x^2 goes as 1/(sqrt(35) (t_end - t)) and is at infinity at
// t_end = 2/sqrt(35), whatever small forces do on the way. A stop that it flies away from must not bring it
// back, an input is not to blame, and the ledger holds numbers.
static void test_a_pole_of_the_motion_is_an_escape(void** state)
{
    (void)state;
    static const char* const others[] = {
        "", "contacts: {stop: {between: [b, ground], law: rigid-stop, below: -0.04, restitution: 0.5}}\n",
        "forces: [{body: b, force: \"1e-9*tanh(0.2*(t-1))\"}]\n",
        "forces: [{body: b, force: \"1e-9*tanh(0.2*(t-1))\"}]\n"
        "contacts: {stop: {between: [b, ground], law: rigid-stop, below: -0.04, restitution: 0.5}}\n"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD "bodies: {b: {mass: 1}}\n"
                      "connections: [{between: [b, ground], cubic: -70}]\n"
                      "start: {b: {x: 0.5, v: 0.25*sqrt(35)}}\n%s",
                 others[k]);
        start(&m, text);
        assert_int_equal(go(&m, 50.0), SS_OK);
        assert_int_equal(m.outcome, SS_ESCAPED);
        assert_int_equal(m.count, 0);
        expect(ss_sim_time(m.sim), 2.0 / sqrt(35.0), 1e-8);
        assert_true(ss_sim_x(m.sim)[0] > 1e6);
        ss_energy e = ss_sim_energy(m.sim);
        assert_true(isfinite(e.end) && isfinite(e.residual) && isfinite(e.input));
        end(&m);
    }
}

// x'' = x grows as cosh t: beyond 1e154 m its energy is no number any more, and the run ends before.
static void test_a_run_ends_before_its_energy_overflows(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {b: {mass: 1}}\nconnections: [{between: [b, ground], stiffness: -1}]\n"
                   "contacts: {floor: {between: [b, ground], law: coulomb, friction: 0.5}}\n"
                   "start: {b: {x: 1}}\n");
    assert_int_equal(go(&m, 1000.0), SS_OK);
    assert_int_equal(m.outcome, SS_ESCAPED);
    double x = ss_sim_x(m.sim)[0], t = ss_sim_time(m.sim);
    assert_true(x > 1e150 && x < 1e155);
    expect(log(x), t - log(4.0), 1e-9); // (1 - 0.5) cosh t
    ss_energy e = ss_sim_energy(m.sim);
    assert_true(isfinite(e.end) && isfinite(e.friction) && isfinite(e.residual));
    end(&m);
}

// A block that a belt carries to and fro. After a period no entry of the ledger has anything: what is left is
// rounding of the 0.05 J that went in and out.
static void test_works_that_cancel(void** state)
{
    (void)state;
    const double period = 6.283185307179586;
    for (int k = 1; k <= 10; k++) {
        start(&m, HEAD "bodies: {b: {mass: 1.3}, belt: {speed: \"0.137*sin(t)\"}}\n"
                       "contacts: {c: {between: [b, belt], law: coulomb, friction: 5}}\n");
        assert_int_equal(go(&m, k * period), SS_OK);
        ss_energy e = ss_sim_energy(m.sim);
        assert_true(fabs(e.input) < 1e-15 && e.friction == 0.0 && e.end < 1e-15);
        assert_true(fabs(e.residual) <= e.allowed && e.allowed < 1e-8 * e.passed);
        assert_true(e.passed > 0.5 * 1.3 * 0.137 * 0.137 && e.passed < 4.0 * 0.5 * 1.3 * 0.137 * 0.137);
        end(&m);
    }
}

// Kinetic energy v^2/2 and the energy -x^2/2 of the spring grow as e^2t and cancel: the residual is rounding
// of theirs, far more than the ledger's own entries allow, and both are told.
static void test_the_ledger_says_what_it_allows(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {b: {mass: 1}}\nconnections: [{between: [b, ground], stiffness: -1}]\n"
                   "contacts: {floor: {between: [b, ground], law: coulomb, friction: 0.5}}\n"
                   "start: {b: {x: 1}}\n");
    assert_int_equal(go(&m, 5.0), SS_OK);
    ss_energy e = ss_sim_energy(m.sim);
    assert_true(fabs(e.residual) <= e.allowed);
    assert_int_equal(go(&m, 50.0), SS_OK);
    e = ss_sim_energy(m.sim);
    assert_true(fabs(e.residual) > e.allowed);
    expect(e.reached / (0.0625 * exp(100.0)), 1.0, 1e-9); // 2 * 1/2 (e^50/4)^2
    assert_true(fabs(e.residual) <= 1e-11 * e.reached);
    end(&m);
}

// A pulse exp(-a (t - c)^2) N underflows far from its middle, with all its derivatives. Friction of 0.5 N
// gives way where it reaches that, at c - sqrt(ln 2/a), wherever the run begins. tanh(a (t - c)) is -1 to the
// last digit long before it turns at c: the block slides back from the start, and brakes from c on.
static void test_inputs_that_underflow_or_saturate(void** state)
{
    (void)state;
    static const double cases[][2] = {{100.0, 40.0}, {10.0, 20.0}, {10.0, 4.0}, {1e6, 20.0137}};
    char text[400];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double a = cases[k][0], c = cases[k][1];
        snprintf(text, sizeof text,
                 HEAD "bodies: {b: {mass: 1}}\nforces: [{body: b, force: \"exp(-%.17g*(t-%.17g)^2)\"}]\n"
                      "contacts: {floor: {between: [b, ground], law: coulomb, friction: 0.5}}\n",
                 a, c);
        start(&m, text);
        assert_int_equal(go(&m, 50.0), SS_OK);
        assert_int_equal(ss_sim_conclude(m.sim), SS_AT_REST);
        assert_int_equal(m.count, 2);
        expect(m.events[0].t, c - sqrt(log(2.0) / a), 1e-10);
        end(&m);
    }
    // beside a larger term, and below a bound, the pulse is as small and as much to come
    static const struct {
        const char* force;
        double before;                                             // s
    } hidden[] = {{"0.4+exp(-100*(t-20)^2)", 0.15174271293851466}, // sqrt(ln 10)/10
                  {"max(0.4, exp(-100*(t-20)^2))", 0.083255461115769776}};
    for (size_t k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 HEAD "bodies: {b: {mass: 1}}\nforces: [{body: b, force: \"%s\"}]\n"
                      "contacts: {floor: {between: [b, ground], law: coulomb, friction: 0.5}}\n",
                 hidden[k].force);
        start(&m, text);
        assert_int_equal(go(&m, 50.0), SS_OK);
        assert_int_equal(m.count, 2);
        expect(m.events[0].t, 20.0 - hidden[k].before, 1e-10);
        end(&m);
    }
    start(&m, HEAD "bodies: {b: {mass: 1}}\nforces: [{body: b, force: \"tanh(1e4*(t-20))\"}]\n"
                   "contacts: {floor: {between: [b, ground], law: coulomb, friction: 0.5}}\n");
    assert_int_equal(go(&m, 20.0), SS_OK);
    expect(ss_sim_v(m.sim)[0], -0.5 * 20.0, 1e-3); // ln 2 of 1e-4 s is missing where it turns
    assert_int_equal(go(&m, 50.0), SS_OK);
    assert_int_equal(m.count, 1); // brakes with 1.5 m/s^2, then goes on
    expect(m.events[0].t, 20.0 + 10.0 / 1.5, 1e-3);
    end(&m);
}

// A contact that sticks between two bodies has no speed, whatever rounding leaves of theirs where a force has
// a kink: it does not slip for no time.
static void test_kinks_release_nothing(void** state)
{
    (void)state;
    start(&m,
          HEAD "bodies: {b0: {mass: 0.3914}, b1: {mass: 1.805}}\n"
               "connections:\n"
               "  - {between: [b0, ground], stiffness: 2.9, damping: 1.708}\n"
               "  - {between: [b1, ground], stiffness: 1.295, damping: 2.806}\n"
               "forces: [{body: b1, force: \"max(-0.3433, 0.8583*sin(7.102*t))\"}]\n"
               "contacts: {c: {along: {b1: 1, b0: 0.1954}, law: stribeck, coulomb: 0.637, static: 0.7548, "
               "stribeck_speed: 0.06064, viscous: 0.255}}\n"
               "start: {b0: {x: -0.05746, v: -0.2316}, b1: {x: -0.003042, v: 1.061}}\n");
    assert_int_equal(go(&m, 40.0), SS_OK);
    assert_true(m.count > 40 && m.count < MOST);
    for (int k = 1; k < m.count; k++)
        if (m.events[k].to == SS_MODE_STICK) assert_true(m.events[k].t - m.events[k - 1].t > 1e-6);
    end(&m);
}

// Bristles between two bodies that another contact holds together keep what they carry, also where both
// bodies come to a stop and turn back.
static void test_bristles_that_others_hold(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {b0: {mass: 1.84}, b1: {mass: 0.4248}}\n"
                   "connections:\n"
                   "  - {between: [b0, ground], stiffness: 14.3}\n"
                   "  - {between: [b1, b0], stiffness: 215.1}\n"
                   "forces: [{body: b0, force: \"1.6*sin(1.3*t)\"}]\n"
                   "contacts:\n"
                   "  floor: {between: [b1, ground], law: dahl, sigma0: 434.4, coulomb: 0.3308}\n"
                   "  bristles: {between: [b1, b0], law: gms, elements: [[143.2, 0.694], [70.46, 0.306]], "
                   "coulomb: 0.3308, static: 0.6024, stribeck_speed: 0.05626, attraction: 1.029}\n"
                   "  clamp: {between: [b0, b1], law: coulomb, friction: {table: [[0.5, 0.3], [0.6, 30]]}}\n"
                   "start: {b0: {x: 0.0575, v: 0.1908}, b1: {x: 0.01491, v: -1.586}}\n");
    double kept[2], now[2];
    int reversals = 0;
    assert_int_equal(go(&m, 1.5), SS_OK);
    assert_int_equal(ss_sim_deflections(m.sim, 1, kept), 2);
    assert_true(fabs(kept[0]) > 0.01 && fabs(kept[1]) > 0.01);
    for (int k = 1; k <= 40; k++) {
        assert_int_equal(go(&m, 1.5 + 0.5 * k), SS_OK);
        assert_int_equal(ss_sim_contact(m.sim, 2).mode, SS_MODE_STICK);
        ss_sim_deflections(m.sim, 1, now);
        for (int j = 0; j < 2; j++) expect(now[j], kept[j], 0.0);
    }
    for (int k = 0; k < m.count; k++) reversals += m.events[k].t > 1.5 && m.events[k].contact == 0;
    assert_true(reversals > 5);
    end(&m);
}

// Newton's method in a stiff step may run off to where an exponential overflows: that is a step to be tried
// again, not a motion that escapes.
static void test_newton_runs_off(void** state)
{
    (void)state;
    start(&m, HEAD "bodies: {b0: {mass: 0.5828}, b1: {mass: 0.4696}, b2: {mass: 0.3119}, b3: {mass: 1.05}, "
                   "d0: {speed: \"0.2554 + 0.6279*sin(2.307*t)\"}}\n"
                   "connections:\n"
                   "  - {between: [b0, ground], stiffness: 121, damping: 0.5119}\n"
                   "  - {between: [b1, d0], stiffness: 141.1}\n"
                   "  - {between: [b2, b0], stiffness: 181.2}\n"
                   "  - {between: [b3, b0], stiffness: 13.33, damping: 0.1176, length: -0.1422}\n"
                   "forces:\n"
                   "  - {body: b2, force: \"0.7881 + 2.568*sin(11.56*t + 3.573)\"}\n"
                   "  - {body: b3, force: \"max(-0.6413, 1.603*sin(1.853*t))\"}\n"
                   "contacts:\n"
                   "  c0: {between: [b1, d0], law: lugre, sigma0: 1.953e+04, sigma1: 87.63, sigma2: 0.1594, "
                   "coulomb: 0.7137, static: 1.185, stribeck_speed: 0.05532}\n"
                   "  c1: {between: [b0, b1], law: stribeck, coulomb: 0.7137, static: 1.224, stribeck_speed: "
                   "0.05154, shape: 1, viscous: 0.8006}\n"
                   "start:\n"
                   "  b0: {x: -0.05264, v: -1.333}\n"
                   "  b1: {x: 0.09606, v: 1.803}\n"
                   "  b2: {x: -0.05367, v: 0.6706}\n"
                   "  b3: {x: 0.05252, v: 0.5389}\n");
    assert_int_equal(go(&m, 3.174), SS_OK);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    ss_energy energy = ss_sim_energy(m.sim);
    assert_true(fabs(energy.residual) <= energy.allowed);
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pole_of_the_motion_is_an_escape),
        cmocka_unit_test(test_a_run_ends_before_its_energy_overflows),
        cmocka_unit_test(test_the_ledger_says_what_it_allows),
        cmocka_unit_test(test_works_that_cancel),
        cmocka_unit_test(test_stop_is_left_as_the_force_changes_sign),
        cmocka_unit_test(test_backlash_passes_its_reversals),
        cmocka_unit_test(test_no_friction_beside_a_kink),
        cmocka_unit_test(test_drive_turns_round_as_a_contact_arrives),
        cmocka_unit_test(test_released_contact_is_turned_around),
        cmocka_unit_test(test_fractional_stribeck_friction_reverses_fast),
        cmocka_unit_test(test_still_bristles_between_stiff_springs),
        cmocka_unit_test(test_bristles_that_stand_still_beside_stiff_ones),
        cmocka_unit_test(test_force_with_a_pole),
        cmocka_unit_test(test_speed_of_a_tied_body),
        cmocka_unit_test(test_pair_holds_once_the_ground_lets_go),
        cmocka_unit_test(test_sudden_levels_and_forces),
        cmocka_unit_test(test_frictionless_neighbours_of_a_held_body),
        cmocka_unit_test(test_stop_met_without_speed),
        cmocka_unit_test(test_inputs_that_underflow_or_saturate),
        cmocka_unit_test(test_kinks_release_nothing),
        cmocka_unit_test(test_bristles_that_others_hold),
        cmocka_unit_test(test_newton_runs_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
