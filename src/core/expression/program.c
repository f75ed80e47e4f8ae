// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Compiling programs from a graph, and their Jacobians.
#include "core/expression/program.h"

#include <stdlib.h>
#include <string.h>

static bool needs_aux(ss_op op)
{
    switch (op) {
    case SS_OP_VARIABLE:
    case SS_OP_SIN:
    case SS_OP_COS:
    case SS_OP_TAN:
    case SS_OP_TANH:
    case SS_OP_SINH:
    case SS_OP_COSH:
    case SS_OP_ASIN:
    case SS_OP_ACOS:
    case SS_OP_ATAN:
    case SS_OP_ATAN2:
    case SS_OP_ASINH:
    case SS_OP_ACOSH:
    case SS_OP_ATANH:
    case SS_OP_LOG1P:
    case SS_OP_EXPM1:
    case SS_OP_MIN:
    case SS_OP_MAX: return true;
    default: return false;
    }
}

static void compile(ss_program* program, const ss_graph* graph, const bool marks[], int place[])
{
    int used = 0;
    program->aux_rows = 1; // row 0 is scratch for all
    for (int i = 0; i < ss_graph_node_count(graph); i++) {
        if (!marks[i]) continue;
        ss_instruction in = *ss_graph_instruction(graph, i);
        program->depends[used] = ss_graph_depends(graph, i);
        place[i] = in.out = used;
        if (in.op == SS_OP_VARIABLE) {
            program->variables[in.a] = used;
        } else {
            in.a = ss_op_is_leaf(in.op) ? 0 : place[in.a];
            in.b = ss_op_is_binary(in.op) ? place[in.b] : 0;
        }
        if (needs_aux(in.op)) in.aux = program->aux_rows++;
        if (ss_op_is_singular(in.op)) program->singular[program->singular_count++] = used;
        if (ss_op_has_kink(in.op)) program->kinks[program->kink_count++] = used;
        program->code[used++] = in;
    }
}

static void find_jumps(ss_program* program)
{
    for (int j = 0; j < program->kink_count; j++) {
        const ss_instruction* owner = &program->code[program->kinks[j]];
        program->jumps[j] = ss_op_is_jump(owner->op);
        for (int i = 0; i < program->count && !program->jumps[j]; i++)
            program->jumps[j] = program->code[i].op == SS_OP_SELECT && program->code[i].kink == owner->kink;
    }
}

static void find_feeders(ss_program* program)
{
    for (int i = program->count - 1; i >= 0; i--) {
        const ss_instruction* in = &program->code[i];
        if (ss_op_is_leaf(in->op) || !(program->feeds[i] || ss_op_has_kink(in->op))) continue;
        program->feeds[in->a] = true;
        if (ss_op_is_binary(in->op)) program->feeds[in->b] = true;
    }
}

bool ss_program_make(ss_program* program, ss_pool* pool, const ss_graph* graph, const int nodes[], int count)
{
    size_t nodes_there = (size_t)ss_graph_node_count(graph), variables;
    bool* marks = ss_new(nodes_there, sizeof *marks);
    int* place = ss_new(nodes_there, sizeof *place);
    *program = (ss_program){.output_count = count, .variable_count = ss_graph_variable_count(graph)};
    variables = (size_t)program->variable_count;
    bool good = marks && place && !ss_graph_failed(graph);
    if (good) {
        ss_graph_mark(graph, nodes, count, marks);
        for (size_t i = 0; i < nodes_there; i++) program->count += marks[i];
        size_t length = (size_t)program->count;
        program->code = ss_pool_new(pool, length, sizeof *program->code);
        program->depends = ss_pool_new(pool, length, sizeof *program->depends);
        program->feeds = ss_pool_new(pool, length, sizeof *program->feeds);
        program->kinks = ss_pool_new(pool, length, sizeof *program->kinks);
        program->jumps = ss_pool_new(pool, length, sizeof *program->jumps);
        program->singular = ss_pool_new(pool, length, sizeof *program->singular);
        program->outputs = ss_pool_new(pool, (size_t)count, sizeof *program->outputs);
        program->variables = ss_pool_new(pool, variables, sizeof *program->variables);
        good = !pool->failed;
    }
    if (good) {
        for (size_t i = 0; i < variables; i++) program->variables[i] = -1;
        compile(program, graph, marks, place);
        find_feeders(program);
        find_jumps(program);
        for (int i = 0; i < count; i++) program->outputs[i] = place[nodes[i]];
    }
    free(marks);
    free(place);
    return good;
}

// ---- Jacobians

static int used_variables(const ss_graph* graph, int node, bool marks[], int list[])
{
    int count = 0;
    ss_graph_mark(graph, &node, 1, marks);
    for (int v = 0; v < ss_graph_variable_count(graph); v++)
        if (marks[ss_graph_variable_node(graph, v)]) list[count++] = v;
    return count;
}

static bool is_zero(const ss_graph* graph, int node)
{
    double value;
    return ss_graph_is_constant(graph, node, &value) && value == 0.0;
}

bool ss_jacobian_make(ss_jacobian* jacobian, ss_pool* pool, ss_graph* graph, const int nodes[], int count)
{
    *jacobian = (ss_jacobian){0};
    size_t room = 0, there = (size_t)ss_graph_node_count(graph);
    bool* marks = ss_new(there, sizeof *marks);
    int* list = ss_new((size_t)ss_graph_variable_count(graph), sizeof *list);
    for (int i = 0; i < count && marks && list; i++)
        room += (size_t)used_variables(graph, nodes[i], marks, list);
    jacobian->row = ss_pool_new(pool, room, sizeof(int));
    jacobian->variable = ss_pool_new(pool, room, sizeof(int));
    jacobian->node = ss_pool_new(pool, room, sizeof(int));
    bool good = marks && list && !pool->failed;
    for (int i = 0; i < count && good; i++) {
        free(marks);
        marks = ss_new((size_t)ss_graph_node_count(graph), sizeof *marks); // it has grown
        if (!marks) break;
        int used = used_variables(graph, nodes[i], marks, list);
        for (int k = 0; k < used; k++) {
            int node = ss_graph_derivative(graph, nodes[i], list[k]), at = jacobian->count;
            if (node < 0 || is_zero(graph, node)) continue; // of jumps
            jacobian->row[at] = i;
            jacobian->variable[at] = list[k];
            jacobian->node[at] = node;
            jacobian->count++;
        }
    }
    good = good && marks && !ss_graph_failed(graph);
    free(marks);
    free(list);
    return good;
}
