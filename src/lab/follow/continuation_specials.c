// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Special points between two points of a branch.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/follow/continuation_state.h"

#include <math.h>

// Solves in the plane across the chord from here to next, at the share theta of it.
static ss_status solve_between(ss_continuation* w, double theta, ss_branch_point* out,
                               ss_continuation_verdict* verdict, ss_error* err)
{
    double size = 0.0;
    for (int i = 0; i <= w->size; i++) {
        double way = w->next.u[i] - w->here.u[i];
        w->guess[i] = w->here.u[i] + theta * way;
        w->normal[i] = way / w->by->scale[i];
        size += w->normal[i] * w->normal[i];
    }
    for (int i = 0; i <= w->size && size > 0.0; i++) w->normal[i] /= sqrt(size);
    ss_status status = w->by->solve(w->by->self, w->guess, w->normal, out, verdict, err);
    if (status == SS_OK && *verdict != SS_CONTINUATION_LOST) ss_continuation_orient(w, out, w->here.tangent);
    return status;
}

// Regula falsi (Illinois) on the test where its signs differ at the ends, halving where not: the bracket is
// kept by the counts, which cannot be wrong.
static ss_status find_root(ss_continuation* w, int test, bool* found, double* at, ss_error* err)
{
    double a = 0.0, b = 1.0, fa = w->here.tests[test], fb = w->next.tests[test];
    int side = 0;
    *found = false;
    for (int round = 0; round < 80 && b - a > ss_continuation_located; round++) {
        double theta = 0.5 * (a + b);
        ss_continuation_verdict verdict;
        if (fa * fb < 0.0 && round % 8 != 7) theta = fmin(fmax((a * fb - b * fa) / (fb - fa), a), b);
        ss_status status = solve_between(w, theta, &w->trial, &verdict, err);
        if (status != SS_OK) return status;
        if (verdict != SS_CONTINUATION_INSIDE) return SS_OK;
        *found = true;
        *at = theta;
        double f = w->trial.tests[test];
        if (fabs(f) <= SS_LAST_BIT) break;
        if (w->trial.counts[test] == w->here.counts[test]) {
            if (side == -1) fb *= 0.5;
            side = -1;
            if (theta - a <= ss_continuation_located * 0.01 && round > 2) break;
            a = theta;
            fa = f;
        } else {
            if (side == 1) fa *= 0.5;
            side = 1;
            if (b - theta <= ss_continuation_located * 0.01 && round > 2) break;
            b = theta;
            fb = f;
        }
    }
    return SS_OK;
}

static ss_special_kind kind_of(const ss_continuation* w, int test)
{
    switch (test) {
    case SS_TEST_TURN: return SS_SPECIAL_FOLD;
    case SS_TEST_UNIT: return SS_SPECIAL_BRANCH;
    case SS_TEST_FLIP: return SS_SPECIAL_FLIP;
    default: return w->by->pair;
    }
}

// Where a test is 0 at both ends it is 0 all along, and its sign is rounding: a place that stays what it is,
// a swing that nothing damps.
static bool is_neutral(const ss_continuation* w, int test)
{
    return test != SS_TEST_TURN && fabs(w->here.tests[test]) <= SS_ROOT_NOISE &&
           fabs(w->next.tests[test]) <= SS_ROOT_NOISE;
}

// Where a branch turns and no multiplier passes 1, it may have come to a cycle of half its period, which
// doubles it there, and would go on with the same orbits, begun half a period later.
static ss_status mark_halving(ss_continuation* w, ss_error* err)
{
    bool there = false;
    double at;
    ss_continuation_verdict verdict;
    ss_status status = find_root(w, SS_TEST_TURN, &there, &at, err);
    if (status == SS_OK && there) status = solve_between(w, at, &w->trial, &verdict, err);
    if (status != SS_OK || !there || verdict != SS_CONTINUATION_INSIDE) return status;
    status = w->by->repeats(w->by->self, &w->trial, &w->halved, err);
    if (status == SS_OK && w->halved &&
        !ss_solution_branch_mark(w->branch, SS_SPECIAL_FLIP, &w->trial.record, "", ""))
        return ss_fail_no_memory(err);
    return status;
}

// What lies between here and next: the branch turns, or a multiplier or eigenvalue passes. Where it turns, a
// multiplier passes 1 as well, or an eigenvalue 0: a tangent that only wavers, close to a border, turns
// nothing.
ss_status ss_continuation_mark_specials(ss_continuation* w, ss_error* err)
{
    struct {
        double at;
        int test;
    } found[SS_TESTS];
    int count = 0;
    bool turns = w->here.counts[SS_TEST_TURN] != w->next.counts[SS_TEST_TURN];
    bool passes = w->here.counts[SS_TEST_UNIT] != w->next.counts[SS_TEST_UNIT];
    bool single = passes || w->here.counts[SS_TEST_FLIP] != w->next.counts[SS_TEST_FLIP];
    if (turns && !passes && w->by->repeats) {
        ss_status status = mark_halving(w, err);
        if (status != SS_OK || w->halved) return status;
    }
    for (int test = 0; test < SS_TESTS; test++) {
        bool there = false;
        if (w->here.counts[test] == w->next.counts[test] || (test == SS_TEST_UNIT && turns) ||
            (test == SS_TEST_PAIR && single) || (test == SS_TEST_TURN && !passes) || is_neutral(w, test))
            continue;
        ss_status status = find_root(w, test, &there, &found[count].at, err);
        if (status != SS_OK) return status;
        found[count].test = test;
        count += there;
    }
    for (; count > 0; count--) { // the first one first
        int first = 0;
        ss_continuation_verdict verdict;
        for (int k = 1; k < count; k++)
            if (found[k].at < found[first].at) first = k;
        ss_status status = solve_between(w, found[first].at, &w->trial, &verdict, err);
        if (status != SS_OK) return status;
        if (verdict == SS_CONTINUATION_INSIDE &&
            !ss_solution_branch_mark(w->branch, kind_of(w, found[first].test), &w->trial.record, "", ""))
            return ss_fail_no_memory(err);
        found[first] = found[count - 1];
    }
    return SS_OK;
}
