// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is affine in the motion, and what depends on time alone.
#include "core/expression/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_timely(const ss_graph* graph, int node)
{
    return !(ss_graph_depends(graph, node) & SS_ON_ANY);
}

// Whether every node on the way from the variables is a sum, a multiple or a shift.
static bool is_affine(const ss_graph* graph, int node, const bool needed[])
{
    for (int i = 0; i <= node; i++) {
        const ss_instruction* in = ss_graph_instruction(graph, i);
        if (!needed[i] || is_timely(graph, i)) continue;
        switch (in->op) {
        case SS_OP_VARIABLE:
        case SS_OP_ADD:
        case SS_OP_SUB:
        case SS_OP_SCALE:
        case SS_OP_SHIFT: break;
        default: return false;
        }
    }
    return true;
}

// Goes from the node down to the variables; weight[i] is how often node i counts. What depends on time alone
// is collected in the rest.
static int distribute(ss_graph* graph, int node, double weight[], double coefficients[])
{
    int rest = ss_graph_constant(graph, 0);
    weight[node] = 1;
    for (int i = node; i >= 0; i--) {
        double w = weight[i];
        if (w == 0) continue;
        ss_instruction in = *ss_graph_instruction(graph, i); // a copy: the graph grows meanwhile
        if (is_timely(graph, i)) {
            rest = ss_graph_apply(graph, SS_OP_ADD, rest, ss_graph_apply(graph, SS_OP_SCALE, i, 0, w), 0);
            continue;
        }
        switch (in.op) {
        case SS_OP_VARIABLE: coefficients[in.a] += w; break;
        case SS_OP_ADD:
        case SS_OP_SUB:
            weight[in.a] += w;
            weight[in.b] += in.op == SS_OP_ADD ? w : -w;
            break;
        case SS_OP_SCALE: weight[in.a] += w * in.p; break;
        default: // SS_OP_SHIFT
            weight[in.a] += w;
            rest = ss_graph_apply(graph, SS_OP_SHIFT, rest, 0, w * in.p);
            break;
        }
    }
    return rest;
}

bool ss_graph_affine(ss_graph* graph, int node, double coefficients[], int* rest)
{
    *rest = -1;
    memset(coefficients, 0, (size_t)ss_graph_variable_count(graph) * sizeof *coefficients);
    if (node < 0) return false;
    size_t count = (size_t)ss_graph_node_count(graph);
    bool* needed = ss_new(count, sizeof *needed);
    double* weight = ss_new(count, sizeof *weight);
    bool affine = false;
    if (needed && weight) {
        ss_graph_mark(graph, &node, 1, needed);
        affine = is_affine(graph, node, needed);
        if (affine) *rest = distribute(graph, node, weight, coefficients);
        for (int i = 0; i < ss_graph_variable_count(graph); i++)
            if (!isfinite(coefficients[i])) affine = false;
    } else {
        ss_graph_fail(graph);
    }
    free(needed);
    free(weight);
    return affine && *rest >= 0;
}

// ---- a node as a signal

typedef struct extraction {
    const ss_graph* graph;
    bool* needed;
    int *last, *place; // last[i]: the last node that reads i; place[i]: its register
    bool used[SS_MAX_REGISTERS];
    ss_tape tape;
} extraction;

static int take_register(extraction* x)
{
    for (int r = 0; r < SS_MAX_REGISTERS; r++)
        if (!x->used[r]) {
            x->used[r] = true;
            if (r >= x->tape.registers) x->tape.registers = r + 1;
            return r;
        }
    return -1;
}

static void release(extraction* x, int node, int reader)
{
    if (x->last[node] == reader) x->used[x->place[node]] = false;
}

static bool write_tape(extraction* x, int node)
{
    for (int i = 0; i <= node; i++) {
        ss_instruction in = *ss_graph_instruction(x->graph, i);
        if (!x->needed[i]) continue;
        in.out = take_register(x);
        if (in.out < 0) return false;
        x->place[i] = in.out;
        bool leaf = ss_op_is_leaf(in.op), binary = ss_op_is_binary(in.op);
        int a = in.a, b = in.b;
        in.a = leaf ? 0 : x->place[a];
        in.b = binary ? x->place[b] : 0;
        if (!leaf) release(x, a, i);
        if (binary) release(x, b, i);
        in.kink = x->tape.kinks;
        if (ss_op_has_kink(in.op)) x->tape.kinks++;
        if (ss_op_is_jump(in.op)) x->tape.jumps++;
        x->tape.code[x->tape.count++] = in;
    }
    x->tape.result = x->place[node];
    return true;
}

static void find_last_readers(extraction* x, int node)
{
    for (int i = 0; i <= node; i++) {
        const ss_instruction* in = ss_graph_instruction(x->graph, i);
        x->last[i] = node + 1;
        if (!x->needed[i] || ss_op_is_leaf(in->op)) continue;
        x->last[in->a] = i;
        if (ss_op_is_binary(in->op)) x->last[in->b] = i;
    }
}

ss_status ss_graph_tape(const ss_graph* graph, int node, ss_tape* tape, ss_error* err)
{
    size_t count = (size_t)node + 1;
    extraction x = {.graph = graph,
                    .needed = ss_new((size_t)ss_graph_node_count(graph), sizeof(bool)),
                    .last = ss_new(count, sizeof(int)),
                    .place = ss_new(count, sizeof(int))};
    x.tape.code = ss_new(count, sizeof *x.tape.code);
    x.tape.capacity = (int)count;
    ss_status status = SS_OK;
    if (!x.needed || !x.last || !x.place || !x.tape.code) {
        status = ss_fail_no_memory(err);
    } else {
        ss_graph_mark(graph, &node, 1, x.needed);
        find_last_readers(&x, node);
        if (!write_tape(&x, node)) status = ss_fail(err, SS_BAD_INPUT, NULL, "this is nested too deeply");
    }
    free(x.needed);
    free(x.last);
    free(x.place);
    if (status != SS_OK) free(x.tape.code);
    if (status == SS_OK) *tape = x.tape;
    return status;
}

ss_status ss_graph_signal(const ss_graph* graph, int node, ss_signal** out, ss_error* err)
{
    double value;
    ss_tape tape;
    *out = NULL;
    if (ss_graph_is_constant(graph, node, &value)) return ss_signal_constant(value, out, err);
    ss_status status = ss_graph_tape(graph, node, &tape, err);
    return status == SS_OK ? ss_signal_from_tape(&tape, out, err) : status;
}
