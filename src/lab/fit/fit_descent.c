// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One descent: Levenberg-Marquardt (cminpack) from one guess to the minimum that belongs to it, in variables
// that keep the bounds, with residuals weighted by the noise.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"

#include <cminpack.h>
#include <stdlib.h>
#include <string.h>

enum { ROUGH_TRIES = 10, QUICK_TRIES = 20, MAX_TRIES = 100 }; // a quick look that creeps ends before
// Relative change of cost and numbers that ends a search.
static const double rough_goal = 1e-3, fine_goal = SS_CLEAR;

// Times its guess: a search ends where a number has got this far, and does not try any that is farther still.
static const double off = 1e5, never_so_far = 1e7;
// Rise of the sum of squares: numbers that are a hundredth of a standard error apart share their derivatives.
static const double short_way = 1e-4;
// Share of the cost: what two steps at least must take away each, where a quick look has far to go.
static const double brisk = 0.2;
static const double hopeless = 1e60; // residual of numbers that the model refuses: any other is better

typedef struct descent {
    ss_fit_problem* problem;
    const bool* fixed;
    double* x;      // n: all numbers
    bool* want;     // n: those that move
    double best;    // cost so far
    double* best_x; // n
    double stood;   // cost where derivatives were wanted last
    int slow;       // such steps in a row that took little away
    int refused;    // numbers tried last, in a row, that the model does not take
} descent;

static double weight(const ss_fit_problem* p, long i)
{
    return ss_fit_takes_part(p, i) ? 1.0 / p->columns[p->rows[i].trace].sigma : 0.0;
}

// What is drawn back to the guess while only a part of the recording is looked at, which may not determine it
// at all: one more residual per number, of size 1 where it has doubled.
static double leash_weight(const ss_fit_problem* p, int j)
{
    double width = fabs(p->manner.leash[j]) > 0.0 ? fabs(p->manner.leash[j]) : 1e5 * p->free[j].step;
    return width > 0.0 ? 1.0 / width : 0.0;
}

static double fill_leash(const ss_fit_problem* p, const double x[], double out[])
{
    double sum = 0.0;
    for (int j = 0; j < p->n; j++) {
        out[j] = p->manner.leash ? leash_weight(p, j) * (x[j] - p->manner.leash[j]) : 0.0;
        sum += out[j] * out[j];
    }
    return sum;
}

static double fill_residual(const ss_fit_problem* p, bool good, double out[])
{
    double sum = 0.0;
    for (long i = 0; i < p->m; i++) {
        double w = weight(p, i);
        double r = w * (p->scratch.values[i] - ss_fit_data(p, i));
        out[i] = w == 0.0 ? 0.0 : good ? ss_fit_loss(p, r, NULL) : hopeless;
        sum += out[i] * out[i];
    }
    return good ? sum : INFINITY;
}

bool ss_fit_is_far(const ss_fit_problem* p, int j, double value, double factor)
{
    const ss_fit_binding* b = &p->free[j];
    double size = b->guess != 0.0 ? fabs(b->guess) : 1e4 * b->step;
    return size > 0.0 && fabs(value) > factor * size;
}

// Whether a number that no bound keeps is so far from its guess that it runs off. A model far out there may
// be slow beyond measure (the stiffer a bristle, the shorter its steps), and tells nothing new.
static bool any_runs_off(const ss_fit_problem* p, const double x[], double factor)
{
    for (int j = 0; j < p->n; j++) {
        double bound = x[j] > 0.0 ? p->free[j].most : p->free[j].least;
        if (isinf(bound) && ss_fit_is_far(p, j, x[j], factor)) return true;
    }
    return false;
}

// The motion at hand is that of better numbers; of a part of the recording it is not told.
static void report_better(ss_fit_problem* p)
{
    double sum = 0.0;
    long count = 0;
    if (!p->def.better || isfinite(p->manner.horizon)) return;
    for (long i = 0; i < p->m; i++) {
        if (!ss_fit_takes_part(p, i)) continue;
        double by = (p->scratch.values[i] - ss_fit_data(p, i)) / p->columns[p->rows[i].trace].scale;
        sum += by * by;
        count++;
    }
    double left = sqrt(sum / (double)count);
    if (!(left < p->effort.left)) return;
    p->effort.left = left;
    p->def.better(p->def.user, p->effort.iterations, left);
}

// The motion at x, unless it is known already.
static bool evaluate(ss_fit_problem* p, const double x[])
{
    size_t size = (size_t)p->n * sizeof *x;
    if (!isnan(p->scratch.at[0]) && memcmp(p->scratch.at, x, size) == 0) return true;
    if (any_runs_off(p, x, never_so_far)) return false;
    p->scratch.at[0] = NAN;
    if (!ss_fit_motion(p, x, p->scratch.values, p->scratch.signs)) return false;
    p->scratch.at[0] = 0.0; // known, also where no number is free
    memcpy(p->scratch.at, x, size);
    return true;
}

double ss_fit_cost(ss_fit_problem* p, const double x[])
{
    return fill_residual(p, evaluate(p, x), p->scratch.residual);
}

static void take_variables(descent* d, const double u[])
{
    const ss_fit_problem* p = d->problem;
    for (int above = 0; above <= 1; above++) // first those that others stand above
        for (int j = 0, k = 0; j < p->n; j++) {
            if (!d->want[j]) continue;
            if ((p->free[j].above >= 0) == above) d->x[j] = ss_fit_number_at(p, j, d->x, u[k]);
            k++;
        }
}

// Adds to column k what number j contributes to it.
static void add_column(const ss_fit_problem* p, int j, double chain, double out[])
{
    const double* column = p->scratch.jacobian + (size_t)j * (size_t)p->m;
    for (long i = 0; i < p->m; i++) {
        double w = weight(p, i), slope = 1.0;
        if (w == 0.0) continue;
        if (p->def.loss != SS_LOSS_SQUARES)
            ss_fit_loss(p, w * (p->scratch.values[i] - ss_fit_data(p, i)), &slope);
        out[i] += chain * slope * w * column[i];
    }
    if (p->manner.leash) out[p->m + j] += chain * leash_weight(p, j);
}

static bool fill_jacobian(descent* d, const double u[], double out[], int stride)
{
    ss_fit_problem* p = d->problem;
    if (!evaluate(p, d->x)) return false;
    if (p->manner.careful && !d->fixed)
        ss_fit_differentiate_well(p, d->x, short_way);
    else
        ss_fit_differentiate(p, d->x, d->want, p->manner.careful, p->scratch.jacobian);
    for (int j = 0, k = 0; j < p->n; j++) {
        if (!d->want[j]) continue;
        double slope = ss_fit_slope_at(p, j, d->x, u[k]);
        double* column = out + (size_t)k++ * (size_t)stride;
        memset(column, 0, (size_t)(p->m + p->n) * sizeof *column);
        add_column(p, j, slope, column);
        for (int a = 0; a < p->n; a++) // those that are kept above it move along
            if (d->want[a] && p->free[a].above == j) add_column(p, a, slope, column);
    }
    return true;
}

double ss_fit_count(const ss_fit_problem* p)
{
    long count = 0;
    for (long i = 0; i < p->m; i++) count += ss_fit_takes_part(p, i);
    return (double)count;
}

bool ss_fit_is_lost(const ss_fit_problem* p, double cost) { return cost > 9.0 * ss_fit_count(p); }

// A quick look ends where it is far from what was recorded and creeps: it is in a wrong valley, and others
// go on from here.
static bool creeps(descent* d)
{
    const ss_fit_problem* p = d->problem;
    bool slow = d->best > (1.0 - brisk) * d->stood;
    d->slow = slow ? d->slow + 1 : 0;
    d->stood = d->best;
    return p->manner.quick && d->slow >= 2 && ss_fit_is_lost(p, d->best);
}

static int callback(void* user, int m, int n, const double* u, double* residual, double* jacobian, int stride,
                    int what)
{
    (void)m;
    (void)n;
    descent* d = user;
    ss_fit_problem* p = d->problem;
    take_variables(d, u);
    if (what == 2) {
        if (any_runs_off(p, d->x, off) || creeps(d)) return -1;
        p->effort.iterations++;
        double done = (double)(p->effort.iterations - p->effort.begun); // nobody knows how many there will be
        p->effort.fraction =
            fmax(p->effort.fraction, p->effort.base + p->effort.share * done / (done + 20.0));
        d->refused = 0;
        if (!fill_jacobian(d, u, jacobian, stride)) return -1;
    } else {
        double cost = fill_residual(p, evaluate(p, d->x), residual) + fill_leash(p, d->x, residual + p->m);
        d->refused = isinf(cost) && !p->effort.interrupted ? d->refused + 1 : 0;
        if (isinf(cost)) p->wall = p->refusal;
        if (cost < d->best) {
            d->best = cost;
            memcpy(d->best_x, d->x, (size_t)p->n * sizeof *d->x);
            report_better(p);
        }
    }
    return p->effort.interrupted ? -1 : 0;
}

// Runs cminpack with workspace of its own; info as lmder tells it.
static int run_lmder(descent* d, int n, double u[])
{
    int m = (int)d->problem->m + d->problem->n, evaluations = 0, jacobians = 0, info = 0;
    size_t rows = (size_t)m, width = (size_t)n;
    double* work = ss_new(rows * (width + 2) + 6 * width, sizeof *work);
    int* pivots = ss_new(width, sizeof *pivots);
    if (work && pivots) {
        double *residual = work, *jacobian = residual + rows, *last = jacobian + rows * width;
        double* small = last + rows;
        bool rough = d->problem->manner.rough;
        int tries = d->problem->manner.quick ? QUICK_TRIES : rough ? ROUGH_TRIES : MAX_TRIES;
        double goal = rough ? rough_goal : fine_goal, fall = fmax(goal, d->problem->manner.goal);
        info = lmder(callback, d, m, n, u, residual, jacobian, m, fall, goal, 0.0, tries, small, 1, 1.0, 0,
                     &evaluations, &jacobians, pivots, small + n, small + 2 * n, small + 3 * n, small + 4 * n,
                     last);
    }
    d->problem->effort.no_memory = d->problem->effort.no_memory || !work || !pivots;
    free(work);
    free(pivots);
    return info;
}

static ss_fit_end how_it_ended(const ss_fit_problem* p, int info)
{
    if (p->effort.interrupted) return SS_FIT_END_STOPPED;
    return (info >= 1 && info <= 4) || (info >= 6 && info <= 8) ? SS_FIT_END_CONVERGED : SS_FIT_END_LIMIT;
}

static ss_fit_end descend(descent* d, double u[], double x[], double* cost)
{
    ss_fit_problem* p = d->problem;
    int n = 0;
    size_t size = (size_t)p->n * sizeof *x;
    for (int j = 0; j < p->n; j++) {
        d->want[j] = !d->fixed || !d->fixed[j];
        if (d->want[j]) u[n++] = ss_fit_variable(p, j, x);
    }
    memcpy(d->x, x, size);
    memcpy(d->best_x, x, size);
    d->best = ss_fit_cost(p, x) + fill_leash(p, x, p->scratch.beside);
    if (n == 0 || isinf(d->best)) {
        *cost = d->best;
        return p->effort.interrupted ? SS_FIT_END_STOPPED
               : isinf(d->best)      ? SS_FIT_END_LIMIT
                                     : SS_FIT_END_CONVERGED;
    }
    ss_fit_end end = how_it_ended(p, run_lmder(d, n, u));
    p->stuck = end == SS_FIT_END_CONVERGED && d->refused > 0; // ever shorter steps, and none is taken
    if (p->stuck) end = SS_FIT_END_LIMIT;
    memcpy(x, d->best_x, size);
    *cost = d->best;
    return end;
}

ss_fit_end ss_fit_descend(ss_fit_problem* p, const bool fixed[], double x[], double* cost)
{
    size_t n = (size_t)p->n;
    if (n == 0) { // the model as it is: there is nothing to find
        *cost = ss_fit_cost(p, x);
        return isfinite(*cost) ? SS_FIT_END_CONVERGED : SS_FIT_END_LIMIT;
    }
    double* numbers = ss_new(3 * n, sizeof *numbers);
    bool* want = ss_new(n, sizeof *want);
    ss_fit_end end = SS_FIT_END_LIMIT;
    *cost = INFINITY;
    if (numbers && want) {
        descent d = {.problem = p,
                     .fixed = fixed,
                     .x = numbers,
                     .best_x = numbers + n,
                     .want = want,
                     .stood = INFINITY};
        end = descend(&d, numbers + 2 * n, x, cost);
    }
    p->effort.no_memory = p->effort.no_memory || !numbers || !want;
    free(numbers);
    free(want);
    return end;
}
