// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// After which advance of their arguments expressions repeat. Arguments (t, or places that turn) go on
// steadily; every operation then either repeats, or goes on steadily itself, or does neither:
//
//     sin(a), cos(a), tan(a)         repeat, with the rate of a as their frequency
//     floor(a), ceil(a), round(a)    go on as a does once a has grown by a whole number: t - floor(t) repeats
//     a + b, a - b, p a, a + p       go on by what their operands do
//     anything else of what goes on  does not repeat
#include "core/error.h"
#include "core/expression/program.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.28318530717958647693;

typedef struct found {
    double* frequencies;
    int count, max;
    bool never; // something does not repeat, or in too many rhythms
} found;

static void add(found* f, double frequency)
{
    for (int k = 0; k < f->count; k++)
        if (f->frequencies[k] == frequency) return;
    if (f->count == f->max)
        f->never = true;
    else
        f->frequencies[f->count++] = frequency;
}

static double sum(double a, double b) { return fabs(a + b) <= SS_NOISE * (fabs(a) + fabs(b)) ? 0.0 : a + b; }

// How fast the result of an instruction goes on, from the rates of its operands.
static double rate_of(const ss_instruction* in, const ss_advance* by, double a, double b, found* f)
{
    switch (in->op) {
    case SS_OP_VARIABLE: return by->variables ? by->variables[in->a] : 0.0;
    case SS_OP_AFFINE: return in->q * by->time;
    case SS_OP_SINE:
    case SS_OP_COSINE:
        if (in->q * by->time != 0.0) add(f, fabs(in->q * by->time));
        return 0.0;
    case SS_OP_ADD: return sum(a, b);
    case SS_OP_SUB: return sum(a, -b);
    case SS_OP_SCALE: return in->p * a;
    case SS_OP_SHIFT:
    case SS_OP_PACE: return a;
    case SS_OP_SIN:
    case SS_OP_COS:
    case SS_OP_TAN:
        if (a != 0.0) add(f, fabs(a));
        return 0.0;
    case SS_OP_FLOOR:
    case SS_OP_CEIL:
    case SS_OP_ROUND:
        if (a != 0.0) add(f, two_pi * fabs(a));
        return a;
    default: f->never = f->never || a != 0.0 || b != 0.0; return 0.0;
    }
}

// rates: one per register.
static void go_through(const ss_instruction code[], int count, const ss_advance* by, double rates[], found* f)
{
    for (int i = 0; i < count && !f->never; i++) {
        const ss_instruction* in = &code[i];
        bool leaf = ss_op_is_leaf(in->op);
        rates[in->out] =
            rate_of(in, by, leaf ? 0.0 : rates[in->a], ss_op_is_binary(in->op) ? rates[in->b] : 0.0, f);
    }
}

int ss_tape_frequencies(const ss_tape* tape, double frequencies[], int max)
{
    found f = {.frequencies = frequencies, .max = max};
    ss_advance by = {.time = 1.0};
    double* rates = ss_new((size_t)tape->registers, sizeof(double));
    if (!rates) return -1;
    go_through(tape->code, tape->count, &by, rates, &f);
    f.never = f.never || rates[tape->result] != 0.0;
    free(rates);
    return f.never ? -1 : f.count;
}

int ss_program_frequencies(const ss_program* program, const ss_advance* by, double frequencies[], int max)
{
    found f = {.frequencies = frequencies, .max = max};
    double* rates = ss_new((size_t)program->count, sizeof(double));
    if (!rates) return -1;
    go_through(program->code, program->count, by, rates, &f);
    for (int k = 0; k < program->output_count; k++) f.never = f.never || rates[program->outputs[k]] != 0.0;
    free(rates);
    return f.never ? -1 : f.count;
}
