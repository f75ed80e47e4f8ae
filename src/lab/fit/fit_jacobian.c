// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of samples by the numbers of the model, right across events. They are exact wherever the motion
// has them (fit_exact.c); the rest are differences. Where they have no series along a step, or the
// motion is short, exact ones cost more than one-sided differences, which show the way down as well: the last
// steps, and what is told of the numbers, take the exact ones.
//
// Between two events the motion is a smooth function of time and of every number; at an event a position
// bends and the speed at an impact jumps, and the time of the event moves with the numbers. So the difference
// of two motions approximates the derivative at a sample only where the same events came before it in both.
// Each motion tells that by one number per sample (its sign, fit_motion.c):
//     same events on both sides     central difference, error of order h^2
//     on one side only              one-sided difference on that side: the derivative of the branch the
//     sample
//                                   is on; the few samples that an event passes on the way from x - h to x +
//                                   h
//     on neither side               smaller steps; where they do not help, the motion bends here (a grazing
//                                   stop, a stick about to vanish): any slope between the two sides serves
//                                   for positions; a jump of a speed is no slope and counts as none.
// The motions are good to about 1e-13 of their range, so a change by 1e-6 of it gives 7 digits by central
// differences, and 5 by one-sided ones, which are good enough to find the way down (and cost half). The last
// steps need the former: where two numbers nearly mean the same, their difference is all that counts.
#include "core/tolerance.h"
#include "lab/fit/fit_impl.h"

#include <string.h>

static const double wanted_change = SS_FIT_CHANGE;
static const double least_change = 1e-8, most_change = 2e-5;
static const double jump = 1e-2; // of the range: no change that such a step makes smoothly
enum { MAX_TRIES = 7, MAX_GAPS = 3 };

typedef struct comparison {
    bool has_plus, has_minus;
    long rows, lost; // compared, and with other events on some side
    double change;   // largest, in units of the range
} comparison;

static bool move(ss_fit_problem* problem, const double x[], int j, double h, double values[],
                 uint64_t signs[])
{
    const ss_fit_binding* binding = &problem->free[j];
    double there = x[j] + h;
    if (there < binding->least || there > binding->most) return false;
    memcpy(problem->scratch.beside, x, (size_t)problem->n * sizeof *x);
    problem->scratch.beside[j] = there;
    return ss_fit_motion(problem, problem->scratch.beside, values, signs);
}

static bool concerns(const ss_fit_problem* problem, int j, long i)
{
    int r = problem->free[j].recording;
    bool own = r < 0 || (i >= problem->first[r] && i < problem->first[r + 1]);
    return own && ss_fit_is_seen(problem, i);
}

static void count_rows(const ss_fit_problem* p, int j, comparison* out)
{
    comparison c = {.has_plus = out->has_plus, .has_minus = out->has_minus};
    for (long i = 0; i < p->m; i++) {
        if (!concerns(p, j, i)) continue;
        double scale = p->columns[p->rows[i].trace].scale;
        bool plus = c.has_plus && p->scratch.signs_plus[i] == p->scratch.signs[i];
        bool minus = c.has_minus && p->scratch.signs_minus[i] == p->scratch.signs[i];
        c.rows++;
        c.lost += (c.has_plus && !plus) || (c.has_minus && !minus);
        if (plus) c.change = fmax(c.change, fabs(p->scratch.plus[i] - p->scratch.values[i]) / scale);
        if (minus) c.change = fmax(c.change, fabs(p->scratch.minus[i] - p->scratch.values[i]) / scale);
    }
    *out = c;
}

// Both sides, or, where that is enough, one: the other is asked only where events differ or a bound is near.
static comparison compare(ss_fit_problem* p, const double x[], int j, double h, bool both)
{
    comparison c = {.rows = 0};
    p->manner.only = p->free[j].recording;
    c.has_plus = move(p, x, j, h, p->scratch.plus, p->scratch.signs_plus);
    count_rows(p, j, &c);
    if (both || !c.has_plus || c.lost > 0) {
        c.has_minus = move(p, x, j, -h, p->scratch.minus, p->scratch.signs_minus);
        count_rows(p, j, &c);
    }
    p->manner.only = -1;
    return c;
}

// The next step to try, or the same where this one will do. `shrunk`: smaller steps were asked for before, so
// that a change below the wanted one is no reason to grow again.
static double judge_step(const comparison* c, double h, double x, bool* shrunk)
{
    double least = SS_FAINT * fabs(x);
    bool other_events = c->lost > 2 + c->rows / 100;
    if ((!c->has_plus && !c->has_minus) || other_events) {
        *shrunk = true;
        return 0.1 * h > least ? 0.1 * h : h;
    }
    if (c->change > most_change) return h * wanted_change / c->change;
    if (c->change < least_change && c->change > 0.0 && !*shrunk)
        return h * fmin(wanted_change / c->change, 1e4);
    return h;
}

static double slope(const ss_fit_problem* p, const comparison* c, long i, double h)
{
    bool plus = c->has_plus && p->scratch.signs_plus[i] == p->scratch.signs[i];
    bool minus = c->has_minus && p->scratch.signs_minus[i] == p->scratch.signs[i];
    if (plus && minus) return (p->scratch.plus[i] - p->scratch.minus[i]) / (2.0 * h);
    if (plus) return (p->scratch.plus[i] - p->scratch.values[i]) / h;
    if (minus) return (p->scratch.values[i] - p->scratch.minus[i]) / h;
    double sum = 0.0, width = 0.0;
    if (c->has_plus) sum += p->scratch.plus[i] - p->scratch.values[i], width += h;
    if (c->has_minus) sum += p->scratch.values[i] - p->scratch.minus[i], width += h;
    const ss_fit_column* column = &p->columns[p->rows[i].trace];
    bool jumps = (column->speed || column->jumps) && fabs(sum) > jump * column->scale;
    return width > 0.0 && !jumps ? sum / width : 0.0;
}

// A first step: the seventh digit of the number, or of what it could be where it is 0.
static double first_step(const ss_fit_binding* binding, double x)
{
    double span = binding->most - binding->least;
    if (x != 0.0) return 1e-6 * fabs(x);
    return isfinite(span) ? 1e-6 * span : 1e-6;
}

static void differentiate(ss_fit_problem* p, const double x[], int j, bool both, double out[])
{
    ss_fit_binding* binding = &p->free[j];
    double h = binding->step > 0.0 ? binding->step : first_step(binding, x[j]);
    bool shrunk = false;
    h = (x[j] + h) - x[j] != 0.0 ? (x[j] + h) - x[j] : first_step(binding, x[j]);
    comparison c = compare(p, x, j, h, both);
    for (int k = 1; k < MAX_TRIES && !p->effort.interrupted; k++) {
        double next = judge_step(&c, h, x[j], &shrunk);
        if (next == h) break;
        h = next;
        c = compare(p, x, j, h, both);
    }
    if (!shrunk) binding->step = h;
    for (long i = 0; i < p->m; i++)
        if (isnan(out[i])) out[i] = concerns(p, j, i) ? slope(p, &c, i, h) : 0.0;
}

static bool has_gaps(const ss_fit_problem* p, const double column[])
{
    for (long i = 0; i < p->m; i++)
        if (isnan(column[i])) return true;
    return false;
}

// Whether the derivatives at hand belong to numbers near x.
static bool is_near(const ss_fit_problem* p, const double x[], double rise)
{
    double sum = 0.0;
    if (isnan(p->scratch.derived_at[0])) return false;
    for (long i = 0; i < p->m; i++) {
        double change = 0.0;
        if (!ss_fit_takes_part(p, i)) continue;
        for (int j = 0; j < p->n; j++)
            change +=
                p->scratch.jacobian[(size_t)j * (size_t)p->m + (size_t)i] * (x[j] - p->scratch.derived_at[j]);
        change /= p->columns[p->rows[i].trace].sigma;
        sum += change * change;
    }
    return sum <= rise;
}

void ss_fit_differentiate_well(ss_fit_problem* p, const double x[], double rise)
{
    if (is_near(p, x, rise)) return;
    ss_fit_differentiate(p, x, NULL, true, p->scratch.jacobian);
    if (!p->effort.interrupted) memcpy(p->scratch.derived_at, x, (size_t)p->n * sizeof *x);
}

void ss_fit_differentiate(ss_fit_problem* problem, const double x[], const bool want[], bool both,
                          double out[])
{
    if (out == problem->scratch.jacobian) problem->scratch.derived_at[0] = NAN;
    ss_fit_differentiate_exactly(problem, x, want, both || problem->exact, out);
    for (int j = 0; j < problem->n; j++) {
        double* column = out + (size_t)j * (size_t)problem->m;
        if ((want && !want[j]) || !has_gaps(problem, column)) continue;
        ss_fit_binding* binding = &problem->free[j];
        if ((both || problem->exact) && ++binding->gaps == MAX_GAPS) binding->rough = true;
        differentiate(problem, x, j, both, column);
    }
}
