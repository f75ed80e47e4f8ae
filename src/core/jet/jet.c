// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arithmetic of jets.
#include "core/jet/jet.h"

#include <float.h>
#include <math.h>

int ss_jet_node(ss_jet a, ss_graph* graph) { return a.graph ? a.node : ss_graph_constant(graph, a.value); }

ss_jet ss_jet_apply(ss_op op, ss_jet a, ss_jet b, double p)
{
    ss_graph* graph = a.graph || !ss_op_is_binary(op) ? a.graph : b.graph;
    ss_instruction in = {.op = op, .p = p};
    double value = ss_op_apply(&in, 0.0, a.value, b.value);
    if (!graph) return ss_jet_number(value);
    int of_a = ss_jet_node(a, graph), of_b = ss_op_is_binary(op) ? ss_jet_node(b, graph) : 0;
    return (ss_jet){graph, ss_graph_apply(graph, op, of_a, of_b, p), value};
}

// Whole powers are products: they go on smoothly beyond 0.
static ss_jet raise(ss_jet a, double n)
{
    const double most = 4.0;
    ss_jet power = a;
    if (!(n >= 1.0 && n <= most && n == floor(n))) return ss_jet_apply(SS_OP_POWER, a, a, n);
    for (int k = 1; k < (int)n; k++) power = ss_jet_mul(power, a);
    return power;
}

// With n0 the value of n: a^n = a^n0 (1 + (n - n0) ln a) + .. A base of 0 has the derivative 0.
ss_jet ss_jet_power(ss_jet a, ss_jet n)
{
    ss_jet power = raise(a, n.value);
    if (!n.graph) return power;
    ss_jet grown = ss_jet_of(SS_OP_LOG, ss_jet_shift(a, DBL_MIN));
    return ss_jet_mul(power, ss_jet_shift(ss_jet_mul(ss_jet_shift(n, -n.value), grown), 1.0));
}
