// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Compiling programs from a graph, and their Jacobians.
#include "core/expression/program.h"

#include "core/grow.h"

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

// chosen: scratch, one per kink of the graph.
static void find_jumps(ss_program* program, bool chosen[])
{
    for (int i = 0; i < program->count; i++)
        if (program->code[i].op == SS_OP_SELECT) chosen[program->code[i].kink] = true;
    for (int j = 0; j < program->kink_count; j++) {
        const ss_instruction* owner = &program->code[program->kinks[j]];
        program->jumps[j] = ss_op_is_jump(owner->op) || chosen[owner->kink];
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
        memset(marks, 0, nodes_there * sizeof *marks); // there are no more kinks than nodes
        find_jumps(program, marks);
        for (int i = 0; i < count; i++) program->outputs[i] = place[nodes[i]];
    }
    free(marks);
    free(place);
    return good;
}

// ---- Jacobians

typedef struct entry {
    int row, variable, node;
} entry;

// One sweep per variable: upwards from it through all that reads it. So every node is derived once, however
// many outputs it is in, and what does not depend on the variable is not looked at.
typedef struct sweep {
    ss_graph* graph;
    ss_pool scratch;
    int there, zero;          // nodes before there are derivatives; the node of the constant 0
    int *start, *readers;     // who reads node i: readers[start[i]] .. readers[start[i + 1] - 1]
    int *first_row, *further; // the rows of node i: first_row[i], then further[row]; -1 ends them
    int* of;                  // derivative of each node by the present variable
    int* list;                // the nodes that depend on it
    bool* listed;
    entry* slopes; // all that were found, variable by variable
    size_t count, room;
} sweep;

static void visit_readers(sweep* s, const bool needed[], bool fill)
{
    for (int i = s->there - 1; i >= 0; i--) {
        const ss_instruction* in = ss_graph_instruction(s->graph, i);
        if (!needed[i] || ss_op_is_leaf(in->op)) continue;
        int operands[2] = {in->a, in->b}, count = ss_op_is_binary(in->op) ? 2 : 1;
        for (int k = 0; k < count; k++) {
            int* place = &s->start[operands[k]];
            if (fill)
                s->readers[--*place] = i;
            else
                ++*place;
        }
    }
}

static bool prepare_sweep(sweep* s, const int nodes[], int count)
{
    s->zero = ss_graph_constant(s->graph, 0);
    s->there = ss_graph_node_count(s->graph);
    size_t there = (size_t)s->there;
    bool* needed = ss_pool_new(&s->scratch, there, sizeof *needed);
    s->start = ss_pool_new(&s->scratch, there + 1, sizeof *s->start);
    s->readers = ss_pool_new(&s->scratch, 2 * there, sizeof *s->readers);
    s->first_row = ss_pool_new(&s->scratch, there, sizeof *s->first_row);
    s->further = ss_pool_new(&s->scratch, (size_t)count, sizeof *s->further);
    s->of = ss_pool_new(&s->scratch, there, sizeof *s->of);
    s->list = ss_pool_new(&s->scratch, there, sizeof *s->list);
    s->listed = ss_pool_new(&s->scratch, there, sizeof *s->listed);
    if (s->scratch.failed || ss_graph_failed(s->graph)) return false;
    ss_graph_mark(s->graph, nodes, count, needed);
    visit_readers(s, needed, false);
    for (int i = 0; i < s->there; i++) s->start[i + 1] += s->start[i]; // the ends: filling makes them starts
    visit_readers(s, needed, true);
    for (int i = 0; i < s->there; i++) {
        s->first_row[i] = -1;
        s->of[i] = s->zero;
    }
    for (int i = count - 1; i >= 0; i--) {
        s->further[i] = s->first_row[nodes[i]];
        s->first_row[nodes[i]] = i;
    }
    return true;
}

static int compare_nodes(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

// Lists the nodes that depend on the variable, operands before those who read them.
static int list_dependents(sweep* s, int variable)
{
    int count = 0;
    s->list[count++] = ss_graph_variable_node(s->graph, variable);
    for (int k = 0; k < count; k++) {
        int node = s->list[k];
        for (int r = s->start[node]; r < s->start[node + 1]; r++) {
            int reader = s->readers[r];
            if (!s->listed[reader]) s->list[count++] = reader;
            s->listed[reader] = true;
        }
    }
    qsort(s->list, (size_t)count, sizeof *s->list, compare_nodes);
    return count;
}

static bool sweep_variable(sweep* s, int variable)
{
    int count = list_dependents(s, variable);
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        int node = s->list[k], slope = ss_graph_derive(s->graph, node, s->of);
        s->of[node] = slope;
        good = !ss_graph_failed(s->graph);
        if (slope == s->zero) continue; // of jumps
        for (int row = s->first_row[node]; row >= 0 && good; row = s->further[row]) {
            good = ss_grow(&s->slopes, s->count, &s->room, sizeof *s->slopes);
            if (good) s->slopes[s->count++] = (entry){row, variable, slope};
        }
    }
    for (int k = 0; k < count; k++) {
        s->of[s->list[k]] = s->zero;
        s->listed[s->list[k]] = false;
    }
    return good;
}

// Row by row, within a row by variable: as they were found, variable by variable, they are counted into rows.
static bool collect(ss_jacobian* jacobian, ss_pool* pool, sweep* s, int rows)
{
    int* end = ss_pool_new(&s->scratch, (size_t)rows + 1, sizeof *end);
    jacobian->row = ss_pool_new(pool, s->count, sizeof(int));
    jacobian->variable = ss_pool_new(pool, s->count, sizeof(int));
    jacobian->node = ss_pool_new(pool, s->count, sizeof(int));
    if (!end || pool->failed) return false;
    for (size_t e = 0; e < s->count; e++) end[s->slopes[e].row]++;
    for (int i = 0; i < rows; i++) end[i + 1] += end[i];
    for (size_t e = s->count; e-- > 0;) {
        const entry* from = &s->slopes[e];
        int at = --end[from->row];
        jacobian->row[at] = from->row;
        jacobian->variable[at] = from->variable;
        jacobian->node[at] = from->node;
    }
    jacobian->count = (int)s->count;
    return true;
}

bool ss_jacobian_make(ss_jacobian* jacobian, ss_pool* pool, ss_graph* graph, const int nodes[], int count)
{
    *jacobian = (ss_jacobian){0};
    sweep s = {.graph = graph};
    bool good = prepare_sweep(&s, nodes, count);
    for (int v = 0; v < ss_graph_variable_count(graph) && good; v++) good = sweep_variable(&s, v);
    good = good && collect(jacobian, pool, &s, count);
    ss_pool_free(&s.scratch);
    free(s.slopes);
    return good;
}
