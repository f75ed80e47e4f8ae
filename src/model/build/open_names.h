// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The names that expressions of the motion may use, and their dimensions.
#ifndef SLIPSTICK_MODEL_BUILD_OPEN_NAMES_H
#define SLIPSTICK_MODEL_BUILD_OPEN_NAMES_H

#include "core/expression/expression.h"
#include "model/open_impl.h"

/// All names: those of the variables in the order of the graph, forces of connections and joints, places and
/// speeds of points (x, y, vx, vy of each), then the signals. Within a tick, lines follow: they are added and
/// taken away again.
typedef struct ss_names {
    ss_model* model;
    const ss_system_def* def;
    ss_scope scope;
    ss_variable* variables;
    int* nodes; ///< of each, in the graph; of a signal once it is built
    int count, room;
    ss_words words;       ///< the names of the variables
    int first_connection; ///< of the forces of connections that have names, then the signals
    int first_joint;      ///< of the names of forces of joints that are not those of a row
    int first_point;      ///< of the names of points
    int point_names;      ///< points whose names have been checked
    int first_signal;
    bool* of_forces; ///< of each name: it is a force, or a signal that uses one
    ss_expression*
        expressions; ///< of the signals, and in which order they can be built; freed with the names
    int* order;
    ss_error* err;
    bool failed; ///< there was no memory while dimensions were looked for
} ss_names;

ss_status ss_names_make(ss_names* names, ss_model* model, const ss_system_def* def, ss_error* err);
/// Parses with all names; on an error the field is put before its column. expected may be NULL.
ss_status ss_names_parse(ss_names* names, const char* text, const ss_dimension* expected, const char* field,
                         ss_expression* out);
/// Index of a state, input, memory, signal or line; -1 if there is none.
int ss_names_find(const ss_names* names, const char* name);
/// Adds a name for the rest of a tick.
ss_status ss_names_add_line(ss_names* names, const char* name, const ss_expression* value, int node,
                            const char* field);
/// Finds the dimensions of states, signals and memory that do not say theirs, from the expressions.
ss_status ss_names_infer(ss_names* names);
/// From now on an expression that uses a force is refused for this reason; NULL: they are welcome again.
void ss_names_refuse_forces(ss_names* names, const char* reason);
/// Whether a name that the expression uses is a force, or a signal that uses one.
bool ss_names_uses_forces(const ss_names* names, const ss_expression* expression);
/// Adds the name of a force.
void ss_names_add_force(ss_names* names, const char* name, ss_dimension dimension);
/// Whether a name is the place of a point: it depends on places alone.
bool ss_names_is_place(const ss_names* names, int name);
/// Takes away the names after the first `count`: the lines of a tick.
void ss_names_keep(ss_names* names, int count);

/// The parts that have files of their own: open_signals.c, open_sampled.c.
ss_status ss_open_add_signals(ss_names* names);
ss_status ss_open_add_blocks(ss_names* names);
/// Builds the signals anew, over the nodes that the names stand for now: within a tick, what was written.
ss_status ss_open_renew_signals(ss_names* names);
void ss_names_free(ss_names* names);
/// An expression that acts on the motion as a node: no jump in it may depend on speeds or states.
ss_status ss_open_add_action(ss_names* names, const char* text, const ss_dimension* expected,
                             const char* field, int* node);
/// A copy in the model's pool.
char* ss_open_text(ss_model* model, const char* text);

#endif
