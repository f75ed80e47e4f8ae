// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ranges of operations and programs (range.h): interval arithmetic. Ends are moved outwards by more than any
// operation rounds, libm's functions included.
#include "core/expression/range.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static const ss_range anything = {-INFINITY, INFINITY};

// Ends moved outwards; what is no number may be anything.
static ss_range widened(double low, double high)
{
    const double share = 8.0 * DBL_EPSILON;
    double least = low - (share * fabs(low) + DBL_MIN), most = high + (share * fabs(high) + DBL_MIN);
    return isnan(least) || isnan(most) ? anything : (ss_range){least, most}; // also of infinite ends
}

static ss_range hull(ss_range a, ss_range b) { return (ss_range){fmin(a.low, b.low), fmax(a.high, b.high)}; }

static ss_range product(ss_range a, ss_range b)
{
    double ends[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    ss_range out = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; ++i) {
        if (isnan(ends[i])) return anything;
        out.low = fmin(out.low, ends[i]);
        out.high = fmax(out.high, ends[i]);
    }
    return widened(out.low, out.high);
}

static ss_range magnitude(ss_range a)
{
    double most = fmax(fabs(a.low), fabs(a.high));
    return (ss_range){fmax(0.0, fmax(a.low, -a.high)), most};
}

static ss_range squared(ss_range a)
{
    ss_range m = magnitude(a), out = widened(m.low * m.low, m.high * m.high);
    return (ss_range){fmax(out.low, 0.0), out.high};
}

static ss_range inverse(ss_range a)
{
    if (a.low <= 0.0 && a.high >= 0.0) return anything;
    return widened(1.0 / a.high, 1.0 / a.low);
}

// Of functions that rise or fall all along: from the values at the ends.
static ss_range monotone(const ss_instruction* in, ss_range a)
{
    double x = ss_op_apply(in, 0.0, a.low, 0.0), y = ss_op_apply(in, 0.0, a.high, 0.0);
    return widened(fmin(x, y), fmax(x, y));
}

// The same where the function is defined from `low` to `high` only.
static ss_range within(const ss_instruction* in, ss_range a, double low, double high)
{
    return a.low >= low && a.high <= high ? monotone(in, a) : anything;
}

// Of the cosine: 1 where the range holds a multiple of 2 pi, -1 where it holds one that is odd in pi.
static ss_range cosine(ss_range a)
{
    const double far = 1e9; // beyond, the place within a period is not known well
    if (!(a.high - a.low < 2.0 * PI) || fabs(a.low) > far || fabs(a.high) > far) return (ss_range){-1.0, 1.0};
    double x = cos(a.low), y = cos(a.high), slack = DBL_EPSILON * (8.0 + fabs(a.low) + fabs(a.high));
    bool top = floor((a.high + slack) / (2.0 * PI)) >= ceil((a.low - slack) / (2.0 * PI));
    bool bottom = floor((a.high + slack) / (2.0 * PI) + 0.5) >= ceil((a.low - slack) / (2.0 * PI) + 0.5);
    ss_range out = widened(bottom ? -1.0 : fmin(x, y) - slack, top ? 1.0 : fmax(x, y) + slack);
    return (ss_range){fmax(out.low, -1.0), fmin(out.high, 1.0)};
}

static ss_range shifted(ss_range a, double by) { return widened(a.low + by, a.high + by); }

// On one branch only.
static ss_range tangent(const ss_instruction* in, ss_range a)
{
    bool one = floor(a.low / PI + 0.5 - DBL_EPSILON * fabs(a.low)) ==
               floor(a.high / PI + 0.5 + DBL_EPSILON * fabs(a.high));
    return one ? monotone(in, a) : anything;
}

// The angle of the points (b, a): where they stay clear of the cut, it is extreme on corners.
static ss_range angle(ss_range a, ss_range b)
{
    if (b.low <= 0.0 && a.low <= 0.0 && a.high >= 0.0) return anything;
    ss_range out = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; ++i) {
        double corner = atan2(i & 1 ? a.low : a.high, i & 2 ? b.low : b.high);
        out = hull(out, (ss_range){corner, corner});
    }
    return widened(out.low, out.high);
}

// Operations on two.
static ss_range range_of_two(const ss_instruction* in, ss_range a, ss_range b)
{
    switch (in->op) {
    case SS_OP_ADD: return widened(a.low + b.low, a.high + b.high);
    case SS_OP_SUB: return widened(a.low - b.high, a.high - b.low);
    case SS_OP_MUL: return in->a == in->b ? squared(a) : product(a, b);
    case SS_OP_DIV: return product(a, inverse(b));
    case SS_OP_HYPOT: {
        ss_range m = magnitude(a), n = magnitude(b);
        return widened(hypot(m.low, n.low), hypot(m.high, n.high));
    }
    case SS_OP_ATAN2: return angle(a, b);
    case SS_OP_MIN: return (ss_range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case SS_OP_MAX: return (ss_range){fmax(a.low, b.low), fmax(a.high, b.high)};
    default: return hull(a, b);
    }
}

ss_range ss_op_range(const ss_instruction* in, ss_range t, ss_range a, ss_range b)
{
    ss_range line = {in->p, in->p};
    if (ss_op_is_leaf(in->op) && in->q != 0.0) line = shifted(product((ss_range){in->q, in->q}, t), in->p);
    if (ss_op_is_binary(in->op)) return range_of_two(in, a, b);
    switch (in->op) {
    case SS_OP_VARIABLE: return anything;
    case SS_OP_AFFINE: return line;
    case SS_OP_SINE: return cosine(shifted(line, -PI / 2.0));
    case SS_OP_COSINE: return cosine(line);
    case SS_OP_SIN: return cosine(shifted(a, -PI / 2.0));
    case SS_OP_COS: return cosine(a);
    case SS_OP_OVER: return product((ss_range){in->p, in->p}, inverse(a));
    case SS_OP_SCALE: return product((ss_range){in->p, in->p}, a);
    case SS_OP_SHIFT: return shifted(a, in->p);
    case SS_OP_POWER: return within(in, a, in->p < 0.0 ? DBL_MIN : 0.0, INFINITY);
    case SS_OP_SQRT: return within(in, a, 0.0, INFINITY);
    case SS_OP_LOG: return within(in, a, DBL_MIN, INFINITY);
    case SS_OP_ASIN:
    case SS_OP_ACOS:
    case SS_OP_ATANH: return within(in, a, -1.0, 1.0);
    case SS_OP_ACOSH: return within(in, a, 1.0, INFINITY);
    case SS_OP_LOG1P: return within(in, a, -1.0, INFINITY);
    case SS_OP_TAN: return tangent(in, a);
    case SS_OP_COSH: return monotone(in, magnitude(a));
    case SS_OP_ABS: return magnitude(a);
    case SS_OP_PACE: return a;
    default: return monotone(in, a); // exp, expm1, tanh, atan, sinh, asinh, and the jumps, which rise
    }
}

// ---- programs

// The side of a kink in the box; *jumps becomes true where the value jumps there.
static signed char side_of(const ss_instruction* in, ss_range a, ss_range b, ss_range value, bool* jumps)
{
    switch (in->op) {
    case SS_OP_ABS: return a.low > 0.0 ? 1 : a.high < 0.0 ? -1 : 0;
    case SS_OP_MIN:
    case SS_OP_MAX: return a.low > b.high ? 1 : a.high < b.low ? -1 : 0;
    case SS_OP_ATAN2:
        *jumps = *jumps || isinf(value.low);
        return value.low > 0.0 ? 1 : value.high < 0.0 ? -1 : 0;
    case SS_OP_PACE: return 0;
    default: // of jumps: one value all over the box
        *jumps = *jumps || ss_op_apply(in, 0.0, a.low, 0.0) != ss_op_apply(in, 0.0, a.high, 0.0) ||
                 (in->op == SS_OP_SIGN && a.low <= 0.0 && a.high >= 0.0);
        return 0;
    }
}

bool ss_program_enclose(const ss_program* program, const ss_range variables[], ss_range registers[],
                        signed char sides[], ss_range out[])
{
    bool jumps = false;
    for (int i = 0; i < program->count; ++i) {
        const ss_instruction* in = &program->code[i];
        bool leaf = ss_op_is_leaf(in->op);
        ss_range a = leaf ? anything : registers[in->a],
                 b = ss_op_is_binary(in->op) ? registers[in->b] : anything;
        if (in->op == SS_OP_VARIABLE)
            registers[i] = variables[in->a];
        else if (in->op == SS_OP_SELECT && sides[in->kink] != 0)
            registers[i] = sides[in->kink] < 0 ? b : a;
        else
            registers[i] = ss_op_range(in, anything, a, b);
        if (ss_op_has_kink(in->op)) sides[in->kink] = side_of(in, a, b, registers[i], &jumps);
    }
    for (int i = 0; i < program->output_count; ++i) out[i] = registers[program->outputs[i]];
    return !jumps;
}
