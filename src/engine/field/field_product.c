// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of the field along one direction: how accelerations, rates and forces change with the point.
// Linear in the direction, so that in linear models it also holds for each order of their series.
#include "engine/field/field.h"
#include "law/table.h"

#include <string.h>

static void add_scaled(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void add_sparse(const ss_sparse* a, const double x[], double factor, double out[])
{
    for (int i = 0; i < a->rows && a->start && x; i++)
        for (int l = a->start[i]; l < a->start[i + 1]; l++) out[i] += factor * a->value[l] * x[a->index[l]];
}

// ---- expressions

void ss_field_change_variables(const ss_field* field, ss_delta* io)
{
    const ss_model* model = field->model;
    const ss_open* open = model->open;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        io->vars[b] = driven ? io->d[body->drive] : ss_row_dot(&body->row, io->q);
        if (!driven && io->offset) io->vars[b] += io->offset[b];
        io->vars[open->first_speed + b] = driven ? io->d1[body->drive] : ss_row_dot(&body->row, io->v);
    }
    memcpy(io->vars + open->first_state, io->s, (size_t)open->state_count * sizeof(double));
    memcpy(io->vars + open->first_input, io->input, (size_t)open->input_count * sizeof(double));
    for (int j = 0; j < open->memory_count; j++) io->vars[open->first_memory + j] = io->m ? io->m[j] : 0.0;
    for (int v = open->first_force; v < open->variable_count; v++) io->vars[v] = 0.0; // known later
}

// What of an affine force is not in the operators: inputs, memory, offsets.
static double apply_rest(const ss_open* open, const ss_row* row, const ss_delta* io)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) {
        int at = row->index[k];
        if (at >= open->first_input) sum += row->value[k] * io->vars[at];
        if (at < open->first_speed && io->offset) sum += row->value[k] * io->offset[at];
    }
    return sum;
}

// Outputs that are not affine: of slots, and of levels that follow the motion.
static void apply_outputs(const ss_field* field, const ss_field_slopes* slopes, const double out[],
                          ss_delta* io)
{
    const ss_model* model = field->model;
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].output >= 0)
            add_scaled(&actions->pulls[p].mobility, out[actions->pulls[p].output], io->a);
    for (int j = 0; j < model->open->state_count; j++)
        if (actions->rates[j].output >= 0) io->rate[j] += out[actions->rates[j].output];
    for (int l = 0; l < model->open->level_count; l++) {
        int i = model->open->levels[l].contact, which = model->open->levels[l].which;
        bool plus = field->modes->contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (!ss_field_slips(field, i) || which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
        double force = ss_field_per_level(field, slopes, i) * out[actions->level_output + l];
        io->lambda[i] += force;
        add_scaled(&model->contacts[i].mobility, force, io->a);
    }
}

static void apply_open(const ss_field* field, ss_delta* io)
{
    const ss_model* model = field->model;
    const ss_actions* actions = model->actions;
    const ss_state_flow* flow = &actions->flow;
    add_sparse(&flow->pull, io->s, 1.0, io->a);
    add_sparse(&flow->places, io->q, 1.0, io->rate);
    add_sparse(&flow->speeds, io->v, 1.0, io->rate);
    add_sparse(&flow->own, io->s, 1.0, io->rate);
    add_sparse(&flow->drives, io->d, 1.0, io->rate);
    add_sparse(&flow->drive_speeds, io->d1, 1.0, io->rate);
    for (int p = 0; p < actions->pull_count && io->vars; p++)
        if (actions->pulls[p].affine)
            add_scaled(&actions->pulls[p].mobility,
                       apply_rest(model->open, &actions->pulls[p].affine->row, io), io->a);
    for (int j = 0; j < model->open->state_count && io->vars; j++)
        if (actions->rates[j].affine)
            io->rate[j] += apply_rest(model->open, &actions->rates[j].affine->row, io);
}

// How the outputs change at a point.
static const double* change_outputs(const ss_field* field, const double slopes[], const double vars[])
{
    const ss_actions* actions = field->model->actions;
    double* out = field->programs->outputs;
    memset(out, 0, (size_t)actions->motion.output_count * sizeof(double));
    for (int e = 0; e < actions->slopes.count; e++)
        out[actions->slopes.row[e]] += slopes[e] * vars[actions->slopes.variable[e]];
    return out;
}

// ---- contacts

static void apply_contact(const ss_field* field, const ss_field_slopes* slopes, int i, ss_delta* io)
{
    const ss_contact* contact = &field->model->contacts[i];
    const ss_response* law = &slopes->law[i];
    int z = slopes->z_at[i];
    double dv = ss_row_dot(&contact->q, io->v) + ss_row_dot(&contact->d, io->d1), force = law->force_v * dv;
    if (law->force_y != 0.0) {
        double dx = ss_row_dot(&contact->q, io->q) + ss_row_dot(&contact->d, io->d);
        if (io->offset) dx += ss_row_dot(&contact->bodies, io->offset);
        force += law->force_y * dx;
    }
    bool apart = contact->elements > 0 && slopes->element;
    for (int k = 0; k < contact->elements && apart; k++) {
        const ss_element_response* element = &slopes->element[z + k];
        force += element->pull * io->z[z + k];
        io->z_rate[z + k] += element->rate_v * dv + element->rate_z * io->z[z + k];
    }
    if (z >= 0 && !apart) {
        force += law->force_z * io->z[z];
        io->z_rate[z] += law->rate_v * dv + law->rate_z * io->z[z];
    }
    io->lambda[i] += force;
    add_scaled(&contact->mobility, force, io->a);
}

static bool answers(const ss_field* field, int i)
{
    bool closed = field->laws->elastic_at[i] >= 0 && field->modes->contacts[i].mode == SS_MODE_CLOSED;
    return field->model->contacts[i].law_entry->point.at && (closed || ss_field_slips(field, i));
}

// ---- all of it

void ss_field_apply(const ss_field* field, const ss_field_slopes* slopes, const double outputs[],
                    ss_delta* io)
{
    const ss_model* model = field->model;
    const ss_operator* op = &model->matrices.flow;
    for (int j = 0; model->open && j < model->open->state_count; j++) io->rate[j] = 0.0;
    for (int i = 0; i < model->contact_count; i++) io->lambda[i] = io->held[i] = 0.0;
    for (int i = 0; i < model->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * io->q[op->index[l]] + op->damping[l] * io->v[op->index[l]];
        io->a[i] = sum;
    }
    if (model->drive_count > 0) {
        add_sparse(&model->matrices.drive_stiffness, io->d, -1.0, io->a);
        add_sparse(&model->matrices.drive_damping, io->d1, -1.0, io->a);
    }
    if (model->open) apply_open(field, io);
    if (slopes && field->programs && !outputs) outputs = change_outputs(field, slopes->slope, io->vars);
    if (outputs) apply_outputs(field, slopes, outputs, io);
    for (int c = 0; c < model->connection_count && slopes; c++) {
        const ss_connection* spring = &model->connections[c];
        if (slopes->cubic[c] == 0.0) continue;
        double e = ss_row_dot(&spring->q, io->q) + ss_row_dot(&spring->d, io->d);
        if (io->offset) e += ss_row_dot(&spring->bodies, io->offset);
        add_scaled(&spring->mobility, -slopes->cubic[c] * e, io->a);
    }
    for (int i = 0; i < model->contact_count && slopes; i++)
        if (answers(field, i)) apply_contact(field, slopes, i, io);
}

// dlambda = -A^-1 (W^T da + dW^T a + Wd^T dd'' + dWd^T d''); what is in `held` already are changes of rows.
void ss_field_hold_change(const ss_field* field, ss_delta* io)
{
    const ss_model* model = field->model;
    for (int j = 0; j < field->modes->active_count; j++) {
        const ss_group* group = &model->groups[field->modes->active[j]];
        const ss_hold* hold = &field->modes->holds[field->modes->active[j]];
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            io->held[i] += ss_row_dot(&model->contacts[i].q, io->a);
            if (io->d2) io->held[i] += ss_row_dot(&model->contacts[i].d, io->d2);
        }
        for (int k = 0; k < hold->count; k++) {
            double force = 0.0;
            for (int c = 0; c < hold->count; c++)
                force -= hold->inverse[k * hold->count + c] * io->held[group->contacts[hold->places[c]]];
            io->lambda[group->contacts[hold->places[k]]] = force;
        }
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            add_scaled(&model->contacts[i].mobility, io->lambda[i], io->a);
        }
    }
}
