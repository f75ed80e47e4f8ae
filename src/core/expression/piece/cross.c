// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where the pieces of a program end, and how they are left.
//
// Kinks may stand inside kinks: abs(abs(g)), clip(abs(g), 0, 50). Where g passes 0, the inner one is crossed;
// the outer one, whose argument comes down to 0 with it, only touches: behind the kink that argument is
// another function. So of those that end at one instant only the innermost are crossed, and what stands
// around them is decided anew by what its argument does then.
#include "core/algebra/polynomial.h"
#include "core/expression/program.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

void ss_run_switch(const ss_run* run, int j, int n, double out[])
{
    ss_taylor_switch(&run->w, &run->program->code[run->program->kinks[j]], n, out);
}

double ss_run_switch_at(const ss_run* run, int j)
{
    const ss_instruction* in = &run->program->code[run->program->kinks[j]];
    double piece = run->w.piece[in->kink], a = run->x[in->a], c = run->x[run->program->kinks[j]];
    if (ss_run_paces(run, j)) return NAN;
    switch (in->op) {
    case SS_OP_ABS: return c;
    case SS_OP_MIN:
    case SS_OP_MAX: return piece * (a - run->x[in->b]);
    case SS_OP_ATAN2: return (PI - c) * (PI + c);
    case SS_OP_SIGN: return piece * a;
    case SS_OP_STEP: return piece > 0 ? a : -a;
    case SS_OP_FLOOR: return (a - piece) * (piece + 1 - a);
    case SS_OP_CEIL: return (a - piece + 1) * (piece - a);
    default: return (a - piece + 0.5) * (piece + 0.5 - a); // round
    }
}

bool ss_run_paces(const ss_run* run, int j)
{
    const ss_instruction* in = &run->program->code[run->program->kinks[j]];
    return in->op == SS_OP_PACE || ((in->op == SS_OP_MIN || in->op == SS_OP_MAX) && in->q != 0.0);
}

// Of floor, ceil and round: the middle of the piece tells which end was reached.
static double next_cell(const ss_run* run, const ss_instruction* in, double piece, double h)
{
    double middle = piece + (in->op == SS_OP_FLOOR ? 0.5 : in->op == SS_OP_CEIL ? -0.5 : 0.0);
    double a = ss_poly_value(ss_taylor_row(&run->w, in->a), 1, run->done, h);
    return a > middle ? piece + 1 : piece - 1;
}

void ss_run_cross(ss_run* run, int j, double h)
{
    const ss_instruction* in = &run->program->code[run->program->kinks[j]];
    double* piece = &run->w.piece[in->kink];
    run->crossed[j] = true;
    switch (in->op) {
    case SS_OP_PACE: *piece = NAN; break;
    case SS_OP_STEP: *piece = 1 - *piece; break;
    case SS_OP_FLOOR:
    case SS_OP_CEIL:
    case SS_OP_ROUND: *piece = next_cell(run, in, *piece, h); break;
    default: *piece = -*piece; break;
    }
}

// The register of the kink that a SELECT goes by.
static int owner_of(const ss_program* program, int kink)
{
    int j = 0;
    while (program->code[program->kinks[j]].kink != kink) j++;
    return program->kinks[j];
}

// Marks in run->shaken the registers that change their function where the kinks in `ended` do.
static void shake(const ss_run* run, const bool ended[])
{
    const ss_program* program = run->program;
    bool* shaken = run->shaken;
    memset(shaken, 0, (size_t)program->count * sizeof *shaken);
    for (int i = 0, j = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        bool own = ss_op_has_kink(in->op) && ended[j++];
        if (ss_op_is_leaf(in->op)) continue;
        bool b = ss_op_is_binary(in->op) && shaken[in->b];
        shaken[i] =
            own || shaken[in->a] || b || (in->op == SS_OP_SELECT && shaken[owner_of(program, in->kink)]);
    }
}

void ss_run_cross_together(ss_run* run, const bool ended[], const double within[], double h)
{
    const ss_program* program = run->program;
    int count = 0;
    for (int j = 0; j < program->kink_count; j++) count += ended[j];
    if (count > 1) shake(run, ended);
    for (int j = 0; j < program->kink_count; j++) {
        run->w.met[program->kinks[j]] = 0.0;
        if (!ended[j]) continue;
        const ss_instruction* in = &program->code[program->kinks[j]];
        bool around = count > 1 && (run->shaken[in->a] || (ss_op_is_binary(in->op) && run->shaken[in->b]));
        if (around) continue;
        ss_run_cross(run, j, h);
        if (in->op != SS_OP_PACE) run->w.met[in->out] = within[j];
    }
}
