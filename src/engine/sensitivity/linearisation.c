// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities through the field: values of the motion at a point of the step, or of one order of its
// series, and what the derivative of the field (engine/field) makes of a sensitivity there.
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/sums.h"
#include "engine/run/step_state.h"

#include <string.h>

// ---- values of the motion

bool ss_sensitivity_is_constant(const ss_step* step, const ss_inputs* inputs, const ss_modes* modes, int i)
{
    return ss_slips(modes, i) && inputs->level_at[i] < 0 && step->laws.curved_at[i] < 0 &&
           !ss_is_bristle(step, i);
}

static void fill_vars(ss_derivative* der, ss_values* out)
{
    const ss_model* model = der->model;
    const ss_open* open = model->open;
    const ss_sim* sim = der->sim;
    int k = out->order;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        out->vars[b] = driven ? out->d[body->drive] : ss_row_dot(&body->row, out->q);
        if (!driven && out->constant) out->vars[b] += sim->bodies.offset[b];
        out->vars[open->first_speed + b] = driven ? out->d1[body->drive] : ss_row_dot(&body->row, out->v);
    }
    memcpy(out->vars + open->first_state, out->states, (size_t)der->ns * sizeof(double));
    for (int j = 0; j < der->nu; j++) {
        const double* series = sim->open.input + j;
        double value = out->constant ? sim->open.value[j] : 0.0;
        if (sim->open.varying[j])
            value = k >= 0 ? series[(size_t)k * (size_t)der->nu]
                           : ss_poly_value(series, der->nu, sim->step.order, out->t - sim->step.t);
        out->vars[open->first_input + j] = value;
    }
    for (int j = 0; j < der->nm; j++)
        out->vars[open->first_memory + j] = out->constant ? sim->open.memory[j] : 0.0;
    for (int v = open->first_force; v < open->variable_count; v++)
        out->vars[v] = out->lambda[v - open->first_force];
}

// Where a step in time of a linear model begins, the first coefficients are the values.
static void values_at_start(ss_derivative* der, ss_values* out)
{
    ss_values_order(der, 0, out);
    out->order = -1;
}

void ss_values_at(ss_derivative* der, double s, ss_values* out)
{
    const ss_sim* sim = der->sim;
    if (s == 0.0 && !sim->step.clock.stop && der->kind.linear) {
        values_at_start(der, out);
        return;
    }
    ss_state_at(sim, s, out->q, out->v, out->d, out->d1);
    ss_values_rest(der, s, out);
}

void ss_values_rest(ss_derivative* der, double s, ss_values* out)
{
    const ss_sim* sim = der->sim;
    const ss_step* step = &sim->step;
    int n = der->n, nd = der->nd;
    bool clocked = sim->step.clock.stop != NULL;
    out->order = -1;
    out->constant = true;
    out->s = s;
    out->t = step->t + ss_elapsed(&sim->step, s);
    out->pace = clocked ? ss_poly_value(sim->step.clock.pace, 1, step->order, s) : 1.0;
    if (!clocked && !ss_linear_propagator_accelerations(sim, out->q, out->a))
        ss_sum_second_derivative(step->q, n, step->order, s, out->a);
    for (int i = 0; i < n && clocked; i++)
        out->a[i] = ss_poly_value(sim->step.clock.change + i, n, step->order - 1, s);
    for (int j = 0; j < nd; j++)
        out->d2[j] = clocked ? 0.0 : ss_poly_second_derivative(step->d + j, nd, step->order, s);
    for (int i = 0; i < der->m; i++) {
        out->lambda[i] = ss_sensitivity_is_constant(&sim->step, &sim->inputs, &sim->modes, i)
                             ? step->lambda[i]
                             : ss_poly_value(step->lambda + i, der->m, step->order - 2, s);
        const ss_contact* contact = &der->model->contacts[i];
        if (der->z_at[i] < 0) continue;
        const ss_along* along = &sim->step.laws.bristles[sim->step.laws.bristle_at[i]].along;
        if (contact->elements > 0)
            contact->law_entry->elements.now(ss_law_of(contact), along, step->order - 1, s,
                                             out->z + der->z_at[i], NULL);
        else
            out->z[der->z_at[i]] = ss_along_at(along->z, step->order - 1, s);
    }
    for (int f = 0; f < der->model->force_count && der->kind.forces; f++)
        out->force[f] = ss_signal_is_constant(der->model->forces[f].signal)
                            ? sim->inputs.force_constant[f]
                            : ss_poly_value(sim->inputs.force + f, der->model->force_count, sim->inputs.order,
                                            out->t - step->t);
    if (der->model->open) fill_vars(der, out);
}

void ss_values_order(ss_derivative* der, int k, ss_values* out)
{
    const ss_sim* sim = der->sim;
    const ss_step* step = &sim->step;
    size_t n = (size_t)der->n, nd = (size_t)der->nd, at = (size_t)k;
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
    for (size_t j = 0; j < (size_t)der->ns; j++) {
        out->states[j] = step->s[at * (size_t)der->ns + j];
        out->rates[j] = once * step->s[(at + 1) * (size_t)der->ns + j];
    }
    for (int i = 0; i < der->m; i++)
        out->lambda[i] = k > 0 && ss_sensitivity_is_constant(&sim->step, &sim->inputs, &sim->modes, i)
                             ? 0.0
                             : step->lambda[at * (size_t)der->m + (size_t)i];
    for (int f = 0; f < der->model->force_count && der->kind.forces; f++)
        out->force[f] = ss_signal_is_constant(der->model->forces[f].signal)
                            ? (k == 0 ? sim->inputs.force_constant[f] : 0.0)
                            : sim->inputs.force[at * (size_t)der->model->force_count + (size_t)f];
    if (der->model->open) fill_vars(der, out);
    if (!sim->step.clock.stop) return;
    // In the parameter of a clock speeds and accelerations are series of their own, and drives run evenly.
    memcpy(out->v, sim->step.clock.speed + at * n, n * sizeof(double));
    memcpy(out->a, sim->step.clock.change + at * n, n * sizeof(double));
    for (size_t j = 0; j < nd; j++) {
        out->d1[j] = k == 0 ? sim->step.clock.drive_speed[j] : 0.0;
        out->d2[j] = 0.0;
    }
}

// ---- coefficients

void ss_linear_order(ss_derivative* der, int k, ss_linear* out)
{
    ss_values_order(der, k, &out->at);
    if (!der->model->open) return;
    for (int i = 0; i < der->model->actions->motion.output_count; i++)
        out->outputs[i] = ss_open_output(&der->sim->open, i)[k];
}

// Normal forces that are given in time.
static const double* given_loads(ss_derivative* der, const ss_values* at)
{
    const ss_inputs* inputs = &der->sim->inputs;
    double* out = der->room.loads;
    for (int i = 0; i < der->m; i++)
        if (der->model->contacts[i].loaded)
            out[4 * inputs->level_at[i] + SS_FORWARD] =
                ss_poly_value(ss_load_series(inputs, i), 1, inputs->order, at->t - der->sim->step.t);
    return out;
}

// Of a model that is not linear: laws and springs of others have no coefficients of their own.
static void find_coefficients(ss_derivative* der, ss_linear* out)
{
    const ss_values* at = &out->at;
    ss_field_point point = {.t = at->t,
                            .q = at->q,
                            .v = at->v,
                            .z = at->z,
                            .s = at->states,
                            .given = {.d = at->d, .d1 = at->d1, .d2 = at->d2, .level = given_loads(der, at)},
                            .z_at = der->z_at};
    if (der->model->open) point.given.input = at->vars + der->model->open->first_input;
    ss_field_linearise(der->sim->field, &point, &out->by);
    if (!der->sim->field->programs) return;
    ss_sensitivity_run_point(der, at, out->outputs); // edges look at this run, later
    ss_sensitivity_mend_slopes(der, out);
}

void ss_linear_rest(ss_derivative* der, ss_linear* out)
{
    if (!der->kind.linear) find_coefficients(der, out);
}

void ss_linear_at(ss_derivative* der, double s, ss_linear* out)
{
    ss_values_at(der, s, &out->at);
    ss_linear_rest(der, out);
}

// ---- products

// Rows of bodies that are tied may change, too.
static void add_ties(const ss_model* model, const ss_values* at, const ss_sensitivity* to, double vars[])
{
    for (int b = 0; b < model->body_count; b++) {
        if (model->bodies[b].drive >= 0) continue;
        vars[b] += ss_row_dot(&to->change->tie[b], at->q);
        vars[model->open->first_speed + b] += ss_row_dot(&to->change->tie[b], at->v);
    }
}

// In an order of the series a linear model has its operators, and expressions their own tangents.
void ss_linear_apply(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, ss_delta* io)
{
    const ss_model* model = der->model;
    const double* outputs = NULL;
    bool point = lin->at.order < 0;
    memset(io->z_rate, 0, (size_t)der->nz * sizeof(double));
    if (model->open) ss_field_change_variables(der->sim->field, io);
    if (model->open && to && to->change) add_ties(model, &lin->at, to, io->vars);
    bool by_order = !point || (der->along.passing && to);
    if (by_order && model->open && model->actions->motion.output_count > 0) {
        memset(der->room.seen, 0, (size_t)model->actions->motion.output_count * sizeof(double));
        ss_program_tangent_order(der, to, point ? 0 : lin->at.order, io->vars, der->room.seen);
        outputs = der->room.seen;
    }
    ss_field_apply(der->sim->field, point ? &lin->by : NULL, outputs, io);
}

void ss_linear_all(ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, ss_delta* io)
{
    ss_given_at(der, to, &lin->at, io);
    io->m = lin->at.constant ? to->m : NULL;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_linear_apply(der, lin, to, io);
    if (to->change) ss_change_add(der, to, lin, io);
    ss_sensitivity_hold(der, lin, to, der->room.seen, io);
}
