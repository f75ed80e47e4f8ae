// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Edges that hold: an expression of the motion jumps at a place g = 0, both sides push back, and the motion
// stays there. The force is the mixture of both sides,
//
//     h = h_below + c (h_above - h_below),      0 <= c <= 1,      such that g stays 0,
//
// as Filippov has it; several edges add up, each with its own c. While other things move, c is a series like
// everything else: with the coefficients c_0 .. c_(k-1) known, that of order k makes the coefficient k + 2 of
// g vanish, and enters it by gain = grad g . M^-1 (h_above - h_below) alone. Contacts that hold answer to it:
// what a unit of c does is measured with them. An edge lets go where its c reaches 0 or 1.
//
//   reads    the series up to order k, on the pieces of both sides
//   writes   the mixed outputs of the program, accel and the rates of order k
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include "core/algebra/lu.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

void ss_open_make_edges(ss_sim* sim, ss_open_programs* own)
{
    const ss_program* program = own->motion.program;
    ss_pool* pool = &sim->pool;
    size_t outputs = (size_t)program->output_count, n = (size_t)sim->model->n, d = sizeof(double);
    size_t places = n + (size_t)sim->model->drive_count;
    size_t all = (size_t)ss_graph_kink_count(sim->model->open->graph), kinks = (size_t)program->kink_count;
    int jumps = 0;
    for (int j = 0; j < program->kink_count; j++) jumps += program->jumps[j];
    if (jumps == 0) return;
    ss_open_edges* edges = ss_pool_new(pool, 1, sizeof *edges);
    if (!edges) return;
    edges->room = jumps < SS_EDGES ? jumps : SS_EDGES;
    edges->list = ss_pool_new(pool, (size_t)edges->room, sizeof *edges->list);
    edges->of = ss_pool_new(pool, kinks, sizeof(int));
    edges->way = ss_pool_new(pool, kinks, d);
    edges->on = ss_pool_new(pool, kinks, sizeof(bool));
    edges->keeps = ss_pool_new(pool, kinks, sizeof(signed char));
    edges->probe_pieces = ss_pool_new(pool, all, d);
    edges->mixed = ss_pool_new(pool, WIDTH * outputs, d);
    edges->corner = ss_pool_new(pool, outputs, d);
    edges->accel = ss_pool_new(pool, places, d);
    edges->lambda = ss_pool_new(pool, (size_t)sim->model->contact_count, d);
    if (pool->failed || !ss_run_make(&edges->probe, pool, program, SS_MAX_ORDER, edges->probe_pieces)) return;
    for (int e = 0; e < edges->room; e++) {
        ss_open_edge* edge = &edges->list[e];
        edge->below_pieces = ss_pool_new(pool, all, d);
        edge->mix = ss_pool_new(pool, WIDTH, d);
        edge->difference = ss_pool_new(pool, outputs, d);
        edge->across = ss_pool_new(pool, places, d);
        edge->lift = ss_pool_new(pool, n, d);
        if (pool->failed || !ss_run_make(&edge->below, pool, program, SS_MAX_ORDER, edge->below_pieces))
            return;
    }
    own->edges = edges;
}

void ss_open_forget_edges(ss_open_edges* edges)
{
    if (!edges) return;
    edges->count = edges->held = 0;
    edges->keeps_any = edges->known = edges->selecting = edges->given = false;
}

static bool holds(const ss_open_edge* edge) { return edge->side == 0 && edge->gain < -edge->rounding; }

void ss_open_begin_hold(const ss_model* model, const ss_step* step, const ss_open_run* open_run)
{
    ss_open_programs* own = open_run->programs;
    ss_open_edges* edges = own->edges;
    size_t kinks = (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double);
    edges->held = 0;
    for (int e = 0; e < edges->count; e++) {
        if (!holds(&edges->list[e])) continue;
        edges->holding[edges->held++] = e;
        ss_open_put_edge(open_run->programs, e, 1.0);
    }
    for (int a = 0; a < edges->held; a++) {
        ss_open_edge* edge = &edges->list[edges->holding[a]];
        memset(edge->mix, 0, WIDTH * sizeof(double));
        edge->mix[0] = edges->given ? edge->share : 0.5;
        edge->below.w.t = step->t;
        ss_open_put_edge(open_run->programs, edges->holding[a], -1.0);
        memcpy(edge->below_pieces, own->pieces, kinks);
        ss_open_put_edge(open_run->programs, edges->holding[a], 1.0);
    }
}

const double* ss_open_output(const ss_open_run* open_run, int output)
{
    const ss_open_programs* own = open_run->programs;
    if (own->stiff && own->stiff->written) return own->stiff->output + (size_t)output * WIDTH;
    if (!ss_open_is_held(open_run) || own->probing) return ss_run_output(&own->motion, output);
    return own->edges->mixed + (size_t)output * WIDTH;
}

// What a unit of c moves: accelerations, by the forces that are outputs.
static void find_lift(const ss_model* model, ss_open_edge* edge)
{
    const ss_actions* actions = model->actions;
    memset(edge->lift, 0, (size_t)model->n * sizeof(double));
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (pull->output < 0) continue;
        for (int l = 0; l < pull->mobility.count; l++)
            edge->lift[pull->mobility.index[l]] += pull->mobility.value[l] * edge->difference[pull->output];
    }
}

// Adds what one edge takes away from the outputs, the share of the side below.
static bool mix_edge(ss_sim* sim, ss_open_edge* edge, int k)
{
    ss_open_programs* own = sim->open.programs;
    double* c = edge->mix;
    ss_open_fill(sim, &edge->below, k);
    if (!ss_run_step(&edge->below, k)) return false;
    for (int i = 0; i < own->motion.program->output_count; i++) {
        const double *above = ss_run_output(&own->motion, i), *below = ss_run_output(&edge->below, i);
        double sum = below[k] - above[k];
        for (int l = 0; l <= k; l++) sum += c[l] * (above[k - l] - below[k - l]);
        own->edges->mixed[(size_t)i * WIDTH + (size_t)k] += sum;
        if (k == 0) edge->difference[i] = above[0] - below[0];
    }
    if (k == 0) find_lift(sim->model, edge);
    return true;
}

bool ss_open_mix(ss_sim* sim, int k)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    for (int i = 0; i < own->motion.program->output_count; i++)
        edges->mixed[(size_t)i * WIDTH + (size_t)k] = ss_run_output(&own->motion, i)[k];
    for (int a = 0; a < edges->held; a++)
        if (!mix_edge(sim, &edges->list[edges->holding[a]], k)) return false;
    return true;
}

void ss_open_probe(ss_sim* sim, int k, bool stored)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    const ss_model* model = sim->model;
    double scale = 1.0 / ((k + 1.0) * (k + 2.0));
    memcpy(edges->probe_pieces, own->pieces,
           (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double));
    edges->probe.w.t = sim->step.t;
    for (int b = 0; b < model->body_count; b++) {
        double* row = ss_run_variable(&edges->probe, b);
        const ss_body* body = &model->bodies[b];
        for (int l = 0; row && l <= k + 2; l++) {
            size_t at = (size_t)l;
            bool last = l == k + 2 && !stored;
            row[l] = body->drive >= 0 ? sim->step.d[at * (size_t)model->drive_count + (size_t)body->drive]
                     : last           ? scale * ss_row_dot(&body->row, sim->pulls.accel)
                                      : ss_row_dot(&body->row, sim->step.q + at * (size_t)model->n);
            if (l == 0 && body->drive < 0) row[l] += sim->bodies.offset[b];
        }
    }
    for (int j = 0; j < model->open->memory_count; j++) {
        double* row = ss_run_variable(&edges->probe, model->open->first_memory + j);
        if (row) row[0] = sim->open.memory[j];
    }
    ss_open_fill_inputs(sim->model, &sim->open, &edges->probe, k + 2);
    ss_run_decide(&edges->probe, k + 2);
}

// Coefficients k + 2 of g of all edges that hold, with the accelerations as they are.
static void find_departures(ss_sim* sim, int k, double out[])
{
    const ss_open_edges* edges = sim->open.programs->edges;
    double g[WIDTH + 2];
    ss_open_probe(sim, k, false);
    for (int a = 0; a < edges->held; a++) {
        ss_run_switch(&edges->probe, edges->list[edges->holding[a]].kink, k + 2, g);
        out[a] = g[k + 2];
    }
}

// Adds to c_k of an edge.
static void add_share(ss_sim* sim, ss_open_edge* edge, int k, double more)
{
    const ss_actions* actions = sim->model->actions;
    double* mixed = sim->open.programs->edges->mixed;
    edge->mix[k] += more;
    for (int i = 0; i < actions->motion.output_count; i++)
        mixed[(size_t)i * WIDTH + (size_t)k] += more * edge->difference[i];
    for (int i = 0; i < sim->model->n; i++) sim->pulls.accel[i] += more * edge->lift[i];
    double* next = sim->step.s + (size_t)(k + 1) * (size_t)sim->open.states;
    for (int j = 0; j < sim->open.states; j++)
        if (actions->rates[j].output >= 0)
            next[j] += more * edge->difference[actions->rates[j].output] / (k + 1.0);
}

// Where edges cross in one place, more of them than directions, shares are not determined: the least that
// do, x = G^T y with (G G^T + tiny) y = departures, improved once.
static bool solve_least(int count, const double gains[], double x[])
{
    double a[SS_EDGES * SS_EDGES], rest[SS_EDGES], y[SS_EDGES], trace = 0.0;
    int pivots[SS_EDGES];
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) {
            double sum = 0.0;
            for (int l = 0; l < count; l++) sum += gains[r * count + l] * gains[c * count + l];
            a[r * count + c] = sum;
            if (r == c) trace += sum;
        }
    for (int r = 0; r < count; r++) a[r * count + r] += SS_NOISE * trace;
    if (!(trace > 0.0) || !ss_lu_factor(a, count, pivots)) return false;
    memcpy(rest, x, (size_t)count * sizeof *x);
    memset(x, 0, (size_t)count * sizeof *x);
    for (int round = 0; round < 2; round++) {
        memcpy(y, rest, (size_t)count * sizeof *y);
        ss_lu_solve(a, count, pivots, y);
        for (int l = 0; l < count; l++) {
            double more = 0.0;
            for (int r = 0; r < count; r++) more += gains[r * count + l] * y[r];
            x[l] += more;
            for (int r = 0; r < count; r++) rest[r] -= gains[r * count + l] * more;
        }
    }
    return true;
}

bool ss_open_solve_shares(int count, const double gains[], double x[])
{
    enum { MUCH = 1000000 };
    double a[SS_EDGES * SS_EDGES], given[SS_EDGES];
    int pivots[SS_EDGES];
    bool good = true;
    memcpy(given, x, (size_t)count * sizeof *x);
    memcpy(a, gains, (size_t)(count * count) * sizeof *a);
    if (ss_lu_factor(a, count, pivots)) {
        ss_lu_solve(a, count, pivots, x);
        for (int r = 0; r < count; r++) good = good && fabs(x[r]) < MUCH;
        for (int r = 1; r < count; r++) // a pivot that cancels
            good = good && fabs(a[r * count + r]) > SS_RELATIVE_ZERO * fabs(a[0]);
        if (good) return true;
    }
    memcpy(x, given, (size_t)count * sizeof *x);
    return solve_least(count, gains, x);
}

// The coordinate that an edge holds alone, or -1: then its acceleration is 0, and what the shares leave of it
// is rounding.
static int only_coordinate(const ss_model* model, const ss_open_edge* edge)
{
    int only = -1, places = model->n + model->drive_count;
    for (int i = 0; i < places; i++) {
        if (edge->across[i] == 0.0) continue;
        if (only >= 0 || i >= model->n) return -1;
        only = i;
    }
    return only;
}

// A body that stays on its edge has the speed 0, not one of the size of rounding. An edge that moves with
// time has an acceleration, and keeps it.
static void clear_rounding(ss_sim* sim, int k)
{
    const ss_open_edges* edges = sim->open.programs->edges;
    for (int a = 0; a < edges->held; a++) {
        int i = only_coordinate(sim->model, &edges->list[edges->holding[a]]);
        if (i >= 0 && fabs(sim->pulls.accel[i]) <= SS_SUM_NOISE * ss_pull_size(sim, i, k))
            sim->pulls.accel[i] = 0.0;
    }
}

void ss_open_hold_order(ss_sim* sim, int k)
{
    ss_open_edges* edges = sim->open.programs->edges;
    double gains[SS_EDGES * SS_EDGES], x[SS_EDGES];
    if (sim->open.programs->probing) return;
    if (k == 0 && edges->given) return;
    for (int r = 0; r < edges->held; r++)
        for (int a = 0; a < edges->held; a++) {
            const ss_open_edge *of = &edges->list[edges->holding[r]], *by = &edges->list[edges->holding[a]];
            double sum = 0.0;
            for (int i = 0; i < sim->model->n; i++) sum += of->across[i] * by->lift[i];
            gains[r * edges->held + a] = sum / ((k + 1.0) * (k + 2.0));
        }
    find_departures(sim, k, x);
    if (!ss_open_solve_shares(edges->held, gains, x)) return;
    for (int a = 0; a < edges->held; a++) add_share(sim, &edges->list[edges->holding[a]], k, -x[a]);
    for (int a = 0; a < edges->held && k == 0; a++) {
        ss_open_edge* edge = &edges->list[edges->holding[a]];
        edge->share = edge->mix[0];
    }
    clear_rounding(sim, k);
}

// What a unit of each c does to all departures, with the contacts that hold.
static void measure_gains(ss_sim* sim, int k, const double before[], double gains[])
{
    ss_open_edges* edges = sim->open.programs->edges;
    size_t n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count;
    double *lambda = sim->step.lambda + (size_t)k * m, after[SS_EDGES];
    for (int a = 0; a < edges->held; a++) {
        const double* lift = edges->list[edges->holding[a]].lift;
        memcpy(edges->accel, sim->pulls.accel, n * sizeof(double));
        memcpy(edges->lambda, lambda, m * sizeof(double));
        for (size_t i = 0; i < n; i++) sim->pulls.accel[i] += lift[i];
        for (int j = 0; j < sim->modes.active_count; j++) ss_update_hold(sim, sim->modes.active[j], k);
        find_departures(sim, k, after);
        for (int r = 0; r < edges->held; r++) gains[r * edges->held + a] = after[r] - before[r];
        memcpy(sim->pulls.accel, edges->accel, n * sizeof(double));
        memcpy(lambda, edges->lambda, m * sizeof(double));
    }
}

// What contacts hold altogether, no share changes: its column is empty, and it stays as it is.
static void pass_over_held(const ss_open_edges* edges, int k, double gains[], double x[])
{
    for (int a = 0; a < edges->held; a++) {
        double own = fabs(edges->list[edges->holding[a]].gain) / ((k + 1.0) * (k + 2.0)), most = 0.0;
        for (int r = 0; r < edges->held; r++) most = fmax(most, fabs(gains[r * edges->held + a]));
        if (most > SS_RELATIVE_ZERO * own) continue;
        for (int r = 0; r < edges->held; r++) gains[r * edges->held + a] = gains[a * edges->held + r] = 0.0;
        gains[a * edges->held + a] = 1.0;
        x[a] = 0.0;
    }
}

void ss_open_balance(ss_sim* sim, int k)
{
    enum { ROUNDS = 2 };
    if (sim->open.programs->probing) return;
    ss_open_edges* edges = sim->open.programs->edges;
    double gains[SS_EDGES * SS_EDGES], x[SS_EDGES];
    for (int round = 0; round < ROUNDS; round++) {
        find_departures(sim, k, x);
        if (round == 0) measure_gains(sim, k, x, gains);
        double own[SS_EDGES * SS_EDGES];
        memcpy(own, gains, sizeof own);
        pass_over_held(edges, k, own, x);
        if (!ss_open_solve_shares(edges->held, own, x)) return;
        for (int a = 0; a < edges->held; a++) add_share(sim, &edges->list[edges->holding[a]], k, -x[a]);
        for (int j = 0; j < sim->modes.active_count; j++) ss_update_hold(sim, sim->modes.active[j], k);
    }
    clear_rounding(sim, k);
}

// ---- where it ends

static const ss_open_edge* edge_of(const ss_open_programs* programs, int j)
{
    const ss_open_edges* edges = programs->edges;
    if (!edges || edges->held == 0 || edges->of[j] < 0) return NULL;
    const ss_open_edge* edge = &edges->list[edges->of[j]];
    return holds(edge) ? edge : NULL;
}

bool ss_open_edge_holds(const ss_open_run* open_run, int j) { return edge_of(open_run->programs, j) != NULL; }

// Coefficient k of a share; below what rounding leaves of it on the step, it is 0.
static double share_at(const ss_step* step, const ss_open_edge* edge, int k)
{
    double c = edge->mix[k], size = c * pow(step->length, k);
    if (k == 0 && fabs(c - 1.0) <= SS_RELATIVE_ZERO) return 1.0;
    return fabs(size) <= SS_RELATIVE_ZERO * (k == 0 ? 1.0 : 1e-2) ? 0.0 : c;
}

int ss_open_edge_switch(const ss_step* step, const ss_open_programs* programs, int j, double out[])
{
    const ss_open_edge* edge = edge_of(programs, j);
    double c[WIDTH];
    int last = step->order - 2;
    if (!edge || edge->kink != j) return -1;
    for (int k = 0; k <= last; k++) c[k] = share_at(step, edge, k);
    for (int k = 0; k <= last; k++) out[k] = c[k] - ss_product(c, c, k);
    return last;
}

void ss_open_end_hold(ss_sim* sim, double s)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    double g[WIDTH];
    edges->keeps_any = false;
    for (int j = 0; j < own->motion.program->kink_count; j++) {
        const ss_open_edge* edge = edge_of(sim->open.programs, j);
        bool ends = edge && own->crossing[edge->kink];
        edges->keeps[j] = edge && !ends ? 2 : 0;
        ss_run_switch(&own->motion, j, sim->step.order - 2, g);
        if (!edge && !own->crossing[j] && ss_open_stays_on_edge(sim, j, g)) edges->keeps[j] = 1;
        edges->keeps_any = edges->keeps_any || edges->keeps[j] > 0;
        if (!ends) continue;
        double share = ss_poly_value(edge->mix, 1, sim->step.order - 2, s);
        ss_open_set_side(own, j, (share > 0.5 ? 1.0 : -1.0) * edges->way[j]);
        own->motion.crossed[j] = true;
    }
    for (int a = 0; a < edges->held; a++) own->crossing[edges->list[edges->holding[a]].kink] = false;
    edges->held = 0;
    edges->known = false;
}
