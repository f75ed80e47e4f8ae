// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling: what is said of the future must come true, and what is known to settle must be found. And the
// verdict on rest under inputs whose future nobody knows.
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
static ss_model* model;
static double limit[RIG_BODIES];

static void begin(void)
{
    model = run_start_rig(&m, &r);
    m.outcome = SS_TIME_REACHED;
}

static void end(void) { run_end(&m, model, INFINITY); }

static bool settles_at(double t)
{
    run_to(&m, t);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    return ss_sim_settles(m.sim, limit);
}

static void one_block(double stiffness, double damping, double friction, double x, double v)
{
    rig_init(&r);
    rig_body(&r, 1.0, x, v);
    rig_spring(&r, 0, SS_GROUND, stiffness, damping);
    rig_coulomb(&r, 0, SS_GROUND, friction);
    begin();
}

// m = k = 1, friction 1, from x = +-5 at rest: x'' = -c x' - (x - 1) while it slides down. For c >= 2 it
// creeps towards x = 1 and never gets there; for c < 2 it arrives, with speed 0, and the run ends.
static void test_overdamped_approach(void** state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2)
        for (double c = 2.0; c < 40.0; c *= 1.5) {
            one_block(1.0, c, 1.0, 5.0 * side, 0.0);
            for (double t = 0.5; t < 2000.0; t *= 3.0) {
                assert_true(settles_at(t));
                expect_near("limit", limit[0], side, 1e-7);
            }
            assert_int_equal(m.event_count, 0);
            end();
        }
    one_block(1.0, 1.9, 1.0, 5.0, 0.0);
    assert_false(settles_at(1.0));
    end();
}

// Thrown through the edge of the band: it turns round first, which is an event, and then creeps back.
static void test_overdamped_block_that_turns_first(void** state)
{
    (void)state;
    one_block(1.0, 3.0, 1.0, 1.5, 9.0);
    assert_false(settles_at(0.1)); // slides up, will stop
    double t = 0.1;
    while (run_to(&m, t += 0.1), m.event_count == 0) assert_false(ss_sim_settles(m.sim, limit));
    expect_event(&m, 0, m.events[0].t, 0, SS_MODE_SLIP_PLUS, SS_MODE_SLIP_MINUS, 0.0);
    assert_true(settles_at(t + 0.1));
    expect_near("limit", limit[0], 1.0, 1e-12);
    end();
}

// Without friction a damped swing reverses for ever; a body that creeps does not. Neither does one that only
// the air brakes: it gets m v/c far.
static void test_no_friction(void** state)
{
    (void)state;
    one_block(1.0, 0.1, 0.0, 1.0, 0.0);
    for (double t = 0.5; t < 200.0; t *= 2.0) assert_false(settles_at(t));
    end();
    one_block(1.0, 3.0, 0.0, 1.0, 0.0);
    assert_true(settles_at(5.0));
    expect_near("limit", limit[0], 0.0, 1e-13);
    end();
    rig_init(&r);
    rig_body(&r, 2.0, 1.0, 3.0);
    rig_spring(&r, 0, SS_GROUND, 0.0, 0.5);
    begin();
    assert_true(settles_at(1.0));
    expect_near("way of a body braked by the air", limit[0], 1.0 + 2.0 * 3.0 / 0.5, 1e-12);
    end();
    rig_init(&r);
    rig_body(&r, 2.0, 1.0, 3.0);
    rig_spring(&r, 0, SS_GROUND, 0.0, 0.5);
    rig_force(&r, 0, "0.01");
    begin();
    assert_false(settles_at(100.0)); // it drifts on at 0.02
    end();
    rig_init(&r);
    rig_body(&r, 2.0, 1.0, 3.0);
    begin();
    assert_false(settles_at(1.0));
    end();
}

// A bob on a spring, k = 1, damped by c, fixed to a block that friction holds as long as the force of spring
// and damper stays below it.
static void bob(double c, double friction, double stretch)
{
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_body(&r, 1.0, stretch, 0.0);
    rig_spring(&r, 1, 0, 1.0, c);
    rig_coulomb(&r, 0, SS_GROUND, friction);
    begin();
}

static void test_bob_on_a_block_that_sticks(void** state)
{
    (void)state;
    bob(0.5, 1.0, 0.9);
    assert_true(
        ss_sim_settles(m.sim, limit)); // at once: |x + c x'| never exceeds sqrt(1 + c^2) 0.9 e^(-c t/2)
    expect_near("block", limit[0], 0.0, 0.0);
    expect_near("bob", limit[1], 0.0, 1e-14);
    assert_true(settles_at(30.0));
    end();
    bob(-0.1, 1.0, 0.1); // it will grow until the block lets go
    assert_false(ss_sim_settles(m.sim, limit));
    end();
    bob(0.0, 1.0, 0.1); // it swings for ever
    assert_false(ss_sim_settles(m.sim, limit));
    end();
    bob(2.0, 1.0, 0.1); // critical damping: one value twice, one vector
    assert_true(ss_sim_settles(m.sim, limit));
    expect_near("bob", limit[1], 0.0, 1e-9);
    end();
}

// The bob starts in the middle, with speed: nothing pulls yet, but the block will be torn loose.
static void test_the_mode_is_left_first(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_body(&r, 1.0, 0.0, 3.0);
    rig_spring(&r, 1, 0, 1.0, 0.2);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    begin();
    assert_false(settles_at(0.01));
    assert_true(ss_sim_contact(m.sim, 0).mode == SS_MODE_STICK);
    run_to(&m, 100.0);
    long events = m.event_count;
    assert_true(events >= 2);
    assert_true(ss_sim_settles(m.sim, limit));
    double said = limit[0], where = ss_sim_x(m.sim)[0];
    assert_true(said == where); // held, to the last digit
    expect_near("bob", limit[1], said, 1e-12);
    run_to(&m, 1000.0);
    assert_int_equal(m.event_count, events);
    end();
}

// One block rests against a stop and is pressed there; the other swings beside it, hung on it by a spring.
// While x2 swings, the stop carries press - k x2.
static void leaning(double press, double swing)
{
    char text[32];
    snprintf(text, sizeof text, "%g", press);
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_body(&r, 1.0, -swing, 0.0);
    rig_spring(&r, 0, 1, 1.0, 0.0);
    rig_spring(&r, 1, SS_GROUND, 0.0, 0.1);
    rig_force(&r, 0, text);
    rig_stop(&r, 0, SS_GROUND, 0.0, 1, 0.5);
    begin();
}

static void test_leaning_on_a_stop(void** state)
{
    (void)state;
    leaning(2.0, 1.0);
    assert_true(ss_sim_contact(m.sim, 0).mode == SS_MODE_CLOSED);
    assert_true(ss_sim_settles(m.sim, limit));
    expect_near("leaning", limit[0], 0.0, 0.0);
    expect_near("swinging", limit[1], 0.0, 1e-13);
    end();
    leaning(0.5, -0.4);
    assert_true(ss_sim_settles(m.sim, limit)); // pulls with 0.4 at most
    end();
    leaning(0.5, -1.0); // pulls off with 0.85, half a swing later
    assert_true(ss_sim_contact(m.sim, 0).mode == SS_MODE_CLOSED);
    assert_false(ss_sim_settles(m.sim, limit));
    end();
}

// A damped swing about 0 and an open stop at 0.5: x(pi) = 0.85 |x0|.
static void test_open_stop_in_the_way(void** state)
{
    (void)state;
    for (int hit = 0; hit < 2; hit++) {
        rig_init(&r);
        rig_body(&r, 1.0, hit ? -0.7 : -0.5, 0.0);
        rig_spring(&r, 0, SS_GROUND, 1.0, 0.1);
        rig_stop(&r, 0, SS_GROUND, 0.5, 1, 0.5);
        begin();
        assert_int_equal(settles_at(0.1), !hit);
        assert_true(settles_at(20.0));
        assert_int_equal(m.event_count, hit);
        expect_near("limit", limit[0], 0.0, 1e-13);
        end();
    }
}

// Two overdamped blocks apart from each other, each on its own way to its own edge; and a third that rests on
// the edge of what its friction holds.
static void test_several_at_once(void** state)
{
    (void)state;
    rig_init(&r);
    for (int i = 0; i < 2; i++) {
        rig_body(&r, 1.0, i ? -4.0 : 5.0, 0.0);
        rig_spring(&r, i, SS_GROUND, 1.0, 3.0 + i);
        rig_coulomb(&r, i, SS_GROUND, 1.0);
    }
    rig_body(&r, 1.0, 0.3, 0.0);
    rig_coulomb(&r, 2, SS_GROUND, 1.0);
    rig_force(&r, 2, "1");
    begin();
    assert_true(settles_at(3.0));
    expect_near("first", limit[0], 1.0, 1e-13);
    expect_near("second", limit[1], -1.0, 1e-13);
    expect_near("third", limit[2], 0.3, 0.0);
    end();
}

static void test_inputs(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        rig_init(&r);
        rig_body(&r, 1.0, 5.0, 0.0);
        rig_spring(&r, 0, SS_GROUND, 1.0, 3.0);
        rig_coulomb(&r, 0, SS_GROUND, 1.0);
        if (kind == 0) rig_force(&r, 0, "0.001 * sin(t)");
        if (kind == 1) rig_force(&r, 0, "0.001 * exp(-t)");
        ss_signal* table = rig_table(&r, (double[]){0.0, 4.0}, (double[]){0.0, -1.0}, 2);
        if (kind == 2) r.forces[r.def.force_count++] = (ss_force_def){.body = 0, .force = table};
        if (kind == 3) rig_spring(&r, 0, rig_driven_speed(&r, "0.1"), 1.0, 0.0);
        begin();
        assert_false(settles_at(3.0));
        assert_int_equal(settles_at(6.0), kind == 2);
        if (kind == 2) expect_near("limit under the last force", limit[0], 0.0, 1e-12);
        end();
    }
}

static void test_driven_body_that_stands(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 5.0, 0.0);
    int support = rig_driven(&r, "0.25");
    rig_spring(&r, 0, support, 1.0, 3.0);
    rig_coulomb(&r, 0, support, 1.0);
    begin();
    assert_true(settles_at(2.0));
    expect_near("limit", limit[0], 1.25, 1e-13);
    expect_near("the support stays", limit[1], 0.25, 0.0);
    end();
}

static void test_what_is_not_looked_at(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 5.0, 0.0);
    rig_spring(&r, 0, SS_GROUND, 1.0, 3.0)->cubic = 0.1;
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    begin();
    assert_false(settles_at(2.0));
    end();
    one_block(1.0, 0.5, 1.0, 3.0, 0.0);
    run_to(&m, 100.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_false(ss_sim_settles(m.sim, limit));
    assert_int_equal(ss_sim_conclude(m.sim), SS_AT_REST);
    end();
}

// ---- many systems: what was said comes true

static uint64_t dice;

static double roll(double low, double high)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return low + (high - low) * (double)(dice >> 11) * 0x1p-53;
}

static void random_rig(uint64_t seed)
{
    dice = 0x9e3779b97f4a7c15u * (seed + 1);
    int bodies = 1 + (int)roll(0.0, 4.0);
    rig_init(&r);
    for (int i = 0; i < bodies; i++) {
        rig_body(&r, roll(0.5, 2.0), roll(-3.0, 3.0), roll(-1.0, 1.0));
        bool grounded = roll(0.0, 1.0) < 0.7;
        rig_spring(&r, i, grounded || i == 0 ? SS_GROUND : i - 1, roll(0.3, 3.0), roll(0.2, 4.0));
        if (i > 0) rig_spring(&r, i, i - 1, roll(0.0, 1.0), roll(0.0, 1.0));
        if (roll(0.0, 1.0) < 0.6) rig_coulomb(&r, i, SS_GROUND, roll(0.0, 0.6));
        if (i > 0 && roll(0.0, 1.0) < 0.3) rig_coulomb(&r, i, i - 1, roll(0.0, 0.6));
        if (roll(0.0, 1.0) < 0.2) rig_stop(&r, i, SS_GROUND, 3.5, 1, 0.5);
    }
}

static double fastest(void)
{
    double v = 0.0;
    for (int b = 0; b < r.def.body_count; b++) v = fmax(v, fabs(ss_sim_v(m.sim)[b]));
    return v;
}

static void test_what_is_said_comes_true(void** state)
{
    (void)state;
    int settled = 0, early = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        random_rig(seed);
        begin();
        double said[RIG_BODIES], t = 0.0;
        bool settles = false;
        for (int k = 0; k < 40 && !settles && m.outcome != SS_AT_REST; k++) {
            run_to(&m, t += 0.5);
            settles = ss_sim_settles(m.sim, said);
        }
        long events = m.event_count;
        if (settles) {
            early += t < 5.0;
            while (fastest() > 1e-11) run_to(&m, t += 1.0); // below that, rounding moves the bodies
            if (m.event_count != events) fail_msg("seed %d: an event at %g", (int)seed, m.events[events].t);
            for (int b = 0; b < r.def.body_count; b++)
                expect_near("limit", ss_sim_x(m.sim)[b], said[b], 1e-6);
            settled++;
        }
        end();
    }
    assert_true(settled > 250 && early > 50);
}

// Asking does not disturb the motion: the same bits with and without.
static void test_asking_changes_nothing(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double x[2][RIG_BODIES];
        for (int asked = 0; asked < 2; asked++) {
            random_rig(seed);
            begin();
            for (double t = 0.0; t < 10.0; t += 0.25) {
                run_to(&m, t);
                if (asked) ss_sim_settles(m.sim, limit);
            }
            memcpy(x[asked], ss_sim_x(m.sim), (size_t)r.def.body_count * sizeof(double));
            end();
        }
        assert_memory_equal(x[0], x[1], (size_t)r.def.body_count * sizeof(double));
    }
}

// ---- the verdict on rest

static void conclude(const char* force, double until, ss_outcome want, double since)
{
    rig_init(&r);
    rig_body(&r, 1.0, 0.25, 0.0);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    rig_force(&r, 0, force);
    begin();
    run_to(&m, until);
    assert_int_equal(m.outcome, SS_TIME_REACHED);
    assert_int_equal(ss_sim_conclude(m.sim), want);
    if (want == SS_AT_REST) {
        expect_near("rest since", ss_sim_time(m.sim), since, 1e-9);
        run_to(&m, 2.0 * until); // it has ended
        assert_int_equal(m.outcome, SS_AT_REST);
    } else {
        expect_near("time", ss_sim_time(m.sim), until, 0.0);
    }
    end();
}

static void test_rest_up_to_now(void** state)
{
    (void)state;
    conclude("0.5 * exp(-t)", 10.0, SS_AT_REST, 0.0);
    conclude("0.2 * tanh(t)", 10.0, SS_AT_REST, 0.0);
    conclude("0.05 * t", 10.0, SS_AT_REST, 0.0);
    conclude("0.2 * t", 6.0, SS_TIME_REACHED, 0.0);    // slides since t = 5
    conclude("0.2 * t", 4.999, SS_AT_REST, 0.0);       // not yet
    conclude("2 * sin(t)", 0.1, SS_TIME_REACHED, 0.0); // a harmonic: known to break loose
    // Pushed with 3 e^-t: v = 3 (1 - e^-t) - t is zero again at t = 3 + W(-3 e^-3), W the main branch.
    conclude("3 * exp(-t)", 20.0, SS_AT_REST, 2.8214393721220787);
}

// Slip that starts without acceleration, and ends: rest began at its end, not where it began.
static void test_rest_after_a_soft_start(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_coulomb(&r, 0, SS_GROUND, 1.0);
    rig_force(&r, 0, "1.05 * exp(-(t - 2)^2)");
    begin();
    run_to(&m, 20.0);
    assert_int_equal(m.event_count, 2);
    assert_int_equal(ss_sim_conclude(m.sim), SS_AT_REST);
    expect_near("rest since", ss_sim_time(m.sim), m.events[1].t, 0.0);
    end();
}

static void test_rest_between_moves_of_a_belt(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    int belt = rig_driven(&r, "0.01 * tanh(t)");
    rig_coulomb(&r, 0, belt, 1.0);
    begin();
    run_to(&m, 5.0);
    assert_int_equal(ss_sim_conclude(m.sim), SS_TIME_REACHED); // it is carried along
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overdamped_approach),
        cmocka_unit_test(test_overdamped_block_that_turns_first),
        cmocka_unit_test(test_no_friction),
        cmocka_unit_test(test_bob_on_a_block_that_sticks),
        cmocka_unit_test(test_the_mode_is_left_first),
        cmocka_unit_test(test_leaning_on_a_stop),
        cmocka_unit_test(test_open_stop_in_the_way),
        cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_driven_body_that_stands),
        cmocka_unit_test(test_what_is_not_looked_at),
        cmocka_unit_test(test_what_is_said_comes_true),
        cmocka_unit_test(test_asking_changes_nothing),
        cmocka_unit_test(test_rest_up_to_now),
        cmocka_unit_test(test_rest_after_a_soft_start),
        cmocka_unit_test(test_rest_between_moves_of_a_belt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
