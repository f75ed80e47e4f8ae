// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Evaluating programs: values and sizes at a point, and Taylor series order by order.
#include "core/expression/piece/singular.h"
#include "core/expression/program.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { TIME_ORDERS = 8 }; // that decide a jump of time alone

bool ss_run_make(ss_run* run, ss_pool* pool, const ss_program* program, int order, double pieces[])
{
    size_t count = (size_t)program->count, length = (size_t)order + 1;
    *run = (ss_run){.program = program, .w = {.length = order + 1, .piece = pieces}};
    run->w.rows = ss_pool_new(pool, count * length, sizeof(double));
    if (program->kink_count > 0) run->noise = ss_pool_new(pool, count * length, sizeof(double));
    run->w.aux = ss_pool_new(pool, (size_t)program->aux_rows * length, sizeof(double));
    run->w.sum = ss_pool_new(pool, length, sizeof(double));
    run->w.degree = ss_pool_new(pool, count, sizeof(int));
    run->x = ss_pool_new(pool, count, sizeof(double));
    run->sizes = ss_pool_new(pool, count, sizeof(double));
    run->crossed = ss_pool_new(pool, (size_t)program->kink_count, sizeof(bool));
    run->shaken = ss_pool_new(pool, count, sizeof(bool));
    if (program->singular_count > 0) run->w.level = ss_pool_new(pool, count, sizeof(bool));
    if (program->kink_count > 0) run->w.met = ss_pool_new(pool, count, sizeof(double));
    return !pool->failed;
}

bool ss_run_make_spare(ss_run* run, ss_pool* pool, const ss_program* program, double pieces[])
{
    ss_pool spare = {.kept = pool->spare};
    bool good = ss_run_make(run, &spare, program, 0, pieces);
    pool->spare = spare.kept;
    pool->failed = pool->failed || spare.failed;
    return good;
}

// ---- at a point

static double frozen_kink(const ss_instruction* in, double piece, double a, double b)
{
    switch (in->op) {
    case SS_OP_ABS: return piece < 0 ? -a : a;
    case SS_OP_MIN: return piece < 0 ? a : b;
    case SS_OP_MAX: return piece < 0 ? b : a;
    case SS_OP_PACE: return a;
    case SS_OP_ATAN2: {
        double angle = atan2(a, b);
        return b < 0 && piece * a < 0 ? angle + 2 * PI * piece : angle;
    }
    default: return piece; // jumps
    }
}

static double piece_at(const ss_instruction* in, double a, double b, double value)
{
    switch (in->op) {
    case SS_OP_ABS: return a < 0 ? -1 : 1;
    case SS_OP_MIN:
    case SS_OP_MAX: return a < b ? -1 : 1;
    case SS_OP_PACE: return in->p * floor(a / in->p + SS_SAME);
    case SS_OP_ATAN2: return value < 0 ? -1 : 1;
    default: return value;
    }
}

// What is not plain arithmetic.
static double value_of(const ss_run* run, const ss_instruction* in, double t, bool frozen, double a, double b)
{
    double* piece = run->w.piece;
    if (in->op == SS_OP_SELECT) return piece[in->kink] < 0 ? b : a;
    if (run->w.level && run->w.level[in->out]) return ss_singular_value(in, a, b);
    if (!ss_op_has_kink(in->op)) return ss_op_apply(in, t, a, b);
    if (frozen && !isnan(piece[in->kink])) return frozen_kink(in, piece[in->kink], a, b);
    double value = ss_op_apply(in, t, a, b);
    piece[in->kink] = piece_at(in, a, b, value);
    return value;
}

bool ss_run_values(ss_run* run, double t, const double variables[], bool frozen, double out[])
{
    const ss_program* program = run->program;
    double* x = run->x;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        switch (in->op) {
        case SS_OP_VARIABLE: x[i] = variables[in->a]; break;
        case SS_OP_ADD: x[i] = x[in->a] + x[in->b]; break;
        case SS_OP_SUB: x[i] = x[in->a] - x[in->b]; break;
        case SS_OP_MUL: x[i] = x[in->a] * x[in->b]; break;
        case SS_OP_SCALE: x[i] = in->p * x[in->a]; break;
        case SS_OP_SHIFT: x[i] = x[in->a] + in->p; break;
        default: x[i] = value_of(run, in, t, frozen, x[in->a], x[in->b]);
        }
    }
    bool finite = true;
    for (int i = 0; i < program->output_count; i++) {
        out[i] = x[program->outputs[i]];
        finite = finite && isfinite(out[i]);
    }
    return finite;
}

void ss_run_sizes(ss_run* run, double t, const double variables[], double out[])
{
    const ss_program* program = run->program;
    const double* x = run->x;
    double* size = run->sizes;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        if (in->op == SS_OP_VARIABLE)
            size[i] = fabs(variables[in->a]);
        else
            size[i] = ss_op_size(in, t, x[i], x[in->a], x[in->b], size[in->a], size[in->b]);
    }
    for (int i = 0; i < program->output_count; i++) out[i] = size[program->outputs[i]];
}

// ---- series

static double* piece_of(const ss_run* run, int j)
{
    return &run->w.piece[run->program->code[run->program->kinks[j]].kink];
}

void ss_run_begin(ss_run* run, double t)
{
    run->w.t = t;
    for (int i = 0; i < run->program->singular_count; i++) run->w.level[run->program->singular[i]] = false;
    for (int j = 0; j < run->program->kink_count; j++) {
        if (!run->crossed[j]) {
            *piece_of(run, j) = NAN;
            run->w.met[run->program->kinks[j]] = 0.0;
        }
        run->crossed[j] = false;
    }
}

double* ss_run_variable(const ss_run* run, int variable)
{
    int r = run->program->variables[variable];
    return r < 0 ? NULL : ss_taylor_row(&run->w, r);
}

double* ss_run_noise(const ss_run* run, int variable)
{
    int r = run->program->variables[variable];
    return r < 0 ? NULL : ss_taylor_aux(&run->w, &run->program->code[r]);
}

const double* ss_run_output(const ss_run* run, int output)
{
    return ss_taylor_row(&run->w, run->program->outputs[output]);
}

static bool step_instruction(ss_run* run, int i, int from, int to)
{
    ss_taylor* w = &run->w;
    const ss_instruction* in = &run->program->code[i];
    bool noisy = w->noise && run->program->feeds[i];
    if (!ss_taylor_step(w, in, from, to)) return false;
    if (noisy) ss_taylor_noise(w, in, to);
    return true;
}

int ss_run_decide(ss_run* run, int known)
{
    const ss_program* program = run->program;
    int undecided = 0, highest = run->w.length - 1;
    unsigned late = SS_ON_SPEED | SS_ON_STATE | SS_ON_FORCE;
    if (known > highest) known = highest;
    run->w.noise = run->noise;
    for (int i = 0; i < program->count && run->noise; i++) {
        unsigned depends = program->depends[i];
        bool timely = !(depends & SS_ON_ANY);
        if (depends & late) continue;
        int far = highest < TIME_ORDERS ? highest : TIME_ORDERS, to = timely && far > known ? far : known;
        (void)step_instruction(run, i, 0, to); // where it cannot, the step to order 0 will tell
    }
    for (int j = 0; j < program->kink_count; j++) undecided += program->jumps[j] && isnan(*piece_of(run, j));
    return undecided;
}

static bool is_open(const ss_run* run)
{
    for (int j = 0; j < run->program->kink_count; j++)
        if (isnan(*piece_of(run, j))) return true;
    return false;
}

bool ss_run_step(ss_run* run, int k)
{
    const ss_program* program = run->program;
    run->done = k;
    run->failed = -1;
    run->w.noise = run->noise && (k == 0 || run->w.noise) && is_open(run) ? run->noise : NULL;
    for (int i = 0; i < program->count; i++)
        if (!step_instruction(run, i, k, k)) {
            run->failed = i;
            return false;
        }
    for (int i = 0; i < program->output_count; i++)
        if (!isfinite(ss_run_output(run, i)[k])) {
            run->failed = SS_BEYOND_NUMBERS;
            return false;
        }
    return true;
}
