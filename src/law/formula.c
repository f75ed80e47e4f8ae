// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Laws that are one formula.
#include "law/formula.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SPEED, STATE, RATE_NAME, NAMES };                                     // names in expressions
enum { FORCE, RATE, FORCE_V, FORCE_Z, RATE_V, RATE_Z, OUTPUTS, SERIES = 2 }; // of the programs

// One program for series, one with all derivatives for values.
typedef struct formula {
    ss_program program[2];
    ss_run run[2];
    double* pieces;
} formula;

#define POINTERS(k)                                                                                          \
    offsetof(formula, program[k].code), offsetof(formula, program[k].depends),                               \
        offsetof(formula, program[k].feeds), offsetof(formula, program[k].outputs),                          \
        offsetof(formula, program[k].variables), offsetof(formula, program[k].kinks),                        \
        offsetof(formula, program[k].jumps), offsetof(formula, run[k].program),                              \
        offsetof(formula, run[k].w.rows), offsetof(formula, run[k].w.noise),                                 \
        offsetof(formula, run[k].w.aux), offsetof(formula, run[k].w.sum),                                    \
        offsetof(formula, run[k].w.degree), offsetof(formula, run[k].w.piece), offsetof(formula, run[k].x),  \
        offsetof(formula, run[k].sizes), offsetof(formula, run[k].noise), offsetof(formula, run[k].crossed), \
        offsetof(formula, run[k].w.met), offsetof(formula, run[k].w.level),                                  \
        offsetof(formula, program[k].singular), offsetof(formula, run[k].shaken)
const size_t ss_formula_pointers[SS_FORMULA_POINTERS] = {POINTERS(0), POINTERS(1), offsetof(formula, pieces)};

// ---- making it

// Node of an expression; -1 where it makes no sense, or memory is out.
static int add(ss_graph* graph, const char* text, const int nodes[NAMES])
{
    static const ss_variable names[NAMES] = {{.name = "v"}, {.name = "z"}, {.name = "rate"}};
    static const ss_scope nothing;
    ss_expression expression;
    ss_error err;
    if (ss_expression_parse_motion(text, &nothing, (ss_variables){names, NAMES, NULL}, NULL, &expression,
                                   &err) != SS_OK)
        return -1;
    int node = ss_graph_add_expression(graph, &expression, nodes);
    free(expression.tape.code);
    return node;
}

static bool build(const ss_law_formula* text, ss_graph* graph, int out[OUTPUTS])
{
    int nodes[NAMES];
    nodes[SPEED] = ss_graph_variable(graph, SS_ON_SPEED);
    nodes[STATE] = ss_graph_variable(graph, SS_ON_STATE);
    nodes[RATE_NAME] = nodes[STATE];
    out[RATE] = nodes[RATE_NAME] = add(graph, text->rate[0] ? text->rate : "0", nodes);
    out[FORCE] = out[RATE] < 0 ? -1 : add(graph, text->force, nodes);
    if (out[FORCE] < 0) return false;
    for (int k = 0; k < 2; k++) {
        out[FORCE_V + k] = ss_graph_derivative(graph, out[FORCE], k);
        out[RATE_V + k] = ss_graph_derivative(graph, out[RATE], k);
    }
    return true;
}

void ss_formula_prepare(const ss_law_formula* text, ss_along* along, ss_pool* pool)
{
    formula* own = ss_pool_new(pool, 1, sizeof *own);
    ss_graph* graph = ss_graph_create();
    int nodes[OUTPUTS];
    bool good = own && graph && build(text, graph, nodes);
    along->own = own;
    if (good) {
        size_t kinks = (size_t)ss_graph_kink_count(graph);
        own->pieces = ss_pool_new(pool, kinks + 1, sizeof(double));
        for (size_t k = 0; own->pieces && k <= kinks; k++) own->pieces[k] = NAN;
        good = own->pieces && kinks <= SS_FORMULA_EVENTS;
    }
    for (int k = 0; k < 2 && good; k++)
        good = ss_program_make(&own->program[k], pool, graph, nodes, k == 0 ? SERIES : OUTPUTS) &&
               ss_run_make(&own->run[k], pool, &own->program[k], k == 0 ? SS_MAX_ORDER : 0, own->pieces);
    ss_graph_destroy(graph);
    if (!good) pool->failed = true;
}

// ---- at a point, and along a step; both directions by the one of v > 0

void ss_formula_at(const void* law, const ss_law_point* point, ss_response* out)
{
    formula* own = point->along->own;
    double sign = point->sign, at[2] = {sign * point->v, sign * point->z}, value[OUTPUTS];
    (void)law;
    (void)ss_run_values(&own->run[1], 0.0, at, true, value);
    *out = (ss_response){.force = -sign * value[FORCE],
                         .rate = sign * value[RATE],
                         .force_v = -value[FORCE_V],
                         .force_z = -value[FORCE_Z],
                         .rate_v = value[RATE_V],
                         .rate_z = value[RATE_Z]};
}

double ss_formula_next(const void* law, ss_along* along, int k)
{
    ss_run* run = &((formula*)along->own)->run[0];
    double *speed = ss_run_variable(run, SPEED), *state = ss_run_variable(run, STATE);
    (void)law;
    if (k == 0) ss_run_begin(run, 0.0);
    if (speed) speed[k] = along->sign * along->v[k];
    if (state) state[k] = along->sign * along->z[k];
    if (!ss_run_step(run, k)) return NAN;
    along->z[k + 1] = along->sign * ss_run_output(run, RATE)[k] / (k + 1);
    return -along->sign * ss_run_output(run, FORCE)[k];
}

// A run starts: what was decided before is forgotten.
void ss_formula_begin(const void* law, ss_along* along, const ss_bristle_start* start, double y, double v)
{
    formula* own = along->own;
    (void)law, (void)start, (void)y, (void)v;
    for (int k = 0; k < own->program[0].kink_count; k++) own->run[0].crossed[k] = false;
    for (int k = 0; k < own->program[0].kink_count; k++)
        own->pieces[own->program[0].code[own->program[0].kinks[k]].kink] = NAN;
}

// ---- events: the ends of its pieces

int ss_event_deflate(int degree, double size, double c[])
{
    if (fabs(c[0]) > 256.0 * DBL_EPSILON * size) return degree;
    for (int k = 0; k < degree; k++) c[k] = c[k + 1];
    return degree - 1;
}

int ss_program_event(const ss_run* run, int which, int order, const double power[], double c[])
{
    if (which >= run->program->kink_count) return -1;
    ss_run_switch(run, which, order - 2, c);
    double size = 0.0;
    for (int k = 0; k <= order - 2; k++) {
        c[k] *= power[k];
        size += fabs(c[k]);
    }
    return size > 0.0 ? ss_event_deflate(order - 2, size, c) : -1;
}

int ss_formula_events(const void* law)
{
    (void)law;
    return SS_FORMULA_EVENTS;
}

int ss_formula_event(const void* law, const ss_along* along, int which, int order, const double power[],
                     double c[])
{
    (void)law;
    return ss_program_event(&((const formula*)along->own)->run[0], which, order, power, c);
}

void ss_formula_commit(const void* law, ss_along* along, int last, double s)
{
    (void)law, (void)last;
    if (along->yields) ss_run_cross(&((formula*)along->own)->run[0], along->yielded, s);
}
