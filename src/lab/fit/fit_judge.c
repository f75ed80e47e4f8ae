// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Uncertainty of the numbers found: standard errors and correlation from the derivatives, intervals by
// profile for those that are known badly, and words where the recording cannot tell numbers apart.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/algebra.h"
#include "lab/fit/fit_impl.h"

#include <float.h>
#include <lapacke.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Correlated like this, a number is known 1/sqrt(1 - 0.95^2) = 3.2 times worse than if the other were given:
// nine tenths of its variance are the other's.
static const double close_correlation = 0.95;
static const double wide_interval = 0.5; // share of the value: not one digit of it is known
static const double well_known = 0.01;   // share of the value; such numbers are known, whatever they lean on
static const double profile_from = 0.25; // intervals wider than this share of the value are profiled
static const double alike = 0.2;         // more than chance makes neighbouring residuals of noise

// Derivatives are good to 6 digits or more, their products to twice that: what falls below is no information.
static const double no_information = 1e-11;

// Rise of the sum of squares: derivatives a thousandth of a standard error away are those at the minimum.
static const double no_way = 1e-6;

// ---- covariance

// Columns of the weighted derivatives, scaled to length 1: their products in gram, their lengths in norm.
static void scaled_gram(const ss_fit_problem* p, double gram[], double norm[])
{
    int n = p->n;
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            const double *ja = p->scratch.jacobian + (size_t)a * (size_t)p->m,
                         *jb = p->scratch.jacobian + (size_t)b * (size_t)p->m;
            for (long i = 0; i < p->m; i++) {
                double sigma = p->columns[p->rows[i].trace].sigma;
                if (ss_fit_takes_part(p, i)) sum += (ja[i] / sigma) * (jb[i] / sigma);
            }
            gram[a * n + b] = gram[b * n + a] = sum;
        }
    for (int a = 0; a < n; a++) norm[a] = sqrt(gram[a * n + a]);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double scale = norm[a] * norm[b];
            gram[a * n + b] = a == b ? 1.0 : scale > 0.0 ? gram[a * n + b] / scale : 0.0;
        }
}

// From the eigenvalues and -vectors (rows of v) of the scaled products: inverse, and what is not determined.
static void invert(int n, const double lambda[], const double v[], double inverse[], bool lost[])
{
    for (int k = 0; k < n; k++) {
        bool dark = lambda[k] < no_information;
        double weight = 1.0 / (dark ? no_information : lambda[k]);
        for (int a = 0; a < n; a++) {
            if (dark && fabs(v[k * n + a]) > 1e-3) lost[a] = true;
            for (int b = 0; b < n; b++) inverse[a * n + b] += weight * v[k * n + a] * v[k * n + b];
        }
    }
}

static void fill_errors(ss_fit* fit, const double inverse[], const double norm[], const bool lost[])
{
    int n = fit->problem->n;
    double factor = ss_fit_inflation(fit->problem);
    for (int a = 0; a < n; a++) {
        double variance = inverse[a * n + a];
        fit->spread[a] = norm[a] > 0.0 ? factor * sqrt(variance) / norm[a] : 0.0;
        fit->parameters[a].standard_error = lost[a] || norm[a] == 0.0 ? INFINITY : fit->spread[a];
        for (int b = 0; b < n; b++) {
            double r = inverse[a * n + b] / sqrt(variance * inverse[b * n + b]);
            fit->correlation[a * n + b] = a == b ? 1.0 : fmin(fmax(r, -1.0), 1.0);
        }
    }
}

static ss_status find_errors(ss_fit* fit, ss_error* err)
{
    ss_fit_problem* p = fit->problem;
    size_t n = (size_t)p->n;
    if (n == 0) return SS_OK;
    double* work = ss_new(2 * n * n + 2 * n, sizeof *work);
    bool* lost = ss_new(n, sizeof *lost);
    if (!work || !lost) {
        free(work);
        free(lost);
        return ss_fail_no_memory(err);
    }
    double *gram = work, *inverse = gram + n * n, *norm = inverse + n * n, *lambda = norm + n;
    ss_fit_differentiate_well(p, fit->x, no_way);
    scaled_gram(p, gram, norm);
    int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', p->n, gram, p->n, lambda);
    if (info == 0) {
        invert(p->n, lambda, gram, inverse, lost);
        fill_errors(fit, inverse, norm, lost);
    }
    ss_status status = info == 0 ? ss_fit_find_correlated(fit, inverse, norm, err) : SS_OK;
    free(work);
    free(lost);
    if (info == 0) return status;
    return ss_algebra_ran_out(info) ? ss_fail_no_memory(err)
                                    : ss_fail(err, SS_BAD_INPUT, NULL, "the derivatives are not finite");
}

// ---- intervals

// 97.5 % point of Student's t with so many degrees of freedom (expansion about the normal one).
static double student(double freedom)
{
    const double z = 1.959963984540054;
    double z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4.0 * freedom) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom * freedom);
}

static double interval_quantile(const ss_fit_problem* p)
{
    bool known = true;
    long count = 0;
    for (int c = 0; c < p->def.trace_count; c++) known = known && p->columns[c].sigma_known;
    for (long i = 0; i < p->m; i++) count += ss_fit_takes_part(p, i);
    return known || count <= p->n ? student(INFINITY) : student((double)(count - p->n));
}

static void find_intervals(ss_fit* fit, bool profile)
{
    ss_fit_problem* p = fit->problem;
    double quantile = interval_quantile(p), cost = ss_fit_cost(p, fit->x);
    double factor = ss_fit_inflation(p), allowed = quantile * quantile * factor * factor;
    for (int j = 0; j < p->n; j++) {
        ss_fit_parameter* q = &fit->parameters[j];
        double half = quantile * q->standard_error;
        q->low = q->value - half;
        q->high = q->value + half;
        p->effort.fraction = 0.85 + 0.15 * (double)j / p->n;
        if (!profile || 2.0 * half < profile_from * fabs(q->value) || isinf(cost)) continue;
        ss_fit_profile(fit, j, cost, allowed, &q->low, &q->high);
        q->profiled = true;
    }
}

// ---- words

static void say(char (**list)[SS_FIT_TEXT], int* count, const char* format, ...) SS_PRINTF(3, 4);
static void say(char (**list)[SS_FIT_TEXT], int* count, const char* format, ...)
{
    char(*longer)[SS_FIT_TEXT] = realloc(*list, ((size_t)*count + 1) * sizeof **list);
    if (!longer) return;
    *list = longer;
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(longer[(*count)++], SS_FIT_TEXT, format, arguments);
    va_end(arguments);
}

// The last part of a path, where no other free number ends like it.
static const char* short_name(const ss_fit* fit, int j)
{
    const char* name = fit->problem->free[j].name;
    const char* dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".x") == 0 || strcmp(dot, ".v") == 0) return name;
    for (int k = 0; k < fit->problem->n; k++) {
        const char* other = strrchr(fit->problem->free[k].name, '.');
        if (k != j && other && strcmp(other, dot) == 0) return name;
    }
    return dot + 1;
}

// A number that leans on another may be known well all the same.
static bool is_known(const ss_fit_parameter* q) { return q->standard_error < well_known * fabs(q->value); }

static double percent(const ss_fit_parameter* q) { return 100 * q->standard_error / fabs(q->value); }

// Whether the noise that was given is far more than the residuals show: errors and intervals are then those
// of the noise, and say nothing of the recording. Chance does not leave a third of it in so many samples.
static bool is_coarse(const ss_fit* fit, int trace)
{
    const long enough = 10;
    const ss_fit_residual* r = &fit->residuals[trace];
    return fit->problem->columns[trace].sigma_known && r->samples > fit->problem->n + enough &&
           3.0 * r->rms < r->sigma;
}

static bool any_coarse(const ss_fit* fit)
{
    bool any = false;
    for (int c = 0; c < fit->problem->def.trace_count; c++) any = any || is_coarse(fit, c);
    return any;
}

static void warn_noise(ss_fit* fit)
{
    for (int c = 0; c < fit->problem->def.trace_count; c++)
        if (is_coarse(fit, c))
            say(&fit->warnings, &fit->warning_count,
                "the noise given for %s, %.3g (SI), is %.3g times what the residuals show: is it right? "
                "Errors "
                "and intervals are those of this noise, and too wide for the recording",
                fit->problem->columns[c].shows, fit->residuals[c].sigma,
                fit->residuals[c].sigma / fit->residuals[c].rms);
}

static void warn_pair(ss_fit* fit, int a, int b)
{
    const ss_fit_problem* p = fit->problem;
    const char* trace = any_coarse(fit) ? "what the noise given leaves"
                        : p->m > 0 && p->def.trace_count * p->def.recording_count > 1 ? "these traces"
                                                                                      : "this trace";
    const ss_fit_parameter *first = &fit->parameters[a], *second = &fit->parameters[b];
    double r = fit->correlation[a * p->n + b];
    if (is_known(first) && is_known(second))
        say(&fit->warnings, &fit->warning_count,
            "%s and %s lean on each other (correlation %.4f): an error of one is made good by the other, "
            "within "
            "%.2g %% and %.2g %%, to which they are known",
            short_name(fit, a), short_name(fit, b), r, percent(first), percent(second));
    else if ((is_known(first) || is_known(second)) && isfinite(percent(first) + percent(second)))
        say(&fit->warnings, &fit->warning_count,
            "%s and %s cannot be told apart from %s (correlation %.4f) any closer than %.2g %% and %.2g %%",
            short_name(fit, a), short_name(fit, b), trace, r, percent(first), percent(second));
    else
        say(&fit->warnings, &fit->warning_count, "%s and %s cannot be told apart from %s (correlation %.4f)",
            short_name(fit, a), short_name(fit, b), trace, r);
}

static void warn_pairs(ss_fit* fit)
{
    int n = fit->problem->n;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (fabs(fit->correlation[a * n + b]) > close_correlation) warn_pair(fit, a, b);
}

static void warn_wide(ss_fit* fit)
{
    for (int j = 0; j < fit->problem->n; j++) {
        const ss_fit_parameter* q = &fit->parameters[j];
        if (!(q->high - q->low > wide_interval * fabs(q->value))) continue;
        char low[40] = "anything", high[40] = "anything";
        if (isfinite(q->low)) ss_format(low, sizeof low, "%.4g", q->low);
        if (isfinite(q->high)) ss_format(high, sizeof high, "%.4g", q->high);
        if (isinf(q->low) && isinf(q->high))
            say(&fit->warnings, &fit->warning_count, "%s is not determined: any value fits as well",
                short_name(fit, j));
        else
            say(&fit->warnings, &fit->warning_count,
                "%s is known only badly: from %s to %s (95 %%) %s does not contradict", short_name(fit, j),
                low, high, any_coarse(fit) ? "the noise given" : "the recording");
    }
}

// The share of a trace's variance that the motion leaves; NAN where the trace has none.
static double unexplained(const ss_fit_problem* p, int trace)
{
    double mean = 0.0, left = 0.0, all = 0.0;
    long count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < p->m; i++) {
            if (p->rows[i].trace != trace || !ss_fit_takes_part(p, i)) continue;
            double value = p->rows[i].value, off = p->scratch.values[i] - value;
            if (pass == 0) mean += value;
            if (pass == 0) count++;
            if (pass == 1) left += off * off;
            if (pass == 1) all += (value - mean) * (value - mean);
        }
        if (pass == 0 && count > 0) mean /= (double)count;
    }
    return count > p->n + 2 && all > 0.0 ? left / all : NAN;
}

// A search that has ended may have found nothing: times in ms, a column of another unit or sign, another
// motion. Of a trace that is all noise nothing can be explained; its residuals are not alike.
static void warn_misfit(ss_fit* fit)
{
    const ss_fit_problem* p = fit->problem;
    const double half = 0.5, seldom = 1.0;
    for (int c = 0; c < p->def.trace_count; c++) {
        double left = unexplained(p, c);
        if (left > half && fit->residuals[c].durbin_watson < seldom)
            say(&fit->warnings, &fit->warning_count,
                "the motion found explains only %.2g %% of the variance of %s: do not trust these numbers; "
                "look "
                "at the units and signs of the time and of the columns, at the start, and at the first guess",
                100.0 * fmax(0.0, 1.0 - left), p->columns[c].shows);
    }
}

// `errors`: standard errors are told.
static void note_residuals(ss_fit* fit, bool errors)
{
    ss_fit_problem* p = fit->problem;
    double correlation;
    if (ss_fit_whiteness(p, fit->x, &correlation) > alike)
        say(&fit->notes, &fit->note_count,
            "the residuals are not noise: neighbours are alike (correlation %.2f); the model misses "
            "something, or the search has to begin elsewhere (--starts)",
            correlation);
    for (int c = 0; c < p->def.trace_count; c++)
        if (p->columns[c].sigma_known && fit->residuals[c].rms > 1.5 * p->columns[c].sigma)
            say(&fit->notes, &fit->note_count, "residuals of %s are %.3g times the noise given%s",
                p->columns[c].shows, fit->residuals[c].rms / p->columns[c].sigma,
                errors ? ": standard errors are too small" : "");
}

static void note_bounds(ss_fit* fit)
{
    for (int j = 0; j < fit->problem->n; j++) {
        const ss_fit_binding* b = &fit->problem->free[j];
        double span = isfinite(b->most - b->least) ? b->most - b->least : fabs(b->guess) + DBL_MIN;
        double x = fit->x[j];
        if (x - b->least < 1e-6 * span || b->most - x < 1e-6 * span)
            say(&fit->notes, &fit->note_count, "%s ended at its bound", short_name(fit, j));
    }
}

// ---- residuals

static void find_residuals(ss_fit* fit)
{
    ss_fit_problem* p = fit->problem;
    double squares = 0.0;
    long total = 0;
    bool alike_units = true;
    bool known = isfinite(ss_fit_cost(p, fit->x));
    for (long i = 0; i < p->m && known; i++) {
        if (!ss_fit_takes_part(p, i)) continue;
        double off = p->scratch.values[i] - p->rows[i].value;
        ss_fit_residual* r = &fit->residuals[p->rows[i].trace];
        r->rms += off * off;
        r->samples++;
        squares += off * off;
        total++;
    }
    for (int c = 0; c < p->def.trace_count; c++) {
        ss_fit_residual* r = &fit->residuals[c];
        r->sigma = p->columns[c].sigma;
        r->rms = r->samples > 0 ? sqrt(r->rms / (double)r->samples) : NAN;
        ss_dimension a = p->columns[c].dimension, b = p->columns[0].dimension;
        alike_units = alike_units && a.m == b.m && a.s == b.s;
    }
    fit->rms = alike_units && total > 0 ? sqrt(squares / (double)total) : NAN;
}

// A number that has left its guess by orders of magnitude, and that the recording does not hold there, runs
// off: the search would go on for ever, is ended, or ends where it no longer changes anything.
static bool runs_off(ss_fit* fit, ss_fit_end end)
{
    bool any = false;
    for (int j = 0; j < fit->problem->n; j++) {
        const ss_fit_parameter* q = &fit->parameters[j];
        if (!ss_fit_is_far(fit->problem, j, q->value, 1e4)) continue;
        if (end == SS_FIT_END_CONVERGED && q->standard_error < 0.5 * fabs(q->value)) continue;
        any = true;
        say(&fit->warnings, &fit->warning_count,
            "%s runs off (%.3g from a guess of %.3g): the data do not bound it", short_name(fit, j), q->value,
            fit->problem->free[j].guess);
    }
    return any;
}

// What is told of a search that did not end: the numbers, and no claim about them.
static void withhold(ss_fit* fit, bool stopped)
{
    int n = fit->problem->n;
    for (int j = 0; j < n; j++) {
        ss_fit_parameter* q = &fit->parameters[j];
        q->standard_error = q->correlated_error = q->low = q->high = NAN;
        q->profiled = false;
    }
    for (int k = 0; k < n * n; k++) fit->correlation[k] = NAN;
    const ss_fit_problem* p = fit->problem;
    if (p->stuck && !stopped)
        say(&fit->notes, &fit->note_count,
            "the model takes no numbers beyond those found (%s%s%.160s): free others, or --bound them",
            p->wall.field, p->wall.field[0] ? ": " : "", p->wall.text);
    say(&fit->notes, &fit->note_count,
        "%s: these numbers are the best so far, and have neither standard errors nor intervals",
        stopped ? "the search was interrupted" : "the search did not end");
}

// An interrupted search is told of at once: a motion that takes long is not computed for that.
static void judge_stopped(ss_fit* fit)
{
    enum { SHORT = 200 }; // hundreds of steps
    ss_fit_problem* p = fit->problem;
    p->effort.budget = p->effort.budget > 0 && p->effort.budget < SHORT ? p->effort.budget : SHORT;
    find_residuals(fit);
    withhold(fit, true);
    fit->outcome = SS_FIT_INTERRUPTED;
}

static ss_status judge_found(ss_fit* fit, ss_fit_end end, ss_error* err)
{
    ss_fit_problem* p = fit->problem;
    ss_fit_learn_sigma(p, fit->x);
    find_residuals(fit);
    ss_fit_find_statistics(fit);
    ss_status status = find_errors(fit, err);
    if (status != SS_OK) return status;
    bool ended = !runs_off(fit, end) && end == SS_FIT_END_CONVERGED;
    if (ended) find_intervals(fit, true);
    bool stopped = p->effort.interrupted;
    p->def.progress = NULL;
    p->effort.interrupted = false;
    bool known = ended && !stopped; // errors and correlations are those of a minimum, or they are nothing
    warn_misfit(fit);
    if (known) warn_noise(fit);
    if (known) warn_pairs(fit);
    if (known) warn_wide(fit);
    note_residuals(fit, known);
    note_bounds(fit);
    if (!known) withhold(fit, stopped);
    fit->outcome = stopped ? SS_FIT_INTERRUPTED : ended ? SS_FIT_CONVERGED : SS_FIT_GAVE_UP;
    return SS_OK;
}

ss_status ss_fit_judge(ss_fit* fit, ss_fit_end end, ss_error* err)
{
    ss_fit_problem* p = fit->problem;
    bool stopped = p->effort.interrupted;
    p->effort.interrupted = false; // what was found is judged even if nobody wants to wait for more
    for (int j = 0; j < p->n; j++)
        fit->parameters[j] = (ss_fit_parameter){.name = p->free[j].name,
                                                .value = fit->x[j],
                                                .dimension = p->free[j].dimension,
                                                .has_unit = p->free[j].has_unit};
    if (p->foreseen[0]) say(&fit->warnings, &fit->warning_count, "%s", p->foreseen);
    if (!stopped) return judge_found(fit, end, err);
    p->def.progress = NULL;
    fit->statistics = (ss_fit_statistics){
        .log_likelihood = NAN, .aic = NAN, .bic = NAN, .durbin_watson = NAN, .numbers = p->n};
    judge_stopped(fit);
    return SS_OK;
}
