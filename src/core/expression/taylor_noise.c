// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Every register may have a second row, its noise e: a first-order bound, in units of round-off, of the error
// of each coefficient. It starts from the rounding of t itself and goes through the same instructions
// linearised: e_c = |f'(a)| e_a + |terms summed|.
#include "core/expression/taylor.h"

#include <math.h>

static double product_of_sizes(const double a[], const double b[], int k)
{
    double sum = 0;
    for (int j = 0; j <= k; ++j) sum += fabs(a[j]) * fabs(b[k - j]);
    return sum;
}

// e = |d| (e_a + |a - a_0|) + |c|
static void noise_of_function(const ss_taylor* w, const double d[], const double a[], const double ea[],
                              const double c[], int to, double e[])
{
    for (int k = 0; k <= to; ++k) w->sum[k] = ea[k] + (k > 0 ? fabs(a[k]) : 0);
    for (int k = 0; k <= to; ++k) e[k] = product_of_sizes(d, w->sum, k) + fabs(c[k]);
}

static void noise_of_product(const ss_taylor* w, const double a[], const double ea[], const double b[],
                             const double eb[], int to, double e[])
{
    for (int k = 0; k <= to; ++k) w->sum[k] = eb[k] + fabs(b[k]);
    for (int k = 0; k <= to; ++k) e[k] = product_of_sizes(a, w->sum, k) + product_of_sizes(ea, b, k);
}

// c = a / b, so dc = (da - c db) / b. The constant p stands for a where a is NULL; d becomes 1 / b.
static void noise_of_quotient(const ss_taylor* w, double d[], const double a[], const double ea[], double p,
                              const double b[], const double eb[], const double c[], int to, double e[])
{
    for (int k = 0; k <= to; ++k) d[k] = eb[k] + fabs(b[k]);
    for (int k = 0; k <= to; ++k)
        w->sum[k] = product_of_sizes(c, d, k) + (a ? ea[k] + fabs(a[k]) : k == 0 ? fabs(p) : 0);
    ss_taylor_divide(NULL, 1, b, to, 0, to, d);
    for (int k = 0; k <= to; ++k) e[k] = product_of_sizes(d, w->sum, k);
}

static void noise_of_sum(const ss_instruction* in, const double ea[], const double eb[], const double c[],
                         int to, double e[])
{
    double factor = in->op == SS_OP_SCALE ? fabs(in->p) : 1;
    for (int k = 0; k <= to; ++k) e[k] = factor * ea[k] + (eb ? eb[k] : 0) + fabs(c[k]);
    if (in->op == SS_OP_SHIFT) e[0] += fabs(in->p);
}

// Functions of two operands, and those whose helper row is not f'(a) but its reciprocal (asin, acos, atan,
// asinh, acosh, atanh, log1p) or its square, from whatever bounds |f'|: |dc| <= |da| / s, (|da| + |db|) / r,
// |da| + |db|.
static void noise_of_inverse(ss_taylor* w, const ss_instruction* in, int to)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b), *c = ss_taylor_row(w, in->out);
    size_t length = (size_t)w->length;
    const double *ea = w->noise + (size_t)in->a * length, *eb = w->noise + (size_t)in->b * length;
    double *e = w->noise + (size_t)in->out * length, *d = ss_taylor_aux(w, in);
    bool two = ss_op_is_binary(in->op);
    // d is what the derivative is divided by; its reciprocal is built in e, order by order
    double least = in->op == SS_OP_HYPOT ? 1 : in->op == SS_OP_ATAN2 ? sqrt(d[0]) : d[0];
    for (int k = 0; k <= to; ++k) w->sum[k] = ea[k] + fabs(a[k]) + (two ? eb[k] + fabs(b[k]) : 0);
    for (int k = 0; k <= to; ++k) {
        double sum = w->sum[k];
        for (int j = 1; j <= k && in->op != SS_OP_HYPOT; ++j) sum += fabs(d[j] / d[0]) * e[k - j] * least;
        e[k] = sum / least + fabs(c[k]);
    }
}

void ss_taylor_noise(ss_taylor* w, const ss_instruction* in, int to)
{
    size_t length = (size_t)w->length, ra = (size_t)in->a * length, rb = (size_t)in->b * length;
    const double *a = w->rows + ra, *b = w->rows + rb, *ea = w->noise + ra, *eb = w->noise + rb;
    const double* c = w->rows + (size_t)in->out * length;
    double *e = w->noise + (size_t)in->out * length, *d = ss_taylor_aux(w, in);
    int degree = ss_op_is_leaf(in->op) ? 0 : w->degree[in->a];
    if (w->level && ss_op_is_singular(in->op) && w->degree[in->out] == 0) return; // it is level: no noise
    switch (in->op) {
    case SS_OP_ADD:
    case SS_OP_SUB: noise_of_sum(in, ea, eb, c, to, e); return;
    case SS_OP_SCALE:
    case SS_OP_SHIFT: noise_of_sum(in, ea, NULL, c, to, e); return;
    case SS_OP_MUL: noise_of_product(w, a, ea, b, eb, to, e); return;
    case SS_OP_DIV: noise_of_quotient(w, d, a, ea, 0, b, eb, c, to, e); return;
    case SS_OP_OVER: noise_of_quotient(w, d, NULL, NULL, in->p, a, ea, c, to, e); return;
    case SS_OP_EXP: noise_of_function(w, c, a, ea, c, to, e); return;
    case SS_OP_SQRT: ss_taylor_raise(a, degree, -0.5, 0, to, d); break;
    case SS_OP_LOG: ss_taylor_raise(a, degree, -1, 0, to, d); break;
    case SS_OP_POWER:
        ss_taylor_raise(a, degree, in->p - 1, 0, to, d);
        for (int k = 0; k <= to; ++k) d[k] *= in->p;
        break;
    case SS_OP_SIN:
    case SS_OP_COS:
    case SS_OP_TAN:
    case SS_OP_TANH:
    case SS_OP_SINH:
    case SS_OP_COSH:
    case SS_OP_EXPM1: break; // they have left f'(a) in d
    case SS_OP_HYPOT:
    case SS_OP_ATAN2:
    case SS_OP_ASIN:
    case SS_OP_ACOS:
    case SS_OP_ATAN:
    case SS_OP_ASINH:
    case SS_OP_ACOSH:
    case SS_OP_ATANH:
    case SS_OP_LOG1P: noise_of_inverse(w, in, to); return;
    default: return; // leaves and kinks made their noise themselves
    }
    noise_of_function(w, d, a, ea, c, to, e);
}
