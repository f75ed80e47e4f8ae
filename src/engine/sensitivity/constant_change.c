// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the change of a linear model adds to the rates of a sensitivity that is 0, as far as it is constant
// between instants: tables of long steps have columns for it.
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
    memset(at->vars, 0, (size_t)der->model->open->variable_count * d);
    at->t = der->sim->step.t;
    at->s = 0.0;
    at->pace = 1.0;
}

void ss_sensitivity_ask_constants(ss_derivative* der, ss_sensitivity* to, double out[])
{
    ss_sim* sim = der->sim;
    const ss_linear* lin = &der->points[0];
    const ss_open* open = der->model->open;
    ss_values* at = &der->points[0].at;
    ss_delta* io = &der->delta;
    clear(der, at);
    at->order = 0;
    at->constant = true;
    for (int f = 0; f < der->model->force_count; f++) at->force[f] = sim->inputs.force_constant[f];
    memcpy(at->vars, sim->bodies.offset, (size_t)der->model->body_count * sizeof(double));
    memcpy(at->vars + open->first_input, sim->open.value, (size_t)der->nu * sizeof(double));
    memcpy(at->vars + open->first_memory, sim->open.memory, (size_t)der->nm * sizeof(double));
    memset(der->room.zero, 0, (size_t)der->width * sizeof(double));
    io->q = der->room.zero;
    io->v = io->q + der->n;
    io->s = io->v + der->n;
    io->z = io->s + der->ns;
    io->m = to->m;
    io->offset = to->offset;
    ss_given_at(der, to, &lin->at, io);
    ss_linear_apply(der, lin, to, io);
    if (to->change) ss_change_add(der, to, lin, io);
    memcpy(out, io->a, (size_t)der->n * sizeof(double));
    memcpy(out + der->n, io->rate, (size_t)der->ns * sizeof(double));
}
