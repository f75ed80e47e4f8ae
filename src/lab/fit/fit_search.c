// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The search: Levenberg-Marquardt (cminpack) from one or many guesses, over growing parts of the recording
// where the whole leads astray, with weights that follow the noise where it is not known.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WEIGHTINGS = 12, MAX_MASKS = 6, WINDOWS = 9, MORE_STARTS = 6, AGREED = 2 };
// Rise of the sum of squares that ends a descent by one-sided differences: a third of a standard error.
static const double near_end = 0.1;
static const double alike = 1e-3;   // share of the cost, of two guesses that led to the same
static const double far_end = 1e-5; // share of the cost, of one guess among several

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
    double seen = ss_fit_count(p);
    ss_fit_thin(p, false);
    if (again) end = ss_fit_descend(p, NULL, x, cost);
    if (thin && end == SS_FIT_END_STOPPED) *cost *= ss_fit_count(p) / seen; // no further motion is computed
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

static bool is_good(ss_fit_problem* p, const attempt* found)
{
    return isfinite(found->cost) && !looks_wrong(p, found->x);
}

// From one guess: a quick look straight down; where what is left does not look like noise, by growing parts;
// where that does not either, straight down to the end. modest: the look is all, something good is known.
static void try_guess(ss_fit_problem* p, const double guess[], bool modest, double scratch[], attempt* out)
{
    size_t size = (size_t)p->n * sizeof *guess;
    attempt quick = {.x = scratch, .cost = INFINITY}, slow = {.x = scratch + p->n, .cost = INFINITY};
    memcpy(quick.x, guess, size);
    memcpy(slow.x, guess, size);
    quick.end = descend_roughly(p, false, quick.x, &quick.cost);
    keep_better(p, &quick, out);
    if (p->effort.interrupted || modest || is_good(p, out)) return;
    slow.end = descend_roughly(p, true, slow.x, &slow.cost);
    keep_better(p, &slow, out);
    if (p->effort.interrupted || is_good(p, out)) return;
    p->manner.goal = far_end; // the best of all guesses is led to its end later
    quick.end = ss_fit_descend(p, NULL, quick.x, &quick.cost);
    p->manner.goal = 0.0;
    keep_better(p, &quick, out);
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

static void begin_guess(ss_fit_problem* p, int k, uint64_t* state, double guess[])
{
    p->effort.base = p->effort.fraction = 0.8 * fmin((double)k / p->def.starts, 1.0);
    p->effort.share = k < p->def.starts ? 0.8 / p->def.starts : 0.0;
    p->effort.begun = p->effort.iterations;
    for (int j = 0; j < p->n; j++) guess[j] = k == 0 ? p->free[j].guess : random_guess(&p->free[j], state);
}

// The guess, as many random ones as were asked for, and a few more while everything found is far off: until
// several led to the same, which then is what this model can do.
static ss_status search_starts(ss_fit_problem* p, attempt* best, ss_error* err)
{
    size_t n = (size_t)p->n;
    double* guess = ss_new(4 * n, sizeof *guess);
    if (!guess) return ss_fail_no_memory(err);
    uint64_t state = p->def.seed;
    int agreed = 0;
    for (int k = 0; k < p->def.starts + MORE_STARTS && !p->effort.interrupted; k++) {
        bool good = k > 0 && is_good(p, best);
        if (k >= p->def.starts && (good || agreed >= AGREED || !ss_fit_is_lost(p, best->cost))) break;
        attempt own = {.x = guess + 3 * n, .cost = INFINITY, .end = SS_FIT_END_LIMIT};
        begin_guess(p, k, &state, guess);
        try_guess(p, guess, good, guess + n, &own);
        bool same = k > 0 && isfinite(own.cost) && fabs(own.cost - best->cost) <= alike * best->cost;
        agreed = same ? agreed + 1 : is_better(own.cost, best->cost) ? 0 : agreed;
        keep_better(p, &own, best);
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
        p->exact = p->exact && p->effort.spent > 0; // a hundred steps, or the models beside it cost more
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
        if (!p->exact) descend_nearly(p, x, &best.cost);
        p->manner.careful = true;
        best.end = ss_fit_descend(p, NULL, x, &best.cost);
        best.end = settle_weights(p, x, best.end);
        p->manner.careful = false;
    }
    *end = p->effort.interrupted ? SS_FIT_END_STOPPED : best.end;
    return SS_OK;
}
