// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The vector field of the present mode, linearised at a point of the motion: how accelerations, rates and
// contact forces change with the state. With a the acceleration without the contacts that hold, those take
//
//     dlambda = -A^-1 (W^T da + dW^T a + Wd^T dd'' + dWd^T d''),     A = W^T M^-1 W
//
// All of it is linear in what changes, so that in linear models it also holds for each order of their series.
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

static bool is_closed(const ss_sim* sim, int i)
{
    return ss_is_elastic(sim, i) && sim->modes.contacts[i].mode == SS_MODE_CLOSED;
}

// Each element by itself; of the law as a whole only what depends on the speed is left.
static void elements_at(ss_variation* var, int i, ss_law_point* point, ss_linear* out)
{
    const ss_contact* contact = &var->model->contacts[i];
    const ss_law_elements* law = &contact->law_row->elements;
    double start[SS_MOST_ELEMENTS];
    out->law[i] = (ss_response){.force_v = out->law[i].force_v};
    law->now(ss_law_of(contact), point->along, 0, 0.0, start);
    for (int k = 0; k < contact->elements; k++) {
        int z = var->z_at[i] + k;
        point->z = out->at.z[z];
        out->slips[z] = law->slips(ss_law_of(contact), point->along, k, start[k]);
        law->at(ss_law_of(contact), point, k, out->slips[z], &out->element[z]);
    }
}

static void law_at(ss_variation* var, int i, ss_linear* out)
{
    const ss_sim* sim = var->sim;
    const ss_contact* contact = &var->model->contacts[i];
    const ss_values* at = &out->at;
    out->law[i] = (ss_response){0};
    bool closed = is_closed(sim, i);
    if (!contact->law_row->point.at || !(ss_slips(sim, i) || closed)) return;
    ss_law_point point = {.v = ss_row_dot(&contact->q, at->v) + ss_row_dot(&contact->d, at->d1),
                          .sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_MINUS ? -1.0 : 1.0};
    if (closed)
        point.y =
            ss_stop_penetration(contact, ss_row_dot(&contact->q, at->q) + ss_row_dot(&contact->d, at->d) +
                                             ss_row_dot(&contact->bodies, sim->bodies.offset));
    if (closed) point.branch = sim->laws.elastic[sim->laws.elastic_at[i]].branch;
    if (sim->laws.curved_at[i] >= 0) point.along = &sim->laws.curved[sim->laws.curved_at[i]];
    if (ss_is_bristle(sim, i)) {
        point.along = &sim->laws.bristles[sim->laws.bristle_at[i]].along;
        point.sign = point.along->sign;
        point.z = at->z[var->z_at[i]];
    }
    contact->law_row->point.at(ss_law_of(contact), &point, &out->law[i]);
    if (contact->elements > 0) elements_at(var, i, &point, out);
}

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
    const ss_model* model = var->model;
    const ss_sim* sim = var->sim;
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        out->cubic[c] = 0.0;
        if (spring->cubic == 0.0) continue;
        double e = ss_row_dot(&spring->q, out->at.q) + ss_row_dot(&spring->d, out->at.d) +
                   ss_row_dot(&spring->bodies, sim->bodies.offset) - spring->length;
        out->cubic[c] = 3.0 * spring->cubic * e * e;
    }
    for (int i = 0; i < var->m; i++) law_at(var, i, out);
    if (!model->open || model->actions->motion.output_count == 0) return;
    size_t kinks = (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double);
    memcpy(var->runs.slope.w.piece, sim->open.programs->pieces, kinks);
    ss_run_values(&var->runs.slope, out->at.t, out->at.vars, true, out->slope);
    ss_run_values(&var->runs.motion, out->at.t, out->at.vars, true, out->outputs);
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

static void add_scaled(const ss_row* row, double factor, double out[])
{
    for (int k = 0; k < row->count; k++) out[row->index[k]] += factor * row->value[k];
}

static void add_sparse(const ss_sparse* a, const double x[], double factor, double out[])
{
    for (int i = 0; i < a->rows && a->start; i++)
        for (int l = a->start[i]; l < a->start[i + 1]; l++) out[i] += factor * a->value[l] * x[a->index[l]];
}

// How the variables of the expressions change.
static void change_vars(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io)
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        double x = driven ? io->d[body->drive] : ss_row_dot(&body->row, io->q);
        double v = driven ? io->d1[body->drive] : ss_row_dot(&body->row, io->v);
        if (!driven && io->offset) x += io->offset[b];
        if (!driven && to && to->change) {
            x += ss_row_dot(&to->change->tie[b], lin->at.q);
            v += ss_row_dot(&to->change->tie[b], lin->at.v);
        }
        io->vars[b] = x;
        io->vars[open->first_speed + b] = v;
    }
    memcpy(io->vars + open->first_state, io->s, (size_t)var->ns * sizeof(double));
    memcpy(io->vars + open->first_input, io->input, (size_t)var->nu * sizeof(double));
    for (int j = 0; j < var->nm; j++) io->vars[open->first_memory + j] = io->m ? io->m[j] : 0.0;
}

// What of an affine force is not in the operators: inputs, memory, offsets.
static double apply_rest(const ss_open* open, const ss_row* row, const ss_delta* io)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) {
        int at = row->index[k];
        if (at >= open->first_input) sum += row->value[k] * io->vars[at];
        if (at < open->first_speed && io->offset) sum += row->value[k] * io->offset[at];
    }
    return sum;
}

// Outputs that are not affine: of slots, and of levels that follow the motion.
static void apply_programs(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io)
{
    const ss_actions* actions = var->model->actions;
    const ss_jacobian* slopes = &actions->slopes;
    double* out = var->room.seen;
    memset(out, 0, (size_t)actions->motion.output_count * sizeof(double));
    if (lin->at.order >= 0) ss_vary_tangent_order(var, to, lin->at.order, io->vars, out);
    for (int e = 0; e < slopes->count && lin->at.order < 0; e++)
        out[slopes->row[e]] += lin->slope[e] * io->vars[slopes->variable[e]];
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].output >= 0)
            add_scaled(&actions->pulls[p].mobility, out[actions->pulls[p].output], io->a);
    for (int j = 0; j < var->ns; j++)
        if (actions->rates[j].output >= 0) io->rate[j] += out[actions->rates[j].output];
    for (int l = 0; l < var->model->open->level_count; l++) {
        int i = var->model->open->levels[l].contact, which = var->model->open->levels[l].which;
        bool plus = var->sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        if (!ss_slips(var->sim, i) || which != (plus ? SS_FORWARD : SS_BACKWARD)) continue;
        double force = (plus ? -1.0 : 1.0) * out[actions->level_output + l];
        io->lambda[i] += force;
        add_scaled(&var->model->contacts[i].mobility, force, io->a);
    }
}

static void apply_open(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io)
{
    const ss_actions* actions = var->model->actions;
    const ss_state_flow* flow = &actions->flow;
    change_vars(var, lin, to, io);
    add_sparse(&flow->pull, io->s, 1.0, io->a);
    add_sparse(&flow->places, io->q, 1.0, io->rate);
    add_sparse(&flow->speeds, io->v, 1.0, io->rate);
    add_sparse(&flow->own, io->s, 1.0, io->rate);
    add_sparse(&flow->drives, io->d, 1.0, io->rate);
    add_sparse(&flow->drive_speeds, io->d1, 1.0, io->rate);
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].affine)
            add_scaled(&actions->pulls[p].mobility,
                       apply_rest(var->model->open, &actions->pulls[p].affine->row, io), io->a);
    for (int j = 0; j < var->ns; j++)
        if (actions->rates[j].affine)
            io->rate[j] += apply_rest(var->model->open, &actions->rates[j].affine->row, io);
    if (actions->motion.output_count > 0) apply_programs(var, lin, to, io);
}

static void apply_contact(ss_variation* var, const ss_linear* lin, const ss_heading* to, int i, ss_delta* io)
{
    const ss_contact* contact = &var->model->contacts[i];
    const ss_response* law = &lin->law[i];
    int z = var->z_at[i];
    double dv = ss_row_dot(&contact->q, io->v) + ss_row_dot(&contact->d, io->d1), force = law->force_v * dv;
    if (law->force_y != 0.0) {
        double dx = ss_row_dot(&contact->q, io->q) + ss_row_dot(&contact->d, io->d);
        if (io->offset) dx += ss_row_dot(&contact->bodies, io->offset);
        force += law->force_y * dx;
    }
    (void)to;
    for (int k = 0; k < contact->elements; k++) {
        const ss_element_response* element = &lin->element[z + k];
        force += element->pull * io->z[z + k];
        io->z_rate[z + k] += element->rate_v * dv + element->rate_z * io->z[z + k];
    }
    if (z >= 0 && contact->elements == 0) {
        force += law->force_z * io->z[z];
        io->z_rate[z] += law->rate_v * dv + law->rate_z * io->z[z];
    }
    io->lambda[i] += force;
    add_scaled(&contact->mobility, force, io->a);
}

void ss_linear_apply(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io)
{
    const ss_model* model = var->model;
    const ss_operator* op = &model->matrices.flow;
    for (int i = 0; i < var->ns; i++) io->rate[i] = 0.0;
    for (int i = 0; i < var->nz; i++) io->z_rate[i] = 0.0;
    for (int i = 0; i < var->m; i++) io->lambda[i] = io->held[i] = 0.0;
    for (int i = 0; i < var->n; i++) {
        double sum = 0.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            sum -= op->stiffness[l] * io->q[op->index[l]] + op->damping[l] * io->v[op->index[l]];
        io->a[i] = sum;
    }
    if (var->nd > 0) {
        add_sparse(&model->matrices.drive_stiffness, io->d, -1.0, io->a);
        add_sparse(&model->matrices.drive_damping, io->d1, -1.0, io->a);
    }
    if (model->open) apply_open(var, lin, to, io);
    if (lin->at.order >= 0) return; // a linear model has nothing else
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        if (lin->cubic[c] == 0.0) continue;
        double e = ss_row_dot(&spring->q, io->q) + ss_row_dot(&spring->d, io->d);
        if (io->offset) e += ss_row_dot(&spring->bodies, io->offset);
        add_scaled(&spring->mobility, -lin->cubic[c] * e, io->a);
    }
    for (int i = 0; i < var->m; i++)
        if (var->model->contacts[i].law_row->point.at && (ss_slips(var->sim, i) || is_closed(var->sim, i)))
            apply_contact(var, lin, to, i, io);
}

void ss_linear_hold(ss_variation* var, ss_delta* io)
{
    const ss_model* model = var->model;
    const ss_modes* modes = &var->sim->modes;
    for (int j = 0; j < modes->active_count; j++) {
        const ss_group* group = &model->groups[modes->active[j]];
        const ss_hold* hold = &modes->holds[modes->active[j]];
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            io->held[i] +=
                ss_row_dot(&model->contacts[i].q, io->a) + ss_row_dot(&model->contacts[i].d, io->d2);
        }
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            double force = 0.0;
            for (int c = 0; c < hold->count; c++)
                force -= hold->inverse[k * hold->count + c] * io->held[group->contacts[hold->places[c]]];
            io->lambda[i] = force;
        }
        for (int k = 0; k < hold->count; k++) {
            int i = group->contacts[hold->places[k]];
            add_scaled(&model->contacts[i].mobility, io->lambda[i], io->a);
        }
    }
}

void ss_linear_all(ss_variation* var, const ss_linear* lin, ss_heading* to, ss_delta* io)
{
    ss_given_at(var, to, &lin->at, io);
    io->m = lin->at.constant ? to->m : NULL;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_linear_apply(var, lin, to, io);
    if (to->change) ss_change_add(var, to, lin, io);
    ss_linear_hold(var, io);
}
