// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The recurrences of Taylor arithmetic. A register holds the coefficients c_0 .. c_n of its function; each
// instruction computes those of a new register from others.
//
//     product    c_k = sum_j a_j b_(k-j)
//     quotient   c_k = (a_k - sum_(j>0) b_j c_(k-j)) / b_0
//     f(a)       c'  = f'(a) a',  so  k c_k = sum_(j>0) j a_j d_(k-j)  with d the series of f'(a)
#include "core/expression/taylor.h"

#include <math.h>
#include <string.h>

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

// ---- each function fills c_from .. c_to

static void multiply(const double a[], int a_degree, const double b[], int b_degree, int from, int to,
                     double c[])
{
    for (int k = from; k <= to; ++k) {
        double sum = 0;
        for (int j = larger(0, k - b_degree); j <= smaller(k, a_degree); ++j) sum += a[j] * b[k - j];
        c[k] = sum;
    }
}

// c b = a; a may be NULL for the constant p. False where b_0 = 0.
bool ss_taylor_divide(const double a[], double p, const double b[], int b_degree, int from, int to,
                      double c[])
{
    if (b[0] == 0) return false;
    for (int k = from; k <= to; ++k) {
        double sum = a ? a[k] : k == 0 ? p : 0;
        for (int j = 1; j <= smaller(k, b_degree); ++j) sum -= b[j] * c[k - j];
        c[k] = sum / b[0];
    }
    return true;
}

// c = a^p for a_0 not 0 (and positive unless p is an integer): a c' = p a' c.
void ss_taylor_raise(const double a[], int a_degree, double p, int from, int to, double c[])
{
    if (from == 0) c[0] = pow(a[0], p);
    for (int k = larger(1, from); k <= to; ++k) {
        double sum = 0;
        for (int j = 1; j <= smaller(k, a_degree); ++j) sum += (p * j - (k - j)) * a[j] * c[k - j];
        c[k] = sum / (k * a[0]);
    }
}

static void square_root(const double a[], int from, int to, double c[])
{
    if (from == 0) c[0] = sqrt(a[0]);
    for (int k = larger(1, from); k <= to; ++k) {
        double sum = a[k];
        for (int j = 1; j < k; ++j) sum -= c[j] * c[k - j];
        c[k] = sum / (2 * c[0]);
    }
}

static void logarithm(const double a[], int a_degree, int from, int to, double c[])
{
    if (from == 0) c[0] = log(a[0]);
    for (int k = larger(1, from); k <= to; ++k) {
        double sum = 0;
        for (int j = larger(1, k - a_degree); j < k; ++j) sum += j * c[j] * a[k - j];
        c[k] = (a[k] - sum / k) / a[0];
    }
}

// (1/k) sum_(j>0) j a_j d_(k-j), the coefficient k of f(a) where d is the series of f'(a).
static double chain(const double a[], int a_degree, const double d[], int k)
{
    double sum = 0;
    for (int j = 1; j <= smaller(k, a_degree); ++j) sum += j * a[j] * d[k - j];
    return sum / k;
}

static void exponential(const double a[], int a_degree, int from, int to, double c[])
{
    if (from == 0) c[0] = exp(a[0]);
    for (int k = larger(1, from); k <= to; ++k) c[k] = chain(a, a_degree, c, k);
}

static void sine_and_cosine(const double a[], int a_degree, int from, int to, double sine[], double cosine[])
{
    if (from == 0) {
        sine[0] = sin(a[0]);
        cosine[0] = cos(a[0]);
    }
    for (int k = larger(1, from); k <= to; ++k) {
        sine[k] = chain(a, a_degree, cosine, k);
        cosine[k] = -chain(a, a_degree, sine, k);
    }
}

static void hyperbolic(const double a[], int a_degree, int from, int to, double sine[], double cosine[])
{
    if (from == 0) {
        sine[0] = sinh(a[0]);
        cosine[0] = cosh(a[0]);
    }
    for (int k = larger(1, from); k <= to; ++k) {
        sine[k] = chain(a, a_degree, cosine, k);
        cosine[k] = chain(a, a_degree, sine, k);
    }
}

// tan (sign = 1, d = 1 + c^2) and tanh (sign = -1, d = 1 - c^2); c_0 and d_0 are given.
static void tangent(const double a[], int a_degree, double sign, int from, int to, double c[], double d[])
{
    for (int k = larger(1, from); k <= to; ++k) {
        c[k] = chain(a, a_degree, d, k);
        double square = 0;
        for (int j = 0; j <= k; ++j) square += c[j] * c[k - j];
        d[k] = sign * square;
    }
}

static bool trigonometric_tangent(const double a[], int a_degree, int from, int to, double c[], double d[])
{
    if (from == 0) {
        c[0] = tan(a[0]);
        d[0] = 1 + c[0] * c[0];
    }
    // It stands at the pole, to rounding.
    if (fabs(c[0]) * SS_SIGNIFICANT * DBL_EPSILON * fmax(1, fabs(a[0])) >= 1) return false;
    tangent(a, a_degree, 1, from, to, c, d);
    return true;
}

static void hyperbolic_tangent(const double a[], int a_degree, int from, int to, double c[], double d[])
{
    if (from == 0) {
        double cosh_a = cosh(a[0]); // 1 - c^2 would cancel; infinite far out, where d = 0
        c[0] = tanh(a[0]);
        d[0] = 1 / cosh_a / cosh_a;
    }
    tangent(a, a_degree, -1, from, to, c, d);
}

// exp(a) - 1, which keeps its digits where a is small; d becomes exp(a), which has the same coefficients but
// the first.
static void exponential_less_one(const double a[], int a_degree, int from, int to, double c[], double d[])
{
    exponential(a, a_degree, from, to, d);
    for (int k = from; k <= to; ++k) c[k] = k == 0 ? expm1(a[0]) : d[k];
}

// log(1 + a), likewise; d becomes 1 + a. False where that is not positive.
static bool logarithm_of_one_more(const double a[], int a_degree, int from, int to, double c[], double d[])
{
    if (!(a[0] > -1)) return false;
    for (int k = from; k <= to; ++k) d[k] = k == 0 ? 1 + a[0] : a[k];
    logarithm(d, a_degree, from, to, c);
    if (from == 0) c[0] = log1p(a[0]);
    return true;
}

// sum of x_j y_(k-j), j = first .. last.
static double convolve(const double x[], const double y[], int k, int first, int last)
{
    double sum = 0;
    for (int j = first; j <= last; ++j) sum += x[j] * y[k - j];
    return sum;
}

// c' s = sign a' with s = sqrt(1 - a^2), so that s^2 = 1 - a^2 gives s. False beyond +-1, and there.
static bool inverse_sine(const double a[], double sign, int from, int to, double c[], double s[])
{
    if (!(fabs(a[0]) < 1)) return false;
    if (from == 0) {
        c[0] = sign > 0 ? asin(a[0]) : acos(a[0]);
        s[0] = sqrt((1 - a[0]) * (1 + a[0]));
    }
    for (int k = larger(1, from); k <= to; ++k) {
        double sum = sign * k * a[k];
        for (int j = 1; j < k; ++j) sum -= j * c[j] * s[k - j];
        c[k] = sum / (k * s[0]);
        s[k] = -(convolve(a, a, k, 0, k) + convolve(s, s, k, 1, k - 1)) / (2 * s[0]);
    }
    return true;
}

// asinh (sign = 1, s = sqrt(a^2 + 1)) and acosh (sign = -1, s = sqrt(a^2 - 1)): c' s = a'. Sums are divided
// by s_0 before they are squared, so that they do not overflow. False where acosh is not analytic: at 1 and
// below.
static bool inverse_hyperbolic(const double a[], double sign, int from, int to, double c[], double s[])
{
    if (sign < 0 && !(a[0] > 1)) return false;
    if (from == 0) {
        c[0] = sign > 0 ? asinh(a[0]) : acosh(a[0]);
        s[0] = sign > 0 ? hypot(1, a[0]) : sqrt(a[0] - 1) * sqrt(a[0] + 1);
    }
    for (int k = larger(1, from); k <= to; ++k) {
        double sum = k * a[k], half = a[0] / s[0] * a[k];
        for (int j = 1; j < k; ++j) {
            sum -= j * c[j] * s[k - j];
            half += 0.5 * (a[j] / s[0] * a[k - j] - s[j] / s[0] * s[k - j]);
        }
        c[k] = sum / (k * s[0]);
        s[k] = half;
    }
    return true;
}

// c' r = a' with r = 1 - a^2. False at +-1 and beyond.
static bool inverse_tangent(const double a[], int from, int to, double c[], double r[])
{
    if (!(fabs(a[0]) < 1)) return false;
    for (int k = from; k <= to; ++k) {
        r[k] = k == 0 ? (1 - a[0]) * (1 + a[0]) : -convolve(a, a, k, 0, k);
        double sum = k * a[k];
        for (int j = 1; j < k; ++j) sum -= j * c[j] * r[k - j];
        c[k] = k == 0 ? atanh(a[0]) : sum / (k * r[0]);
    }
    return true;
}

// The angle c of the point (x, y) obeys c' r = x y' - y x' with r = x^2 + y^2. x may be NULL for 1: atan(y).
static bool angle(const double y[], const double x[], int from, int to, double c[], double r[])
{
    for (int k = from; k <= to; ++k) {
        r[k] = convolve(y, y, k, 0, k) + (x ? convolve(x, x, k, 0, k) : k == 0 ? 1 : 0);
        if (k == 0) continue; // c_0 is given
        double sum = 0;
        for (int j = 1; j <= k; ++j) sum += j * (x ? x[k - j] * y[j] - y[k - j] * x[j] : j == k ? y[j] : 0);
        for (int j = 1; j < k; ++j) sum -= j * c[j] * r[k - j];
        c[k] = sum / (k * r[0]);
    }
    return r[0] > 0;
}

// c^2 = a^2 + b^2. Where both vanish it is the series of what comes after: a = s^l A, b = s^l B, c = s^l C
// with C^2 = A^2 + B^2 and s > 0, or 0 as long as both are.
static bool hypotenuse(const double a[], const double b[], int from, int to, double c[])
{
    int lead = 0; // nothing but zeros before
    while (lead < to && a[lead] == 0.0 && b[lead] == 0.0) lead++;
    for (int k = from; k <= to && k <= lead; ++k) c[k] = k == lead ? hypot(a[k], b[k]) : 0.0;
    if (isnan(c[lead])) return false;
    a += lead;
    b += lead;
    c += lead;
    for (int k = larger(1, from - lead); k <= to - lead; ++k)
        c[k] = (convolve(a, a, k, 0, k) + convolve(b, b, k, 0, k) - convolve(c, c, k, 1, k - 1)) / (2 * c[0]);
    return true;
}

// ---- leaves

// sin or cos of p + q t: coefficients alternate between two numbers times q^k / k!. Noise: own rounding, and
// that of the angle, whose effect is the derivative.
static void whole_sine(const ss_instruction* in, const ss_taylor* w, int to, double c[], double e[])
{
    double s, co, power = 1;
    ss_sine_cosine(in->p, in->q, w->t, &s, &co);
    double cycle[4] = {s, co, -s, -co};
    int at = in->op == SS_OP_SINE ? 0 : 1;
    double phase = fabs(in->p) + fabs(in->q * w->t);
    for (int k = 0; k <= to; ++k) {
        c[k] = power * cycle[(at + k) % 4];
        if (e) e[k] = fabs(c[k]) + fabs(power * cycle[(at + k + 1) % 4]) * phase;
        power *= in->q / (k + 1);
    }
}

// Order by order: y'' = -q^2 y. Noise is then left to ss_taylor_noise.
static void sine_series(const ss_instruction* in, const ss_taylor* w, int from, int to, double c[],
                        double e[])
{
    if (from < 2) {
        whole_sine(in, w, to, c, e);
        return;
    }
    for (int k = from; k <= to; ++k) c[k] = -in->q * in->q * c[k - 2] / ((double)k * (k - 1));
    double phase = fabs(in->p) + fabs(in->q * w->t);
    for (int k = from; k <= to && e; ++k) e[k] = fabs(c[k]) + fabs(in->q * c[k - 1] / k) * phase;
}

static void affine_series(const ss_instruction* in, const ss_taylor* w, int from, int to, double c[],
                          double e[])
{
    for (int k = from; k <= to; ++k) {
        c[k] = k == 0 ? fma(in->q, w->t, in->p) : k == 1 ? in->q : 0;
        if (e) e[k] = k == 0 ? fabs(in->p) + fabs(in->q * w->t) : k == 1 ? fabs(in->q) : 0;
    }
}

// ---- one instruction

static void linear_step(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    double* c = ss_taylor_row(w, in->out);
    int degree = w->degree[in->a];
    switch (in->op) {
    case SS_OP_ADD:
        for (int k = from; k <= to; ++k) c[k] = a[k] + b[k];
        degree = larger(degree, w->degree[in->b]);
        break;
    case SS_OP_SUB:
        for (int k = from; k <= to; ++k) c[k] = a[k] - b[k];
        degree = larger(degree, w->degree[in->b]);
        break;
    case SS_OP_SCALE:
        for (int k = from; k <= to; ++k) c[k] = in->p * a[k];
        break;
    case SS_OP_SHIFT:
        memcpy(c + from, a + from, (size_t)(to - from + 1) * sizeof *c);
        if (from == 0) c[0] += in->p;
        break;
    default: // SS_OP_MUL
        multiply(a, degree, b, w->degree[in->b], from, to, c);
        degree = smaller(w->length - 1, degree + w->degree[in->b]);
        break;
    }
    w->degree[in->out] = degree;
}

static bool curved_step(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    double *c = ss_taylor_row(w, in->out), *d = ss_taylor_aux(w, in);
    int degree = w->degree[in->a];
    w->degree[in->out] = w->length - 1;
    switch (in->op) {
    case SS_OP_DIV: return ss_taylor_divide(a, 0, b, w->degree[in->b], from, to, c);
    case SS_OP_OVER: return ss_taylor_divide(NULL, in->p, a, degree, from, to, c);
    case SS_OP_EXP: exponential(a, degree, from, to, c); return true;
    case SS_OP_SIN: sine_and_cosine(a, degree, from, to, c, d); return true;
    case SS_OP_COS: sine_and_cosine(a, degree, from, to, d, c); return true;
    case SS_OP_TAN: return trigonometric_tangent(a, degree, from, to, c, d);
    case SS_OP_TANH: hyperbolic_tangent(a, degree, from, to, c, d); return true;
    case SS_OP_SINH: hyperbolic(a, degree, from, to, c, d); return true;
    case SS_OP_COSH: hyperbolic(a, degree, from, to, d, c); return true;
    case SS_OP_ASIN: return inverse_sine(a, 1, from, to, c, d);
    case SS_OP_ACOS: return inverse_sine(a, -1, from, to, c, d);
    case SS_OP_ASINH: return inverse_hyperbolic(a, 1, from, to, c, d);
    case SS_OP_ACOSH: return inverse_hyperbolic(a, -1, from, to, c, d);
    case SS_OP_ATANH: return inverse_tangent(a, from, to, c, d);
    case SS_OP_LOG1P: return logarithm_of_one_more(a, degree, from, to, c, d);
    case SS_OP_EXPM1: exponential_less_one(a, degree, from, to, c, d); return true;
    case SS_OP_HYPOT: return hypotenuse(a, b, from, to, c);
    case SS_OP_ATAN:
        if (from == 0) c[0] = atan(a[0]);
        return angle(a, NULL, from, to, c, d);
    case SS_OP_ATAN2: // which side of its cut it is on, taylor_kink.c has decided
        return angle(a, b, from, to, c, d);
    default: break;
    }
    if (!(a[0] > 0)) return false; // not analytic there
    switch (in->op) {
    case SS_OP_SQRT: square_root(a, from, to, c); return true;
    case SS_OP_LOG: logarithm(a, degree, from, to, c); return true;
    default: ss_taylor_raise(a, degree, in->p, from, to, c); return true;
    }
}

bool ss_taylor_step(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    double* c = ss_taylor_row(w, in->out);
    double* e = w->noise ? w->noise + (size_t)in->out * (size_t)w->length : NULL;
    switch (in->op) {
    case SS_OP_VARIABLE: // the caller has written its row; what he knows of its noise beyond rounding is aux
        for (int k = from; k <= to && e; ++k) e[k] = fabs(c[k]) + ss_taylor_aux(w, in)[k];
        w->degree[in->out] = w->length - 1;
        return true;
    case SS_OP_AFFINE:
        affine_series(in, w, from, to, c, e);
        w->degree[in->out] = smaller(w->length - 1, in->q != 0 ? 1 : 0);
        return true;
    case SS_OP_SINE:
    case SS_OP_COSINE:
        sine_series(in, w, from, to, c, e);
        w->degree[in->out] = w->length - 1;
        return true;
    case SS_OP_ADD:
    case SS_OP_SUB:
    case SS_OP_MUL:
    case SS_OP_SCALE:
    case SS_OP_SHIFT: linear_step(w, in, from, to); return true;
    case SS_OP_ATAN2:
        if (!ss_taylor_kink_step(w, in, from, to)) return false;
        return (w->level && ss_taylor_stays_level(w, in, from, to)) || curved_step(w, in, from, to);
    default: break;
    }
    if (in->op == SS_OP_SELECT || ss_op_has_kink(in->op)) return ss_taylor_kink_step(w, in, from, to);
    if (w->level && ss_taylor_stays_level(w, in, from, to)) return true;
    return curved_step(w, in, from, to);
}
