// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The field at a point. The sign of v is that of the mode, also where a point lies beyond a reversal:
// formulas go on as they are before it, because a kink there would spoil a polynomial through the points of a
// step, and with it the time of the reversal.
#include "engine/field/field.h"
#include "law/table.h"

static void push(const ss_row* mobility, double force, double a[])
{
    for (int k = 0; k < mobility->count; k++) a[mobility->index[k]] += mobility->value[k] * force;
}

// ---- one contact

double ss_field_speed(const ss_field* field, const ss_field_point* at, int i)
{
    const ss_contact* contact = &field->model->contacts[i];
    return ss_row_dot(&contact->q, at->v) + ss_row_dot(&contact->d, at->given.d1);
}

double ss_field_way(const ss_field* field, const ss_field_point* at, int i)
{
    const ss_contact* contact = &field->model->contacts[i];
    return ss_row_dot(&contact->q, at->q) - ss_row_dot(&contact->q, field->q) +
           ss_row_dot(&contact->d, at->given.d) - ss_row_dot(&contact->d, field->d);
}

const ss_along* ss_field_along(const ss_field* field, int i)
{
    const ss_law_series* laws = field->laws;
    if (laws->bristle_at[i] >= 0) return &laws->bristles[laws->bristle_at[i]].along;
    return laws->curved_at[i] >= 0 ? &laws->curved[laws->curved_at[i]] : NULL;
}

bool ss_field_answer(const ss_field* field, int i, double way, double v, double z, ss_response* out)
{
    const ss_contact* contact = &field->model->contacts[i];
    const ss_contact_run* run = &field->modes->contacts[i];
    const ss_law_series* laws = field->laws;
    bool closed = laws->elastic_at[i] >= 0 && run->mode == SS_MODE_CLOSED;
    if (!contact->law_entry->point.at || !(closed || ss_field_slips(field, i))) return false;
    ss_law_point point = {.y = way,
                          .v = v,
                          .sign = run->mode == SS_MODE_SLIP_MINUS ? -1.0 : 1.0,
                          .z = z,
                          .along = ss_field_along(field, i)};
    if (laws->bristle_at[i] >= 0) point.sign = point.along->sign;
    if (closed) {
        point.y = contact->stop.side * way - run->gap; // gaps keep digits of their own
        point.branch = laws->elastic[laws->elastic_at[i]].branch;
    }
    contact->law_entry->point.at(ss_law_of(contact), &point, out);
    return true;
}

void ss_field_put_load(double load, ss_response* io)
{
    io->per_load = io->force;
    io->load = load;
    io->force *= load;
    io->force_y *= load;
    io->force_v *= load;
    io->force_z *= load;
}

double ss_field_per_level(const ss_field* field, const ss_field_slopes* slopes, int i)
{
    if (field->model->contacts[i].loaded) return slopes->law[i].per_load;
    return field->modes->contacts[i].mode == SS_MODE_SLIP_PLUS ? -1.0 : 1.0;
}

bool ss_field_response(const ss_field* field, const ss_field_point* at, int i, ss_response* out)
{
    int bristle = at->z_at ? at->z_at[i] : field->laws->bristle_at[i];
    bool placed = bristle >= 0 || field->laws->elastic_at[i] >= 0;
    bool answers = ss_field_answer(field, i, placed ? ss_field_way(field, at, i) : 0.0,
                                   ss_field_speed(field, at, i), bristle >= 0 ? at->z[bristle] : 0.0, out);
    if (answers && field->model->contacts[i].loaded) ss_field_put_load(ss_field_load(field, at, i), out);
    return answers;
}

// Force of a contact that slips, its law answering at a point or by its levels.
static double slip_force(const ss_field* field, const ss_field_point* at, int i, double rates[])
{
    ss_response p;
    bool plus = field->modes->contacts[i].mode == SS_MODE_SLIP_PLUS;
    if (!ss_field_response(field, at, i, &p))
        return plus ? -ss_field_level(field, at, i, SS_FORWARD) : ss_field_level(field, at, i, SS_BACKWARD);
    if (field->laws->bristle_at[i] >= 0) rates[field->model->n + field->laws->bristle_at[i]] = p.rate;
    return p.force;
}

// ---- all forces

double ss_field_elongation(const ss_field* field, const ss_field_point* at, const ss_connection* spring)
{
    return ss_row_dot(&spring->q, at->q) + ss_row_dot(&spring->d, at->given.d) +
           ss_row_dot(&spring->bodies, field->offset) - spring->length;
}

static void add_springs(const ss_field* field, const ss_field_point* at, double a[])
{
    const ss_model* model = field->model;
    const ss_operator* op = &model->matrices.flow;
    const ss_sparse *stiff = &model->matrices.drive_stiffness, *damp = &model->matrices.drive_damping;
    for (int i = 0; i < model->n; i++) {
        double sum = field->constant[i];
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * at->q[op->index[l]] + op->damping[l] * at->v[op->index[l]];
        if (model->drive_count > 0)
            sum -= ss_sparse_dot(stiff, i, at->given.d) + ss_sparse_dot(damp, i, at->given.d1);
        a[i] = sum;
    }
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double e = spring->cubic == 0.0 ? 0.0 : ss_field_elongation(field, at, spring);
        if (e != 0.0) push(&spring->mobility, -spring->cubic * e * e * e, a);
    }
}

// The force of a contact that holds at a bound.
static double pinned_force(const ss_field* field, const ss_field_point* at, int i)
{
    if (field->modes->contacts[i].idle) return 0.0;
    return field->modes->contacts[i].edge < 0 ? -ss_field_level(field, at, i, SS_STATIC_FORWARD)
                                              : ss_field_level(field, at, i, SS_STATIC_BACKWARD);
}

static void add_holds(const ss_field* field, const ss_field_point* at, double a[], double lambda[])
{
    const ss_model* model = field->model;
    for (int j = 0; j < field->modes->active_count; j++) {
        int g = field->modes->active[j];
        const ss_group* group = &model->groups[g];
        const ss_hold* hold = &field->modes->holds[g];
        for (int p = 0; p < group->count; p++) {
            int i = group->contacts[p];
            if (!field->modes->contacts[i].pinned) continue;
            lambda[i] = pinned_force(field, at, i);
            push(&model->contacts[i].mobility, lambda[i], a);
        }
        // The bias of redundant contacts moves nothing only together with what the others hold: it comes
        // first.
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            lambda[i] = hold->singular ? hold->bias[k] : 0.0;
            if (lambda[i] != 0.0) push(&model->contacts[i].mobility, lambda[i], a);
        }
        ss_field_hold(field, g, 1.0, at->given.d2, a, lambda);
    }
}

void ss_field_rates(const ss_field* field, const ss_field_point* at, double rates[], double lambda[])
{
    const ss_model* model = field->model;
    int states = model->n + field->laws->bristle_count;
    double* a = rates;
    add_springs(field, at, a);
    for (int j = 0; j < field->inputs->varying_count; j++) {
        int f = field->inputs->varying[j];
        push(&model->forces[f].mobility, at->given.force[f], a);
    }
    if (model->open) ss_field_add_expressions(field, at, a, rates + states);
    for (int i = 0; i < model->contact_count; i++) {
        bool closed = field->modes->contacts[i].mode == SS_MODE_CLOSED && field->laws->elastic_at[i] >= 0;
        lambda[i] = closed || ss_field_slips(field, i) ? slip_force(field, at, i, rates) : 0.0;
        if (lambda[i] != 0.0) push(&model->contacts[i].mobility, lambda[i], a);
    }
    add_holds(field, at, a, lambda);
}
