// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The orders of a heading's series after the first, in short: what is constant has had its say, and of most
// numbers of a model nothing is left but what they change in its operators, its mobilities and its programs,
// each times a coefficient of the motion itself. The same sums as in linear.c and change_along.c, without
// what vanishes.
//
//   reads    the series of the run up to its own order, those of the heading up to order k
//   writes   q[k + 2] and s[k + 1] of the heading, k > 0
#include "engine/field/field.h"
#include "engine/variation/tangent.h"

#include <string.h>

static bool are_empty(const ss_row rows[], int count)
{
    for (int i = 0; i < count; i++)
        if (rows[i].count > 0) return false;
    return true;
}

bool ss_vary_is_brief(const ss_variation* var, const ss_heading* to)
{
    const ss_model* model = var->model;
    const ss_change* change = to->change;
    if (var->nd > 0) return false;
    if (!change) return true;
    if (!ss_vary_is_steady(to) || change->cubic || change->drive_stiffness.start ||
        change->drive_damping.start)
        return false;
    if (!are_empty(change->tie, model->body_count) || !are_empty(change->q, var->m) ||
        !are_empty(change->d, var->m) || (model->open && !are_empty(change->affine, var->slots)))
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

static void add_change(ss_variation* var, const ss_change* change, int k, double a[])
{
    const ss_sim* sim = var->sim;
    size_t n = (size_t)var->n, m = (size_t)var->m, at = (size_t)k;
    const double* q = sim->step.q + at * n;
    if (change->stiffness.start) add_sparse(&change->stiffness, q, -1.0, a);
    if (change->damping.start) add_sparse(&change->damping, q + n, -(k + 1.0), a);
    for (size_t i = 0; i < m; i++) // of contacts that slip at constant levels no coefficient is left
        if (change->mobility[i].count > 0 && sim->modes.contacts[i].mode != SS_MODE_OPEN &&
            !ss_vary_is_constant(sim, (int)i))
            add_scaled(&change->mobility[i], sim->step.lambda[at * m + i], a);
    if (!var->model->open) return;
    const ss_actions* actions = var->model->actions;
    for (int p = 0; p < actions->pull_count; p++)
        if (change->pull[p].count > 0)
            add_scaled(&change->pull[p], ss_open_output(sim, actions->pulls[p].output)[k], a);
}

// ---- what the heading does

static void fill_program(const ss_variation* var, const ss_heading* to, int k)
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    const ss_run* run = &var->sim->open.programs->motion;
    const struct ss_vary_tangent* own = to->tangent;
    const int* registers = own->motion.program->variables;
    size_t n = (size_t)var->n;
    const double* q = to->series_q + (size_t)k * n;
    for (int u = 0; u < own->used_count; u++) {
        int v = own->used[u];
        double value = 0.0; // inputs and memory
        if (v < open->first_speed)
            value = ss_row_dot(&model->bodies[v].row, q);
        else if (v < open->first_state)
            value = (k + 1) * ss_row_dot(&model->bodies[v - open->first_speed].row, q + n);
        else if (v < open->first_input)
            value = to->series_s[k * var->ns + v - open->first_state];
        own->rows[(size_t)registers[v] * (size_t)run->w.length + (size_t)k] = value;
    }
}

static void add_program(ss_variation* var, const ss_heading* to, int k, ss_delta* io)
{
    const ss_actions* actions = var->model->actions;
    struct ss_vary_tangent* own = to->tangent;
    const ss_run* run = ss_vary_series_run(var, to, k);
    const int* outputs = own->motion.program->outputs;
    const double* rows = own->rows + k;
    size_t length = (size_t)var->sim->open.programs->motion.w.length;
    fill_program(var, to, k);
    if (!run || !ss_tangent_step(&own->motion, run, k, ss_vary_passing_of(var, to), own->rows))
        own->bad = true;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].output >= 0)
            add_scaled(&actions->pulls[p].mobility, rows[(size_t)outputs[actions->pulls[p].output] * length],
                       io->a);
    for (int j = 0; j < var->ns; j++)
        if (actions->rates[j].output >= 0)
            io->rate[j] += rows[(size_t)outputs[actions->rates[j].output] * length];
    for (int l = 0; l < var->model->open->level_count; l++) {
        int i = var->model->open->levels[l].contact, which = var->model->open->levels[l].which;
        bool plus = var->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (!ss_slips(var->sim, i) || which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
        double force = (plus ? -1.0 : 1.0) * rows[(size_t)outputs[actions->level_output + l] * length];
        add_scaled(&var->model->contacts[i].mobility, force, io->a);
    }
}

static void add_states(ss_variation* var, const double q[], const double s[], double factor, ss_delta* io)
{
    const ss_state_flow* flow = &var->model->actions->flow;
    memset(io->rate, 0, (size_t)var->ns * sizeof(double));
    if (flow->pull.start) add_sparse(&flow->pull, s, 1.0, io->a);
    if (flow->places.start) add_sparse(&flow->places, q, 1.0, io->rate);
    if (flow->speeds.start) add_sparse(&flow->speeds, q + var->n, factor, io->rate);
    if (flow->own.start) add_sparse(&flow->own, s, 1.0, io->rate);
}

bool ss_vary_changes_operators(const ss_variation* var, const ss_change* change)
{
    return change &&
           (change->stiffness.start || change->damping.start || !are_empty(change->mobility, var->m) ||
            (var->model->open && !are_empty(change->pull, var->model->actions->pull_count)));
}

void ss_vary_brief_rates(ss_variation* var, const ss_heading* to, int k, ss_delta* io)
{
    const ss_model* model = var->model;
    const ss_operator* op = &model->matrices.flow;
    size_t n = (size_t)var->n, ns = (size_t)var->ns;
    const double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns, factor = k + 1.0;
    for (int i = 0; i < var->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -=
                op->stiffness[l] * q[op->index[l]] + op->damping[l] * (factor * q[n + (size_t)op->index[l]]);
        io->a[i] = sum;
    }
    if (ns > 0) add_states(var, q, s, factor, io);
    if (model->open && model->actions->motion.output_count > 0) add_program(var, to, k, io);
    if (to->operators) add_change(var, to->change, k, io->a);
    if (var->sim->modes.active_count > 0) memset(io->held, 0, (size_t)var->m * sizeof(double));
}

void ss_vary_brief_orders(ss_variation* var, ss_heading* to)
{
    size_t n = (size_t)var->n, ns = (size_t)var->ns;
    ss_delta* io = &var->delta;
    for (int k = 1; k + 2 <= var->sim->step.order; k++) {
        double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns, factor = k + 1.0;
        ss_vary_brief_rates(var, to, k, io);
        if (var->sim->modes.active_count > 0) ss_field_hold_change(var->sim->field, io);
        for (size_t i = 0; i < n; i++) q[2 * n + i] = io->a[i] / (factor * (k + 2.0));
        for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / factor;
    }
}
