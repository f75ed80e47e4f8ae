// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The search: Levenberg-Marquardt (cminpack) from one or many guesses, over growing parts of the recording
// where the whole leads astray, with weights that follow the noise where it is not known.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/fit/fit.h"

#include <cminpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUGH_TRIES = 10, MAX_TRIES = 100, MAX_WEIGHTINGS = 12, MAX_MASKS = 6, WINDOWS = 9, MORE_STARTS = 6 };
// Relative change of cost and numbers that ends a search.
static const double rough_goal = 1e-3, fine_goal = SS_CLEAR;

// Times its guess: a search ends where a number has got this far, and does not try any that is farther still.
static const double off = 1e5, never_so_far = 1e7;
// Rise of the sum of squares: numbers that are a hundredth of a standard error apart share their derivatives,
// and those a third apart their one-sided differences.
static const double short_way = 1e-4, near_end = 0.1;
// Share of the cost: what two steps at least must take away each, where a quick look has far to go.
static const double brisk = 0.2;
static const double hopeless = 1e60; // residual of numbers that the model refuses: any other is better

// ---- one descent

typedef struct descent {
    ss_fit_problem* problem;
    const bool* fixed;
    double* x;      // n: all numbers
    bool* want;     // n: those that move
    double best;    // cost so far
    double* best_x; // n
    double stood;   // cost where derivatives were wanted last
    int slow;       // such steps in a row that took little away
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

// The motion at x, unless it is known already.
static bool evaluate(ss_fit_problem* p, const double x[])
{
    size_t size = (size_t)p->n * sizeof *x;
    if (memcmp(p->scratch.at, x, size) == 0) return true;
    if (any_runs_off(p, x, never_so_far)) return false;
    p->scratch.at[0] = NAN;
    if (!ss_fit_motion(p, x, p->scratch.values, p->scratch.signs)) return false;
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

static void fill_jacobian(descent* d, const double u[], double out[], int stride)
{
    ss_fit_problem* p = d->problem;
    if (!evaluate(p, d->x)) return;
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
}

static double count_samples(const ss_fit_problem* p)
{
    long count = 0;
    for (long i = 0; i < p->m; i++) count += ss_fit_takes_part(p, i);
    return (double)count;
}

// Residuals several times the noise, as told or as samples scatter about their neighbours: not what was
// recorded.
static bool is_lost(const ss_fit_problem* p, double cost) { return cost > 9.0 * count_samples(p); }

// A quick look ends where it is far from what was recorded and creeps: it is in a wrong valley, and others
// go on from here.
static bool creeps(descent* d)
{
    const ss_fit_problem* p = d->problem;
    bool slow = d->best > (1.0 - brisk) * d->stood;
    d->slow = slow ? d->slow + 1 : 0;
    d->stood = d->best;
    return p->manner.quick && d->slow >= 2 && is_lost(p, d->best);
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
        fill_jacobian(d, u, jacobian, stride);
    } else {
        double cost = fill_residual(p, evaluate(p, d->x), residual) + fill_leash(p, d->x, residual + p->m);
        if (cost < d->best) {
            d->best = cost;
            memcpy(d->best_x, d->x, (size_t)p->n * sizeof *d->x);
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
        double goal = rough ? rough_goal : fine_goal, fall = fmax(goal, d->problem->manner.goal);
        info = lmder(callback, d, m, n, u, residual, jacobian, m, fall, goal, 0.0,
                     rough ? ROUGH_TRIES : MAX_TRIES, small, 1, 1.0, 0, &evaluations, &jacobians, pivots,
                     small + n, small + 2 * n, small + 3 * n, small + 4 * n, last);
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
    memcpy(x, d->best_x, size);
    *cost = d->best;
    return end;
}

ss_fit_end ss_fit_descend(ss_fit_problem* p, const bool fixed[], double x[], double* cost)
{
    size_t n = (size_t)p->n;
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

// ---- is it the right minimum?

static bool looks_wrong(ss_fit_problem* p, const double x[]) { return ss_fit_whiteness(p, x, NULL) > 0.2; }

static double last_time(const ss_fit_problem* p)
{
    double last = 0.0;
    for (long i = 0; i < p->m; i++) last = fmax(last, p->rows[i].time);
    return last;
}

// A long motion has many wrong minima, one for each event or swing it may be off by; a short one has few. So
// the first part is fitted first, then more and more of it, each from the result before.
static ss_fit_end descend_growing(ss_fit_problem* p, bool thin, double x[], double* cost)
{
    double end_time = last_time(p);
    ss_fit_end end = SS_FIT_END_CONVERGED;
    double* guess = malloc((size_t)p->n * sizeof *guess);
    if (guess) memcpy(guess, x, (size_t)p->n * sizeof *guess);
    for (int k = WINDOWS; k >= 0 && end != SS_FIT_END_STOPPED; k--) {
        p->manner.horizon = k > 0 ? end_time * pow(0.7, k) : INFINITY;
        p->manner.leash = k > 0 ? guess : NULL;
        ss_fit_thin(p, thin);
        end = ss_fit_descend(p, NULL, x, cost);
    }
    if (isfinite(p->manner.horizon)) *cost = INFINITY; // stopped on the way: the cost of a part says nothing
    p->manner.horizon = INFINITY;
    p->manner.leash = NULL;
    p->scratch.at[0] = NAN;
    free(guess);
    return end;
}

typedef struct attempt {
    double* x;
    double cost;
    ss_fit_end end;
} attempt;

static bool is_better(double cost, double than) { return cost < than * (1.0 - SS_CLEAR); }

static bool has_speeds(const ss_fit_problem* p)
{
    for (int c = 0; c < p->def.trace_count; c++)
        if (p->columns[c].speed) return true;
    return false;
}

// Whether some trace jumps at events.
static bool has_jumps(const ss_fit_problem* p)
{
    for (int c = 0; c < p->def.trace_count; c++)
        if (p->columns[c].jumps) return true;
    return has_speeds(p);
}

// An impact that passes a sample of a speed makes the sum of squares jump: a search would end between two
// samples. Means over the time between samples do not jump, so they show the way first. They need all
// samples; where no speeds were recorded, some of the samples show the way as well, and the cost is that of
// all of them in the end.
static ss_fit_end descend_roughly(ss_fit_problem* p, bool growing, double x[], double* cost)
{
    ss_fit_end end;
    p->manner.rough = true;
    p->manner.quick = !growing;
    p->manner.soft = has_speeds(p);
    bool thin = !p->manner.soft;
    ss_fit_thin(p, thin);
    end = growing ? descend_growing(p, thin, x, cost) : ss_fit_descend(p, NULL, x, cost);
    bool again = p->manner.soft && end != SS_FIT_END_STOPPED;
    if (p->manner.soft && !again) *cost = INFINITY; // likewise
    p->manner.soft = false;
    double seen = count_samples(p);
    ss_fit_thin(p, false);
    if (again) end = ss_fit_descend(p, NULL, x, cost);
    if (thin && end == SS_FIT_END_STOPPED) *cost *= count_samples(p) / seen; // no further motion is computed
    if (thin && end != SS_FIT_END_STOPPED && isfinite(*cost)) *cost = ss_fit_cost(p, x);
    p->manner.rough = p->manner.quick = false;
    return end;
}

static void keep_better(const ss_fit_problem* p, const attempt* tried, attempt* best)
{
    if (is_better(tried->cost, best->cost)) {
        memcpy(best->x, tried->x, (size_t)p->n * sizeof *best->x);
        best->cost = tried->cost;
        best->end = tried->end;
    }
    if (tried->end == SS_FIT_END_STOPPED) best->end = tried->end;
}

// From one guess: a quick look straight down; where what is left does not look like noise, by growing parts;
// where that does not either, straight down to the end.
static void try_guess(ss_fit_problem* p, const double guess[], double scratch[], attempt* best)
{
    size_t size = (size_t)p->n * sizeof *guess;
    attempt quick = {.x = scratch, .cost = INFINITY}, slow = {.x = scratch + p->n, .cost = INFINITY};
    memcpy(quick.x, guess, size);
    memcpy(slow.x, guess, size);
    quick.end = descend_roughly(p, false, quick.x, &quick.cost);
    keep_better(p, &quick, best);
    if (p->effort.interrupted || (!isinf(best->cost) && !looks_wrong(p, best->x))) return;
    slow.end = descend_roughly(p, true, slow.x, &slow.cost);
    keep_better(p, &slow, best);
    if (p->effort.interrupted || (!isinf(best->cost) && !looks_wrong(p, best->x))) return;
    quick.end = ss_fit_descend(p, NULL, quick.x, &quick.cost);
    keep_better(p, &quick, best);
}

// ---- many guesses

static uint64_t next_random(uint64_t* state) // SplitMix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t* state) { return ((double)(next_random(state) >> 11) + 0.5) * 0x1p-53; }

static double normal(uint64_t* state)
{
    double radius = sqrt(-2.0 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

// Between two bounds anywhere; otherwise around the guess, by a factor of about two, or as far as a tenth of
// the traces' range moves it where the guess is 0.
static double random_guess(const ss_fit_binding* b, uint64_t* state)
{
    double share = uniform(state), swing = normal(state);
    if (isfinite(b->most - b->least)) return b->least + share * (b->most - b->least);
    double x = b->guess != 0.0 ? b->guess * exp(0.7 * swing) : 1e4 * b->step * swing;
    return fmin(fmax(x, b->least), b->most);
}

// The guess, as many random ones as were asked for, and a few more while everything found is far off.
static ss_status search_starts(ss_fit_problem* p, attempt* best, ss_error* err)
{
    size_t n = (size_t)p->n;
    double* guess = ss_new(3 * n, sizeof *guess);
    if (!guess) return ss_fail_no_memory(err);
    uint64_t state = p->def.seed;
    for (int k = 0; k < p->def.starts + MORE_STARTS && !p->effort.interrupted; k++) {
        if (k >= p->def.starts && (!is_lost(p, best->cost) || !looks_wrong(p, best->x))) break;
        p->effort.base = p->effort.fraction = 0.8 * fmin((double)k / p->def.starts, 1.0);
        p->effort.share = k < p->def.starts ? 0.8 / p->def.starts : 0.0;
        p->effort.begun = p->effort.iterations;
        for (int j = 0; j < p->n; j++)
            guess[j] = k == 0 ? p->free[j].guess : random_guess(&p->free[j], &state);
        try_guess(p, guess, guess + n, best);
    }
    free(guess);
    return SS_OK;
}

// ---- the whole

// Weights of one trace alone change nothing; those of several decide which of them is believed.
static ss_fit_end settle_weights(ss_fit_problem* p, double x[], ss_fit_end end)
{
    bool changed = ss_fit_learn_sigma(p, x);
    double cost;
    bool matters = p->def.trace_count > 1 || p->def.loss != SS_LOSS_SQUARES; // which samples are far off
    for (int k = 0; k < MAX_WEIGHTINGS && changed && matters && !p->effort.interrupted; k++) {
        end = ss_fit_descend(p, NULL, x, &cost);
        changed = ss_fit_learn_sigma(p, x);
    }
    return end;
}

// Samples near events are those of the motion found, which depends on them: repeated until they agree.
static ss_fit_end settle_mask(ss_fit_problem* p, double x[], ss_fit_end end)
{
    double cost;
    bool needed = p->def.quiet > 0.0 || has_jumps(p);
    for (int k = 0; k < MAX_MASKS && needed && !p->effort.interrupted; k++) {
        if (!ss_fit_mask_events(p, x)) return end;
        end = ss_fit_descend(p, NULL, x, &cost);
    }
    return end;
}

// Whether the fault is that of a number which the file does not mention, and so began at 0.
static bool lacks_guess(const ss_fit_problem* p, const char* origin)
{
    static const char option[] = "--free ";
    if (strncmp(origin, option, strlen(option)) != 0) return false;
    for (int j = 0; j < p->n; j++) {
        const ss_node* node = p->free[j].node;
        if (node && strcmp(p->def.free[j].path, origin + strlen(option)) == 0)
            return !node->replaced && node->parent && !node->parent->option;
    }
    return false;
}

static ss_status check_guess(ss_fit_problem* p, ss_error* err)
{
    for (int j = 0; j < p->n; j++) p->scratch.beside[j] = p->free[j].guess;
    bool moves = p->effort.interrupted || ss_fit_motion(p, p->scratch.beside, p->scratch.values, NULL);
    if (moves || p->effort.interrupted) {
        p->effort.budget = 1000 + 20 * p->effort.spent;
        p->linear = p->linear && p->effort.spent > 0; // a hundred steps, or the models beside it cost more
        if (!p->effort.interrupted) ss_fit_compare_scales(p);
        return SS_OK;
    }
    if (!err) return p->refusal.status;
    *err = p->refusal;
    size_t used = strlen(err->text);
    bool misspelt = strncmp(err->text, "unknown key", strlen("unknown key")) == 0;
    if (!misspelt && lacks_guess(p, err->origin))
        snprintf(err->text + used, sizeof err->text - used, "; give a first guess with --set");
    else if (!err->origin[0])
        snprintf(err->origin, sizeof err->origin, "%s", p->document->name);
    return err->status;
}

// With all samples, but derivatives that cost little, nearly to the minimum: few steps are left for the exact
// ones.
static void descend_nearly(ss_fit_problem* p, double x[], double* cost)
{
    p->manner.goal = *cost > 0.0 ? near_end / *cost : 0.0;
    ss_fit_descend(p, NULL, x, cost);
    p->manner.goal = 0.0;
}

ss_status ss_fit_search(ss_fit_problem* p, double x[], ss_fit_end* end, ss_error* err)
{
    attempt best = {.x = x, .cost = INFINITY, .end = SS_FIT_END_LIMIT};
    ss_status status = check_guess(p, err);
    for (int j = 0; j < p->n; j++) x[j] = p->free[j].guess;
    if (status == SS_OK) status = search_starts(p, &best, err);
    if (status != SS_OK) return status;
    p->effort.fraction = 0.8;
    p->effort.share = 0.0;
    p->effort.base = 0.8;
    if (!isinf(best.cost) && !p->effort.interrupted) {
        best.end = settle_mask(p, x, best.end);
        if (!p->linear) descend_nearly(p, x, &best.cost);
        p->manner.careful = true;
        best.end = ss_fit_descend(p, NULL, x, &best.cost);
        best.end = settle_weights(p, x, best.end);
        p->manner.careful = false;
    }
    *end = p->effort.interrupted ? SS_FIT_END_STOPPED : best.end;
    return SS_OK;
}
