// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings through the programs of an open model. Where the program of each model of a direction consists of
// the same operations, its constants alone change with the number: they are differentiated once, and the
// rules of core/expression/graph_tangent.h do the rest, for the variables and the number together.
#include "engine/variation/tangent.h"

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

void ss_vary_tangent_one(ss_variation* var, const ss_direction* from, const ss_program* own,
                         const ss_program* const others[], ss_tangent* out)
{
    size_t count = (size_t)own->count;
    double *p = NULL, *q = NULL;
    for (int k = 0; k < from->model_count; k++)
        if (!same_form(own, others[k])) return;
    if (from->model_count > 0) {
        p = ss_pool_new(&var->pool, count, sizeof(double));
        q = ss_pool_new(&var->pool, count, sizeof(double));
        if (!p || !q) return;
        for (int i = 0; i < own->count; i++) {
            p[i] = sum_constant(from, others, i, false);
            q[i] = sum_constant(from, others, i, true);
        }
    }
    ss_tangent_make(out, &var->pool, own, p, q);
}

// The line of a block by the list of q, v, s and memory, from its factors for the variables.
static void fill_line(const ss_variation* var, const double by_variable[], int outputs, double line[])
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    int n = var->n;
    for (int b = 0; b < model->body_count; b++) {
        const ss_row* row = &model->bodies[b].row;
        for (int k = 0; k < row->count; k++) {
            line[row->index[k]] += by_variable[b * outputs] * row->value[k];
            line[n + row->index[k]] += by_variable[(open->first_speed + b) * outputs] * row->value[k];
        }
    }
    for (int k = 0; k < var->ns; k++) line[2 * n + k] = by_variable[(open->first_state + k) * outputs];
    for (int k = 0; k < var->nm; k++) line[var->width + k] = by_variable[(open->first_memory + k) * outputs];
}

// Keeps what does not vanish of `count` factors of each line; factor k of line w is from[w * line + k *
// apart].
static void keep_lines(ss_variation* var, struct ss_vary_lines* own, const double from[], int lines,
                       int count, int line, int apart)
{
    size_t size = (size_t)(lines * count);
    own->start = ss_pool_new(&var->pool, (size_t)lines + 1, sizeof(int));
    own->at = ss_pool_new(&var->pool, size, sizeof(int));
    own->by = ss_pool_new(&var->pool, size, sizeof(double));
    for (int w = 0, e = 0; w < lines && !var->pool.failed; own->start[++w] = e)
        for (int k = 0; k < count; k++) {
            double by = from[w * line + k * apart];
            if (by == 0.0) continue;
            own->at[e] = k;
            own->by[e++] = by;
        }
}

// A block whose lines are affine, in a model whose bodies are its coordinates: what it writes changes by a
// matrix.
static void make_rows(ss_variation* var, struct ss_vary_tick* own)
{
    const ss_program* program = own->by.program;
    int outputs = program->output_count, variables = program->variable_count, width = var->width + var->nm;
    size_t size = (size_t)(variables * outputs), count = (size_t)program->count, d = sizeof(double);
    if (var->nd > 0 || var->model->body_count != var->n) return;
    double *x = ss_pool_new(&var->pool, count, d), *change = ss_pool_new(&var->pool, size, d),
           *value = ss_pool_new(&var->pool, size, d),
           *line = ss_pool_new(&var->pool, (size_t)(width * outputs), d);
    own->rest = ss_pool_new(&var->pool, (size_t)outputs, d);
    if (var->pool.failed) return;
    own->affine = ss_tangent_rows(&own->by, x, own->x, change, value, own->rest);
    memset(own->x, 0, count * d);
    if (!own->affine) return;
    for (int w = 0; w < outputs; w++) fill_line(var, change + w, outputs, line + (size_t)(w * width));
    keep_lines(var, &own->changes, line, outputs, width, width, 1);
    keep_lines(var, &own->values, value, outputs, variables, 1, outputs);
}

// Of the motion's program, or where its form is another one beside the number, of theirs.
static void make_motion(ss_variation* var, const ss_direction* from, const ss_program* const others[],
                        struct ss_vary_tangent* own)
{
    const ss_program* program = &var->model->actions->motion;
    bool same = true;
    for (int k = 0; k < from->model_count; k++) same = same && same_form(program, others[k]);
    if (!same) own->longer = ss_vary_make_longer(var, from, others);
    if (own->longer) program = ss_vary_longer_program(own->longer);
    if (same || own->longer) ss_vary_tangent_one(var, from, program, others, &own->motion);
    own->rows = ss_pool_new(&var->pool, SS_WIDTH * (size_t)program->count, sizeof(double));
    own->x = ss_pool_new(&var->pool, (size_t)program->count, sizeof(double));
    for (int v = 0; v < program->variable_count; v++)
        if (program->variables[v] >= 0) own->used[own->used_count++] = v;
}

struct ss_vary_tangent* ss_vary_tangent_make(ss_variation* var, const ss_direction* from)
{
    const ss_model* model = var->model;
    const ss_program* others[SS_DIRECTION_MODELS];
    if (!model->open) return NULL;
    size_t blocks = (size_t)model->open->block_count;
    struct ss_vary_tangent* own = ss_pool_new(&var->pool, 1, sizeof *own);
    if (!own) return NULL;
    own->ticks = ss_pool_new(&var->pool, blocks, sizeof *own->ticks);
    own->used = ss_pool_new(&var->pool, (size_t)model->open->variable_count, sizeof(int));
    if (var->pool.failed) return NULL;
    for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->actions->motion;
    make_motion(var, from, others, own);
    for (size_t b = 0; b < blocks; b++) {
        const ss_program* program = &model->open->blocks[b].program;
        for (int k = 0; k < from->model_count; k++) others[k] = &from->models[k]->open->blocks[b].program;
        ss_vary_tangent_one(var, from, program, others, &own->ticks[b].by);
        own->ticks[b].x = ss_pool_new(&var->pool, (size_t)program->count, sizeof(double));
        if (own->ticks[b].by.program && own->ticks[b].x) make_rows(var, &own->ticks[b]);
    }
    return own;
}

// ---- along a step

bool ss_vary_has_tangents(const ss_variation* var)
{
    if (!var->model->open || var->model->actions->motion.output_count == 0) return true;
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].tangent->motion.program) return false;
    return true;
}

bool ss_vary_can_step(const ss_variation* var)
{
    const ss_sim* sim = var->sim;
    if (!var->model->open || var->model->actions->motion.output_count == 0) return true;
    const ss_open_programs* own = sim->open.programs;
    if (own->bad || (own->stiff && own->stiff->written) || ss_open_is_held(sim)) return false;
    for (int j = 0; j < var->count; j++) var->headings[j].tangent->bad = false;
    return own->motion.done >= sim->step.order - 2;
}

const ss_run* ss_vary_series_run(const ss_variation* var, const ss_heading* to, int k)
{
    struct ss_vary_longer* longer = to->tangent->longer;
    if (!longer) return &var->sim->open.programs->motion;
    return k == 0 ? ss_vary_longer_series(var, longer) : ss_vary_longer_along(longer);
}

const ss_run* ss_vary_point_run(const ss_variation* var, const ss_heading* to, const ss_values* at)
{
    struct ss_vary_longer* longer = to->tangent->longer;
    return longer ? ss_vary_longer_point(var, longer, at) : &var->runs.motion;
}

const ss_passing* ss_vary_passing_of(const ss_variation* var, const ss_heading* to)
{
    struct ss_vary_longer* longer = to->tangent->longer;
    return longer ? ss_vary_longer_passing(var, longer) : var->along.passing;
}

void ss_vary_tangent_order(ss_variation* var, const ss_heading* to, int order, const double vars[],
                           double out[])
{
    struct ss_vary_tangent* own = to->tangent;
    const ss_program* program = own->motion.program;
    const ss_run* run = ss_vary_series_run(var, to, order);
    if (!run) {
        own->bad = true;
        return;
    }
    for (int v = 0; v < program->variable_count; v++) {
        double* row = ss_tangent_variable(&own->motion, run, v, own->rows);
        if (row) row[order] = vars[v];
    }
    if (!ss_tangent_step(&own->motion, run, order, ss_vary_passing_of(var, to), own->rows)) own->bad = true;
    for (int i = 0; i < program->output_count; i++)
        out[i] = own->rows[(size_t)program->outputs[i] * (size_t)run->w.length + (size_t)order];
}

// ---- at a point

void ss_vary_run_point(ss_variation* var, const ss_values* at, double out[])
{
    size_t kinks = (size_t)ss_graph_kink_count(var->model->open->graph) * sizeof(double);
    memcpy(var->runs.motion.w.piece, var->sim->open.programs->pieces, kinks);
    ss_run_values(&var->runs.motion, at->t, at->vars, true, out);
}

// Outputs of the models of a direction at a point, summed.
static void sum_neighbours(ss_variation* var, const ss_change* change, const ss_linear* lin, double sum[])
{
    int outputs = var->model->actions->motion.output_count;
    size_t kinks = (size_t)ss_graph_kink_count(var->model->open->graph) * sizeof(double);
    memset(sum, 0, (size_t)outputs * sizeof(double));
    for (int k = 0; k < change->from->model_count; k++) {
        ss_run* run = &change->motion[k];
        memcpy(run->w.piece, var->sim->open.programs->pieces, kinks);
        if (!ss_run_values(run, lin->at.t, lin->at.vars, true, var->room.numbers)) continue;
        for (int i = 0; i < outputs; i++)
            sum[i] += change->from->weights[k] * (var->room.numbers[i] - lin->outputs[i]);
    }
}

const double* ss_vary_tangent_numbers(ss_variation* var, const ss_heading* to, const ss_linear* lin)
{
    struct ss_vary_tangent* own = to->tangent;
    double* out = var->room.seen;
    if (!own->motion.program) {
        sum_neighbours(var, to->change, lin, out);
        return out;
    }
    ss_vary_run_point(var, &lin->at, var->room.numbers);
    const ss_run* run = ss_vary_point_run(var, to, &lin->at);
    ss_tangent_values(&own->motion, run, lin->at.t, var->runs.none, own->x, out);
    return out;
}

void ss_vary_mend_slopes(ss_variation* var, ss_linear* lin)
{
    const ss_jacobian* slopes = &var->model->actions->slopes;
    for (int e = 0; e < slopes->count; e++) {
        if (isfinite(lin->by.slope[e])) continue;
        double* unit = var->runs.none;
        unit[slopes->variable[e]] = 1.0;
        ss_tangent_values(&var->runs.plain, &var->runs.motion, lin->at.t, unit, var->runs.changes,
                          var->room.numbers);
        unit[slopes->variable[e]] = 0.0;
        lin->by.slope[e] = var->room.numbers[slopes->row[e]];
    }
}

// ---- at a tick

bool ss_vary_line_tick(const ss_variation* var, const ss_heading* to, int block, double out[])
{
    const struct ss_vary_tick* own = &to->tangent->ticks[block];
    if (!own->affine || !ss_vary_is_steady(to)) return false;
    const struct ss_vary_lines *changes = &own->changes, *values = &own->values;
    const double* point = var->sim->held.point;
    int outputs = own->by.program->output_count, e = 0, u = 0;
    for (int w = 0; w < outputs; w++) {
        double sum = own->rest[w];
        for (; e < changes->start[w + 1]; e++) sum += changes->by[e] * to->q[changes->at[e]];
        for (; u < values->start[w + 1]; u++) sum += values->by[u] * point[values->at[u]];
        out[w] = sum;
    }
    return true;
}

bool ss_vary_tangent_tick(const ss_variation* var, const ss_heading* to, int block, const double vars[],
                          double out[])
{
    const struct ss_vary_tick* own = &to->tangent->ticks[block];
    if (!own->by.program) return false;
    ss_tangent_values(&own->by, &var->sim->held.runs[block], var->sim->step.t, vars, own->x, out);
    return true;
}
