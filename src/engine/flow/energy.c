// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Energy of the motion at a point of the present step: of masses, springs, elastic stops, bristles and
// potentials.
#include "engine/flow/energy.h"
#include "core/algebra/polynomial.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/open_series.h"

#include <math.h>

// 1/2 x^T a x
static double half_form(const ss_sparse* a, int n, const double x[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) sum += x[i] * a->value[k] * x[a->index[k]];
    return 0.5 * sum;
}

double ss_kinetic_energy(const ss_model* model, const ss_step* step)
{
    return half_form(&model->matrices.mass, model->n, step->q + model->n);
}

// Penetration of an elastic stop at s, for energies: from its own series where there is one.
static double elastic_energy(const ss_step* step, const ss_law_series* laws, const ss_modes* modes, double s)
{
    double energy = 0.0;
    for (int e = 0; e < laws->elastic_count; e++) {
        const ss_elastic* stop = &laws->elastic[e];
        double depth =
            step->ready ? ss_poly_value(stop->p, 1, step->order - 2, s) : -modes->contacts[stop->contact].gap;
        energy += ss_stop_stored(&stop->law, depth);
    }
    return energy;
}

static double bristle_energy(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                             const ss_law_series* laws, double s)
{
    double energy = 0.0;
    for (int j = 0; j < laws->bristle_count; j++)
        if (laws->bristles[j].begun) energy += ss_bristle_energy(model, step, inputs, &laws->bristles[j], s);
    return energy;
}

double ss_energy_and_parts(const ss_sim* sim, double s, double* parts)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    double *q = sim->work.scratch_q, *v = q + n, *d = q + 2 * n;
    for (int i = 0; i < n; i++) {
        q[i] = ss_poly_value(sim->step.q + i, n, sim->step.ready ? sim->step.order : 0, s);
        v[i] = !sim->step.ready       ? sim->step.q[n + i]
               : sim->step.clock.stop ? ss_poly_value(sim->step.clock.speed + i, n, sim->step.order, s)
                                      : ss_poly_slope(sim->step.q + i, n, sim->step.order, s);
    }
    for (int j = 0; j < nd; j++)
        d[j] =
            sim->step.ready ? ss_poly_value(sim->step.d + j, nd, sim->step.order, s) : sim->inputs.drive_x[j];
    double energy = half_form(&model->matrices.mass, n, v) +
                    elastic_energy(&sim->step, &sim->step.laws, &sim->modes, s) +
                    bristle_energy(sim->model, &sim->step, &sim->inputs, &sim->step.laws, s);
    *parts = fabs(energy);
    if (model->open) energy += ss_open_stored(sim, s, parts);
    energy += ss_block_energy(model, q, sim->bodies.offset, parts);
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* k = &model->connections[c];
        double e = ss_row_dot(&k->q, q) + ss_row_dot(&k->d, d) + ss_row_dot(&k->bodies, sim->bodies.offset) -
                   k->length;
        double stored = 0.5 * k->stiffness * e * e, cubic = 0.25 * k->cubic * e * e * e * e;
        *parts += fabs(stored) + fabs(cubic);
        energy += stored + cubic;
    }
    return energy;
}

double ss_stored_energy(const ss_sim* sim, double s)
{
    double parts;
    return ss_energy_and_parts(sim, s, &parts);
}
