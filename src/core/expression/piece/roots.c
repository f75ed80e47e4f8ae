// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Roots and powers of squares in functions of time. The graph (graph.c) knows what is the same and writes
// sqrt(u^2) as |u|: a tape with such functions goes through it, and comes back with kinks that are located.
#include "core/expression/graph.h"

#include <stdlib.h>

static bool has_roots(const ss_tape* tape)
{
    for (int i = 0; i < tape->count; i++) {
        ss_op op = tape->code[i].op;
        if (op == SS_OP_SQRT || op == SS_OP_POWER || op == SS_OP_HYPOT) return true;
    }
    return false;
}

bool ss_tape_fold_roots(ss_tape* tape)
{
    if (!has_roots(tape)) return true;
    ss_graph* graph = ss_graph_create();
    if (!graph) return false;
    ss_error err;
    ss_tape folded;
    int node = ss_graph_add(graph, tape, NULL);
    ss_status status = node < 0 ? SS_NO_MEMORY : ss_graph_tape(graph, node, &folded, &err);
    ss_graph_destroy(graph);
    if (status == SS_OK) {
        free(tape->code);
        *tape = folded;
    }
    return status == SS_OK || status == SS_BAD_INPUT; // with too many registers it stays as it was
}
