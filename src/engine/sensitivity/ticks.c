// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Memory of sampled controllers: a tick is at its time whatever the motion does, so what it writes changes by
// the derivative of its lines alone, with the counts of round and floor as they are,
// or as if what they count went on evenly (ss_direction.through_rounding).
#include "engine/sensitivity/program_tangent.h"
#include "engine/sensitivity/run_hooks.h"

#include <math.h>
#include <string.h>

// How the variables of the expressions change at the present instant, just before what happens there.
static void look(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    const ss_open* open = model->open;
    const double *q = der->sim->step.q, *v = q + der->n;
    double* out = der->delta.vars;
    ss_values now = {.order = -1, .constant = true, .t = der->sim->step.t};
    if (der->nd > 0 || (to->change && to->change->given)) ss_given_prepare(der, to);
    ss_given_at(der, to, &now, &der->delta);
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        out[b] = driven ? to->d[body->drive] : ss_row_dot(&body->row, to->q) + to->offset[b];
        out[open->first_speed + b] = driven ? der->delta.d1[body->drive] : ss_row_dot(&body->row, to->v);
        if (driven || !to->change || to->change->tie[b].count == 0) continue;
        out[b] += ss_row_dot(&to->change->tie[b], q);
        out[open->first_speed + b] += ss_row_dot(&to->change->tie[b], v);
    }
    for (int k = 0; k < der->ns; k++) out[open->first_state + k] = to->s[k];
    for (int k = 0; k < der->nu; k++) out[open->first_input + k] = der->delta.input[k];
    for (int k = 0; k < der->nm; k++) out[open->first_memory + k] = to->m[k];
}

// The derivative of a smooth program along a line: central differences of its values with extrapolation, in
// steps that are a small share of what the variables are.
static void differentiate(ss_derivative* der, ss_run* run, const double point[], double out[], int outputs)
{
    static const double places[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0, -8.0, 8.0, -1.0};
    int count = der->model->open->variable_count;
    double size = INFINITY, *moved = der->room.work, *value = der->room.seen;
    for (int k = 0; k < count; k++)
        if (der->delta.vars[k] != 0.0)
            size = fmin(size, fmax(fabs(point[k]), 1e-6) / fabs(der->delta.vars[k]));
    memset(out, 0, (size_t)outputs * sizeof(double));
    if (!isfinite(size)) return;
    double h = 1e-3 * size;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < count; k++) moved[k] = point[k] + places[i] * h * der->delta.vars[k];
        ss_run_values(run, der->sim->step.t, moved, true, value);
        for (int k = 0; k < outputs; k++) out[k] += weights[i] * value[k] / (12.0 * h);
    }
    ss_run_values(run, der->sim->step.t, point, true, value); // other sensitivities take tangents there
}

// What was written holds at once, or waits for the end of a delay.
static void keep(const ss_open_block* block, ss_sensitivity* to, const double out[])
{
    double* memory = block->delay > 0.0 ? to->pending : to->m;
    for (int w = 0; w < block->write_count; w++) memory[block->memory[w]] = out[w];
}

// What block b writes, by differences: of its own program, and of those of the models.
static void differentiate_tick(ss_derivative* der, ss_sensitivity* to, int b, double out[])
{
    const ss_sim* sim = der->sim;
    int blocks = der->model->open->block_count, count = der->model->open->blocks[b].write_count;
    size_t kinks = (size_t)ss_graph_kink_count(der->model->open->graph) * sizeof(double);
    differentiate(der, &sim->values.runs[b], sim->values.point, out, count);
    for (int k = 0; to->change && k < to->change->from->model_count; k++) {
        ss_run* run = &to->change->ticks[k * blocks + b];
        memcpy(run->w.piece, sim->values.runs[b].w.piece, kinks);
        ss_run_values(run, sim->step.t, sim->values.point, true, der->room.seen);
        for (int w = 0; w < count; w++)
            out[w] += to->change->from->weights[k] * (der->room.seen[w] - sim->values.written[w]);
    }
}

// Says once that a controller counts what moves in steps: the derivative of the count is 0 between them, so
// that nothing comes back through the loop.
static void report_steps(ss_derivative* der, int b)
{
    static const char cut[] =
        "derivative: round, floor and the like cut the feedback of a sampled controller: true between their "
        "steps, but no guide for tuning; --through-rounding gives that of the loop with fine steps";
    static const char passed[] =
        "derivative: passes through round, floor and ceil of a sampled controller as if they were not there: "
        "that of the loop with fine steps, not of this motion between its steps";
    if (der->begin.stepped || !ss_open_block_counts_steps(&der->model->open->blocks[b])) return;
    der->begin.stepped = true;
    bool through = der->count > 0 && der->sensitivities[0].def->through_rounding;
    ss_sensitivity_note(der, &(ss_note){.t = der->sim->step.t, .text = through ? passed : cut});
}

void ss_sensitivity_tick(ss_sim* sim, int b)
{
    ss_derivative* der = sim->derivative;
    report_steps(der, b);
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        double* out = der->room.numbers;
        if (to->lost) continue;
        if (!ss_sensitivity_line_tick(der, to, b, out)) {
            look(der, to);
            if (!ss_program_tangent_tick(der, to, b, der->delta.vars, out)) {
                if (to->def->through_rounding && ss_open_block_counts_steps(&der->model->open->blocks[b]))
                    ss_sensitivity_lose(der, to,
                                        "derivative: cannot pass through the rounding of a sampled "
                                        "controller whose lines change their form with the number");
                differentiate_tick(der, to, b, out);
            }
        }
        keep(&der->model->open->blocks[b], to, out);
    }
}

void ss_sensitivity_write(const ss_model* model, struct ss_derivative* derivative, int b)
{
    const ss_open_block* block = &model->open->blocks[b];
    for (int j = 0; j < derivative->count; j++) {
        ss_sensitivity* to = &derivative->sensitivities[j];
        for (int w = 0; w < block->write_count; w++) to->m[block->memory[w]] = to->pending[block->memory[w]];
    }
}

bool ss_sensitivity_sticks(struct ss_derivative* derivative)
{
    return derivative->kept.propagator && derivative->kind.linear;
}
