// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops: the reference impacts of [RD25] to their own tolerances, the exact restitution on every
// contact of a free body, and the singular moments: starts at the stop, rest against it, the cut of its
// force, play between two bodies.
#include "data/impact_reference.h"
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static rig r;
static run m;

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static ss_hunt_crossley above(double position, double stiffness, double exponent, double alpha)
{
    return (ss_hunt_crossley){
        .position = position, .side = 1, .stiffness = stiffness, .exponent = exponent, .alpha = alpha};
}

static ss_model* start(void)
{
    ss_model* model = rig_model(&r);
    run_start(&m, model, NULL, NULL);
    return model;
}

static void stop(ss_model* model)
{
    run_stop(&m);
    ss_model_destroy(model);
}

static void expect_relative(const char* what, double got, double want, double tolerance)
{
    expect_near(what, got, want, tolerance * fabs(want));
}

// ---- the reference

static void test_reference_restitution(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ref_restitutions); i++) {
        const ref_restitution* ref = &ref_restitutions[i];
        double mass = i % 2 ? 0.052 : 1.0;
        rig_init(&r);
        rig_body(&r, mass, -0.125 * ref->speed, ref->speed);
        ss_hunt_crossley law = i % 2 ? above(0, 1e5, 1.5, ref->alpha) : above(0, 1e4, 1.0, ref->alpha);
        rig_elastic(&r, 0, SS_GROUND, law);
        ss_model* model = start();
        run_to(&m, 2.0);
        expect_relative("speed out", -ss_sim_v(m.sim)[0], ref->out, 1e-13);
        expect_relative("restitution of the law", ref->speed * ss_hunt_crossley_restitution(&law, ref->speed),
                        ref->out, 1e-13);
        expect_relative("loss", ss_sim_energy(m.sim).impact, 0.5 * mass * ref->loss, 1e-12);
        assert_int_equal(m.event_count, 2);
        stop(model);
    }
}

static void test_reference_impacts(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ref_impacts); i++) {
        const ref_impact* ref = &ref_impacts[i];
        double lead = 0.125;
        rig_init(&r);
        rig_body(&r, ref->mass, -lead * ref->speed, ref->speed);
        rig_elastic(&r, 0, SS_GROUND, above(0, ref->stiffness, ref->exponent, ref->alpha));
        ss_model* model = start();
        run_to(&m, lead + ref->compression);
        expect_relative("depth", ss_sim_x(m.sim)[0], ref->depth, 1e-11);
        expect_near("speed at the turn", ss_sim_v(m.sim)[0], 0.0, 1e-11 * ref->speed);
        run_to(&m, lead + ref->contact + 1.0);
        expect_event(&m, 0, lead, 0, SS_MODE_OPEN, SS_MODE_CLOSED, 1e-15);
        expect_event(&m, 1, lead + ref->contact, 0, SS_MODE_CLOSED, SS_MODE_OPEN, 1e-12);
        expect_relative("speed out", -ss_sim_v(m.sim)[0], ref->out, 1e-12);
        expect_relative("loss", ss_sim_energy(m.sim).impact, ref->loss, 1e-11);
        stop(model);
    }
}

static ss_model* place_disk(const ref_disk* ref)
{
    char speed[40];
    rig_init(&r);
    int disk = rig_body(&r, ref->mass, ref->x, ref->v), under = SS_GROUND;
    snprintf(speed, sizeof speed, "%.17g", ref->platform);
    if (ref->platform != 0.0) under = rig_driven_speed(&r, speed);
    rig_coulomb(&r, disk, under, ref->friction);
    rig_elastic(&r, disk, SS_GROUND, above(0, ref->stiffness, ref->exponent, ref->alpha));
    return start();
}

static void check_states(const ref_disk* ref)
{
    for (int i = 0; i < ref->state_count; i++) {
        const double* s = ref->states[i];
        run_to(&m, s[0]);
        bool free = s[1] == 0.0 && ref->platform != 0.0; // there 0 stands for "no contact"
        if (!free) expect_near(ref->id, ss_sim_x(m.sim)[0], s[1], ref->tolerance * fmax(1e-3, fabs(s[1])));
        expect_near(ref->id, ss_sim_v(m.sim)[0], s[2], ref->tolerance * fmax(0.1, fabs(s[2])));
    }
}

static void test_reference_disks(void** state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ref_disks); i++) {
        const ref_disk* ref = &ref_disks[i];
        ss_model* model = place_disk(ref);
        check_states(ref);
        run_to(&m, ref->separations == -1 ? 10.0 : ref->settled);
        for (int e = 0; e < ref->event_count; e++)
            expect_event(&m, e, ref->events[e].t, ref->events[e].contact, ref->events[e].from,
                         ref->events[e].to, ref->tolerance);
        int separations = 0;
        for (long e = 0; e < m.event_count; e++)
            separations += m.events[e].contact == REF_FRAME && m.events[e].to == SS_MODE_OPEN;
        if (ref->separations >= 0) assert_int_equal(separations, ref->separations);
        if (ref->separations == -1) {
            assert_int_equal(m.outcome, SS_AT_REST);
            assert_int_equal(m.event_count, ref->event_count);
            assert_true(ss_sim_v(m.sim)[0] == 0.0);
        } else {
            expect_relative(ref->id, ss_sim_x(m.sim)[0], ref->lean, 1e-9);
        }
        assert_true(run_energy_error(&m) <= 1e-11);
        stop(model);
    }
}

// ---- restitution on every contact

// A free body between two walls keeps its speed in flight, so each contact is the impact of a free body.
static void bounce(double mass, double stiffness, double exponent, double alpha, double speed)
{
    enum { IMPACTS = 100 };
    rig_init(&r);
    int body = rig_body(&r, mass, 0.0, speed);
    ss_hunt_crossley law = above(0.1, stiffness, exponent, alpha);
    rig_elastic(&r, body, SS_GROUND, law);
    law.position = -0.1;
    law.side = -1;
    rig_elastic(&r, body, SS_GROUND, law);
    ss_model* model = start();
    double v = speed;
    for (int k = 0; k < IMPACTS; k++) {
        while (m.event_count < 2 * k + 2) run_to(&m, ss_sim_time(m.sim) + 0.05 / v);
        double out = v * ss_hunt_crossley_restitution(&law, v);
        assert_int_equal(m.events[2 * k].contact, k % 2);
        assert_int_equal(m.events[2 * k + 1].to, SS_MODE_OPEN);
        run_to(&m, m.events[2 * k + 1].t + 1e-3 / v);
        expect_relative("speed out", fabs(ss_sim_v(m.sim)[0]), out, 1e-12 * (k + 1));
        v = fabs(ss_sim_v(m.sim)[0]);
    }
    bool by_steps = exponent != floor(exponent) && exponent != 1.5 && exponent != 2.5; // many of them
    assert_true(run_energy_error(&m) <= (by_steps ? 1e-10 : 1e-12));
    stop(model);
}

static void test_hundred_impacts(void** state)
{
    (void)state;
    bounce(1.0, 1e4, 1.0, 0.3, 1.0);
    bounce(0.024, 1e5, 1.5, 0.3, 0.5);
    bounce(0.024, 1e6, 1.5, 0.0, 0.5);
    bounce(3.0, 1e7, 2.0, 0.05, 2.0);
    bounce(1.0, 1e8, 2.5, 1.0, 0.3);
    bounce(1.0, 1e9, 3.0, 0.2, 1.0);
    bounce(1.0, 1e4, 1.1, 0.3, 1.0);
    bounce(1.0, 3e4, 1.3, 0.1, 1.0);
    bounce(1e-6, 1e12, 1.5, 0.1, 1.0); // stiff and light
    bounce(1e6, 1e12, 2.2, 0.1, 1.0);
}

// ---- starts

// A body at the stop: the sign of p' decides, then that of what pushes. mode: at t = 0.
static void start_at(double v, double push, double exponent, ss_mode mode, long events)
{
    char text[40];
    rig_init(&r);
    rig_body(&r, 1.0, 0.3, v);
    snprintf(text, sizeof text, "%.17g", push);
    rig_force(&r, 0, text);
    rig_elastic(&r, 0, SS_GROUND, above(0.3, 1e3, exponent, 0.1));
    ss_model* model = start();
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, mode);
    run_to(&m, 0.001);
    assert_int_equal(ss_sim_contact(m.sim, 0).mode, mode);
    run_to(&m, 1.0);
    if (events >= 0) assert_int_equal(m.event_count, events);
    if (v == 0.0 && push == 0.0) assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(run_energy_error(&m) <= 1e-12);
    stop(model);
}

static void test_starts_at_the_stop(void** state)
{
    (void)state;
    for (double n = 1.0; n <= 3.0; n += 0.25) {
        start_at(0.5, 0.0, n, SS_MODE_CLOSED, n <= 1.5 ? 1 : -1);
        start_at(-0.5, 0.0, n, SS_MODE_OPEN, 0);
        start_at(0.0, 0.0, n, SS_MODE_OPEN, 0);
        start_at(0.0, 2.0, n, SS_MODE_CLOSED, -1);
        start_at(0.0, -2.0, n, SS_MODE_OPEN, 0);
    }
}

// Leaning on the stop with k p^n = F: at rest from the start, with or without friction; and where friction
// holds exactly its level.
static void test_rest_against_the_stop(void** state)
{
    (void)state;
    for (double n = 1.0; n <= 3.0; n += 0.25)
        for (int rough = 0; rough < 3; rough++) {
            rig_init(&r);
            rig_body(&r, 2.0, 0.1 + pow(5.0 / 700.0, 1.0 / n), 0.0);
            if (rough < 2) rig_force(&r, 0, "5");
            if (rough > 0) rig_coulomb(&r, 0, SS_GROUND, 5.0);
            rig_elastic(&r, 0, SS_GROUND, above(0.1, 700.0, n, 0.4));
            ss_model* model = start();
            run_to(&m, 3.0);
            assert_int_equal(m.outcome, SS_AT_REST);
            assert_true(ss_sim_time(m.sim) == 0.0 && m.event_count == 0);
            ss_contact_state frame = ss_sim_contact(m.sim, rough > 0);
            assert_int_equal(frame.mode, SS_MODE_CLOSED);
            expect_relative("force", frame.force, -5.0, 1e-12);
            stop(model);
        }
}

// ---- the cut

// p' = -2/a at the start: no force. Pushed in with F, p' reaches -1/a at t = m/(a F), still inside: closed.
static void test_cut_force_comes_back(void** state)
{
    (void)state;
    for (double n = 1.0; n <= 3.0; n += 0.25) {
        double a = 1.5 * 2.0, mass = 0.5, push = 4.0, p = 0.2;
        rig_init(&r);
        rig_body(&r, mass, p, -2.0 / a);
        rig_force(&r, 0, "4");
        rig_elastic(&r, 0, SS_GROUND, above(0.0, 300.0, n, 2.0));
        ss_model* model = start();
        assert_int_equal(ss_sim_contact(m.sim, 0).mode, SS_MODE_OPEN);
        run_to(&m, 0.03);
        assert_true(ss_sim_contact(m.sim, 0).force == 0.0);
        expect_near("free flight", ss_sim_x(m.sim)[0], p - 2.0 / a * 0.03 + 0.5 * push / mass * 0.0009,
                    1e-15);
        run_to(&m, 0.06);
        expect_event(&m, 0, mass / (a * push), 0, SS_MODE_OPEN, SS_MODE_CLOSED, 1e-14);
        assert_true(ss_sim_contact(m.sim, 0).force < 0.0);
        run_to(&m, 2.0);
        assert_true(run_energy_error(&m) <= 1e-12);
        stop(model);
    }
}

// Drawn out faster than 1/a and never slower: opens inside, leaves without another event, and what was stored
// at the cut is lost.
static void test_cut_force_stays_away(void** state)
{
    (void)state;
    for (double n = 1.0; n <= 3.0; n += 0.25) {
        rig_init(&r);
        rig_body(&r, 1.0, 0.2, 0.0);
        rig_force(&r, 0, "-50");
        rig_elastic(&r, 0, SS_GROUND, above(0.0, 10.0, n, 1.0));
        ss_model* model = start();
        run_to(&m, 1.0);
        assert_int_equal(m.event_count, 1);
        assert_true(m.events[0].to == SS_MODE_OPEN);
        run_to(&m, 2.0);
        assert_int_equal(m.event_count, 1);
        assert_true(run_energy_error(&m) <= 1e-13);
        stop(model);
    }
}

// ---- play

// Two free bodies with two facing stops between them: momentum stays, and the relative speed obeys the
// restitution of a free body, whatever the masses.
static void play(double m1, double m2, double exponent)
{
    rig_init(&r);
    rig_body(&r, m1, 0.0, 0.7);
    rig_body(&r, m2, 0.0, -0.2);
    ss_hunt_crossley law = above(0.01, 1e5, exponent, 0.2);
    rig_elastic(&r, 0, 1, law);
    law.position = -0.01;
    law.side = -1;
    rig_elastic(&r, 0, 1, law);
    ss_model* model = start();
    double v = 0.9, momentum = 0.7 * m1 - 0.2 * m2;
    for (int k = 0; k < 20; k++) {
        while (m.event_count < 2 * k + 2) run_to(&m, ss_sim_time(m.sim) + 0.002 / v);
        run_to(&m, m.events[2 * k + 1].t + 1e-4 / v);
        double v1 = ss_sim_v(m.sim)[0], v2 = ss_sim_v(m.sim)[1];
        v *= ss_hunt_crossley_restitution(&law, v);
        expect_relative("relative speed", fabs(v1 - v2), v, 1e-11);
        expect_near("momentum", m1 * v1 + m2 * v2, momentum, 1e-12 * (m1 + m2));
    }
    assert_true(run_energy_error(&m) <= 1e-12);
    stop(model);
}

static void test_play(void** state)
{
    (void)state;
    play(1.0, 1.0, 1.5);
    play(1.0, 1000.0, 1.0);
    play(0.001, 2.0, 1.5);
    play(5.0, 0.3, 2.3);
}

// Two equal bodies that strike equal stops at the same instant: one clock at most serves both.
static void strike_together(double side, double x[2])
{
    rig_init(&r);
    ss_hunt_crossley law = above(side * 0.2, 1e4, 1.5, 0.5);
    law.side = (int)side;
    for (int i = 0; i < 2; i++) {
        rig_body(&r, 0.5, side * 0.1, side * 0.8);
        rig_coulomb(&r, i, SS_GROUND, 0.3);
        rig_elastic(&r, i, SS_GROUND, law);
    }
    ss_model* model = start();
    run_to(&m, 5.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_int_equal(m.event_count, 8);
    for (int i = 0; i < 2; i++) x[i] = ss_sim_x(m.sim)[i];
    assert_true(run_energy_error(&m) <= 1e-12);
    stop(model);
}

// They end at the same place, and in a mirror at the mirrored one, to the bit.
static void test_equal_and_mirrored(void** state)
{
    (void)state;
    double x[2], mirrored[2];
    strike_together(1.0, x);
    strike_together(-1.0, mirrored);
    expect_near("equal bodies", x[1], x[0], 1e-13);
    assert_true(x[0] == -mirrored[0] && x[1] == -mirrored[1]);
}

// Steps are counted in hundreds: the run asks whether to go on every 256 of them.
static bool count_steps(void* user, double t)
{
    (void)t;
    ++*(long*)user;
    return true;
}

// A body pressed by 20 N against an overdamped stop of 1 MN/m creeps to k p^n = 20 N at the rate n/(a p),
// while its speed follows at a k p^n/m = 3e5 1/s. Nothing needs steps of that length.
static void test_overdamped_stop(void** state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double n = (double[]){1.0, 1.5, 2.2}[i], p = pow(20.0 / 1e6, 1.0 / n);
        rig_init(&r);
        rig_body(&r, 1.0, 0.0, 1.0);
        rig_force(&r, 0, "20");
        rig_elastic(&r, 0, SS_GROUND, above(0.1, 1e6, n, 1e4));
        ss_model* model = rig_model(&r);
        long hundreds = 0;
        ss_sim_def def = ss_sim_def_default();
        run_start_def(&m, model, def);
        ss_sim_destroy(m.sim);
        def.keep_going = count_steps;
        def.user = &hundreds;
        ss_error err;
        assert_int_equal(ss_sim_create(model, &def, &m.sim, &err), SS_OK);
        run_to(&m, 3000.0);
        expect_near("place", ss_sim_x(m.sim)[0], 0.1 + p, 1e-13);
        expect_near("speed", ss_sim_v(m.sim)[0], 0.0, 1e-12);
        assert_true(run_energy_error(&m) <= 1e-11);
        if (hundreds > 100) fail_msg("%ld steps", 256 * hundreds);
        stop(model);
    }
}

// Released deep inside, a light body is thrown out with p' next to -1/a, where the force ends: the distance
// from it is exp(-a^2 k p^(n+1)/((n+1) m)) and less than any rounding. It leaves with 1/a.
static void test_thrown_out_at_the_cut(void** state)
{
    (void)state;
    double a = 1.5 * 0.3;
    rig_init(&r);
    rig_body(&r, 0.07, 2.0, 0.0);
    rig_elastic(&r, 0, SS_GROUND, above(0.0, 54.0, 3.98, 0.3));
    ss_model* model = start();
    run_to(&m, 10.0);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_true(m.event_count < 20);
    expect_near("speed", ss_sim_v(m.sim)[0], -1.0 / a, 1e-13);
    assert_true(run_energy_error(&m) <= 1e-12);
    stop(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_restitution),
        cmocka_unit_test(test_reference_impacts),
        cmocka_unit_test(test_reference_disks),
        cmocka_unit_test(test_hundred_impacts),
        cmocka_unit_test(test_starts_at_the_stop),
        cmocka_unit_test(test_rest_against_the_stop),
        cmocka_unit_test(test_cut_force_comes_back),
        cmocka_unit_test(test_cut_force_stays_away),
        cmocka_unit_test(test_play),
        cmocka_unit_test(test_equal_and_mirrored),
        cmocka_unit_test(test_overdamped_stop),
        cmocka_unit_test(test_thrown_out_at_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
