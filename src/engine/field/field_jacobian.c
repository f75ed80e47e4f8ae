// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivatives of the field as matrices: sums of M^-1 w times a slope times a row, after which contacts
// that hold take from every column what would move them.
#include "engine/field/field.h"
#include "law/table.h"

#include <string.h>

// Each element by itself; of the law as a whole only what depends on the speed is left.
static void split_elements(const ss_field* field, const ss_field_point* at, int i, ss_field_slopes* out)
{
    const ss_contact* contact = &field->model->contacts[i];
    const ss_law_elements* law = &contact->law_entry->elements;
    const ss_along* along = ss_field_along(field, i);
    ss_law_point point = {.v = ss_field_speed(field, at, i), .sign = along->sign, .along = along};
    double start[SS_MOST_ELEMENTS], load = out->law[i].load;
    out->law[i] = (ss_response){.force_v = out->law[i].force_v, .load = load};
    if (contact->loaded) {
        ss_response whole;
        contact->law_entry->point.at(ss_law_of(contact), &point, &whole);
        out->law[i].per_load = whole.force_v * point.v;
    }
    law->now(ss_law_of(contact), along, 0, 0.0, start, out->slips + out->z_at[i]);
    for (int k = 0; k < contact->elements; k++) {
        int z = out->z_at[i] + k;
        point.z = at->z[z];
        law->at(ss_law_of(contact), &point, k, out->slips[z], &out->element[z]);
        if (!contact->loaded) continue;
        out->law[i].per_load += out->element[z].pull * point.z;
        out->element[z].pull *= load;
    }
}

// Whether a normal force is an output of expressions.
static bool loads_follow(const ss_field* field)
{
    bool any = false;
    for (int i = 0; i < field->model->contact_count && field->programs; i++)
        any = any || (field->model->contacts[i].loaded && field->model->contacts[i].follows);
    return any;
}

void ss_field_linearise(const ss_field* field, const ss_field_point* at, ss_field_slopes* out)
{
    const ss_model* model = field->model;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double e = spring->cubic == 0.0 ? 0.0 : ss_field_elongation(field, at, spring);
        out->cubic[c] = 3.0 * spring->cubic * e * e;
    }
    if (loads_follow(field)) ss_field_outputs(field, at, field->programs->outputs);
    for (int i = 0; i < model->contact_count; i++) {
        bool answers = ss_field_response(field, at, i, &out->law[i]);
        if (!answers) out->law[i] = (ss_response){0};
        if (answers && out->element && model->contacts[i].elements > 0) split_elements(field, at, i, out);
    }
    if (field->programs) ss_field_output_slopes(field, at, out->slope);
}

// block += factor mobility row
static void add_outer(double jacobian[], int width, const ss_row* mobility, double factor, const ss_row* row,
                      int shift)
{
    if (factor == 0.0) return;
    for (int i = 0; i < mobility->count; i++)
        for (int k = 0; k < row->count; k++)
            jacobian[mobility->index[i] * width + shift + row->index[k]] +=
                factor * mobility->value[i] * row->value[k];
}

static void add_row(double out[], double factor, const ss_row* row)
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void differentiate_contact(const ss_field* field, int i, const ss_response* p, int width,
                                  double jacobian[], double forces[])
{
    const ss_contact* contact = &field->model->contacts[i];
    int n = field->model->n, j = field->laws->bristle_at[i];
    add_outer(jacobian, width, &contact->mobility, p->force_y, &contact->q, 0);
    add_outer(jacobian, width, &contact->mobility, p->force_v, &contact->q, n);
    if (forces) {
        add_row(forces + i * width, p->force_y, &contact->q);
        add_row(forces + i * width + n, p->force_v, &contact->q);
        if (j >= 0) forces[i * width + 2 * n + j] += p->force_z;
    }
    if (j < 0) return;
    for (int k = 0; k < contact->mobility.count; k++)
        jacobian[contact->mobility.index[k] * width + 2 * n + j] += p->force_z * contact->mobility.value[k];
    add_row(jacobian + (n + j) * width + n, p->rate_v, &contact->q);
    jacobian[(n + j) * width + 2 * n + j] += p->rate_z;
}

// What holds in group g takes from column c what would move it; only what its contacts touch is looked at.
static void hold_column(const ss_field* field, int g, int c, int width, double jacobian[], double forces[])
{
    const ss_group* group = &field->model->groups[g];
    const ss_hold* hold = &field->modes->holds[g];
    double *a = field->column, *lambda = a + field->model->n;
    for (int r = 0; r < hold->count; r++) {
        int i = group->contacts[hold->places[r]];
        const ss_contact* contact = &field->model->contacts[i];
        lambda[i] = 0.0;
        for (int k = 0; k < contact->q.count; k++)
            a[contact->q.index[k]] = jacobian[contact->q.index[k] * width + c];
        for (int k = 0; k < contact->mobility.count; k++)
            a[contact->mobility.index[k]] = jacobian[contact->mobility.index[k] * width + c];
    }
    ss_field_hold(field, g, 0.0, NULL, a, lambda);
    for (int r = 0; r < hold->count; r++) {
        int i = group->contacts[hold->places[r]];
        const ss_row* mobility = &field->model->contacts[i].mobility;
        if (forces) forces[i * width + c] += lambda[i];
        for (int k = 0; k < mobility->count; k++)
            jacobian[mobility->index[k] * width + c] = a[mobility->index[k]];
    }
}

void ss_field_jacobian(const ss_field* field, const ss_field_slopes* slopes, double jacobian[],
                       double forces[])
{
    const ss_model* model = field->model;
    const ss_operator* op = &model->matrices.flow;
    int n = model->n, states = ss_field_states(field), width = n + states;
    memset(jacobian, 0, (size_t)states * (size_t)width * sizeof(double));
    if (forces) memset(forces, 0, (size_t)model->contact_count * (size_t)width * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            jacobian[i * width + op->index[l]] -= op->stiffness[l];
            jacobian[i * width + n + op->index[l]] -= op->damping[l];
        }
    for (int c = 0; c < model->connection_count && slopes; c++)
        add_outer(jacobian, width, &model->connections[c].mobility, -slopes->cubic[c],
                  &model->connections[c].q, 0);
    if (model->open) ss_field_differentiate_expressions(field, slopes, jacobian, forces);
    for (int i = 0; i < model->contact_count && slopes; i++)
        differentiate_contact(field, i, &slopes->law[i], width, jacobian, forces);
    for (int j = 0; j < field->modes->active_count; j++)
        for (int c = 0; c < width; c++)
            hold_column(field, field->modes->active[j], c, width, jacobian, forces);
}
