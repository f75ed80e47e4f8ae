// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities through the programs of an open model. Where the program of each model of a direction
// consists of the same operations, its constants alone change with the number: they are differentiated once,
// and the rules of core/expression/graph_tangent.h do the rest, for the variables and the number together.
#include "engine/sensitivity/program_tangent.h"

#include <math.h>
#include <string.h>

// ---- creation

static bool same_form(const ss_program* a, const ss_program* b)
{
    if (a->count != b->count || a->output_count != b->output_count) return false;
    for (int i = 0; i < a->count; i++) {
        const ss_instruction *x = &a->code[i], *y = &b->code[i];
        if (x->op != y->op || x->a != y->a || x->b != y->b || x->kink != y->kink) return false;
    }
    return memcmp(a->outputs, b->outputs, (size_t)a->output_count * sizeof(int)) == 0;
}

// How constant p or q of instruction i changes.
static double sum_constant(const ss_direction* from, const ss_program* const others[], int i, bool second)
{
    double value[SS_DIRECTION_MODELS];
    bool same = true;
    for (int k = 0; k < from->model_count; k++) {
        value[k] = second ? others[k]->code[i].q : others[k]->code[i].p;
        same = same && value[k] == value[0];
    }
    return same ? 0.0 : ss_direction_sum(from, value);
}

void ss_program_tangent_one(ss_derivative* der, const ss_direction* from, const ss_program* own,
                            const ss_program* const others[], bool through_rounding, ss_tangent* out)
{
    size_t count = (size_t)own->count;
    double *p = NULL, *q = NULL;
    for (int k = 0; k < from->model_count; k++)
        if (!same_form(own, others[k])) return;
    if (from->model_count > 0) {
        p = ss_pool_new(&der->pool, count, sizeof(double));
        q = ss_pool_new(&der->pool, count, sizeof(double));
        if (!p || !q) return;
        for (int i = 0; i < own->count; i++) {
            p[i] = sum_constant(from, others, i, false);
            q[i] = sum_constant(from, others, i, true);
        }
    }
    ss_tangent_make(out, &der->pool, own, p, q, through_rounding);
}

// The line of a block by the list of q, v, s and memory, from its factors for the variables.
static void fill_line(const ss_derivative* der, const double by_variable[], int outputs, double line[])
{
    const ss_model* model = der->model;
    const ss_open* open = model->open;
    int n = der->n;
    for (int b = 0; b < model->body_count; b++) {
        const ss_row* row = &model->bodies[b].row;
        for (int k = 0; k < row->count; k++) {
            line[row->index[k]] += by_variable[b * outputs] * row->value[k];
            line[n + row->index[k]] += by_variable[(open->first_speed + b) * outputs] * row->value[k];
        }
    }
    for (int k = 0; k < der->ns; k++) line[2 * n + k] = by_variable[(open->first_state + k) * outputs];
    for (int k = 0; k < der->nm; k++) line[der->width + k] = by_variable[(open->first_memory + k) * outputs];
}

// Keeps what does not vanish of `count` factors of each line; factor k of line w is from[w * line + k *
// apart].
static void keep_lines(ss_derivative* der, struct ss_sensitivity_lines* own, const double from[], int lines,
                       int count, int line, int apart)
{
    size_t size = (size_t)(lines * count);
    own->start = ss_pool_new(&der->pool, (size_t)lines + 1, sizeof(int));
    own->at = ss_pool_new(&der->pool, size, sizeof(int));
    own->by = ss_pool_new(&der->pool, size, sizeof(double));
    for (int w = 0, e = 0; w < lines && !der->pool.failed; own->start[++w] = e)
        for (int k = 0; k < count; k++) {
            double by = from[w * line + k * apart];
            if (by == 0.0) continue;
            own->at[e] = k;
            own->by[e++] = by;
        }
}

// A block whose lines are affine, in a model whose bodies are its coordinates: what it writes changes by a
// matrix.
static void make_rows(ss_derivative* der, struct ss_sensitivity_tick* own)
{
    const ss_program* program = own->by.program;
    int outputs = program->output_count, variables = program->variable_count, width = der->width + der->nm;
    size_t size = (size_t)(variables * outputs), count = (size_t)program->count, d = sizeof(double);
    if (der->nd > 0 || der->model->body_count != der->n) return;
    double *x = ss_pool_new(&der->pool, count, d), *change = ss_pool_new(&der->pool, size, d),
           *value = ss_pool_new(&der->pool, size, d),
           *line = ss_pool_new(&der->pool, (size_t)(width * outputs), d);
    own->rest = ss_pool_new(&der->pool, (size_t)outputs, d);
    if (der->pool.failed) return;
    own->affine = ss_tangent_rows(&own->by, x, own->x, change, value, own->rest);
    memset(own->x, 0, count * d);
    if (!own->affine) return;
    for (int w = 0; w < outputs; w++) fill_line(der, change + w, outputs, line + (size_t)(w * width));
    keep_lines(der, &own->changes, line, outputs, width, width, 1);
    keep_lines(der, &own->values, value, outputs, variables, 1, outputs);
}

// Of the motion's program, or where its form is another one beside the number, of theirs.
static void make_motion(ss_derivative* der, const ss_direction* from, const ss_program* const others[],
                        struct ss_program_tangent* own)
{
    const ss_program* program = &der->model->actions->motion;
    bool same = true;
    for (int k = 0; k < from->model_count; k++) same = same && same_form(program, others[k]);
    if (!same) own->longer = ss_sensitivity_make_longer(der, from, others);
    if (own->longer) program = ss_sensitivity_longer_program(own->longer);
    if (same || own->longer) ss_program_tangent_one(der, from, program, others, false, &own->motion);
    own->rows = ss_pool_new(&der->pool, SS_WIDTH * (size_t)program->count, sizeof(double));
    own->x = ss_pool_new(&der->pool, (size_t)program->count, sizeof(double));
    for (int v = 0; v < program->variable_count; v++)
        if (program->variables[v] >= 0) own->used[own->used_count++] = v;
}

static bool make_shown(ss_derivative* der, const ss_direction* from, const ss_program* others[],
                       struct ss_program_tangent* own)
{
    const ss_program* program = &der->model->actions->shown;
    for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->actions->shown;
    ss_program_tangent_one(der, from, program, others, false, &own->shown);
    own->shown_form = !own->shown.program;
    own->shown_x = ss_pool_new(&der->pool, (size_t)program->count, sizeof(double));
    return !own->shown_form || ss_tangent_make(&own->shown, &der->pool, program, NULL, NULL, false);
}

static bool make_impulse(ss_derivative* der, const ss_direction* from, const ss_program* others[],
                         struct ss_program_tangent* own)
{
    if (!der->model->nature.follows_forces) return true;
    const ss_program* program = &der->model->actions->impulse;
    for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->actions->impulse;
    ss_program_tangent_one(der, from, program, others, false, &own->impulse);
    own->impulse_x = ss_pool_new(&der->pool, (size_t)program->count, sizeof(double));
    return own->impulse_x != NULL;
}

struct ss_program_tangent* ss_program_tangent_make(ss_derivative* der, const ss_direction* from)
{
    const ss_model* model = der->model;
    const ss_program* others[SS_DIRECTION_MODELS];
    if (!model->open) return NULL;
    size_t blocks = (size_t)model->open->block_count;
    struct ss_program_tangent* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (!own) return NULL;
    own->ticks = ss_pool_new(&der->pool, blocks, sizeof *own->ticks);
    own->used = ss_pool_new(&der->pool, (size_t)model->open->variable_count, sizeof(int));
    if (der->pool.failed) return NULL;
    for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->actions->motion;
    make_motion(der, from, others, own);
    if (!make_shown(der, from, others, own) || !make_impulse(der, from, others, own)) return NULL;
    for (size_t b = 0; b < blocks; b++) {
        const ss_program* program = &model->open->blocks[b].program;
        for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->open->blocks[b].program;
        ss_program_tangent_one(der, from, program, others, from->through_rounding, &own->ticks[b].by);
        own->ticks[b].x = ss_pool_new(&der->pool, (size_t)program->count, sizeof(double));
        if (own->ticks[b].by.program && own->ticks[b].x) make_rows(der, &own->ticks[b]);
    }
    return own;
}

// ---- along a step

bool ss_has_program_tangents(const ss_derivative* der)
{
    if (!der->model->open || der->model->actions->motion.output_count == 0) return true;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].tangent->motion.program) return false;
    return true;
}

bool ss_sensitivity_can_step(const ss_derivative* der)
{
    const ss_sim* sim = der->sim;
    if (!der->model->open || der->model->actions->motion.output_count == 0) return true;
    const ss_open_programs* own = sim->open.programs;
    if (own->bad || (own->stiff && own->stiff->written) || ss_open_is_held(&sim->open)) return false;
    for (int j = 0; j < der->count; j++) der->sensitivities[j].tangent->bad = false;
    return own->motion.done >= sim->step.order - 2;
}

const ss_run* ss_sensitivity_series_run(const ss_derivative* der, const ss_sensitivity* to, int k)
{
    struct ss_sensitivity_longer* longer = to->tangent->longer;
    if (!longer) return &der->sim->open.programs->motion;
    return k == 0 ? ss_sensitivity_longer_series(der, longer) : ss_sensitivity_longer_along(longer);
}

const ss_run* ss_sensitivity_point_run(const ss_derivative* der, const ss_sensitivity* to,
                                       const ss_values* at)
{
    struct ss_sensitivity_longer* longer = to->tangent->longer;
    return longer ? ss_sensitivity_longer_point(der, longer, at) : &der->runs.motion;
}

const ss_passing* ss_sensitivity_passing_of(const ss_derivative* der, const ss_sensitivity* to)
{
    struct ss_sensitivity_longer* longer = to->tangent->longer;
    return longer ? ss_sensitivity_longer_passing(der, longer) : der->along.passing;
}

void ss_program_tangent_order(ss_derivative* der, const ss_sensitivity* to, int order, const double vars[],
                              double out[])
{
    struct ss_program_tangent* own = to->tangent;
    const ss_program* program = own->motion.program;
    const ss_run* run = ss_sensitivity_series_run(der, to, order);
    if (!run) {
        own->bad = true;
        return;
    }
    for (int v = 0; v < program->variable_count; v++) {
        double* row = ss_tangent_variable(&own->motion, run, v, own->rows);
        if (row) row[order] = vars[v];
    }
    if (!ss_tangent_step(&own->motion, run, order, ss_sensitivity_passing_of(der, to), own->rows))
        own->bad = true;
    for (int i = 0; i < program->output_count; i++)
        out[i] = own->rows[(size_t)program->outputs[i] * (size_t)run->w.length + (size_t)order];
}

// ---- at a point

void ss_sensitivity_run_point(ss_derivative* der, const ss_values* at, double out[])
{
    size_t kinks = (size_t)ss_graph_kink_count(der->model->open->graph) * sizeof(double);
    memcpy(der->runs.motion.w.piece, der->sim->open.programs->pieces, kinks);
    ss_run_values(&der->runs.motion, at->t, at->vars, true, out);
}

// Outputs of the models of a direction at a point, summed.
static void sum_neighbours(ss_derivative* der, const ss_model_change* change, const ss_linear* lin,
                           double sum[])
{
    int outputs = der->model->actions->motion.output_count;
    size_t kinks = (size_t)ss_graph_kink_count(der->model->open->graph) * sizeof(double);
    memset(sum, 0, (size_t)outputs * sizeof(double));
    for (int k = 0; k < change->from->model_count; k++) {
        ss_run* run = &change->motion[k];
        memcpy(run->w.piece, der->sim->open.programs->pieces, kinks);
        if (!ss_run_values(run, lin->at.t, lin->at.vars, true, der->room.numbers)) continue;
        for (int i = 0; i < outputs; i++)
            sum[i] += change->from->weights[k] * (der->room.numbers[i] - lin->outputs[i]);
    }
}

const double* ss_sensitivity_tangent_numbers(ss_derivative* der, const ss_sensitivity* to,
                                             const ss_linear* lin)
{
    struct ss_program_tangent* own = to->tangent;
    double* out = der->room.seen;
    if (!own->motion.program) {
        sum_neighbours(der, to->change, lin, out);
        return out;
    }
    ss_sensitivity_run_point(der, &lin->at, der->room.numbers);
    const ss_run* run = ss_sensitivity_point_run(der, to, &lin->at);
    ss_tangent_values(&own->motion, run, lin->at.t, der->runs.none, own->x, out);
    return out;
}

void ss_sensitivity_mend_slopes(ss_derivative* der, ss_linear* lin)
{
    const ss_jacobian* slopes = &der->model->actions->slopes;
    for (int e = 0; e < slopes->count; e++) {
        if (isfinite(lin->by.slope[e])) continue;
        double* unit = der->runs.none;
        unit[slopes->variable[e]] = 1.0;
        ss_tangent_values(&der->runs.plain, &der->runs.motion, lin->at.t, unit, der->runs.changes,
                          der->room.numbers);
        unit[slopes->variable[e]] = 0.0;
        lin->by.slope[e] = der->room.numbers[slopes->row[e]];
    }
}

// ---- at a tick

bool ss_sensitivity_line_tick(const ss_derivative* der, const ss_sensitivity* to, int block, double out[])
{
    const struct ss_sensitivity_tick* own = &to->tangent->ticks[block];
    if (!own->affine || !ss_sensitivity_is_steady(to)) return false;
    const struct ss_sensitivity_lines *changes = &own->changes, *values = &own->values;
    const double* point = der->sim->values.point;
    int outputs = own->by.program->output_count, e = 0, u = 0;
    for (int w = 0; w < outputs; w++) {
        double sum = own->rest[w];
        for (; e < changes->start[w + 1]; e++) sum += changes->by[e] * to->q[changes->at[e]];
        for (; u < values->start[w + 1]; u++) sum += values->by[u] * point[values->at[u]];
        out[w] = sum;
    }
    return true;
}

bool ss_program_tangent_tick(const ss_derivative* der, const ss_sensitivity* to, int block,
                             const double vars[], double out[])
{
    const struct ss_sensitivity_tick* own = &to->tangent->ticks[block];
    if (!own->by.program) return false;
    ss_tangent_values(&own->by, &der->sim->values.runs[block], der->sim->step.t, vars, own->x, out);
    return true;
}
