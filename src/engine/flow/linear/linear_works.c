// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works of a linear model: see linear_works.h.
#include "engine/flow/linear/linear_works.h"
#include "model/actions.h"

#include <string.h>

// damping += c a b^T
static void add_damper(const ss_row* a, const ss_row* b, double c, size_t size, double damping[])
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            damping[(size_t)a->index[i] * size + (size_t)b->index[j]] += c * a->value[i] * b->value[j];
}

// C of the matrices and dampers, into the columns of the speeds.
static void add_dampers(const ss_model* model, size_t size, double damping[])
{
    size_t n = (size_t)model->n;
    const ss_block* block = &model->matrices.block;
    for (int i = 0; i < block->count; i++)
        for (int k = block->damping.start[i]; k < block->damping.start[i + 1]; k++)
            add_damper(&model->bodies[i].row, &model->bodies[block->damping.index[k]].row,
                       block->damping.value[k], size, damping + n);
    for (int e = 0; e < model->connection_count; e++) {
        const ss_connection* k = &model->connections[e];
        add_damper(&k->q, &k->q, k->damping, size, damping + n);
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

void ss_works_matrices(const ss_model* model, const ss_open_run* open_run, double damping[], double input[])
{
    size_t n = (size_t)model->n, size = 2 * n + (size_t)open_run->states;
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
