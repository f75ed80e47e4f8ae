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

// Who waits for whom: signal i is needed by users[start[i]] .. users[start[i + 1] - 1].
typedef struct waiting {
    ss_pool scratch;
    int *start, *users;
    int* needs; // how many of those that signal i needs are not ready yet
    int* round; // the round in which it is built
    int* ready; // those that are ready, in the order in which they became so
    int ready_count;
} waiting;

// Counts the uses of signals by signals, and where there is a place for them, writes them down.
static int visit_uses(const ss_names* names, waiting* w, bool fill)
{
    int uses = 0;
    for (int i = names->def->signal_count - 1; i >= 0; i--) {
        const ss_expression* expression = &names->expressions[i];
        for (int k = 0; k < expression->tape.count && expression->varies; k++) {
            const ss_instruction* in = &expression->tape.code[k];
            int needed = in->a - names->first_signal;
            if (in->op != SS_OP_VARIABLE || needed < 0) continue;
            uses++;
            if (fill) {
                w->users[--w->start[needed]] = i;
            } else {
                w->start[needed]++;
                w->needs[i]++;
            }
        }
    }
    return uses;
}

static bool find_uses(const ss_names* names, waiting* w)
{
    size_t count = (size_t)names->def->signal_count;
    w->start = ss_pool_new(&w->scratch, count + 1, sizeof *w->start);
    w->needs = ss_pool_new(&w->scratch, count, sizeof *w->needs);
    w->round = ss_pool_new(&w->scratch, count, sizeof *w->round);
    w->ready = ss_pool_new(&w->scratch, count, sizeof *w->ready);
    if (w->scratch.failed) return false;
    w->users = ss_pool_new(&w->scratch, (size_t)visit_uses(names, w, false), sizeof *w->users);
    if (w->scratch.failed) return false;
    for (size_t i = 0; i < count; i++) w->start[i + 1] += w->start[i]; // the ends: filling makes them starts
    (void)visit_uses(names, w, true);
    return true;
}

// Signals are built in rounds through the list, each as soon as all are there that it needs: in the same
// round as one that stands before it, in the next as one that stands behind it.
static void find_rounds(waiting* w, int count)
{
    for (int i = 0; i < count; i++)
        if (w->needs[i] == 0) w->ready[w->ready_count++] = i;
    for (int k = 0; k < w->ready_count; k++) {
        int i = w->ready[k];
        for (int u = w->start[i]; u < w->start[i + 1]; u++) {
            int user = w->users[u], round = w->round[i] + (i > user);
            if (round > w->round[user]) w->round[user] = round;
            if (--w->needs[user] == 0) w->ready[w->ready_count++] = user;
        }
    }
}

// Sorts what is ready by round, within a round as listed; there are fewer rounds than signals.
static bool put_in_order(waiting* w, int count, int order[])
{
    int* end = ss_pool_new(&w->scratch, (size_t)count + 1, sizeof *end);
    if (!end) return false;
    for (int i = 0; i < count; i++)
        if (w->needs[i] == 0) end[w->round[i]]++;
    for (int r = 0; r < count; r++) end[r + 1] += end[r];
    for (int i = count - 1; i >= 0; i--)
        if (w->needs[i] == 0) order[--end[w->round[i]]] = i;
    return true;
}

static ss_status build_signals(ss_names* names)
{
    ss_open* open = names->model->open;
    waiting w = {0};
    bool good = find_uses(names, &w);
    if (good) find_rounds(&w, open->signal_count);
    good = good && put_in_order(&w, open->signal_count, names->order);
    ss_pool_free(&w.scratch);
    if (!good) return ss_fail_no_memory(names->err);
    for (int k = 0; k < w.ready_count; k++) {
        int i = names->order[k];
        int node = ss_graph_add_expression(open->graph, &names->expressions[i], names->nodes);
        if (node < 0) return ss_fail_no_memory(names->err);
        names->nodes[names->first_signal + i] = open->signals[i].node = node;
        names->of_forces[names->first_signal + i] = ss_names_uses_forces(names, &names->expressions[i]);
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
