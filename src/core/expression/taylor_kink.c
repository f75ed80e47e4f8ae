// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Kinks (abs, min, max, the cut of atan2), jumps (sign, step, floor, ceil, round) and paces. On a piece every
// one of them is as smooth as its operands; which piece it is, is decided by the first significant
// coefficient of its argument, and where the piece ends, by its switching function.
//
// A kink is continuous: as long as the coefficients of its argument vanish, those of its result are the same
// on both sides, so that order by order the side may stay open until it matters. A jump must be decided
// before its first coefficient is used.
#include "core/expression/taylor.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double* noise_row(const ss_taylor* w, int r)
{
    return w->noise ? w->noise + (size_t)r * (size_t)w->length : NULL;
}

// Goes through coefficients from .. to of the argument g with noise e until one is significant, whose sign is
// the piece; those before it are set to zero. False if one is not finite.
static bool decide(double* piece, double g[], const double e[], int from, int to)
{
    for (int k = from; k <= to; ++k)
        if (!isfinite(g[k])) return false;
    for (int k = from; k <= to && isnan(*piece); ++k) {
        double noise = e ? e[k] : 0;
        if (fabs(g[k]) > SS_SIGNIFICANT * DBL_EPSILON * noise)
            *piece = g[k] < 0 ? -1 : 1;
        else
            g[k] = 0;
    }
    return true;
}

// A kink that was located where the series begin: its argument is 0 there, and what is left of it is the
// rounding of that instant. Where it is further away, something has moved it at the same instant (an impact,
// a tick; met becomes negative), and the piece beyond the kink does not hold: it is decided anew.
static double meet(const ss_taylor* w, const ss_instruction* in, double argument)
{
    double within = w->met ? fabs(w->met[in->out]) : 0;
    if (!(within > 0)) return argument;
    if (fabs(argument) <= within) return 0;
    w->met[in->out] = -within; // asked once more where the series begin once more
    w->piece[in->kink] = NAN;
    return argument;
}

static bool is_met(const ss_taylor* w, const ss_instruction* in) { return w->met && w->met[in->out] > 0; }

static void copy_noise(ss_taylor* w, int from_register, int to_register, int from, int to)
{
    if (!w->noise) return;
    size_t length = (size_t)w->length;
    memcpy(w->noise + (size_t)to_register * length + from, w->noise + (size_t)from_register * length + from,
           (size_t)(to - from + 1) * sizeof(double));
}

static bool absolute(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    double *c = ss_taylor_row(w, in->out), *piece = &w->piece[in->kink];
    memcpy(c + from, ss_taylor_row(w, in->a) + from, (size_t)(to - from + 1) * sizeof *c);
    if (from == 0) c[0] = meet(w, in, c[0]);
    if (!decide(piece, c, noise_row(w, in->a), from, to)) return false;
    for (int k = from; k <= to && *piece < 0; ++k) c[k] = -c[k];
    // Next to the kink the side may be that which it goes to; the value is not below 0. Of a tape it is 0.
    if (from == 0 && w->met) c[0] = fabs(ss_taylor_row(w, in->a)[0]);
    copy_noise(w, in->a, in->out, from, to);
    w->degree[in->out] = w->degree[in->a];
    return true;
}

// The argument a - b is kept in the helper row.
static bool choose(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    const double *a = ss_taylor_row(w, in->a), *b = ss_taylor_row(w, in->b);
    const double *ea = noise_row(w, in->a), *eb = noise_row(w, in->b);
    double *g = ss_taylor_aux(w, in), *piece = &w->piece[in->kink];
    for (int k = from; k <= to; ++k) {
        g[k] = a[k] - b[k];
        w->sum[k] = ea ? ea[k] + eb[k] : 0;
    }
    if (from == 0) g[0] = meet(w, in, g[0]);
    if (!decide(piece, g, w->sum, from, to)) return false;
    bool above = !(*piece < 0), first = in->op == SS_OP_MAX ? above : !above;
    int chosen = first ? in->a : in->b;
    memcpy(ss_taylor_row(w, in->out) + from, ss_taylor_row(w, chosen) + from,
           (size_t)(to - from + 1) * sizeof(double));
    // Next to the kink the side may be that which it goes to; what moves begins with the value.
    if (from == 0 && w->degree[chosen] > 0)
        ss_taylor_row(w, in->out)[0] = in->op == SS_OP_MAX ? fmax(a[0], b[0]) : fmin(a[0], b[0]);
    copy_noise(w, chosen, in->out, from, to);
    w->degree[in->out] = w->degree[chosen];
    return true;
}

static bool select_side(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    int chosen = w->piece[in->kink] < 0 ? in->b : in->a;
    memcpy(ss_taylor_row(w, in->out) + from, ss_taylor_row(w, chosen) + from,
           (size_t)(to - from + 1) * sizeof(double));
    copy_noise(w, chosen, in->out, from, to);
    w->degree[in->out] = w->degree[chosen];
    return true;
}

// Ends the piece where u leaves (next - 2 p, next), next being the multiple of p above it. A start on a
// multiple, to rounding, has room on both sides.
static bool pace(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    double* c = ss_taylor_row(w, in->out);
    memcpy(c + from, ss_taylor_row(w, in->a) + from, (size_t)(to - from + 1) * sizeof *c);
    copy_noise(w, in->a, in->out, from, to);
    w->degree[in->out] = w->degree[in->a];
    if (!isfinite(c[0])) return false;
    if (from == 0) w->piece[in->kink] = in->p * floor(c[0] / in->p + SS_SAME);
    return true;
}

// The angle jumps by 2 pi on the cut; next to it, the side that was decided counts.
static bool cut(ss_taylor* w, const ss_instruction* in, int from)
{
    if (from > 0) return true;
    double y = ss_taylor_row(w, in->a)[0], x = ss_taylor_row(w, in->b)[0], angle = atan2(y, x);
    if (!isfinite(angle) || (x == 0 && y == 0)) return false;
    meet(w, in, PI - fabs(angle));
    double side = w->piece[in->kink];
    if (x < 0 && side * y < 0) angle += 2 * PI * side;
    if (isnan(side)) w->piece[in->kink] = angle < 0 ? -1 : 1;
    ss_taylor_row(w, in->out)[0] = angle;
    return true;
}

// ---- jumps

double ss_jump_edge(ss_op op, double a)
{
    switch (op) {
    case SS_OP_FLOOR:
    case SS_OP_CEIL: return rint(a);
    case SS_OP_ROUND: return floor(a) + 0.5;
    default: return 0;
    }
}

double ss_jump_value(ss_op op, double a, double side)
{
    double edge = ss_jump_edge(op, a);
    switch (op) {
    case SS_OP_SIGN: return side;
    case SS_OP_STEP: return side < 0 ? 0 : 1;
    case SS_OP_FLOOR: return side < 0 ? edge - 1 : edge;
    case SS_OP_CEIL: return side > 0 ? edge + 1 : edge;
    default: return side == 0 ? round(edge) : edge + 0.5 * side;
    }
}

double ss_jump_decide(ss_op op, const double a[], const double e[], int n)
{
    double edge = ss_jump_edge(op, a[0]), off = a[0] - edge;
    double noise = (e ? e[0] : fabs(a[0])) + fabs(edge);
    if (!isfinite(a[0])) return NAN;
    if (fabs(off) > SS_SIGNIFICANT * DBL_EPSILON * noise)
        return ss_op_apply(&(ss_instruction){.op = op}, 0, a[0], 0);
    for (int k = 1; k <= n; ++k)
        if (fabs(a[k]) > SS_SIGNIFICANT * DBL_EPSILON * (e ? e[k] : 0))
            return ss_jump_value(op, edge, a[k] < 0 ? -1 : 1);
    return NAN;
}

static bool jump(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    double *c = ss_taylor_row(w, in->out), *piece = &w->piece[in->kink];
    const double* a = ss_taylor_row(w, in->a);
    if (from == 0) {
        if (!isfinite(a[0])) return false;
        meet(w, in, a[0] - ss_jump_edge(in->op, a[0]));
        if (isnan(*piece)) *piece = ss_jump_decide(in->op, a, noise_row(w, in->a), to);
        c[0] = isnan(*piece) ? ss_jump_value(in->op, ss_jump_edge(in->op, a[0]), 0) : *piece;
    }
    for (int k = from; k <= to; ++k) {
        if (k > 0) c[k] = 0;
        if (w->noise) w->noise[(size_t)in->out * (size_t)w->length + (size_t)k] = 0;
    }
    w->degree[in->out] = 0;
    return true;
}

bool ss_taylor_kink_step(ss_taylor* w, const ss_instruction* in, int from, int to)
{
    switch (in->op) {
    case SS_OP_ABS: return absolute(w, in, from, to);
    case SS_OP_MIN:
    case SS_OP_MAX: return choose(w, in, from, to);
    case SS_OP_SELECT: return select_side(w, in, from, to);
    case SS_OP_PACE: return pace(w, in, from, to);
    case SS_OP_ATAN2: return cut(w, in, from);
    default: return jump(w, in, from, to);
    }
}

// ---- where pieces end

// (half + x)(half - x) with x = c - middle.
static void inside(const double c[], double middle, double half, int n, double out[])
{
    for (int k = 0; k <= n; ++k) {
        double sum = k == 0 ? half * half : 0.0;
        for (int j = 0; j <= k; ++j)
            sum -= (c[j] - (j == 0 ? middle : 0.0)) * (c[k - j] - (j == k ? middle : 0.0));
        out[k] = sum;
    }
}

void ss_taylor_switch(const ss_taylor* w, const ss_instruction* in, int n, double out[])
{
    double piece = w->piece[in->kink];
    const double *a = ss_taylor_row(w, in->a), *c = ss_taylor_row(w, in->out);
    memset(out, 0, (size_t)(n + 1) * sizeof *out);
    if (isnan(piece)) return;
    switch (in->op) {
    case SS_OP_ABS: memcpy(out, c, (size_t)(n + 1) * sizeof *out); break;
    case SS_OP_MIN:
    case SS_OP_MAX:
        for (int k = 0; k <= n; ++k) out[k] = piece * ss_taylor_aux(w, in)[k];
        return;
    case SS_OP_PACE: inside(c, piece, in->p, n, out); return;
    case SS_OP_ATAN2: inside(c, 0, PI, n, out); break;
    case SS_OP_SIGN:
        for (int k = 0; k <= n; ++k) out[k] = piece * a[k];
        break;
    case SS_OP_STEP:
        for (int k = 0; k <= n; ++k) out[k] = piece > 0 ? a[k] : -a[k];
        break;
    case SS_OP_FLOOR: inside(a, piece + 0.5, 0.5, n, out); break;
    case SS_OP_CEIL: inside(a, piece - 0.5, 0.5, n, out); break;
    case SS_OP_ROUND: inside(a, piece, 0.5, n, out); break;
    default: return;
    }
    if (is_met(w, in)) out[0] = 0;
}
