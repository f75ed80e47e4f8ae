// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models in stiff steps: the outputs and switching functions of the program along the step, as
// polynomials through their values at the nodes. Kinks stay on the pieces they have where the step begins;
// the step ends where a switching function says so, as with series.
//
//   reads    the field at the nodes
//   writes   what ss_open_output and ss_open_switch tell
#include "core/expression/piece/singular.h"
#include "engine/field/field.h"
#include "engine/flow/input_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/stiff.h"

#include <math.h>
#include <string.h>

enum { S = SS_STAGES, WIDTH = SS_MAX_ORDER + 1 };

// ---- creation

bool ss_open_may_be_stiff(const ss_model* model, const ss_open_run* open)
{
    const ss_program* program = &model->actions->motion;
    if (open->following_count > 0) return false;                              // levels are series
    if (model->open->variable_count > model->open->first_force) return false; // and so are forces
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
    own->values = ss_pool_new(pool, (S + 1) * outputs, d);
    own->switches = ss_pool_new(pool, (S + 1) * kinks, d);
    own->argument = ss_pool_new(pool, 2 * (size_t)actions->motion.singular_count, d);
    own->output = ss_pool_new(pool, WIDTH * outputs, d);
    own->switching = ss_pool_new(pool, WIDTH * kinks, d);
    if (!pool->failed) sim->open.programs->stiff = own;
}

// ---- how fast it changes

// By expressions that are not affine, at the present state: what states and speeds do to themselves.
double ss_open_stiff_rate(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    const ss_actions* actions = model->actions;
    const ss_open* open = model->open;
    if (actions->slopes.count == 0) return 0.0;
    ss_field_point at = {
        .t = sim->step.t,
        .q = sim->step.q,
        .v = sim->step.q + model->n,
        .s = sim->step.s,
        .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open, 0.0, sim->field->given)};
    const double* slope = ss_field_output_slopes(sim->field, &at, sim->field->programs->slopes);
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

bool ss_open_stiff_may_apply(const ss_open_run* open_run)
{
    const ss_open_programs* own = open_run->programs;
    const ss_program* program = own->motion.program;
    if (ss_open_is_held(open_run)) return false;
    // A kink that no order has decided has an argument that stays 0: both pieces are the same.
    for (int j = 0; j < program->kink_count; j++)
        if (program->jumps[j] && isnan(own->pieces[program->code[program->kinks[j]].kink])) return false;
    return true;
}

bool ss_open_stiff_stays_clear(const ss_model* model, struct ss_field* field, const ss_open_run* open_run,
                               const ss_field_point* at, bool start)
{
    ss_open_stiff* own = open_run->programs->stiff;
    const ss_program* program = &model->actions->motion;
    if (program->singular_count == 0) return true;
    const ss_run* run = &field->programs->motion;
    ss_field_outputs(field, at, field->programs->outputs);
    for (int k = 0; k < program->singular_count; k++) {
        const ss_instruction* in = &program->code[program->singular[k]];
        double a = run->x[in->a], b = ss_op_is_binary(in->op) ? run->x[in->b] : 0.0;
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

void ss_open_stiff_node(const ss_model* model, struct ss_field* field, const ss_open_run* open_run, int i,
                        const ss_field_point* at)
{
    ss_open_stiff* own = open_run->programs->stiff;
    const ss_program* program = &model->actions->motion;
    if (program->output_count == 0) return;
    ss_field_outputs(field, at, own->values + i * program->output_count);
    for (int j = 0; j < program->kink_count; j++)
        own->switches[i * program->kink_count + j] = ss_run_switch_at(&field->programs->motion, j);
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

void ss_open_stiff_write(const ss_model* model, const ss_open_run* open_run, ss_ways* ways, double h)
{
    ss_open_stiff* own = open_run->programs->stiff;
    const ss_collocation* method = &ways->stiff->method;
    const ss_program* program = &model->actions->motion;
    for (int i = 0; i < program->output_count; i++)
        interpolate(method, own->values + i, program->output_count, h, own->output + (size_t)i * WIDTH);
    for (int j = 0; j < program->kink_count; j++)
        interpolate(method, own->switches + j, program->kink_count, h, own->switching + (size_t)j * WIDTH);
    own->written = true;
}

int ss_open_stiff_switch(const ss_step* step, ss_open_programs* own, int j, double out[])
{
    const double* series = own->stiff->switching + (size_t)j * WIDTH;
    if (isnan(series[0]) || isnan(own->pieces[own->motion.program->code[own->motion.program->kinks[j]].kink]))
        return -1;
    memcpy(out, series, (size_t)(step->order - 1) * sizeof *out);
    if (own->motion.w.met[own->motion.program->kinks[j]] > 0.0) out[0] = 0.0; // it was crossed here
    return step->order - 2;
}
