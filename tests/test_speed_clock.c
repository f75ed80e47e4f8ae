// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dashes through the speeds in which a friction curve falls: the same motion as step by step, to the bit the
// same wherever the caller stops, and after a run was saved within a speed-clock step; and their ledger
// closes.
#include "core/tolerance.h"
#include "engine/flow/speed_clock.h"
#include "random_system.h"
#include "share/model_parts.h"
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

static const char* const models[] = {
    // A stage under a PID loop that hunts.
    "bodies: {a: {mass: 2 kg}}\n"
    "states: {sum: {rate: \"0.01 m - a.x\"}}\n"
    "forces: [{body: a, force: \"2000 N/m*(0.01 m - a.x) + 20000 N/(m*s)*sum - 60 N*s/m*a.v\"}]\n"
    "contacts: {guide: {between: [a, ground], law: stribeck, coulomb: 8 N, static: 12 N,"
    " stribeck_speed: 2 mm/s}}\n",
    // Another shape with a viscous part; a second body slips on beside it, on dry friction.
    "bodies: {a: {mass: 1 kg}, b: {mass: 0.3 kg}}\n"
    "start: {b: {v: 0.3 m/s}}\n"
    "states: {sum: {rate: \"0.02 m - a.x\"}}\n"
    "forces: [{body: a, force: \"900 N/m*(0.02 m - a.x) + 6000 N/(m*s)*sum - 30 N*s/m*a.v\"},\n"
    "         {body: b, force: 0.5 N}]\n"
    "connections: [{between: [a, b], damping: 2 N*s/m}]\n"
    "contacts:\n"
    "  guide: {between: [a, ground], law: stribeck, coulomb: 3 N, static: 5 N, stribeck_speed: 4 mm/s,"
    " shape: 3, viscous: 2 N*s/m}\n"
    "  rail: {between: [b, ground], law: coulomb, friction: 0.02 N}\n",
    // No loop at all: a weight on a spring that is let go, and rests in the end.
    "bodies: {a: {mass: 1 kg}}\n"
    "start: {a: {x: 0.3 m}}\n"
    "connections: [{between: [a, ground], stiffness: 100 N/m, damping: 0.5 N*s/m}]\n"
    "contacts: {floor: {between: [a, ground], law: stribeck, coulomb: 2 N, static: 3 N,"
    " stribeck_speed: 5 mm/s, shape: 1}}\n",
};
enum { MODELS = sizeof models / sizeof models[0] };

// How often the run has stopped within a speed-clock step.
static int speed_clock_steps(const ss_sim* sim)
{
    return sim->ways.speed_clock && sim->ways.speed_clock->under_way;
}

// A run that takes no speed-clock steps, at a tolerance as small as there is.
static ss_sim* step_by_step(const ss_model* model)
{
    ss_sim* sim = text_run(model, true, 1e-12);
    sim->ways.speed_clock = NULL;
    return sim;
}

// Works of both agree, and the one that speed-clock steps has a ledger that closes.
static void agree_on_works(ss_sim* on_speed_clock, ss_sim* each, double within)
{
    ss_energy a = ss_sim_energy(on_speed_clock), b = ss_sim_energy(each);
    double size = fabs(b.start) + fabs(b.input) + fabs(b.friction) + fabs(b.damping);
    if (!(fabs(a.residual) <= a.allowed)) fail_msg("residual %g, allowed %g", a.residual, a.allowed);
    if (!(fabs(a.input - b.input) <= within * size && fabs(a.friction - b.friction) <= within * size &&
          fabs(a.damping - b.damping) <= within * size))
        fail_msg("works differ by %g, %g, %g of %g", a.input - b.input, a.friction - b.friction,
                 a.damping - b.damping, size);
}

static double most(const double a[], const double b[], int count)
{
    double error = 0.0;
    for (int i = 0; i < count; i++) error = fmax(error, fabs(a[i] - b[i]));
    return error;
}

// Positions, speeds and states of both agree, and the events are the same.
static void agree(const ss_model* model, ss_sim* a, ss_sim* b, double until, double within)
{
    int bodies = ss_model_body_count(model), found = 0;
    for (int k = 1; k <= 400; k++) {
        text_run_to(a, until * k / 400);
        text_run_to(b, until * k / 400);
        found += speed_clock_steps(a);
        if (most(ss_sim_x(a), ss_sim_x(b), bodies) > within ||
            most(ss_sim_v(a), ss_sim_v(b), bodies) > 1000.0 * within ||
            most(ss_sim_states(a), ss_sim_states(b), ss_model_state_count(model)) > within)
            fail_msg("t = %g: %g, %g", ss_sim_time(b), most(ss_sim_x(a), ss_sim_x(b), bodies),
                     most(ss_sim_v(a), ss_sim_v(b), bodies));
        assert_int_equal(ss_sim_event_count(a), ss_sim_event_count(b));
    }
    if (found < 2) fail_msg("%d of 400 times lie within a dash", found);
    assert_true(ss_sim_event_count(a) > 1);
}

static void as_step_by_step(void** state)
{
    static const struct {
        double tolerance, within;
    } rows[] = {{1e-6, 1e-9}, {1e-8, 1e-11}, {SS_DEFAULT_TOLERANCE, 1e-12}, {1e-12, 1e-12}};
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            ss_model* model = text_parts_model(models[m]);
            ss_sim *on_speed_clock = text_run(model, true, rows[r].tolerance), *each = step_by_step(model);
            agree(model, on_speed_clock, each, m == 2 ? 3.0 : 8.0, rows[r].within);
            agree_on_works(on_speed_clock, each, 1e3 * rows[r].within);
            ss_sim_destroy(on_speed_clock);
            ss_sim_destroy(each);
            ss_model_destroy(model);
        }
}

// Random stages: one or two bodies, a loop with or without its integrator, any Stribeck curve.
static void random_stages(void** state)
{
    (void)state;
    random_source source = {7};
    int count = random_count(30), found = 0;
    for (int trial = 0; trial < count; trial++) {
        double mass = random_between(&source, 0.5, 3.0), kp = random_between(&source, 300.0, 3000.0);
        double kc = random_between(&source, 1.0, 10.0), rise = random_between(&source, 1.1, 2.0);
        double speed = pow(10.0, random_between(&source, -3.3, -1.5)), shape = trial % 3 ? 2.0 : 1.0;
        char text[1500];
        snprintf(text, sizeof text,
                 "bodies: {a: {mass: %.17g kg}%s}\n"
                 "start: {a: {x: %.17g m}}\n"
                 "states: {sum: {rate: \"0.01 m - a.x\"}}\n"
                 "forces: [{body: a, force: \"%.17g N/m*(0.01 m - a.x) + %.17g N/(m*s)*sum - %.17g "
                 "N*s/m*a.v\"}]\n"
                 "%s"
                 "contacts: {guide: {between: [a, ground], law: stribeck, coulomb: %.17g N, static: %.17g N, "
                 "stribeck_speed: %.17g m/s, shape: %g, viscous: %.17g N*s/m}}\n",
                 mass, trial % 2 ? ", b: {mass: 0.2 kg}" : "", random_between(&source, -0.02, 0.04), kp,
                 random_between(&source, 2.0, 12.0) * kp, random_between(&source, 0.3, 1.2) * sqrt(kp * mass),
                 trial % 2 ? "connections: [{between: [a, b], stiffness: 300 N/m, damping: 3 N*s/m}]\n" : "",
                 kc, kc * rise, speed, shape, random_between(&source, 0.0, 2.0));
        ss_model* model = text_parts_model(text);
        ss_sim *on_speed_clock = text_run(model, true, SS_DEFAULT_TOLERANCE), *each = step_by_step(model);
        double scale = 0.0;
        for (int k = 1; k <= 150; k++) {
            text_run_to(on_speed_clock, 0.01 * k);
            text_run_to(each, 0.01 * k);
            scale = fmax(scale, fabs(ss_sim_x(each)[0]));
            found += speed_clock_steps(on_speed_clock);
            double error = most(ss_sim_x(on_speed_clock), ss_sim_x(each), ss_model_body_count(model));
            if (!(error <= 1e-10 * (scale + 0.01)))
                fail_msg("trial %d, t = %g: %g\n%s", trial, 0.01 * k, error, text);
        }
        assert_int_equal(ss_sim_event_count(on_speed_clock), ss_sim_event_count(each));
        agree_on_works(on_speed_clock, each, 1e-9);
        ss_sim_destroy(on_speed_clock);
        ss_sim_destroy(each);
        ss_model_destroy(model);
    }
    if (found < count / 6) fail_msg("%d times within a dash", found);
}

static void same_bits(const ss_model* model, const ss_sim* a, const ss_sim* b)
{
    size_t bodies = (size_t)ss_model_body_count(model) * sizeof(double);
    assert_memory_equal(ss_sim_x(a), ss_sim_x(b), bodies);
    assert_memory_equal(ss_sim_v(a), ss_sim_v(b), bodies);
    if (ss_model_state_count(model) > 0)
        assert_memory_equal(ss_sim_states(a), ss_sim_states(b),
                            (size_t)ss_model_state_count(model) * sizeof(double));
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        ss_contact_state one = ss_sim_contact(a, i), other = ss_sim_contact(b, i);
        assert_int_equal(one.mode, other.mode);
        assert_true(one.force == other.force && one.velocity == other.velocity);
    }
    ss_energy one = ss_sim_energy(a), other = ss_sim_energy(b);
    assert_true(one.input == other.input && one.friction == other.friction && one.damping == other.damping);
}

static void wherever_it_stops(void** state)
{
    (void)state;
    unsigned seed = 1;
    for (int m = 0; m < MODELS; m++) {
        ss_model* model = text_parts_model(models[m]);
        ss_sim *whole = text_run(model, true, 1e-8), *cut = text_run(model, true, 1e-8),
               *loaded = text_run(model, true, 1e-8);
        size_t size = ss_sim_save_size(cut);
        void* bytes = malloc(size);
        ss_error err;
        int within = 0, saved = 0;
        for (double t = 0.0; t < 3.0;) {
            seed = seed * 1103515245u + 12345u;
            t += 1e-6 * (1 + (seed >> 16) % 9000);
            text_run_to(cut, t);
            within += speed_clock_steps(cut);
            if (speed_clock_steps(cut) || (seed >> 20) % 16 == 0) { // a run that is taken up elsewhere
                saved++;
                assert_int_equal(ss_sim_save(cut, bytes, size, &err), SS_OK);
                assert_int_equal(ss_sim_load(loaded, bytes, size, &err), SS_OK);
                ss_sim* swap = cut;
                cut = loaded;
                loaded = swap;
            }
            if ((seed >> 24) % 8) continue;
            text_run_to(whole, t);
            same_bits(model, whole, cut);
        }
        assert_true(within > 3 && saved > 3);
        free(bytes);
        ss_sim_destroy(whole);
        ss_sim_destroy(cut);
        ss_sim_destroy(loaded);
        ss_model_destroy(model);
    }
}

// Runs that stop at each event tell its time and the forces before it, as one without speed-clock steps does.
static void at_events(void** state)
{
    (void)state;
    ss_model* model = text_parts_model(models[0]);
    ss_sim *on_speed_clock = text_run(model, true, SS_DEFAULT_TOLERANCE), *each = step_by_step(model);
    ss_outcome outcome;
    ss_error err;
    for (int k = 0; k < 12; k++) {
        bool one = false, other = false;
        assert_int_equal(ss_sim_advance_to_event(on_speed_clock, 10.0, &one, &outcome, &err), SS_OK);
        assert_int_equal(ss_sim_advance_to_event(each, 10.0, &other, &outcome, &err), SS_OK);
        assert_true(one && other);
        ss_instant a = ss_sim_instant(on_speed_clock), b = ss_sim_instant(each);
        assert_true(fabs(ss_sim_time(on_speed_clock) - ss_sim_time(each)) < 1e-9);
        assert_int_equal(a.event_count, b.event_count);
        assert_int_equal(a.events[0].to, b.events[0].to);
        assert_true(fabs(a.contacts[0].force - b.contacts[0].force) < 1e-8);
        assert_true(fabs(a.x[0] - b.x[0]) < 1e-12);
        assert_true(fabs(a.v[0] - b.v[0]) < 1e-9);
    }
    ss_sim_destroy(on_speed_clock);
    ss_sim_destroy(each);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_step_by_step),
        cmocka_unit_test(random_stages),
        cmocka_unit_test(wherever_it_stops),
        cmocka_unit_test(at_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
