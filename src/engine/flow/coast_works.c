// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works on a cell of a model that coasts. Speeds are affine in the state y at the start of the cell, so what
// the dampers take there,
//     integral v^T C v dt = sum_ab y_a y_b integral v_a^T C v_b dt,
// is a quadratic form of the state (with y = 1 for the constant part), which the tables keep mode by mode.
#include "engine/flow/coast_tables.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

void ss_coast_look(const ss_sim* sim, double column[], double speeds[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n;
    double point[SS_GAUSS_POINTS], weight;
    if (!coasting->tells_works) return;
    for (int i = 0; i < n; i++)
        column[coasting->at.moved + (size_t)i] =
            coasting->cell * ss_poly_value(sim->step.q + n + i, n, sim->step.order - 1, coasting->cell);
    for (int j = 0; j < SS_GAUSS_POINTS; j++) point[j] = ss_gauss_point(j, coasting->cell, &weight);
    ss_gauss_values(sim->step.q, n, sim->step.order, true, point, speeds);
}

// C of the dampers, row by row.
static void gather_damping(const ss_model* model, double damping[])
{
    size_t n = (size_t)model->n;
    memset(damping, 0, n * n * sizeof *damping);
    const ss_sparse* c = &model->matrices.damping;
    for (size_t i = 0; i < n && model->nature.is_matrices; i++)
        for (int k = c->start[i]; k < c->start[i + 1]; k++)
            damping[i * n + (size_t)c->index[k]] += c->value[k];
    for (int e = 0; e < model->connection_count && !model->nature.is_matrices; e++) {
        const ss_connection* k = &model->connections[e];
        for (int a = 0; a < k->q.count; a++)
            for (int b = 0; b < k->q.count; b++)
                damping[(size_t)k->q.index[a] * n + (size_t)k->q.index[b]] +=
                    k->damping * k->q.value[a] * k->q.value[b];
    }
}

// weight C v at all points, for the speeds v of one column.
static void damp(const double damping[], int n, double cell, const double speeds[], double out[])
{
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double weight;
        ss_gauss_point(j, cell, &weight);
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += damping[i * n + k] * speeds[j * n + k];
            out[j * n + i] = weight * sum;
        }
    }
}

void ss_coast_fill_works(const ss_sim* sim, const double speeds[], double columns[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n;
    double damping[SS_COAST_LARGEST * SS_COAST_LARGEST], forces[SS_COAST_SPEEDS];
    gather_damping(sim->model, damping);
    for (int b = 0; b <= coasting->columns; b++) {
        damp(damping, n, coasting->cell, speeds + (size_t)b * SS_COAST_SPEEDS, forces);
        for (int a = 0; a <= coasting->columns; a++) {
            const double* v = speeds + (size_t)a * SS_COAST_SPEEDS;
            double sum = 0.0;
            for (int j = 0; j < SS_GAUSS_POINTS * n; j++) sum += v[j] * forces[j];
            columns[(size_t)a * coasting->at.height + coasting->at.damped + (size_t)b] = sum;
        }
    }
}

bool ss_coast_works(const ss_sim* sim, double moved[], double* damping)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    if (!coasting->tells_works) return false;
    size_t n = (size_t)sim->model->n, count = (size_t)coasting->columns;
    double rows[SS_COAST_LARGEST + SS_COAST_COLUMNS + 1 + SS_COAST_WIDE];
    const double* y = ss_coast_variables(sim);
    ss_coast_combine(coasting, coasting->at.moved, n + count + 1, y, rows);
    memcpy(moved, rows, n * sizeof *moved);
    *damping = rows[n + count];
    for (size_t c = 0; c < count; c++) *damping += y[c] * rows[n + c];
    return true;
}
