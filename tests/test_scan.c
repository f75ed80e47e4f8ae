// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Scans: measures and sections against closed forms, values that carry on against one continuous motion, and
// the same bits for any number of threads.
#include "share/model_parts.h"
#include "share/run.h"
#include "slipstick/lab.h"
#include "slipstick/scan.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

enum { MOST_ROWS = 4096 };

#define assert_near(value, expected, tolerance) near(value, expected, tolerance, __LINE__)
static void near(double value, double expected, double tolerance, int line)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("line %d: %.17g is not %.17g within %g", line, value, expected, tolerance);
}

typedef struct rows {
    double* numbers;
    int columns, count;
    ss_scan_summary summary;
} rows;

static bool collect(void* user, const double numbers[], size_t count)
{
    rows* r = user;
    assert_true((size_t)r->count + count <= MOST_ROWS);
    memcpy(r->numbers + r->count * r->columns, numbers, count * (size_t)r->columns * sizeof(double));
    r->count += (int)count;
    return true;
}

static rows run_scan(const ss_scan* scan, int threads)
{
    ss_map_def map_def = {.basin = ss_scan_cells(scan), .keep = true};
    ss_basin_run_def run = {.threads = threads};
    ss_map* map = NULL;
    ss_error err = {0};
    rows r = {.columns = ss_scan_column_count(scan)};
    r.numbers = calloc((size_t)MOST_ROWS * (size_t)r.columns, sizeof(double));
    assert_int_equal(ss_map_create(&map_def, &map, &err), SS_OK);
    if (ss_map_run(map, &run, NULL, &err) != SS_OK) fail_msg("%s: %s", err.origin, err.text);
    assert_int_equal(ss_scan_read(scan, map, collect, &r, &err), SS_OK);
    assert_int_equal(ss_scan_summarize(scan, map, &r.summary, &err), SS_OK);
    ss_map_destroy(map);
    return r;
}

// One axis, and names cut at commas.
static rows ask(const char* text, ss_basin_axis axis, ss_scan_def def, const char* show, const char* measure)
{
    char names[400];
    const char* list[16];
    int count = 0;
    snprintf(names, sizeof names, "%s", show ? show : measure);
    for (char* name = strtok(names, ","); name; name = strtok(NULL, ",")) list[count++] = name;
    ss_document* document = text_document(text);
    def.document = document;
    def.axes = &axis;
    def.axis_count = 1;
    if (show) {
        def.show = list;
        def.show_count = count;
    } else {
        def.measures = list;
        def.measure_count = count;
    }
    ss_scan* scan = NULL;
    ss_error err;
    if (ss_scan_create(&def, &scan, &err) != SS_OK) fail_msg("%s %s: %s", err.origin, err.field, err.text);
    rows r = run_scan(scan, 1);
    ss_scan_destroy(scan);
    ss_document_destroy(document);
    return r;
}

static double at(const rows* r, int row, int column)
{
    assert_true(row < r->count && column < r->columns);
    return r->numbers[row * r->columns + column];
}

static ss_scan_def wish(const char* section, int64_t skip, int64_t keep)
{
    ss_scan_def def = ss_scan_def_default();
    def.section = section;
    def.skip = skip;
    def.keep = keep;
    return def;
}

// ---- closed forms

static const char driven[] = "slipstick: 1\n"
                             "title: Driven\n"
                             "parameters: {w: 2 rad/s}\n"
                             "bodies: {block: {mass: 1 kg}}\n"
                             "connections: [{between: [block, ground], stiffness: 1 N/m, damping: 1 N*s/m}]\n"
                             "forces: [{body: block, force: \"3 N + 2 N * cos(w*t)\"}]\n";

static void test_harmonic_motion(void** state)
{
    (void)state;
    rows r = ask(driven, (ss_basin_axis){.path = "parameters.w", .from = 0.7, .to = 5, .count = 9},
                 wish("period", 90, 2), NULL,
                 "amplitude:block.x,mean:block.x,rms:block.x,max:block.x,min:block.v,dissipation,period");
    assert_int_equal(r.count, 9);
    for (int k = 0; k < r.count; k++) {
        double w = at(&r, k, 0), a = 2 / hypot(1 - w * w, w), m = 3, period = 2 * pi / w;
        assert_near(at(&r, k, 1), a, 1e-12);
        assert_near(at(&r, k, 2), m, 1e-12);
        assert_near(at(&r, k, 3), sqrt(m * m + a * a / 2), 1e-12);
        assert_near(at(&r, k, 4), m + a, 1e-12);
        assert_near(at(&r, k, 5), -a * w, 1e-12 * w);
        // c times the mean square of the speed, over two periods
        assert_near(at(&r, k, 6), 2 * period * (a * w) * (a * w) / 2, 1e-11);
        assert_near(at(&r, k, 7), period, 1e-12);
    }
    free(r.numbers);
}

// x = cos t + cos(sqrt(3) t) of two equal masses: its extremes over a window, by brute force and parabola.
static void test_extremes_of_two_tones(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\n"
                               "title: Two tones\n"
                               "parameters: {dummy: 1}\n"
                               "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
                               "connections:\n"
                               "  - {between: [a, ground], stiffness: 1 N/m}\n"
                               "  - {between: [b, ground], stiffness: 1 N/m}\n"
                               "  - {between: [a, b], stiffness: 1 N/m}\n"
                               "start: {a: {x: 2 m}}\n"
                               "signals: {product: \"a.x * b.x\"}\n";
    rows r = ask(text, (ss_basin_axis){.path = "parameters.dummy", .from = 1, .to = 1, .count = 1},
                 wish("3.1 s", 4, 3), NULL, "max:a.x,min:a.x,max:product,min:product");
    double high = -9, low = 9, high_product = -9, low_product = 9, h = 1e-5;
    for (double t = 4 * 3.1 + h; t < 7 * 3.1 - h; t += h) {
        double c = cos(t), d = cos(sqrt(3) * t), x = c + d, product = c * c - d * d;
        high = fmax(high, x);
        low = fmin(low, x);
        high_product = fmax(high_product, product);
        low_product = fmin(low_product, product);
    }
    assert_near(at(&r, 0, 1), high, 1e-9);
    assert_near(at(&r, 0, 2), low, 1e-9);
    assert_near(at(&r, 0, 3), high_product, 1e-9);
    assert_near(at(&r, 0, 4), low_product, 1e-9);
    assert_true(at(&r, 0, 1) >= high - 1e-14 && at(&r, 0, 2) <= low + 1e-14);
    free(r.numbers);
}

static const char belt[] =
    "slipstick: 1\n"
    "title: Stick-slip on a belt\n"
    "parameters: {speed: 0.3 m/s}\n"
    "bodies: {block: {mass: 2 kg}, belt: {speed: speed}}\n"
    "connections: [{between: [block, ground], stiffness: 50 N/m}]\n"
    "contacts: {face: {between: [block, belt], law: coulomb, friction: 4 N, static: 7 N}}\n"
    "start: {block: {x: 0.14 m, v: speed}}\n";

// It breaks loose at x = 7/50, sticks again at 1/50, and goes on its circle about 4/50 between.
static void test_stick_slip(void** state)
{
    (void)state;
    static const char* const sections[] = {"face:slip->stick", "face: slip- > stick", "face:slip>stick",
                                           "face:stick"};
    for (int s = 0; s < 4; s++) {
        rows r = ask(belt, (ss_basin_axis){.path = "parameters.speed", .from = 0.2, .to = 0.8, .count = 7},
                     wish(sections[s], 3, 4), NULL, "stick-share:face,period,amplitude:block.x,dissipation");
        for (int k = 0; k < r.count; k++) {
            double v = at(&r, k, 0), w = 5, stick = 0.12 / v;
            double slip = (2 * pi - 2 * atan(0.06 * w / v)) / w;
            assert_near(at(&r, k, 1), stick / (stick + slip), 1e-12);
            assert_near(at(&r, k, 2), stick + slip, 1e-12);
            assert_near(at(&r, k, 3), hypot(0.06, v / w), 1e-12);
            // While it slips the belt goes v slip, and the block 0.12 back.
            assert_near(at(&r, k, 4), 4 * 4 * (v * slip + 0.12), 1e-11);
        }
        free(r.numbers);
    }
}

// A ball that loses nothing: every bounce is a section, 2 v/g apart.
static void test_impacts(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\n"
                               "title: A ball\n"
                               "bodies: {ball: {mass: 1 kg}}\n"
                               "forces: [{body: ball, force: -9.81 N}]\n"
                               "contacts: {ground: {between: [ball, ground], law: rigid-stop, below: 0 m, "
                               "restitution: 1}}\n"
                               "start: {ball: {x: 0 m, v: 1 m/s}}\n";
    ss_basin_axis axis = {.path = "ball.v", .from = 1, .to = 3, .count = 3};
    rows r = ask(text, axis, wish("ground:impact", 2, 3), "t,ball.v", NULL);
    assert_int_equal(r.count, 9);
    for (int k = 0; k < r.count; k++) {
        double v = at(&r, k, 0);
        assert_near(at(&r, k, 1), (3 + k % 3) * 2 * v / 9.81, 1e-12);
        assert_near(at(&r, k, 2), v, 1e-12);
    }
    free(r.numbers);
    r = ask(text, axis, wish("ground:impact", 2, 2), NULL, "period,max:ball.x,rms:ball.v,mean:ball.x");
    for (int k = 0; k < r.count; k++) {
        double v = at(&r, k, 0), height = v * v / (2 * 9.81);
        assert_near(at(&r, k, 1), 2 * v / 9.81, 1e-12);
        assert_near(at(&r, k, 2), height, 1e-12);
        assert_near(at(&r, k, 3), v / sqrt(3), 1e-12);
        assert_near(at(&r, k, 4), 2 * height / 3, 1e-12);
    }
    free(r.numbers);
}

// Sections after a third of the period repeat three by three; after an irrational part of it never.
static void test_period_of_sections(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\n"
                               "title: Swing\n"
                               "parameters: {dummy: 1}\n"
                               "bodies: {block: {mass: 1 kg}}\n"
                               "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
                               "start: {block: {x: 1 m}}\n";
    ss_basin_axis axis = {.path = "parameters.dummy", .from = 1, .to = 1, .count = 1};
    rows r = ask(text, axis, wish("2*pi*1 s/3", 2, 7), NULL, "period");
    assert_near(at(&r, 0, 1), 2 * pi, 1e-9);
    free(r.numbers);
    r = ask(text, axis, wish("1 s", 2, 40), NULL, "period");
    assert_true(isnan(at(&r, 0, 1)));
    free(r.numbers);
}

// y - 1 is multiplied by -a at every tick: nearer to its place from both sides, where every second section is
// more alike than every section, however slowly it goes; at a = 1 the double period lasts.
static void test_period_that_is_approached(void** state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\n"
        "title: From both sides\n"
        "parameters: {a: 0.865}\n"
        "bodies: {block: {mass: 1 kg}}\n"
        "sampled: {clock: {every: 1 s, memory: {y: 2}, at_tick: [y: 1 - a*(y - 1)]}}\n"
        "forces: [{body: block, force: \"1 N*y - 1 N/m*block.x - 2 N*s/m*block.v\"}]\n";
    static const struct {
        double a;
        int64_t skip;
        double period;
    } cases[] = {{0.865, 90, 1.0}, {0.865, 95, 1.0}, {0.999, 8000, 1.0}, {1.0, 50, 2.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ss_basin_axis axis = {.path = "parameters.a", .from = cases[k].a, .to = cases[k].a, .count = 1};
        rows r = ask(text, axis, wish("1 s", cases[k].skip, 20), NULL, "period");
        assert_near(at(&r, 0, 1), cases[k].period, 1e-12);
        free(r.numbers);
    }
}

// Nothing moves but a state: steps are as long as one likes, and sections of 0.1 s end a rounding beside them
// (18 times 0.1 is not 1.8). The walk must not wait there for the clock to go on.
static void test_sections_end_where_the_clock_stands(void** state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\n"
        "title: Stuck\n"
        "parameters: {k: 1000 N/m}\n"
        "bodies: {stage: {mass: 2 kg}}\n"
        "states: {sum: {rate: e, start: 0}}\n"
        "signals: {e: 10 mm - stage.x}\n"
        "forces: [{body: stage, force: k*e}]\n"
        "contacts: {guide: {between: [stage, ground], law: stribeck, coulomb: 8 N, static: 12 N, "
        "stribeck_speed: 1 mm/s}}\n";
    ss_basin_axis axis = {.path = "parameters.k", .from = 1000, .to = 1000, .count = 1};
    for (int tenths = 1; tenths <= 9; tenths += 2) {
        char section[16];
        snprintf(section, sizeof section, "0.%d s", tenths);
        rows r = ask(text, axis, wish(section, 0, 60), NULL, "max:stage.x,stick-share:guide,mean:e");
        assert_near(at(&r, 0, 1), 0.0, 0.0);
        assert_near(at(&r, 0, 2), 1.0, 1e-12);
        assert_near(at(&r, 0, 3), 0.01, 1e-12);
        free(r.numbers);
    }
}

// ---- what is not said

// x = 1 - (1 + w t) exp(-w t) comes to its end within a band of 1e-3 at w t = 9.2334134764; with c^2 < 4 k m
// it goes beyond by exp(-pi c/sqrt(4 k m - c^2)). Both are of the run from its start, which is long enough.
static void test_start_of_the_run(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\n"
                               "title: A step\n"
                               "parameters: {c: 2 N*s/m}\n"
                               "bodies: {block: {mass: 1 kg}}\n"
                               "connections: [{between: [block, ground], stiffness: 1 N/m, damping: c}]\n"
                               "forces: [{body: block, force: 1 N}]\n"
                               "run: {until: 60 s}\n";
    ss_basin_axis axis = {.path = "parameters.c", .from = 2, .to = 1, .count = 2};
    const char* sections[] = {NULL, "0.5 s", "run"};
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        ss_scan_def def = ss_scan_def_default();
        def.section = sections[k];
        rows r = ask(text, axis, def, NULL, "settling:block.x:0.001,overshoot:block.x");
        assert_near(at(&r, 0, 1), 9.2334134764, 1e-8);
        assert_near(at(&r, 0, 2), 0.0, 1e-9);
        assert_near(at(&r, 1, 2), exp(-pi / sqrt(3)), 1e-9);
        free(r.numbers);
    }
}

// ---- motions that end

static void test_too_few_sections(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\n"
                               "title: It stops\n"
                               "bodies: {block: {mass: 1 kg}}\n"
                               "connections: [{between: [block, ground], stiffness: 1 N/m}]\n"
                               "contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}\n"
                               "start: {block: {x: 5.5 m}}\n";
    // From 5.5 m it turns at -3.5 and 1.5 m and stays at 0.5 m.
    ss_basin_axis axis = {.path = "block.x", .from = 1.5, .to = 5.5, .count = 3};
    rows r = ask(text, axis, wish("floor:slip->slip+", 0, 5), "block.x", NULL);
    assert_int_equal(r.count, 2); // 3.5: at -1.5; 5.5: at -3.5
    assert_near(at(&r, 0, 1), -1.5, 1e-14);
    assert_near(at(&r, 1, 1), -3.5, 1e-14);
    assert_int_equal((int)r.summary.short_of, 3);
    free(r.numbers);
    r = ask(text, axis, wish("floor:slip->slip+", 1, 5), NULL, "amplitude:block.x");
    assert_int_equal(r.count, 3);
    for (int k = 0; k < 3; k++) assert_true(isnan(at(&r, k, 1)));
    free(r.numbers);
    // Times go on where the motion does not: it stays where it is.
    r = ask(text, axis, wish("100 s", 1, 2), "block.x,t", NULL);
    assert_int_equal(r.count, 6);
    assert_near(at(&r, 5, 1), 0.5, 1e-13);
    assert_near(at(&r, 5, 2), 300, 1e-12);
    free(r.numbers);
    r = ask(text, axis, wish("100 s", 0, 2), NULL, "mean:block.x,stick-share:floor,dissipation");
    // From 5.5 m by -3.5 and 1.5 to 0.5 m, half a swing each of pi seconds about 1, -1 and 1 m.
    assert_near(at(&r, 2, 1), (pi * (1 - 1 + 1) + (200 - 3 * pi) * 0.5) / 200, 1e-12);
    assert_near(at(&r, 1, 2), (200 - 2 * pi) / 200, 1e-12);
    assert_near(at(&r, 1, 3), 0.5 * 3.5 * 3.5 - 0.5 * 0.5 * 0.5, 1e-12);
    free(r.numbers);
}

// ---- carrying on

// A number that does nothing varies: all values together are one motion, cut into pieces.
static void check_carry(const char* text, const char* section, double every, const char* show)
{
    enum { VALUES = 4, KEEP = 3 };
    ss_scan_def def = wish(section, 0, KEEP);
    def.carry = SS_CARRY_UP;
    rows r = ask(text, (ss_basin_axis){.path = "parameters.dummy", .from = 1, .to = 4, .count = VALUES}, def,
                 show, NULL);
    def.carry = SS_CARRY_DOWN;
    rows down = ask(text, (ss_basin_axis){.path = "parameters.dummy", .from = 1, .to = 4, .count = VALUES},
                    def, show, NULL);
    ss_document* document = text_document(text);
    ss_model* model = NULL;
    ss_error err;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    ss_sim_def sim_def = ss_sim_def_default();
    ss_sim* sim = NULL;
    assert_int_equal(ss_sim_create(model, &sim_def, &sim, &err), SS_OK);
    assert_int_equal(r.count, VALUES * KEEP);
    for (int k = 0; k < VALUES * KEEP; k++) {
        ss_outcome outcome;
        assert_int_equal(ss_sim_advance(sim, (k + 1) * every, &outcome, &err), SS_OK);
        double x = ss_sim_x(sim)[0], v = ss_sim_v(sim)[0];
        int mirrored = (VALUES - 1 - k / KEEP) * KEEP + k % KEEP;
        assert_near(at(&r, k, 1), x, 1e-8 * (1 + fabs(x)));
        assert_near(at(&r, k, 2), v, 1e-8 * (1 + fabs(v)));
        assert_near(at(&down, mirrored, 1), x, 1e-8 * (1 + fabs(x)));
        if (ss_model_state_count(model) > 0)
            assert_near(at(&r, k, 3), ss_sim_states(sim)[0], 1e-8 * (1 + fabs(ss_sim_states(sim)[0])));
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(document);
    free(r.numbers);
    free(down.numbers);
}

static void test_carry(void** state)
{
    (void)state;
    static const char* const laws[] = {
        "law: coulomb, friction: 0.1 N",
        "law: lugre, sigma0: 30 N/m, sigma1: 0.5 N*s/m, sigma2: 0.1 N*s/m, coulomb: 0.2 N",
        "law: dahl, sigma0: 20 N/m, coulomb: 0.2 N",
        "law: maxwell-slip, elements: [[10 N/m, 0.1 N], [5 N/m, 0.2 N]]",
        "law: elasto-plastic, sigma0: 30 N/m, sigma1: 0.5 N*s/m, sigma2: 0.1 N*s/m, coulomb: 0.2 N, "
        "breakaway: 0.002 m",
        "law: gms, elements: [[10 N/m, 0.5], [5 N/m, 0.5]], coulomb: 0.2 N, attraction: 3 N/s",
    };
    char text[1000];
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        snprintf(text, sizeof text,
                 "slipstick: 1\ntitle: m\nparameters: {dummy: 1}\nbodies: {a: {mass: 1 kg}}\n"
                 "connections: [{between: [a, ground], stiffness: 2 N/m, damping: -0.05 N*s/m}]\n"
                 "contacts: {c: {between: [a, ground], %s}}\n"
                 "start: {a: {x: 2 m}}\n",
                 laws[k]);
        check_carry(text, "0.37 s", 0.37, "a.x,a.v");
    }
    check_carry("slipstick: 1\ntitle: m\nparameters: {dummy: 1}\nbodies: {a: {mass: 1 kg}}\n"
                "states: {s: {rate: \"a.x - 0.3*s\", start: 0.2}}\n"
                "forces: [{body: a, force: \"-3*a.x - 0.4*a.v - 0.5*s\"}]\n"
                "contacts: {c: {between: [a, ground], law: coulomb, friction: 0.01 N}}\n"
                "start: {a: {x: 2 m}}\n",
                "0.37 s", 0.37, "a.x,a.v,s");
    check_carry("slipstick: 1\ntitle: m\nparameters: {dummy: 1}\nbodies: {a: {mass: 1 kg}}\n"
                "sampled: {k: {every: 0.1 s, offset: 0.05 s, memory: {f: 1 N, last: 0 m},\n"
                "  at_tick: [f: \"f/2 - a.x*3 N/m - last * 0.5 N/m\", last: a.x]}}\n"
                "forces: [{body: a, force: \"f - 0.8 N*s/m * a.v\"}]\n"
                "contacts: {c: {between: [a, ground], law: coulomb, friction: 0.01 N}}\n"
                "start: {a: {x: 2 m}}\n",
                "0.2 s", 0.2, "a.x,a.v");
}

// ---- threads, and what is refused

static void test_same_bits(void** state)
{
    (void)state;
    ss_document* document = text_document(driven);
    ss_basin_axis axes[] = {{.path = "parameters.w", .from = 1, .to = 3, .count = 40},
                            {.path = "block.x", .from = 0, .to = 1, .count = 3}};
    const char* show[] = {"block.x", "block.v"};
    ss_scan_def def = wish("period", 3, 5);
    def.document = document;
    def.axes = axes;
    def.axis_count = 2;
    def.show = show;
    def.show_count = 2;
    ss_scan* scan = NULL;
    ss_error err;
    assert_int_equal(ss_scan_create(&def, &scan, &err), SS_OK);
    rows one = run_scan(scan, 1), three = run_scan(scan, 3);
    assert_int_equal(one.count, 600);
    assert_int_equal(three.count, 600);
    assert_memory_equal(one.numbers, three.numbers, 600 * 4 * sizeof(double));
    free(one.numbers);
    free(three.numbers);
    ss_scan_destroy(scan);
    ss_document_destroy(document);
}

static void check_refused(const char* text, const char* section, const char* show, const char* measure,
                          const char* field)
{
    ss_document* document = text_document(text);
    ss_basin_axis axis = {.path = "parameters.speed", .from = 0.2, .to = 0.8, .count = 7};
    ss_scan_def def = wish(section, 1, 1);
    def.document = document;
    def.axes = &axis;
    def.axis_count = 1;
    def.show = &show;
    def.show_count = show != NULL;
    def.measures = &measure;
    def.measure_count = measure != NULL;
    ss_scan* scan = NULL;
    ss_error err = {0};
    assert_int_equal(ss_scan_create(&def, &scan, &err), SS_BAD_INPUT);
    assert_null(scan);
    assert_string_equal(err.field, field);
    ss_document_destroy(document);
}

static void test_refused(void** state)
{
    (void)state;
    check_refused(belt, "period", "block.x", NULL, "section"); // nothing varies in time
    check_refused(belt, "floor:stick", "block.x", NULL, "section");
    check_refused(belt, "face:stuck", "block.x", NULL, "section");
    check_refused(belt, "-1 s", "block.x", NULL, "section");
    check_refused(belt, "1 m", "block.x", NULL, "section");
    check_refused(belt, "1 s", "block.y", NULL, "show");
    check_refused(belt, "1 s", NULL, "amplitude:block", "measure");
    check_refused(belt, "1 s", NULL, "stick-share:floor", "measure");
    check_refused(belt, "1 s", NULL, "height", "measure");
    check_refused(belt, "1 s", "block.x", "period", "measure");
    check_refused(belt, "1 s", NULL, NULL, "show");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_harmonic_motion),
        cmocka_unit_test(test_extremes_of_two_tones),
        cmocka_unit_test(test_stick_slip),
        cmocka_unit_test(test_impacts),
        cmocka_unit_test(test_period_of_sections),
        cmocka_unit_test(test_period_that_is_approached),
        cmocka_unit_test(test_sections_end_where_the_clock_stands),
        cmocka_unit_test(test_start_of_the_run),
        cmocka_unit_test(test_too_few_sections),
        cmocka_unit_test(test_carry),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
