// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works of a linear model: see linear_works.h.
#include "engine/flow/linear/linear_works.h"
#include "model/actions.h"

#include <string.h>

// C of the dampers, into the columns of the speeds.
static void add_dampers(const ss_model* model, size_t size, double damping[])
{
    size_t n = (size_t)model->n;
    const ss_sparse* c = &model->matrices.damping;
    for (size_t i = 0; i < n && model->nature.is_matrices; i++)
        for (int k = c->start[i]; k < c->start[i + 1]; k++)
            damping[i * size + n + (size_t)c->index[k]] += c->value[k];
    for (int e = 0; e < model->connection_count && !model->nature.is_matrices; e++) {
        const ss_connection* k = &model->connections[e];
        for (int a = 0; a < k->q.count; a++)
            for (int b = 0; b < k->q.count; b++)
                damping[(size_t)k->q.index[a] * size + n + (size_t)k->q.index[b]] +=
                    k->damping * k->q.value[a] * k->q.value[b];
    }
}

// Adds the force `factor` times an affine expression along a row, constants aside.
static void add_pull(const ss_model* model, const ss_row* along, const ss_row* by, double factor, size_t size,
                     double out[])
{
    const ss_open* open = model->open;
    size_t n = (size_t)model->n;
    for (int l = 0; l < by->count && by->index[l] < open->first_input; l++) {
        int at = by->index[l];
        bool state = at >= open->first_state, speed = at >= open->first_speed;
        const ss_row* row = state ? NULL : &model->bodies[speed ? at - open->first_speed : at].row;
        for (int i = 0; i < along->count; i++) {
            double* to = out + (size_t)along->index[i] * size;
            double value = factor * along->value[i] * by->value[l];
            if (state) to[2 * n + (size_t)(at - open->first_state)] += value;
            for (int k = 0; row && k < row->count; k++)
                to[(speed ? n : 0) + (size_t)row->index[k]] += value * row->value[k];
        }
    }
}

void ss_works_matrices(const ss_sim* sim, double damping[], double input[])
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n, size = 2 * n + (size_t)sim->open.states;
    memset(damping, 0, n * size * sizeof *damping);
    memset(input, 0, n * size * sizeof *input);
    add_dampers(model, size, damping);
    for (int p = 0; model->open && p < model->actions->pull_count; p++) {
        const ss_pull* pull = &model->actions->pulls[p];
        if (pull->affine && pull->account == SS_ACCOUNT_INPUT)
            add_pull(model, &pull->q, &pull->affine->row, 1.0, size, input);
        if (pull->affine && pull->account == SS_ACCOUNT_DAMPING)
            add_pull(model, &pull->q, &pull->affine->row, -1.0, size, damping);
    }
}

void ss_works_forces(const double a[], int n, int size, const double y[], double out[])
{
    for (int i = 0; i < n; i++) {
        out[i] = 0.0;
        for (int k = 0; k < size; k++) out[i] += a[i * size + k] * y[k];
    }
}

double ss_works_power(const double a[], int n, int size, const double v[], const double y[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double force;
        ss_works_forces(a + i * size, 1, size, y, &force);
        sum += v[i] * force;
    }
    return sum;
}
