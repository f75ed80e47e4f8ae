// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Accelerations and rates by all that is constant between instants.
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include <math.h>

// Adds a generalised force along a row, and its magnitude.
static void add_constant_force(const ss_row* row, double value, double force[], double size[])
{
    for (int k = 0; k < row->count; k++) {
        force[row->index[k]] += row->value[k] * value;
        size[row->index[k]] += fabs(row->value[k] * value);
    }
}

// Acceleration by constant forces, spring lengths and offsets of tied bodies, and the magnitude of its terms.
void ss_gather_constants(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n;
    double *force = sim->work.scratch_q, *size = force + n;
    for (int i = 0; i < n; i++) force[i] = model->matrices.constant ? model->matrices.constant[i] : 0.0;
    for (int i = 0; i < n; i++) size[i] = fabs(force[i]);
    ss_block_pull(model, sim->bodies.offset, force, size);
    for (int f = 0; f < model->force_count; f++)
        if (ss_signal_is_constant(model->forces[f].signal))
            add_constant_force(&model->forces[f].q, sim->inputs.force_constant[f], force, size);
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double pull = spring->stiffness * (ss_row_dot(&spring->bodies, sim->bodies.offset) - spring->length);
        add_constant_force(&spring->q, -pull, force, size);
    }
    if (model->open) ss_open_gather(sim->model, &sim->open, &sim->ways, &sim->bodies, force, size);
    for (int i = 0; i < n; i++) {
        double sum = 0.0, terms = 0.0;
        if (model->matrices.mass_diagonal) {
            sum = model->matrices.mass_inverse[i] * force[i];
            terms = model->matrices.mass_inverse[i] * size[i];
        }
        for (int j = 0; j < n && !model->matrices.mass_diagonal; j++) {
            sum += model->matrices.mass_inverse[i * n + j] * force[j];
            terms += fabs(model->matrices.mass_inverse[i * n + j]) * size[j];
        }
        if (sim->pulls.constant[i] != sum) ss_linear_propagator_forget(&sim->ways);
        sim->pulls.constant[i] = sum;
        sim->pulls.constant_size[i] = terms;
    }
}
