// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ticks on nodes of long steps: the same motion and the same works as by series, to the bit the same wherever
// the caller stops, and after a run was saved between two ticks.
#include "core/tolerance.h"
#include "engine/sim.h"
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
    // A stage that follows a swinging target, and sticks where it turns.
    "bodies: {a: {mass: 2 kg}}\n"
    "connections: [{between: [a, ground], damping: 5 N*s/m}]\n"
    "sampled:\n"
    "  servo:\n"
    "    every: 1 ms\n"
    "    memory: {sum: 0 m*s, last: 0 m, command: 0 N}\n"
    "    at_tick:\n"
    "      - e: \"10 mm*sin(3 rad/s*t) - a.x\"\n"
    "      - sum: \"sum + e*1 ms\"\n"
    "      - command: \"clip(2000 N/m*e + 20000 N/(m*s)*sum + 60 N*s/m*(e - last)/1 ms, -40 N, 40 N)\"\n"
    "      - last: e\n"
    "forces: [{body: a, force: command}]\n"
    "contacts: {guide: {between: [a, ground], law: coulomb, friction: 8 N, static: 12 N}}\n",
    // Two bodies, a state, and what is written takes effect 0.4 ms later.
    "bodies: {a: {mass: 1 kg}, b: {mass: 0.5 kg}}\n"
    "states: {coil: {rate: \"(command - coil)/3 ms\"}}\n"
    "connections: [{between: [a, b], stiffness: 4 kN/m, damping: 2 N*s/m}]\n"
    "sampled:\n"
    "  servo:\n"
    "    every: 1.5 ms\n"
    "    offset: 0.2 ms\n"
    "    delay: 0.4 ms\n"
    "    memory: {command: 0 N}\n"
    "    at_tick:\n"
    "      - command: \"400 N/m*(20 mm*sin(2 rad/s*t) - round(a.x/2 um)*2 um) - 25 N*s/m*a.v\"\n"
    "forces: [{body: a, force: coil}]\n"
    "contacts:\n"
    "  guide: {between: [a, ground], law: coulomb, friction: 0.5 N}\n"
    "  rail: {between: [b, ground], law: coulomb, friction: 0.2 N, static: 0.25 N}\n",
};
enum { MODELS = sizeof models / sizeof models[0] };

// A run without tables.
static ss_sim* by_series(const ss_model* model)
{
    ss_sim* sim = text_run(model, true, SS_DEFAULT_TOLERANCE);
    sim->ways.propagator = NULL;
    return sim;
}

static void agree_on_works(ss_sim* many, ss_sim* each)
{
    ss_energy a = ss_sim_energy(many), b = ss_sim_energy(each);
    double within = 1e-11 * (fabs(b.input) + fabs(b.friction) + fabs(b.damping));
    assert_true(fabs(a.residual) <= a.allowed);
    assert_true(fabs(a.input - b.input) <= within);
    assert_true(fabs(a.friction - b.friction) <= within);
    assert_true(fabs(a.damping - b.damping) <= within);
}

static void as_by_series(void** state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        ss_model* model = text_parts_model(models[m]);
        ss_sim *many = text_run(model, true, SS_DEFAULT_TOLERANCE), *each = by_series(model);
        for (int k = 1; k <= 40; k++) {
            text_run_to(many, 0.0501 * k);
            text_run_to(each, 0.0501 * k);
            for (int b = 0; b < ss_model_body_count(model); b++) {
                assert_true(fabs(ss_sim_x(many)[b] - ss_sim_x(each)[b]) < 1e-11);
                assert_true(fabs(ss_sim_v(many)[b] - ss_sim_v(each)[b]) < 1e-9);
            }
            for (int s = 0; s < ss_model_state_count(model); s++)
                assert_true(fabs(ss_sim_states(many)[s] - ss_sim_states(each)[s]) < 1e-8);
            assert_int_equal(ss_sim_event_count(many), ss_sim_event_count(each));
            agree_on_works(many, each);
        }
        assert_true(ss_sim_event_count(many) > 4);
        ss_sim_destroy(many);
        ss_sim_destroy(each);
        ss_model_destroy(model);
    }
}

static void same_bits(const ss_model* model, const ss_sim* a, const ss_sim* b)
{
    size_t bodies = (size_t)ss_model_body_count(model) * sizeof(double);
    assert_memory_equal(ss_sim_x(a), ss_sim_x(b), bodies);
    assert_memory_equal(ss_sim_v(a), ss_sim_v(b), bodies);
    assert_memory_equal(ss_sim_states(a), ss_sim_states(b),
                        (size_t)ss_model_state_count(model) * sizeof(double));
    assert_memory_equal(ss_sim_memory(a), ss_sim_memory(b),
                        (size_t)ss_model_memory_count(model) * sizeof(double));
    ss_energy one = ss_sim_energy(a), other = ss_sim_energy(b);
    assert_true(one.input == other.input && one.friction == other.friction && one.damping == other.damping);
}

static void wherever_it_stops(void** state)
{
    (void)state;
    unsigned seed = 1;
    for (int m = 0; m < MODELS; m++) {
        ss_model* model = text_parts_model(models[m]);
        ss_sim *whole = text_run(model, true, SS_DEFAULT_TOLERANCE),
               *cut = text_run(model, true, SS_DEFAULT_TOLERANCE),
               *loaded = text_run(model, true, SS_DEFAULT_TOLERANCE);
        size_t size = ss_sim_save_size(cut);
        void* bytes = malloc(size);
        ss_error err;
        for (double t = 0.0; t < 2.0;) {
            seed = seed * 1103515245u + 12345u;
            t += 1e-5 * (1 + (seed >> 16) % 900); // from a hundredth of a tick to nine
            text_run_to(cut, t);
            if ((seed >> 20) % 16 == 0) { // a run that is taken up elsewhere
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
        free(bytes);
        ss_sim_destroy(whole);
        ss_sim_destroy(cut);
        ss_sim_destroy(loaded);
        ss_model_destroy(model);
    }
}

// A stop at an event tells the forces just before it: those of another run that stops just before. Where all
// sticks, ticks go by many at a time until one breaks it loose.
static void sides_before(void** state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        ss_model* model = text_parts_model(models[m]);
        ss_sim *by_events = text_run(model, true, SS_DEFAULT_TOLERANCE),
               *other = text_run(model, true, SS_DEFAULT_TOLERANCE);
        int met = 0;
        for (bool at_event = true; at_event && met < 40;) {
            ss_outcome outcome;
            ss_error err;
            assert_int_equal(ss_sim_advance_to_event(by_events, 5.0, &at_event, &outcome, &err), SS_OK);
            double t = ss_sim_time(by_events);
            if (!at_event || t == 0.0) continue;
            text_run_to(other, t * (1.0 - 1e-13));
            for (int i = 0; i < ss_model_contact_count(model); i++) {
                double before = ss_sim_instant(by_events).contacts[i].force;
                assert_true(fabs(before - ss_sim_contact(other, i).force) < 1e-7);
            }
            met++;
        }
        assert_true(met > 8);
        ss_sim_destroy(by_events);
        ss_sim_destroy(other);
        ss_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_series), cmocka_unit_test(wherever_it_stops),
                                       cmocka_unit_test(sides_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
