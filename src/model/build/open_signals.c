// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals of a model: each is built once those it needs are; what is left goes in a circle.
#include "core/error.h"
#include "model/build/open_names.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_ready(const ss_names* names, const ss_expression* expression, int* waits_for)
{
    for (int i = 0; i < expression->tape.count && expression->varies; i++) {
        const ss_instruction* in = &expression->tape.code[i];
        if (in->op != SS_OP_VARIABLE || names->nodes[in->a] >= 0) continue;
        *waits_for = in->a - names->first_signal;
        return false;
    }
    return true;
}

// Signals that wait for each other: names the circle.
static ss_status fail_circle(ss_names* names, int first)
{
    const ss_formula_def* signals = names->def->signals;
    int next = first, steps = names->def->signal_count;
    char field[160], text[240];
    while (steps-- > 0) (void)is_ready(names, &names->expressions[next], &next); // now on the circle for sure
    int start = next;
    size_t used = (size_t)snprintf(text, sizeof text, "%.40s", signals[start].name);
    do {
        (void)is_ready(names, &names->expressions[next], &next);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, " needs %.40s%s", signals[next].name,
                                     next == start ? "" : ", which");
    } while (next != start && used < sizeof text);
    snprintf(field, sizeof field, "signals.%.60s", signals[start].name);
    return ss_fail(names->err, SS_BAD_INPUT, field, "signals go in a circle: %s", text);
}

static ss_status build_signals(ss_names* names)
{
    ss_open* open = names->model->open;
    int built = 0, waits_for = 0;
    for (bool progress = true; progress && built < open->signal_count;) {
        progress = false;
        for (int i = 0; i < open->signal_count; i++) {
            int* node = &names->nodes[names->first_signal + i];
            if (*node >= 0 || !is_ready(names, &names->expressions[i], &waits_for)) continue;
            *node = ss_graph_add_expression(open->graph, &names->expressions[i], names->nodes);
            if (*node < 0) return ss_fail_no_memory(names->err);
            open->signals[i].node = *node;
            progress = true;
            names->order[built++] = i;
        }
    }
    for (int i = 0; i < open->signal_count; i++)
        if (names->nodes[names->first_signal + i] < 0) return fail_circle(names, i);
    return SS_OK;
}

ss_status ss_open_add_signals(ss_names* names)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    size_t count = (size_t)open->signal_count;
    names->expressions = ss_new(count, sizeof *names->expressions);
    names->order = ss_new(count, sizeof *names->order);
    if (!names->expressions || !names->order) return ss_fail_no_memory(names->err);
    ss_status status = SS_OK;
    for (int i = 0; i < open->signal_count && status == SS_OK; i++) {
        const ss_formula_def* from = &names->def->signals[i];
        char field[160];
        snprintf(field, sizeof field, "signals.%.60s", from->name);
        status = ss_names_parse(names, from->expression, NULL, field, &names->expressions[i]);
        open->signals[i].name = ss_open_text(model, from->name);
        open->signals[i].dimension = names->variables[names->first_signal + i].dimension;
    }
    return status == SS_OK ? build_signals(names) : status;
}

ss_status ss_open_renew_signals(ss_names* names)
{
    ss_open* open = names->model->open;
    for (int k = 0; k < open->signal_count; k++) {
        int i = names->order[k];
        int node = ss_graph_add_expression(open->graph, &names->expressions[i], names->nodes);
        if (node < 0) return ss_fail_no_memory(names->err);
        names->nodes[names->first_signal + i] = node;
    }
    return SS_OK;
}
