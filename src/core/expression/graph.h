// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Expressions of the motion: one graph for all of a model's forces, rates, signals, potentials and levels,
// over common variables (positions, speeds, states, inputs, memory) and t. What is written twice is there
// once. The graph is built, differentiated and asked what it knows while a model is made; programs
// (core/expression/program.h) are compiled from it, and from then on all is constant and shared by threads.
//
//     int x = ss_graph_variable(graph, SS_ON_POSITION);           variable number 0, 1, ..
//     int force = ss_graph_add(graph, &expression.tape, nodes);   a node; nodes[i] stands for variable i
//     int slope = ss_graph_derivative(graph, force, 0);           again a node: of any order, exact
//
// Nodes are numbers; -1 says that there was no memory (see ss_graph_failed: it may be asked once at the end,
// every function takes -1 and returns it).
#ifndef SLIPSTICK_CORE_GRAPH_H
#define SLIPSTICK_CORE_GRAPH_H

#include "core/expression/expression.h"

/// What a node depends on: the kinds of variables, and what it contains.
typedef enum ss_depends {
    SS_ON_TIME = 1,
    SS_ON_POSITION = 2,
    SS_ON_SPEED = 4,
    SS_ON_STATE = 8,
    SS_ON_INPUT = 16,
    SS_ON_MEMORY = 32,
    SS_ON_MOTION = SS_ON_POSITION | SS_ON_SPEED | SS_ON_STATE,
    SS_ON_FORCE = 1024, ///< forces that are known only once the accelerations are
    SS_ON_ANY = SS_ON_MOTION | SS_ON_INPUT | SS_ON_MEMORY | SS_ON_FORCE, ///< any variable, not only t
    SS_HAS_KINKS = 64,      ///< abs, min, max, clip, the cut of atan2: continuous, but for atan2
    SS_HAS_JUMPS = 128,     ///< sign, floor, ceil, round, step, and derivatives of kinks
    SS_HAS_PACES = 256,     ///< bounds of exp and tanh: they end pieces, the function is smooth
    SS_JUMPS_BY_RATE = 512, ///< a jump whose argument depends on speeds, states or forces
} ss_depends;

enum { SS_VARIABLE_TIME = -1 }; ///< t, where a variable is asked for

typedef struct ss_graph ss_graph;

ss_graph* ss_graph_create(void); ///< NULL when there is no memory
void ss_graph_destroy(ss_graph* graph);
bool ss_graph_failed(const ss_graph* graph); ///< some node could not be made for want of memory
int ss_graph_fail(ss_graph* graph);          ///< files that, returns -1
int ss_graph_node_count(const ss_graph* graph);
int ss_graph_kink_count(const ss_graph* graph); ///< length of the array of pieces that programs share

/// Declares the next variable and returns its node; kind is one of SS_ON_POSITION .. SS_ON_FORCE.
int ss_graph_variable(ss_graph* graph, ss_depends kind);
int ss_graph_variable_count(const ss_graph* graph);
int ss_graph_variable_node(const ss_graph* graph, int variable);

int ss_graph_constant(ss_graph* graph, double value);
/// What a tape computes; its variable i (SS_OP_VARIABLE) is the node nodes[i], which may be any node: that is
/// how signals come into expressions.
int ss_graph_add(ss_graph* graph, const ss_tape* tape, const int nodes[]);
/// A parsed expression, constant or not.
int ss_graph_add_expression(ss_graph* graph, const ss_expression* expression, const int nodes[]);
/// One operation on nodes (not the leaves); constants are folded, p and q as in ss_op.
int ss_graph_apply(ss_graph* graph, ss_op op, int a, int b, double p);
/// As ss_graph_apply, for whoever makes instructions: kink numbers are given by the graph.
int ss_graph_node(ss_graph* graph, ss_instruction in);

/// The derivative of a node by a variable (or t): 0 where it does not depend on it. Of kinks, that of the
/// piece; of jumps, 0.
int ss_graph_derivative(ss_graph* graph, int node, int variable);
/// One step of it, for whoever derives many nodes by one variable: the derivative of a node that depends on
/// the variable, from those of its operands, of[]; entries of others are not looked at.
int ss_graph_derive(ss_graph* graph, int node, const int of[]);

// ---- what is known

unsigned ss_graph_depends(const ss_graph* graph, int node); ///< of ss_depends
bool ss_graph_is_constant(const ss_graph* graph, int node, double* value);
/// Whether the node uses the variable.
bool ss_graph_uses(const ss_graph* graph, int node, int variable);
/// Whether the node is affine: sum of coefficients[i] times variable i, and a rest that depends on t alone.
/// Fills one coefficient per variable of the graph and the node of the rest (0 where there is none).
bool ss_graph_affine(ss_graph* graph, int node, double coefficients[], int* rest);
/// A node that depends on t alone, as a tape; one whose result is a constant has a single instruction.
ss_status ss_graph_tape(const ss_graph* graph, int node, ss_tape* tape, ss_error* err);
/// The same as a signal.
ss_status ss_graph_signal(const ss_graph* graph, int node, ss_signal** out, ss_error* err);

/// The instruction of a node: a, b are nodes, out the node itself.
const ss_instruction* ss_graph_instruction(const ss_graph* graph, int node);
/// Marks the nodes that the given ones need, themselves included; marks has one entry per node.
void ss_graph_mark(const ss_graph* graph, const int nodes[], int count, bool marks[]);

#endif
