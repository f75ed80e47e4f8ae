// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ranges: what a program gives at a point of a box lies in the range that is told for the box, whatever the
// operations; and where a jump is in the box, it is told.
#include "core/expression/range.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VARIABLES = 3, MOST = 4096 };

static uint64_t seed;

static double uniform(double low, double high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static int pick(int count) { return (int)uniform(0, count); }

static const ss_op ops[] = {SS_OP_ADD,   SS_OP_SUB,   SS_OP_MUL,   SS_OP_DIV,   SS_OP_HYPOT, SS_OP_ATAN2,
                            SS_OP_MIN,   SS_OP_MAX,   SS_OP_OVER,  SS_OP_SCALE, SS_OP_SHIFT, SS_OP_POWER,
                            SS_OP_SQRT,  SS_OP_EXP,   SS_OP_LOG,   SS_OP_SIN,   SS_OP_COS,   SS_OP_TAN,
                            SS_OP_TANH,  SS_OP_ASIN,  SS_OP_ACOS,  SS_OP_ATAN,  SS_OP_SINH,  SS_OP_COSH,
                            SS_OP_ASINH, SS_OP_ACOSH, SS_OP_ATANH, SS_OP_LOG1P, SS_OP_EXPM1, SS_OP_ABS,
                            SS_OP_SIGN,  SS_OP_STEP,  SS_OP_FLOOR, SS_OP_CEIL,  SS_OP_ROUND};
enum { OPS = sizeof ops / sizeof *ops };

static int random_node(ss_graph* graph, const int x[], int depth)
{
    if (depth == 0 || pick(6) == 0) {
        int leaf = pick(VARIABLES + 1);
        if (leaf < VARIABLES) return x[leaf];
        return ss_graph_node(graph, (ss_instruction){.op = SS_OP_AFFINE, .p = uniform(-2, 2)});
    }
    int a = random_node(graph, x, depth - 1), b = random_node(graph, x, depth - 1);
    return ss_graph_apply(graph, ops[pick(OPS)], a, b, uniform(-2, 2));
}

typedef struct bench {
    ss_pool pool;
    ss_graph* graph;
    int x[VARIABLES];
    double* pieces;
    ss_program program;
    ss_run run;
    ss_range* registers;
    signed char* sides;
} bench;

static void compile(bench* b, const int nodes[], int count)
{
    size_t kinks = (size_t)ss_graph_kink_count(b->graph) + 1;
    b->pieces = ss_pool_new(&b->pool, kinks, sizeof(double));
    b->sides = ss_pool_new(&b->pool, kinks, 1);
    assert_true(ss_program_make(&b->program, &b->pool, b->graph, nodes, count));
    b->registers = ss_pool_new(&b->pool, (size_t)b->program.count, sizeof(ss_range));
    assert_true(ss_run_make(&b->run, &b->pool, &b->program, 0, b->pieces));
}

static void set_up(bench* b)
{
    *b = (bench){0};
    b->graph = ss_graph_create();
    assert_non_null(b->graph);
    for (int v = 0; v < VARIABLES; v++) b->x[v] = ss_graph_variable(b->graph, SS_ON_POSITION);
}

static void tear_down(bench* b)
{
    ss_graph_destroy(b->graph);
    ss_pool_free(&b->pool);
}

static void random_box(ss_range box[])
{
    double width = pow(10.0, uniform(-6, 0.5));
    for (int v = 0; v < VARIABLES; v++) {
        box[v].low = uniform(-3, 3);
        box[v].high = box[v].low + width * uniform(0, 1);
    }
}

static void random_point(const ss_range box[], double x[])
{
    for (int v = 0; v < VARIABLES; v++) {
        int where = pick(6); // corners are where it is tight
        x[v] = where == 0   ? box[v].low
               : where == 1 ? box[v].high
                            : fmin(fmax(uniform(box[v].low, box[v].high), box[v].low), box[v].high);
    }
}

// Whether every part of the expression has a value: min(1, acos(2)) has none that counts.
static bool is_defined(const bench* b)
{
    for (int i = 0; i < b->program.count; i++)
        if (isnan(b->run.x[i])) return false;
    return true;
}

static void random_expressions(void** state)
{
    (void)state;
    enum { EXPRESSIONS = 4000, POINTS = 40 };
    long bounded = 0;
    for (int k = 0; k < EXPRESSIONS; k++) {
        bench b;
        ss_range box[VARIABLES], range;
        seed = 88172645463325252u + (uint64_t)k * 7919u;
        set_up(&b);
        int node = random_node(b.graph, b.x, 1 + k % 4);
        compile(&b, &node, 1);
        random_box(box);
        (void)ss_program_enclose(&b.program, box, b.registers, b.sides, &range);
        bounded += isfinite(range.low) && isfinite(range.high);
        for (int p = 0; p < POINTS; p++) {
            double x[VARIABLES], value;
            random_point(box, x);
            if (!ss_run_values(&b.run, 0.0, x, false, &value) || !is_defined(&b)) continue;
            if (!(value >= range.low && value <= range.high))
                fail_msg("expression %d: %.17g is not in %.17g .. %.17g", k, value, range.low, range.high);
        }
        tear_down(&b);
    }
    assert_true(bounded > EXPRESSIONS / 2); // that is worth something
}

// Derivatives of kinks are told for the piece that the box is on: those of |x| are 1, -1, or both.
static void derivatives_of_kinks(void** state)
{
    (void)state;
    static const struct {
        ss_range x;
        double low, high;
    } truth[] = {{{1, 2}, 1, 1}, {{-2, -1}, -1, -1}, {{-1, 2}, -1, 1}};
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        bench b;
        set_up(&b);
        int nodes[2] = {ss_graph_apply(b.graph, SS_OP_ABS, b.x[0], 0, 0.0), 0};
        nodes[1] = ss_graph_derivative(b.graph, nodes[0], 0);
        compile(&b, nodes, 2);
        ss_range box[VARIABLES] = {truth[k].x}, out[2];
        assert_true(ss_program_enclose(&b.program, box, b.registers, b.sides, out));
        assert_true(fabs(out[1].low - truth[k].low) < 1e-12 && fabs(out[1].high - truth[k].high) < 1e-12);
        tear_down(&b);
    }
}

static void jumps_are_told(void** state)
{
    (void)state;
    static const struct {
        ss_op op;
        ss_range x;
        bool continuous;
    } truth[] = {
        {SS_OP_FLOOR, {1.1, 1.9}, true},  {SS_OP_FLOOR, {0.9, 1.1}, false}, {SS_OP_ROUND, {0.6, 1.4}, true},
        {SS_OP_ROUND, {0.4, 0.6}, false}, {SS_OP_SIGN, {0.1, 2.0}, true},   {SS_OP_SIGN, {0.0, 2.0}, false},
        {SS_OP_STEP, {-1.0, -0.1}, true}, {SS_OP_STEP, {-1.0, 0.1}, false}, {SS_OP_CEIL, {1.1, 2.0}, true},
        {SS_OP_CEIL, {1.9, 2.1}, false},
    };
    for (size_t k = 0; k < sizeof truth / sizeof *truth; k++) {
        bench b;
        set_up(&b);
        int node = ss_graph_apply(b.graph, truth[k].op, b.x[0], 0, 0.0);
        compile(&b, &node, 1);
        ss_range box[VARIABLES] = {truth[k].x}, out;
        assert_int_equal(ss_program_enclose(&b.program, box, b.registers, b.sides, &out),
                         truth[k].continuous);
        tear_down(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions),
        cmocka_unit_test(derivatives_of_kinks),
        cmocka_unit_test(jumps_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
