// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The truth: between events the motion is x(t + s) = sum_k c_k s^k with c_(k+2) = load_k / ((k+1)(k+2)),
// summed in long double (64 bits of mantissa) over steps of 1/4 s; with frequencies up to 3 rad/s the order
// below leaves out less than 1e-22 of the state. M = 1 and one floor per block: floors decide for themselves.
#include "block_chain.h"

#include <math.h>
#include <stdlib.h>

enum { ORDER = 26, PARTS = 16 };
static const long double step = 0.25L;

typedef struct truth {
    const blocks* b;
    long double *x, *v;
    long double* c;    ///< (ORDER + 1) x count
    long double* load; ///< (ORDER - 1) x count: series of the force of springs and dampers
    int* mode;         ///< +1, -1, 0 for stick
    bool* fresh;       ///< just began to slip: zero velocity at the start of the step is no event
} truth;

static void expand(truth* s)
{
    const blocks* b = s->b;
    int n = b->count;
    for (int i = 0; i < n; i++) {
        s->c[i] = s->x[i];
        s->c[n + i] = s->v[i];
    }
    for (int k = 0; k + 2 <= ORDER; k++) {
        const long double *ck = s->c + k * n, *vk = s->c + (k + 1) * n;
        long double *next = s->c + (k + 2) * n, *load = s->load + k * n;
        for (int i = 0; i < n; i++) {
            long double xs = (i > 0 ? ck[i - 1] : 0.0L) + (i + 1 < n ? ck[i + 1] : 0.0L);
            long double vs = (i > 0 ? vk[i - 1] : 0.0L) + (i + 1 < n ? vk[i + 1] : 0.0L);
            load[i] = -b->k_on * ck[i] - b->k_beside * xs - (k + 1) * (b->c_on * vk[i] + b->c_beside * vs);
            long double a = s->mode[i] == 0 ? 0.0L : load[i] - (k == 0 ? s->mode[i] * b->friction : 0.0L);
            next[i] = a / ((k + 1) * (k + 2));
        }
    }
}

static long double sum(const long double c[], int n, int i, int order, long double s)
{
    long double value = 0.0L;
    for (int k = order; k >= 0; k--) value = value * s + c[k * n + i];
    return value;
}

// What falls to zero at the next event of block i: its speed while it slips, what is left of the friction
// while it sticks. With slope, also its derivative.
static long double reserve(const truth* s, int i, long double at, long double* slope)
{
    int n = s->b->count, top = s->mode[i] == 0 ? ORDER - 2 : ORDER - 1;
    long double value = 0.0L, rise = 0.0L;
    for (int k = top; k >= 0; k--) {
        long double coefficient = s->mode[i] == 0 ? s->load[k * n + i] : (k + 1) * s->c[(k + 1) * n + i];
        rise = rise * at + value;
        value = value * at + coefficient;
    }
    int side = s->mode[i] != 0 ? s->mode[i] : value > 0.0L ? -1 : 1;
    *slope = side * rise;
    return s->mode[i] != 0 ? side * value : s->b->friction + side * value;
}

static long double bisect(const truth* s, int i, long double low, long double high, bool of_slope)
{
    for (int k = 0; k < 80; k++) {
        long double middle = 0.5L * (low + high), slope, value = reserve(s, i, middle, &slope);
        bool before = of_slope ? slope < 0.0L : value > 0.0L;
        if (before)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// The first zero of block i's reserve within (0, end], or end + 1. A dip below zero between two samples shows
// in the slope.
static long double first_zero(const truth* s, int i, long double end)
{
    long double slope0, slope1, value0 = reserve(s, i, 0.0L, &slope0), from = 0.0L;
    if (value0 <= 0.0L && !s->fresh[i]) return 0.0L;
    for (int part = 1; part <= PARTS; part++, from += step / PARTS) {
        long double to = step * part / PARTS, value1 = reserve(s, i, to, &slope1);
        bool first = s->fresh[i] && part == 1;
        if (from >= end) break;
        if (value1 <= 0.0L) return bisect(s, i, first ? 1e-9L : from, to, false);
        if (slope0 < 0.0L && slope1 > 0.0L && !first) {
            long double slope, low = bisect(s, i, from, to, true);
            if (reserve(s, i, low, &slope) <= 0.0L) return bisect(s, i, from, low, false);
        }
        slope0 = slope1;
    }
    return end + 1.0L;
}

static bool advance(truth* s, blocks_rest* rest)
{
    int n = s->b->count, who = -1;
    long double at = step;
    expand(s);
    for (int i = 0; i < n; i++) {
        long double zero = first_zero(s, i, at);
        if (zero > at) continue;
        at = zero;
        who = i;
    }
    for (int i = 0; i < n; i++) {
        s->x[i] = sum(s->c, n, i, ORDER, at);
        long double slope, speed = reserve(s, i, at, &slope);
        s->v[i] = s->mode[i] == 0 ? 0.0L : s->mode[i] * speed;
        if (at > 0.0L && i != who) s->fresh[i] = false;
    }
    rest->t += (double)at;
    if (who < 0) return false;
    long double load = sum(s->load, n, who, ORDER - 2, at);
    bool arrives = s->mode[who] != 0;
    s->v[who] = 0.0L;
    s->mode[who] = arrives && fabsl(load) <= s->b->friction ? 0 : load > 0.0L ? 1 : -1;
    s->fresh[who] = s->mode[who] != 0;
    rest->events++;
    return true;
}

static bool is_still(const truth* s)
{
    for (int i = 0; i < s->b->count; i++)
        if (s->mode[i] != 0) return false;
    return true;
}

static void run(truth* s, double x[], blocks_rest* rest)
{
    int n = s->b->count;
    *rest = (blocks_rest){0};
    for (int i = 0; i < n; i++) s->x[i] = x[i];
    expand(s); // every mode is stick: the loads are those of the start
    for (int i = 0; i < n; i++) {
        long double load = s->load[i];
        s->mode[i] = fabsl(load) <= s->b->friction ? 0 : load > 0.0L ? 1 : -1;
        s->fresh[i] = s->mode[i] != 0;
    }
    while (!is_still(s) && rest->t < s->b->until) advance(s, rest);
    rest->rests = is_still(s);
    for (int i = 0; i < n; i++) x[i] = (double)s->x[i];
}

bool blocks_truth(const blocks* b, double x[], blocks_rest* rest)
{
    size_t n = (size_t)b->count;
    truth s = {.b = b,
               .x = calloc(n, sizeof(long double)),
               .v = calloc(n, sizeof(long double)),
               .c = calloc(n * (ORDER + 1), sizeof(long double)),
               .load = calloc(n * (ORDER - 1), sizeof(long double)),
               .mode = calloc(n, sizeof(int)),
               .fresh = calloc(n, sizeof(bool))};
    bool ready = s.x && s.v && s.c && s.load && s.mode && s.fresh;
    if (ready) run(&s, x, rest);
    free(s.x);
    free(s.v);
    free(s.c);
    free(s.load);
    free(s.mode);
    free(s.fresh);
    return ready;
}
