// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models in stiff steps: what states and expressions do at a point, with their derivatives by the tapes
// of the model, and the outputs and switching functions of the program along the step, as polynomials through
// their values at the nodes. Kinks stay on the pieces they have where the step begins; the step ends where a
// switching function says so, as with series.
//
//   reads    the point: q, (v, z, s), d; series of the inputs
//   writes   accelerations and rates; afterwards what ss_open_output and ss_open_switch tell
#include "core/algebra/polynomial.h"
#include "core/expression/piece/singular.h"
#include "engine/flow/open.h"
#include "engine/flow/stiff.h"

#include <math.h>
#include <string.h>

enum { S = SS_STAGES, WIDTH = SS_MAX_ORDER + 1 };

// ---- creation

bool ss_open_may_be_stiff(const ss_sim* sim)
{
    const ss_program* program = &sim->model->actions->motion;
    if (sim->open.following_count > 0) return false; // levels are series
    for (int j = 0; j < program->kink_count; j++) {
        ss_op op = program->code[program->kinks[j]].op;
        if (op == SS_OP_FLOOR || op == SS_OP_CEIL || op == SS_OP_ROUND) return false; // many small cells
    }
    return true;
}

void ss_open_stiff_allocate(ss_sim* sim)
{
    const ss_actions* actions = sim->model->actions;
    ss_pool* pool = &sim->pool;
    size_t outputs = (size_t)actions->motion.output_count, kinks = (size_t)actions->motion.kink_count;
    size_t d = sizeof(double);
    ss_open_stiff* own = ss_pool_new(pool, 1, sizeof *own);
    if (!own) return;
    own->pieces = ss_pool_new(pool, (size_t)ss_graph_kink_count(sim->model->open->graph), d);
    own->slopes = ss_pool_new(pool, (size_t)actions->slopes.count, d);
    own->values = ss_pool_new(pool, (S + 1) * outputs, d);
    own->switches = ss_pool_new(pool, (S + 1) * kinks, d);
    own->argument = ss_pool_new(pool, 2 * (size_t)actions->motion.singular_count, d);
    own->output = ss_pool_new(pool, WIDTH * outputs, d);
    own->switching = ss_pool_new(pool, WIDTH * kinks, d);
    if (pool->failed || !ss_run_make(&own->slope, pool, &actions->slope, 0, own->pieces) ||
        !ss_run_make(&own->motion, pool, &actions->motion, 0, own->pieces))
        return;
    sim->open.programs->stiff = own;
}

// ---- at a point

static double input_at(const ss_sim* sim, int j, double s)
{
    return sim->open.varying[j]
               ? ss_poly_value(sim->open.input + j, sim->model->open->input_count, sim->inputs.order, s)
               : sim->open.value[j];
}

// All variables of the expressions.
static void fill_point(const ss_sim* sim, const ss_stiff_point* at, const double states[], double point[])
{
    const ss_open* open = sim->model->open;
    const ss_model* model = sim->model;
    const double *d = at->drives, *d1 = d + model->drive_count;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        point[b] = driven ? d[body->drive] : ss_row_dot(&body->row, at->q) + sim->bodies.offset[b];
        point[open->first_speed + b] = driven ? d1[body->drive] : ss_row_dot(&body->row, at->state);
    }
    for (int j = 0; j < open->state_count; j++) point[open->first_state + j] = states[j];
    for (int j = 0; j < open->input_count; j++) point[open->first_input + j] = input_at(sim, j, at->s);
    for (int j = 0; j < open->memory_count; j++) point[open->first_memory + j] = sim->open.memory[j];
}

// Outputs of the program at a point, on the pieces that hold.
static const double* outputs_at(const ss_sim* sim, const ss_stiff_point* at, const double states[],
                                double out[])
{
    ss_open_programs* own = sim->open.programs;
    memcpy(own->stiff->pieces, own->pieces,
           (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    fill_point(sim, at, states, own->point);
    ss_run_values(&own->stiff->motion, sim->step.t + at->s, own->point, true, out);
    return out;
}

static void push(const ss_row* mobility, double force, double a[])
{
    for (int k = 0; k < mobility->count; k++) a[mobility->index[k]] += mobility->value[k] * force;
}

void ss_open_stiff_rates(const ss_sim* sim, const ss_stiff_point* at, const double states[], double a[],
                         double rates[])
{
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    const ss_state_flow* flow = &actions->flow;
    const double *d = at->drives, *d1 = d + model->drive_count;
    int pulls = actions->pull_count;
    for (int i = 0; i < model->n; i++) a[i] += ss_sparse_dot(&flow->pull, i, states);
    for (int j = 0; j < sim->open.states; j++)
        rates[j] = sim->open.constant[j] + ss_sparse_dot(&flow->places, j, at->q) +
                   ss_sparse_dot(&flow->speeds, j, at->state) + ss_sparse_dot(&flow->own, j, states) +
                   ss_sparse_dot(&flow->drives, j, d) + ss_sparse_dot(&flow->drive_speeds, j, d1);
    for (int slot = 0; slot < sim->open.slots && sim->open.varies; slot++) {
        double given = ss_open_given_at(sim, slot, at->s);
        if (slot < pulls)
            push(&actions->pulls[slot].mobility, given, a);
        else
            rates[slot - pulls] += given;
    }
    if (actions->motion.output_count == 0) return;
    const double* out = outputs_at(sim, at, states, sim->open.programs->outputs);
    for (int p = 0; p < pulls; p++)
        if (actions->pulls[p].output >= 0)
            push(&actions->pulls[p].mobility, out[actions->pulls[p].output], a);
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0) rates[j] += out[actions->rates[j].output];
}

// ---- the Jacobian

// Row r of the Jacobian gets factor times the derivative by a variable of the expressions; columns are the
// coordinates, their speeds, and the states from `first` on.
static void add_by_variable(const ss_model* model, double row[], int first, int variable, double factor)
{
    const ss_open* open = model->open;
    if (variable >= open->first_input) return;
    if (variable >= open->first_state) {
        row[first + variable - open->first_state] += factor;
        return;
    }
    bool speed = variable >= open->first_speed;
    const ss_body* body = &model->bodies[speed ? variable - open->first_speed : variable];
    for (int k = 0; k < body->row.count && body->drive < 0; k++)
        row[(speed ? model->n : 0) + body->row.index[k]] += factor * body->row.value[k];
}

static void add_block(const ss_sparse* block, int row, int column, int width, double jacobian[])
{
    for (int i = 0; i < block->rows; i++)
        for (int l = block->start[i]; l < block->start[i + 1]; l++)
            jacobian[(row + i) * width + column + block->index[l]] += block->value[l];
}

// Derivatives of the outputs at a point.
static const double* slopes_at(const ss_sim* sim, const ss_stiff_point* at, const double states[])
{
    ss_open_stiff* own = sim->open.programs->stiff;
    memcpy(own->pieces, sim->open.programs->pieces,
           (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    fill_point(sim, at, states, sim->open.programs->point);
    ss_run_values(&own->slope, sim->step.t + at->s, sim->open.programs->point, true, own->slopes);
    return own->slopes;
}

void ss_open_stiff_jacobian(const ss_sim* sim, const ss_stiff_point* at, const double states[], int before,
                            double jacobian[])
{
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    int n = model->n, first = n + before, width = first + sim->open.states;
    add_block(&actions->flow.pull, 0, first, width, jacobian);
    add_block(&actions->flow.places, before, 0, width, jacobian);
    add_block(&actions->flow.speeds, before, n, width, jacobian);
    add_block(&actions->flow.own, before, first, width, jacobian);
    if (actions->slopes.count == 0) return;
    const double* slope = slopes_at(sim, at, states);
    for (int e = 0; e < actions->slopes.count; e++) {
        int output = actions->slopes.row[e], variable = actions->slopes.variable[e];
        for (int p = 0; p < actions->pull_count; p++) {
            const ss_row* mobility = &actions->pulls[p].mobility;
            for (int k = 0; k < mobility->count && actions->pulls[p].output == output; k++)
                add_by_variable(model, jacobian + mobility->index[k] * width, first, variable,
                                mobility->value[k] * slope[e]);
        }
        for (int j = 0; j < sim->open.states; j++)
            if (actions->rates[j].output == output)
                add_by_variable(model, jacobian + (before + j) * width, first, variable, slope[e]);
    }
}

// ---- how fast it changes

// By expressions that are not affine, at the present state: what states and speeds do to themselves.
double ss_open_stiff_rate(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    const ss_open* open = model->open;
    if (actions->slopes.count == 0) return 0.0;
    ss_stiff_point at = {0.0, sim->step.q, sim->step.q + model->n, sim->step.d};
    const double* slope = slopes_at(sim, &at, sim->step.s);
    double rate = 0.0;
    for (int e = 0; e < actions->slopes.count; e++) {
        int output = actions->slopes.row[e], variable = actions->slopes.variable[e];
        bool place = variable < open->first_speed;
        for (int j = 0; j < open->state_count; j++)
            if (actions->rates[j].output == output && variable == open->first_state + j)
                rate += fabs(slope[e]);
        for (int p = 0; p < actions->pull_count && variable < open->first_state; p++) {
            const ss_body* body = &model->bodies[place ? variable : variable - open->first_speed];
            if (actions->pulls[p].output != output || body->drive >= 0) continue;
            double back = 0.0;
            for (int k = 0; k < actions->pulls[p].mobility.count; k++)
                for (int l = 0; l < body->row.count; l++)
                    if (body->row.index[l] == actions->pulls[p].mobility.index[k])
                        back += actions->pulls[p].mobility.value[k] * body->row.value[l];
            rate += place ? sqrt(fabs(back * slope[e])) : fabs(back * slope[e]);
        }
    }
    return rate;
}

// ---- the step

bool ss_open_stiff_may_apply(const ss_sim* sim)
{
    const ss_open_programs* own = sim->open.programs;
    const ss_program* program = own->motion.program;
    if (ss_open_is_held(sim)) return false;
    // A kink that no order has decided has an argument that stays 0: both pieces are the same.
    for (int j = 0; j < program->kink_count; j++)
        if (program->jumps[j] && isnan(own->pieces[program->code[program->kinks[j]].kink])) return false;
    return true;
}

bool ss_open_stiff_stays_clear(const ss_sim* sim, const ss_stiff_point* at, const double states[], bool start)
{
    ss_open_stiff* own = sim->open.programs->stiff;
    const ss_program* program = &sim->model->actions->motion;
    if (program->singular_count == 0) return true;
    outputs_at(sim, at, states, sim->open.programs->outputs);
    for (int k = 0; k < program->singular_count; k++) {
        const ss_instruction* in = &program->code[program->singular[k]];
        double a = own->motion.x[in->a], b = ss_op_is_binary(in->op) ? own->motion.x[in->b] : 0.0;
        double* from = own->argument + 2 * k;
        if (start) {
            from[0] = a;
            from[1] = b;
        } else if (ss_singular_change(in, a - from[0], b - from[1]) >
                   0.9 * ss_singular_distance(in, from[0], from[1])) {
            return false;
        }
    }
    return true;
}

void ss_open_stiff_node(const ss_sim* sim, int i, const ss_stiff_point* at, const double states[])
{
    ss_open_stiff* own = sim->open.programs->stiff;
    const ss_program* program = &sim->model->actions->motion;
    if (program->output_count == 0) return;
    outputs_at(sim, at, states, own->values + i * program->output_count);
    for (int j = 0; j < program->kink_count; j++)
        own->switches[i * program->kink_count + j] = ss_run_switch_at(&own->motion, j);
}

// Through the value at the start, which is exact, and the nodes: y_0 + u p(u).
static void interpolate(const ss_collocation* method, const double values[], int width, double h,
                        double out[])
{
    double start = values[S * width], scale = 1.0 / h;
    memset(out, 0, WIDTH * sizeof *out);
    out[0] = start;
    for (int m = 0; m < S; m++, scale /= h) {
        double sum = 0.0;
        for (int j = 0; j < S; j++)
            sum += method->power[m][j] * (values[j * width] - start) / method->node[j];
        out[m + 1] = sum * scale;
    }
}

void ss_open_stiff_write(ss_sim* sim, double h)
{
    ss_open_stiff* own = sim->open.programs->stiff;
    const ss_collocation* method = &sim->ways.stiff->method;
    const ss_program* program = &sim->model->actions->motion;
    for (int i = 0; i < program->output_count; i++)
        interpolate(method, own->values + i, program->output_count, h, own->output + (size_t)i * WIDTH);
    for (int j = 0; j < program->kink_count; j++)
        interpolate(method, own->switches + j, program->kink_count, h, own->switching + (size_t)j * WIDTH);
    own->written = true;
}

int ss_open_stiff_switch(const ss_sim* sim, int j, double out[])
{
    const ss_open_programs* own = sim->open.programs;
    const double* series = own->stiff->switching + (size_t)j * WIDTH;
    if (isnan(series[0]) || isnan(own->pieces[own->motion.program->code[own->motion.program->kinks[j]].kink]))
        return -1;
    memcpy(out, series, (size_t)(sim->step.order - 1) * sizeof *out);
    if (own->motion.w.met[own->motion.program->kinks[j]] > 0.0) out[0] = 0.0; // it was crossed here
    return sim->step.order - 2;
}
