// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is known of the open part of a model once all its nodes are there: what is affine, all derivatives,
// and the friction levels at the start.
#include "model/open_impl.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "law/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- what is affine

static ss_status keep_rest(ss_model* model, int node, const ss_signal** out, ss_error* err)
{
    ss_signal* signal = NULL;
    ss_status status = ss_graph_signal(model->open->graph, node, &signal, err);
    if (status != SS_OK) return status;
    model->signals[model->signal_count++] = signal;
    *out = signal;
    return SS_OK;
}

static ss_status find_affine(ss_model* model, int node, double coefficients[], ss_affine* out, ss_error* err)
{
    ss_open* open = model->open;
    int rest = -1, count = 0;
    out->is_affine = ss_graph_affine(open->graph, node, coefficients, &rest);
    if (ss_graph_failed(open->graph)) return ss_fail_no_memory(err);
    unsigned depends = ss_graph_depends(open->graph, node);
    if (depends & SS_ON_FORCE) out->is_affine = false; // what the forces are, no matrix tells
    if (!out->is_affine && depends & (SS_HAS_KINKS | SS_HAS_JUMPS)) open->smooth = false;
    if (!out->is_affine) {
        open->affine = false;
        return SS_OK;
    }
    for (int i = 0; i < open->variable_count; i++) count += coefficients[i] != 0.0;
    out->row = (ss_row){count, ss_pool_new(&model->pool, (size_t)count, sizeof(int)),
                        ss_pool_new(&model->pool, (size_t)count, sizeof(double))};
    if (model->pool.failed) return ss_fail_no_memory(err);
    for (int i = 0, k = 0; i < open->variable_count; i++) {
        if (coefficients[i] == 0.0) continue;
        out->row.index[k] = i;
        out->row.value[k++] = coefficients[i];
    }
    return keep_rest(model, rest, &out->rest, err);
}

static ss_status find_all_affine(ss_model* model, ss_error* err)
{
    ss_open* open = model->open;
    double* coefficients = ss_new((size_t)open->variable_count, sizeof *coefficients);
    if (!coefficients) return ss_fail_no_memory(err);
    ss_status status = SS_OK;
    open->affine = open->smooth = true;
    for (int i = 0; i < open->force_count && status == SS_OK; i++)
        status = find_affine(model, open->forces[i].node, coefficients, &open->forces[i].affine, err);
    for (int i = 0; i < open->gradient_count && status == SS_OK; i++)
        status = find_affine(model, open->gradients[i].node, coefficients, &open->gradients[i].affine, err);
    for (int i = 0; i < open->state_count && status == SS_OK; i++)
        status = find_affine(model, open->states[i].rate, coefficients, &open->states[i].affine, err);
    free(coefficients);
    return status;
}

// ---- derivatives

static ss_status differentiate(ss_model* model, ss_error* err)
{
    ss_open* open = model->open;
    int count =
        open->force_count + open->gradient_count + open->state_count + open->level_count + open->signal_count;
    open->nodes = ss_pool_new(&model->pool, (size_t)count, sizeof *open->nodes);
    if (model->pool.failed) return ss_fail_no_memory(err);
    int* to = open->nodes;
    for (int i = 0; i < open->force_count; i++) *to++ = open->forces[i].node;
    for (int i = 0; i < open->gradient_count; i++) *to++ = open->gradients[i].node;
    for (int i = 0; i < open->state_count; i++) *to++ = open->states[i].rate;
    for (int i = 0; i < open->level_count; i++) *to++ = open->levels[i].node;
    for (int i = 0; i < open->signal_count; i++) *to++ = open->signals[i].node;
    open->node_count = count;
    bool good = ss_jacobian_make(&open->jacobian, &model->pool, open->graph, open->nodes, count);
    return good ? SS_OK : ss_fail_no_memory(err);
}

// ---- the start

static void fill_start(const ss_model* model, double x[])
{
    const ss_open* open = model->open;
    for (int i = 0; i < model->body_count; i++) {
        x[i] = model->bodies[i].start_x;
        x[open->first_speed + i] = model->bodies[i].start_v;
    }
    for (int i = 0; i < open->state_count; i++) x[open->first_state + i] = open->states[i].start;
    for (int i = 0; i < open->input_count; i++)
        x[open->first_input + i] = ss_signal_value(open->inputs[i].signal, 0.0);
    for (int i = 0; i < open->memory_count; i++) x[open->first_memory + i] = open->memory[i].value;
}

// The number that a law tells of a level is the one at the start; one that is negative there is a fault.
static ss_status set_level(ss_model* model, const ss_open_level* level, double value, double size,
                           ss_error* err)
{
    static const double rounding = SS_RELATIVE_ZERO; // smaller levels, beside their terms, are 0 as in a run
    ss_contact* contact = &model->contacts[level->contact];
    ss_coulomb* law = &contact->coulomb;
    double* numbers[4] = {&law->forward, &law->backward, &law->static_forward, &law->static_backward};
    char field[160];
    snprintf(field, sizeof field, "contacts.%.60s.%.40s", contact->name, level->field);
    contact->follows |= 1 << level->which;
    if (!contact->loaded) *numbers[level->which] = 0.0;
    if (ss_graph_depends(model->open->graph, level->node) & SS_ON_FORCE) return SS_OK; // told by a run
    if (!isfinite(value)) return ss_fail(err, SS_BAD_INPUT, field, "is not a finite number at the start");
    if (value < -rounding * size)
        return ss_fail_out_of_range(err, ss_fail(err, SS_BAD_INPUT, field,
                                                 "must not be negative (%g %s at the start)", value,
                                                 contact->angular ? "N*m" : "N"));
    if (!contact->loaded) *numbers[level->which] = fmax(value, 0.0);
    return SS_OK;
}

static ss_status set_levels(ss_model* model, ss_error* err)
{
    ss_open* open = model->open;
    if (open->level_count == 0) return SS_OK;
    ss_pool pool = {0};
    size_t count = (size_t)open->level_count, kinks = (size_t)ss_graph_kink_count(open->graph);
    int* nodes = ss_pool_new(&pool, count, sizeof *nodes);
    double *x = ss_pool_new(&pool, (size_t)open->variable_count, sizeof *x),
           *values = ss_pool_new(&pool, count, 2 * sizeof *values),
           *pieces = ss_pool_new(&pool, kinks, sizeof *pieces);
    ss_program program;
    ss_run run;
    for (int i = 0; i < open->level_count && !pool.failed; i++) nodes[i] = open->levels[i].node;
    ss_status status = SS_OK;
    if (pool.failed || !ss_program_make(&program, &pool, open->graph, nodes, open->level_count) ||
        !ss_run_make(&run, &pool, &program, 0, pieces)) {
        status = ss_fail_no_memory(err);
    } else {
        fill_start(model, x);
        (void)ss_run_values(&run, 0.0, x, false, values); // what is not finite is told level by level
        ss_run_sizes(&run, 0.0, x, values + count);
    }
    for (int i = 0; i < open->level_count && status == SS_OK; i++)
        status = set_level(model, &open->levels[i], values[i], values[count + (size_t)i], err);
    ss_pool_free(&pool);
    for (int c = 0; c < model->contact_count && status == SS_OK; c++) {
        ss_coulomb* law = &model->contacts[c].coulomb;
        if (!model->contacts[c].follows || model->contacts[c].loaded) continue;
        law->static_forward = fmax(law->static_forward, law->forward);
        law->static_backward = fmax(law->static_backward, law->backward);
        ss_contact_adopt_levels(&model->contacts[c]);
    }
    return status;
}

static ss_status compile_blocks(ss_model* model, ss_error* err)
{
    ss_open* open = model->open;
    for (int b = 0; b < open->block_count; b++) {
        ss_open_block* block = &open->blocks[b];
        if (!ss_program_make(&block->program, &model->pool, open->graph, block->node, block->write_count))
            return ss_fail_no_memory(err);
    }
    return SS_OK;
}

ss_status ss_open_finish(ss_model* model, ss_error* err)
{
    ss_status status = find_all_affine(model, err);
    if (status == SS_OK) status = differentiate(model, err);
    if (status == SS_OK) status = compile_blocks(model, err);
    return status == SS_OK ? set_levels(model, err) : status;
}

void ss_model_open_mobility(ss_model* model)
{
    ss_open* open = model->open;
    if (!open) return;
    for (int i = 0; i < open->force_count; i++)
        ss_model_apply_mobility(model, &open->forces[i].q, &open->forces[i].mobility);
    for (int i = 0; i < open->gradient_count; i++)
        ss_model_apply_mobility(model, &open->gradients[i].q, &open->gradients[i].mobility);
}

// ---- what can be asked

ss_status ss_model_expect_no_forces(const ss_model* model, const char* who, ss_error* err)
{
    if (!model->open || model->open->variable_count == model->open->first_force) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, NULL,
                   "%s cannot handle forces of contacts and ties by name (NAME.force, ties with names) yet",
                   who);
}

ss_status ss_model_expect_no_joints(const ss_model* model, const char* who, ss_error* err)
{
    if (!model->joints) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "joints",
                   "%s cannot handle joints yet: their rows turn with the motion", who);
}

ss_status ss_model_expect_closed(const ss_model* model, const char* who, ss_error* err)
{
    if (model->nature.one_way)
        return ss_fail(err, SS_BAD_INPUT, NULL, "%s cannot handle an infinite friction level yet", who);
    if (!model->open) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, NULL,
                   "%s cannot handle states, inputs, signals, potentials, sampled controllers, or forces and "
                   "levels that follow the motion yet",
                   who);
}
