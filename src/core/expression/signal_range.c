// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Kinks that no t ever reaches: in max(18, 5 sin(w t)) the sine never wins, and |3 + cos(w t)| is what it
// stands for. Such an expression is smooth, and nobody needs to look for its kinks period after period. Seen
// by running the tape on intervals that hold the values for all t; what is not needed any more is left out.
#include "core/expression/expression.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdlib.h>

typedef struct range {
    double low, high;
} range;

static const range anything = {-INFINITY, INFINITY};

static range between(double a, double b)
{
    if (isnan(a) || isnan(b)) return anything;
    return (range){fmin(a, b), fmax(a, b)};
}

static range product(range a, range b, bool same)
{
    double ends[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    range out = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; ++i) {
        if (isnan(ends[i])) return anything;
        out.low = fmin(out.low, ends[i]);
        out.high = fmax(out.high, ends[i]);
    }
    if (same) out.low = fmax(out.low, 0);
    return out;
}

static range magnitude(range a)
{
    double most = fmax(fabs(a.low), fabs(a.high));
    return (range){fmax(0, fmax(a.low, -a.high)), most};
}

// Of functions that rise, from their values at the ends.
static range rising(const ss_instruction* in, range a)
{
    return between(ss_op_apply(in, 0, a.low, 0), ss_op_apply(in, 0, a.high, 0));
}

static range range_of(const ss_instruction* in, const range known[])
{
    range a = ss_op_is_leaf(in->op) ? anything : known[in->a];
    range b = ss_op_is_binary(in->op) ? known[in->b] : anything;
    switch (in->op) {
    case SS_OP_AFFINE: return in->q != 0 ? anything : (range){in->p, in->p};
    case SS_OP_SINE:
    case SS_OP_COSINE:
    case SS_OP_SIN:
    case SS_OP_COS:
    case SS_OP_SIGN: return (range){-1, 1};
    case SS_OP_STEP: return (range){0, 1};
    case SS_OP_ADD: return between(a.low + b.low, a.high + b.high);
    case SS_OP_SUB: return between(a.low - b.high, a.high - b.low);
    case SS_OP_MUL: return product(a, b, in->a == in->b);
    case SS_OP_SCALE: return product(a, (range){in->p, in->p}, false);
    case SS_OP_SHIFT: return between(a.low + in->p, a.high + in->p);
    case SS_OP_MIN: return (range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case SS_OP_MAX: return (range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case SS_OP_ABS: return magnitude(a);
    case SS_OP_PACE: return a;
    case SS_OP_EXP:
    case SS_OP_TANH:
    case SS_OP_ATAN: return rising(in, a);
    default: return anything;
    }
}

// Whether a is above b for good, by more than rounding.
static bool is_above(range a, range b)
{
    double size = fmax(fabs(a.low), fabs(b.high));
    return a.low > b.high && (isinf(size) || a.low - b.high > SS_CLEAR * size);
}

// What a kink that is never reached leaves of its instruction: one operand, or its negative. Bounds that pace
// a function (q != 0) are no kinks, and stay.
static void simplify(ss_instruction* in, const range known[])
{
    ss_instruction left = {.op = SS_OP_SCALE, .out = in->out, .a = in->a, .p = 1};
    range a = known[in->a], zero = {0, 0};
    if (in->op == SS_OP_ABS && is_above(zero, a))
        left.p = -1;
    else if ((in->op == SS_OP_MIN || in->op == SS_OP_MAX) && in->q == 0) {
        bool first = is_above(a, known[in->b]);
        if (!first && !is_above(known[in->b], a)) return;
        if (first != (in->op == SS_OP_MAX)) left.a = in->b;
    } else if (in->op != SS_OP_ABS || !is_above(a, zero)) {
        return;
    }
    *in = left;
}

// Leaves out what the result does not need, and numbers the kinks that are left anew.
static void shorten(ss_tape* tape, bool needed[], bool keep[])
{
    int count = 0;
    needed[tape->result] = true;
    for (int i = tape->count - 1; i >= 0; --i) {
        const ss_instruction* in = &tape->code[i];
        keep[i] = needed[in->out];
        if (!keep[i]) continue;
        needed[in->out] = false;
        if (!ss_op_is_leaf(in->op)) needed[in->a] = true;
        if (ss_op_is_binary(in->op)) needed[in->b] = true;
    }
    tape->kinks = tape->jumps = 0;
    for (int i = 0; i < tape->count; ++i) {
        if (!keep[i]) continue;
        ss_instruction* in = &tape->code[count++];
        *in = tape->code[i];
        if (!ss_op_has_kink(in->op)) continue;
        in->kink = tape->kinks++;
        tape->jumps += ss_op_is_jump(in->op);
    }
    tape->count = count;
}

bool ss_tape_forget_kinks(ss_tape* tape)
{
    if (tape->kinks == 0) return true;
    range* known = ss_new((size_t)tape->registers, sizeof *known);
    bool* flags = ss_new((size_t)(tape->registers + tape->count), sizeof *flags);
    if (known && flags) {
        for (int i = 0; i < tape->count; ++i) {
            ss_instruction* in = &tape->code[i];
            if (!ss_op_is_leaf(in->op)) simplify(in, known);
            known[in->out] = range_of(in, known);
        }
        shorten(tape, flags, flags + tape->registers);
    }
    bool done = known && flags;
    free(known);
    free(flags);
    return done;
}
