// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What must hold for every system, whatever its motion: mirrored starts move mirrored, later starts move
// later, other units give the same motion in other numbers, a run may be cut anywhere, energy balances, and
// what sticks does not creep.
#include "random_system.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 40 };

static random_system system_a, system_b;
static run run_a, run_b;

static ss_mode mirrored(ss_mode mode)
{
    return mode == SS_MODE_SLIP_PLUS    ? SS_MODE_SLIP_MINUS
           : mode == SS_MODE_SLIP_MINUS ? SS_MODE_SLIP_PLUS
                                        : mode;
}

static void mirror(random_system* s)
{
    for (int i = 0; i < s->bodies; i++) {
        s->x[i] = s->rig.bodies[i].start_x = -s->x[i];
        s->v[i] = s->rig.bodies[i].start_v = -s->v[i];
        s->full.f0[i] = -s->full.f0[i];
    }
    for (int i = 0; i < RIG_PARTS; i++) s->rig.connections[i].length *= -1.0;
    for (int i = 0; i < s->contacts; i++) {
        ss_coulomb law = s->rig.contacts[i].coulomb;
        s->rig.contacts[i].coulomb =
            (ss_coulomb){law.backward, law.forward, law.static_backward, law.static_forward};
    }
}

// Changing all signs changes no rounding: the mirrored motion is the same to the last bit.
static void check_mirror(random_kind kind, uint64_t seed)
{
    random_system_make(&system_a, kind, seed);
    random_system_make(&system_b, kind, seed);
    mirror(&system_b);
    ss_model *a = random_system_model(&system_a), *b = random_system_model(&system_b);
    run_start(&run_a, a, NULL, NULL);
    run_start(&run_b, b, NULL, NULL);
    run_to(&run_a, system_a.until);
    run_to(&run_b, system_a.until);
    assert_int_equal(run_a.event_count, run_b.event_count);
    for (long i = 0; i < run_a.event_count; i++) {
        assert_true(run_a.events[i].t == run_b.events[i].t);
        assert_true(run_a.events[i].to == mirrored(run_b.events[i].to));
        assert_int_equal(run_a.events[i].contact, run_b.events[i].contact);
    }
    for (int i = 0; i < system_a.bodies; i++) {
        assert_true(ss_sim_x(run_a.sim)[i] == -ss_sim_x(run_b.sim)[i]);
        assert_true(ss_sim_v(run_a.sim)[i] == -ss_sim_v(run_b.sim)[i]);
    }
    run_stop(&run_a);
    run_stop(&run_b);
    ss_model_destroy(a);
    ss_model_destroy(b);
}

static void test_mirrored_starts_give_mirrored_motions(void** state)
{
    (void)state;
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int seed = 1; seed <= SYSTEMS && !random_is_forced((random_kind)kind); seed++)
            check_mirror((random_kind)kind, (uint64_t)seed);
}

static void make_identical(uint64_t seed, random_kind kind, ss_model** model)
{
    random_system_make(&system_a, kind, seed);
    *model = random_system_model(&system_a);
}

static void check_same(double until)
{
    assert_int_equal(run_a.outcome, run_b.outcome);
    assert_int_equal(run_a.event_count, run_b.event_count);
    assert_memory_equal(run_a.events, run_b.events, sizeof(ss_event) * (size_t)run_a.event_count);
    for (int i = 0; i < system_a.bodies; i++) {
        assert_true(ss_sim_x(run_a.sim)[i] == ss_sim_x(run_b.sim)[i]);
        assert_true(ss_sim_v(run_a.sim)[i] == ss_sim_v(run_b.sim)[i]);
    }
    assert_true(ss_sim_time(run_a.sim) == ss_sim_time(run_b.sim));
    assert_true(run_a.outcome != SS_TIME_REACHED || ss_sim_time(run_a.sim) == until);
}

static void test_a_run_may_be_cut_anywhere(void** state)
{
    (void)state;
    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        for (int seed = 1; seed <= SYSTEMS; seed++) {
            ss_model* model = NULL;
            make_identical((uint64_t)seed, (random_kind)kind, &model);
            run_start(&run_a, model, NULL, NULL);
            run_start(&run_b, model, NULL, NULL);
            run_to(&run_a, 20.0);
            for (double t = 0.0; t < 20.0; t += 0.0371) run_to(&run_b, t);
            run_to(&run_b, 20.0);
            check_same(20.0);
            run_stop(&run_a);
            run_stop(&run_b);
            ss_model_destroy(model);
        }
    }
}

// Cutting a smooth run must not change it either, although its steps are chosen by an error estimate.
static void test_a_smooth_run_may_be_cut_anywhere(void** state)
{
    (void)state;
    for (int seed = 1; seed <= SYSTEMS; seed++) {
        random_system_make(&system_a, RANDOM_BODIES, (uint64_t)seed);
        system_a.rig.connections[0].cubic = 0.5;
        ss_model* model = random_system_model(&system_a);
        assert_false(ss_model_is_linear(model));
        run_start(&run_a, model, NULL, NULL);
        run_start(&run_b, model, NULL, NULL);
        run_to(&run_a, 10.0);
        for (double t = 0.0; t < 10.0; t += 0.0371) run_to(&run_b, t);
        run_to(&run_b, 10.0);
        check_same(10.0);
        run_stop(&run_a);
        run_stop(&run_b);
        ss_model_destroy(model);
    }
}

static void test_a_restarted_run_is_a_new_run(void** state)
{
    (void)state;
    for (int seed = 1; seed <= SYSTEMS; seed++) {
        ss_model* model = NULL;
        ss_error err = {0};
        make_identical((uint64_t)seed, RANDOM_BODIES, &model);
        double other[PEER_MAX] = {1.0, -2.0, 0.5, 3.0, -1.0, 2.0, 0.0, -0.25};
        run_start(&run_a, model, NULL, NULL);
        run_start(&run_b, model, other, NULL);
        run_to(&run_a, 10.0);
        run_to(&run_b, 7.0);
        run_b.event_count = 0;
        assert_int_equal(ss_sim_restart(run_b.sim, NULL, NULL, &err), SS_OK);
        assert_true(ss_sim_time(run_b.sim) == 0.0 && ss_sim_event_count(run_b.sim) == 0);
        run_to(&run_b, 10.0);
        check_same(10.0);
        run_stop(&run_a);
        run_stop(&run_b);
        ss_model_destroy(model);
    }
}

// Four blocks on floors, the first one pushed by 2 sin(1.3 t + phase) unless amplitude is 0.
static ss_model* row_of_blocks(double amplitude, double phase)
{
    static rig r;
    char text[100];
    rig_init(&r);
    for (int i = 0; i < 4; i++) {
        rig_body(&r, 1.0 + 0.5 * i, 0.0, 0.0);
        rig_spring(&r, i, i - 1, 1.0 + 0.25 * i, i == 2 ? -0.05 : 0.1);
        rig_coulomb(&r, i, SS_GROUND, 0.3 + 0.05 * i);
    }
    snprintf(text, sizeof text, "%.17g * sin(1.3 * t + %.17g)", amplitude, phase);
    if (amplitude != 0.0) rig_force(&r, 0, text);
    return rig_model(&r);
}

// Starting where another motion is at time `shift` gives the rest of that motion.
static void check_shift(double amplitude, double shift)
{
    double x0[4] = {3.0, -2.0, 1.5, 2.5}, x[4], v[4];
    ss_model *a = row_of_blocks(amplitude, 0.0), *b = row_of_blocks(amplitude, 1.3 * shift);
    run_start(&run_a, a, x0, NULL);
    run_to(&run_a, shift);
    long skipped = run_a.event_count;
    memcpy(x, ss_sim_x(run_a.sim), sizeof x);
    memcpy(v, ss_sim_v(run_a.sim), sizeof v);
    run_to(&run_a, 20.0 + shift);
    run_start(&run_b, b, x, v);
    run_to(&run_b, 20.0);
    assert_int_equal(run_a.outcome, run_b.outcome);
    assert_int_equal(run_a.event_count - skipped, run_b.event_count);
    for (long i = 0; i < run_b.event_count; i++) {
        const ss_event* e = &run_a.events[skipped + i];
        expect_event(&run_b, i, e->t - shift, e->contact, e->from, e->to, 1e-11);
    }
    for (int i = 0; i < 4; i++)
        expect_near("shifted x", ss_sim_x(run_b.sim)[i], ss_sim_x(run_a.sim)[i], 1e-11);
    run_stop(&run_a);
    run_stop(&run_b);
    ss_model_destroy(a);
    ss_model_destroy(b);
}

static void test_later_starts_move_later(void** state)
{
    (void)state;
    for (double shift = 0.25; shift < 6.0; shift += 0.37) check_shift(0.0, shift);
}

static void test_forcing_shifted_by_its_phase(void** state)
{
    (void)state;
    for (double shift = 0.25; shift < 6.0; shift += 0.37) check_shift(2.0, shift);
}

// The same system with mass, length and time in other units: powers of two round nothing by themselves.
static ss_model* in_units(uint64_t seed, double mass, double length, double time)
{
    random_system_make(&system_b, RANDOM_BODIES, seed);
    rig* r = &system_b.rig;
    for (int i = 0; i < r->def.body_count; i++) {
        r->bodies[i].mass *= mass;
        r->bodies[i].start_x *= length;
        r->bodies[i].start_v *= length / time;
    }
    for (int i = 0; i < r->def.connection_count; i++) {
        r->connections[i].stiffness *= mass / (time * time);
        r->connections[i].damping *= mass / time;
        r->connections[i].length *= length;
    }
    for (int i = 0; i < r->def.contact_count; i++)
        r->contacts[i].coulomb =
            ss_coulomb_make(r->contacts[i].coulomb.forward * mass * length / (time * time));
    return random_system_model(&system_b);
}

static void check_units(uint64_t seed, double mass, double length, double time)
{
    random_system_make(&system_a, RANDOM_BODIES, seed);
    ss_model *a = random_system_model(&system_a), *b = in_units(seed, mass, length, time);
    run_start(&run_a, a, NULL, NULL);
    run_start(&run_b, b, NULL, NULL);
    run_to(&run_a, 10.0);
    run_to(&run_b, 10.0 * time);
    assert_int_equal(run_a.outcome, run_b.outcome);
    assert_int_equal(run_a.event_count, run_b.event_count);
    for (long i = 0; i < run_a.event_count; i++) {
        const ss_event* e = &run_a.events[i];
        expect_event(&run_b, i, e->t * time, e->contact, e->from, e->to, 1e-10 * time);
    }
    for (int i = 0; i < system_a.bodies; i++) {
        expect_near("x in other units", ss_sim_x(run_b.sim)[i], length * ss_sim_x(run_a.sim)[i],
                    1e-10 * length);
        expect_near("v in other units", ss_sim_v(run_b.sim)[i], length / time * ss_sim_v(run_a.sim)[i],
                    1e-10 * length / time);
    }
    run_stop(&run_a);
    run_stop(&run_b);
    ss_model_destroy(a);
    ss_model_destroy(b);
}

static void test_units_do_not_matter(void** state)
{
    (void)state;
    for (int seed = 1; seed <= SYSTEMS; seed++) {
        check_units((uint64_t)seed, 0x1p20, 1.0, 1.0);
        check_units((uint64_t)seed, 1.0, 0x1p-20, 1.0);
        check_units((uint64_t)seed, 1.0, 1.0, 0x1p25); // a year instead of a second
        check_units((uint64_t)seed, 0x1p-20, 0x1p-10, 0x1p-20);
    }
}

// Cubic springs and Stribeck contacts take the smooth flow: 1e-9 of the energy in play at default tolerance.
static void test_energy_balances_in_smooth_flow(void** state)
{
    (void)state;
    for (int seed = 1; seed <= SYSTEMS; seed++) {
        random_system_make(&system_a, RANDOM_BODIES, (uint64_t)seed);
        rig* r = &system_a.rig;
        for (int i = 0; i < r->def.connection_count; i += 2) r->connections[i].cubic = 0.2;
        for (int i = 0; i < r->def.contact_count; i += 2) {
            double level = r->contacts[i].coulomb.forward;
            r->contacts[i].law = SS_LAW_STRIBECK;
            r->contacts[i].stribeck = (ss_stribeck){0.7 * level, level, 0.1, 2.0, 0.05};
        }
        ss_model* model = random_system_model(&system_a);
        run_start(&run_a, model, NULL, NULL);
        run_to(&run_a, 20.0);
        double energy = run_energy_error(&run_a);
        if (!(energy <= 1e-9)) fail_msg("seed %d: energy residual %.3g of the energy in play", seed, energy);
        run_stop(&run_a);
        ss_model_destroy(model);
    }
}

// A block leans on a slow swinging one for a million seconds; the spring between them never pulls hard
// enough.
static void test_what_sticks_does_not_creep(void** state)
{
    (void)state;
    static rig r;
    rig_init(&r);
    int block = rig_body(&r, 1.0, 0.1, 0.0), swing = rig_body(&r, 1.0, 50.0, 0.0);
    rig_spring(&r, swing, SS_GROUND, 9e-5, 0.0);
    rig_spring(&r, block, swing, 1e-5, 0.0);
    rig_coulomb(&r, block, SS_GROUND, 1e-3);
    ss_model* model = rig_model(&r);
    run_start(&run_a, model, NULL, NULL);
    run_to(&run_a, 1e6);
    assert_int_equal(run_a.outcome, SS_TIME_REACHED);
    assert_int_equal(run_a.event_count, 0);
    assert_true(ss_sim_x(run_a.sim)[0] == 0.1 && ss_sim_v(run_a.sim)[0] == 0.0);
    // The other swings about the point where both springs balance, at 0.01 rad/s: 1e4 rad, known to 1e-12 of
    // it.
    double middle = 1e-5 * 0.1 / 1e-4;
    expect_near("swing", ss_sim_x(run_a.sim)[1], middle + (50.0 - middle) * cos(1e-2 * 1e6), 5e-7);
    assert_true(run_energy_error(&run_a) <= 1e-11); // thousands of swings, one rounding after the other
    run_stop(&run_a);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirrored_starts_give_mirrored_motions),
        cmocka_unit_test(test_a_run_may_be_cut_anywhere),
        cmocka_unit_test(test_a_smooth_run_may_be_cut_anywhere),
        cmocka_unit_test(test_a_restarted_run_is_a_new_run),
        cmocka_unit_test(test_later_starts_move_later),
        cmocka_unit_test(test_forcing_shifted_by_its_phase),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_energy_balances_in_smooth_flow),
        cmocka_unit_test(test_what_sticks_does_not_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
