// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The linear system of the present mode: the derivative of the field along unit states.
#include "engine/field/field.h"
#include "engine/flow/input_series.h"
#include "engine/proof/settle.h"

#include <math.h>
#include <string.h>

void ss_settle_find_free(const ss_model* model, const ss_open_run* open_run, const ss_modes* modes,
                         const ss_proof* proof)
{
    struct ss_settle* s = proof->settle;
    s->mode.count = 0;
    for (int i = 0; i < model->n; i++) {
        bool held = false;
        for (int j = 0; j < modes->active_count; j++)
            for (int r = 0; r < modes->holds[modes->active[j]].rank; r++)
                held = held || modes->holds[modes->active[j]].dependent[r] == i;
        if (!held) s->mode.coordinates[s->mode.count++] = i;
    }
    s->mode.size = 2 * s->mode.count + open_run->states;
}

double* ss_settle_unit(const ss_model* model, const ss_open_run* open_run, const ss_modes* modes,
                       const ss_proof* proof, int c)
{
    const struct ss_settle* s = proof->settle;
    int n = model->n, r = s->mode.count;
    double* y = s->point.y;
    memset(y, 0, (size_t)(2 * n + open_run->states) * sizeof(double));
    if (c < r)
        y[s->mode.coordinates[c]] = 1.0;
    else if (c < 2 * r)
        y[n + s->mode.coordinates[c - r]] = 1.0;
    else
        y[2 * n + c - 2 * r] = 1.0;
    if (c < r) ss_constrain(model, modes, 0.0, NULL, y);
    if (c >= r && c < 2 * r) ss_constrain(model, modes, 0.0, NULL, y + n);
    return y;
}

// Whether a direction of places leaves all cubic springs as they are.
static bool spares_cubic_springs(const ss_model* model, const double q[])
{
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        double size = 0.0;
        for (int k = 0; k < spring->q.count; k++) size += fabs(spring->q.value[k] * q[spring->q.index[k]]);
        if (spring->cubic != 0.0 && fabs(ss_row_dot(&spring->q, q)) > SS_SETTLE_ROUNDING * size) return false;
    }
    return true;
}

bool ss_settle_linearise(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    const ss_settle_point* at = &s->point;
    int n = sim->model->n, m = sim->model->contact_count, r = s->mode.count, size = s->mode.size;
    memset(s->mode.a, 0, (size_t)(size * size) * sizeof(double));
    for (int c = 0; c < size; c++) {
        const double* y = ss_settle_unit(sim->model, &sim->open, &sim->modes, &sim->proof, c);
        ss_delta io = {.q = y,
                       .v = y + n,
                       .s = y + 2 * n,
                       .a = at->rates,
                       .rate = at->rates + n,
                       .lambda = at->lambda,
                       .held = at->held};
        if (c < r && sim->pulls.has_cubic && !spares_cubic_springs(sim->model, y)) return false;
        ss_field_apply(sim->field, NULL, NULL, &io);
        for (int j = 0; j < sim->modes.active_count; j++)
            ss_field_hold(sim->field, sim->modes.active[j], 0.0, NULL, io.a, io.lambda);
        if (c >= r && c < 2 * r) s->mode.a[(c - r) * size + c] = 1.0;
        for (int j = 0; j < r; j++) s->mode.a[(r + j) * size + c] = io.a[s->mode.coordinates[j]];
        for (int j = 0; j < sim->open.states; j++) s->mode.a[(2 * r + j) * size + c] = io.rate[j];
        for (int i = 0; i < m; i++) {
            s->mode.reactions[i * size + c] = io.lambda[i];
            if (c < r) s->mode.rows[i * r + c] = ss_row_dot(&sim->model->contacts[i].q, y);
        }
    }
    return true;
}

void ss_settle_rates(const ss_sim* sim, const double y[])
{
    const ss_settle_point* own = &sim->proof.settle->point;
    int n = sim->model->n;
    ss_field_point at = {
        .t = sim->step.t,
        .q = y,
        .v = y + n,
        .s = y + 2 * n,
        .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open, 0.0, sim->field->given)};
    ss_field_rates(sim->field, &at, own->rates, own->lambda);
}

double* ss_settle_now(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                      const ss_proof* proof)
{
    double* y = proof->settle->point.y;
    int n = model->n;
    memset(y, 0, 2 * (size_t)n * sizeof(double));
    for (int k = step->order; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            y[n + i] = y[n + i] * step->now + y[i];
            y[i] = y[i] * step->now + step->q[k * n + i];
        }
    for (int j = 0; j < open_run->states; j++) y[2 * n + j] = open_run->out[j];
    return y;
}

// y' of what is free, at a point.
static void take_rates(const ss_sim* sim, const double y[], double out[])
{
    const struct ss_settle* s = sim->proof.settle;
    int n = sim->model->n, r = s->mode.count;
    ss_settle_rates(sim, y);
    for (int j = 0; j < r; j++) {
        out[j] = y[n + s->mode.coordinates[j]];
        out[r + j] = s->point.rates[s->mode.coordinates[j]];
    }
    for (int j = 0; j < sim->open.states; j++) out[2 * r + j] = s->point.rates[n + j];
}

void ss_settle_find_rates(const ss_sim* sim)
{
    struct ss_settle* s = sim->proof.settle;
    int n = sim->model->n;
    double* y = ss_settle_now(sim->model, &sim->step, &sim->open, &sim->proof);
    take_rates(sim, y, s->mode.rate_now);
    memcpy(s->mode.forces, s->point.lambda, (size_t)sim->model->contact_count * sizeof(double));
    memcpy(y, s->mark, 2 * (size_t)n * sizeof(double));
    memcpy(y + 2 * n, s->mark + 2 * n + 1, (size_t)sim->open.states * sizeof(double));
    take_rates(sim, y, s->mode.rate_mark);
}
