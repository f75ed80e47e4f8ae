// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The largest value of a convex quadratic function on a cube is taken at a corner. All corners are visited as
// the leaves of a tree that decides one sign after the other; a branch is left out where even the largest
// conceivable rest does not reach the best corner known.
#include "core/error.h"
#include "lab/certify/zonotope.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WORK = 20 << 22 }; // enough for all corners of 20 contacts, seen in about a tenth of a second

typedef struct search {
    const double* H;
    int count;
    double best;
    long visits, most_visits;
    double* pull;     // (count + 1) x count: at depth d, h + H s over the signs decided so far
    double* coupling; // count + 1: 1/2 sum |H_kl| over the undecided k, l from depth d on
} search;

// value: of the signs decided so far, the others 0.
static void visit(search* s, int depth, double value)
{
    if (++s->visits > s->most_visits) return;
    int n = s->count;
    const double* pull = &s->pull[depth * n];
    if (depth == n) {
        s->best = fmax(s->best, value);
        return;
    }
    double most = value + s->coupling[depth];
    for (int k = depth; k < n; k++) most += fabs(pull[k]);
    if (most <= s->best) return;
    double* next = &s->pull[(depth + 1) * n];
    double likely = pull[depth] < 0.0 ? -1.0 : 1.0;
    for (int turn = 0; turn < 2; turn++) {
        double sign = turn == 0 ? likely : -likely;
        for (int k = depth + 1; k < n; k++) next[k] = pull[k] + sign * s->H[depth * n + k];
        visit(s, depth + 1, value + sign * pull[depth] + 0.5 * s->H[depth * n + depth]);
    }
}

double ss_cube_maximum(const double H[], const double h[], int count, bool* exact, double* reached)
{
    size_t n = (size_t)count;
    search s = {
        .H = H, .count = count, .best = -INFINITY, .most_visits = MOST_WORK / (count > 20 ? count : 20)};
    s.pull = ss_new((n + 1) * n, sizeof(double));
    s.coupling = ss_new(n + 1, sizeof(double));
    double bound = NAN;
    *exact = false;
    *reached = NAN;
    if (s.pull && s.coupling) {
        bound = 0.0;
        for (int d = count - 1; d >= 0; d--) {
            s.coupling[d] = s.coupling[d + 1] + 0.5 * fabs(H[d * count + d]);
            for (int k = d + 1; k < count; k++) s.coupling[d] += fabs(H[d * count + k]);
            s.pull[d] = h[d];
            bound += fabs(h[d]);
        }
        bound += s.coupling[0];
        visit(&s, 0, 0.0);
        *exact = s.visits <= s.most_visits;
        *reached = s.best;
        if (*exact) bound = s.best;
    }
    free(s.pull);
    free(s.coupling);
    return bound;
}
