// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions with a record: rows are the states of a run that is asked at the same moments, both sides of an
// impact are what Newton's law says, and a motion that is ended holds what was computed until then.
#include "random_row.h"
#include "rig.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Two blocks on springs and a floor, and a stop with restitution.
static ss_model* make_blocks(void)
{
    rig r;
    rig_init(&r);
    int a = rig_body(&r, 1.0, 0.0, 3.0), b = rig_body(&r, 2.0, 0.0, -1.0);
    rig_spring(&r, a, b, 40.0, 0.1);
    rig_spring(&r, b, SS_GROUND, 25.0, 0.0);
    rig_coulomb(&r, a, SS_GROUND, 1.0);
    rig_coulomb(&r, a, b, 0.5);
    rig_stop(&r, a, SS_GROUND, 0.2, 1, 0.5);
    return rig_model(&r);
}

static ss_motion* run_motion(const ss_model* model, const ss_motion_def* def)
{
    ss_motion* motion;
    ss_error err;
    assert_int_equal(ss_motion_create(model, def, &motion, &err), SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    return motion;
}

static void test_rows_are_states_of_the_run(void** state)
{
    (void)state;
    const double at[] = {0.33, 0.5, 1.234};
    ss_model* model = make_blocks();
    ss_motion_def def = ss_motion_def_default();
    def.until = 2.0;
    def.every = 0.25;
    def.at = at;
    def.at_count = 3; // 0.5 is a multiple of 0.25: one row
    ss_motion* motion = run_motion(model, &def);
    const ss_motion_rows* rows = &motion->rows;
    assert_int_equal(rows->count, 9 + 2);
    run other;
    run_start(&other, model, NULL, NULL);
    for (size_t k = 0; k < rows->count; k++) {
        ss_error err;
        ss_moment moment = ss_motion_row(motion, k);
        assert_true(k == 0 || moment.t > rows->t[k - 1]);
        assert_int_equal(ss_sim_advance(other.sim, moment.t, &other.outcome, &err), SS_OK);
        for (int b = 0; b < rows->bodies; b++) {
            assert_true(moment.x[b] == ss_sim_x(other.sim)[b]);
            assert_true(moment.v[b] == ss_sim_v(other.sim)[b]);
        }
        for (int c = 0; c < rows->contact_count; c++) {
            ss_contact_state seen = ss_sim_contact(other.sim, c);
            assert_int_equal(moment.contacts[c].mode, seen.mode);
            assert_true(moment.contacts[c].force == seen.force);
        }
    }
    assert_int_equal(motion->event_count, (size_t)other.event_count);
    for (size_t k = 0; k < motion->event_count; k++) assert_true(motion->events[k].t == other.events[k].t);
    ss_energy energy = ss_sim_energy(other.sim);
    assert_true(motion->energy.end == energy.end);
    ss_sim_destroy(other.sim);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

// A ball without friction meets a stop: v+ = -e v-, and the place is that of the stop on both sides.
static void test_both_sides_of_an_impact(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    rig_stop(&r, rig_body(&r, 1.0, 0.0, 2.0), SS_GROUND, 1.0, 1, 0.25);
    ss_model* model = rig_model(&r);
    ss_motion_def def = ss_motion_def_default();
    def.until = 1.0;
    def.at_events = def.before_events = true;
    ss_motion* motion = run_motion(model, &def);
    const ss_motion_rows* rows = &motion->rows;
    assert_int_equal(rows->count, 4); // start, before, after, end
    assert_true(rows->t[0] == 0.0 && rows->t[3] == 1.0);
    assert_true(fabs(rows->t[1] - 0.5) <= 1e-15);
    assert_true(rows->t[1] == rows->t[2]);
    assert_true(fabs(rows->x[1] - 1.0) <= 1e-15);
    assert_true(fabs(rows->x[2] - 1.0) <= 1e-15);
    assert_true(fabs(rows->v[1] - 2.0) <= 1e-15);
    assert_true(fabs(rows->v[2] - (-0.5)) <= 1e-15);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

// Events and a grid together: all of both, in order of time.
static void test_grid_and_events(void** state)
{
    (void)state;
    ss_model* model = make_blocks();
    ss_motion_def def = ss_motion_def_default();
    def.until = 2.0;
    def.at_events = true;
    ss_motion* by_events = run_motion(model, &def);
    def.every = 0.1;
    ss_motion* both = run_motion(model, &def);
    assert_true(by_events->rows.count > 5);
    // 21 moments of the grid; start and end are among them.
    assert_int_equal(both->rows.count, by_events->rows.count + 19);
    size_t found = 0;
    for (size_t k = 0; k < both->rows.count && found < by_events->rows.count; k++) {
        if (both->rows.t[k] != by_events->rows.t[found]) continue;
        assert_true(both->rows.x[2 * k] == by_events->rows.x[2 * found]);
        found++;
    }
    assert_int_equal(found, by_events->rows.count);
    assert_true(both->energy.end == by_events->energy.end);
    ss_motion_destroy(by_events);
    ss_motion_destroy(both);
    ss_model_destroy(model);
}

// ---- what a run tells on the way

// While the block slips backwards, m a = -k x + f; a table has corners at its points.
static void test_acceleration_and_breaks(void** state)
{
    (void)state;
    const double t[] = {0.0, 1.0, 2.0}, force[] = {0.0, 0.0, 0.5};
    rig r;
    rig_init(&r);
    int block = rig_body(&r, 2.0, 0.155, 0.0);
    rig_spring(&r, block, SS_GROUND, 100.0, 0.0);
    rig_coulomb(&r, block, SS_GROUND, 1.0);
    r.forces[r.def.force_count++] = (ss_force_def){.body = block, .force = rig_table(&r, t, force, 3)};
    ss_model* model = rig_model(&r);
    run moved;
    double a;
    ss_error err;
    run_start(&moved, model, NULL, NULL);
    assert_int_equal(ss_sim_advance(moved.sim, 0.1, &moved.outcome, &err), SS_OK);
    assert_true(ss_sim_v(moved.sim)[0] < 0.0);
    ss_sim_acceleration(moved.sim, &a);
    assert_true(fabs(a - (1.0 - 100.0 * ss_sim_x(moved.sim)[0]) / 2.0) <= 1e-12);
    assert_true(ss_sim_next_break(moved.sim) == 1.0);
    assert_int_equal(ss_sim_advance(moved.sim, 1.5, &moved.outcome, &err), SS_OK);
    assert_true(ss_sim_next_break(moved.sim) == 2.0);
    assert_int_equal(ss_sim_advance(moved.sim, 3.0, &moved.outcome, &err), SS_OK);
    assert_true(isinf(ss_sim_next_break(moved.sim)));
    ss_sim_destroy(moved.sim);
    ss_model_destroy(model);
}

// ---- ends

typedef struct limit {
    int moments;
    double t;
} limit;

static bool take_some(void* user, const ss_moment* moment)
{
    (void)moment;
    return --((limit*)user)->moments > 0;
}

static bool until_then(void* user, double t) { return t < ((limit*)user)->t; }

static void test_ended_motions_hold_what_they_have(void** state)
{
    (void)state;
    ss_model* model = make_blocks();
    limit some = {.moments = 4, .t = INFINITY};
    ss_motion_def def = ss_motion_def_default();
    def.until = 2.0;
    def.every = 0.25;
    def.on_moment = take_some;
    def.keep_going = until_then;
    def.user = &some;
    ss_motion* motion = run_motion(model, &def);
    assert_int_equal(motion->outcome, SS_INTERRUPTED);
    assert_int_equal(motion->rows.count, 4);
    assert_true(motion->end.t == 0.75);
    ss_motion_destroy(motion);
    some = (limit){.moments = 1000, .t = 1.1};
    motion = run_motion(model, &def);
    assert_int_equal(motion->outcome, SS_INTERRUPTED);
    assert_true(motion->rows.count >= 5 && motion->rows.count < 9);
    ss_motion_destroy(motion);
    def.keep = false;
    some = (limit){.moments = 1000, .t = INFINITY};
    motion = run_motion(model, &def);
    assert_int_equal(motion->rows.count, 0);
    assert_int_equal(some.moments, 1000 - 9);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

static void assert_same_motion(const ss_motion* one, const ss_motion* two)
{
    size_t bodies = (size_t)one->rows.bodies, d = sizeof(double);
    assert_int_equal(one->outcome, two->outcome);
    assert_int_equal(one->rows.count, two->rows.count);
    assert_int_equal(one->event_count, two->event_count);
    assert_int_equal(one->note_count, two->note_count);
    assert_memory_equal(one->rows.t, two->rows.t, one->rows.count * d);
    assert_memory_equal(one->rows.x, two->rows.x, one->rows.count * bodies * d);
    assert_memory_equal(one->rows.v, two->rows.v, one->rows.count * bodies * d);
    for (size_t k = 0; k < one->rows.count * (size_t)one->rows.contact_count; k++)
        assert_true(one->rows.contacts[k].force == two->rows.contacts[k].force);
    for (size_t k = 0; k < one->event_count; k++) assert_true(one->events[k].t == two->events[k].t);
    assert_memory_equal(&one->energy, &two->energy, sizeof one->energy);
    assert_true(one->settles == two->settles);
    if (one->settles) assert_memory_equal(one->limit_x, two->limit_x, bodies * d);
}

// Models of every kind, one after the other; each lives as long as what it was drawn into.
typedef struct drawn {
    random_system system;
    random_row row;
} drawn;

static ss_model* draw_model(drawn* into, int k)
{
    enum { ALL = RANDOM_KINDS + ROW_SHAKEN + 1 };
    int kind = k % ALL;
    if (kind >= RANDOM_KINDS)
        return random_row_draw(&into->row, (row_kind)(kind - RANDOM_KINDS), (uint64_t)k + 1);
    random_system_make(&into->system, (random_kind)kind, (uint64_t)k + 1);
    return random_system_model(&into->system);
}

// A run that an earlier motion left moves as a new one does, from the same start and from another, to the
// bit.
static void test_a_spare_run_moves_as_a_new_one(void** state)
{
    (void)state;
    for (int k = 0; k < random_count(21); k++) {
        drawn into;
        ss_model* model = draw_model(&into, k);
        ss_motion_def def = ss_motion_def_default();
        double* x = calloc((size_t)ss_model_body_count(model), sizeof *x);
        ss_sim* spare = NULL;
        def.until = 1.0;
        def.at_events = true;
        for (int turn = 0; turn < 4; turn++) {
            def.spare = NULL;
            def.start_x = turn == 1 ? x : NULL;
            def.tolerance = turn == 3 ? 1e-8 : 1e-10; // the spare was made for another one
            ss_motion* fresh = run_motion(model, &def);
            def.spare = &spare;
            ss_motion* other = run_motion(model, &def);
            assert_non_null(spare);
            assert_same_motion(fresh, other);
            ss_motion_destroy(fresh);
            ss_motion_destroy(other);
        }
        ss_sim_destroy(spare);
        free(x);
        ss_model_destroy(model);
    }
}

static void test_displacements_are_those_of_the_row(void** state)
{
    (void)state;
    ss_model* model = make_blocks();
    ss_motion_def def = ss_motion_def_default();
    def.until = 2.0;
    def.every = 0.25;
    ss_motion* motion = run_motion(model, &def);
    for (size_t k = 0; k < motion->rows.count; k++) {
        const double* x = motion->rows.x + 2 * k;
        assert_true(ss_model_displacement(model, 0, x) == x[0]); // the first block on the ground
        assert_true(ss_model_displacement(model, 1, x) == x[0] - x[1]);
    }
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_states_of_the_run),
                                       cmocka_unit_test(test_both_sides_of_an_impact),
                                       cmocka_unit_test(test_acceleration_and_breaks),
                                       cmocka_unit_test(test_grid_and_events),
                                       cmocka_unit_test(test_ended_motions_hold_what_they_have),
                                       cmocka_unit_test(test_a_spare_run_moves_as_a_new_one),
                                       cmocka_unit_test(test_displacements_are_those_of_the_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
