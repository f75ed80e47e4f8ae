// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Singular places of functions: where they are not analytic.
//
//     sqrt, a^p, log, p/a, a/b    argument 0
//     hypot, atan2                a = +-i b; with real numbers, both 0
//     asin, acos                  -1, 1
//     acosh                       1 (and -1)
//     atanh                       -1, 1
//     log1p                       -1
//     atan, asinh                 i, -i
//     tan                         odd multiples of pi/2
//
// A Taylor series in s of f(a(s)) converges up to the nearest complex s at which a(s) is such a place. Its
// coefficients need not tell: those of sqrt(g^2 + 1e-12), far from g = 0, are those of g to twelve digits. So
// that is not left to them. With D the distance of a_0 from the nearest place, a(s) cannot get there while
//
//     |a_1| s + |a_2| s^2 + .. < D,
//
// for complex s of that size as well.
//
// Where a function has a value on its singular place (a root, a power above 0, asin at 1), a motion may pass,
// start or rest there. For a time too short to matter the function is held at its value: it stays level.
#include "core/expression/piece/singular.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

double ss_singular_exponent(const ss_instruction* in)
{
    switch (in->op) {
    case SS_OP_SQRT:
    case SS_OP_ASIN:
    case SS_OP_ACOS:
    case SS_OP_ACOSH: return 0.5;
    case SS_OP_HYPOT: return 1.0;
    case SS_OP_ATAN2: return 0.0;
    case SS_OP_POWER: return in->p > 0 ? in->p : -1.0;
    default: return -1.0;
    }
}

const char* ss_singular_words(const ss_instruction* in)
{
    switch (in->op) {
    case SS_OP_SQRT: return "the square root of a negative number";
    case SS_OP_POWER:
        return in->p > 0 ? "a fractional power of a negative number"
                         : "a negative or fractional power of a number that is not positive";
    case SS_OP_LOG: return "the logarithm of a number that is not positive";
    case SS_OP_ASIN: return "asin of a number beyond -1 and 1";
    case SS_OP_ACOS: return "acos of a number beyond -1 and 1";
    case SS_OP_ACOSH: return "acosh of a number below 1";
    case SS_OP_ATANH: return "atanh of a number that is not between -1 and 1";
    case SS_OP_LOG1P: return "log1p of a number that is not above -1";
    case SS_OP_DIV:
    case SS_OP_OVER: return "division by zero";
    case SS_OP_TAN: return "tan at a pole";
    case SS_OP_ATAN2: return "atan2(0, 0)";
    default: return NULL;
    }
}

// From the value a of the argument (and b of the second one).
double ss_singular_distance(const ss_instruction* in, double a, double b)
{
    switch (in->op) {
    case SS_OP_DIV: return fabs(b);
    case SS_OP_OVER: return fabs(a);
    case SS_OP_HYPOT:
    case SS_OP_ATAN2: return hypot(a, b);
    case SS_OP_ASIN:
    case SS_OP_ACOS:
    case SS_OP_ATANH: return fmax(1 - fabs(a), 0);
    case SS_OP_ACOSH: return fmax(a - 1, 0);
    case SS_OP_LOG1P: return fmax(1 + a, 0);
    case SS_OP_ATAN:
    case SS_OP_ASINH: return hypot(1, a);
    case SS_OP_TAN: return fabs(remainder(a - 0.5 * PI, PI));
    default: return fmax(a, 0); // sqrt, powers, log
    }
}

static bool has_two(ss_op op) { return op == SS_OP_HYPOT || op == SS_OP_ATAN2; }

double ss_singular_change(const ss_instruction* in, double a, double b)
{
    if (has_two(in->op)) return hypot(a, b);
    return fabs(in->op == SS_OP_DIV ? b : a);
}

double ss_run_distance(const ss_run* run, int i)
{
    const ss_instruction* in = &run->program->code[i];
    return ss_singular_distance(in, ss_taylor_row(&run->w, in->a)[0],
                                ss_op_is_binary(in->op) ? ss_taylor_row(&run->w, in->b)[0] : 0.0);
}

// |a_k|; of two operands, that of a + i b.
static double size_of(const ss_taylor* w, const ss_instruction* in, int k)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    return ss_singular_change(in, a[k], b[k]);
}

double ss_run_clear(const ss_run* run, int i, int n, double h)
{
    return ss_run_within(run, i, ss_run_distance(run, i), n, h);
}

double ss_run_within(const ss_run* run, int i, double far, int n, double h)
{
    return ss_taylor_within(&run->w, &run->program->code[i], far, n, h);
}

double ss_taylor_within(const ss_taylor* w, const ss_instruction* in, double far, int n, double h)
{
    double size[64], sum = 0.0;
    if (n > 63) n = 63;
    for (int k = n; k >= 1; k--) {
        size[k] = size_of(w, in, k);
        sum = (sum + size[k]) * h;
    }
    if (sum <= far) return h;
    if (far == 0.0) return 0.0;
    for (int k = 1; k <= n; k++) // no single term may be larger: that bounds it from above
        if (size[k] > 0.0) h = fmin(h, pow(far / size[k], 1.0 / k));
    for (int round = 0; round < 40; round++) { // Newton's method, which comes down to it
        double value = 0.0, slope = 0.0;
        for (int k = n; k >= 1; k--) {
            slope = slope * h + k * size[k];
            value = (value + size[k]) * h;
        }
        double next = h - (value - far) / slope;
        if (!(next < h) || value <= 1.01 * far) break;
        h = next;
    }
    return h;
}

// ---- level

double ss_singular_value(const ss_instruction* in, double a, double b)
{
    if (in->op == SS_OP_SQRT || in->op == SS_OP_POWER) a = fmax(a, 0);
    if (in->op == SS_OP_ASIN || in->op == SS_OP_ACOS) a = fmin(fmax(a, -1), 1);
    if (in->op == SS_OP_ACOSH) a = fmax(a, 1);
    return ss_op_apply(in, 0, a, b);
}

// Whether the argument stands on a singular place where the function has a value.
static bool stands_on(const ss_instruction* in, double a, double b)
{
    switch (in->op) {
    case SS_OP_SQRT: return a == 0;
    case SS_OP_POWER: return a == 0 && in->p > 0;
    case SS_OP_HYPOT: return a == 0 && b == 0;
    case SS_OP_ASIN:
    case SS_OP_ACOS: return fabs(a) == 1;
    case SS_OP_ACOSH: return a == 1;
    default: return false;
    }
}

bool ss_taylor_stays_level(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    double *c = ss_taylor_row(w, in->out), second = ss_op_is_binary(in->op) ? b[0] : 0.0;
    if (!ss_op_is_singular(in->op)) return false;
    if (!w->level[in->out] && !stands_on(in, a[0], second)) return false;
    for (int k = from; k <= to; k++) {
        if (k > 0) c[k] = 0;
        // As long as the argument stays there, so does the function, however long the step is.
        if (k > 0 && (a[k] != 0 || (has_two(in->op) && b[k] != 0))) w->level[in->out] = true;
    }
    if (from == 0 && in->op != SS_OP_ATAN2)
        c[0] = ss_singular_value(in, a[0], second); // of atan2, it is known
    if (w->noise)
        memset(w->noise + (size_t)in->out * (size_t)w->length + from, 0,
               (size_t)(to - from + 1) * sizeof(double));
    w->degree[in->out] = 0;
    return true;
}
