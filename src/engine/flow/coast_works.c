// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works on a cell of a model that coasts. The motion is affine in the state y at the start of the cell, so
// what the dampers take there, integral v^T D y dt (linear_works.h), and what forces put in are quadratic
// forms of that (with y = 1 for the constant part), which the tables keep mode by mode.
#include "engine/flow/coast_tables.h"
#include "engine/flow/linear_works.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

enum { WIDTH = SS_COAST_LARGEST, POINTS = SS_GAUSS_POINTS };

void ss_coast_begin_works(const ss_sim* sim, ss_coast_works* works)
{
    ss_works_matrices(sim, works->damping, works->input);
}

// Forces that vary, as they are in the column of a wave, or of their means.
static void add_given(const ss_sim* sim, double s, double push[])
{
    const ss_model* model = sim->model;
    for (int k = 0; k < sim->inputs.varying_count; k++) {
        int f = sim->inputs.varying[k];
        const ss_row* row = &model->forces[f].q;
        double force = ss_poly_value(sim->inputs.force + f, model->force_count, sim->step.order, s);
        for (int i = 0; i < row->count; i++) push[row->index[i]] += force * row->value[i];
    }
}

void ss_coast_look(const ss_sim* sim, int c, double column[], ss_coast_works* works)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n, states = sim->open.states, size = 2 * n + states;
    double point[POINTS], weight[POINTS], q[POINTS * WIDTH], s[POINTS * WIDTH], y[3 * WIDTH];
    double* v = works->speed[c];
    for (int i = 0; i < n; i++)
        column[coasting->at.moved + (size_t)i] =
            coasting->cell * ss_poly_value(sim->step.q + n + i, n, sim->step.order - 1, coasting->cell);
    for (int j = 0; j < POINTS; j++) point[j] = ss_gauss_point(j, coasting->cell, &weight[j]);
    ss_gauss_values(sim->step.q, n, sim->step.order, false, point, q);
    ss_gauss_values(sim->step.q, n, sim->step.order, true, point, v);
    if (states > 0) ss_gauss_values(sim->step.s, states, sim->step.order - 1, false, point, s);
    for (int j = 0; j < POINTS; j++) {
        double *drag = works->drag[c] + j * n, *push = works->push[c] + j * n;
        memcpy(y, q + j * n, (size_t)n * sizeof *y);
        memcpy(y + n, v + j * n, (size_t)n * sizeof *y);
        if (states > 0) memcpy(y + 2 * n, s + j * states, (size_t)states * sizeof *y);
        ss_works_forces(works->damping, n, size, y, drag);
        ss_works_forces(works->input, n, size, y, push);
        if (coasting->waves.count > 0 && c >= 2 * n) add_given(sim, point[j], push);
        for (int i = 0; i < n; i++) {
            drag[i] *= weight[j];
            push[i] *= weight[j];
        }
    }
}

// Row b of a form: column a's speeds by column b's forces.
static double sum_points(const double speed[], const double force[], int count)
{
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += speed[j] * force[j];
    return sum;
}

void ss_coast_fill_works(const ss_sim* sim, const ss_coast_works* works, double columns[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int count = POINTS * sim->model->n;
    for (int a = 0; a <= coasting->columns; a++) {
        double *column = columns + (size_t)a * coasting->at.height, *damped = column + coasting->at.damped,
               *gained = column + coasting->at.gained;
        for (int b = 0; b <= coasting->columns; b++) {
            damped[b] = sum_points(works->speed[a], works->drag[b], count);
            if (coasting->gains) gained[b] = sum_points(works->speed[a], works->push[b], count);
        }
    }
}

// A form at y, of which one factor has been summed up: rows.
static double form_at(const double rows[], const double y[], size_t count)
{
    double sum = rows[count];
    for (size_t c = 0; c < count; c++) sum += y[c] * rows[c];
    return sum;
}

void ss_coast_works_of_cell(const ss_sim* sim, double moved[], double* damping, double* input)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    size_t n = (size_t)sim->model->n, count = (size_t)coasting->columns;
    double rows[SS_COAST_LARGEST + 2 * (SS_COAST_COLUMNS + 1) + SS_COAST_WIDE];
    const double* y = ss_coast_variables(sim);
    ss_coast_combine(coasting, coasting->at.moved, n + (coasting->gains ? 2 : 1) * (count + 1), y, rows);
    memcpy(moved, rows, n * sizeof *moved);
    *damping = form_at(rows + n, y, count);
    *input = coasting->gains ? form_at(rows + n + count + 1, y, count) : 0.0;
}
