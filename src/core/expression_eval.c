// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Evaluates a tape: values, and Taylor series by the recurrences of Taylor arithmetic. A register holds the
// coefficients c_0 .. c_n of its function at t; each instruction computes a new register from others.
//
//     product    c_k = sum_j a_j b_(k-j)
//     quotient   c_k = (a_k - sum_(j>0) b_j c_(k-j)) / b_0
//     f(a)       c'  = f'(a) a',  so  k c_k = sum_(j>0) j a_j d_(k-j)  with d the series of f'(a)
//
// In a tape with kinks every register has a second row, its noise e: a first-order bound, in units of
// round-off, of the error of each coefficient. It starts from the rounding of t itself and goes through the
// same instructions linearised: e_c = |f'(a)| e_a + |terms summed|. A kink's argument counts as zero as long
// as its coefficients are below a few e.
#include "core/expression.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Coefficients below this many round-offs of what they were computed from are taken as zero: the kink was
// located by rounding t, and the noise leaves out factors near 1.
#define SIGNIFICANT 4

typedef struct workspace {
    const ss_tape* tape;
    double t;
    int n;           // order
    double* rows;    // registers of n + 1 coefficients
    double* noise;   // the same, or NULL in a tape without kinks
    double *d, *sum; // one row each: derivative f'(a) of the present instruction, and a sum on the way
    double* kinks;   // may be NULL
    int degree[SS_MAX_REGISTERS]; // coefficients beyond are zero: products with polynomials are short
} workspace;

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
    case SS_OP_AFFINE: return fma(in->q, t, in->p);
    case SS_OP_SINE:
    case SS_OP_COSINE: return sine_of_line(in, t);
    case SS_OP_ADD: return a + b;
    case SS_OP_SUB: return a - b;
    case SS_OP_MUL: return a * b;
    case SS_OP_DIV: return a / b;
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
    case SS_OP_ABS: return fabs(a);
    case SS_OP_MIN: return b < a ? b : a;
    case SS_OP_MAX: return b > a ? b : a;
    case SS_OP_PACE: return a;
    }
    return NAN;
}

double ss_tape_value(const ss_tape* tape, double t)
{
    double x[SS_MAX_REGISTERS];
    x[0] = 0; // unused operands name register 0, which must not be read before it is written
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        bool leaf = in->op <= SS_OP_COSINE, binary = in->op >= SS_OP_ADD && in->op <= SS_OP_DIV;
        binary = binary || in->op >= SS_OP_MIN;
        x[in->out] = ss_op_apply(in, t, leaf ? 0 : x[in->a], binary ? x[in->b] : 0);
    }
    return x[tape->result];
}

// |f'(a)| of a function of one operand, f(a) being its value.
static double slope_of(const ss_instruction* in, double a, double value)
{
    switch (in->op) {
    case SS_OP_OVER: return fabs(value / a);
    case SS_OP_POWER: return fabs(in->p * value / a);
    case SS_OP_SQRT: return 0.5 / value;
    case SS_OP_EXP: return value;
    case SS_OP_LOG: return 1 / fabs(a);
    case SS_OP_TAN: return 1 + value * value;
    default: return 1; // sin, cos, tanh and abs: at most
    }
}

// Sum of the magnitudes of the terms of an instruction's result, from those of its operands, ea and eb.
static double size_of(const ss_instruction* in, double t, double value, const double x[], const double e[])
{
    double ea = e[in->a], eb = e[in->b];
    switch (in->op) {
    case SS_OP_AFFINE: return fabs(in->p) + fabs(in->q * t);
    case SS_OP_SINE:
    case SS_OP_COSINE: return 1;
    case SS_OP_ADD:
    case SS_OP_SUB: return ea + eb;
    case SS_OP_MUL: return ea * eb;
    case SS_OP_SCALE: return fabs(in->p) * ea;
    case SS_OP_SHIFT: return ea + fabs(in->p);
    case SS_OP_PACE: return ea;
    case SS_OP_DIV: return (ea + fabs(value) * eb) / fabs(x[in->b]);
    case SS_OP_MIN:
    case SS_OP_MAX: return fmax(ea, eb);
    default: return fabs(value) + slope_of(in, x[in->a], value) * ea;
    }
}

double ss_tape_size(const ss_tape* tape, double t)
{
    double x[SS_MAX_REGISTERS], e[SS_MAX_REGISTERS];
    x[0] = e[0] = 0;
    for (int i = 0; i < tape->count; ++i) {
        const ss_instruction* in = &tape->code[i];
        bool leaf = in->op <= SS_OP_COSINE, binary = in->op >= SS_OP_ADD && in->op <= SS_OP_DIV;
        binary = binary || in->op >= SS_OP_MIN;
        double value = ss_op_apply(in, t, leaf ? 0 : x[in->a], binary ? x[in->b] : 0);
        double size = fmax(size_of(in, t, value, x, e), fabs(value));
        x[in->out] = value; // out is neither a nor b
        e[in->out] = size;
    }
    return e[tape->result];
}

size_t ss_tape_scratch(const ss_tape* tape, int order)
{
    int rows = tape->kinks > 0 ? 2 * tape->registers : tape->registers;
    return (size_t)(rows + 2) * (size_t)(order + 1);
}

// ---- series: each function fills c_0 .. c_n ----

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }

static void multiply(const double a[], int a_degree, const double b[], int b_degree, int n, double c[])
{
    for (int k = 0; k <= n; ++k) {
        double sum = 0;
        for (int j = larger(0, k - b_degree); j <= smaller(k, a_degree); ++j) sum += a[j] * b[k - j];
        c[k] = sum;
    }
}

// c b = a; a may be NULL for the constant p. False where b_0 = 0.
static bool divide(const double a[], double p, const double b[], int b_degree, int n, double c[])
{
    if (b[0] == 0) return false;
    for (int k = 0; k <= n; ++k) {
        double sum = a ? a[k] : k == 0 ? p : 0;
        for (int j = 1; j <= smaller(k, b_degree); ++j) sum -= b[j] * c[k - j];
        c[k] = sum / b[0];
    }
    return true;
}

// c = a^p for a_0 not 0 (and positive unless p is an integer): a c' = p a' c.
static void raise_to(const double a[], int a_degree, double p, int n, double c[])
{
    c[0] = pow(a[0], p);
    for (int k = 1; k <= n; ++k) {
        double sum = 0;
        for (int j = 1; j <= smaller(k, a_degree); ++j) sum += (p * j - (k - j)) * a[j] * c[k - j];
        c[k] = sum / (k * a[0]);
    }
}

static void square_root(const double a[], int n, double c[])
{
    c[0] = sqrt(a[0]);
    for (int k = 1; k <= n; ++k) {
        double sum = a[k];
        for (int j = 1; j < k; ++j) sum -= c[j] * c[k - j];
        c[k] = sum / (2 * c[0]);
    }
}

static void logarithm(const double a[], int a_degree, int n, double c[])
{
    c[0] = log(a[0]);
    for (int k = 1; k <= n; ++k) {
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

static void exponential(const double a[], int a_degree, int n, double c[])
{
    c[0] = exp(a[0]);
    for (int k = 1; k <= n; ++k) c[k] = chain(a, a_degree, c, k);
}

static void sine_and_cosine(const double a[], int a_degree, int n, double sine[], double cosine[])
{
    sine[0] = sin(a[0]);
    cosine[0] = cos(a[0]);
    for (int k = 1; k <= n; ++k) {
        sine[k] = chain(a, a_degree, cosine, k);
        cosine[k] = -chain(a, a_degree, sine, k);
    }
}

// tan (sign = 1, d = 1 + c^2) and tanh (sign = -1, d = 1 - c^2); c_0 and d_0 are given.
static void tangent(const double a[], int a_degree, double sign, int n, double c[], double d[])
{
    for (int k = 1; k <= n; ++k) {
        c[k] = chain(a, a_degree, d, k);
        double square = 0;
        for (int j = 0; j <= k; ++j) square += c[j] * c[k - j];
        d[k] = sign * square;
    }
}

static bool trigonometric_tangent(const double a[], int a_degree, int n, double c[], double d[])
{
    c[0] = tan(a[0]);
    d[0] = 1 + c[0] * c[0];
    if (fabs(c[0]) * SIGNIFICANT * DBL_EPSILON * fmax(1, fabs(a[0])) >= 1)
        return false; // the pole, to rounding
    tangent(a, a_degree, 1, n, c, d);
    return true;
}

static void hyperbolic_tangent(const double a[], int a_degree, int n, double c[], double d[])
{
    double cosh_a = cosh(a[0]); // 1 - c^2 would cancel; infinite far out, where d = 0
    c[0] = tanh(a[0]);
    d[0] = 1 / cosh_a / cosh_a;
    tangent(a, a_degree, -1, n, c, d);
}

// sin or cos of p + q t: coefficients alternate between two numbers times q^k / k!. Noise: own rounding, and
// that of the angle, whose effect is the derivative.
static void sine_series(const ss_instruction* in, const workspace* w, double c[], double e[])
{
    double s, co, power = 1;
    ss_sine_cosine(in->p, in->q, w->t, &s, &co);
    double cycle[4] = {s, co, -s, -co};
    int at = in->op == SS_OP_SINE ? 0 : 1;
    double angle = fabs(in->p) + fabs(in->q * w->t);
    for (int k = 0; k <= w->n; ++k) {
        c[k] = power * cycle[(at + k) % 4];
        if (e) e[k] = fabs(c[k]) + fabs(power * cycle[(at + k + 1) % 4]) * angle;
        power *= in->q / (k + 1);
    }
}

static void affine_series(const ss_instruction* in, const workspace* w, double c[], double e[])
{
    memset(c, 0, (size_t)(w->n + 1) * sizeof *c);
    c[0] = fma(in->q, w->t, in->p);
    if (w->n > 0) c[1] = in->q;
    if (!e) return;
    memset(e, 0, (size_t)(w->n + 1) * sizeof *e);
    e[0] = fabs(in->p) + fabs(in->q * w->t);
    if (w->n > 0) e[1] = fabs(in->q);
}

// ---- noise ----

static double product_of_sizes(const double a[], const double b[], int k)
{
    double sum = 0;
    for (int j = 0; j <= k; ++j) sum += fabs(a[j]) * fabs(b[k - j]);
    return sum;
}

// e = |d| (e_a + |a - a_0|) + |c|
static void noise_of_function(const workspace* w, const double d[], const double a[], const double ea[],
                              const double c[], double e[])
{
    for (int k = 0; k <= w->n; ++k) w->sum[k] = ea[k] + (k > 0 ? fabs(a[k]) : 0);
    for (int k = 0; k <= w->n; ++k) e[k] = product_of_sizes(d, w->sum, k) + fabs(c[k]);
}

static void noise_of_product(const workspace* w, const double a[], const double ea[], const double b[],
                             const double eb[], double e[])
{
    for (int k = 0; k <= w->n; ++k) w->sum[k] = eb[k] + fabs(b[k]);
    for (int k = 0; k <= w->n; ++k) e[k] = product_of_sizes(a, w->sum, k) + product_of_sizes(ea, b, k);
}

// c = a / b, so dc = (da - c db) / b. The constant p stands for a where a is NULL; d becomes 1 / b.
static void noise_of_quotient(const workspace* w, const double a[], const double ea[], double p,
                              const double b[], const double eb[], const double c[], double e[])
{
    for (int k = 0; k <= w->n; ++k) w->d[k] = eb[k] + fabs(b[k]);
    for (int k = 0; k <= w->n; ++k)
        w->sum[k] = product_of_sizes(c, w->d, k) + (a ? ea[k] + fabs(a[k]) : k == 0 ? fabs(p) : 0);
    divide(NULL, 1, b, w->n, w->n, w->d);
    for (int k = 0; k <= w->n; ++k) e[k] = product_of_sizes(w->d, w->sum, k);
}

static void noise_of_sum(const workspace* w, const ss_instruction* in, const double ea[], const double eb[],
                         const double c[], double e[])
{
    double factor = in->op == SS_OP_SCALE ? fabs(in->p) : 1;
    for (int k = 0; k <= w->n; ++k) e[k] = factor * ea[k] + (eb ? eb[k] : 0) + fabs(c[k]);
    if (in->op == SS_OP_SHIFT) e[0] += fabs(in->p);
}

// After the instruction has been carried out; sin, cos, tan, tanh have left f'(a) in w->d.
static void find_noise(workspace* w, const ss_instruction* in)
{
    size_t length = (size_t)(w->n + 1), ra = (size_t)in->a * length, rb = (size_t)in->b * length;
    const double *a = w->rows + ra, *b = w->rows + rb, *ea = w->noise + ra, *eb = w->noise + rb;
    const double* c = w->rows + (size_t)in->out * length;
    double* e = w->noise + (size_t)in->out * length;
    int degree = w->degree[in->a];
    switch (in->op) {
    case SS_OP_ADD:
    case SS_OP_SUB: noise_of_sum(w, in, ea, eb, c, e); return;
    case SS_OP_SCALE:
    case SS_OP_SHIFT: noise_of_sum(w, in, ea, NULL, c, e); return;
    case SS_OP_MUL: noise_of_product(w, a, ea, b, eb, e); return;
    case SS_OP_DIV: noise_of_quotient(w, a, ea, 0, b, eb, c, e); return;
    case SS_OP_OVER: noise_of_quotient(w, NULL, NULL, in->p, a, ea, c, e); return;
    case SS_OP_EXP: noise_of_function(w, c, a, ea, c, e); return;
    case SS_OP_SQRT: raise_to(a, degree, -0.5, w->n, w->d); break;
    case SS_OP_LOG: raise_to(a, degree, -1, w->n, w->d); break;
    case SS_OP_POWER:
        raise_to(a, degree, in->p - 1, w->n, w->d);
        for (int k = 0; k <= w->n; ++k) w->d[k] *= in->p;
        break;
    case SS_OP_SIN:
    case SS_OP_COS:
    case SS_OP_TAN:
    case SS_OP_TANH: break;
    default: return; // lines, harmonics and kinks made their noise themselves
    }
    noise_of_function(w, w->d, a, ea, c, e);
}

// ---- kinks ----

// The sign of the first significant coefficient of g; those before it are set to zero. 1 if there is none,
// 0 if g is not finite.
static double resolve(double g[], const double e[], int n)
{
    for (int k = 0; k <= n; ++k)
        if (!isfinite(g[k])) return 0;
    for (int k = 0; k <= n; ++k) {
        if (fabs(g[k]) > SIGNIFICANT * DBL_EPSILON * e[k]) return g[k] < 0 ? -1 : 1;
        g[k] = 0;
    }
    return 1;
}

static void keep_kink(const workspace* w, const ss_instruction* in, double sign, const double g[])
{
    if (!w->kinks) return;
    double* kink = w->kinks + (size_t)in->kink * (size_t)(w->n + 1);
    for (int k = 0; k <= w->n; ++k) kink[k] = sign * g[k];
}

// Kinks within the operand that was not chosen do not bend the signal; but where it paces itself, how far its
// series reaches is still asked, because it decides where the choice changes.
static void forget_kinks(const workspace* w, int first, int end)
{
    size_t length = (size_t)(w->n + 1);
    for (int kink = first; kink < end && w->kinks; kink++) {
        bool paces = false;
        for (int i = 0; i < w->tape->count && !paces; i++) {
            const ss_instruction* other = &w->tape->code[i];
            bool bounds = (other->op == SS_OP_MIN || other->op == SS_OP_MAX) && other->q != 0.0;
            paces = (other->op == SS_OP_PACE || bounds) && other->kink == kink;
        }
        if (!paces) memset(w->kinks + (size_t)kink * length, 0, length * sizeof(double));
    }
}

static bool absolute(workspace* w, const ss_instruction* in)
{
    size_t length = (size_t)(w->n + 1);
    double* c = w->rows + (size_t)in->out * length;
    const double* e = w->noise + (size_t)in->a * length;
    memcpy(c, w->rows + (size_t)in->a * length, length * sizeof *c);
    double sign = resolve(c, e, w->n);
    if (sign == 0) return false;
    keep_kink(w, in, sign, c);
    for (int k = 0; k <= w->n; ++k) c[k] *= sign;
    memcpy(w->noise + (size_t)in->out * length, e, length * sizeof *e);
    w->degree[in->out] = w->degree[in->a];
    return true;
}

// Ends the piece where u leaves (next - 2 p, next), next being the multiple of p above it: the function
// (next - u)(u - next + 2 p) is positive inside. A start on a multiple, to rounding, has room on both sides.
static bool pace(workspace* w, const ss_instruction* in)
{
    size_t length = (size_t)(w->n + 1);
    double* c = w->rows + (size_t)in->out * length;
    memcpy(c, w->rows + (size_t)in->a * length, length * sizeof *c);
    memcpy(w->noise + (size_t)in->out * length, w->noise + (size_t)in->a * length, length * sizeof *c);
    w->degree[in->out] = w->degree[in->a];
    if (!isfinite(c[0])) return false;
    double middle = in->p * floor(c[0] / in->p + 1e-9); // (p - x)(p + x) with x = u - middle
    for (int k = 0; k <= w->n; ++k) {
        double sum = k == 0 ? in->p * in->p : 0.0;
        for (int j = 0; j <= k; ++j)
            sum -= (c[j] - (j == 0 ? middle : 0.0)) * (c[k - j] - (j == k ? middle : 0.0));
        w->d[k] = sum;
    }
    keep_kink(w, in, 1.0, w->d);
    return true;
}

static bool choose(workspace* w, const ss_instruction* in)
{
    size_t length = (size_t)(w->n + 1), ra = (size_t)in->a * length, rb = (size_t)in->b * length;
    for (int k = 0; k <= w->n; ++k) {
        w->d[k] = w->rows[ra + (size_t)k] - w->rows[rb + (size_t)k];
        w->sum[k] = w->noise[ra + (size_t)k] + w->noise[rb + (size_t)k];
    }
    double sign = resolve(w->d, w->sum, w->n);
    if (sign == 0) return false;
    keep_kink(w, in, sign, w->d);
    bool first = in->op == SS_OP_MAX ? sign > 0 : sign < 0;
    if (first)
        forget_kinks(w, in->kink_b, in->kink);
    else
        forget_kinks(w, in->kink_a, in->kink_b);
    size_t chosen = first ? ra : rb;
    memcpy(w->rows + (size_t)in->out * length, w->rows + chosen, length * sizeof(double));
    memcpy(w->noise + (size_t)in->out * length, w->noise + chosen, length * sizeof(double));
    w->degree[in->out] = w->degree[first ? in->a : in->b];
    return true;
}

// ---- the run through the tape ----

static bool linear_step(workspace* w, const ss_instruction* in, const double a[], const double b[],
                        double c[])
{
    int n = w->n, degree = w->degree[in->a];
    switch (in->op) {
    case SS_OP_ADD:
        for (int k = 0; k <= n; ++k) c[k] = a[k] + b[k];
        degree = larger(degree, w->degree[in->b]);
        break;
    case SS_OP_SUB:
        for (int k = 0; k <= n; ++k) c[k] = a[k] - b[k];
        degree = larger(degree, w->degree[in->b]);
        break;
    case SS_OP_SCALE:
        for (int k = 0; k <= n; ++k) c[k] = in->p * a[k];
        break;
    case SS_OP_SHIFT:
        memcpy(c, a, (size_t)(n + 1) * sizeof *c);
        c[0] += in->p;
        break;
    default: // SS_OP_MUL
        multiply(a, degree, b, w->degree[in->b], n, c);
        degree = smaller(n, degree + w->degree[in->b]);
        break;
    }
    w->degree[in->out] = degree;
    return true;
}

static bool curved_step(workspace* w, const ss_instruction* in, const double a[], const double b[],
                        double c[])
{
    int n = w->n, degree = w->degree[in->a];
    w->degree[in->out] = n;
    switch (in->op) {
    case SS_OP_DIV: return divide(a, 0, b, w->degree[in->b], n, c);
    case SS_OP_OVER: return divide(NULL, in->p, a, degree, n, c);
    case SS_OP_EXP: exponential(a, degree, n, c); return true;
    case SS_OP_SIN: sine_and_cosine(a, degree, n, c, w->d); return true;
    case SS_OP_COS: sine_and_cosine(a, degree, n, w->d, c); return true;
    case SS_OP_TAN: return trigonometric_tangent(a, degree, n, c, w->d);
    case SS_OP_TANH: hyperbolic_tangent(a, degree, n, c, w->d); return true;
    default: break;
    }
    if (!(a[0] > 0)) return false; // not analytic there
    switch (in->op) {
    case SS_OP_SQRT: square_root(a, n, c); return true;
    case SS_OP_LOG: logarithm(a, degree, n, c); return true;
    default: raise_to(a, degree, in->p, n, c); return true;
    }
}

static bool step(workspace* w, const ss_instruction* in)
{
    size_t length = (size_t)(w->n + 1);
    const double *a = w->rows + (size_t)in->a * length, *b = w->rows + (size_t)in->b * length;
    double* c = w->rows + (size_t)in->out * length;
    double* e = w->noise ? w->noise + (size_t)in->out * length : NULL;
    switch (in->op) {
    case SS_OP_AFFINE:
        affine_series(in, w, c, e);
        w->degree[in->out] = smaller(w->n, 1);
        return true;
    case SS_OP_SINE:
    case SS_OP_COSINE:
        sine_series(in, w, c, e);
        w->degree[in->out] = w->n;
        return true;
    case SS_OP_ABS: return absolute(w, in);
    case SS_OP_PACE: return pace(w, in);
    case SS_OP_MIN:
    case SS_OP_MAX: return choose(w, in);
    case SS_OP_ADD:
    case SS_OP_SUB:
    case SS_OP_MUL:
    case SS_OP_SCALE:
    case SS_OP_SHIFT: return linear_step(w, in, a, b, c);
    default: return curved_step(w, in, a, b, c);
    }
}

bool ss_tape_series(const ss_tape* tape, double t, int order, double out[], double kinks[], double scratch[])
{
    size_t length = (size_t)(order + 1), registers = (size_t)tape->registers * length;
    workspace w;
    w.t = t;
    w.n = order;
    w.rows = scratch;
    w.noise = tape->kinks > 0 ? scratch + registers : NULL;
    w.d = scratch + (w.noise ? 2 * registers : registers);
    w.sum = w.d + length;
    w.kinks = kinks;
    w.tape = tape;
    w.degree[0] = 0;
    for (int i = 0; i < tape->count; ++i) {
        if (!step(&w, &tape->code[i])) return false;
        if (w.noise) find_noise(&w, &tape->code[i]);
    }
    memcpy(out, w.rows + (size_t)tape->result * length, length * sizeof *out);
    for (int k = 0; k <= order; ++k)
        if (!isfinite(out[k])) return false;
    return true;
}
