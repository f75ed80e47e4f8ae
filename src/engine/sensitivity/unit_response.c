// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the change of a linear model adds to the rates of a sensitivity that is 0: for unit states and unit
// memory, and what of it is constant between instants. Tables of propagation through ticks and of long steps
// are made of it.
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/sensitivity/sensitivity.h"

#include <string.h>

static void clear(const ss_derivative* der, ss_values* at)
{
    size_t d = sizeof(double), n = (size_t)der->n;
    memset(at->q, 0, n * d);
    memset(at->v, 0, n * d);
    memset(at->a, 0, n * d);
    memset(at->states, 0, (size_t)der->ns * d);
    memset(at->lambda, 0, (size_t)der->m * d);
    memset(at->force, 0, (size_t)der->model->force_count * d);
    if (der->model->open) memset(at->vars, 0, (size_t)der->model->open->variable_count * d);
    at->t = der->sim->step.t;
    at->s = 0.0;
    at->pace = 1.0;
}

// Accelerations, then rates.
static void ask(ss_derivative* der, ss_sensitivity* to, const double memory[], double out[])
{
    const ss_linear* lin = &der->points[0];
    ss_delta* io = &der->delta;
    size_t n = (size_t)der->n;
    memset(der->room.zero, 0, (size_t)der->width * sizeof(double));
    io->q = der->room.zero;
    io->v = io->q + n;
    io->s = io->v + n;
    io->z = io->s + der->ns;
    io->m = memory;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_given_at(der, to, &lin->at, io);
    ss_linear_apply(der, lin, to, io);
    if (to->change) ss_change_add(der, to, lin, io);
    memcpy(out, io->a, n * sizeof(double));
    memcpy(out + n, io->rate, (size_t)der->ns * sizeof(double));
}

// As in any order of a series but the first.
void ss_sensitivity_ask_unit(ss_derivative* der, ss_sensitivity* to, int c, double out[])
{
    const ss_model* model = der->model;
    const ss_open* open = model->open;
    ss_values* at = &der->points[0].at;
    int n = der->n, size = 2 * n + der->ns;
    clear(der, at);
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
    ask(der, to, NULL, out);
}

void ss_sensitivity_ask_constants(ss_derivative* der, ss_sensitivity* to, bool slips, double out[])
{
    ss_sim* sim = der->sim;
    const ss_open* open = der->model->open;
    ss_values* at = &der->points[0].at;
    clear(der, at);
    at->order = 0;
    at->constant = true;
    for (int i = 0; i < der->m && slips; i++) at->lambda[i] = ss_slip_force(sim, i, 0);
    for (int f = 0; f < der->model->force_count; f++) at->force[f] = sim->inputs.force_constant[f];
    memcpy(at->vars, sim->bodies.offset, (size_t)der->model->body_count * sizeof(double));
    memcpy(at->vars + open->first_input, sim->open.value, (size_t)der->nu * sizeof(double));
    if (!slips) memcpy(at->vars + open->first_memory, sim->open.memory, (size_t)der->nm * sizeof(double));
    ask(der, to, slips ? NULL : to->m, out);
}
