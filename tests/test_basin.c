// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps: cells against closed forms, the same bits for any number of threads, random numbers and intervals
// against published values.
#include "lab/sweep/random.h"
#include "lab/sweep/sweep.h"
#include "share/chance.h"
#include "share/model_parts.h"
#include "slipstick/lab.h"
#include "slipstick/map.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char block_yaml[] =
    "slipstick: 1\n"
    "title: A block\n"
    "parameters: {level: 1 N}\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
    "contacts: {floor: {between: [block, ground], law: coulomb, friction: level}}\n"
    "start: {block: {x: 5.5 m}}\n"
    "run: {until: 100 s}\n";

// All answers of a map, in one piece.
typedef struct answers {
    unsigned char* fate;
    double *t, *x;
    int bodies;
} answers;

static bool collect(void* user, const ss_basin_block* block)
{
    answers* a = user;
    size_t first = (size_t)block->first, count = (size_t)block->count, bodies = (size_t)a->bodies;
    memcpy(a->fate + first, block->fate, count);
    memcpy(a->t + first, block->t, count * sizeof *a->t);
    memcpy(a->x + first * bodies, block->x, count * bodies * sizeof *a->x);
    return true;
}

static answers run(const ss_basin* basin, int threads, ss_basin_counts* counts)
{
    size_t cells = (size_t)ss_basin_cell_count(basin);
    answers a = {.bodies = ss_model_body_count(ss_basin_model(basin))};
    a.fate = malloc(cells);
    a.t = malloc(cells * sizeof *a.t);
    a.x = malloc(cells * (size_t)a.bodies * sizeof *a.x);
    ss_basin_run_def def = {.threads = threads, .sink = collect, .user = &a};
    ss_error err;
    if (ss_basin_run(basin, &def, counts, &err) != SS_OK) fail_msg("%s", err.text);
    return a;
}

static void drop(answers* a)
{
    free(a->fate);
    free(a->t);
    free(a->x);
}

// Each half swing costs 2 delta of amplitude, delta = f/k, and takes pi sqrt(m/k); rest comes at the first
// turning point with |x| <= delta.
static void half_swings(double x0, double delta, double* x, double* t)
{
    int n = 0;
    for (*x = x0; fabs(*x) > delta; n++) *x = -(*x - copysign(2 * delta, *x));
    *t = n * acos(-1);
}

static void test_closed_form(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    const ss_basin_axis axis = {.path = "block.x", .from = -9.7, .to = 9.6, .count = 194};
    ss_basin* basin = text_basin(document, &axis, 1);
    ss_basin_counts counts;
    answers a = run(basin, 3, &counts);
    assert_int_equal(counts.rest, 194);
    assert_int_equal(counts.alone, 194); // too few for tables
    for (int64_t k = 0; k < 194; k++) {
        double start, x, t;
        ss_basin_coordinates(basin, k, &start);
        half_swings(start, 1, &x, &t);
        assert_int_equal(a.fate[k] & SS_CELL_FATE, SS_FATE_REST);
        if (fabs(fabs(x) - 1) < 1e-9) continue; // on the edge, where either answer is right
        assert_true(fabs(a.x[k] - x) < 1e-13 * 10);
        assert_true(fabs(a.t[k] - t) < 1e-13 * 20);
    }
    drop(&a);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// Two axes, a parameter and a start, in both orders: every cell knows its own model.
static void test_parameters(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    const ss_basin_axis axes[2] = {{.path = "parameters.level", .from = 0.31, .to = 2.13, .count = 13},
                                   {.path = "block.x", .from = 2.05, .to = 7, .count = 9}};
    const ss_basin_axis swapped[2] = {axes[1], axes[0]};
    ss_basin *basin = text_basin(document, axes, 2), *other = text_basin(document, swapped, 2);
    ss_basin_counts counts;
    answers a = run(basin, 2, &counts), b = run(other, 2, &counts);
    for (int64_t k = 0; k < 13 * 9; k++) {
        double values[2], x, t;
        ss_basin_coordinates(basin, k, values);
        assert_true(values[0] == ss_basin_grid_value(&axes[0], k % 13)); // the first varies fastest
        assert_true(values[1] == ss_basin_grid_value(&axes[1], k / 13));
        half_swings(values[1], values[0], &x, &t);
        int64_t same = k % 13 * 9 + k / 13;
        assert_true(fabs(a.x[k] - x) < 1e-12 && fabs(a.t[k] - t) < 1e-12);
        assert_true(a.x[k] == b.x[same] && a.t[k] == b.t[same]);
    }
    drop(&a);
    drop(&b);
    ss_basin_destroy(basin);
    ss_basin_destroy(other);
    ss_document_destroy(document);
}

static const char blocks_yaml[] = "slipstick: 1\n"
                                  "title: Two blocks\n"
                                  "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
                                  "connections:\n"
                                  "  - {between: [a, ground], stiffness: 1 N/m, damping: 0.5 N*s/m}\n"
                                  "  - {between: [a, b], stiffness: 1 N/m, damping: -0.375 N*s/m}\n"
                                  "  - {between: [b, ground], stiffness: 1 N/m, damping: 0.5 N*s/m}\n"
                                  "contacts:\n"
                                  "  f: {between: [a, ground], law: coulomb, friction: 1 N}\n"
                                  "  g: {between: [b, ground], law: coulomb, friction: 1 N}\n"
                                  "run: {until: 200 s}\n";

static void test_same_bits(void** state)
{
    (void)state;
    ss_document* document = text_document(blocks_yaml);
    const ss_basin_axis axes[2] = {{.path = "a.x", .from = -10, .to = 10, .count = 71},
                                   {.path = "b.v", .from = -10, .to = 10, .count = 43}};
    ss_basin* basin = text_basin(document, axes, 2);
    ss_basin_counts counts, more;
    size_t cells = 71 * 43;
    answers a = run(basin, 1, &counts);
    assert_true(counts.rest > 100 && counts.escaped > 100);
    // Lock-step is for many starts of one model, and does not tell rest that is only approached: of this map
    // most cells go that way, and those that do not are marked one by one.
    int64_t alone = 0;
    for (size_t k = 0; k < cells; k++) alone += (a.fate[k] & SS_CELL_ALONE) != 0;
    assert_true(counts.alone == alone && 2 * alone < (int64_t)cells);
    static const int threads[] = {2, 3, 5, 0};
    for (int k = 0; k < 4; k++) {
        answers b = run(basin, threads[k], &more);
        assert_memory_equal(&counts, &more, sizeof counts);
        assert_memory_equal(a.fate, b.fate, cells);
        assert_memory_equal(a.t, b.t, cells * sizeof *a.t);
        assert_memory_equal(a.x, b.x, 2 * cells * sizeof *a.x);
        drop(&b);
    }
    for (size_t k = 0; k < cells; k++) { // the system and the grid are symmetric about 0
        assert_int_equal(a.fate[k] & SS_CELL_FATE, a.fate[cells - 1 - k] & SS_CELL_FATE);
        if ((a.fate[k] & SS_CELL_FATE) == SS_FATE_REST) assert_true(a.x[2 * k] == -a.x[2 * (cells - 1 - k)]);
    }
    drop(&a);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static void test_grid_values(void** state)
{
    (void)state;
    const ss_basin_axis axis = {.from = -10, .to = 10, .count = 41},
                        odd = {.from = -0.3, .to = 0.3, .count = 1000};
    for (int64_t k = 0; k < 41; k++) assert_true(ss_basin_grid_value(&axis, k) == -10 + 0.5 * (double)k);
    for (int64_t k = 0; k < 1000; k++)
        assert_true(ss_basin_grid_value(&odd, k) == -ss_basin_grid_value(&odd, 999 - k));
    assert_true(ss_basin_grid_value(&odd, 0) == -0.3 && ss_basin_grid_value(&odd, 999) == 0.3);
    const ss_basin_axis one = {.from = 0.1, .to = 0.1, .count = 7};
    assert_true(ss_basin_grid_value(&one, 3) == 0.1);
}

// What counts as gone: a million times the farthest start, unless it is said.
static void test_escape(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    const ss_basin_axis axis = {.path = "block.x", .from = -3, .to = 7, .count = 2};
    ss_basin* basin = text_basin(document, &axis, 1);
    assert_true(ss_basin_escape(basin) == 7e6);
    ss_basin_destroy(basin);
    ss_basin_def def = ss_basin_def_default();
    def.document = document;
    def.axes = &axis;
    def.axis_count = 1;
    def.escape = 12.5;
    assert_int_equal(ss_basin_create(&def, &basin, NULL), SS_OK);
    assert_true(ss_basin_escape(basin) == 12.5);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// The known answers published with the generator (Random123, kat_vectors: philox4x32 10).
static void test_philox(void** state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } truth[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        uint32_t out[4];
        ss_philox(truth[k].counter, truth[k].key, out);
        assert_memory_equal(out, truth[k].out, sizeof out);
    }
    // The first two words of the first answer, as a number below 1.
    assert_true(ss_random_uniform(0, 0, 0) == (double)(0xe169c58d6627e8d5u >> 11) / 9007199254740992.0);
    assert_true(ss_random_uniform(0, 0, 1) == (double)(0x9b00dbd8bc57ac4cu >> 11) / 9007199254740992.0);
}

// Uniform and without ties between neighbours: mean 1/2, variance 1/12, correlation 0, each within five
// standard errors for 1e5 numbers.
static void test_uniform(void** state)
{
    (void)state;
    enum { N = 100000 };
    double mean = 0, square = 0, product = 0, axes = 0, before = 0;
    for (uint64_t k = 0; k < N; k++) {
        double u = ss_random_uniform(7, k, 0) - 0.5, v = ss_random_uniform(7, k, 1) - 0.5;
        mean += u;
        square += u * u;
        product += u * before;
        axes += u * v;
        before = u;
    }
    assert_true(fabs(mean) < 5 * sqrt(N / 12.0));
    assert_true(fabs(square - N / 12.0) < 5 * sqrt(N / 180.0));
    assert_true(fabs(product) < 5 * sqrt(N) / 12);
    assert_true(fabs(axes) < 5 * sqrt(N) / 12);
    assert_true(ss_random_uniform(8, 5, 0) != ss_random_uniform(7, 5, 0));
}

// R. G. Newcombe, Statistics in Medicine 17 (1998), Table I, method 3, to the digits printed there.
static void test_interval(void** state)
{
    (void)state;
    static const struct {
        int hits, trials;
        double low, high;
    } truth[] = {
        {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        double low, high, mirrored_low, mirrored_high;
        ss_interval_95(truth[k].hits, truth[k].trials, &low, &high);
        assert_true(fabs(low - truth[k].low) < 0.51e-4 && fabs(high - truth[k].high) < 0.51e-4);
        ss_interval_95(truth[k].trials - truth[k].hits, truth[k].trials, &mirrored_low, &mirrored_high);
        assert_true(fabs(low - (1 - mirrored_high)) < 1e-15 && fabs(high - (1 - mirrored_low)) < 1e-15);
    }
}

// A start depends on (seed, k) alone: a larger sample begins with the smaller one. About the fraction: the
// block rests from everywhere, so it is 1.
static void test_random(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    const ss_basin_axis axes[2] = {{.path = "block.x", .from = -5, .to = 3},
                                   {.path = "block.v", .from = 0, .to = 2}};
    ss_basin_def def = ss_basin_def_default();
    def.document = document;
    def.axes = axes;
    def.axis_count = 2;
    def.seed = 42;
    ss_basin *few = NULL, *many = NULL;
    def.random = 100;
    assert_int_equal(ss_basin_create(&def, &few, NULL), SS_OK);
    def.random = 5000;
    assert_int_equal(ss_basin_create(&def, &many, NULL), SS_OK);
    ss_basin_counts counts;
    answers a = run(few, 2, &counts), b = run(many, 3, &counts);
    assert_int_equal(counts.rest, 5000);
    for (int64_t k = 0; k < 100; k++) {
        double p[2], q[2];
        ss_basin_coordinates(few, k, p);
        ss_basin_coordinates(many, k, q);
        assert_memory_equal(p, q, sizeof p);
        assert_true(p[0] >= -5 && p[0] < 3 && p[1] >= 0 && p[1] < 2);
        assert_true(fabs(a.x[k] - b.x[k]) < 1e-12); // few starts run one by one, many in lock-step
    }
    drop(&a);
    drop(&b);
    ss_basin_destroy(few);
    ss_basin_destroy(many);
    ss_document_destroy(document);
}

static bool stop_at_once(void* user, const ss_basin_block* block)
{
    (void)block;
    ++*(int*)user;
    return false;
}

static bool never(void* user, int64_t done)
{
    (void)user;
    (void)done;
    return false;
}

static void test_ending(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    const ss_basin_axis axis = {.path = "block.x", .from = -9, .to = 9, .count = 5000};
    ss_basin* basin = text_basin(document, &axis, 1);
    ss_basin_counts counts;
    int calls = 0;
    ss_basin_run_def def = {.threads = 2, .sink = stop_at_once, .user = &calls};
    assert_int_equal(ss_basin_run(basin, &def, &counts, NULL), SS_OK);
    assert_int_equal(calls, 1);
    def = (ss_basin_run_def){.threads = 2, .watch = never};
    assert_int_equal(ss_basin_run(basin, &def, &counts, NULL), SS_OK);
    assert_true(counts.rest < 5000);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

static void assert_refused(const ss_basin_def* def, const char* text)
{
    ss_basin* basin = NULL;
    ss_error err;
    char line[1024];
    assert_int_equal(ss_basin_create(def, &basin, &err), SS_BAD_INPUT);
    assert_null(basin);
    if (!strstr(ss_error_format(&err, line, sizeof line), text))
        fail_msg("%s\ndoes not contain\n%s", line, text);
}

static void test_refused(void** state)
{
    (void)state;
    ss_document* document = text_document(block_yaml);
    ss_basin_axis axes[2] = {{.path = "block.x", .from = 0, .to = 1, .count = 2},
                             {.path = "start.block.x", .from = 0, .to = 1, .count = 2}};
    ss_basin_def def = ss_basin_def_default();
    assert_refused(&def, "document: is missing");
    def.document = document;
    assert_refused(&def, "axes: at least one axis is needed");
    def.axes = axes;
    def.axis_count = 2;
    assert_refused(&def, "start.block.x: start.block.x: this number varies already");
    def.axis_count = 1;
    axes[0].count = 1;
    assert_refused(&def, "one value cannot be both ends");
    axes[0].count = 2;
    axes[0].to = INFINITY;
    assert_refused(&def, "the ends must be finite");
    axes[0] = (ss_basin_axis){
        .path = "parameters.level", .from = 1, .to = -1, .count = 3, .option = "--over level"};
    assert_refused(
        &def,
        "--over level: contacts.floor.friction: must not be negative (-1 N) (at parameters.level = -1)");
    axes[0] = (ss_basin_axis){.path = "parameters.nothing", .from = 1, .to = 2, .count = 3};
    assert_refused(&def, "nothing");
    axes[0] = (ss_basin_axis){.path = "block.x", .from = 1, .to = 2, .count = 1000000000};
    axes[1] = (ss_basin_axis){.path = "block.v", .from = 1, .to = 2, .count = 1000000000};
    def.axis_count = 2;
    assert_refused(&def, "1e+18 cells are too many");
    def.until = 0;
    assert_refused(&def, "until: must be greater than 0");
    def.until = 1;
    def.escape = -1;
    assert_refused(&def, "escape: must be greater than 0");
    ss_document_destroy(document);
}

// A cell in the middle of the map makes no sense: the static level is below the kinetic one between the ends.
static void test_bad_cell(void** state)
{
    (void)state;
    ss_document* document = text_document(
        "slipstick: 1\ntitle: A\nparameters: {s: 2}\nbodies: {block: {mass: 1 kg}}\n"
        "contacts: {f: {between: [block, ground], law: coulomb, friction: 1 N, static: s * s * 1 N}}\n");
    const ss_basin_axis axis = {.path = "parameters.s", .from = -2, .to = 2, .count = 41};
    ss_basin* basin = text_basin(document, &axis, 1);
    ss_basin_run_def def = {.threads = 2};
    ss_basin_counts counts;
    ss_error err;
    assert_int_equal(ss_basin_run(basin, &def, &counts, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "(at parameters.s = "));
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

// A block on a belt breaks loose at 7/50 m, sticks again at 1/50 m and goes on its circle about 4/50 between:
// the one attractor has the period and the amplitude of that.
static void test_portrait_of_a_motion(void** state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\ntitle: b\nbodies: {block: {mass: 2 kg}, belt: {speed: 0.3 m/s}}\n"
        "connections: [{between: [block, ground], stiffness: 50 N/m}]\n"
        "contacts: {face: {between: [block, belt], law: coulomb, friction: 4 N, static: 7 N}}\n"
        "start: {block: {v: 0.3 m/s}}\nrun: {until: 40 s}\n";
    ss_document* document = text_document(text);
    ss_basin* basin =
        text_basin(document, &(ss_basin_axis){.path = "block.x", .from = 0.0, .to = 0.1, .count = 5}, 1);
    ss_map_def def = {.basin = basin, .keep = true};
    ss_basin_run_def run_def = {.threads = 1};
    ss_map* map = NULL;
    ss_error err;
    assert_int_equal(ss_map_create(&def, &map, &err), SS_OK);
    assert_int_equal(ss_map_run(map, &run_def, NULL, &err), SS_OK);
    assert_int_equal(ss_map_find_attractors(map, &err), SS_OK);
    const ss_basin_summary* summary = ss_map_get_summary(map);
    assert_int_equal(summary->attractor_count, 1);
    assert_int_equal(summary->attractors[0].kind, SS_ATTRACTOR_MOTION);
    double pi = acos(-1.0), period = 0.12 / 0.3 + (2 * pi - 2 * atan(0.06 * 5 / 0.3)) / 5;
    assert_true(fabs(summary->attractors[0].period - period) < 1e-12);
    assert_true(fabs(summary->attractors[0].amplitude[0] - hypot(0.06, 0.3 / 5)) < 1e-12);
    ss_map_destroy(map);
    ss_basin_destroy(basin);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_portrait_of_a_motion),
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_grid_values),
        cmocka_unit_test(test_philox),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_ending),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bad_cell),
        cmocka_unit_test(test_escape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
