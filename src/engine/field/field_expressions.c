// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// States, expressions of the motion, and friction levels at a point, with their derivatives by the tapes of
// the model. Kinks stay on the pieces that the mode has.
#include "engine/field/field.h"
#include "law/table.h"

#include <math.h>
#include <string.h>

enum { STATIC = SS_STATIC_FORWARD };

ss_field_programs* ss_field_make_programs(const ss_model* model, ss_pool* pool, const double decided[])
{
    const ss_actions* actions = model->actions;
    if (!model->open || actions->motion.output_count == 0) return NULL;
    ss_field_programs* own = ss_pool_spare(pool, 1, sizeof *own);
    size_t d = sizeof(double);
    if (!own) return NULL;
    own->decided = decided;
    own->pieces = ss_pool_spare(pool, (size_t)ss_graph_kink_count(model->open->graph), d);
    own->variables = ss_pool_spare(pool, (size_t)model->open->variable_count, d);
    own->outputs = ss_pool_spare(pool, (size_t)actions->motion.output_count, d);
    own->slopes = ss_pool_spare(pool, (size_t)actions->slopes.count, d);
    if (pool->failed || !ss_run_make_spare(&own->motion, pool, &actions->motion, own->pieces) ||
        !ss_run_make_spare(&own->slope, pool, &actions->slope, own->pieces))
        return NULL;
    return own;
}

// ---- values

// All variables of the expressions, and the pieces that hold.
static void take_point(const ss_field* field, const ss_field_point* at)
{
    const ss_model* model = field->model;
    const ss_open* open = model->open;
    ss_field_programs* own = field->programs;
    double* out = own->variables;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        out[b] = driven ? at->given.d[body->drive] : ss_row_dot(&body->row, at->q) + field->offset[b];
        out[open->first_speed + b] = driven ? at->given.d1[body->drive] : ss_row_dot(&body->row, at->v);
    }
    for (int j = 0; j < open->state_count; j++) out[open->first_state + j] = at->s[j];
    for (int j = 0; j < open->input_count + open->memory_count; j++)
        out[open->first_input + j] = at->given.input[j];
    memcpy(own->pieces, own->decided, (size_t)ss_graph_kink_count(open->graph) * sizeof(double));
}

const double* ss_field_outputs(const ss_field* field, const ss_field_point* at, double out[])
{
    take_point(field, at);
    ss_run_values(&field->programs->motion, at->t, field->programs->variables, true, out);
    return out;
}

const double* ss_field_output_slopes(const ss_field* field, const ss_field_point* at, double out[])
{
    take_point(field, at);
    ss_run_values(&field->programs->slope, at->t, field->programs->variables, true, out);
    return out;
}

static void push(const ss_row* mobility, double force, double a[])
{
    for (int k = 0; k < mobility->count; k++) a[mobility->index[k]] += mobility->value[k] * force;
}

void ss_field_add_expressions(const ss_field* field, const ss_field_point* at, double a[], double rates[])
{
    const ss_model* model = field->model;
    const ss_actions* actions = model->actions;
    const ss_state_flow* flow = &actions->flow;
    int pulls = actions->pull_count, states = model->open->state_count;
    for (int i = 0; i < model->n && states > 0; i++) a[i] += ss_sparse_dot(&flow->pull, i, at->s);
    for (int j = 0; j < states; j++)
        rates[j] = field->constant_rate[j] + ss_sparse_dot(&flow->places, j, at->q) +
                   ss_sparse_dot(&flow->speeds, j, at->v) + ss_sparse_dot(&flow->own, j, at->s) +
                   ss_sparse_dot(&flow->drives, j, at->given.d) +
                   ss_sparse_dot(&flow->drive_speeds, j, at->given.d1);
    for (int k = 0; k < pulls + states && at->given.slot; k++) {
        if (k < pulls)
            push(&actions->pulls[k].mobility, at->given.slot[k], a);
        else
            rates[k - pulls] += at->given.slot[k];
    }
    if (!field->programs) return;
    const double* out = ss_field_outputs(field, at, field->programs->outputs);
    for (int p = 0; p < pulls; p++)
        if (actions->pulls[p].output >= 0)
            push(&actions->pulls[p].mobility, out[actions->pulls[p].output], a);
    for (int j = 0; j < states; j++)
        if (actions->rates[j].output >= 0) rates[j] += out[actions->rates[j].output];
}

// ---- levels

// As it is given: by an expression of the motion, or otherwise.
static double given_level(const ss_field* field, const ss_field_point* at, int i, int which)
{
    const ss_model* model = field->model;
    if (model->contacts[i].follows & 1 << which)
        for (int l = 0; l < model->open->level_count; l++)
            if (model->open->levels[l].contact == i && model->open->levels[l].which == which)
                return field->programs->outputs[model->actions->level_output + l];
    return at->given.level[4 * field->inputs->level_at[i] + which];
}

double ss_field_load(const ss_field* field, const ss_field_point* at, int i)
{
    return given_level(field, at, i, SS_FORWARD);
}

// Levels that follow the motion are never below 0, and a level at rest is the larger of both, where one is
// given.
double ss_field_level(const ss_field* field, const ss_field_point* at, int i, int which)
{
    const ss_contact* contact = &field->model->contacts[i];
    if (field->inputs->level_at[i] < 0) return contact->levels[which];
    if (contact->loaded) return fmax(ss_field_load(field, at, i), 0.0) * contact->levels[which];
    double level = given_level(field, at, i, which);
    if (!contact->follows) return level;
    if (which < STATIC) return fmax(level, 0.0);
    bool given =
        contact->level[which] || contact->follows & 1 << which || contact->at_rest[which - STATIC] > 0.0;
    double kinetic = ss_field_level(field, at, i, which - STATIC);
    return given ? fmax(level, kinetic) : kinetic;
}

// ---- derivatives

// A row of derivatives gets factor times that by a variable of the expressions; columns are the coordinates,
// their speeds, and the states from `first` on.
static void add_by_variable(const ss_model* model, double row[], int first, int variable, double factor)
{
    const ss_open* open = model->open;
    if (variable >= open->first_input) return;
    if (variable >= open->first_state) {
        row[first + variable - open->first_state] += factor;
        return;
    }
    bool speed = variable >= open->first_speed;
    const ss_body* body = &model->bodies[speed ? variable - open->first_speed : variable];
    for (int k = 0; k < body->row.count && body->drive < 0; k++)
        row[(speed ? model->n : 0) + body->row.index[k]] += factor * body->row.value[k];
}

static void add_block(const ss_sparse* block, int row, int column, int width, double jacobian[])
{
    for (int i = 0; i < block->rows; i++)
        for (int l = block->start[i]; l < block->start[i + 1]; l++)
            jacobian[(row + i) * width + column + block->index[l]] += block->value[l];
}

// Levels that follow the motion, of contacts that slip by them.
static void differentiate_level(const ss_field* field, const ss_field_slopes* slopes, int l, int variable,
                                double slope, int first, int width, double jacobian[], double forces[])
{
    const ss_open_level* level = &field->model->open->levels[l];
    const ss_contact* contact = &field->model->contacts[level->contact];
    bool plus = field->modes->contacts[level->contact].mode == SS_MODE_SLIP_PLUS;
    if (!ss_field_slips(field, level->contact) || level->which != (plus ? SS_FORWARD : SS_BACKWARD)) return;
    double by = ss_field_per_level(field, slopes, level->contact) * slope;
    for (int k = 0; k < contact->mobility.count; k++)
        add_by_variable(field->model, jacobian + contact->mobility.index[k] * width, first, variable,
                        contact->mobility.value[k] * by);
    if (forces) add_by_variable(field->model, forces + level->contact * width, first, variable, by);
}

void ss_field_differentiate_expressions(const ss_field* field, const ss_field_slopes* by, double jacobian[],
                                        double forces[])
{
    const ss_model* model = field->model;
    const double* slopes = by && field->programs ? by->slope : NULL;
    const ss_actions* actions = model->actions;
    int n = model->n, before = n + field->laws->bristle_count, first = n + before,
        ns = model->open->state_count, width = first + ns;
    if (ns > 0) {
        add_block(&actions->flow.pull, 0, first, width, jacobian);
        add_block(&actions->flow.places, before, 0, width, jacobian);
        add_block(&actions->flow.speeds, before, n, width, jacobian);
        add_block(&actions->flow.own, before, first, width, jacobian);
    }
    for (int e = 0; e < actions->slopes.count && slopes; e++) {
        int output = actions->slopes.row[e], variable = actions->slopes.variable[e];
        for (int p = 0; p < actions->pull_count; p++) {
            const ss_row* mobility = &actions->pulls[p].mobility;
            for (int k = 0; k < mobility->count && actions->pulls[p].output == output; k++)
                add_by_variable(model, jacobian + mobility->index[k] * width, first, variable,
                                mobility->value[k] * slopes[e]);
        }
        for (int j = 0; j < ns; j++)
            if (actions->rates[j].output == output)
                add_by_variable(model, jacobian + (before + j) * width, first, variable, slopes[e]);
        if (output >= actions->level_output)
            differentiate_level(field, by, output - actions->level_output, variable, slopes[e], first, width,
                                jacobian, forces);
    }
}
