// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The rules of tangents. Of a function f of one operand the motion keeps the series of f'(a), or of what
// f'(a) is a quotient of, in its helper row (taylor.c); so dc is one product or one quotient of known series:
//
//     product    dc_k = sum_j (da_j b_(k-j) + a_j db_(k-j))
//     quotient   r dc = n:     dc_k = (n_k - sum_(j>0) r_j dc_(k-j)) / r_0
//
// Over a step of length h on which f is held at its value, next to a place where it is singular, neighbours
// pass the place earlier by da/a', all other things being the same: dc = (da/a') (f(a(h)) - f(a(0))) / h.
#include "core/expression/graph_tangent.h"

#include "core/algebra/product.h"
#include "core/expression/piece/singular.h"

#include <math.h>
#include <string.h>

// ---- which registers change

static bool is_active(const ss_instruction* in, const bool active[], bool constant, bool through_rounding)
{
    if (in->op == SS_OP_VARIABLE) return true;
    if (through_rounding && ss_op_is_rounding(in->op)) return active[in->a];
    if (ss_op_is_jump(in->op)) return false;
    if (ss_op_is_leaf(in->op)) return constant;
    return constant || active[in->a] || (ss_op_is_binary(in->op) && active[in->b]);
}

// Whether the operation has a constant in which it is differentiated; PACE, MIN and MAX have marks.
static bool has_constant(ss_op op)
{
    return op == SS_OP_AFFINE || op == SS_OP_SINE || op == SS_OP_COSINE || op == SS_OP_OVER ||
           op == SS_OP_SCALE || op == SS_OP_SHIFT || op == SS_OP_POWER;
}

bool ss_tangent_make(ss_tangent* tangent, ss_pool* pool, const ss_program* program, const double p[],
                     const double q[], bool through_rounding)
{
    size_t count = (size_t)program->count;
    *tangent = (ss_tangent){.active = ss_pool_new(pool, count, sizeof(int)),
                            .p = ss_pool_new(pool, count, sizeof(double)),
                            .q = ss_pool_new(pool, count, sizeof(double)),
                            .ahead = ss_pool_new(pool, count, sizeof(double))};
    bool* changes = ss_pool_new(pool, count, sizeof(bool));
    if (pool->failed) return false;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        bool constant = p && (p[i] != 0.0 || q[i] != 0.0);
        if (constant && !has_constant(in->op)) constant = false;
        if (constant) tangent->p[i] = p[i];
        if (constant) tangent->q[i] = q[i];
        changes[i] = is_active(in, changes, constant, through_rounding);
        if (changes[i]) tangent->active[tangent->count++] = i;
    }
    tangent->program = program;
    return true;
}

// ---- at a point

// sin and cos of p + q t: dc = -+cos(p + q t) (dp + dq t).
static double turn(const ss_instruction* in, double t, double by)
{
    double sine, cosine;
    if (by == 0.0) return 0.0;
    ss_sine_cosine(in->p, in->q, t, &sine, &cosine);
    return in->op == SS_OP_SINE ? cosine * by : -sine * by;
}

// f'(a) of a function of one operand with the value c.
static double slope(const ss_instruction* in, double a, double c)
{
    switch (in->op) {
    case SS_OP_POWER: return in->p * pow(a, in->p - 1.0);
    case SS_OP_SQRT: return 0.5 / c;
    case SS_OP_EXP: return c;
    case SS_OP_LOG: return 1.0 / a;
    case SS_OP_SIN: return cos(a);
    case SS_OP_COS: return -sin(a);
    case SS_OP_TAN: return 1.0 + c * c;
    case SS_OP_TANH: return 1.0 / cosh(a) / cosh(a);
    case SS_OP_ASIN: return 1.0 / sqrt((1.0 - a) * (1.0 + a));
    case SS_OP_ACOS: return -1.0 / sqrt((1.0 - a) * (1.0 + a));
    case SS_OP_ATAN: return 1.0 / (1.0 + a * a);
    case SS_OP_SINH: return cosh(a);
    case SS_OP_COSH: return sinh(a);
    case SS_OP_ASINH: return 1.0 / hypot(1.0, a);
    case SS_OP_ACOSH: return 1.0 / (sqrt(a - 1.0) * sqrt(a + 1.0)); // a^2 may overflow
    case SS_OP_ATANH: return 1.0 / ((1.0 - a) * (1.0 + a));
    case SS_OP_LOG1P: return 1.0 / (1.0 + a);
    case SS_OP_EXPM1: return exp(a);
    default: return 1.0; // PACE, and what rounds where the change goes through it
    }
}

// On which side the piece of a kink is: 1: the first operand goes on, -1: the first with its sign turned,
// 2: the second; 0: it is on none.
static int side_of(const ss_instruction* in, double piece)
{
    if (isnan(piece)) return 0;
    switch (in->op) {
    case SS_OP_ABS: return piece < 0 ? -1 : 1;
    case SS_OP_MIN: return piece < 0 ? 1 : 2;
    default: return piece < 0 ? 2 : 1; // MAX, SELECT
    }
}

static bool has_sides(ss_op op)
{
    return op == SS_OP_ABS || op == SS_OP_MIN || op == SS_OP_MAX || op == SS_OP_SELECT;
}

// What is not plain arithmetic.
static double change_of(const ss_tangent* tangent, const ss_run* run, int i, double t, const double dx[])
{
    const ss_instruction* in = &tangent->program->code[i];
    const double* x = run->x;
    if (ss_op_is_leaf(in->op)) {
        double by = tangent->p[i] + tangent->q[i] * t;
        return in->op == SS_OP_AFFINE ? by : turn(in, t, by);
    }
    double a = x[in->a], da = dx[in->a];
    if (in->op == SS_OP_POWER && tangent->p[i] != 0.0)
        return (da == 0.0 ? 0.0 : slope(in, a, x[i]) * da) + (a > 0.0 ? x[i] * log(a) * tangent->p[i] : 0.0);
    bool still = da == 0.0 && tangent->p[i] == 0.0 && !(ss_op_is_binary(in->op) && dx[in->b] != 0.0);
    if (still && ss_op_is_singular(in->op)) return 0.0; // also where the slope is infinite
    if (has_sides(in->op)) {
        int side = side_of(in, run->w.piece[in->kink]);
        return side == 2 ? dx[in->b] : side == -1 ? -da : da;
    }
    switch (in->op) {
    case SS_OP_OVER: return (tangent->p[i] - x[i] * da) / a;
    case SS_OP_DIV: return (da - x[i] * dx[in->b]) / x[in->b];
    case SS_OP_HYPOT: return (a * da + x[in->b] * dx[in->b]) / x[i];
    case SS_OP_ATAN2: return (x[in->b] * da - a * dx[in->b]) / (a * a + x[in->b] * x[in->b]);
    default: return slope(in, a, x[i]) * da;
    }
}

void ss_tangent_values(const ss_tangent* tangent, const ss_run* run, double t, const double variables[],
                       double dx[], double out[])
{
    const ss_program* program = tangent->program;
    const double* x = run->x;
    for (int n = 0; n < tangent->count; n++) {
        int i = tangent->active[n];
        const ss_instruction* in = &program->code[i];
        switch (in->op) {
        case SS_OP_VARIABLE: dx[i] = variables[in->a]; break;
        case SS_OP_ADD: dx[i] = dx[in->a] + dx[in->b]; break;
        case SS_OP_SUB: dx[i] = dx[in->a] - dx[in->b]; break;
        case SS_OP_MUL: dx[i] = dx[in->a] * x[in->b] + x[in->a] * dx[in->b]; break;
        case SS_OP_SCALE: dx[i] = in->p * dx[in->a] + tangent->p[i] * x[in->a]; break;
        case SS_OP_SHIFT: dx[i] = dx[in->a] + tangent->p[i]; break;
        default: dx[i] = change_of(tangent, run, i, t, dx);
        }
    }
    for (int k = 0; k < program->output_count; k++) out[k] = dx[program->outputs[k]];
}

// ---- of programs that are affine

// Values and changes where variable v alone is 1, without any constant, or (v = -1) where all are 0.
static void pass(const ss_tangent* tangent, int v, double x[], double dx[])
{
    const ss_program* program = tangent->program;
    double constants = v < 0 ? 1.0 : 0.0;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        double p = constants * in->p, dp = constants * tangent->p[i];
        switch (in->op) {
        case SS_OP_VARIABLE:
            x[i] = in->a == v ? 1.0 : 0.0;
            dx[i] = 0.0;
            break;
        case SS_OP_AFFINE:
            x[i] = p;
            dx[i] = dp;
            break;
        case SS_OP_SCALE:
            x[i] = in->p * x[in->a];
            dx[i] = in->p * dx[in->a] + tangent->p[i] * x[in->a];
            break;
        case SS_OP_SHIFT:
            x[i] = x[in->a] + p;
            dx[i] = dx[in->a] + dp;
            break;
        default: {
            double sign = in->op == SS_OP_SUB ? -1.0 : 1.0;
            x[i] = x[in->a] + sign * x[in->b];
            dx[i] = dx[in->a] + sign * dx[in->b];
        }
        }
    }
}

bool ss_tangent_rows(const ss_tangent* tangent, double x[], double dx[], double by_change[],
                     double by_value[], double rest[])
{
    const ss_program* program = tangent->program;
    int outputs = program->output_count;
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        bool steady = in->op == SS_OP_AFFINE && in->q == 0.0 && tangent->q[i] == 0.0;
        if (!steady && in->op != SS_OP_VARIABLE && in->op != SS_OP_ADD && in->op != SS_OP_SUB &&
            in->op != SS_OP_SCALE && in->op != SS_OP_SHIFT)
            return false;
    }
    for (int v = -1; v < program->variable_count; v++) {
        pass(tangent, v, x, dx);
        for (int k = 0; k < outputs; k++) {
            if (v >= 0) by_change[v * outputs + k] = x[program->outputs[k]];
            *(v < 0 ? &rest[k] : &by_value[v * outputs + k]) = dx[program->outputs[k]];
        }
    }
    return true;
}

// ---- series

enum { SS_SERIES = 64 }; // coefficients of a series, at most

static double* row_of(const ss_run* run, double rows[], int r)
{
    return rows + (size_t)r * (size_t)run->w.length;
}

double* ss_tangent_variable(const ss_tangent* tangent, const ss_run* run, int variable, double rows[])
{
    int r = tangent->program->variables[variable];
    return r < 0 ? NULL : row_of(run, rows, r);
}

// sum_j x_j y_(k-j), x of the given degree.
static inline double convolve(const double x[], int degree, const double y[], int k)
{
    if (k <= degree) return ss_product(x, y, k);
    double sum = 0.0;
    for (int j = 0; j <= degree; j++) sum += x[j] * y[k - j];
    return sum;
}

// Coefficient k of dc, where r dc = n.
static inline double divide(double n, const double r[], int degree, const double dc[], int k)
{
    for (int j = 1; j <= (k < degree ? k : degree); j++) n -= r[j] * dc[k - j];
    return n / r[0];
}

// The turned function follows from the leaf itself: (cos)' = -q sin, so that its coefficient k is -q / k
// times coefficient k - 1 of the sine; dc = turned (dp + dq t), t being the time of the step and s more.
static double leaf_change(const ss_tangent* tangent, const ss_run* run, int i, int k)
{
    const ss_instruction* in = &tangent->program->code[i];
    double by = tangent->p[i] + tangent->q[i] * run->w.t, rate = tangent->q[i], turned[2] = {0.0, 0.0};
    if (in->op == SS_OP_AFFINE) return k == 0 ? by : k == 1 ? rate : 0.0;
    double first = turn(in, run->w.t, 1.0); // with the sign of the rule
    const double* c = ss_taylor_row(&run->w, i);
    turned[0] = k == 0 ? first : -in->q * c[k - 1] / k;
    if (k > 0) turned[1] = k == 1 ? first : -in->q * c[k - 2] / (k - 1);
    return turned[0] * by + turned[1] * rate;
}

// Coefficient k of a c log(a), c = a^p: of a dc = p c da + a c log(a) dp, what the exponent is a factor of.
// With l = log(a), k a_0 l_k = k a_k - sum_(0<j<k) j l_j a_(k-j).
static double exponent_change(const ss_run* run, const ss_instruction* in, int k)
{
    const double *a = ss_taylor_row(&run->w, in->a), *c = ss_taylor_row(&run->w, in->out);
    double l[SS_SERIES], sum = 0.0;
    l[0] = log(a[0]);
    for (int n = 1; n <= k; n++) {
        double rest = n * a[n];
        for (int j = 1; j < n; j++) rest -= j * l[j] * a[n - j];
        l[n] = rest / (n * a[0]);
    }
    for (int n = 0; n <= k; n++) sum += ss_product(a, l, n) * c[k - n];
    return sum;
}

static double curved_change(const ss_run* run, const ss_instruction* in, int k, const double da[],
                            const double db[], const double dc[])
{
    const ss_taylor* w = &run->w;
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b), *c = ss_taylor_row(w, in->out),
                 *d = ss_taylor_aux(w, in);
    int all = k, degree = w->degree[in->a];
    switch (in->op) {
    case SS_OP_DIV: return divide(da[k] - convolve(c, all, db, k), b, w->degree[in->b], dc, k);
    case SS_OP_EXP: return convolve(c, all, da, k);
    case SS_OP_SIN:
    case SS_OP_TAN:
    case SS_OP_TANH:
    case SS_OP_SINH:
    case SS_OP_COSH:
    case SS_OP_EXPM1: return convolve(d, all, da, k);
    case SS_OP_COS: return -convolve(d, all, da, k);
    case SS_OP_LOG: return divide(da[k], a, degree, dc, k);
    case SS_OP_SQRT: return divide(0.5 * da[k], c, all, dc, k);
    case SS_OP_POWER: return divide(in->p * convolve(c, all, da, k), a, degree, dc, k);
    case SS_OP_ACOS: return divide(-da[k], d, all, dc, k);
    case SS_OP_ASIN:
    case SS_OP_ATAN:
    case SS_OP_ASINH:
    case SS_OP_ACOSH:
    case SS_OP_ATANH:
    case SS_OP_LOG1P: return divide(da[k], d, all, dc, k);
    case SS_OP_ATAN2: return divide(convolve(b, all, da, k) - convolve(a, all, db, k), d, all, dc, k);
    case SS_OP_HYPOT: return divide(convolve(a, all, da, k) + convolve(b, all, db, k), c, all, dc, k);
    default: return da[k]; // PACE
    }
}

// ---- functions that are held at their values

static bool has_two(ss_op op) { return op == SS_OP_HYPOT || op == SS_OP_ATAN2; }

// By how much earlier neighbours have the argument, s after the step began: da/a'. NAN where it does not
// move.
static double ahead_of(const ss_taylor* w, const ss_instruction* in, double s, const double da[],
                       const double db[], int k)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    double rate = a[1] + (k > 0 ? 2.0 * s * a[2] : 0.0), change = da[0] + (k > 0 ? s * da[1] : 0.0);
    if (has_two(in->op)) {
        double at = a[0] + s * a[1], beside = b[0] + s * b[1],
               beside_rate = b[1] + (k > 0 ? 2.0 * s * b[2] : 0.0);
        change = at * change + beside * (db[0] + (k > 0 ? s * db[1] : 0.0));
        rate = at * rate + beside * beside_rate;
    }
    return change == 0.0 ? 0.0 : rate == 0.0 ? NAN : change / rate;
}

// f(a(h)) - f(a(0)) of instruction i.
static double passed(const ss_run* run, const ss_passing* passing, int i)
{
    const ss_instruction* in = &run->program->code[i];
    double end = passing->end[i];
    if (!isfinite(end)) end = ss_singular_value(in, passing->end[in->a], passing->end[in->b]);
    return end - ss_taylor_row(&run->w, i)[0];
}

// Coefficient k of the change of a function that is held; false where its place is not crossed.
static bool held_change(const ss_run* run, int i, int k, const ss_passing* passing, const double da[],
                        const double db[], double dc[], double* ahead, bool inherited)
{
    const double other = 0.3, apart = 1e-2; // another point of the step, where all of it is ahead as much
    const ss_taylor* w = &run->w;
    const ss_instruction* in = &run->program->code[i];
    double exponent = ss_singular_exponent(in);
    dc[k] = 0.0;
    if (!w->level[i] && !(passing && isfinite(*ahead))) // it stands on the place, and so do its operands
        return exponent > 1.0 || (da[k] == 0.0 && !(has_two(in->op) && db[k] != 0.0));
    if (!passing) return false;
    if (k > 1) return true;
    if (exponent > 1.0) { // it has a slope of 0 there, and neighbours need not pass the place
        double way = passing->end[in->a] - ss_taylor_row(w, in->a)[0];
        if (k == 0 && way != 0.0) dc[0] = da[0] * passed(run, passing, i) / way;
        return true;
    }
    if (isnan(*ahead)) *ahead = ahead_of(w, in, 0.0, da, db, 0);
    if (k == 0) dc[0] = *ahead * passed(run, passing, i) / passing->length;
    if (k == 0) return isfinite(dc[0]);
    if (inherited) return true;
    double later = ahead_of(w, in, other * passing->length, da, db, 1);
    return fabs(later - *ahead) <= apart * fabs(*ahead);
}

// Whether instruction i, which is not held, is made of functions that are, and is so near to a place of its
// own that what they pass counts: then its slope is that between both ends.
static bool follows(const ss_run* run, int i, const ss_passing* passing)
{
    const double share = 1e-3;
    const ss_instruction* in = &run->program->code[i];
    if (!passing || !ss_op_is_singular(in->op) || ss_op_is_binary(in->op)) return false;
    const double* a = ss_taylor_row(&run->w, in->a);
    double h = passing->length, off = passing->end[in->a] - (a[0] + h * (a[1] + h * a[2]));
    return fabs(off) > share * ss_run_distance(run, i) && isfinite(passing->end[i]) &&
           passing->end[in->a] != a[0];
}

static double follow_change(const ss_run* run, int i, const ss_passing* passing, double da)
{
    const ss_instruction* in = &run->program->code[i];
    return da * passed(run, passing, i) / (passing->end[in->a] - ss_taylor_row(&run->w, in->a)[0]);
}

// A register that is made of functions that are held is as much ahead as they are; its own series do not
// tell, since theirs are constant. Infinite where they pass several places.
static void inherit_ahead(const ss_tangent* tangent, const ss_instruction* in)
{
    const double same = 1e-6;
    double *own = &tangent->ahead[in->out], a = tangent->ahead[in->a],
           b = ss_op_is_binary(in->op) ? tangent->ahead[in->b] : NAN;
    if (!isnan(*own)) return;
    *own = isnan(a) ? b : a;
    if (!isnan(a) && !isnan(b) && !(fabs(a - b) <= same * fabs(a))) *own = INFINITY;
}

static bool is_held(const ss_run* run, int i)
{
    return run->w.level && ss_op_is_singular(run->program->code[i].op) && run->w.degree[i] == 0;
}

// What has one operand, or two that are not just added or multiplied.
static bool change_order(const ss_tangent* tangent, const ss_run* run, int i, int k,
                         const ss_passing* passing, double rows[])
{
    const ss_instruction* in = &run->program->code[i];
    const double *da = row_of(run, rows, in->a), *db = row_of(run, rows, in->b);
    double* dc = row_of(run, rows, i);
    if (has_sides(in->op)) {
        int side = side_of(in, run->w.piece[in->kink]);
        dc[k] = side == 2 ? db[k] : side * da[k];
        return side != 0;
    }
    if (is_held(run, i)) {
        bool two = ss_op_is_binary(in->op);
        bool inherited = !isnan(tangent->ahead[in->a]) || (two && !isnan(tangent->ahead[in->b]));
        return held_change(run, i, k, passing, da, db, dc, &tangent->ahead[i], inherited);
    }
    double p = tangent->p[i]; // of the exponent of a power
    if (in->op == SS_OP_POWER && p != 0.0 && k < SS_SERIES) {
        const double *a = ss_taylor_row(&run->w, in->a), *c = ss_taylor_row(&run->w, i);
        double sum = in->p * convolve(c, k, da, k) + p * exponent_change(run, in, k);
        dc[k] = divide(sum, a, run->w.degree[in->a], dc, k);
        return true;
    }
    bool between = k == 0 && follows(run, i, passing);
    dc[k] = between ? follow_change(run, i, passing, da[0]) : curved_change(run, in, k, da, db, dc);
    return true;
}

bool ss_tangent_step(const ss_tangent* tangent, const ss_run* run, int k, const ss_passing* passing,
                     double rows[])
{
    const ss_program* program = tangent->program;
    const ss_taylor* w = &run->w;
    for (int n = 0; n < tangent->count; n++) {
        int i = tangent->active[n];
        const ss_instruction* in = &program->code[i];
        if (in->op == SS_OP_VARIABLE) continue;
        double* dc = row_of(run, rows, i);
        if (ss_op_is_leaf(in->op)) {
            dc[k] = leaf_change(tangent, run, i, k);
            continue;
        }
        const double *da = row_of(run, rows, in->a), *db = row_of(run, rows, in->b);
        const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
        double p = tangent->p[i];
        if (passing && k == 0) inherit_ahead(tangent, in);
        switch (in->op) {
        case SS_OP_ADD: dc[k] = da[k] + db[k]; break;
        case SS_OP_SUB: dc[k] = da[k] - db[k]; break;
        case SS_OP_SCALE: dc[k] = in->p * da[k] + p * a[k]; break;
        case SS_OP_SHIFT: dc[k] = k == 0 ? da[k] + p : da[k]; break;
        case SS_OP_MUL:
            dc[k] = convolve(b, w->degree[in->b], da, k) + convolve(a, w->degree[in->a], db, k);
            break;
        case SS_OP_OVER:
            dc[k] = divide((k == 0 ? p : 0.0) - convolve(ss_taylor_row(w, i), k, da, k), a, w->degree[in->a],
                           dc, k);
            break;
        default:
            if (!change_order(tangent, run, i, k, passing, rows)) return false;
        }
    }
    return true;
}
