// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the change of a linear model adds to the rates of a heading that is 0: for unit states and unit
// memory, and what of it is constant between instants. Tables of gliding and of strides are made of it.
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/variation/variation.h"

#include <string.h>

static void clear(const ss_variation* var, ss_values* at)
{
    size_t d = sizeof(double), n = (size_t)var->n;
    memset(at->q, 0, n * d);
    memset(at->v, 0, n * d);
    memset(at->a, 0, n * d);
    memset(at->states, 0, (size_t)var->ns * d);
    memset(at->lambda, 0, (size_t)var->m * d);
    memset(at->force, 0, (size_t)var->model->force_count * d);
    if (var->model->open) memset(at->vars, 0, (size_t)var->model->open->variable_count * d);
    at->t = var->sim->step.t;
    at->s = 0.0;
    at->pace = 1.0;
}

// Accelerations, then rates.
static void ask(ss_variation* var, ss_heading* to, const double memory[], double out[])
{
    const ss_linear* lin = &var->points[0];
    ss_delta* io = &var->delta;
    size_t n = (size_t)var->n;
    memset(var->room.zero, 0, (size_t)var->width * sizeof(double));
    io->q = var->room.zero;
    io->v = io->q + n;
    io->s = io->v + n;
    io->z = io->s + var->ns;
    io->m = memory;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_given_at(var, to, &lin->at, io);
    ss_linear_apply(var, lin, to, io);
    if (to->change) ss_change_add(var, to, lin, io);
    memcpy(out, io->a, n * sizeof(double));
    memcpy(out + n, io->rate, (size_t)var->ns * sizeof(double));
}

// As in any order of a series but the first.
void ss_vary_ask_unit(ss_variation* var, ss_heading* to, int c, double out[])
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    ss_values* at = &var->points[0].at;
    int n = var->n, size = 2 * n + var->ns;
    clear(var, at);
    at->order = 1;
    at->constant = false;
    if (c < n) at->q[c] = 1.0;
    if (c >= n && c < 2 * n) at->v[c - n] = 1.0;
    if (c >= 2 * n && c < size) at->states[c - 2 * n] = at->vars[open->first_state + c - 2 * n] = 1.0;
    if (c >= size) at->vars[open->first_memory + c - size] = 1.0;
    for (int b = 0; b < model->body_count; b++) {
        at->vars[b] = ss_row_dot(&model->bodies[b].row, at->q);
        at->vars[open->first_speed + b] = ss_row_dot(&model->bodies[b].row, at->v);
    }
    ask(var, to, NULL, out);
}

void ss_vary_ask_constants(ss_variation* var, ss_heading* to, bool slips, double out[])
{
    ss_sim* sim = var->sim;
    const ss_open* open = var->model->open;
    ss_values* at = &var->points[0].at;
    clear(var, at);
    at->order = 0;
    at->constant = true;
    for (int i = 0; i < var->m && slips; i++) at->lambda[i] = ss_slip_force(sim, i, 0);
    for (int f = 0; f < var->model->force_count; f++) at->force[f] = sim->inputs.force_constant[f];
    memcpy(at->vars, sim->bodies.offset, (size_t)var->model->body_count * sizeof(double));
    memcpy(at->vars + open->first_input, sim->open.value, (size_t)var->nu * sizeof(double));
    if (!slips) memcpy(at->vars + open->first_memory, sim->open.memory, (size_t)var->nm * sizeof(double));
    ask(var, to, slips ? NULL : to->m, out);
}
