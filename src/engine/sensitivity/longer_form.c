// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers at which the program of a model is shorter than beside them: x - p at p = 0, c f(x) at c = 1. Those
// of the models beside it have the operations in which the number is a constant. One of them, with constants
// at their own values, computes what the program of the model does; it is run beside that along the step, and
// its tangent taken.
//
// Constants between the models: by the polynomial through the eight of them,
//
//     p_0 = (-(p_-4 + p_4) + 8 (p_-3 + p_3) - 28 (p_-2 + p_2) + 56 (p_-1 + p_1)) / 70
#include "engine/sensitivity/program_tangent.h"

#include <string.h>

struct ss_sensitivity_longer {
    ss_program program;
    ss_run along, point;
    double* pieces;
    ss_passing passing;
    double* end;
};

static double between(const double value[])
{
    static const double weights[SS_EVEN_MODELS / 2] = {-1, 8, -28, 56};
    double sum = 0.0;
    bool same = true;
    for (int k = 0; k < SS_EVEN_MODELS / 2; k++) { // two by two: what is 0 is exactly that
        sum += weights[k] * (value[k] + value[SS_EVEN_MODELS - 1 - k]) / 70.0;
        same = same && value[k] == value[0] && value[SS_EVEN_MODELS - 1 - k] == value[0];
    }
    return same ? value[0] : sum;
}

// One of them may be a root as it stands, and a power beside it.
static bool is_alike(ss_op a, ss_op b) { return a == b || (a == SS_OP_SQRT && b == SS_OP_POWER); }

// Functions that may be held at their values, and kinks, are the same ones, in the same order.
static bool matches(const ss_program* own, const ss_program* other)
{
    if (own->kink_count != other->kink_count || own->singular_count != other->singular_count) return false;
    for (int k = 0; k < own->singular_count; k++)
        if (!is_alike(own->code[own->singular[k]].op, other->code[other->singular[k]].op)) return false;
    for (int k = 0; k < own->kink_count; k++) {
        const ss_instruction *a = &own->code[own->kinks[k]], *b = &other->code[other->kinks[k]];
        if (a->op != b->op || a->kink != b->kink) return false;
    }
    return true;
}

struct ss_sensitivity_longer* ss_sensitivity_make_longer(ss_derivative* der, const ss_direction* from,
                                                         const ss_program* const others[])
{
    double by_h;
    const ss_program* own = &der->model->actions->motion;
    if (!ss_direction_is_even(from, &by_h) || !matches(own, others[0])) return NULL;
    struct ss_sensitivity_longer* out = ss_pool_new(&der->pool, 1, sizeof *out);
    size_t kinks = (size_t)ss_graph_kink_count(der->model->open->graph), count = (size_t)others[0]->count;
    ss_instruction* code = ss_pool_new(&der->pool, count, sizeof *code);
    if (!out || !code) return NULL;
    for (size_t i = 0; i < count; i++) {
        double p[SS_EVEN_MODELS], q[SS_EVEN_MODELS];
        for (int k = 0; k < SS_EVEN_MODELS; k++) {
            p[k] = others[k]->code[i].p;
            q[k] = others[k]->code[i].q;
        }
        code[i] = others[0]->code[i];
        code[i].p = between(p);
        code[i].q = between(q);
    }
    out->program = *others[0];
    out->program.code = code;
    out->pieces = ss_pool_new(&der->pool, kinks, sizeof(double));
    out->end = ss_pool_new(&der->pool, count, sizeof(double));
    out->passing.end = out->end;
    if (der->pool.failed || !ss_run_make(&out->along, &der->pool, &out->program, SS_MAX_ORDER, out->pieces) ||
        !ss_run_make(&out->point, &der->pool, &out->program, 0, out->pieces))
        return NULL;
    out->along.noise = NULL; // the run has decided all pieces
    return out;
}

const ss_program* ss_sensitivity_longer_program(const struct ss_sensitivity_longer* own)
{
    return &own->program;
}

static void take_pieces(const ss_derivative* der, struct ss_sensitivity_longer* own)
{
    size_t kinks = (size_t)ss_graph_kink_count(der->model->open->graph);
    memcpy(own->pieces, der->sim->open.programs->pieces, kinks * sizeof(double));
}

// What the run has found for the step: times, pieces, and functions that are held at their values.
static void begin(const ss_derivative* der, struct ss_sensitivity_longer* own)
{
    const ss_run* run = &der->sim->open.programs->motion;
    const ss_program *from = run->program, *to = &own->program;
    take_pieces(der, own);
    own->along.w.t = run->w.t;
    for (int j = 0; j < from->singular_count; j++)
        own->along.w.level[to->singular[j]] = run->w.level[from->singular[j]];
    for (int j = 0; j < from->kink_count; j++) own->along.w.met[to->kinks[j]] = run->w.met[from->kinks[j]];
    ss_open_fill_inputs(der->sim->model, &der->sim->open, &own->along, der->sim->step.order);
}

const ss_run* ss_sensitivity_longer_series(const ss_derivative* der, struct ss_sensitivity_longer* own)
{
    begin(der, own);
    for (int k = 0; k <= der->sim->step.order - 2; k++) {
        ss_open_fill(der->sim, &own->along, k);
        if (!ss_run_step(&own->along, k)) return NULL;
    }
    return &own->along;
}

const ss_run* ss_sensitivity_longer_along(const struct ss_sensitivity_longer* own) { return &own->along; }

const ss_run* ss_sensitivity_longer_point(const ss_derivative* der, struct ss_sensitivity_longer* own,
                                          const ss_values* at)
{
    take_pieces(der, own);
    ss_run_values(&own->point, at->t, at->vars, true, der->room.numbers);
    return &own->point;
}

const ss_passing* ss_sensitivity_longer_passing(const ss_derivative* der, struct ss_sensitivity_longer* own)
{
    return der->along.passing ? &own->passing : NULL;
}

void ss_sensitivity_longer_passes(const ss_derivative* der, struct ss_sensitivity_longer* own,
                                  const ss_values* at, double s)
{
    const ss_run* run = ss_sensitivity_longer_point(der, own, at);
    memcpy(own->end, run->x, (size_t)own->program.count * sizeof(double));
    own->passing.length = s;
}
