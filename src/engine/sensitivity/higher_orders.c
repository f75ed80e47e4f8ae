// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The orders of a sensitivity's series after the first, without the terms that vanish: constants act on the
// first order alone, and most numbers of a model change nothing but its operators, its mobilities and its
// programs, each times a coefficient of the motion itself. The same sums as in linearisation.c and
// model_change_along.c, without what vanishes.
//
//   reads    the series of the run up to its own order, those of the sensitivity up to order k
//   writes   q[k + 2] and s[k + 1] of the sensitivity, k > 0
#include "engine/field/field.h"
#include "engine/sensitivity/program_tangent.h"

#include <string.h>

static bool are_empty(const ss_row rows[], int count)
{
    for (int i = 0; i < count; i++)
        if (rows[i].count > 0) return false;
    return true;
}

bool ss_sensitivity_is_brief(const ss_derivative* der, const ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_model_change* change = to->change;
    bool forces = model->open && model->open->variable_count > model->open->first_force;
    if (der->nd > 0 || forces) return false;
    if (!change) return true;
    if (!ss_sensitivity_is_steady(to) || change->cubic || change->drive_stiffness.start ||
        change->drive_damping.start)
        return false;
    if (!are_empty(change->tie, model->body_count) || !are_empty(change->q, der->m) ||
        !are_empty(change->d, der->m) || (model->open && !are_empty(change->affine, der->slots)))
        return false;
    for (int f = 0; f < model->force_count; f++)
        if (change->force[f].count > 0 && !ss_signal_is_constant(model->forces[f].signal)) return false;
    for (int p = 0; p < (model->open ? model->actions->pull_count : 0); p++)
        if (change->pull[p].count > 0 && model->actions->pulls[p].output < 0) return false;
    return true;
}

static void add_scaled(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

// a += factor A x
static void add_sparse(const ss_sparse* a, const double x[], double factor, double out[])
{
    for (int i = 0; i < a->rows; i++)
        for (int l = a->start[i]; l < a->start[i + 1]; l++) out[i] += factor * a->value[l] * x[a->index[l]];
}

// ---- what the number changes

static void add_change(ss_derivative* der, const ss_model_change* change, int k, double a[])
{
    const ss_sim* sim = der->sim;
    size_t n = (size_t)der->n, m = (size_t)der->m, at = (size_t)k;
    const double* q = sim->step.q + at * n;
    if (change->stiffness.start) add_sparse(&change->stiffness, q, -1.0, a);
    if (change->damping.start) add_sparse(&change->damping, q + n, -(k + 1.0), a);
    for (size_t i = 0; i < m; i++) // of contacts that slip at constant levels no coefficient is left
        if (change->mobility[i].count > 0 && sim->modes.contacts[i].mode != SS_MODE_OPEN &&
            !ss_sensitivity_is_constant(&sim->step, &sim->inputs, &sim->modes, (int)i))
            add_scaled(&change->mobility[i], sim->step.lambda[at * m + i], a);
    if (!der->model->open) return;
    const ss_actions* actions = der->model->actions;
    for (int p = 0; p < actions->pull_count; p++)
        if (change->pull[p].count > 0)
            add_scaled(&change->pull[p], ss_open_output(&sim->open, actions->pulls[p].output)[k], a);
}

// ---- what the sensitivity does

static void fill_program(const ss_derivative* der, const ss_sensitivity* to, int k)
{
    const ss_model* model = der->model;
    const ss_open* open = model->open;
    const ss_run* run = &der->sim->open.programs->motion;
    const struct ss_program_tangent* own = to->tangent;
    const int* registers = own->motion.program->variables;
    size_t n = (size_t)der->n;
    const double* q = to->series_q + (size_t)k * n;
    for (int u = 0; u < own->used_count; u++) {
        int v = own->used[u];
        double value = 0.0; // inputs and memory
        if (v < open->first_speed)
            value = ss_row_dot(&model->bodies[v].row, q);
        else if (v < open->first_state)
            value = (k + 1) * ss_row_dot(&model->bodies[v - open->first_speed].row, q + n);
        else if (v < open->first_input)
            value = to->series_s[k * der->ns + v - open->first_state];
        own->rows[(size_t)registers[v] * (size_t)run->w.length + (size_t)k] = value;
    }
}

static void add_program(ss_derivative* der, const ss_sensitivity* to, int k, ss_delta* io)
{
    const ss_actions* actions = der->model->actions;
    struct ss_program_tangent* own = to->tangent;
    const ss_run* run = ss_sensitivity_series_run(der, to, k);
    const int* outputs = own->motion.program->outputs;
    const double* rows = own->rows + k;
    size_t length = (size_t)der->sim->open.programs->motion.w.length;
    fill_program(der, to, k);
    if (!run || !ss_tangent_step(&own->motion, run, k, ss_sensitivity_passing_of(der, to), own->rows))
        own->bad = true;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].output >= 0)
            add_scaled(&actions->pulls[p].mobility, rows[(size_t)outputs[actions->pulls[p].output] * length],
                       io->a);
    for (int j = 0; j < der->ns; j++)
        if (actions->rates[j].output >= 0)
            io->rate[j] += rows[(size_t)outputs[actions->rates[j].output] * length];
    for (int l = 0; l < der->model->open->level_count; l++) {
        int i = der->model->open->levels[l].contact, which = der->model->open->levels[l].which;
        bool plus = der->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (!ss_slips(&der->sim->modes, i) || which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
        double force = (plus ? -1.0 : 1.0) * rows[(size_t)outputs[actions->level_output + l] * length];
        add_scaled(&der->model->contacts[i].mobility, force, io->a);
    }
}

static void add_states(ss_derivative* der, const double q[], const double s[], double factor, ss_delta* io)
{
    const ss_state_flow* flow = &der->model->actions->flow;
    memset(io->rate, 0, (size_t)der->ns * sizeof(double));
    if (flow->pull.start) add_sparse(&flow->pull, s, 1.0, io->a);
    if (flow->places.start) add_sparse(&flow->places, q, 1.0, io->rate);
    if (flow->speeds.start) add_sparse(&flow->speeds, q + der->n, factor, io->rate);
    if (flow->own.start) add_sparse(&flow->own, s, 1.0, io->rate);
}

bool ss_sensitivity_changes_operators(const ss_derivative* der, const ss_model_change* change)
{
    return change &&
           (change->stiffness.start || change->damping.start || !are_empty(change->mobility, der->m) ||
            (der->model->open && !are_empty(change->pull, der->model->actions->pull_count)));
}

void ss_sensitivity_brief_rates(ss_derivative* der, const ss_sensitivity* to, int k, ss_delta* io)
{
    const ss_model* model = der->model;
    const ss_operator* op = &model->matrices.flow;
    size_t n = (size_t)der->n, ns = (size_t)der->ns;
    const double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns, factor = k + 1.0;
    for (int i = 0; i < der->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -=
                op->stiffness[l] * q[op->index[l]] + op->damping[l] * (factor * q[n + (size_t)op->index[l]]);
        io->a[i] = sum;
    }
    if (ns > 0) add_states(der, q, s, factor, io);
    if (model->open && model->actions->motion.output_count > 0) add_program(der, to, k, io);
    if (to->operators) add_change(der, to->change, k, io->a);
    if (der->sim->modes.active_count > 0) memset(io->held, 0, (size_t)der->m * sizeof(double));
}

void ss_sensitivity_brief_orders(ss_derivative* der, ss_sensitivity* to)
{
    size_t n = (size_t)der->n, ns = (size_t)der->ns;
    ss_delta* io = &der->delta;
    for (int k = 1; k + 2 <= der->sim->step.order; k++) {
        double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns, factor = k + 1.0;
        ss_sensitivity_brief_rates(der, to, k, io);
        if (der->sim->modes.active_count > 0) ss_field_hold_change(der->sim->field, io);
        for (size_t i = 0; i < n; i++) q[2 * n + i] = io->a[i] / (factor * (k + 2.0));
        for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / factor;
    }
}
