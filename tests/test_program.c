// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Programs of the motion: derivatives against differences, Taylor series against the function itself a little
// later, kinks and jumps by hand, what is affine, and a motion found order by order.
#include "core/expression/program.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VARIABLES = 3, ORDER = 16, RANDOM = 3000 };

typedef struct bench {
    ss_pool pool;
    ss_graph* graph;
    int x[VARIABLES];
    double pieces[512];
    uint64_t random;
} bench;

static bench* set_up(void)
{
    bench* b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->graph = ss_graph_create();
    assert_non_null(b->graph);
    b->x[0] = ss_graph_variable(b->graph, SS_ON_POSITION);
    b->x[1] = ss_graph_variable(b->graph, SS_ON_SPEED);
    b->x[2] = ss_graph_variable(b->graph, SS_ON_STATE);
    for (int i = 0; i < 512; i++) b->pieces[i] = NAN;
    b->random = 88172645463325252u;
    return b;
}

static void tear_down(bench* b)
{
    ss_graph_destroy(b->graph);
    ss_pool_free(&b->pool);
    free(b);
}

static double uniform(bench* b, double low, double high)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return low + (high - low) * (double)(b->random >> 11) * 0x1p-53;
}

static int pick(bench* b, int count) { return (int)uniform(b, 0, count); }

// ---- all operations, alone

static const ss_op smooth_ops[] = {
    SS_OP_ADD,   SS_OP_SUB,   SS_OP_MUL,   SS_OP_DIV,   SS_OP_HYPOT, SS_OP_ATAN2, SS_OP_OVER, SS_OP_SCALE,
    SS_OP_SHIFT, SS_OP_POWER, SS_OP_SQRT,  SS_OP_EXP,   SS_OP_LOG,   SS_OP_SIN,   SS_OP_COS,  SS_OP_TAN,
    SS_OP_TANH,  SS_OP_ASIN,  SS_OP_ACOS,  SS_OP_ATAN,  SS_OP_SINH,  SS_OP_COSH,  SS_OP_ABS,  SS_OP_MIN,
    SS_OP_MAX,   SS_OP_ASINH, SS_OP_ACOSH, SS_OP_ATANH, SS_OP_LOG1P, SS_OP_EXPM1};
enum { SMOOTH = sizeof smooth_ops / sizeof smooth_ops[0] };

// Three variables that move as polynomials of s near (0.3, 0.6, 0.4), where every function is analytic.
typedef struct motion {
    double t, row[VARIABLES][ORDER + 1];
} motion;

static motion random_motion(bench* b)
{
    motion m = {.t = uniform(b, 0, 2)};
    static const double middle[VARIABLES] = {0.3, 0.6, 0.4};
    for (int i = 0; i < VARIABLES; i++) {
        m.row[i][0] = middle[i] + uniform(b, -0.1, 0.1);
        for (int k = 1; k <= 5; k++) m.row[i][k] = uniform(b, -1, 1);
    }
    return m;
}

static void place(const motion* m, double s, double x[VARIABLES])
{
    for (int i = 0; i < VARIABLES; i++) {
        x[i] = 0;
        for (int k = ORDER; k >= 0; k--) x[i] = x[i] * s + m->row[i][k];
    }
}

static bool series_of(ss_run* run, const motion* m, int order)
{
    ss_run_begin(run, m->t);
    for (int i = 0; i < VARIABLES; i++)
        if (ss_run_variable(run, i)) memcpy(ss_run_variable(run, i), m->row[i], sizeof m->row[i]);
    ss_run_decide(run, 1);
    for (int k = 0; k <= order; k++)
        if (!ss_run_step(run, k)) return false;
    return true;
}

// The series at s is the value there, on the same piece; and the value itself is the first coefficient.
static void check_series(bench* b, const ss_program* program, const motion* m, const char* what)
{
    ss_run run, other;
    double x[VARIABLES], value, later, s = 0.01;
    assert_true(ss_run_make(&run, &b->pool, program, ORDER, b->pieces));
    assert_true(ss_run_make(&other, &b->pool, program, 0, b->pieces));
    place(m, 0, x);
    if (!ss_run_values(&other, m->t, x, false, &value)) return;
    if (!series_of(&run, m, ORDER)) return;
    const double* c = ss_run_output(&run, 0);
    double size, sum = 0, bound = 0;
    ss_run_sizes(&other, m->t, x, &size);
    if (!(fabs(value - c[0]) <= 1e-13 * size)) fail_msg("%s: value %.17g, series %.17g", what, value, c[0]);
    for (int k = ORDER; k >= 0; k--) {
        sum = sum * s + c[k];
        bound = fmax(bound, fabs(c[k]) * pow(s, k));
    }
    if (fabs(c[ORDER]) * pow(s, ORDER) > 1e-14 * bound) return; // does not converge that far
    place(m, s, x);
    assert_true(ss_run_values(&other, m->t + s, x, true, &later));
    ss_run_sizes(&other, m->t + s, x, &size);
    if (!(fabs(later - sum) <= 1e-11 * (size + bound)))
        fail_msg("%s: series %.17g at s = %g, value %.17g", what, sum, s, later);
}

static void check_derivatives(bench* b, int node, const motion* m, const char* what)
{
    for (int v = 0; v <= VARIABLES; v++) {
        int variable = v < VARIABLES ? v : SS_VARIABLE_TIME, nodes[2] = {node, 0};
        nodes[1] = ss_graph_derivative(b->graph, node, variable);
        assert_true(nodes[1] >= 0);
        ss_program program;
        ss_run run;
        double x[VARIABLES], here[2], up[2], down[2], terms[2], h = 1e-4;
        assert_true(ss_program_make(&program, &b->pool, b->graph, nodes, 2));
        assert_true(ss_run_make(&run, &b->pool, &program, 0, b->pieces));
        place(m, 0, x);
        if (!ss_run_values(&run, m->t, x, false, here)) continue;
        ss_run_sizes(&run, m->t, x, terms);
        double t = m->t, shift = h;
        double* moved = v < VARIABLES ? &x[v] : &t;
        double old = *moved, differences[2];
        bool good = true;
        for (int round = 0; round < 2; round++, shift *= 0.5) {
            *moved = old + shift;
            good = ss_run_values(&run, t, x, true, up) && good;
            *moved = old - shift;
            good = ss_run_values(&run, t, x, true, down) && good;
            differences[round] = (up[0] - down[0]) / (2 * shift);
        }
        double better = (4 * differences[1] - differences[0]) / 3; // Richardson: error h^4
        double apart = fabs(differences[1] - differences[0]), size = fabs(here[1]) + fabs(here[0]);
        double rounding = 1e-11 * terms[0];                 // of the values, over the shift
        if (!good || apart > 1e-3 * fabs(better)) continue; // a singularity is near: no measure
        if (!(fabs(better - here[1]) <= 0.1 * apart + 1e-7 * size + rounding))
            fail_msg("%s by %d: derivative %.17g, difference %.17g", what, variable, here[1], better);
    }
}

static void check_node(bench* b, int node, const char* what)
{
    ss_program program;
    assert_true(ss_program_make(&program, &b->pool, b->graph, &node, 1));
    motion m = random_motion(b);
    check_series(b, &program, &m, what);
    check_derivatives(b, node, &m, what);
}

static void every_operation(void** state)
{
    (void)state;
    bench* b = set_up();
    for (int i = 0; i < SMOOTH; i++) {
        char what[32];
        snprintf(what, sizeof what, "operation %d", smooth_ops[i]);
        check_node(b, ss_graph_apply(b->graph, smooth_ops[i], b->x[0], b->x[1], 1.7), what);
        check_node(b, ss_graph_apply(b->graph, smooth_ops[i], b->x[2], b->x[0], -0.3), what);
        int beyond = ss_graph_apply(b->graph, SS_OP_SHIFT, b->x[2], 0, 1); // where acosh is defined
        check_node(b, ss_graph_apply(b->graph, smooth_ops[i], beyond, b->x[1], 1.7), what);
    }
    tear_down(b);
}

static int random_node(bench* b, int depth)
{
    if (depth == 0 || pick(b, 6) == 0) {
        int leaf = pick(b, VARIABLES + 2);
        if (leaf < VARIABLES) return b->x[leaf];
        ss_instruction line = {.op = SS_OP_AFFINE, .p = uniform(b, 0.2, 0.7), .q = uniform(b, -0.3, 0.3)};
        if (leaf == VARIABLES) line.q = 0;
        return ss_graph_node(b->graph, line);
    }
    int a = random_node(b, depth - 1), c = random_node(b, depth - 1);
    return ss_graph_apply(b->graph, smooth_ops[pick(b, SMOOTH)], a, c, uniform(b, -2, 2));
}

static void random_expressions(void** state)
{
    (void)state;
    for (int i = 0; i < RANDOM; i++) {
        bench* b = set_up();
        b->random += (uint64_t)i * 7919;
        char what[40];
        snprintf(what, sizeof what, "random expression %d", i);
        int node = random_node(b, 4);
        assert_true(node >= 0);
        if (ss_graph_kink_count(b->graph) < 500) check_node(b, node, what);
        tear_down(b);
    }
}

// ---- sharing, affine

static void shares_what_is_common(void** state)
{
    (void)state;
    bench* b = set_up();
    int first =
        ss_graph_apply(b->graph, SS_OP_SIN, ss_graph_apply(b->graph, SS_OP_MUL, b->x[0], b->x[1], 0), 0, 0);
    int again =
        ss_graph_apply(b->graph, SS_OP_SIN, ss_graph_apply(b->graph, SS_OP_MUL, b->x[1], b->x[0], 0), 0, 0);
    assert_int_equal(first, again);
    tear_down(b);
}

// kp (target - x) - kd v + ki s + 3 sin(2 t), with target = 0.25 + 0.5 t.
static void finds_what_is_affine(void** state)
{
    (void)state;
    bench* b = set_up();
    ss_graph* g = b->graph;
    int target = ss_graph_node(g, (ss_instruction){.op = SS_OP_AFFINE, .p = 0.25, .q = 0.5});
    int wave = ss_graph_node(g, (ss_instruction){.op = SS_OP_SINE, .q = 2});
    int force = ss_graph_apply(g, SS_OP_SCALE, ss_graph_apply(g, SS_OP_SUB, target, b->x[0], 0), 0, 200);
    force = ss_graph_apply(g, SS_OP_SUB, force, ss_graph_apply(g, SS_OP_SCALE, b->x[1], 0, 60), 0);
    force = ss_graph_apply(g, SS_OP_ADD, force, ss_graph_apply(g, SS_OP_SCALE, b->x[2], 0, 20), 0);
    force = ss_graph_apply(g, SS_OP_ADD, force, ss_graph_apply(g, SS_OP_SCALE, wave, 0, 3), 0);
    double coefficients[VARIABLES];
    int rest;
    assert_true(ss_graph_affine(g, force, coefficients, &rest));
    assert_true(coefficients[0] == -200 && coefficients[1] == -60 && coefficients[2] == 20);
    ss_signal* signal = NULL;
    assert_int_equal(ss_graph_signal(g, rest, &signal, NULL), SS_OK);
    for (double t = 0; t < 10; t += 0.37)
        assert_true(fabs(ss_signal_value(signal, t) - (200 * (0.25 + 0.5 * t) + 3 * sin(2 * t))) <
                    1e-12 * (1 + t) * 200);
    ss_signal_destroy(signal);
    int bent = ss_graph_apply(g, SS_OP_MAX, force, ss_graph_constant(g, 0), 0);
    assert_false(ss_graph_affine(g, bent, coefficients, &rest));
    assert_false(ss_graph_affine(g, ss_graph_apply(g, SS_OP_MUL, target, b->x[0], 0), coefficients, &rest));
    assert_true(ss_graph_depends(g, bent) == (SS_ON_MOTION | SS_ON_TIME | SS_HAS_KINKS));
    tear_down(b);
}

// ---- kinks and jumps

// abs(x) where x = s^3 - rounding: the third derivative decides, and the order before it are zero.
static void kink_waits_for_its_derivative(void** state)
{
    (void)state;
    bench* b = set_up();
    int node =
        ss_graph_apply(b->graph, SS_OP_ABS, ss_graph_apply(b->graph, SS_OP_SHIFT, b->x[0], 0, -1), 0, 0);
    ss_program program;
    ss_run run;
    double g[ORDER + 1];
    assert_true(ss_program_make(&program, &b->pool, b->graph, &node, 1));
    assert_true(ss_run_make(&run, &b->pool, &program, ORDER, b->pieces));
    motion m = {.row = {{1 + 2e-16, 0, 0, -2, 1}}};
    assert_true(series_of(&run, &m, 6));
    const double* c = ss_run_output(&run, 0);
    double expected[] = {0, 0, 0, 2, -1, 0, 0};
    for (int k = 0; k <= 6; k++) assert_true(fabs(c[k] - expected[k]) <= (k == 0 ? 4e-16 : 0.0));
    ss_run_switch(&run, 0, 6, g); // 2 s^3 - s^4: the piece ends at s = 2
    assert_true(g[3] == 2 && g[4] == -1);
    ss_run_cross(&run, 0, 2);
    motion beyond = {.row = {{1 - 1e-15, 8}}};
    ss_run_begin(&run, 2);
    memcpy(ss_run_variable(&run, 0), beyond.row[0], sizeof beyond.row[0]);
    assert_true(ss_run_step(&run, 0) && ss_run_step(&run, 1));
    assert_true(ss_run_output(&run, 0)[1] == 8);
    tear_down(b);
}

static void jump_takes_the_side_it_goes_to(void** state)
{
    (void)state;
    static const struct {
        ss_op op;
        double at, up, down, on;
    } jumps[] = {{SS_OP_SIGN, 0, 1, -1, 0},   {SS_OP_STEP, 0, 1, 0, 1},     {SS_OP_FLOOR, 3, 3, 2, 3},
                 {SS_OP_CEIL, 3, 4, 3, 3},    {SS_OP_ROUND, 2.5, 3, 2, 3},  {SS_OP_ROUND, -2.5, -2, -3, -3},
                 {SS_OP_CEIL, -1, 0, -1, -1}, {SS_OP_FLOOR, -1, -1, -2, -1}};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        bench* b = set_up();
        int node = ss_graph_apply(b->graph, jumps[i].op, b->x[0], 0, 0);
        ss_program program;
        ss_run run;
        double g[4], value;
        assert_true(ss_program_make(&program, &b->pool, b->graph, &node, 1));
        assert_true(ss_run_make(&run, &b->pool, &program, ORDER, b->pieces));
        for (int side = -1; side <= 1; side++) {
            ss_run_begin(&run, 0);
            double* x = ss_run_variable(&run, 0);
            memset(x, 0, (ORDER + 1) * sizeof *x);
            x[0] = jumps[i].at;
            x[1] = side;
            assert_int_equal(ss_run_decide(&run, 1), side == 0);
            for (int k = 0; k <= 3; k++) assert_true(ss_run_step(&run, k));
            double expected = side > 0 ? jumps[i].up : side < 0 ? jumps[i].down : jumps[i].on;
            assert_true(ss_run_output(&run, 0)[0] == expected && ss_run_output(&run, 0)[1] == 0);
            ss_run_switch(&run, 0, 3, g);
            if (side != 0) assert_true(g[0] == 0 && g[1] > 0);
        }
        double x[VARIABLES] = {jumps[i].at};
        assert_true(ss_run_values(&run, 0, x, false, &value) && value == jumps[i].on);
        tear_down(b);
    }
}

// A cell that is crossed goes on in the next one, up and down.
static void cells_follow_each_other(void** state)
{
    (void)state;
    bench* b = set_up();
    int node = ss_graph_apply(b->graph, SS_OP_ROUND, b->x[0], 0, 0);
    ss_program program;
    ss_run run;
    assert_true(ss_program_make(&program, &b->pool, b->graph, &node, 1));
    assert_true(ss_run_make(&run, &b->pool, &program, ORDER, b->pieces));
    motion m = {.row = {{0.25, 1}}};
    assert_true(series_of(&run, &m, 3));
    assert_true(ss_run_output(&run, 0)[0] == 0);
    ss_run_cross(&run, 0, 0.25);
    motion next = {.row = {{0.5 - 1e-16, 1}}};
    assert_true(series_of(&run, &next, 3));
    assert_true(ss_run_output(&run, 0)[0] == 1);
    ss_run_cross(&run, 0, -1e-17);
    tear_down(b);
}

// ---- a motion found order by order

// q'' = -sin(q) from (1.2, 0.5): energy v^2/2 - cos(q) is kept along the series.
static void pendulum(void** state)
{
    (void)state;
    bench* b = set_up();
    int node =
        ss_graph_apply(b->graph, SS_OP_SCALE, ss_graph_apply(b->graph, SS_OP_SIN, b->x[0], 0, 0), 0, -1);
    ss_program program;
    ss_run run;
    assert_true(ss_program_make(&program, &b->pool, b->graph, &node, 1));
    assert_true(ss_run_make(&run, &b->pool, &program, ORDER, b->pieces));
    ss_run_begin(&run, 0);
    double* q = ss_run_variable(&run, 0);
    q[0] = 1.2;
    q[1] = 0.5;
    for (int k = 0; k + 2 <= ORDER; k++) {
        assert_true(ss_run_step(&run, k));
        q[k + 2] = ss_run_output(&run, 0)[k] / ((k + 1) * (k + 2.0));
    }
    double s = 0.1, x = 0, v = 0, energy = 0.125 - cos(1.2);
    for (int k = ORDER; k >= 0; k--) x = x * s + q[k];
    for (int k = ORDER; k >= 1; k--) v = v * s + k * q[k];
    assert_true(fabs(v * v / 2 - cos(x) - energy) < 1e-15);
    tear_down(b);
}

static void jacobian_is_sparse(void** state)
{
    (void)state;
    bench* b = set_up();
    int nodes[2] = {ss_graph_apply(b->graph, SS_OP_MUL, b->x[0], b->x[1], 0),
                    ss_graph_apply(b->graph, SS_OP_SCALE, b->x[2], 0, 4)};
    ss_jacobian jacobian;
    assert_true(ss_jacobian_make(&jacobian, &b->pool, b->graph, nodes, 2));
    assert_int_equal(jacobian.count, 3);
    assert_int_equal(jacobian.node[0], b->x[1]);
    assert_int_equal(jacobian.node[1], b->x[0]);
    double four;
    assert_true(jacobian.row[2] == 1 && jacobian.variable[2] == 2);
    assert_true(ss_graph_is_constant(b->graph, jacobian.node[2], &four) && four == 4);
    tear_down(b);
}

// A chain u_1 = sin(x_0), u_i = sin(u_(i - 1)) x_1, all of it asked for: every link adds as many nodes as the
// one before, and the derivatives are the products of the chain rule.
static void jacobian_of_a_chain_is_linear(void** state)
{
    (void)state;
    enum { LINKS = 3000 };
    int made[2], *nodes = malloc(LINKS * sizeof *nodes);
    assert_non_null(nodes);
    for (int half = 0; half < 2; half++) {
        bench* b = set_up();
        ss_jacobian jacobian;
        int links = half == 0 ? LINKS / 2 : LINKS, before;
        nodes[0] = ss_graph_apply(b->graph, SS_OP_SIN, b->x[0], 0, 0);
        for (int i = 1; i < links; i++)
            nodes[i] = ss_graph_apply(b->graph, SS_OP_MUL,
                                      ss_graph_apply(b->graph, SS_OP_SIN, nodes[i - 1], 0, 0), b->x[1], 0);
        before = ss_graph_node_count(b->graph);
        assert_true(ss_jacobian_make(&jacobian, &b->pool, b->graph, nodes, links));
        made[half] = ss_graph_node_count(b->graph) - before;
        assert_int_equal(jacobian.count, 2 * links - 1);
        double x[VARIABLES] = {0.7, 1.1, 0}, u = sin(x[0]), by[2] = {cos(x[0]), 0}, *found;
        ss_program program;
        ss_run run;
        assert_true(ss_program_make(&program, &b->pool, b->graph, jacobian.node, jacobian.count));
        assert_true(ss_run_make(&run, &b->pool, &program, 0, b->pieces));
        assert_non_null(found = malloc((size_t)jacobian.count * sizeof *found));
        assert_true(ss_run_values(&run, 0, x, false, found));
        for (int e = 0, i = 0; e < jacobian.count; e++) {
            for (; i < jacobian.row[e]; i++) {
                by[0] = cos(u) * by[0] * x[1];
                by[1] = cos(u) * by[1] * x[1] + sin(u);
                u = sin(u) * x[1];
            }
            assert_true(fabs(found[e] - by[jacobian.variable[e]]) <= 1e-12 * fabs(found[e]));
        }
        free(found);
        tear_down(b);
    }
    free(nodes);
    assert_true(made[1] <= 2 * made[0] + 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation),
        cmocka_unit_test(random_expressions),
        cmocka_unit_test(shares_what_is_common),
        cmocka_unit_test(finds_what_is_affine),
        cmocka_unit_test(kink_waits_for_its_derivative),
        cmocka_unit_test(jump_takes_the_side_it_goes_to),
        cmocka_unit_test(cells_follow_each_other),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(jacobian_is_sparse),
        cmocka_unit_test(jacobian_of_a_chain_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
