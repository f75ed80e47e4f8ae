// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models at a point of the step: their variables, what is shown of them, and the work of their forces.
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/open_series.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

static double value_at(const double series[], int stride, int order, double s)
{
    double sum = 0.0;
    for (int k = order; k >= 0; k--) sum = sum * s + series[(size_t)k * (size_t)stride];
    return sum;
}

static double slope_at(const double series[], int stride, int order, double s)
{
    double sum = 0.0;
    for (int k = order; k >= 1; k--) sum = sum * s + k * series[(size_t)k * (size_t)stride];
    return sum;
}

static double of_body(const ss_sim* sim, int b, const double series[], const double drives[],
                      double (*at)(const double[], int, int, double), double s)
{
    const ss_body* body = &sim->model->bodies[b];
    int n = sim->model->n, order = sim->step.ready ? sim->step.order : 1;
    if (body->drive >= 0) return at(drives + body->drive, sim->model->drive_count, order, s);
    double sum = 0.0;
    for (int k = 0; k < body->row.count; k++)
        sum += body->row.value[k] * at(series + body->row.index[k], n, order, s);
    return sum;
}

static double input_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int j,
                       double s)
{
    int order = step->ready ? step->order : 0;
    return open_run->varying[j] ? value_at(open_run->input + j, model->open->input_count, order, s)
                                : open_run->value[j];
}

void ss_open_point(const ss_sim* sim, double s, double point[])
{
    const ss_open* open = sim->model->open;
    for (int b = 0; b < sim->model->body_count; b++) {
        point[b] = of_body(sim, b, sim->step.q, sim->step.d, value_at, s);
        if (sim->model->bodies[b].drive < 0) point[b] += sim->bodies.offset[b];
        point[open->first_speed + b] = of_body(sim, b, sim->step.q, sim->step.d, slope_at, s);
    }
    int order = sim->step.ready ? sim->step.order - 1 : 0;
    for (int j = 0; j < open->state_count; j++)
        point[open->first_state + j] = value_at(sim->step.s + j, sim->open.states, order, s);
    for (int j = 0; j < open->input_count; j++)
        point[open->first_input + j] = input_at(sim->model, &sim->step, &sim->open, j, s);
    for (int j = 0; j < open->memory_count; j++) point[open->first_memory + j] = sim->open.memory[j];
    int m = sim->model->contact_count, last = sim->step.ready ? sim->step.order - 2 : 0;
    for (int i = open->first_force; i < open->variable_count; i++)
        point[i] = value_at(sim->step.lambda + (i - open->first_force), m, last, s);
}

// What jumps is shown as it is after the jump: on which piece it is, a few ulps of time later tell. An edge
// that holds keeps the piece it has.
static void find_right_limits(const ss_sim* sim, double s, double t)
{
    ss_open_programs* own = sim->open.programs;
    const ss_program* program = own->shown.program;
    double later = 16.0 * DBL_EPSILON * fmax(fabs(t), sim->step.length);
    bool jumps = false;
    for (int j = 0; j < program->kink_count; j++) {
        const ss_instruction* in = &program->code[program->kinks[j]];
        if (!ss_op_is_jump(in->op)) continue;
        jumps = true;
        if (!ss_open_is_held(&sim->open)) own->copy[in->kink] = NAN;
    }
    if (!jumps) return;
    ss_open_point(sim, s + later, own->point);
    ss_run_values(&own->shown, t + later, own->point, true, own->seen);
}

bool ss_open_show(const ss_sim* sim, double s, double t)
{
    ss_open_programs* own = sim->open.programs;
    memcpy(own->copy, own->pieces, (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    find_right_limits(sim, s, t);
    ss_open_point(sim, s, own->point);
    return ss_run_values(&own->shown, t, own->point, true, own->seen);
}

double ss_open_stored(const ss_sim* sim, double s, double* parts)
{
    const ss_open* open = sim->model->open;
    double sum = 0.0;
    if (open->potential_count == 0) return 0.0;
    ss_open_show(sim, s, sim->step.t + s);
    for (int p = 0; p < open->potential_count; p++) {
        double energy = sim->open.programs->seen[open->signal_count + p];
        sum += energy;
        *parts += fabs(energy);
    }
    return sum;
}

// Coefficient k of a variable of the expressions along the step.
static double coefficient(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                          const ss_places* bodies, int variable, int k)
{
    const ss_open* open = model->open;
    if (variable >= open->first_memory) return k == 0 ? open_run->memory[variable - open->first_memory] : 0.0;
    if (variable >= open->first_input) {
        int input = variable - open->first_input;
        if (!open_run->varying[input]) return k == 0 ? open_run->value[input] : 0.0;
        return open_run->input[(size_t)k * (size_t)open->input_count + (size_t)input];
    }
    if (variable >= open->first_state)
        return k < step->order
                   ? step->s[(size_t)k * (size_t)open_run->states + (size_t)(variable - open->first_state)]
                   : 0.0;
    bool speed = variable >= open->first_speed;
    const ss_body* body = &model->bodies[speed ? variable - open->first_speed : variable];
    size_t at = (size_t)k + speed;
    if (speed && k >= step->order) return 0.0;
    double x = body->drive >= 0 ? step->d[at * (size_t)model->drive_count + (size_t)body->drive]
                                : ss_row_dot(&body->row, step->q + at * (size_t)model->n);
    if (speed) return (k + 1) * x;
    return k == 0 && body->drive < 0 ? x + bodies->offset[variable] : x;
}

// Series of the forces that are affine, once per step: they are asked for at many points.
void ss_open_prepare_powers(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                            const ss_places* bodies)
{
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_affine* a = actions->pulls[p].affine;
        double* series = open_run->programs->forces + (size_t)p * WIDTH;
        if (!a || !isnan(open_run->steady[p])) continue;
        for (int k = 0; k <= step->order; k++) {
            double sum = 0.0;
            if (a->rest && !ss_signal_is_constant(a->rest))
                sum = open_run->given[(size_t)k * (size_t)open_run->slots + (size_t)p];
            else if (a->rest && k == 0)
                sum = ss_signal_value(a->rest, 0.0);
            for (int l = 0; l < a->row.count; l++)
                sum += a->row.value[l] * coefficient(model, step, open_run, bodies, a->row.index[l], k);
            series[k] = sum;
        }
    }
}

// Force p at s.
static double force_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int p,
                       double s)
{
    const ss_pull* pull = &model->actions->pulls[p];
    if (!pull->affine) return value_at(ss_open_output(open_run, pull->output), 1, step->order - 2, s);
    return value_at(open_run->programs->forces + (size_t)p * WIDTH, 1, step->order, s);
}

void ss_open_works(const ss_model* model, const double force[], const double moved[], const double driven[],
                   ss_energy* e, double* passed)
{
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        double f = force[p];
        if (isnan(f)) continue;
        double way = ss_row_dot(&pull->q, moved), drive = ss_row_dot(&pull->d, driven);
        if (pull->account == SS_ACCOUNT_INPUT) ss_add_work(f * way, &e->input, passed);
        if (pull->account != SS_ACCOUNT_DAMPING) continue;
        ss_add_work(-f * (way + drive), &e->damping, passed);
        ss_add_work(-f * drive, &e->input, passed);
    }
}

void ss_open_powers(const ss_sim* sim, double s, const double v[], const double dv[], double* input,
                    double* damping)
{
    const ss_actions* actions = sim->model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        double moved = ss_row_dot(&pull->q, v), driven = ss_row_dot(&pull->d, dv);
        if (!isnan(sim->open.steady[p])) continue; // its work is told by the way
        if (moved == 0.0 && driven == 0.0) continue;
        double f = force_at(sim->model, &sim->step, &sim->open, p, s);
        switch (pull->account) {
        case SS_ACCOUNT_INPUT: *input += f * moved; break;
        case SS_ACCOUNT_DAMPING: // what the drive does beyond is its input
            *damping -= f * (moved + driven);
            *input -= f * driven;
            break;
        case SS_ACCOUNT_STORED: *input -= f * driven; break;
        }
    }
}

// ---- questions

const double* ss_sim_states(const ss_sim* sim) { return sim->open.out; }

bool ss_open_signals_at(const ss_sim* sim, double t, double out[])
{
    int count = ss_model_signal_count(sim->model);
    if (count == 0) return true;
    double s = sim->step.ready ? sim->step.now : 0.0;
    bool rests = sim->course.ended && sim->course.outcome == SS_AT_REST; // what it shows goes on with time
    bool finite = ss_open_show(sim, s, rests ? fmax(t, sim->step.t + s) : sim->step.t + s);
    memcpy(out, sim->open.programs->seen, (size_t)count * sizeof(double));
    return finite;
}

bool ss_sim_signals(const ss_sim* sim, double out[])
{
    return ss_open_signals_at(sim, sim->values.asked, out);
}

double ss_sim_input(const ss_sim* sim, int input)
{
    return input_at(sim->model, &sim->step, &sim->open, input, sim->step.ready ? sim->step.now : 0.0);
}

const double* ss_sim_memory(const ss_sim* sim) { return sim->open.memory; }

int ss_sim_numbers(const ss_sim* sim, double out[])
{
    const ss_open* open = sim->model->open;
    if (!open) return 0;
    if (out) {
        memcpy(out, sim->open.out, (size_t)open->state_count * sizeof(double));
        ss_sim_signals(sim, out += open->state_count);
        out += open->signal_count;
        for (int j = 0; j < open->input_count; j++) *out++ = ss_sim_input(sim, j);
        memcpy(out, sim->open.memory, (size_t)open->memory_count * sizeof(double));
    }
    return open->state_count + open->signal_count + open->input_count + open->memory_count;
}
