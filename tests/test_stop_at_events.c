// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run that stops at events: the motion is the one of a run that does not, to the last bit; every event is
// a stop; and both sides of it are what the laws say they are.
#include "random_system.h"
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SYSTEMS = 20 };

static random_system random_one;
static run whole, cut;

// Goes to `until` from event to event and checks that each stop holds exactly the events logged since the
// last one, at the time the run has.
static void go_by_events(run* r, double until)
{
    bool at_event = true;
    ss_error err;
    while (at_event && (r->event_count == 0 || r->outcome == SS_TIME_REACHED)) {
        long seen = r->event_count;
        assert_int_equal(ss_sim_advance_to_event(r->sim, until, &at_event, &r->outcome, &err), SS_OK);
        ss_instant instant = ss_sim_instant(r->sim);
        assert_int_equal(at_event, r->event_count > seen);
        assert_int_equal(instant.event_count, r->event_count - seen);
        for (int k = 0; k < instant.event_count; k++) {
            assert_memory_equal(&instant.events[k], &r->events[seen + k], sizeof(ss_event));
            assert_int_equal(instant.contacts[instant.events[k].contact].mode, instant.events[k].from);
        }
        if (at_event && r->outcome != SS_AT_REST)
            assert_true(ss_sim_time(r->sim) == instant.events[instant.event_count - 1].t);
    }
}

static void test_stops_change_no_bit_of_the_motion(void** state)
{
    (void)state;
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int seed = 1; seed <= SYSTEMS; seed++) {
            random_system_make(&random_one, (random_kind)kind, (uint64_t)seed);
            ss_model* model = random_system_model(&random_one);
            run_start(&whole, model, NULL, NULL);
            run_start(&cut, model, NULL, NULL);
            run_to(&whole, 20.0);
            go_by_events(&cut, 20.0);
            assert_int_equal(whole.outcome, cut.outcome);
            assert_int_equal(whole.event_count, cut.event_count);
            assert_memory_equal(whole.events, cut.events, sizeof(ss_event) * (size_t)whole.event_count);
            for (int i = 0; i < random_one.bodies; i++) {
                assert_true(ss_sim_x(whole.sim)[i] == ss_sim_x(cut.sim)[i]);
                assert_true(ss_sim_v(whole.sim)[i] == ss_sim_v(cut.sim)[i]);
            }
            run_stop(&whole);
            run_stop(&cut);
            ss_model_destroy(model);
        }
}

// A block of 1 kg on a spring of 1 N/m, friction 1 N, let go at 5.5 m, turns at t = n pi. Before the turn
// friction pushes one way with all its force, after it the other way; at the last one it holds the spring.
static void test_both_sides_of_a_turn(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int block = rig_body(&r, 1.0, 5.5, 0.0);
    rig_spring(&r, block, SS_GROUND, 1.0, 0.0);
    rig_coulomb(&r, block, SS_GROUND, 1.0);
    ss_model* model = rig_model(&r);
    run_start(&cut, model, NULL, NULL);
    for (int turn = 1; turn <= 3; turn++) {
        bool at_event = false;
        ss_error err;
        double x = (turn % 2 == 0 ? 1.0 : -1.0) * (5.5 - 2.0 * turn), side = turn % 2 == 1 ? 1.0 : -1.0;
        assert_int_equal(ss_sim_advance_to_event(cut.sim, 100.0, &at_event, &cut.outcome, &err), SS_OK);
        assert_true(at_event);
        ss_instant instant = ss_sim_instant(cut.sim);
        ss_contact_state after = ss_sim_contact(cut.sim, 0);
        expect_near("turn", ss_sim_time(cut.sim), acos(-1.0) * turn, 1e-13);
        expect_near("place before", instant.x[0], x, 1e-13);
        expect_near("place after", ss_sim_x(cut.sim)[0], x, 1e-13);
        expect_near("force before", instant.contacts[0].force, side, 1e-13);
        expect_near("speed before", instant.v[0], 0.0, 1e-13);
        expect_near("force after", after.force, turn < 3 ? -side : x, 1e-13);
        assert_int_equal(after.mode, turn == 3    ? SS_MODE_STICK
                                     : side > 0.0 ? SS_MODE_SLIP_PLUS
                                                  : SS_MODE_SLIP_MINUS);
    }
    assert_int_equal(cut.outcome, SS_AT_REST);
    bool again = true;
    ss_error err;
    assert_int_equal(ss_sim_advance_to_event(cut.sim, 100.0, &again, &cut.outcome, &err), SS_OK);
    assert_false(again);
    run_stop(&cut);
    ss_model_destroy(model);
}

// A ball dropped from 1 m under 2 m/s^2 meets the floor at 1 s with 2 m/s and leaves with half of it.
static void test_both_sides_of_an_impact(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int ball = rig_body(&r, 1.0, 1.0, 0.0);
    rig_force(&r, ball, "-2");
    rig_stop(&r, ball, SS_GROUND, 0.0, -1, 0.5);
    ss_model* model = rig_model(&r);
    bool at_event = false;
    ss_error err;
    run_start(&cut, model, NULL, NULL);
    assert_int_equal(ss_sim_advance_to_event(cut.sim, 0.5, &at_event, &cut.outcome, &err), SS_OK);
    assert_false(at_event);
    expect_near("time", ss_sim_time(cut.sim), 0.5, 0.0);
    assert_int_equal(ss_sim_advance_to_event(cut.sim, 10.0, &at_event, &cut.outcome, &err), SS_OK);
    assert_true(at_event);
    ss_instant instant = ss_sim_instant(cut.sim);
    expect_near("time", ss_sim_time(cut.sim), 1.0, 1e-15);
    expect_near("speed before", instant.v[0], -2.0, 1e-14);
    expect_near("speed after", ss_sim_v(cut.sim)[0], 1.0, 1e-14);
    assert_int_equal(instant.events[0].kind, SS_EVENT_IMPACT);
    run_stop(&cut);
    ss_model_destroy(model);
}

// The same of sliders: random feet, from event to event and at once.
static void test_sliders_stop_at_events(void** state)
{
    (void)state;
    static slide_run at_once, by_events;
    unsigned seed = 7;
    for (int k = 0; k < SYSTEMS; k++) {
        slider_rig feet;
        bool at_event = true;
        ss_error err;
        slider_random(&feet, &seed);
        double vx = slider_uniform(&seed, -1.0, 1.0), vy = slider_uniform(&seed, -1.0, 1.0),
               spin = slider_uniform(&seed, -1.0, 1.0);
        slide_start(&at_once, &feet, vx, vy, spin, 1e-10);
        slide_start(&by_events, &feet, vx, vy, spin, 1e-10);
        slide_to(&at_once, 50.0);
        by_events.outcome = SS_TIME_REACHED;
        while (at_event && by_events.outcome == SS_TIME_REACHED) {
            long seen = by_events.event_count;
            assert_int_equal(
                ss_slide_advance_to_event(by_events.slide, 50.0, &at_event, &by_events.outcome, &err), SS_OK);
            ss_slider_instant instant = ss_slide_instant(by_events.slide);
            assert_int_equal(instant.event_count, by_events.event_count - seen);
            for (int j = 0; j < instant.event_count; j++) {
                const ss_slide_event* event = &instant.events[j];
                assert_int_equal(instant.supports[event->support].mode, event->from);
                assert_int_equal(ss_slide_support(by_events.slide, event->support).mode, event->to);
            }
        }
        assert_int_equal(at_once.event_count, by_events.event_count);
        assert_int_equal(at_once.outcome, by_events.outcome);
        ss_slider_state a = ss_slide_state(at_once.slide), b = ss_slide_state(by_events.slide);
        assert_memory_equal(&a, &b, sizeof a);
        slide_stop(&at_once);
        slide_stop(&by_events);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops_change_no_bit_of_the_motion),
        cmocka_unit_test(test_both_sides_of_a_turn),
        cmocka_unit_test(test_both_sides_of_an_impact),
        cmocka_unit_test(test_sliders_stop_at_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
