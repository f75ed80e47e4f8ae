// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of nodes, as nodes: by the rules, once, when the model is made. Their values are then exact to
// rounding, they share what they have in common with the expressions themselves, and they have derivatives
// and Taylor series of their own.
#include "core/expression/graph.h"

#include <stdlib.h>

// Which nodes lead from the variable to the node: those on the way have a derivative.
static bool mark_users(const ss_graph* graph, int node, int variable, bool uses[])
{
    for (int i = 0; i <= node; i++) {
        const ss_instruction* in = ss_graph_instruction(graph, i);
        if (in->op == SS_OP_VARIABLE)
            uses[i] = in->a == variable;
        else if (ss_op_is_leaf(in->op))
            uses[i] = variable == SS_VARIABLE_TIME && in->q != 0.0;
        else
            uses[i] = uses[in->a] || (ss_op_is_binary(in->op) && uses[in->b]);
    }
    return uses[node];
}

bool ss_graph_uses(const ss_graph* graph, int node, int variable)
{
    if (node < 0) return false;
    bool* uses = ss_new((size_t)node + 1, sizeof *uses);
    if (!uses) return true; // the safe answer
    bool used = mark_users(graph, node, variable, uses);
    free(uses);
    return used;
}

// p + q a.
static int line_of(ss_graph* g, int a, double p, double q)
{
    return ss_graph_apply(g, SS_OP_SHIFT, ss_graph_apply(g, SS_OP_SCALE, a, 0, q), 0, p);
}

// f'(a) of the inverse hyperbolic functions, and of log(1 + a) and exp(a) - 1.
static int hyperbolic_slope(ss_graph* g, ss_op op, int a)
{
    int plus = line_of(g, a, 1, 1), root;
    switch (op) {
    case SS_OP_ASINH: // 1 / sqrt(1 + a^2)
        return ss_graph_apply(g, SS_OP_OVER, ss_graph_apply(g, SS_OP_HYPOT, a, ss_graph_constant(g, 1), 0), 0,
                              1);
    case SS_OP_ACOSH: // 1 / (sqrt(a - 1) sqrt(a + 1))
        root = ss_graph_apply(g, SS_OP_SQRT, line_of(g, a, -1, 1), 0, 0);
        root = ss_graph_apply(g, SS_OP_MUL, root, ss_graph_apply(g, SS_OP_SQRT, plus, 0, 0), 0);
        return ss_graph_apply(g, SS_OP_OVER, root, 0, 1);
    case SS_OP_ATANH: // 1 / ((1 - a)(1 + a))
        return ss_graph_apply(g, SS_OP_OVER, ss_graph_apply(g, SS_OP_MUL, line_of(g, a, 1, -1), plus, 0), 0,
                              1);
    case SS_OP_LOG1P: return ss_graph_apply(g, SS_OP_OVER, plus, 0, 1);
    default: return ss_graph_apply(g, SS_OP_EXP, a, 0, 0); // exp(a) - 1; its argument is bounded as exp's
    }
}

// f'(a) of a function of one operand whose value is the node c; 0 where it is a jump.
static int slope(ss_graph* g, const ss_instruction* in, int c)
{
    int a = in->a, square;
    switch (in->op) {
    case SS_OP_OVER: // -p / a^2 = -c / a
        return ss_graph_apply(g, SS_OP_SCALE, ss_graph_apply(g, SS_OP_DIV, c, a, 0), 0, -1);
    case SS_OP_SCALE: return ss_graph_constant(g, in->p);
    case SS_OP_SHIFT:
    case SS_OP_PACE: return ss_graph_constant(g, 1);
    case SS_OP_POWER:
        return ss_graph_apply(g, SS_OP_SCALE, ss_graph_apply(g, SS_OP_POWER, a, 0, in->p - 1), 0, in->p);
    case SS_OP_SQRT: return ss_graph_apply(g, SS_OP_OVER, c, 0, 0.5);
    case SS_OP_EXP: return c;
    case SS_OP_LOG: return ss_graph_apply(g, SS_OP_OVER, a, 0, 1);
    case SS_OP_SIN: return ss_graph_apply(g, SS_OP_COS, a, 0, 0);
    case SS_OP_COS: return ss_graph_apply(g, SS_OP_SCALE, ss_graph_apply(g, SS_OP_SIN, a, 0, 0), 0, -1);
    case SS_OP_TAN: return ss_graph_apply(g, SS_OP_SHIFT, ss_graph_apply(g, SS_OP_MUL, c, c, 0), 0, 1);
    case SS_OP_TANH: // 1 - c^2 would cancel: 1 / cosh^2; its argument is bounded (expression_build.c)
        square = ss_graph_apply(g, SS_OP_COSH, a, 0, 0);
        return ss_graph_apply(g, SS_OP_OVER, ss_graph_apply(g, SS_OP_MUL, square, square, 0), 0, 1);
    case SS_OP_ASIN:
    case SS_OP_ACOS: // 1 / sqrt((1 - a)(1 + a))
        square = ss_graph_apply(g, SS_OP_MUL, line_of(g, a, 1, -1), line_of(g, a, 1, 1), 0);
        return ss_graph_apply(g, SS_OP_OVER, ss_graph_apply(g, SS_OP_SQRT, square, 0, 0), 0,
                              in->op == SS_OP_ASIN ? 1 : -1);
    case SS_OP_ATAN:
        square = ss_graph_apply(g, SS_OP_SHIFT, ss_graph_apply(g, SS_OP_MUL, a, a, 0), 0, 1);
        return ss_graph_apply(g, SS_OP_OVER, square, 0, 1);
    case SS_OP_SINH: return ss_graph_apply(g, SS_OP_COSH, a, 0, 0);
    case SS_OP_COSH: return ss_graph_apply(g, SS_OP_SINH, a, 0, 0);
    case SS_OP_ASINH:
    case SS_OP_ACOSH:
    case SS_OP_ATANH:
    case SS_OP_LOG1P:
    case SS_OP_EXPM1: return hyperbolic_slope(g, in->op, a);
    case SS_OP_ABS:
        return ss_graph_node(g, (ss_instruction){.op = SS_OP_SELECT,
                                                 .a = ss_graph_constant(g, 1),
                                                 .b = ss_graph_constant(g, -1),
                                                 .kink = in->kink});
    default: return ss_graph_constant(g, 0);
    }
}

// (a da + b db) / c, of the hypotenuse; (b da - a db) / (a^2 + b^2), of the angle.
static int of_point(ss_graph* g, const ss_instruction* in, int c, int da, int db)
{
    bool angle = in->op == SS_OP_ATAN2;
    int first = ss_graph_apply(g, SS_OP_MUL, angle ? in->b : in->a, da, 0);
    int second = ss_graph_apply(g, SS_OP_MUL, angle ? in->a : in->b, db, 0);
    int sum = ss_graph_apply(g, angle ? SS_OP_SUB : SS_OP_ADD, first, second, 0);
    if (!angle) return ss_graph_apply(g, SS_OP_DIV, sum, c, 0);
    int aa = ss_graph_apply(g, SS_OP_MUL, in->a, in->a, 0),
        bb = ss_graph_apply(g, SS_OP_MUL, in->b, in->b, 0);
    return ss_graph_apply(g, SS_OP_DIV, sum, ss_graph_apply(g, SS_OP_ADD, aa, bb, 0), 0);
}

static int of_two(ss_graph* g, const ss_instruction* in, int c, int da, int db)
{
    switch (in->op) {
    case SS_OP_ADD:
    case SS_OP_SUB: return ss_graph_apply(g, in->op, da, db, 0);
    case SS_OP_MUL:
        return ss_graph_apply(g, SS_OP_ADD, ss_graph_apply(g, SS_OP_MUL, da, in->b, 0),
                              ss_graph_apply(g, SS_OP_MUL, in->a, db, 0), 0);
    case SS_OP_DIV: // (da - c db) / b
        return ss_graph_apply(g, SS_OP_DIV,
                              ss_graph_apply(g, SS_OP_SUB, da, ss_graph_apply(g, SS_OP_MUL, c, db, 0), 0),
                              in->b, 0);
    case SS_OP_MAX:
    case SS_OP_SELECT:
        return ss_graph_node(g, (ss_instruction){.op = SS_OP_SELECT, .a = da, .b = db, .kink = in->kink});
    case SS_OP_MIN: // positive piece: a - b > 0, b is chosen
        return ss_graph_node(g, (ss_instruction){.op = SS_OP_SELECT, .a = db, .b = da, .kink = in->kink});
    default: return of_point(g, in, c, da, db);
    }
}

static int of_leaf(ss_graph* g, const ss_instruction* in)
{
    if (in->op == SS_OP_VARIABLE) return ss_graph_constant(g, 1);
    if (in->op == SS_OP_AFFINE) return ss_graph_constant(g, in->q);
    ss_instruction turned = *in;
    turned.op = in->op == SS_OP_SINE ? SS_OP_COSINE : SS_OP_SINE;
    return ss_graph_apply(g, SS_OP_SCALE, ss_graph_node(g, turned), 0, in->op == SS_OP_SINE ? in->q : -in->q);
}

int ss_graph_derive(ss_graph* graph, int node, const int of[])
{
    ss_instruction in = *ss_graph_instruction(graph, node); // a copy: the graph grows meanwhile
    if (ss_op_is_leaf(in.op)) return of_leaf(graph, &in);
    if (ss_op_is_binary(in.op)) return of_two(graph, &in, node, of[in.a], of[in.b]);
    return ss_graph_apply(graph, SS_OP_MUL, slope(graph, &in, node), of[in.a], 0);
}

static int derive(ss_graph* graph, int node, const bool uses[], const bool needed[], int of[])
{
    int zero = ss_graph_constant(graph, 0);
    for (int i = 0; i <= node && !ss_graph_failed(graph); i++)
        of[i] = uses[i] && needed[i] ? ss_graph_derive(graph, i, of) : zero;
    return ss_graph_failed(graph) ? -1 : of[node];
}

int ss_graph_derivative(ss_graph* graph, int node, int variable)
{
    if (node < 0) return -1;
    size_t count = (size_t)ss_graph_node_count(graph);
    int* of = ss_new(count, sizeof *of);
    bool *uses = ss_new(count, sizeof *uses), *needed = ss_new(count, sizeof *needed);
    int result = -1;
    if (of && uses && needed) {
        ss_graph_mark(graph, &node, 1, needed);
        result = mark_users(graph, node, variable, uses) ? derive(graph, node, uses, needed, of)
                                                         : ss_graph_constant(graph, 0);
    } else {
        ss_graph_fail(graph);
    }
    free(of);
    free(uses);
    free(needed);
    return result;
}
