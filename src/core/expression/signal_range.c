// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Kinks that no t ever reaches: in max(18, 5 sin(w t)) the sine never wins, and |3 + cos(w t)| is what it
// stands for. Such an expression is smooth, and nobody needs to look for its kinks period after period. Seen
// by running the tape on intervals that hold the values for all t; what is not needed any more is left out.
#include "core/expression/range.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdlib.h>

static const ss_range anything = {-INFINITY, INFINITY};

// Whether a is above b for good, by more than rounding.
static bool is_above(ss_range a, ss_range b)
{
    double size = fmax(fabs(a.low), fabs(b.high));
    return a.low > b.high && (isinf(size) || a.low - b.high > SS_CLEAR * size);
}

// What a kink that is never reached leaves of its instruction: one operand, or its negative. Bounds that pace
// a function (q != 0) are no kinks, and stay.
static void simplify(ss_instruction* in, const ss_range known[])
{
    ss_instruction left = {.op = SS_OP_SCALE, .out = in->out, .a = in->a, .p = 1};
    ss_range a = known[in->a], zero = {0, 0};
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
    ss_range* known = ss_new((size_t)tape->registers, sizeof *known);
    bool* flags = ss_new((size_t)(tape->registers + tape->count), sizeof *flags);
    if (known && flags) {
        for (int i = 0; i < tape->count; ++i) {
            ss_instruction* in = &tape->code[i];
            if (!ss_op_is_leaf(in->op)) simplify(in, known);
            bool leaf = ss_op_is_leaf(in->op);
            known[in->out] = ss_op_range(in, anything, leaf ? anything : known[in->a],
                                         ss_op_is_binary(in->op) ? known[in->b] : anything);
        }
        shorten(tape, flags, flags + tape->registers);
    }
    bool done = known && flags;
    free(known);
    free(flags);
    return done;
}

bool ss_tape_stays(const ss_tape* tape, double from, ss_range* known)
{
    const ss_range later = {from, INFINITY};
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        bool leaf = ss_op_is_leaf(in->op);
        known[in->out] = ss_op_range(in, later, leaf ? anything : known[in->a],
                                     ss_op_is_binary(in->op) ? known[in->b] : anything);
    }
    ss_range value = known[tape->result];
    if (!isfinite(value.low) || !isfinite(value.high)) return false; // nothing is known of it
    return value.high - value.low <= SS_RELATIVE_ZERO * (fabs(value.low) + fabs(value.high)) + SS_NOT_ZERO;
}
