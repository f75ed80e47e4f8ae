// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An edge that holds: an expression of the motion jumps at a place g = 0, both sides push back, and the
// motion stays there. The force is the mixture of both sides,
//
//     h = h_below + c (h_above - h_below),      0 < c < 1,      such that g stays 0,
//
// as Filippov has it. While other things move, c is a series like everything else: with the coefficients
// c_0 .. c_(k-1) known, that of order k makes the coefficient k + 2 of g vanish, and enters it by
// gain = grad g . M^-1 (h_above - h_below) alone. Contacts that hold answer to it: the two are balanced in
// turn. The edge lets go where c reaches 0 or 1.
//
//   reads    the series up to order k, on the pieces of both sides
//   writes   the mixed outputs of the program, accel and the rates of order k
#include "engine/flow/open.h"
#include "engine/flow/series.h"

#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

void ss_open_make_edge(ss_sim* sim, ss_open_programs* own)
{
    const ss_program* program = own->motion.program;
    ss_pool* pool = &sim->pool;
    size_t outputs = (size_t)program->output_count, n = (size_t)sim->model->n, d = sizeof(double);
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph);
    bool jumps = false;
    for (int j = 0; j < program->kink_count; j++) jumps = jumps || program->jumps[j];
    if (!jumps) return;
    ss_open_edge* edge = ss_pool_new(pool, 1, sizeof *edge);
    if (!edge) return;
    edge->below_pieces = ss_pool_new(pool, kinks, d);
    edge->probe_pieces = ss_pool_new(pool, kinks, d);
    edge->mix = ss_pool_new(pool, WIDTH, d);
    edge->mixed = ss_pool_new(pool, WIDTH * outputs, d);
    edge->difference = ss_pool_new(pool, outputs, d);
    edge->across = ss_pool_new(pool, n, d);
    edge->lift = ss_pool_new(pool, n, d);
    if (pool->failed || !ss_run_make(&edge->below, pool, program, SS_MAX_ORDER, edge->below_pieces) ||
        !ss_run_make(&edge->probe, pool, program, SS_MAX_ORDER, edge->probe_pieces))
        return;
    own->edge = edge;
}

void ss_open_begin_edge(ss_sim* sim, double share)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edge* edge = own->edge;
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double);
    memset(edge->mix, 0, WIDTH * sizeof(double));
    edge->mix[0] = share;
    edge->below.w.t = edge->probe.w.t = sim->step.t;
    ss_open_edge_gradient(sim, own->held, edge->across);
    ss_open_set_side(own, own->held, -1.0);
    memcpy(edge->below_pieces, own->pieces, kinks);
    ss_open_set_side(own, own->held, 1.0);
}

const double* ss_open_output(const ss_sim* sim, int output)
{
    const ss_open_programs* own = sim->open.programs;
    if (own->stiff && own->stiff->written) return own->stiff->output + (size_t)output * WIDTH;
    if (own->held < 0 || own->probing) return ss_run_output(&own->motion, output);
    return own->edge->mixed + (size_t)output * WIDTH;
}

// What a unit of c moves: accelerations, by the forces that are outputs.
static void find_lift(ss_sim* sim)
{
    const ss_actions* actions = sim->model->actions;
    ss_open_edge* edge = sim->open.programs->edge;
    memset(edge->lift, 0, (size_t)sim->model->n * sizeof(double));
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (pull->output < 0) continue;
        for (int l = 0; l < pull->mobility.count; l++)
            edge->lift[pull->mobility.index[l]] += pull->mobility.value[l] * edge->difference[pull->output];
    }
    edge->gain = 0.0;
    for (int i = 0; i < sim->model->n; i++) edge->gain += edge->across[i] * edge->lift[i];
}

bool ss_open_mix(ss_sim* sim, int k)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edge* edge = own->edge;
    int count = own->motion.program->output_count;
    ss_open_fill(sim, &edge->below, k);
    if (!ss_run_step(&edge->below, k)) return false;
    for (int i = 0; i < count; i++) {
        const double *above = ss_run_output(&own->motion, i), *below = ss_run_output(&edge->below, i);
        double sum = below[k];
        for (int l = 0; l <= k; l++) sum += edge->mix[l] * (above[k - l] - below[k - l]);
        edge->mixed[(size_t)i * WIDTH + (size_t)k] = sum;
        if (k == 0) edge->difference[i] = above[0] - below[0];
    }
    if (k == 0) find_lift(sim);
    return true;
}

// Coefficient k + 2 of g with the accelerations as they are.
static double departure(ss_sim* sim, int k)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edge* edge = own->edge;
    const ss_model* model = sim->model;
    double g[WIDTH + 2], scale = 1.0 / ((k + 1.0) * (k + 2.0));
    memcpy(edge->probe_pieces, own->pieces, (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double));
    for (int b = 0; b < model->body_count; b++) {
        double* row = ss_run_variable(&edge->probe, b);
        const ss_body* body = &model->bodies[b];
        for (int l = 0; row && l <= k + 2; l++) {
            size_t at = (size_t)l;
            row[l] = body->drive >= 0 ? sim->step.d[at * (size_t)model->drive_count + (size_t)body->drive]
                     : l == k + 2     ? scale * ss_row_dot(&body->row, sim->pulls.accel)
                                      : ss_row_dot(&body->row, sim->step.q + at * (size_t)model->n);
            if (l == 0 && body->drive < 0) row[l] += sim->bodies.offset[b];
        }
    }
    for (int j = 0; j < model->open->memory_count; j++) {
        double* row = ss_run_variable(&edge->probe, model->open->first_memory + j);
        if (row) row[0] = sim->open.memory[j];
    }
    ss_run_decide(&edge->probe, k + 2);
    ss_run_switch(&edge->probe, own->held, k + 2, g);
    return g[k + 2];
}

// Adds to c_k.
static void add_share(ss_sim* sim, int k, double more)
{
    const ss_actions* actions = sim->model->actions;
    ss_open_edge* edge = sim->open.programs->edge;
    edge->mix[k] += more;
    for (int i = 0; i < actions->motion.output_count; i++)
        edge->mixed[(size_t)i * WIDTH + (size_t)k] += more * edge->difference[i];
    for (int i = 0; i < sim->model->n; i++) sim->pulls.accel[i] += more * edge->lift[i];
    double* next = sim->step.s + (size_t)(k + 1) * (size_t)sim->open.states;
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0)
            next[j] += more * edge->difference[actions->rates[j].output] / (k + 1.0);
}

void ss_open_hold_order(ss_sim* sim, int k)
{
    const ss_open_edge* edge = sim->open.programs->edge;
    if (sim->open.programs->probing || edge->gain == 0.0) return;
    double more = -departure(sim, k) * (k + 1.0) * (k + 2.0) / edge->gain;
    if (isfinite(more)) add_share(sim, k, more);
}

// What holds answers in proportion: the second round knows how much.
void ss_open_balance(ss_sim* sim, int k)
{
    enum { ROUNDS = 4 };
    const ss_open_edge* edge = sim->open.programs->edge;
    double slope = edge->gain / ((k + 1.0) * (k + 2.0)), before = 0.0, more = 0.0;
    for (int round = 0; round < ROUNDS && sim->modes.active_count > 0; round++) {
        double off = departure(sim, k);
        if (round == 1 && more != 0.0) slope = (off - before) / more;
        before = off;
        more = -off / slope;
        if (!isfinite(more) || fabs(more) <= 2.0 * DBL_EPSILON * fabs(edge->mix[k])) return;
        add_share(sim, k, more);
        for (int j = 0; j < sim->modes.active_count; j++) ss_apply_hold(sim, sim->modes.active[j], k);
    }
}

int ss_open_edge_switch(const ss_sim* sim, double out[])
{
    const double* c = sim->open.programs->edge->mix;
    int last = sim->step.order - 2;
    for (int k = 0; k <= last; k++) out[k] = c[k] - ss_product(c, c, k);
    return last;
}

bool ss_open_edge_is_above(const ss_sim* sim, double s)
{
    const double* c = sim->open.programs->edge->mix;
    double sum = 0.0;
    for (int k = sim->step.order - 2; k >= 0; k--) sum = sum * s + c[k];
    return sum > 0.5;
}
