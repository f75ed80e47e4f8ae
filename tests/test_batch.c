// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A batch of motions against what is known of them: the reference maps of two blocks on rough floors
// (computed with exact flow in another program), and the rules every batch keeps.
#include "random_system.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GRID = 41, CELLS = GRID * GRID };

static const ss_batch_way ways[] = {SS_BATCH_ONE_BY_ONE, SS_BATCH_PLAIN, SS_BATCH_AVX2, SS_BATCH_AVX512};
enum { WAYS = sizeof ways / sizeof *ways };

// [VL04], Example 1: k1 = k2 = 1, c1 = 0.5, c2 = -0.375, mu m g = 1.
static ss_model* two_blocks(void)
{
    rig r;
    rig_init(&r);
    int a = rig_body(&r, 1.0, 0.0, 0.0), b = rig_body(&r, 1.0, 0.0, 0.0);
    rig_spring(&r, a, SS_GROUND, 1.0, 0.5);
    rig_spring(&r, a, b, 1.0, -0.375);
    rig_spring(&r, b, SS_GROUND, 1.0, 0.5);
    rig_coulomb(&r, a, SS_GROUND, 1.0);
    rig_coulomb(&r, b, SS_GROUND, 1.0);
    return rig_model(&r);
}

// NULL where this processor cannot go that way.
static ss_batch* make_batch(const ss_model* model, ss_batch_def def)
{
    ss_batch* batch = NULL;
    ss_error err;
    ss_status status = ss_batch_create(model, &def, &batch, &err);
    if (status == SS_OK) return batch;
    assert_true(def.way == SS_BATCH_AVX2 || def.way == SS_BATCH_AVX512);
    assert_string_equal(err.field, "way");
    return NULL;
}

static double grid_point(int k) { return -10.0 + 0.5 * k; }

static void fill_grid(double plane[CELLS][2])
{
    for (int k = 0; k < CELLS; k++) {
        plane[k][0] = grid_point(k / GRID);
        plane[k][1] = grid_point(k % GRID);
    }
}

// One number per cell; the file's first two lines and the first column are sensitivities.
static void read_map(const char* name, double map[CELLS])
{
    char path[512], line[4096];
    snprintf(path, sizeof path, SS_SOURCE_DIR "/tests/data/%s", name);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    for (int k = 0; k < 2; k++) assert_non_null(fgets(line, sizeof line, file));
    for (int row = 0; row < GRID; row++) {
        assert_non_null(fgets(line, sizeof line, file));
        char* at = strchr(line, ',');
        for (int column = 0; column < GRID; column++) {
            assert_non_null(at);
            map[row * GRID + column] = strtod(at + 1, &at);
        }
    }
    fclose(file);
}

static void test_position_plane_is_the_reference(void** state)
{
    (void)state;
    static double start[CELLS][2], fate[CELLS], t[CELLS];
    static ss_batch_result results[CELLS];
    read_map("basin_two_blocks_positions.csv", fate);
    read_map("basin_two_blocks_positions_rest_time.csv", t);
    fill_grid(start);
    ss_model* model = two_blocks();
    for (int w = 0; w < WAYS; w++)
        for (int proof = 0; proof < 2; proof++) {
            ss_batch_def def = ss_batch_def_default();
            def.way = ways[w];
            def.prove_escape = proof;
            def.until = 200.0;
            def.escape = proof ? INFINITY : 1e3;
            ss_batch* batch = make_batch(model, def);
            if (!batch) continue;
            assert_int_equal(
                ss_batch_run(batch, &(ss_batch_starts){.count = CELLS, .x = start[0], .results = results},
                             NULL),
                SS_OK);
            for (int k = 0; k < CELLS; k++) {
                if (fate[k] == 2.0) continue; // the reference does not know
                assert_int_equal(results[k].fate, fate[k] == 1.0 ? SS_FATE_REST : SS_FATE_ESCAPED);
                assert_true(results[k].proved == (proof && fate[k] == 0.0));
                if (fate[k] == 1.0 && !(fabs(results[k].t - t[k]) < 1e-9))
                    fail_msg("x = (%g, %g): rest at %.12f instead of %.12f", start[k][0], start[k][1],
                             results[k].t, t[k]);
            }
            ss_batch_destroy(batch);
        }
    ss_model_destroy(model);
}

static void test_velocity_plane_attracts_1241(void** state)
{
    (void)state;
    static double x[CELLS][2], v[CELLS][2];
    static ss_batch_result results[CELLS];
    fill_grid(v);
    ss_model* model = two_blocks();
    for (int w = 0; w < WAYS; w++) {
        ss_batch_def def = ss_batch_def_default();
        def.way = ways[w];
        def.until = 200.0;
        ss_batch* batch = make_batch(model, def);
        if (!batch) continue;
        int rest = 0, escaped = 0;
        assert_int_equal(
            ss_batch_run(batch, &(ss_batch_starts){.count = CELLS, .x = x[0], .v = v[0], .results = results},
                         NULL),
            SS_OK);
        for (int k = 0; k < CELLS; k++) {
            rest += results[k].fate == SS_FATE_REST;
            escaped += results[k].fate == SS_FATE_ESCAPED;
        }
        assert_int_equal(rest, 1241);
        assert_int_equal(escaped, CELLS - 1241);
        ss_batch_destroy(batch);
    }
    ss_model_destroy(model);
}

static bool thrice(void* user, double t)
{
    (void)t;
    return ++*(int*)user < 3;
}

// A block on a belt sticks and slips for ever: a caller who wants no more is heard within a motion, however
// the motions are run.
static void test_a_batch_is_ended_within_a_motion(void** state)
{
    (void)state;
    rig parts;
    rig_init(&parts);
    int block = rig_body(&parts, 1.0, 0.0, 0.0), belt = rig_driven_speed(&parts, "0.1");
    rig_spring(&parts, block, SS_GROUND, 1.0, 0.0);
    rig_coulomb(&parts, block, belt, 1.0)->coulomb = (ss_coulomb){1.0, 1.0, 1.5, 1.5};
    ss_model* model = rig_model(&parts);
    for (int w = 0; w < WAYS; w++) {
        int asked = 0;
        ss_batch_def def = ss_batch_def_default();
        def.way = ways[w];
        def.until = 1e12;
        def.max_events = 1000000000000;
        def.keep_going = thrice;
        def.user = &asked;
        ss_batch_result result;
        ss_error err = {0};
        ss_batch* batch = make_batch(model, def);
        if (!batch) continue;
        assert_int_equal(ss_batch_run(batch, &(ss_batch_starts){.count = 1, .results = &result}, &err),
                         SS_NOT_FOUND);
        assert_string_equal(err.text, "interrupted");
        ss_batch_destroy(batch);
    }
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position_plane_is_the_reference),
        cmocka_unit_test(test_velocity_plane_attracts_1241),
        cmocka_unit_test(test_a_batch_is_ended_within_a_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
