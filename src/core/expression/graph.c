// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The graph: nodes that are made once, with constants folded, and what they depend on.
#include "core/expression/graph.h"

#include "core/grow.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ss_graph {
    ss_instruction* code; // node i; its operands have smaller numbers
    unsigned* depends;
    size_t count, code_room, depends_room;
    int* index; // hash table of nodes, -1 where free
    size_t index_size;
    int* variables; // nodes
    size_t variable_count, variable_room;
    int* kink_nodes; // which node owns each kink
    size_t kink_count, kink_room;
    bool failed;
};

ss_graph* ss_graph_create(void) { return ss_new(1, sizeof(ss_graph)); }

void ss_graph_destroy(ss_graph* graph)
{
    if (!graph) return;
    free(graph->code);
    free(graph->depends);
    free(graph->index);
    free(graph->variables);
    free(graph->kink_nodes);
    free(graph);
}

bool ss_graph_failed(const ss_graph* graph) { return graph->failed; }
int ss_graph_node_count(const ss_graph* graph) { return (int)graph->count; }
int ss_graph_kink_count(const ss_graph* graph) { return (int)graph->kink_count; }
int ss_graph_variable_count(const ss_graph* graph) { return (int)graph->variable_count; }
int ss_graph_variable_node(const ss_graph* graph, int variable) { return graph->variables[variable]; }
unsigned ss_graph_depends(const ss_graph* graph, int node) { return node < 0 ? 0 : graph->depends[node]; }
const ss_instruction* ss_graph_instruction(const ss_graph* graph, int node) { return &graph->code[node]; }

int ss_graph_fail(ss_graph* graph)
{
    graph->failed = true;
    return -1;
}

// ---- nodes are found again

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash ^= word + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
    hash *= 0xBF58476D1CE4E5B9u;
    return hash ^ (hash >> 32); // a product carries upwards only, and round numbers end with zeros
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// The kink of SELECT is that of another node, and tells it from others; the rest have none or one of their
// own.
static uint64_t hash_of(const ss_instruction* in)
{
    uint64_t hash = mix((uint64_t)in->op, (uint64_t)(unsigned)in->a);
    hash = mix(mix(hash, (uint64_t)(unsigned)in->b), bits_of(in->p));
    hash = mix(hash, bits_of(in->q));
    return in->op == SS_OP_SELECT ? mix(hash, (uint64_t)(unsigned)in->kink) : hash;
}

static bool is_same(const ss_instruction* a, const ss_instruction* b)
{
    return a->op == b->op && a->a == b->a && a->b == b->b && bits_of(a->p) == bits_of(b->p) &&
           bits_of(a->q) == bits_of(b->q) && (a->op != SS_OP_SELECT || a->kink == b->kink);
}

static size_t slot_of(const ss_graph* graph, const ss_instruction* in)
{
    size_t slot = (size_t)hash_of(in) & (graph->index_size - 1);
    while (graph->index[slot] >= 0 && !is_same(&graph->code[graph->index[slot]], in))
        slot = (slot + 1) & (graph->index_size - 1);
    return slot;
}

static bool make_room(ss_graph* graph)
{
    if (graph->count >= INT32_MAX / 4) return false;
    if (!ss_grow(&graph->code, graph->count, &graph->code_room, sizeof *graph->code) ||
        !ss_grow(&graph->depends, graph->count, &graph->depends_room, sizeof *graph->depends) ||
        !ss_grow(&graph->kink_nodes, graph->kink_count, &graph->kink_room, sizeof *graph->kink_nodes))
        return false;
    if (2 * (graph->count + 1) <= graph->index_size) return true;
    size_t size = graph->index_size ? 2 * graph->index_size : 128;
    int* index = ss_new(size, sizeof *index);
    if (!index) return false;
    free(graph->index);
    graph->index = index;
    graph->index_size = size;
    for (size_t i = 0; i < size; i++) index[i] = -1;
    for (size_t i = 0; i < graph->count; i++) index[slot_of(graph, &graph->code[i])] = (int)i;
    return true;
}

static unsigned depends_of(const ss_graph* graph, const ss_instruction* in)
{
    if (in->op == SS_OP_AFFINE) return in->q != 0.0 ? SS_ON_TIME : 0;
    if (ss_op_is_leaf(in->op)) return SS_ON_TIME; // a variable's kind is set by who declares it
    unsigned depends = graph->depends[in->a];
    if (ss_op_is_binary(in->op)) depends |= graph->depends[in->b];
    bool bounds = (in->op == SS_OP_MIN || in->op == SS_OP_MAX) && in->q != 0.0;
    if (in->op == SS_OP_PACE || bounds) return depends | SS_HAS_PACES;
    if (ss_op_is_jump(in->op) || in->op == SS_OP_SELECT) {
        if (depends & (SS_ON_SPEED | SS_ON_STATE | SS_ON_FORCE)) depends |= SS_JUMPS_BY_RATE;
        return depends | SS_HAS_JUMPS;
    }
    return ss_op_has_kink(in->op) ? depends | SS_HAS_KINKS : depends;
}

static int keep(ss_graph* graph, ss_instruction in)
{
    if (!make_room(graph)) return ss_graph_fail(graph);
    size_t slot = slot_of(graph, &in);
    if (graph->index[slot] >= 0) return graph->index[slot];
    int node = (int)graph->count;
    in.out = node;
    if (ss_op_has_kink(in.op)) {
        in.kink = (int)graph->kink_count;
        graph->kink_nodes[graph->kink_count++] = node;
    }
    graph->code[node] = in;
    graph->depends[node] = depends_of(graph, &in);
    graph->index[slot] = node;
    graph->count++;
    return node;
}

// ---- making nodes

int ss_graph_variable(ss_graph* graph, ss_depends kind)
{
    if (!ss_grow(&graph->variables, graph->variable_count, &graph->variable_room, sizeof *graph->variables))
        return ss_graph_fail(graph);
    int node = keep(graph, (ss_instruction){.op = SS_OP_VARIABLE, .a = (int)graph->variable_count});
    if (node < 0) return -1;
    graph->depends[node] = kind;
    graph->variables[graph->variable_count++] = node;
    return node;
}

int ss_graph_constant(ss_graph* graph, double value)
{
    return keep(graph, (ss_instruction){.op = SS_OP_AFFINE, .p = value + 0.0}); // one zero: +0
}

bool ss_graph_is_constant(const ss_graph* graph, int node, double* value)
{
    const ss_instruction* in = node < 0 ? NULL : &graph->code[node];
    if (!in || in->op != SS_OP_AFFINE || in->q != 0.0) return false;
    if (value) *value = in->p;
    return true;
}

static int line(ss_graph* graph, double p, double q)
{
    return keep(graph, (ss_instruction){.op = SS_OP_AFFINE, .p = p + 0.0, .q = q + 0.0});
}

static bool is_line(const ss_graph* graph, int node) { return graph->code[node].op == SS_OP_AFFINE; }

static int scale(ss_graph* graph, int a, double p)
{
    const ss_instruction* in = &graph->code[a];
    if (p == 0.0) return ss_graph_constant(graph, 0.0);
    if (p == 1.0) return a;
    if (in->op == SS_OP_AFFINE) return line(graph, p * in->p, p * in->q);
    if (in->op == SS_OP_SCALE && isfinite(p * in->p)) return scale(graph, in->a, p * in->p);
    return keep(graph, (ss_instruction){.op = SS_OP_SCALE, .a = a, .p = p});
}

static int shift(ss_graph* graph, int a, double p)
{
    const ss_instruction* in = &graph->code[a];
    if (p == 0.0) return a;
    if (in->op == SS_OP_AFFINE) return line(graph, in->p + p, in->q);
    return keep(graph, (ss_instruction){.op = SS_OP_SHIFT, .a = a, .p = p});
}

static int sum(ss_graph* graph, int a, int b, double sign)
{
    double value;
    if (ss_graph_is_constant(graph, b, &value)) return shift(graph, a, sign * value);
    if (ss_graph_is_constant(graph, a, &value)) {
        int scaled = scale(graph, b, sign);
        return scaled < 0 ? -1 : shift(graph, scaled, value);
    }
    const ss_instruction *x = &graph->code[a], *y = &graph->code[b];
    if (x->op == SS_OP_AFFINE && y->op == SS_OP_AFFINE)
        return line(graph, x->p + sign * y->p, x->q + sign * y->q);
    if (a == b) return scale(graph, a, 1.0 + sign);
    double p = x->op == SS_OP_SCALE ? x->p : 1.0, q = y->op == SS_OP_SCALE ? y->p : 1.0;
    int u = x->op == SS_OP_SCALE ? x->a : a, v = y->op == SS_OP_SCALE ? y->a : b;
    if (u == v && isfinite(p + sign * q)) return scale(graph, u, p + sign * q);
    if (sign > 0 && a > b) return keep(graph, (ss_instruction){.op = SS_OP_ADD, .a = b, .b = a});
    return keep(graph, (ss_instruction){.op = sign > 0 ? SS_OP_ADD : SS_OP_SUB, .a = a, .b = b});
}

static int product(ss_graph* graph, int a, int b)
{
    double value;
    if (ss_graph_is_constant(graph, b, &value)) return scale(graph, a, value);
    if (ss_graph_is_constant(graph, a, &value)) return scale(graph, b, value);
    return keep(graph, (ss_instruction){.op = SS_OP_MUL, .a = a < b ? a : b, .b = a < b ? b : a});
}

static int quotient(ss_graph* graph, int a, int b)
{
    double value;
    if (ss_graph_is_constant(graph, b, &value) && value != 0.0 && isfinite(1 / value))
        return scale(graph, a, 1 / value);
    if (ss_graph_is_constant(graph, a, &value))
        return keep(graph, (ss_instruction){.op = SS_OP_OVER, .a = b, .p = value});
    return keep(graph, (ss_instruction){.op = SS_OP_DIV, .a = a, .b = b});
}

static bool fold(const ss_graph* graph, const ss_instruction* in, double* value)
{
    double a, b = 0.0;
    if (in->op == SS_OP_SELECT || !ss_graph_is_constant(graph, in->a, &a)) return false;
    if (ss_op_is_binary(in->op) && !ss_graph_is_constant(graph, in->b, &b)) return false;
    *value = ss_op_apply(in, 0.0, a, b);
    return true;
}

// Roots and powers of squares are kinks: sqrt(c u^2) = sqrt(c) |u|, (c u^2)^p = c^p |u|^2p, hypot(u, 0) =
// |u|. As such they are located, and lose no digits next to 0. -1 where it is none of them.
static int root_of_square(ss_graph* graph, const ss_instruction* in)
{
    const ss_instruction* a = &graph->code[in->a];
    double value;
    if (in->op == SS_OP_HYPOT) {
        if (ss_graph_is_constant(graph, in->b, &value) && value == 0.0)
            return ss_graph_apply(graph, SS_OP_ABS, in->a, 0, 0.0);
        if (ss_graph_is_constant(graph, in->a, &value) && value == 0.0)
            return ss_graph_apply(graph, SS_OP_ABS, in->b, 0, 0.0);
        return -1;
    }
    double factor = a->op == SS_OP_SCALE && a->p > 0.0 ? a->p : 1.0;
    if (factor != 1.0) a = &graph->code[a->a];
    if (a->op != SS_OP_MUL || a->a != a->b) return -1;
    double power = in->op == SS_OP_SQRT ? 1.0 : 2.0 * in->p;
    if (power != 1.0 && power == floor(power)) return -1;
    int root = ss_graph_apply(graph, SS_OP_ABS, a->a, 0, 0.0);
    if (power == 0.5)
        root = ss_graph_apply(graph, SS_OP_SQRT, root, 0, 0.0);
    else if (power != 1.0)
        root = ss_graph_apply(graph, SS_OP_POWER, root, 0, power);
    return root < 0 ? -1 : scale(graph, root, pow(factor, 0.5 * power));
}

int ss_graph_node(ss_graph* graph, ss_instruction in)
{
    double value;
    if (in.op == SS_OP_AFFINE) return line(graph, in.p, in.q);
    if (in.op == SS_OP_SINE || in.op == SS_OP_COSINE)
        return keep(graph, (ss_instruction){.op = in.op, .p = in.p, .q = in.q});
    if (in.a < 0 || (ss_op_is_binary(in.op) && in.b < 0)) return -1;
    if (!ss_op_is_binary(in.op)) in.b = 0;
    if (fold(graph, &in, &value)) return ss_graph_constant(graph, value);
    switch (in.op) {
    case SS_OP_ADD: return sum(graph, in.a, in.b, 1.0);
    case SS_OP_SUB: return sum(graph, in.a, in.b, -1.0);
    case SS_OP_MUL: return product(graph, in.a, in.b);
    case SS_OP_DIV: return quotient(graph, in.a, in.b);
    case SS_OP_SCALE: return scale(graph, in.a, in.p);
    case SS_OP_SHIFT: return shift(graph, in.a, in.p);
    case SS_OP_SELECT:
        if (in.a == in.b) return in.a;
        break;
    case SS_OP_POWER:
        if (in.p == 0.0) return ss_graph_constant(graph, 1.0);
        if (in.p == 1.0) return in.a;
        // fall through
    case SS_OP_SQRT:
    case SS_OP_HYPOT: {
        int root = root_of_square(graph, &in);
        if (root >= 0) return root;
        break;
    }
    case SS_OP_SIN:
    case SS_OP_COS:
        if (!is_line(graph, in.a)) break;
        return keep(graph, (ss_instruction){.op = in.op == SS_OP_SIN ? SS_OP_SINE : SS_OP_COSINE,
                                            .p = graph->code[in.a].p,
                                            .q = graph->code[in.a].q});
    default: break;
    }
    return keep(graph,
                (ss_instruction){.op = in.op, .a = in.a, .b = in.b, .p = in.p, .q = in.q, .kink = in.kink});
}

int ss_graph_apply(ss_graph* graph, ss_op op, int a, int b, double p)
{
    return ss_graph_node(graph, (ss_instruction){.op = op, .a = a, .b = b, .p = p});
}

int ss_graph_add(ss_graph* graph, const ss_tape* tape, const int nodes[])
{
    int* of = ss_new((size_t)tape->registers + 1, sizeof *of);
    if (!of) return ss_graph_fail(graph);
    for (int i = 0; i < tape->count; i++) {
        ss_instruction in = tape->code[i];
        int out = in.out;
        if (in.op == SS_OP_VARIABLE) {
            of[out] = nodes[in.a];
            continue;
        }
        if (!ss_op_is_leaf(in.op)) in.a = of[in.a];
        if (ss_op_is_binary(in.op)) in.b = of[in.b];
        of[out] = ss_graph_node(graph, in);
    }
    int result = of[tape->result];
    free(of);
    return result;
}

int ss_graph_add_expression(ss_graph* graph, const ss_expression* expression, const int nodes[])
{
    return expression->varies ? ss_graph_add(graph, &expression->tape, nodes)
                              : ss_graph_constant(graph, expression->value);
}

// ---- what nodes need

void ss_graph_mark(const ss_graph* graph, const int nodes[], int count, bool marks[])
{
    memset(marks, 0, graph->count * sizeof *marks);
    int last = -1;
    for (int i = 0; i < count; i++) {
        marks[nodes[i]] = true;
        if (nodes[i] > last) last = nodes[i];
    }
    for (int i = last; i >= 0; i--) {
        const ss_instruction* in = &graph->code[i];
        if (!marks[i] || ss_op_is_leaf(in->op)) continue;
        marks[in->a] = true;
        if (ss_op_is_binary(in->op)) marks[in->b] = true;
        if (in->op == SS_OP_SELECT) marks[graph->kink_nodes[in->kink]] = true; // who decides its piece
    }
}
