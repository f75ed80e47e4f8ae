// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state at a time on the present step.
#include "engine/run/step_state.h"

#include "core/rounding.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

void ss_advance_state(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                      const ss_work* work, double s)
{
    int n = model->n;
    double* q = work->scratch_q;
    ss_sum_series(step->q, n, step->order, s, q, q + n);
    memcpy(step->q, q, 2 * (size_t)n * sizeof(double));
    if (open_run->states == 0) return;
    ss_sum_series(step->s, open_run->states, step->order - 1, s, q, q + open_run->states);
    memcpy(step->s, q, (size_t)open_run->states * sizeof(double));
}

// Sums of series, as they are told: where terms cancel to nothing but rounding, that is 0. Series of the
// first terms tell at little cost where that may be: SS_RELATIVE_ZERO leaves room for later terms that are
// larger.
static void clear_sums(const double series[], int width, int order, double s, double value[])
{
    int few = order < 3 ? order : 3;
    for (int i = 0; i < width; i++)
        if (value[i] != 0.0 && fabs(value[i]) < SS_RELATIVE_ZERO * ss_poly_bound(series + i, width, few, s))
            value[i] = ss_clear_rounding(value[i], ss_poly_bound(series + i, width, order, s));
}

// As clear_sums for velocities, whose series are the derivatives (k + 1) q[k + 1].
static void clear_rates(const double series[], int width, int order, double s, double value[])
{
    for (int i = 0; i < width; i++) {
        double near = 0.0, all = 0.0;
        for (int k = order < 4 ? order : 4; k >= 1; k--) near = near * s + k * fabs(series[k * width + i]);
        if (value[i] == 0.0 || fabs(value[i]) >= SS_RELATIVE_ZERO * near) continue;
        for (int k = order; k >= 1; k--) all = all * s + k * fabs(series[k * width + i]);
        value[i] = ss_clear_rounding(value[i], all);
    }
}

// A body's position or velocity by its row: one entry is a product, several may cancel.
static double sum_row(const ss_row* row, const double q[], double offset)
{
    double sum = offset, size = fabs(offset);
    for (int k = 0; k < row->count; k++) {
        sum += row->value[k] * q[row->index[k]];
        size += fabs(row->value[k] * q[row->index[k]]);
    }
    return ss_clear_rounding(sum, size);
}

void ss_evaluate(const ss_sim* sim, double s, double x[], double v[])
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    double *q = sim->work.scratch_q, *q1 = q + n, *d = q1 + n, *d1 = d + nd;
    ss_state_at(sim, s, q, q1, d, d1);
    if (s > 0.0 && !sim->step.clock.stop) {
        clear_sums(sim->step.q, n, sim->step.order, s, q);
        clear_rates(sim->step.q, n, sim->step.order, s, q1);
    }
    ss_constrain(sim->model, &sim->modes, 1.0, d, q);
    for (int j = 0; j < sim->open.states; j++) sim->open.out[j] = d1[nd + j];
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        x[b] = body->drive >= 0 ? d[body->drive] : sum_row(&body->row, q, sim->bodies.offset[b]);
        v[b] = body->drive >= 0 ? d1[body->drive] : sum_row(&body->row, q1, 0.0);
    }
}

void ss_show_state(ss_sim* sim, double s) { ss_evaluate(sim, s, sim->bodies.out_x, sim->bodies.out_v); }

void ss_put_state(const ss_model* model, const ss_step* step, const ss_open_run* open_run, const double y[],
                  const double states[])
{
    memcpy(step->q, y, 2 * (size_t)model->n * sizeof(double));
    memcpy(step->s, states, (size_t)open_run->states * sizeof(double));
}
