// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps of open models: starts of states, final states, attractors that states tell apart, lanes for springs
// that are written as expressions, and proofs of divergence with states, against closed forms.
#include "slipstick/lab.h"
#include "slipstick/map.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 400 };

// All answers of a map.
typedef struct answers {
    unsigned char fate[MOST];
    double t[MOST], x[MOST], inner[MOST];
    ss_basin_counts counts;
} answers;

// One body, and at most one number within.
static bool collect(void* user, const ss_basin_block* block)
{
    answers* a = user;
    for (int64_t k = 0; k < block->count; k++) {
        a->fate[block->first + k] = block->fate[k] & SS_CELL_FATE;
        a->t[block->first + k] = block->t[k];
        a->x[block->first + k] = block->x[k];
    }
    return true;
}

static bool collect_inner(void* user, const ss_basin_block* block)
{
    answers* a = user;
    memcpy(a->inner + block->first, block->inner, (size_t)block->count * sizeof(double));
    return collect(user, block);
}

static void run(const ss_basin* basin, bool inner, answers* out)
{
    ss_basin_run_def def = {.threads = 2, .sink = inner ? collect_inner : collect, .user = out};
    ss_error err;
    assert_true(ss_basin_cell_count(basin) <= MOST);
    if (ss_basin_run(basin, &def, &out->counts, &err) != SS_OK) fail_msg("%s", err.text);
}

// A spring as an expression is a spring: the map runs in lock-step where there is room for it, and each half
// swing costs 2 f/k.
static void springs_as_expressions(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: open\n"
                      "bodies: {block: {mass: 1 kg}}\n"
                      "signals: {pull: -1 N/m*block.x}\n"
                      "forces: [{body: block, force: pull}]\n"
                      "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
                      "run: {until: 100 s}\n");
    const ss_basin_axis axis = {.path = "block.x", .from = -9.7, .to = 9.6, .count = 194};
    ss_basin* basin = text_basin(document, &axis, 1);
    answers* a = calloc(1, sizeof *a);
    run(basin, false, a);
    assert_int_equal(a->counts.rest, 194);
    for (int64_t k = 0; k < 194; k++) {
        double x;
        int n = 0;
        ss_basin_coordinates(basin, k, &x);
        for (; fabs(x) > 1.0; n++) x = -(x - copysign(2.0, x));
        if (fabs(fabs(x) - 1.0) < 1e-9) continue; // on the edge, where either answer is right
        assert_true(fabs(a->x[k] - x) < 1e-12);
        assert_true(fabs(a->t[k] - n * acos(-1.0)) < 1e-11);
    }
    free(a);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static void springs_run_in_lanes(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: open\n"
                      "bodies: {block: {mass: 1 kg}}\n"
                      "forces: [{body: block, force: \"-1 N/m*block.x\"}]\n"
                      "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
                      "run: {until: 100 s}\n");
    ss_model* model;
    ss_batch* batch;
    ss_error err;
    double x[3] = {4.3, -7.2, 0.4}, end[2][3];
    ss_batch_result results[2][3];
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    for (int alone = 0; alone < 2; alone++) {
        ss_batch_def def = ss_batch_def_default();
        def.way = alone ? SS_BATCH_ONE_BY_ONE : SS_BATCH_PLAIN;
        assert_int_equal(ss_batch_create(model, &def, &batch, &err), SS_OK);
        assert_int_equal(ss_batch_way_used(batch), def.way);
        assert_int_equal(
            ss_batch_run(
                batch, &(ss_batch_starts){.count = 3, .x = x, .results = results[alone], .end_x = end[alone]},
                &err),
            SS_OK);
        ss_batch_destroy(batch);
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(results[0][k].fate, results[1][k].fate);
        assert_true(fabs(end[0][k] - end[1][k]) < 1e-13);
        assert_true(fabs(results[0][k].t - results[1][k].t) < 1e-12);
    }
    ss_model_destroy(model);
    ss_document_destroy(document);
}

// x stays where |k x - c s| <= f, and a state without a rate stays what it was. Otherwise each half swing
// about c s/k costs 2 f/k of amplitude.
static void starts_of_states(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: open\n"
                      "bodies: {block: {mass: 1 kg}}\n"
                      "states: {held: {rate: 0 m/s, start: 5 m}}\n"
                      "forces: [{body: block, force: \"2 N/m*held - 1 N/m*block.x\"}]\n"
                      "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
                      "run: {until: 100 s}\n");
    const ss_basin_axis axes[2] = {{.path = "held", .from = -3.05, .to = 2.9, .count = 16},
                                   {.path = "block.x", .from = -1.0, .to = 1.3, .count = 4}};
    ss_basin* basin = text_basin(document, axes, 2);
    answers* a = calloc(1, sizeof *a);
    run(basin, true, a);
    assert_int_equal(a->counts.rest, 64);
    for (int64_t k = 0; k < 64; k++) {
        double at[2];
        int n = 0;
        ss_basin_coordinates(basin, k, at);
        double away = at[1] - 2.0 * at[0];
        for (; fabs(away) > 1.0; n++) away = -(away - copysign(2.0, away));
        if (fabs(fabs(away) - 1.0) < 1e-9) continue;
        assert_true(a->inner[k] == at[0]);
        assert_true(fabs(a->x[k] - 2.0 * at[0] - away) < 1e-12);
        assert_true(fabs(a->t[k] - n * acos(-1.0)) < 1e-11);
    }
    free(a);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// m x'' = k x + c s - friction, s' = p s: the unstable directions are (x, v) and s. Without s, a start at
// rest leaves the floor where k |x| > f and is gone then; the proof says so at once.
static void divergence_with_states(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: open\n"
                      "bodies: {block: {mass: 1 kg}}\n"
                      "states: {slow: {rate: \"-1*slow/1 s\", start: 0 N}}\n"
                      "forces: [{body: block, force: \"4 N/m*block.x + slow\"}]\n"
                      "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
                      "run: {until: 100 s}\n");
    const ss_basin_axis axis = {.path = "block.x", .from = -1.01, .to = 1.03, .count = 35};
    ss_basin* basin = text_basin(document, &axis, 1);
    answers* a = calloc(1, sizeof *a);
    run(basin, true, a);
    for (int64_t k = 0; k < 35; k++) {
        double x;
        ss_basin_coordinates(basin, k, &x);
        assert_int_equal(a->fate[k], fabs(4.0 * x) > 1.0 ? SS_FATE_ESCAPED : SS_FATE_REST);
        if (fabs(4.0 * x) > 1.0) assert_true(fabs(a->x[k] - x) < 0.5); // proved, not followed
    }
    free(a);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// Two wells of x, which states follow; the attractors tell x and the state.
static void attractors_with_states(void** state)
{
    (void)state;
    ss_document* document =
        text_document("slipstick: 1\ntitle: open\n"
                      "bodies: {block: {mass: 1 kg}}\n"
                      "states: {odometer: {rate: \"abs(block.v)\"}}\n"
                      "potentials: [\"1 J*((block.x/1 m)^4 - 2*(block.x/1 m)^2)\"]\n"
                      "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.3 N}}\n"
                      "start: {block: {v: 0.1 m/s}}\n"
                      "run: {until: 100 s}\n");
    const ss_basin_axis axis = {.path = "block.x", .from = -1.3, .to = 1.3, .count = 9};
    ss_basin* basin = text_basin(document, &axis, 1);
    ss_map_def def = {.basin = basin, .keep = true};
    ss_basin_run_def threads = {.threads = 1};
    ss_map* map;
    ss_error err;
    assert_int_equal(ss_map_create(&def, &map, &err), SS_OK);
    assert_int_equal(ss_map_run(map, &threads, NULL, &err), SS_OK);
    assert_int_equal(ss_map_find_attractors(map, &err), SS_OK);
    const ss_basin_summary* summary = ss_map_get_summary(map);
    assert_int_equal(summary->counts.rest, 9);
    // Friction of 0.3 N holds at |x| near 1 and 0 of the slope 4 x (x^2 - 1).
    assert_true(summary->attractor_count >= 2);
    int64_t cells = 0;
    for (int k = 0; k < summary->attractor_count; k++) {
        const double* place = summary->attractors[k].place;
        assert_non_null(place);
        assert_true(fabs(4.0 * place[0] * (place[0] * place[0] - 1.0)) <= 0.3 * (1.0 + 1e-9));
        assert_true(place[1] >= 0.0 && place[1] < 10.0); // the way so far: 0.3 N of friction, 1.7 J at most
        cells += summary->attractors[k].cells;
    }
    assert_int_equal(cells, 9);
    ss_map_destroy(map);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_as_expressions), cmocka_unit_test(springs_run_in_lanes),
        cmocka_unit_test(starts_of_states),       cmocka_unit_test(divergence_with_states),
        cmocka_unit_test(attractors_with_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
