// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the start of a motion changes with one number of the model: places and speeds, offsets of tied bodies,
// states and memory, what bristles begin with, and the accelerations that are constant from then on.
#include "engine/sensitivity/jumps.h"
#include "engine/sensitivity/run_hooks.h"

#include <math.h>
#include <string.h>

// Acceleration by spring lengths, offsets and the constant force of the matrices form, in another model.
static void constant_acceleration(const ss_model* model, const double offset[], double force[], double out[])
{
    int n = model->n;
    for (int i = 0; i < n; i++) force[i] = model->matrices.constant ? model->matrices.constant[i] : 0.0;
    ss_block_pull(model, offset, force, NULL);
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double pull = spring->stiffness * (ss_row_dot(&spring->bodies, offset) - spring->length);
        for (int k = 0; k < spring->q.count; k++) force[spring->q.index[k]] -= spring->q.value[k] * pull;
    }
    for (int i = 0; i < n; i++) {
        out[i] = model->matrices.mass_diagonal ? model->matrices.mass_inverse[i] * force[i] : 0.0;
        for (int j = 0; j < n && !model->matrices.mass_diagonal; j++)
            out[i] += model->matrices.mass_inverse[i * n + j] * force[j];
    }
}

static bool starts_as_given(const ss_derivative* der, int b)
{
    return der->sim->bodies.start_x[b] == der->model->bodies[b].start_x;
}

// How the start changes: places and speeds, offsets of tied bodies, driven places, states and memory.
static void change_start(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_direction* from = to->def;
    for (int k = 0; k < from->model_count; k++) {
        const ss_model* other = from->models[k];
        double w = from->weights[k];
        for (int b = 0; b < model->body_count; b++) {
            const ss_body *own = &model->bodies[b], *body = &other->bodies[b];
            if (!starts_as_given(der, b)) continue;
            double dx = w * (body->start_x - own->start_x), dv = w * (body->start_v - own->start_v);
            if (own->coordinate >= 0) to->q[own->coordinate] += dx;
            if (own->coordinate >= 0) to->v[own->coordinate] += dv;
            if (own->drive >= 0) to->d[own->drive] += dx;
            if (own->coordinate < 0 && own->drive < 0) to->offset[b] += dx;
        }
        for (int j = 0; j < der->ns; j++)
            to->s[j] += w * (other->open->states[j].start - model->open->states[j].start);
    }
}

static void change_memory(const ss_derivative* der, ss_sensitivity* to)
{
    const ss_direction* from = to->def;
    for (int j = 0; j < der->nm; j++) {
        to->m[j] = to->pending[j] = from->memory ? from->memory[j] : 0.0;
        for (int k = 0; to->change && k < from->model_count; k++)
            to->m[j] += from->weights[k] *
                        (from->models[k]->open->memory[j].value - der->model->open->memory[j].value);
    }
}

// How the deflection that bristles start with changes: with the law, and with the speed where it is that of
// steady sliding.
static void change_bristle(ss_derivative* der, ss_sensitivity* to, int i)
{
    const ss_contact* own = &der->model->contacts[i];
    const ss_direction* from = to->def;
    double v = 0.0, dv = ss_row_dot(&own->q, to->v);
    for (int k = 0; k < own->bodies.count; k++)
        v += own->bodies.value[k] * der->sim->bodies.start_v[own->bodies.index[k]];
    for (int k = 0; k < from->model_count; k++) {
        const ss_contact* other = &from->models[k]->contacts[i];
        double share = isnan(other->start.saturation) ? 0.0 : other->start.saturation;
        to->z[der->z_at[i]] +=
            from->weights[k] * ss_law_start_of(other->law_entry, ss_law_of(other), other->start.z, share, v);
    }
    double share = isnan(own->start.saturation) ? 0.0 : own->start.saturation, h = 1e-4 * fmax(fabs(v), 1e-6);
    if (share != 0.0 && dv != 0.0)
        to->z[der->z_at[i]] += share * dv *
                               (ss_law_ask(own->law_entry, ss_law_of(own), v + h).steady -
                                ss_law_ask(own->law_entry, ss_law_of(own), v - h).steady) /
                               (2.0 * h);
}

// The same for elements: given one by one, or as a share of what each can take.
static void change_elements_start(ss_derivative* der, ss_sensitivity* to, int i)
{
    const ss_contact* own = &der->model->contacts[i];
    const ss_direction* from = to->def;
    ss_law_point point = {.sign = 1.0};
    double dv = ss_row_dot(&own->q, to->v),
           share = isnan(own->start.saturation) ? 0.0 : own->start.saturation;
    for (int k = 0; k < own->bodies.count; k++)
        point.v += own->bodies.value[k] * der->sim->bodies.start_v[own->bodies.index[k]];
    if (point.v < 0.0) point.sign = -1.0;
    for (int e = 0; e < own->elements; e++) {
        double* out = &to->z[der->z_at[i] + e];
        ss_element_response now;
        own->law_entry->elements.at(ss_law_of(own), &point, e, false, &now);
        if (!own->start.elements) *out += share * now.room_v * dv;
        for (int k = 0; k < from->model_count; k++) {
            const ss_contact* other = &from->models[k]->contacts[i];
            double sat = isnan(other->start.saturation) ? 0.0 : other->start.saturation;
            other->law_entry->elements.at(ss_law_of(other), &point, e, false, &now);
            *out += from->weights[k] * (other->start.elements ? other->start.elements[e] : sat * now.room);
        }
    }
}

static void change_all(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_model_change* change = to->change;
    const double* q = der->sim->step.q;
    if (change) change_start(der, to);
    for (int i = 0; i < der->m; i++)
        if (der->z_at[i] >= 0 && !to->def->bristles)
            (model->contacts[i].elements > 0 ? change_elements_start : change_bristle)(der, to, i);
    for (int b = 0; b < model->body_count; b++) { // offset = x - T q
        const ss_body* body = &model->bodies[b];
        if (body->drive >= 0 || body->coordinate >= 0) continue;
        to->offset[b] -= ss_row_dot(&body->row, to->q);
        if (change) to->offset[b] -= ss_row_dot(&change->tie[b], q);
    }
    if (!change) return;
    double *force = der->room.work, *own = force + der->n, *other = own + der->n;
    memset(change->constant, 0, (size_t)der->n * sizeof(double));
    if (!change->springs) return;
    constant_acceleration(model, der->sim->bodies.offset, force, own);
    for (int k = 0; k < change->from->model_count; k++) {
        constant_acceleration(change->from->models[k], der->sim->bodies.offset, force, other);
        for (int i = 0; i < der->n; i++)
            change->constant[i] += change->from->weights[k] * (other[i] - own[i]);
    }
}

// ---- a motion begins

static void begin_sensitivity(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_direction* def = to->def;
    size_t d = sizeof(double);
    to->lost = false;
    memset(to->d, 0, (size_t)der->nd * d);
    memset(to->offset, 0, (size_t)model->body_count * d);
    memset(to->late, 0, (size_t)der->m * d);
    memset(to->largest, 0, (size_t)der->width * d);
    for (int i = 0; i < der->n; i++) {
        to->q[i] = def->x ? def->x[model->coordinate_body[i]] : 0.0;
        to->v[i] = def->v ? def->v[model->coordinate_body[i]] : 0.0;
    }
    for (int k = 0; k < der->ns; k++) to->s[k] = def->states ? def->states[k] : 0.0;
    for (int k = 0; k < der->nz; k++) to->z[k] = def->bristles ? def->bristles[k] : 0.0;
    change_memory(der, to);
    for (int b = 0; b < model->body_count; b++)
        if (def->x && model->bodies[b].drive < 0 && model->bodies[b].coordinate < 0)
            to->offset[b] = ss_row_dot(&model->bodies[b].row, to->q); // ties keep it: it follows
    change_all(der, to);
}

// Before the start nothing moved but with the speeds that are given.
static void begin_instant(ss_derivative* der)
{
    const ss_sim* sim = der->sim;
    ss_before* before = &der->before;
    ss_values* at = &before->motion.at;
    size_t d = sizeof(double);
    memset(before->surface, 0, (size_t)der->m * sizeof(int));
    before->count = 0;
    before->first = -1;
    before->yields = false;
    memcpy(at->v, sim->step.q + der->n, (size_t)der->n * d);
    memset(at->a, 0, (size_t)der->n * d);
    memset(at->lambda, 0, (size_t)der->m * d);
    memset(at->rates, 0, (size_t)der->ns * d);
    at->pace = 1.0;
    for (int i = 0; i < der->m; i++) before->motion.by.law[i] = (ss_response){0};
    for (int z = 0; z < der->nz; z++) before->motion.by.element[z] = (ss_element_response){0};
    before->speed = 0.0; // of a swing as wide as the places: a start may be off rest by rounding
    for (int i = 0; i < der->n; i++)
        before->speed = fmax(before->speed, 1e-3 * sim->control.rate * fabs(sim->step.q[i]));
    before->tick = before->ends = before->filled = true;
}

void ss_sensitivity_begin(struct ss_derivative* derivative, const ss_step* step)
{
    ss_derivative* der = derivative;
    ss_sensitivity_rewind(der);
    ss_jumps_forget(der);
    der->begin.starts = true;
    der->begin.stepped = false;
    der->instant.coupled_now = der->instant.coupled_noted = false;
    der->stages.h = 0.0;
    if (!der->kind.linear) memset(der->measure.sizes, 0, (size_t)der->width * sizeof(double));
    der->before.t = step->t;
    for (int j = 0; j < der->count; j++) begin_sensitivity(der, &der->sensitivities[j]);
    begin_instant(der);
}

void ss_sensitivity_take_back_ticks(struct ss_derivative* derivative)
{
    for (int j = 0; j < derivative->count; j++) change_memory(derivative, &derivative->sensitivities[j]);
}
