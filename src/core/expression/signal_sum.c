// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Recognises signals that are a straight line plus harmonics, by running the tape on such sums instead of on
// numbers. Whatever leads out of them is marked by degree -1.
#include "core/expression/expression.h"

#include <math.h>
#include <stdlib.h>

static void add_harmonic(ss_sum* sum, ss_harmonic h)
{
    for (int i = 0; i < sum->count; ++i)
        if (sum->harmonics[i].frequency == h.frequency) {
            sum->harmonics[i].sine += h.sine;
            sum->harmonics[i].cosine += h.cosine;
            return;
        }
    if (sum->count == SS_MAX_HARMONICS)
        sum->degree = -1;
    else
        sum->harmonics[sum->count++] = h;
}

static void add(ss_sum* a, const ss_sum* b, double sign)
{
    a->degree = a->degree < 0 || b->degree < 0 ? -1 : a->degree > b->degree ? a->degree : b->degree;
    a->offset += sign * b->offset;
    a->slope += sign * b->slope;
    for (int i = 0; i < b->count && a->degree >= 0; ++i) {
        ss_harmonic h = b->harmonics[i];
        add_harmonic(a, (ss_harmonic){h.frequency, sign * h.sine, sign * h.cosine});
    }
}

static void scale(ss_sum* a, double factor)
{
    a->offset *= factor;
    a->slope *= factor;
    for (int i = 0; i < a->count; ++i) {
        a->harmonics[i].sine *= factor;
        a->harmonics[i].cosine *= factor;
    }
}

// Products of polynomials are polynomials; their coefficients are not followed (expanding them would lose
// digits), so of degree 2 and above only the class is known.
static void multiply(ss_sum* a, const ss_sum* b)
{
    a->degree = a->degree < 0 || b->degree < 0 || a->count > 0 || b->count > 0 ? -1 : 2;
}

// sin(p + q t) and cos(p + q t) with w = |q| > 0.
static void set_harmonic(ss_sum* sum, const ss_instruction* in)
{
    double direction = in->q < 0 ? -1 : 1, s = sin(in->p), c = cos(in->p);
    ss_harmonic h = {fabs(in->q), direction * c, s};
    if (in->op == SS_OP_COSINE) h = (ss_harmonic){fabs(in->q), -direction * s, c};
    *sum = (ss_sum){.count = 1, .harmonics = {h}};
}

static void step(ss_sum* sums, const ss_instruction* in)
{
    ss_sum* out = &sums[in->out];
    if (!ss_op_is_leaf(in->op)) *out = sums[in->a];
    switch (in->op) {
    case SS_OP_AFFINE: *out = (ss_sum){.degree = in->q != 0, .offset = in->p, .slope = in->q}; break;
    case SS_OP_SINE:
    case SS_OP_COSINE: set_harmonic(out, in); break;
    case SS_OP_ADD: add(out, &sums[in->b], 1); break;
    case SS_OP_SUB: add(out, &sums[in->b], -1); break;
    case SS_OP_MUL: multiply(out, &sums[in->b]); break;
    case SS_OP_SCALE: scale(out, in->p); break;
    case SS_OP_SHIFT: out->offset += in->p; break;
    default: out->degree = -1; break;
    }
}

static bool is_finite(const ss_sum* sum)
{
    double total = sum->offset + sum->slope;
    for (int i = 0; i < sum->count; ++i) total += sum->harmonics[i].sine + sum->harmonics[i].cosine;
    return isfinite(total);
}

bool ss_sum_find(const ss_tape* tape, ss_sum* sum)
{
    ss_sum* sums = ss_new((size_t)tape->registers, sizeof *sums);
    if (!sums) return false;
    for (int i = 0; i < tape->count; ++i) step(sums, &tape->code[i]);
    *sum = sums[tape->result];
    free(sums);
    if (sum->degree >= 0 && sum->degree < 2 && !is_finite(sum)) sum->degree = -1;
    return true;
}
