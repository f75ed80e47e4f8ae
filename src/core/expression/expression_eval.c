// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The Taylor series of a tape, and its kinks: each instruction in turn, all its orders at once. A tape with
// kinks or singular places keeps the noise of its registers: a kink's argument counts as zero as long as its
// coefficients are below a few round-offs of what they were computed from.
#include "core/expression/piece/singular.h"

#include <math.h>
#include <string.h>

static bool has_noise(const ss_tape* tape)
{
    if (tape->kinks > 0) return true;
    for (int i = 0; i < tape->count; ++i)
        if (ss_op_is_singular(tape->code[i].op)) return true;
    return false;
}

size_t ss_tape_scratch(const ss_tape* tape, int order)
{
    int rows = has_noise(tape) ? 2 * tape->registers : tape->registers;
    return (size_t)(rows + 2) * (size_t)(order + 1) + (size_t)tape->kinks;
}

bool ss_tape_series(const ss_tape* tape, double t, int order, double out[], double kinks[], double pieces[],
                    ss_clearance* clear, double scratch[])
{
    size_t length = (size_t)(order + 1), registers = (size_t)tape->registers * length;
    int degree[SS_MAX_REGISTERS];
    bool level[SS_MAX_REGISTERS];
    ss_taylor w = {
        .t = t, .length = order + 1, .rows = scratch, .degree = degree, .level = clear ? level : NULL};
    w.noise = has_noise(tape) ? scratch + registers : NULL;
    w.aux = scratch + (w.noise ? 2 * registers : registers);
    w.sum = w.aux + length;
    w.piece = pieces ? pieces : w.sum + length;
    degree[0] = 0;
    for (int i = 0; i < tape->kinks && !pieces; ++i) w.piece[i] = NAN;
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        bool held = clear && ss_op_is_singular(in->op) && ss_tape_freeze_singular(&w, in, clear);
        level[in->out] = held;
        if (!ss_taylor_step(&w, in, 0, order) || level[in->out] != held) return false;
        if (kinks && ss_op_has_kink(in->op))
            ss_taylor_switch(&w, in, order, kinks + (size_t)in->kink * length);
        if (w.noise) ss_taylor_noise(&w, in, order);
    }
    memcpy(out, w.rows + (size_t)tape->result * length, length * sizeof *out);
    for (int k = 0; k <= order; ++k)
        if (!isfinite(out[k])) return false;
    return true;
}
