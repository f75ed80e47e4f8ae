// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Jumps that a step ends at: of what is given in time (step(t - p)) and of expressions of the motion
// (step(x - p), floor, round, sign, ..). The piece ends where a function g of time, variables and numbers
// vanishes, and neighbours get there at
//
//     dt = -(g_y dy + g_p) / g'
//
// Forces, rates and driven speeds jump then; sensitivity_instant.c takes sensitivities across. Several jumps
// at one instant must keep together for neighbours, too.
#include "engine/sensitivity/jumps.h"
#include "engine/flow/elastic.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

static const double far_below = 1e-6; // of what brought g to 0: its rate where it is not crossed

struct ss_sensitivity_edges {
    int count, room;
    struct ss_sensitivity_edge {
        int signal; // that jumps, or -1: an expression of the motion does
        int kink;   // of that signal, or of the program
        double rate;
    } * list;
    double *kinks, *values; // SS_WIDTH per kink of a signal; per model of a direction
};

// ---- what is given in time, one after the other: forces, drives, inputs, rests of slots, levels

static int signal_count(const ss_derivative* der)
{
    return der->model->force_count + der->nd + der->nu + der->slots + 4 * der->m;
}

static const ss_signal* signal_of(const ss_derivative* der, const ss_model* model, int k)
{
    if (k < model->force_count) return model->forces[k].signal;
    if ((k -= model->force_count) < der->nd) return model->drives[k].signal;
    if ((k -= der->nd) < der->nu) return model->open->inputs[k].signal;
    if ((k -= der->nu) < der->slots) {
        const ss_affine* affine = ss_affine_of(model->actions, k);
        return affine ? affine->rest : NULL;
    }
    k -= der->slots;
    return model->contacts[k / 4].level[k % 4];
}

bool ss_sensitivity_make_edges(ss_derivative* der)
{
    struct ss_sensitivity_edges* own = ss_pool_new(&der->pool, 1, sizeof *own);
    size_t most = 1, all = der->model->open ? (size_t)der->model->actions->motion.kink_count : 0;
    for (int k = 0; k < signal_count(der); k++) {
        const ss_signal* signal = signal_of(der, der->model, k);
        size_t kinks = signal ? (size_t)ss_signal_kink_count(signal) : 0;
        all += kinks;
        most = kinks > most ? kinks : most;
    }
    if (!own) return false;
    own->room = (int)all;
    own->list = ss_pool_new(&der->pool, all, sizeof *own->list);
    own->kinks = ss_pool_new(&der->pool, SS_WIDTH * most, sizeof(double));
    own->values = ss_pool_new(&der->pool, SS_DIRECTION_MODELS, sizeof(double));
    der->room.pieces = ss_pool_new(&der->pool, most, sizeof(double));
    der->instant.edges = own;
    return !der->pool.failed;
}

// The series of kink j of a signal along the present step, on the pieces of the own one; NULL: there is none.
static const double* kink_series(ss_derivative* der, const ss_signal* own, const ss_signal* signal, int j)
{
    double c[SS_WIDTH], *pieces = der->room.pieces, *kinks = der->instant.edges->kinks;
    const ss_step* step = &der->sim->step;
    if (!signal || !ss_sensitivity_own_pieces(der, own, signal, pieces)) return NULL;
    if (!ss_signal_series_on(signal, step->t, step->order, c, kinks, pieces, der->room.signals)) return NULL;
    return kinks + (size_t)j * (size_t)(step->order + 1);
}

// ---- which of them are met

static bool add_edge(ss_derivative* der, int signal, int kink, double rate, bool crosses)
{
    struct ss_sensitivity_edges* own = der->instant.edges;
    own->list[own->count++] = (struct ss_sensitivity_edge){signal, kink, rate};
    return crosses;
}

// Of a function g with the coefficients c that has fallen to 0 at s.
static bool is_crossed(const double c[], int degree, double s, double rate)
{
    double size = ss_poly_bound(c, 1, degree, s);
    return fabs(rate) * s > far_below * size;
}

static bool find_in_time(ss_derivative* der, int k, double elapsed)
{
    const ss_signal* signal = signal_of(der, der->model, k);
    int order = der->sim->step.order;
    bool crosses = true;
    if (!signal || !ss_signal_jumps(signal)) return true;
    for (int j = 0; j < ss_signal_kink_count(signal); j++) {
        if (!ss_signal_kink_jumps(signal, j)) continue;
        const double* g = kink_series(der, signal, signal, j);
        if (!g) continue;
        double value = ss_poly_value(g, 1, order, elapsed), rate = ss_poly_slope(g, 1, order, elapsed);
        if (fabs(value) > SS_FAINT * ss_poly_bound(g, 1, order, elapsed)) continue;
        crosses = add_edge(der, k, j, rate, is_crossed(g, order, elapsed, rate)) && crosses;
    }
    return crosses;
}

static bool find_in_motion(ss_derivative* der, double s)
{
    const ss_open_programs* own = der->sim->open.programs;
    const ss_program* program = own->motion.program;
    bool crosses = true;
    for (int j = 0; j < program->kink_count; j++) {
        double g[SS_WIDTH + 1];
        if (!program->jumps[j] || !own->crossing[j] ||
            isnan(own->pieces[program->code[program->kinks[j]].kink]))
            continue;
        int degree = ss_open_switch(der->sim, j, g);
        if (degree < 1) continue;
        double rate = ss_poly_slope(g, 1, degree, s);
        crosses = add_edge(der, -1, j, rate / der->before.motion.at.pace, is_crossed(g, degree, s, rate)) &&
                  crosses;
    }
    return crosses;
}

bool ss_jumps_find(ss_derivative* der, double s)
{
    struct ss_sensitivity_edges* own = der->instant.edges;
    bool crosses = true;
    own->count = 0;
    if (der->sim->step.end != SS_STEP_KINK && !ss_ends_in_event(&der->sim->step)) return true;
    double elapsed = ss_elapsed(&der->sim->step, s);
    for (int k = 0; k < signal_count(der) && der->sim->inputs.kink_count > 0; k++)
        crosses = find_in_time(der, k, elapsed) && crosses;
    if (der->model->open) crosses = find_in_motion(der, s) && crosses;
    return crosses;
}

void ss_jumps_forget(ss_derivative* der) { der->instant.edges->count = 0; }
int ss_jumps_count(const ss_derivative* der) { return der->instant.edges->count; }

// ---- when neighbours meet them

static bool time_of_signal(ss_derivative* der, const ss_sensitivity* to,
                           const struct ss_sensitivity_edge* edge, double elapsed, double* out)
{
    const ss_model_change* change = to->change;
    const ss_signal* signal = signal_of(der, der->model, edge->signal);
    *out = 0.0;
    for (int k = 0; change && k < change->from->model_count; k++) {
        const ss_model* other = change->from->models[k];
        const double* g = kink_series(der, signal, signal_of(der, other, edge->signal), edge->kink);
        if (!g) return false;
        der->instant.edges->values[k] = ss_poly_value(g, 1, der->sim->step.order, elapsed);
    }
    if (change) *out = -ss_direction_sum(change->from, der->instant.edges->values) / edge->rate;
    return true;
}

// How the switching function of an instruction (ss_taylor_switch) changes with its registers, dx.
static double switch_change(const ss_run* run, const ss_instruction* in, int out, const double dx[])
{
    double piece = run->w.piece[in->kink], a = run->x[in->a];
    switch (in->op) {
    case SS_OP_ABS: return dx[out];
    case SS_OP_MIN:
    case SS_OP_MAX: return piece * (dx[in->a] - dx[in->b]);
    case SS_OP_ATAN2: return -2.0 * run->x[out] * dx[out];
    case SS_OP_SIGN: return piece * dx[in->a];
    case SS_OP_STEP: return piece > 0 ? dx[in->a] : -dx[in->a];
    case SS_OP_FLOOR: return -2.0 * (a - piece - 0.5) * dx[in->a];
    case SS_OP_CEIL: return -2.0 * (a - piece + 0.5) * dx[in->a];
    case SS_OP_ROUND: return -2.0 * (a - piece) * dx[in->a];
    default: return NAN;
    }
}

// The program was last run where the step ends; delta holds how its variables change.
static bool time_in_motion(ss_derivative* der, const ss_sensitivity* to,
                           const struct ss_sensitivity_edge* edge, double* out)
{
    const struct ss_program_tangent* tangent = to->tangent;
    if (!tangent || !tangent->motion.program) return false;
    const ss_run* run = ss_sensitivity_point_run(der, to, &der->before.motion.at);
    int at = run->program->kinks[edge->kink];
    ss_tangent_values(&tangent->motion, run, der->before.motion.at.t, der->delta.vars, tangent->x,
                      der->room.seen);
    *out = -switch_change(run, &run->program->code[at], at, tangent->x) / edge->rate;
    return isfinite(*out);
}

bool ss_jumps_time(ss_derivative* der, ss_sensitivity* to, double s)
{
    struct ss_sensitivity_edges* own = der->instant.edges;
    double elapsed = ss_elapsed(&der->sim->step, s), least = INFINITY, most = -INFINITY;
    to->edge = 0.0;
    for (int e = 0; e < own->count; e++) {
        const struct ss_sensitivity_edge* edge = &own->list[e];
        double dt;
        bool known = edge->signal >= 0 ? time_of_signal(der, to, edge, elapsed, &dt)
                                       : time_in_motion(der, to, edge, &dt);
        if (!known) return false;
        least = fmin(least, dt);
        most = fmax(most, dt);
    }
    if (own->count == 0) return true;
    to->edge = least + 0.5 * (most - least);
    return most - least <= SS_ROOT_BIT * fmax(fabs(least), fabs(most));
}

// ---- where a motion starts

// Of a signal that jumps where the motion starts, at a time that moves with the number.
static bool signal_leaves(ss_derivative* der, const ss_sensitivity* to, int k)
{
    const ss_signal* signal = signal_of(der, der->model, k);
    if (!signal || !ss_signal_jumps(signal)) return false;
    for (int j = 0; j < ss_signal_kink_count(signal); j++) {
        const double* g = ss_signal_kink_jumps(signal, j) ? kink_series(der, signal, signal, j) : NULL;
        int order = der->sim->step.order;
        if (!g || fabs(g[0]) > SS_FAINT * ss_poly_bound(g, 1, order, der->sim->step.length)) continue;
        double dt;
        struct ss_sensitivity_edge edge = {k, j, 1.0};
        if (time_of_signal(der, to, &edge, 0.0, &dt) && dt != 0.0) return true;
    }
    return false;
}

// Of an expression of the motion: delta holds how its variables change.
static bool expression_leaves(ss_derivative* der, const ss_sensitivity* to)
{
    const ss_open_programs* own = der->sim->open.programs;
    const ss_program* program = own->motion.program;
    const struct ss_program_tangent* tangent = to->tangent;
    if (!tangent || !tangent->motion.program || (own->stiff && own->stiff->written)) return false;
    const ss_run* run = ss_sensitivity_point_run(der, to, &der->points[0].at);
    ss_tangent_values(&tangent->motion, run, der->sim->step.t, der->delta.vars, tangent->x, der->room.seen);
    for (int j = 0; j < program->kink_count; j++) {
        int at = run->program->kinks[j];
        double g[SS_WIDTH + 1];
        int degree = program->jumps[j] ? ss_open_switch(der->sim, j, g) : -1;
        if (degree < 1 || fabs(g[0]) > SS_FAINT * ss_poly_bound(g, 1, degree, der->sim->step.length))
            continue;
        if (switch_change(run, &run->program->code[at], at, tangent->x) != 0.0) return true;
    }
    return false;
}

bool ss_jumps_leave_start(ss_derivative* der)
{
    for (int h = 0; h < der->count; h++) {
        ss_sensitivity* to = &der->sensitivities[h];
        if (to->lost) continue;
        for (int k = 0; k < signal_count(der) && to->change && der->sim->inputs.kink_count > 0; k++)
            if (signal_leaves(der, to, k)) return true;
        if (!der->model->open || der->model->actions->motion.output_count == 0) continue;
        der->delta.q = to->q;
        der->delta.v = to->v;
        der->delta.s = to->s;
        der->delta.z = to->z;
        ss_linear_all(der, &der->points[0], to, &der->delta);
        if (expression_leaves(der, to)) return true;
    }
    return false;
}
