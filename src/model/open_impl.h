// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What opens a model: states, inputs, signals, sampled controllers, potentials, and forces and friction
// levels that follow the motion. All expressions are nodes of one graph (core/expression/graph.h), over the
// variables
//
//     x of all bodies, v of all bodies, states, inputs, memory, forces of all contacts     in this order
//
// (bodies, not coordinates: x = T q + offset; driven ones as they are driven). The engine compiles the
// programs it needs (core/expression/program.h) from the nodes; all derivatives that it will want are in the
// graph already, so that the graph is constant and shared by threads:
//
//     M q'' = h + sum_j Q_j forces[j] + sum_i T_i^T gradient[i],     s' = rates
#ifndef SLIPSTICK_MODEL_OPEN_IMPL_H
#define SLIPSTICK_MODEL_OPEN_IMPL_H

#include "core/expression/program.h"
#include "model/model_impl.h"

/// What a node is, where it is affine: sum of value[k] * variable index[k], and a function of time.
typedef struct ss_affine {
    bool is_affine;
    ss_row row;            ///< over the variables
    const ss_signal* rest; ///< of t alone; owned by the model
} ss_affine;

typedef struct ss_open_state {
    char* name;
    ss_dimension dimension;
    double start;
    int rate; ///< node
    ss_affine affine;
} ss_open_state;

typedef struct ss_open_input {
    char* name;
    ss_dimension dimension;
    const ss_signal* signal; ///< holds until somebody sets it
} ss_open_input;

typedef struct ss_open_signal {
    const char* name;
    ss_dimension dimension;
    int node;
    const char* force_of; ///< the tie or connection whose force it is, or NULL
    bool of_tie, of_joint;
    const char* part; ///< as ss_number_info has it
} ss_open_signal;

typedef struct ss_open_memory {
    char* name;
    ss_dimension dimension;
    double value; ///< until the first tick
    int block;
} ss_open_memory;

/// A sampled controller. At a tick all writes are computed from the variables as they were before it (the
/// lines of at_tick have been put into one another), in values that are not frozen.
typedef struct ss_open_block {
    char* name;
    double every, offset, delay; ///< s
    int write_count;
    int* memory;        ///< index of what each write changes
    int* node;          ///< its new value
    ss_program program; ///< computes them
} ss_open_block;

/// Whether the lines count in steps (round, floor, sign, ..) what moves.
static inline bool ss_open_block_counts_steps(const ss_open_block* block)
{
    const ss_program* program = &block->program;
    for (int j = 0; j < program->kink_count; j++) {
        const ss_instruction* in = &program->code[program->kinks[j]];
        if (ss_op_is_jump(in->op) && (program->depends[in->a] & SS_ON_ANY)) return true;
    }
    return false;
}

/// A force that follows the motion: the node times the row.
typedef struct ss_open_force {
    int node;
    ss_row bodies;   ///< the row over bodies
    ss_row q, d;     ///< over coordinates, over drives
    ss_row mobility; ///< M^-1 q
    ss_work_kind ledger;
    int place; ///< forces[place] of the definition; of the damper of connection k: ss_place_of_damper(k)
    ss_affine affine;
} ss_open_force;

/// Which is its own inverse: `place` of a damper is negative.
static inline int ss_place_of_damper(int k) { return -1 - k; }

/// The force of all potentials on one body: minus the derivative of their sum.
typedef struct ss_open_gradient {
    int body;
    int node;
    ss_row q, mobility; ///< of the body; empty where it is driven: what it takes is work of the drive
    ss_affine affine;
} ss_open_gradient;

/// A friction level of a Coulomb contact that follows the motion.
typedef struct ss_open_level {
    int contact;
    int which; ///< as in ss_contact.level: forward, backward, static forward, static backward
    int node;
    int impulse; ///< node: the limit of level(s P)/s for large s, P being impulses; 0 where it follows no
                 ///< force
    const char* field; ///< "friction", "normal", ..: of contacts.NAME
} ss_open_level;

typedef struct ss_open {
    ss_graph* graph;
    int first_speed, first_state, first_input, first_memory;
    int first_force; ///< of contacts, ties among them; none are there where nothing asks for forces
    int variable_count;
    int state_count, input_count, signal_count, memory_count, block_count;
    ss_open_state* states;
    ss_open_input* inputs;
    ss_open_signal* signals;
    ss_open_memory* memory;
    ss_open_block* blocks;
    int force_count, potential_count, gradient_count, level_count;
    ss_open_force* forces;
    int* potentials; ///< nodes, J
    ss_open_gradient* gradients;
    ss_open_level* levels;
    bool affine; ///< all forces, gradients and rates are; levels may still follow the motion
    bool smooth; ///< no kink and no jump in them
    /// Derivatives by all variables of: forces (rows 0 ..), gradients, rates, levels, signals, in this order.
    ss_jacobian jacobian;
    int* nodes; ///< the nodes of those rows
    int node_count;
} ss_open;

/// Builds the open part of the model where the definition has one; the bodies, contacts and the row maps must
/// be there (build/open_*.c).
ss_status ss_model_open(ss_model* model, const ss_system_def* def, ss_error* err);
/// After the mobility is known: the rows M^-1 q of forces and gradients.
void ss_model_open_mobility(ss_model* model);
ss_status ss_open_finish(ss_model* model, ss_error* err); ///< the last part of ss_model_open
void ss_open_destroy(ss_open* open);
/// Whether a force of the definition belongs to the open part: an expression, or along a row.
bool ss_force_is_open(const ss_force_def* force);

#endif
