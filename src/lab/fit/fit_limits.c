// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What numbers the model takes, found by asking it: bounds that a search must know of, pairs of which one is
// never below the other, and numbers that cannot be moved at all.
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"

#include <stdio.h>

static bool accepts(ss_fit_problem* problem, double x[], int j, double value)
{
    double kept = x[j];
    x[j] = value;
    bool good = ss_fit_model_takes(problem, x);
    x[j] = kept;
    return good;
}

// Stiffness is positive, an exponent at least 1, restitution at most 1: the model knows. A number that it
// does not take beyond 0 or 1 is kept on this side as if it were bounded there: a search that runs into a
// wall would end at it. A wall elsewhere (a breakaway of micrometres must be below another number) is refused
// at 1 as well, on both sides: that says nothing about 1.
static void find_natural_bounds(ss_fit_problem* problem, double x[])
{
    const double little = SS_CLEAR;
    for (int j = 0; j < problem->n; j++) x[j] = problem->free[j].guess;
    if (!ss_fit_model_takes(problem, x)) return;
    for (int j = 0; j < problem->n; j++) {
        ss_fit_binding* b = &problem->free[j];
        double size = fabs(x[j]) > 0.0 ? fabs(x[j]) : 1.0;
        if (x[j] >= 1.0 && b->least < 1.0 && !accepts(problem, x, j, 1.0 - little) &&
            accepts(problem, x, j, 1.0 + little))
            b->least = fmax(b->least, 1.0);
        if (x[j] <= 1.0 && b->most > 1.0 && !accepts(problem, x, j, 1.0 + little) &&
            accepts(problem, x, j, 1.0 - little))
            b->most = fmin(b->most, 1.0);
        if (x[j] >= 0.0 && b->least < 0.0 && !accepts(problem, x, j, -little * size))
            b->least = fmax(b->least, 0.0);
        if (x[j] <= 0.0 && b->most > 0.0 && !accepts(problem, x, j, little * size))
            b->most = fmin(b->most, 0.0);
    }
}

// A number that the model takes as it is and not otherwise cannot be found: one share of several, say, that
// must sum to 1.
static ss_status check_room(ss_fit_problem* problem, double x[], ss_error* err)
{
    for (int j = 0; j < problem->n; j++) x[j] = problem->free[j].guess;
    if (!ss_fit_model_takes(problem, x)) return SS_OK; // the guess is told of later
    for (int j = 0; j < problem->n; j++) {
        double step = 1e-6 * (x[j] != 0.0 ? fabs(x[j]) : 1.0);
        if (problem->free[j].role != SS_FIT_MODEL || accepts(problem, x, j, x[j] + step) ||
            accepts(problem, x, j, x[j] - step))
            continue;
        char text[320];
        snprintf(text, sizeof text, "the model takes no other value than this one alone: %.200s",
                 problem->refusal.text);
        return ss_fit_fail_free(problem->def.free[j].path, text, err);
    }
    return SS_OK;
}

// Static friction is at least the kinetic one: where the model does not take a below b, a is kept above it.
static void find_order(ss_fit_problem* problem, double x[], int a, int b)
{
    ss_fit_binding *upper = &problem->free[a], *lower = &problem->free[b];
    bool bounded = isfinite(upper->most) || !isfinite(x[b]) || upper->least > x[b];
    if (a == b || bounded || !upper->node || !lower->node || upper->recording != lower->recording) return;
    if (lower->above >= 0) return; // one above the other, no towers
    if (upper->node->parent != lower->node->parent || !(x[a] >= x[b])) return;
    double little = SS_CLEAR * fmax(fabs(x[b]), SS_NOT_ZERO);
    if (accepts(problem, x, a, x[b]) && !accepts(problem, x, a, x[b] - little)) upper->above = b;
}

ss_status ss_fit_find_limits(ss_fit_problem* p, double x[], ss_error* err)
{
    find_natural_bounds(p, x);
    for (int a = 0; a < p->n; a++)
        for (int b = 0; b < p->n && p->free[a].above < 0; b++) find_order(p, x, a, b);
    return check_room(p, x, err);
}
