// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sampled controllers: the lines of a tick are put into one another, so that what a tick writes is one
// expression per memory, of the variables before it.
#include "core/error.h"
#include "model/build/open_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status check_block(const ss_names* names, const ss_sampled_def* block)
{
    char field[160];
    const char* name = block->name ? block->name : "";
    snprintf(field, sizeof field, "sampled.%.60s.every", name);
    if (!(block->every > 0.0) || !isfinite(block->every))
        return ss_fail(names->err, SS_BAD_INPUT, field, "must be a time > 0, not %g s", block->every);
    snprintf(field, sizeof field, "sampled.%.60s.offset", name);
    if (!(block->offset >= 0.0) || !isfinite(block->offset))
        return ss_fail(names->err, SS_BAD_INPUT, field, "must be a time >= 0, not %g s", block->offset);
    snprintf(field, sizeof field, "sampled.%.60s.delay", name);
    if (!(block->delay >= 0.0) || !(block->delay < block->every))
        return ss_fail(names->err, SS_BAD_INPUT, field,
                       "must be at least 0 and less than every (%g s), not %g s", block->every, block->delay);
    snprintf(field, sizeof field, "sampled.%.60s.at_tick", name);
    if (block->at_tick_count < 1)
        return ss_fail(names->err, SS_BAD_INPUT, field, "is missing; expected what is done at a tick");
    return SS_OK;
}

// One line: memory of this block gets a new node, another name is new for the rest of the tick. Memory of
// other blocks is theirs to write.
static ss_status add_line(ss_names* names, int b, int i, int first_memory, int written[])
{
    const ss_sampled_def* block = &names->def->sampled[b];
    const ss_formula_def* line = &block->at_tick[i];
    ss_open* open = names->model->open;
    char field[220];
    snprintf(field, sizeof field, "sampled.%.60s.at_tick[%d].%.60s", block->name, i,
             line->name ? line->name : "");
    int name = line->name ? ss_names_find(names, line->name) : -1, slot = name - open->first_memory;
    bool own = slot >= first_memory && slot < first_memory + block->memory_count;
    ss_expression expression;
    const ss_dimension* expected = own ? &names->variables[name].dimension : NULL;
    bool doubtful = own && !names->variables[name].has_unit; // a bare number: anything may be written
    ss_status status =
        ss_names_parse(names, line->expression, doubtful ? NULL : expected, field, &expression);
    if (status != SS_OK) return status;
    int node = ss_graph_add_expression(open->graph, &expression, names->nodes);
    if (node < 0) status = ss_fail_no_memory(names->err);
    if (status == SS_OK && own) {
        names->nodes[name] = node;
        written[slot - first_memory] = node;
        status = ss_open_renew_signals(names); // a signal is a name for its expression: it sees this, too
    } else if (status == SS_OK) {
        bool again = name >= names->first_signal + open->signal_count; // a name of this tick, once more
        if (again)
            names->nodes[name] = node;
        else
            status = ss_names_add_line(names, line->name, &expression, node, field);
    }
    free(expression.tape.code);
    return status;
}

static ss_status add_block(ss_names* names, int b, int first_memory)
{
    ss_model* model = names->model;
    ss_open* open = model->open;
    const ss_sampled_def* from = &names->def->sampled[b];
    ss_open_block* to = &open->blocks[b];
    int before = names->count;
    size_t count = (size_t)from->memory_count;
    *to = (ss_open_block){.every = from->every, .offset = from->offset, .delay = from->delay};
    to->name = ss_open_text(model, from->name ? from->name : "");
    to->memory = ss_pool_new(&model->pool, count, sizeof *to->memory);
    to->node = ss_pool_new(&model->pool, count, sizeof *to->node);
    int* written = ss_new(count, sizeof *written);
    ss_status status =
        model->pool.failed || !written ? ss_fail_no_memory(names->err) : check_block(names, from);
    for (int i = 0; i < from->memory_count && status == SS_OK; i++) written[i] = -1;
    for (int i = 0; i < from->at_tick_count && status == SS_OK; i++)
        status = add_line(names, b, i, first_memory, written);
    for (int i = 0; i < from->memory_count && status == SS_OK; i++) {
        int variable = open->first_memory + first_memory + i;
        names->nodes[variable] = ss_graph_variable_node(open->graph, variable); // outside, what was
        if (written[i] < 0) continue;
        to->memory[to->write_count] = first_memory + i;
        to->node[to->write_count++] = written[i];
    }
    ss_names_keep(names, before);
    free(written);
    return status == SS_OK ? ss_open_renew_signals(names) : status;
}

ss_status ss_open_add_blocks(ss_names* names)
{
    ss_open* open = names->model->open;
    int first = 0;
    for (int b = 0; b < names->def->sampled_count; b++) {
        const ss_sampled_def* from = &names->def->sampled[b];
        for (int i = 0; i < from->memory_count; i++) {
            ss_open_memory* to = &open->memory[first + i];
            if (!isfinite(from->memory[i].value))
                return ss_fail(names->err, SS_BAD_INPUT, "sampled", "memory must begin with a finite number");
            *to = (ss_open_memory){.name = ss_open_text(names->model, from->memory[i].name),
                                   .dimension = names->variables[open->first_memory + first + i].dimension,
                                   .value = from->memory[i].value,
                                   .block = b};
        }
        ss_status status = add_block(names, b, first);
        if (status != SS_OK) return status;
        first += from->memory_count;
    }
    return SS_OK;
}
