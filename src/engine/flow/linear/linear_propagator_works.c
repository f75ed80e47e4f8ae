// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works on a cell of a model that has a propagator. The motion is affine in the state y at the start of the
// cell, so what the dampers take there, integral v^T D y dt (linear_works.h), and what forces put in are
// quadratic forms of that (with y = 1 for the constant part), which the tables keep mode by mode.
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/linear_works.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

enum { WIDTH = SS_LINEAR_PROPAGATOR_LARGEST, POINTS = SS_GAUSS_POINTS };

static bool any(const double a[], int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != 0.0) return true;
    return false;
}

void ss_linear_propagator_begin_works(const ss_model* model, const ss_open_run* open_run, const ss_ways* ways,
                                      ss_linear_propagator_works* works)
{
    int n = model->n, count = n * (2 * n + open_run->states);
    ss_works_matrices(model, open_run, works->damping, works->input);
    works->drags = any(works->damping, count);
    works->pushes = ways->propagator->waves.count > 0 || any(works->input, count);
}

// Forces that vary, as they are in the column of a wave, or of their means.
static void add_given(const ss_sim* sim, const double column[], double s, double push[])
{
    const ss_model* model = sim->model;
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    for (int k = 0; k < sim->inputs.varying_count; k++) {
        int f = sim->inputs.varying[k];
        const ss_row* row = &model->forces[f].q;
        double force =
            ss_poly_value(column + propagator->at.given + f, model->force_count, propagator->order, s);
        for (int i = 0; i < row->count; i++) push[row->index[i]] += force * row->value[i];
    }
}

// The forces at point j of the quadrature, where the motion is y, times its weight.
static void find_forces(const ss_sim* sim, int c, int j, const double y[], const double column[],
                        ss_linear_propagator_works* works)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, size = 2 * n + sim->open.states;
    double *drag = works->drag[c] + j * n, *push = works->push[c] + j * n, weight;
    double s = ss_gauss_point(j, propagator->cell, &weight);
    if (works->drags) ss_works_forces(works->damping, n, size, y, drag);
    if (works->pushes) ss_works_forces(works->input, n, size, y, push);
    if (propagator->waves.count > 0) add_given(sim, column, s, push);
    for (int i = 0; i < n; i++) {
        if (works->drags) drag[i] *= weight;
        if (works->pushes) push[i] *= weight;
    }
}

void ss_linear_propagator_look(const ss_sim* sim, int c, const double q[], const double s[], double column[],
                               ss_linear_propagator_works* works)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, states = sim->open.states, order = propagator->order;
    double point[POINTS], weight, places[POINTS * WIDTH], slow[POINTS * WIDTH], y[3 * WIDTH];
    double* v = works->speed[c];
    for (int i = 0; i < n; i++)
        column[propagator->at.moved + (size_t)i] =
            propagator->cell * ss_poly_value(q + n + i, n, order - 1, propagator->cell);
    if (!works->drags && !works->pushes) return;
    for (int j = 0; j < POINTS; j++) point[j] = ss_gauss_point(j, propagator->cell, &weight);
    ss_gauss_values(q, n, order, false, point, places);
    ss_gauss_values(q, n, order, true, point, v);
    if (states > 0) ss_gauss_values(s, states, order - 1, false, point, slow);
    for (int j = 0; j < POINTS; j++) {
        memcpy(y, places + j * n, (size_t)n * sizeof *y);
        memcpy(y + n, v + j * n, (size_t)n * sizeof *y);
        if (states > 0) memcpy(y + 2 * n, slow + j * states, (size_t)states * sizeof *y);
        find_forces(sim, c, j, y, column, works);
    }
}

// Row b of a form: column a's speeds by column b's forces.
static double sum_points(const double speed[], const double force[], int count)
{
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += speed[j] * force[j];
    return sum;
}

void ss_linear_propagator_fill_works(const ss_model* model, const ss_ways* ways,
                                     const ss_linear_propagator_works* works, double columns[])
{
    const struct ss_linear_propagator* propagator = ways->propagator;
    int count = POINTS * model->n;
    for (int a = 0; a <= propagator->columns; a++) {
        double *column = columns + (size_t)a * propagator->at.height,
               *damped = column + propagator->at.damped, *gained = column + propagator->at.gained;
        for (int b = 0; b <= propagator->columns; b++) {
            damped[b] = works->drags ? sum_points(works->speed[a], works->drag[b], count) : 0.0;
            if (!propagator->gains) continue;
            gained[b] = works->pushes ? sum_points(works->speed[a], works->push[b], count) : 0.0;
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

void ss_linear_propagator_works_of_cell(const ss_sim* sim, double moved[], double* damping, double* input)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t n = (size_t)sim->model->n, count = (size_t)propagator->columns;
    double rows[SS_LINEAR_PROPAGATOR_LARGEST + 2 * (SS_LINEAR_PROPAGATOR_COLUMNS + 1) +
                SS_LINEAR_PROPAGATOR_WIDE];
    const double* y = ss_linear_propagator_variables(sim);
    ss_linear_propagator_combine(propagator, propagator->at.moved,
                                 n + (propagator->gains ? 2 : 1) * (count + 1), y, rows);
    memcpy(moved, rows, n * sizeof *moved);
    *damping = form_at(rows + n, y, count);
    *input = propagator->gains ? form_at(rows + n + count + 1, y, count) : 0.0;
}
