// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Edges: places where an expression of the motion jumps (sign, floor, ceil, round, step, and the forces of
// potentials with kinks), met without speed across them.
//
// An edge has two sides. With the forces of one side the motion drifts away from it: d is half the second
// derivative of the distance, positive upwards. Which follows?
//
//     above     d > 0 with the forces above
//     below     d < 0 with those below
//     it holds  both sides push back, and a mixture of both leaves d = 0 (open_held.c)
//
// Where both lead away, the value on the edge stands if nothing drifts with it, else it tells the side. On
// several edges at once every combination is a candidate: the forces without contacts give a first guess,
// and what the contacts then do confirms it, or the next one is tried. Jumps that share an edge (the same
// place, perhaps seen from the other side) change together.
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include "core/error.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ss_instruction* owner_of(const ss_open_programs* own, int j)
{
    const ss_program* program = own->motion.program;
    return &program->code[program->kinks[j]];
}

void ss_open_set_side(ss_open_programs* own, int j, double side)
{
    const ss_instruction* in = owner_of(own, j);
    double* piece = &own->pieces[in->kink];
    *piece = side;
    if (!ss_op_is_jump(in->op)) return;
    double at = ss_taylor_row(&own->motion.w, in->a)[0];
    *piece = ss_jump_value(in->op, ss_jump_edge(in->op, at), side);
}

static void forget_side(ss_open_programs* own, int j) { own->pieces[owner_of(own, j)->kink] = NAN; }

void ss_open_put_edge(ss_open_programs* own, int e, double side)
{
    for (int j = 0; j < own->motion.program->kink_count; j++)
        if (own->edges->of[j] == e) ss_open_set_side(own, j, side * own->edges->way[j]);
}

static void leave_edge(ss_open_programs* own, int e)
{
    for (int j = 0; j < own->motion.program->kink_count; j++)
        if (own->edges->of[j] == e) forget_side(own, j);
}

// Distance from the edge of kink j and its derivative by a motion in which coordinate or drive `unit` has the
// speed 1, and no other any; -1: none has; -2: in the present motion.
static void look_across(ss_sim* sim, int j, int unit, double g[2])
{
    ss_open_programs* own = sim->open.programs;
    const ss_model* model = sim->model;
    for (int b = 0; b < model->body_count; b++) {
        double* row = ss_run_variable(&own->motion, b);
        const ss_body* body = &model->bodies[b];
        if (!row) continue;
        bool driven = body->drive >= 0;
        row[0] =
            driven ? sim->step.d[body->drive] : ss_row_dot(&body->row, sim->step.q) + sim->bodies.offset[b];
        row[1] = driven && body->drive == unit - model->n ? 1.0 : 0.0;
        for (int k = 0; k < body->row.count && !driven; k++)
            if (body->row.index[k] == unit) row[1] = body->row.value[k];
        if (unit == -2)
            row[1] = driven ? sim->step.d[model->drive_count + body->drive]
                            : ss_row_dot(&body->row, sim->step.q + model->n);
    }
    ss_run_decide(&own->motion, 1);
    ss_run_switch(&own->motion, j, 1, g);
}

void ss_open_edge_gradient(ss_sim* sim, int j, double w[], double g[2])
{
    ss_open_programs* own = sim->open.programs;
    double still[2], moves[2];
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double);
    memcpy(own->copy, own->pieces, kinks);
    look_across(sim, j, -2, g); // which edge it is, where there are many
    ss_open_set_side(own, j, 1.0);
    look_across(sim, j, -1, still);
    for (int c = 0; c < sim->model->n + sim->model->drive_count; c++) {
        look_across(sim, j, c, moves);
        w[c] = moves[1] - still[1];
    }
    look_across(sim, j, -2, g);
    memcpy(own->pieces, own->copy, kinks);
    forget_side(own, j);
}

// ---- finding them

// The edge that has the same place as kink j with gradient w, or -1; *way: seen from the same side.
static int find_shared(const ss_open_edges* edges, const double w[], int n, double* way)
{
    for (int e = 0; e < edges->count; e++) {
        const double* u = edges->list[e].across;
        double uu = 0.0, uw = 0.0, ww = 0.0;
        for (int i = 0; i < n; i++) {
            uu += u[i] * u[i];
            uw += u[i] * w[i];
            ww += w[i] * w[i];
        }
        *way = uw < 0.0 ? -1.0 : 1.0;
        if (uu * ww - uw * uw <= SS_RELATIVE_ZERO * uu * ww) return e;
    }
    return -1;
}

// Edges of the jumps that are still open. Where the place of one does not move with the bodies, its value
// stands.
static void find_edges(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    int n = sim->model->n + sim->model->drive_count;
    edges->count = 0;
    for (int j = 0; j < own->motion.program->kink_count; j++) {
        edges->of[j] = -1;
        if (!own->motion.program->jumps[j] || !isnan(own->pieces[owner_of(own, j)->kink])) continue;
        double *w = edges->accel, g[2];
        bool moves = false;
        ss_open_edge_gradient(sim, j, w, g);
        for (int i = 0; i < sim->model->n; i++) moves = moves || w[i] != 0.0;
        int e = moves ? find_shared(edges, w, n, &edges->way[j]) : -1;
        if (moves && e < 0 && edges->count < edges->room) {
            e = edges->count++;
            edges->list[e].kink = j;
            edges->way[j] = 1.0;
            memcpy(edges->list[e].across, w, (size_t)n * sizeof *w);
        }
        own->crowded = own->crowded || (moves && e < 0);
        edges->on[j] = true;
        edges->of[j] = e;
    }
}

// ---- drifts

void ss_open_measure_drifts(ss_sim* sim, bool stored, double out[])
{
    ss_open_programs* own = sim->open.programs;
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double);
    double g[3];
    if (!stored) {
        own->probing = true;
        ss_free_acceleration(sim, 0);
        own->probing = false;
    }
    memcpy(own->copy, own->pieces, kinks);
    for (int e = 0; e < own->edges->count; e++) ss_open_put_edge(sim->open.programs, e, 1.0);
    ss_open_probe(sim, 0, stored);
    memcpy(own->pieces, own->copy, kinks);
    for (int e = 0; e < own->edges->count; e++) {
        ss_run_switch(&own->edges->probe, own->edges->list[e].kink, 2, g);
        out[e] = g[2];
    }
}

// ---- combinations

// How the drifts depend on the shares c of the sides above: d_i = above_i + sum_e slope_ie (c_e - 1).
typedef struct drifts {
    double above[SS_EDGES], slope[SS_EDGES][SS_EDGES];
    double value[SS_EDGES]; // share that the value on the edge has, where it may stand
} drifts;

static bool may_hold(const ss_open_edge* edge) { return edge->gain < -edge->rounding; }

static void measure(ss_sim* sim, drifts* d)
{
    ss_open_edges* edges = sim->open.programs->edges;
    double other[SS_EDGES];
    for (int e = 0; e < edges->count; e++) ss_open_put_edge(sim->open.programs, e, 1.0);
    ss_open_measure_drifts(sim, false, d->above);
    for (int e = 0; e < edges->count; e++) {
        ss_open_edge* edge = &edges->list[e];
        ss_open_put_edge(sim->open.programs, e, -1.0);
        ss_open_measure_drifts(sim, false, other);
        for (int i = 0; i < edges->count; i++) d->slope[i][e] = d->above[i] - other[i];
        edge->gain = d->slope[e][e];
        edge->rounding = 0.0;
        for (int i = 0; i < sim->model->n; i++)
            edge->rounding += 64.0 * DBL_EPSILON * fabs(edge->across[i]) * ss_pull_size(sim, i, 0);
        leave_edge(sim->open.programs, e);
        double below = other[e];
        ss_open_measure_drifts(sim, false, other);
        d->value[e] = edge->gain != 0.0 ? (other[e] - below) / edge->gain : 1.0;
        edge->first = other[e] < 0.0 ? -1 : 1;
        ss_open_put_edge(sim->open.programs, e, 1.0);
    }
    for (int i = 0; i < edges->count; i++) {
        double terms = fabs(d->above[i]);
        for (int e = 0; e < edges->count; e++) terms += fabs(d->slope[i][e]);
        edges->list[i].rounding += SS_RELATIVE_ZERO * terms;
        leave_edge(sim->open.programs, i);
    }
}

// The side of edge e in combination number `trial`, in the order 0, first, other.
static int side_in(const ss_open_edges* edges, int e, int trial)
{
    for (int i = 0; i < e; i++) trial /= 3;
    int digit = trial % 3, first = edges->list[e].first;
    return digit == 0 ? 0 : digit == 1 ? first : -first;
}

static int combinations(const ss_open_edges* edges)
{
    int count = 1;
    for (int e = 0; e < edges->count; e++) count *= 3;
    return count;
}

// Shares of those that hold: no drift on any of them.
static bool balance_shares(const ss_open_edges* edges, const drifts* d, const bool holds[], double c[])
{
    double a[SS_EDGES * SS_EDGES], x[SS_EDGES];
    int place[SS_EDGES], count = 0;
    for (int e = 0; e < edges->count; e++)
        if (holds[e]) place[count++] = e;
    for (int r = 0; r < count; r++) {
        x[r] = -d->above[place[r]];
        for (int e = 0; e < edges->count; e++) // those that hold from the middle
            x[r] -= d->slope[place[r]][e] * (holds[e] ? -0.5 : c[e] - 1.0);
        for (int l = 0; l < count; l++) a[r * count + l] = d->slope[place[r]][place[l]];
    }
    if (count > 0 && !ss_open_solve_shares(count, a, x)) return false;
    for (int r = 0; r < count; r++) c[place[r]] = 0.5 + x[r];
    return true;
}

// Whether each edge does as the combination says, by the forces without contacts.
static bool is_consistent(const ss_open_edges* edges, const drifts* d, int trial)
{
    double c[SS_EDGES] = {0};
    bool holds[SS_EDGES];
    for (int e = 0; e < edges->count; e++) {
        int side = side_in(edges, e, trial);
        holds[e] = side == 0 && may_hold(&edges->list[e]);
        c[e] = side > 0 ? 1.0 : side < 0 ? 0.0 : d->value[e];
    }
    if (!balance_shares(edges, d, holds, c)) return false;
    for (int e = 0; e < edges->count; e++) {
        const ss_open_edge* edge = &edges->list[e];
        double slack = edge->rounding / fabs(edge->gain), drift = d->above[e];
        for (int i = 0; i < edges->count; i++) drift += d->slope[e][i] * (c[i] - 1.0);
        if (holds[e] && !(c[e] >= -slack && c[e] <= 1.0 + slack)) return false;
        if (holds[e] && fabs(drift) > 8.0 * edge->rounding) return false;
        if (holds[e]) continue;
        int side = side_in(edges, e, trial);
        if (side == 0 ? fabs(drift) > 2.0 * edge->rounding : !(side * drift > edge->rounding)) return false;
    }
    return true;
}

static void take_trial(ss_open_edges* edges, int trial)
{
    edges->trial = trial;
    edges->rounds = 0;
    edges->given = false;
    for (int e = 0; e < edges->count; e++) edges->list[e].side = side_in(edges, e, trial);
}

static void guess(ss_sim* sim)
{
    ss_open_edges* edges = sim->open.programs->edges;
    drifts d;
    measure(sim, &d);
    int count = combinations(edges), trial = 0;
    // Edges that held go on holding with contacts that nothing has happened to.
    bool goes_on = edges->keeps_any && !edges->selecting && sim->model->group_count > 0;
    for (int e = 0; e < edges->count; e++) goes_on = goes_on && edges->keeps[edges->list[e].kink] == 2;
    while (!goes_on && trial < count && !is_consistent(edges, &d, trial)) trial++;
    edges->guess = trial < count ? trial : -1;
    // Contacts may make consistent what is not without them.
    if (trial == count && !edges->selecting) sim->open.programs->crowded = true;
    take_trial(edges, trial < count ? trial : 0);
}

// Two that hold at once must not multiply: the forces on the corner are then the sum of what each adds.
static bool is_sum(ss_open_programs* own)
{
    ss_open_edges* edges = own->edges;
    int count = own->motion.program->output_count;
    for (int a = 0; a < edges->count; a++)
        for (int b = 0; b < a; b++) {
            bool both = edges->list[a].side == 0 && edges->list[b].side == 0;
            if (!both || !may_hold(&edges->list[a]) || !may_hold(&edges->list[b])) continue;
            double* sum = edges->corner;
            memset(sum, 0, (size_t)count * sizeof *sum);
            for (int corner = 0; corner < 4; corner++) {
                double up = corner & 1 ? 1.0 : -1.0, left = corner & 2 ? 1.0 : -1.0;
                ss_open_put_edge(own, a, up);
                ss_open_put_edge(own, b, left);
                if (!ss_run_step(&own->motion, 0)) return true; // it will be told
                for (int i = 0; i < count; i++) {
                    double value = ss_run_output(&own->motion, i)[0];
                    sum[i] += up * left * value;
                    if (corner == 3 && fabs(sum[i]) > SS_RELATIVE_ZERO * (fabs(value) + fabs(sum[i])))
                        return false;
                }
            }
            leave_edge(own, a);
            leave_edge(own, b);
        }
    return true;
}

void ss_open_decide_edges(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    memcpy(own->accel, sim->pulls.accel, (size_t)sim->model->n * sizeof(double));
    memcpy(own->rate, sim->open.rate, (size_t)sim->open.states * sizeof(double));
    if (!edges->known) {
        for (int j = 0; j < own->motion.program->kink_count && edges->keeps_any; j++)
            if (edges->keeps[j] > 0) forget_side(own, j); // rounding does not tell
        find_edges(sim);
        if (edges->count > 0) guess(sim);
    }
    for (int j = 0; j < own->motion.program->kink_count; j++)
        if (edges->of[j] >= 0) forget_side(own, j);
    edges->known = true;
    if (!is_sum(sim->open.programs)) own->crowded = true;
    for (int e = 0; e < edges->count; e++)
        if (edges->list[e].side != 0) ss_open_put_edge(sim->open.programs, e, edges->list[e].side);
    ss_open_begin_hold(sim->model, &sim->step, &sim->open);
    memcpy(sim->pulls.accel, own->accel, (size_t)sim->model->n * sizeof(double));
    memcpy(sim->open.rate, own->rate, (size_t)sim->open.states * sizeof(double));
}

// ---- what contacts make of them

void ss_open_question_edges(ss_open_programs* programs, bool begins)
{
    if (programs && programs->edges) programs->edges->selecting = begins;
}

// Shares that the contacts were decided with are those that then hold; if not, they are decided once more
// with these. Returns whether that is so.
static bool is_settled(ss_open_edges* edges)
{
    bool settled = true;
    for (int e = 0; e < edges->count; e++) {
        ss_open_edge* edge = &edges->list[e];
        if (edge->side != 0 || !may_hold(edge)) continue;
        double share = fmin(fmax(edge->mix[0], 0.0), 1.0), off = 16.0 * edge->rounding / fabs(edge->gain);
        settled = settled && fabs(share - edge->share) <= off;
        edge->share = share;
    }
    edges->given = !settled;
    return settled;
}

// Whether, with the contacts as they have been decided, each edge does what was assumed.
static bool agrees(ss_sim* sim)
{
    const ss_open_edges* edges = sim->open.programs->edges;
    double drift[SS_EDGES];
    ss_open_measure_drifts(sim, true, drift);
    for (int e = 0; e < edges->count; e++) {
        const ss_open_edge* edge = &edges->list[e];
        double slack = 16.0 * edge->rounding;
        if (edge->side == 0 && may_hold(edge)) {
            double share = edge->mix[0], off = slack / fabs(edge->gain);
            if (!(share >= -off && share <= 1.0 + off)) return false;
        } else if (edge->side == 0 ? fabs(drift[e]) > slack : edge->side * drift[e] < -slack) {
            return false;
        }
    }
    return true;
}

bool ss_open_disagrees(ss_sim* sim)
{
    enum { ROUNDS = 8 };
    ss_open_edges* edges = sim->open.programs ? sim->open.programs->edges : NULL;
    if (!edges || !edges->known || edges->count == 0 || sim->open.programs->crowded) return false;
    if (edges->rounds++ < ROUNDS && !is_settled(edges)) return true;
    if (agrees(sim)) return false;
    int next = edges->asked++;
    if (next == edges->guess) next = edges->asked++;
    if (next < combinations(edges))
        take_trial(edges, next);
    else
        sim->open.programs->crowded = true;
    return next < combinations(edges);
}

ss_status ss_open_fail_stuck(const ss_step* step, const ss_open_run* open_run, ss_course* course,
                             ss_error* err)
{
    const char* words =
        open_run->programs->chatters
            ? "the cut of atan2 (y = 0, x < 0) holds the motion: a force that jumps with speeds or states is "
              "friction, write a contact"
            : "jumps of position that multiply each other, or more than four, hold the motion on their edges "
              "at once, or leave them with no motion that fits: this is not computed";
    ss_fail(&course->fault, SS_NOT_FOUND, NULL, "at t = %.9g s %s", step->t, words);
    return ss_report_fault(course, err);
}
