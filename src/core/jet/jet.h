// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Jets: what a formula is written in once. A jet is a number, or a node of a graph (core/expression/graph.h),
// from which values, Taylor series, tangents and derivatives of any order follow; the arithmetic is that of
// expressions, so that a formula in C and one in a model file are the same thing.
//
//     ss_jet rate = ss_jet_sub(v, ss_jet_mul(ss_jet_div(speed, level), z));
//
// Of numbers and nodes together a node is made. Where there is no memory the graph says so in the end.
#ifndef SLIPSTICK_CORE_JET_H
#define SLIPSTICK_CORE_JET_H

#include "core/expression/graph.h"

typedef struct ss_jet {
    ss_graph* graph; ///< NULL: a number
    int node;
    double value; ///< of a number; of a node what it is where the graph was made, for exponents
} ss_jet;

static inline ss_jet ss_jet_number(double value) { return (ss_jet){.value = value}; }

/// One operation, as in ss_op; b is not looked at where the operation has one operand.
ss_jet ss_jet_apply(ss_op op, ss_jet a, ss_jet b, double p);
/// a^n. Where n is a node the power is exact at its value, and its first derivative by n there, too.
ss_jet ss_jet_power(ss_jet a, ss_jet n);
/// The node that it is in this graph.
int ss_jet_node(ss_jet a, ss_graph* graph);

static inline ss_jet ss_jet_add(ss_jet a, ss_jet b) { return ss_jet_apply(SS_OP_ADD, a, b, 0.0); }
static inline ss_jet ss_jet_sub(ss_jet a, ss_jet b) { return ss_jet_apply(SS_OP_SUB, a, b, 0.0); }
static inline ss_jet ss_jet_mul(ss_jet a, ss_jet b) { return ss_jet_apply(SS_OP_MUL, a, b, 0.0); }
static inline ss_jet ss_jet_div(ss_jet a, ss_jet b) { return ss_jet_apply(SS_OP_DIV, a, b, 0.0); }
static inline ss_jet ss_jet_scale(double p, ss_jet a) { return ss_jet_apply(SS_OP_SCALE, a, a, p); }
static inline ss_jet ss_jet_shift(ss_jet a, double p) { return ss_jet_apply(SS_OP_SHIFT, a, a, p); }
static inline ss_jet ss_jet_neg(ss_jet a) { return ss_jet_scale(-1.0, a); }
/// A function of one argument: SS_OP_EXP, SS_OP_ABS, ..
static inline ss_jet ss_jet_of(ss_op op, ss_jet a) { return ss_jet_apply(op, a, a, 0.0); }

#endif
