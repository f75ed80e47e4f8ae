// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Backlash is two stops under one name: it moves as two stops written by hand do, to the last bit, whatever
// they are and wherever the motion starts; its force is the sum of theirs, its events are theirs.
#include "rig.h"
#include "share/law.h"
#include "share/model_parts.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MESH, FLOOR, BELOW };

static const struct {
    const char *one, *law, *numbers;
} kinds[] = {
    {"restitution: 0.6", "rigid-stop", "restitution: 0.6"},
    {"restitution: 0", "rigid-stop", "restitution: 0"},
    {"stiffness: 2e3", "elastic-stop", "stiffness: 2e3"},
    {"stiffness: 2e3, damping: 8", "elastic-stop", "stiffness: 2e3, damping: 8"},
    {"stiffness: 2e3, exponent: 1.5, alpha: 0.4", "hunt-crossley",
     "stiffness: 2e3, exponent: 1.5, alpha: 0.4"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

// Between the flanks, and on one of them, at rest or on the move.
static const char* const starts[] = {"{x: 0, v: 0.3}", "{x: c + g/2, v: 0.1}", "{x: c + g/2, v: -0.1}",
                                     "{x: c - g/2}"};
enum { STARTS = sizeof starts / sizeof starts[0] };

// A motor that is driven to and fro, and a load that rubs.
static ss_model* gear(const char* mesh, const char* below, double gap, const char* start)
{
    char text[1200];
    snprintf(text, sizeof text,
             "parameters: {g: %.17g, c: 0.003}\n"
             "bodies: {motor: {mass: 1}, load: {mass: 2}}\n"
             "connections: [{between: [load, ground], stiffness: 30, damping: 0.4}]\n"
             "forces: [{body: motor, force: \"1.5*cos(2.3*t)\"}]\n"
             "contacts:\n"
             "  mesh: {between: [motor, load], %s}\n"
             "  floor: {between: [load, ground], law: coulomb, friction: 0.3}\n"
             "%s"
             "start: {motor: %s}\n"
             "run: {until: 3}\n",
             gap, mesh, below, start);
    return text_parts_model(text);
}

static void make_both(int kind, double gap, const char* start, ss_model* models[2])
{
    char one[200], above[200], below[240];
    snprintf(one, sizeof one, "law: backlash, gap: g, center: c, %s", kinds[kind].one);
    snprintf(above, sizeof above, "law: %s, above: c + g/2, %s", kinds[kind].law, kinds[kind].numbers);
    snprintf(below, sizeof below, "  below: {between: [motor, load], law: %s, below: c - g/2, %s}\n",
             kinds[kind].law, kinds[kind].numbers);
    models[0] = gear(one, "", gap, start);
    models[1] = gear(above, below, gap, start);
}

static void compare_moment(const ss_sim* one, const ss_sim* two)
{
    ss_contact_state mesh = ss_sim_contact(one, MESH), above = ss_sim_contact(two, MESH),
                     below = ss_sim_contact(two, BELOW);
    bool up = above.mode == SS_MODE_CLOSED, down = below.mode == SS_MODE_CLOSED;
    for (int b = 0; b < 2; b++) {
        assert_true(ss_sim_x(one)[b] == ss_sim_x(two)[b]);
        assert_true(ss_sim_v(one)[b] == ss_sim_v(two)[b]);
    }
    assert_int_equal(mesh.mode, up || down ? SS_MODE_CLOSED : SS_MODE_OPEN);
    assert_int_equal(mesh.side, (up ? 1 : 0) - (down ? 1 : 0));
    assert_true(mesh.force == above.force + below.force);
    assert_true(isinf(mesh.limit) == (up || down));
    assert_true(ss_sim_contact(one, FLOOR).force == ss_sim_contact(two, FLOOR).force);
    assert_true(ss_sim_energy(one).end == ss_sim_energy(two).end);
    assert_true(ss_sim_energy(one).impact == ss_sim_energy(two).impact);
}

// What happens below is told as of the one contact, with its side.
static void compare_events(const run* one, const run* two)
{
    assert_int_equal(one->event_count, two->event_count);
    for (long k = 0; k < one->event_count; k++) {
        ss_event e = one->events[k], f = two->events[k];
        assert_true(e.t == f.t && e.from == f.from && e.to == f.to && e.kind == f.kind);
        assert_int_equal(e.contact, f.contact == BELOW ? MESH : f.contact);
        assert_int_equal(e.side, f.contact == FLOOR ? 0 : f.contact == MESH ? 1 : -1);
    }
}

static long follow(int kind, double gap, const char* start)
{
    static run runs[2];
    ss_model* models[2];
    make_both(kind, gap, start, models);
    assert_int_equal(ss_model_contact_count(models[0]), 2);
    for (int k = 0; k < 2; k++) run_start(&runs[k], models[k], NULL, NULL);
    for (int step = 0; step <= 30; step++) {
        for (int k = 0; k < 2; k++) run_to(&runs[k], 0.1 * step);
        compare_moment(runs[0].sim, runs[1].sim);
    }
    compare_events(&runs[0], &runs[1]);
    long events = runs[0].event_count;
    for (int k = 0; k < 2; k++) {
        run_stop(&runs[k]);
        ss_model_destroy(models[k]);
    }
    return events;
}

static void test_equals_two_stops(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int start = 0; start < STARTS; start++) assert_true(follow(kind, 0.02, starts[start]) >= 7);
}

// Without a gap flanks that give way are a spring from both sides, and rigid ones hold.
static void test_without_gap(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) follow(kind, 0.0, "{x: c, v: 0.3}");
}

// A note names a contact once, though both of its stops take part.
static void test_notes_name_it_once(void** state)
{
    (void)state;
    static run m;
    ss_model* models[2];
    make_both(0, 0.0, "{x: c}", models);
    run_start(&m, models[0], NULL, NULL);
    run_to(&m, 0.1);
    assert_true(run_has_note(&m, "undetermined"));
    for (int k = 0; k < m.note_count; k++) assert_true(m.notes[k].contact_count <= 1);
    run_stop(&m);
    for (int k = 0; k < 2; k++) ss_model_destroy(models[k]);
}

// It goes on to the same bits after it was saved on a flank and loaded into another run.
static void test_saved_on_a_flank(void** state)
{
    (void)state;
    ss_model* models[2];
    make_both(2, 0.02, starts[0], models);
    ss_sim *a = text_run(models[0], true, 1e-10), *b = text_run(models[0], true, 1e-10);
    double t = 0.0;
    while (ss_sim_contact(a, MESH).mode != SS_MODE_CLOSED) text_run_to(a, t += 0.001);
    size_t size = ss_sim_save_size(a);
    void* blob = test_malloc(size);
    ss_error err;
    assert_int_equal(ss_sim_save(a, blob, size, &err), SS_OK);
    assert_int_equal(ss_sim_load(b, blob, size, &err), SS_OK);
    text_run_to(a, 3.0);
    text_run_to(b, 3.0);
    assert_true(ss_sim_x(a)[0] == ss_sim_x(b)[0]);
    test_free(blob);
    ss_sim_destroy(a);
    ss_sim_destroy(b);
    for (int k = 0; k < 2; k++) ss_model_destroy(models[k]);
}

static void test_faults(void** state)
{
    (void)state;
    const double no = NAN;
    const struct {
        ss_backlash law;
        const char* field;
    } faults[] = {
        {{-1e-9, 0.0, 0.5, no, 1.0, no, no}, "gap"},       {{0.1, INFINITY, 0.5, no, 1.0, no, no}, "center"},
        {{0.1, 0.0, 1.5, no, 1.0, no, no}, "restitution"}, {{0.1, 0.0, 0.5, 10.0, 1.0, no, no}, "stiffness"},
        {{0.1, 0.0, 0.5, no, 1.0, no, 0.1}, "alpha"},      {{0.1, 0.0, no, 10.0, 1.0, 1.0, 0.1}, "alpha"},
        {{0.1, 0.0, no, 10.0, 1.0, -1.0, no}, "damping"},  {{0.1, 0.0, no, 10.0, 1.0, no, -1.0}, "alpha"},
        {{0.1, 0.0, no, 0.0, 1.0, no, no}, "stiffness"},   {{0.1, 0.0, no, 10.0, 0.5, no, no}, "exponent"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        ss_error err;
        assert_int_equal(ss_backlash_check(&faults[k].law, &err), SS_BAD_INPUT);
        assert_string_equal(err.field, faults[k].field);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_two_stops),
        cmocka_unit_test(test_without_gap),
        cmocka_unit_test(test_notes_name_it_once),
        cmocka_unit_test(test_saved_on_a_flank),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
