// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Values of tapes, and the size of the terms that they sum up.
#include "core/expression/taylor.h"

#include <math.h>

void ss_sine_cosine(double p, double q, double t, double* sine, double* cosine)
{
    double product = q * t, sum = product + p;
    double lost = fma(q, t, -product); // q t = product + lost, exactly
    double back = sum - product;
    lost += (product - (sum - back)) + (p - back); // and p + product = sum + this
    double s = sin(sum), c = cos(sum), small = 1 - 0.5 * lost * lost;
    *sine = s * small + c * lost;
    *cosine = c * small - s * lost;
}

static double sine_of_line(const ss_instruction* in, double t)
{
    double s, c;
    ss_sine_cosine(in->p, in->q, t, &s, &c);
    return in->op == SS_OP_SINE ? s : c;
}

double ss_op_apply(const ss_instruction* in, double t, double a, double b)
{
    switch (in->op) {
    case SS_OP_VARIABLE: return a;
    case SS_OP_AFFINE: return fma(in->q, t, in->p);
    case SS_OP_SINE:
    case SS_OP_COSINE: return sine_of_line(in, t);
    case SS_OP_ADD: return a + b;
    case SS_OP_SUB: return a - b;
    case SS_OP_MUL: return a * b;
    case SS_OP_DIV: return a / b;
    case SS_OP_HYPOT: return hypot(a, b);
    case SS_OP_ATAN2: return atan2(a, b);
    case SS_OP_MIN: return b < a ? b : a;
    case SS_OP_MAX: return b > a ? b : a;
    case SS_OP_SELECT: return a;
    case SS_OP_OVER: return in->p / a;
    case SS_OP_SCALE: return in->p * a;
    case SS_OP_SHIFT: return a + in->p;
    case SS_OP_POWER: return pow(a, in->p);
    case SS_OP_SQRT: return sqrt(a);
    case SS_OP_EXP: return exp(a);
    case SS_OP_LOG: return log(a);
    case SS_OP_SIN: return sin(a);
    case SS_OP_COS: return cos(a);
    case SS_OP_TAN: return tan(a);
    case SS_OP_TANH: return tanh(a);
    case SS_OP_ASIN: return asin(a);
    case SS_OP_ACOS: return acos(a);
    case SS_OP_ATAN: return atan(a);
    case SS_OP_SINH: return sinh(a);
    case SS_OP_COSH: return cosh(a);
    case SS_OP_ASINH: return asinh(a);
    case SS_OP_ACOSH: return acosh(a);
    case SS_OP_ATANH: return atanh(a);
    case SS_OP_LOG1P: return log1p(a);
    case SS_OP_EXPM1: return expm1(a);
    case SS_OP_ABS: return fabs(a);
    case SS_OP_PACE: return a;
    case SS_OP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
    case SS_OP_STEP: return a >= 0 ? 1 : a < 0 ? 0 : a; // NaN stays NaN
    case SS_OP_FLOOR: return floor(a);
    case SS_OP_CEIL: return ceil(a);
    case SS_OP_ROUND: return round(a);
    }
    return NAN;
}

// A jump takes the value that holds from t on: where its argument is on an edge, its derivatives decide.
static bool value_on_the_right(const ss_tape* tape, double t, double* value)
{
    enum { ORDER = 3 };
    double out[ORDER + 1], scratch[(2 * SS_MAX_REGISTERS + 2) * (ORDER + 1) + SS_MAX_REGISTERS];
    if (ss_tape_scratch(tape, ORDER) > sizeof scratch / sizeof *scratch) return false;
    if (!ss_tape_series(tape, t, ORDER, out, NULL, NULL, NULL, scratch)) return false;
    *value = out[0];
    return true;
}

double ss_tape_value(const ss_tape* tape, double t)
{
    double x[SS_MAX_REGISTERS], value;
    if (tape->jumps > 0 && value_on_the_right(tape, t, &value)) return value;
    x[0] = 0; // unused operands name register 0, which must not be read before it is written
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        x[in->out] =
            ss_op_apply(in, t, ss_op_is_leaf(in->op) ? 0 : x[in->a], ss_op_is_binary(in->op) ? x[in->b] : 0);
    }
    return x[tape->result];
}

// |f'(a)| of a function of one operand, f(a) being its value.
static double slope_of(const ss_instruction* in, double a, double value)
{
    switch (in->op) {
    case SS_OP_OVER: return fabs(value / a);
    case SS_OP_POWER: return a != 0 ? fabs(in->p * value / a) : 0;
    case SS_OP_SQRT: return value > 0 ? 0.5 / value : 0;
    case SS_OP_EXP: return value;
    case SS_OP_LOG: return 1 / fabs(a);
    case SS_OP_TAN: return 1 + value * value;
    case SS_OP_TANH: return fmax(1 - value * value, 0);
    case SS_OP_ATAN: return 1 / (1 + a * a);
    case SS_OP_ASIN:
    case SS_OP_ACOS: return 1 / sqrt(fmax(1 - a * a, DBL_EPSILON));
    case SS_OP_SINH: return hypot(1, value);
    case SS_OP_COSH: return value;
    case SS_OP_ASINH: return 1 / hypot(1, a);
    case SS_OP_ACOSH: return 1 / sqrt(fmax((a - 1) * (a + 1), DBL_EPSILON));
    case SS_OP_ATANH: return 1 / fmax((1 - a) * (1 + a), DBL_EPSILON);
    case SS_OP_LOG1P: return 1 / fabs(1 + a);
    case SS_OP_EXPM1: return 1 + value;
    default: return 1; // sin, cos and abs: at most
    }
}

// Of what takes one of two operands: the size of that one, unless rounding hides which it is. max(a, -600),
// the bound of an exponential, is no larger than a.
static double size_of_choice(double value, double a, double b, double ea, double eb)
{
    if (fabs(a - b) <= 4 * DBL_EPSILON * (ea + eb)) return fmax(ea, eb);
    return value == a ? ea : eb;
}

// Errors of ea and eb, in units of round-off, change a b by |a| eb + ea |b| of them, and by one of second
// order. Terms that are multiplied out are ea eb in all: where a and b lose digits, that is much more.
static double size_of_product(double a, double b, double ea, double eb)
{
    return fmin(ea * eb, fabs(a) * eb + ea * fabs(b) + DBL_EPSILON * ea * eb);
}

double ss_op_size(const ss_instruction* in, double t, double value, double a, double b, double ea, double eb)
{
    double size;
    switch (in->op) {
    case SS_OP_VARIABLE: size = ea; break;
    case SS_OP_AFFINE: size = fabs(in->p) + fabs(in->q * t); break;
    case SS_OP_SINE:
    case SS_OP_COSINE: size = 1; break;
    case SS_OP_ADD:
    case SS_OP_SUB:
    case SS_OP_HYPOT: size = ea + eb; break;
    case SS_OP_MUL: size = size_of_product(a, b, ea, eb); break;
    case SS_OP_SCALE: size = fabs(in->p) * ea; break;
    case SS_OP_SHIFT: size = ea + fabs(in->p); break;
    case SS_OP_PACE: size = ea; break;
    case SS_OP_DIV: size = (ea + fabs(value) * eb) / fabs(b); break;
    case SS_OP_ATAN2: size = fabs(value) + (ea + eb) / hypot(a, b); break;
    case SS_OP_MIN:
    case SS_OP_MAX:
    case SS_OP_SELECT: size = size_of_choice(value, a, b, ea, eb); break;
    case SS_OP_SIGN:
    case SS_OP_STEP:
    case SS_OP_FLOOR:
    case SS_OP_CEIL:
    case SS_OP_ROUND: size = fabs(value); break;
    default: size = fabs(value) + slope_of(in, a, value) * ea; break;
    }
    return fmax(size, fabs(value));
}

double ss_tape_size(const ss_tape* tape, double t)
{
    double x[SS_MAX_REGISTERS], e[SS_MAX_REGISTERS];
    x[0] = e[0] = 0;
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        bool leaf = ss_op_is_leaf(in->op), binary = ss_op_is_binary(in->op);
        double a = leaf ? 0 : x[in->a], b = binary ? x[in->b] : 0;
        double value = ss_op_apply(in, t, a, b);
        double size = ss_op_size(in, t, value, a, b, leaf ? 0 : e[in->a], binary ? e[in->b] : 0);
        x[in->out] = value; // out is neither a nor b
        e[in->out] = size;
    }
    return e[tape->result];
}
