// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models with states that follow much faster than the motion goes: stiff steps take them along. Linear
// ones against closed forms, others against published numbers; with contacts, kinks and events against the
// limit in which the fast state follows at once.
#include "share/run.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct run {
    ss_model* model;
    ss_sim* sim;
    double event[32];
    int events;
} run;

static void on_event(void* user, const ss_event* event)
{
    run* r = user;
    if (r->events < 32) r->event[r->events++] = event->t;
}

static run* start(const char* parts)
{
    run* r = calloc(1, sizeof *r);
    ss_error err;
    r->model = text_parts_model(parts);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = on_event;
    def.user = r;
    assert_int_equal(ss_sim_create(r->model, &def, &r->sim, &err), SS_OK);
    return r;
}

static void go(run* r, double until)
{
    ss_outcome outcome;
    ss_error err;
    if (ss_sim_advance(r->sim, until, &outcome, &err) != SS_OK) fail_msg("%s", err.text);
}

static void drop(run* r)
{
    ss_sim_destroy(r->sim);
    ss_model_destroy(r->model);
    free(r);
}

static void near(const char* what, double value, double truth, double allowed)
{
    if (!(fabs(value - truth) <= allowed)) fail_msg("%s: %.17g, not %.17g", what, value, truth);
}

// J v' = k i - f, L i' = u - R i - k v while it slips forward: two exponentials, of 2 us and of 1 s.
static void motor_with_a_small_coil(void** state)
{
    (void)state;
    double J = 0.01, k = 0.1, f = 0.05, u = 5.0, R = 1.0, L = 2e-6, t = 3.0;
    run* r = start("parameters: {k: 0.1 N*m/A, R: 1 ohm, L: 2 uH}\n"
                   "bodies: {rotor: {inertia: 0.01 kg*m^2}}\n"
                   "states: {current: {rate: \"(5 V - R*current - k*rotor.v)/L\"}}\n"
                   "forces: [{body: rotor, force: k*current}]\n"
                   "contacts: {bearing: {between: [rotor, ground], law: coulomb, friction: 0.05 N*m}}\n"
                   "start: {rotor: {v: 1 rad/s}}\nrun: {until: 1000 s}\n");
    go(r, t);
    // y = (v, i) - end, y' = A y
    double trace = -R / L, det = k * k / (J * L), root = sqrt(0.25 * trace * trace - det);
    double fast = 0.5 * trace - root, slow = det / fast, i_end = f / k, v_end = (u - R * i_end) / k;
    double v0 = 1.0 - v_end, w0 = k / J * (0.0 - i_end); // v' = k/J (i - i_end)
    double b = (w0 - fast * v0) / (slow - fast), a = v0 - b;
    double v = v_end + a * exp(fast * t) + b * exp(slow * t);
    double i = i_end + J / k * (a * fast * exp(fast * t) + b * slow * exp(slow * t));
    near("v", ss_sim_v(r->sim)[0], v, 1e-10);
    near("current", ss_sim_states(r->sim)[0], i, 1e-10);
    near("x", ss_sim_x(r->sim)[0], v_end * t + a / fast * expm1(fast * t) + b / slow * expm1(slow * t),
         1e-10);
    near("ledger", ss_sim_energy(r->sim).residual, 0.0, 1e-11);
    drop(r);
}

// The test problem of Van der Pol, mu = 1e6 (Test Set for IVP Solvers): m y'' = (1 - y^2) y' - y.
static void van_der_pol(void** state)
{
    (void)state;
    run* r = start("bodies: {y: {mass: 1 mg}}\n"
                   "forces: [{body: y, force: \"(1 - (y.x/1 m)^2)*1 N*s/m*y.v - 1 N/m*y.x\"}]\n"
                   "start: {y: {x: 2 m}}\n");
    go(r, 2.0);
    near("y", ss_sim_x(r->sim)[0], 1.7061677321704830, 1e-8);
    near("y'", ss_sim_v(r->sim)[0], -0.89280970102479753, 1e-8);
    drop(r);
}

// The kinetics of Robertson at t = 40 s.
static void robertson(void** state)
{
    (void)state;
    run* r = start("bodies: {w: {mass: 1 kg}}\n"
                   "states:\n"
                   "  a: {rate: \"(-0.04*a + 1e4*b*c)/1 s\", start: 1}\n"
                   "  b: {rate: \"(0.04*a - 1e4*b*c - 3e7*b^2)/1 s\", start: 0}\n"
                   "  c: {rate: \"3e7*b^2/1 s\", start: 0}\n");
    go(r, 40.0);
    const double* s = ss_sim_states(r->sim);
    near("a", s[0], 0.7158270687193882, 1e-9);
    near("b", s[1], 9.185534764557763e-06, 1e-14);
    near("sum", s[0] + s[1] + s[2], 1.0, 1e-12);
    drop(r);
}

// A drive that saturates, with a coil of 1 ns: the current is (u - R i)/R at once. Positions and events agree
// with the model that has no coil to its time constant, and kinks are met.
static void fast_state_follows(void** state)
{
    (void)state;
    const char* parts = "parameters: {R: 1 ohm, L: 1 nH, k: 0.5 N/A}\n"
                        "bodies: {b: {mass: 0.3 kg}}\n"
                        "signals: {u: \"clip(20 V/m*(0.5 m*sin(4 rad/s*t) - b.x), -4 V, 4 V)\"}\n"
                        "contacts: {c: {between: [b, ground], law: coulomb, friction: 0.2 N}}\n";
    char coil[1200], none[1200];
    snprintf(coil, sizeof coil,
             "%sstates: {current: {rate: \"(u - R*current - k*b.v)/L\"}}\n"
             "forces: [{body: b, force: \"k*current - 0.3 N/m*b.x*abs(b.x)/1 m\"}]\n",
             parts);
    snprintf(none, sizeof none,
             "%sforces: [{body: b, force: \"k*(u - k*b.v)/R - 0.3 N/m*b.x*abs(b.x)/1 m\"}]\n", parts);
    run *r = start(coil), *limit = start(none);
    go(r, 4.0);
    go(limit, 4.0);
    assert_true(limit->events >= 4);
    assert_int_equal(r->events, limit->events);
    for (int e = 0; e < r->events; e++) near("event", r->event[e], limit->event[e], 2e-7);
    near("x", ss_sim_x(r->sim)[0], ss_sim_x(limit->sim)[0], 1e-6);
    near("v", ss_sim_v(r->sim)[0], ss_sim_v(limit->sim)[0], 1e-6);
    near("ledger", ss_sim_energy(r->sim).residual, 0.0, 1e-9);
    drop(r);
    drop(limit);
}

// While the bearing sticks, the current alone moves; the step ends where the torque is enough.
static void released_by_a_fast_state(void** state)
{
    (void)state;
    run* r = start("parameters: {k: 0.1 N*m/A, R: 1 ohm, L: 1 uH}\n"
                   "bodies: {rotor: {inertia: 0.01 kg*m^2}}\n"
                   "states: {current: {rate: \"(2 V/s*t - R*current - k*rotor.v)/L\"}}\n"
                   "forces: [{body: rotor, force: k*current}]\n"
                   "contacts: {bearing: {between: [rotor, ground], law: coulomb, friction: 0.05 N*m}}\n"
                   "run: {until: 100 s}\n");
    go(r, 1.0);
    // i = 2 t - 2 L/R (1 - e^(-t R/L)) is 0.5 at t = 0.25 + L/R.
    assert_int_equal(r->events, 1);
    near("release", r->event[0], 0.25 + 1e-6, 1e-12);
    drop(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motor_with_a_small_coil),
        cmocka_unit_test(van_der_pol),
        cmocka_unit_test(robertson),
        cmocka_unit_test(fast_state_follows),
        cmocka_unit_test(released_by_a_fast_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
