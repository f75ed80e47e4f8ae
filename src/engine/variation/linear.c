// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings through the field: values of the motion at a point of the step, or of one order of its series, and
// what the derivative of the field (engine/field) makes of a heading there.
#include "engine/field/field.h"
#include "engine/flow/coast.h"
#include "engine/flow/elastic.h"
#include "engine/variation/tangent.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/sums.h"
#include "engine/run/state.h"

#include <string.h>

// ---- values of the motion

bool ss_vary_is_constant(const ss_sim* sim, int i)
{
    return ss_slips(sim, i) && sim->inputs.level_at[i] < 0 && sim->laws.curved_at[i] < 0 &&
           !ss_is_bristle(sim, i);
}

static void fill_vars(ss_variation* var, ss_values* out)
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    const ss_sim* sim = var->sim;
    int k = out->order;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        out->vars[b] = driven ? out->d[body->drive] : ss_row_dot(&body->row, out->q);
        if (!driven && out->constant) out->vars[b] += sim->bodies.offset[b];
        out->vars[open->first_speed + b] = driven ? out->d1[body->drive] : ss_row_dot(&body->row, out->v);
    }
    memcpy(out->vars + open->first_state, out->states, (size_t)var->ns * sizeof(double));
    for (int j = 0; j < var->nu; j++) {
        const double* series = sim->open.input + j;
        double value = out->constant ? sim->open.value[j] : 0.0;
        if (sim->open.varying[j])
            value = k >= 0 ? series[(size_t)k * (size_t)var->nu]
                           : ss_poly_value(series, var->nu, sim->step.order, out->t - sim->step.t);
        out->vars[open->first_input + j] = value;
    }
    for (int j = 0; j < var->nm; j++)
        out->vars[open->first_memory + j] = out->constant ? sim->open.memory[j] : 0.0;
}

// Where a step in time of a linear model begins, the first coefficients are the values.
static void values_at_start(ss_variation* var, ss_values* out)
{
    ss_values_order(var, 0, out);
    out->order = -1;
}

void ss_values_at(ss_variation* var, double s, ss_values* out)
{
    const ss_sim* sim = var->sim;
    if (s == 0.0 && !sim->clock.stop && var->kind.linear) {
        values_at_start(var, out);
        return;
    }
    ss_state_at(sim, s, out->q, out->v, out->d, out->d1);
    ss_values_rest(var, s, out);
}

void ss_values_rest(ss_variation* var, double s, ss_values* out)
{
    const ss_sim* sim = var->sim;
    const ss_step* step = &sim->step;
    int n = var->n, nd = var->nd;
    bool clocked = sim->clock.stop != NULL;
    out->order = -1;
    out->constant = true;
    out->s = s;
    out->t = step->t + ss_elapsed(sim, s);
    out->pace = clocked ? ss_poly_value(sim->clock.pace, 1, step->order, s) : 1.0;
    if (!clocked && !ss_coast_accelerations(sim, out->q, out->a))
        ss_sum_bend(step->q, n, step->order, s, out->a);
    for (int i = 0; i < n && clocked; i++)
        out->a[i] = ss_poly_value(sim->clock.change + i, n, step->order - 1, s);
    for (int j = 0; j < nd; j++) out->d2[j] = clocked ? 0.0 : ss_poly_bend(step->d + j, nd, step->order, s);
    for (int i = 0; i < var->m; i++) {
        out->lambda[i] = ss_vary_is_constant(sim, i)
                             ? step->lambda[i]
                             : ss_poly_value(step->lambda + i, var->m, step->order - 2, s);
        const ss_contact* contact = &var->model->contacts[i];
        if (var->z_at[i] < 0) continue;
        const ss_along* along = &sim->laws.bristles[sim->laws.bristle_at[i]].along;
        if (contact->elements > 0)
            contact->law_row->elements.now(ss_law_of(contact), along, step->order - 1, s,
                                           out->z + var->z_at[i]);
        else
            out->z[var->z_at[i]] = ss_along_at(along->z, step->order - 1, s);
    }
    for (int f = 0; f < var->model->force_count && var->kind.forces; f++)
        out->force[f] = ss_signal_is_constant(var->model->forces[f].signal)
                            ? sim->inputs.force_constant[f]
                            : ss_poly_value(sim->inputs.force + f, var->model->force_count, sim->inputs.order,
                                            out->t - step->t);
    if (var->model->open) fill_vars(var, out);
}

void ss_values_order(ss_variation* var, int k, ss_values* out)
{
    const ss_sim* sim = var->sim;
    const ss_step* step = &sim->step;
    size_t n = (size_t)var->n, nd = (size_t)var->nd, at = (size_t)k;
    double once = k + 1.0, twice = once * (k + 2.0);
    out->order = k;
    out->constant = k == 0;
    out->t = step->t;
    out->s = 0.0;
    out->pace = 1.0;
    for (size_t i = 0; i < n; i++) {
        out->q[i] = step->q[at * n + i];
        out->v[i] = once * step->q[(at + 1) * n + i];
        out->a[i] = twice * step->q[(at + 2) * n + i];
    }
    for (size_t j = 0; j < nd; j++) {
        out->d[j] = step->d[at * nd + j];
        out->d1[j] = once * step->d[(at + 1) * nd + j];
        out->d2[j] = twice * step->d[(at + 2) * nd + j];
    }
    for (size_t j = 0; j < (size_t)var->ns; j++) {
        out->states[j] = step->s[at * (size_t)var->ns + j];
        out->rates[j] = once * step->s[(at + 1) * (size_t)var->ns + j];
    }
    for (int i = 0; i < var->m; i++)
        out->lambda[i] =
            k > 0 && ss_vary_is_constant(sim, i) ? 0.0 : step->lambda[at * (size_t)var->m + (size_t)i];
    for (int f = 0; f < var->model->force_count && var->kind.forces; f++)
        out->force[f] = ss_signal_is_constant(var->model->forces[f].signal)
                            ? (k == 0 ? sim->inputs.force_constant[f] : 0.0)
                            : sim->inputs.force[at * (size_t)var->model->force_count + (size_t)f];
    if (var->model->open) fill_vars(var, out);
    if (!sim->clock.stop) return;
    // In the parameter of a clock speeds and accelerations are series of their own, and drives run evenly.
    memcpy(out->v, sim->clock.speed + at * n, n * sizeof(double));
    memcpy(out->a, sim->clock.change + at * n, n * sizeof(double));
    for (size_t j = 0; j < nd; j++) {
        out->d1[j] = k == 0 ? sim->clock.drive_speed[j] : 0.0;
        out->d2[j] = 0.0;
    }
}

// ---- coefficients

void ss_linear_order(ss_variation* var, int k, ss_linear* out)
{
    ss_values_order(var, k, &out->at);
    if (!var->model->open) return;
    for (int i = 0; i < var->model->actions->motion.output_count; i++)
        out->outputs[i] = ss_open_output(var->sim, i)[k];
}

// Of a model that is not linear: laws and springs of others have no coefficients of their own.
static void find_coefficients(ss_variation* var, ss_linear* out)
{
    const ss_values* at = &out->at;
    ss_field_point point = {.t = at->t,
                            .q = at->q,
                            .v = at->v,
                            .z = at->z,
                            .s = at->states,
                            .given = {.d = at->d, .d1 = at->d1, .d2 = at->d2},
                            .z_at = var->z_at};
    if (var->model->open) point.given.input = at->vars + var->model->open->first_input;
    ss_field_linearise(var->sim->field, &point, &out->by);
    if (!var->sim->field->programs) return;
    ss_vary_run_point(var, at, out->outputs); // edges look at this run, later
    ss_vary_mend_slopes(var, out);
}

void ss_linear_rest(ss_variation* var, ss_linear* out)
{
    if (!var->kind.linear) find_coefficients(var, out);
}

void ss_linear_at(ss_variation* var, double s, ss_linear* out)
{
    ss_values_at(var, s, &out->at);
    ss_linear_rest(var, out);
}

// ---- products

// Rows of bodies that are tied may change, too.
static void add_ties(const ss_model* model, const ss_values* at, const ss_heading* to, double vars[])
{
    for (int b = 0; b < model->body_count; b++) {
        if (model->bodies[b].drive >= 0) continue;
        vars[b] += ss_row_dot(&to->change->tie[b], at->q);
        vars[model->open->first_speed + b] += ss_row_dot(&to->change->tie[b], at->v);
    }
}

// In an order of the series a linear model has its operators, and expressions their own tangents.
void ss_linear_apply(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io)
{
    const ss_model* model = var->model;
    const double* outputs = NULL;
    bool point = lin->at.order < 0;
    memset(io->z_rate, 0, (size_t)var->nz * sizeof(double));
    if (model->open) ss_field_change_variables(var->sim->field, io);
    if (model->open && to && to->change) add_ties(model, &lin->at, to, io->vars);
    bool by_order = !point || (var->along.passing && to);
    if (by_order && model->open && model->actions->motion.output_count > 0) {
        memset(var->room.seen, 0, (size_t)model->actions->motion.output_count * sizeof(double));
        ss_vary_tangent_order(var, to, point ? 0 : lin->at.order, io->vars, var->room.seen);
        outputs = var->room.seen;
    }
    ss_field_apply(var->sim->field, point ? &lin->by : NULL, outputs, io);
}

void ss_linear_all(ss_variation* var, const ss_linear* lin, ss_heading* to, ss_delta* io)
{
    ss_given_at(var, to, &lin->at, io);
    io->m = lin->at.constant ? to->m : NULL;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_linear_apply(var, lin, to, io);
    if (to->change) ss_change_add(var, to, lin, io);
    ss_field_hold_change(var->sim->field, io);
}
