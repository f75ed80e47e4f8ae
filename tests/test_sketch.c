// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a motion keeps for pictures while it runs: states of the motion itself, close enough for lines that
// look smooth, both sides of every event, and no more than fits, however long it lasts. The motion is the
// same with and without.
#include "random_system.h"
#include "slider_rig.h"
#include "slipstick/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static ss_motion* sketch(const ss_model* model, const ss_slider* slider, double until, bool wanted)
{
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion;
    ss_error err;
    def.until = until;
    def.sketch = wanted;
    ss_status status = slider ? ss_motion_create_sliding(slider, &def, &motion, &err)
                              : ss_motion_create(model, &def, &motion, &err);
    assert_int_equal(status, SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    return motion;
}

// The largest distance of the lines between moments from x = cos t.
static double farthest(const ss_motion_rows* rows)
{
    double most = 0.0;
    for (size_t k = 1; k < rows->count; k++)
        for (int j = 1; j < 8; j++) {
            double share = j / 8.0, t = rows->t[k - 1] + share * (rows->t[k] - rows->t[k - 1]);
            most = fmax(most, fabs(rows->x[k - 1] + share * (rows->x[k] - rows->x[k - 1]) - cos(t)));
        }
    return most;
}

static ss_model* oscillator(void)
{
    rig r;
    rig_init(&r);
    int block = rig_body(&r, 1.0, 1.0, 0.0);
    rig_spring(&r, block, SS_GROUND, 1.0, 0.0);
    return rig_model(&r);
}

// x'' = -x from x = 1: moments are on the cosine, and so are, for the eye, the lines between them.
static void test_lines_are_smooth(void** state)
{
    (void)state;
    ss_model* model = oscillator();
    ss_motion* motion = sketch(model, NULL, 40.0 * pi, true);
    ss_motion_rows rows = ss_motion_sketch(motion);
    assert_true(rows.t[0] == 0.0 && fabs(rows.t[rows.count - 1] - 40.0 * pi) < 1e-12);
    for (size_t k = 0; k < rows.count; k++) {
        assert_true(k == 0 || rows.t[k] >= rows.t[k - 1]);
        expect_near("x", rows.x[k], cos(rows.t[k]), 1e-9);
        expect_near("v", rows.v[k], -sin(rows.t[k]), 1e-9);
    }
    assert_true(farthest(&rows) < 4e-4); // of a span of 2
    assert_true(rows.count < 8000);      // and not many more than it takes: 20 periods of 157
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

// Twenty thousand radians do not take more room than there is. What is kept is true, and covers all of it.
static void test_room_is_bounded(void** state)
{
    (void)state;
    ss_model* model = oscillator();
    double until = 2e4;
    ss_motion* motion = sketch(model, NULL, until, true);
    ss_motion_rows rows = ss_motion_sketch(motion);
    double gap = 0.0, low = 0.0, high = 0.0;
    for (size_t k = 0; k < rows.count; k++) {
        expect_near("x", rows.x[k], cos(rows.t[k]), 1e-7);
        if (k > 0) gap = fmax(gap, rows.t[k] - rows.t[k - 1]);
        low = fmin(low, rows.x[k]);
        high = fmax(high, rows.x[k]);
    }
    assert_true(rows.count <= 40000 && rows.count > 4000);
    assert_true(gap < until / 500.0 && low < -0.999 && high > 0.999);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

// A window is all that is kept, and as smooth as ever.
static void test_window(void** state)
{
    (void)state;
    ss_model* model = oscillator();
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion;
    ss_error err;
    def.until = 1000.0;
    def.sketch = true;
    def.sketch_from = 900.0;
    def.sketch_to = 910.0;
    assert_int_equal(ss_motion_create(model, &def, &motion, &err), SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    ss_motion_rows rows = ss_motion_sketch(motion);
    assert_true(rows.t[0] == 900.0 && fabs(rows.t[rows.count - 1] - 910.0) < 1e-9);
    assert_true(farthest(&rows) < 4e-4 && motion->end.t == 1000.0);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

// A drive that turns at once, which is no event: both speeds are there, at one time.
static void test_jumps_without_events(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    const double t[3] = {0.0, 1.0, 3.0}, x[3] = {0.0, 2.0, -2.0};
    rig_body(&r, 1.0, 0.0, 1.0);
    int hand = rig_driven(&r, "0");
    r.bodies[hand].position = rig_table(&r, t, x, 3);
    ss_model* model = rig_model(&r);
    ss_motion* motion = sketch(model, NULL, 3.0, true);
    ss_motion_rows rows = ss_motion_sketch(motion);
    int found = 0;
    for (size_t k = 1; k < rows.count; k++)
        found += rows.t[k] == rows.t[k - 1] && rows.t[k] == 1.0 &&
                 fabs(rows.v[2 * (k - 1) + 1] - 2.0) < 1e-12 && fabs(rows.v[2 * k + 1] + 2.0) < 1e-12;
    assert_int_equal(found, 1);
    ss_motion_destroy(motion);
    ss_model_destroy(model);
}

static void expect_same_motion(const ss_motion* a, const ss_motion* b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->event_count, b->event_count);
    assert_true(a->end.t == b->end.t);
    assert_memory_equal(&a->energy, &b->energy, sizeof a->energy);
    if (a->event_count == 0) return;
    if (a->model)
        assert_memory_equal(a->events, b->events, a->event_count * sizeof *a->events);
    else
        assert_memory_equal(a->slide_events, b->slide_events, a->event_count * sizeof *a->slide_events);
}

// Every event has a moment before it and one after.
static void expect_both_sides(const ss_motion* motion, const ss_motion_rows* rows)
{
    size_t k = 1;
    for (size_t e = 0; e < motion->event_count; e++) {
        const ss_event* event = &motion->events[e];
        if (event->t == 0.0) continue;
        while (k < rows->count && rows->t[k] < event->t) k++;
        size_t before = k, after = k;
        while (after + 1 < rows->count && rows->t[after + 1] == event->t) after++;
        assert_true(k < rows->count && rows->t[k] == event->t && after > before);
        const ss_contact_state* states = rows->contacts;
        size_t contacts = (size_t)rows->contact_count, i = (size_t)event->contact;
        assert_int_equal(states[before * contacts + i].mode, event->from);
        bool more = e + 1 < motion->event_count && motion->events[e + 1].t == event->t;
        if (!more) assert_int_equal(states[after * contacts + i].mode, event->to);
    }
}

// Random systems: the motion does not change by a bit, and what is kept is where another run comes by.
static void test_random_systems(void** state)
{
    (void)state;
    static random_system system;
    static run other;
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int seed = 1; seed <= random_count(6); seed++) {
            random_system_make(&system, (random_kind)kind, (uint64_t)seed);
            ss_model* model = random_system_model(&system);
            ss_motion *plain = sketch(model, NULL, 20.0, false), *drawn = sketch(model, NULL, 20.0, true);
            ss_motion_rows rows = ss_motion_sketch(drawn);
            expect_same_motion(plain, drawn);
            expect_both_sides(drawn, &rows);
            assert_int_equal(ss_motion_sketch(plain).count, 0);
            run_start(&other, model, NULL, NULL);
            for (size_t k = 0; k < rows.count; k++) {
                bool event = k > 0 && rows.t[k] == rows.t[k - 1];
                event = event || (k + 1 < rows.count && rows.t[k] == rows.t[k + 1]);
                if (event || k % 5 != 0 || rows.t[k] >= drawn->end.t) continue;
                run_to(&other, rows.t[k]);
                for (int b = 0; b < rows.bodies; b++) {
                    size_t at = k * (size_t)rows.bodies + (size_t)b;
                    double size = 1.0 + fabs(rows.x[at]) + fabs(rows.v[at]);
                    expect_near("x", rows.x[at], ss_sim_x(other.sim)[b], 1e-9 * size);
                    expect_near("v", rows.v[at], ss_sim_v(other.sim)[b], 1e-9 * size);
                }
            }
            run_stop(&other);
            ss_motion_destroy(plain);
            ss_motion_destroy(drawn);
            ss_model_destroy(model);
        }
}

static void test_slider(void** state)
{
    (void)state;
    slider_rig r;
    ss_error err;
    ss_slider* slider;
    slider_init(&r);
    slider_point(&r, 0, 1, 0.5);
    slider_point(&r, 0.5, -1, 0.3);
    slider_point(&r, -0.4, 0.2, 0.2);
    memcpy(r.def.start_speed, (const double[3]){0.6, 0.3, 2.4}, sizeof r.def.start_speed);
    assert_int_equal(ss_slider_create(&r.def, &slider, &err), SS_OK);
    ss_motion *plain = sketch(NULL, slider, 10.0, false), *drawn = sketch(NULL, slider, 10.0, true);
    expect_same_motion(plain, drawn);
    assert_int_equal(plain->outcome, SS_AT_REST);
    ss_motion_rows rows = ss_motion_sketch(drawn);
    ss_slide* other;
    assert_int_equal(ss_slide_create(slider, NULL, &other, &err), SS_OK);
    for (size_t k = 0; k < rows.count && rows.t[k] < drawn->end.t; k++) {
        ss_outcome outcome;
        assert_int_equal(ss_slide_advance(other, rows.t[k], &outcome, &err), SS_OK);
        ss_slider_state there = ss_slide_state(other);
        expect_near("x", rows.slides[k].x, there.x, 1e-9);
        expect_near("angle", rows.slides[k].angle, there.angle, 1e-9);
    }
    assert_true(rows.t[rows.count - 1] == drawn->end.t);
    ss_slide_destroy(other);
    ss_motion_destroy(plain);
    ss_motion_destroy(drawn);
    ss_slider_destroy(slider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_smooth), cmocka_unit_test(test_room_is_bounded),
        cmocka_unit_test(test_window),           cmocka_unit_test(test_jumps_without_events),
        cmocka_unit_test(test_random_systems),   cmocka_unit_test(test_slider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
