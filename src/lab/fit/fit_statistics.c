// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How likely the recordings are under the fitted model, whether what is left is noise, and standard errors
// where it is not.
#include "core/error.h"
#include "lab/fit/fit_impl.h"

#include <stdlib.h>

static const double two_pi = 6.283185307179586;

static double residual(const ss_fit_problem* p, long i) { return p->scratch.values[i] - p->rows[i].value; }

// log of the integral of exp(-rho(r)): of the normal density, or of Huber's.
static double log_integral(const ss_fit_problem* p)
{
    const double k = SS_FIT_HUBER;
    if (p->def.loss == SS_LOSS_SQUARES) return 0.5 * log(two_pi);
    return log(sqrt(two_pi) * erf(k / sqrt(2.0)) + 2.0 * exp(-0.5 * k * k) / k);
}

// Noise that makes the residuals of a trace likeliest; as given where it is known. Under Huber's loss it
// stays the one by which samples were judged.
static double likeliest_noise(const ss_fit_problem* p, int trace)
{
    double squares = 0.0;
    long count = 0;
    if (p->columns[trace].sigma_known || p->def.loss == SS_LOSS_HUBER) return p->columns[trace].sigma;
    for (long i = 0; i < p->m; i++)
        if (p->rows[i].trace == trace && ss_fit_takes_part(p, i)) {
            squares += residual(p, i) * residual(p, i);
            count++;
        }
    return count > 0 ? sqrt(squares / (double)count) : NAN;
}

// The sum of squared differences of neighbours of one trace, within each recording, and of squares.
static void neighbours(const ss_fit_problem* p, int trace, double* differences, double* squares)
{
    *differences = *squares = 0.0;
    for (int r = 0; r < p->def.recording_count; r++) {
        double before = NAN;
        for (long i = p->first[r]; i < p->first[r + 1]; i++) {
            if (p->rows[i].trace != trace || !ss_fit_takes_part(p, i)) continue;
            double off = residual(p, i);
            if (!isnan(before)) *differences += (off - before) * (off - before);
            *squares += off * off;
            before = off;
        }
    }
}

void ss_fit_find_statistics(ss_fit* fit)
{
    ss_fit_problem* p = fit->problem;
    ss_fit_statistics* s = &fit->statistics;
    double all_differences = 0.0, all_squares = 0.0, likelihood = 0.0, constant = log_integral(p);
    *s = (ss_fit_statistics){.numbers = p->n};
    if (isinf(ss_fit_cost(p, fit->x))) likelihood = NAN;
    for (int c = 0; c < p->def.trace_count; c++) {
        double differences, squares, sigma = likeliest_noise(p, c);
        neighbours(p, c, &differences, &squares);
        fit->residuals[c].durbin_watson = squares > 0.0 ? differences / squares : NAN;
        if (sigma > 0.0) {
            all_differences += differences / (sigma * sigma);
            all_squares += squares / (sigma * sigma);
        }
        s->numbers += !p->columns[c].sigma_known;
        for (long i = 0; i < p->m; i++) {
            if (p->rows[i].trace != c || !ss_fit_takes_part(p, i)) continue;
            double loss = ss_fit_loss(p, residual(p, i) / sigma, NULL);
            likelihood -= 0.5 * loss * loss + log(sigma) + constant;
            s->samples++;
        }
    }
    if (!isfinite(likelihood)) likelihood = NAN; // nothing is left, or there is no motion
    s->log_likelihood = likelihood;
    s->aic = 2.0 * s->numbers - 2.0 * likelihood;
    s->bic = s->numbers * log((double)s->samples) - 2.0 * likelihood;
    s->durbin_watson = all_squares > 0.0 ? all_differences / all_squares : NAN;
}

ss_status ss_fit_compare(ss_fit* const fits[], int count, ss_error* err)
{
    for (int k = 1; k < count; k++) {
        const ss_fit_problem *p = fits[k]->problem, *first = fits[0]->problem;
        bool same = p->m == first->m;
        for (long i = 0; i < p->m && same; i++)
            same = p->rows[i].time == first->rows[i].time && p->rows[i].value == first->rows[i].value;
        if (!same) return ss_fail(err, SS_BAD_INPUT, NULL, "fits of different recordings cannot be compared");
    }
    for (long i = 0; count > 1 && i < fits[0]->problem->m; i++) {
        bool all = true;
        for (int k = 0; k < count; k++) all = all && fits[k]->problem->active[i];
        for (int k = 0; k < count; k++) fits[k]->problem->active[i] = all;
    }
    for (int k = 0; k < count && count > 1; k++)
        if (fits[k]->outcome != SS_FIT_INTERRUPTED) ss_fit_find_statistics(fits[k]);
    return SS_OK;
}

// ---- standard errors where neighbouring residuals are alike
//
// Newey and West: with scores g = sum over the samples of a moment of J^T r/sigma^2, the covariance is
//     H^-1 S H^-1,   S = sum over lags l of (1 - |l|/(L + 1)) sum_t g_t g_{t+l}^T,
// H = J^T J/sigma^2. L is as Andrews has it for residuals whose correlation falls like rho^l.

typedef struct scores {
    double* at;          // moments x n, each divided by the length of its column
    long* recording_end; // moments of each recording end here
    long count;
} scores;

static void gather_scores(const ss_fit_problem* p, const double norm[], scores* out)
{
    int n = p->n;
    for (int r = 0; r < p->def.recording_count; r++) {
        double last = NAN;
        for (long i = p->first[r]; i < p->first[r + 1]; i++) {
            if (!ss_fit_takes_part(p, i)) continue;
            if (p->rows[i].time != last) out->count++;
            last = p->rows[i].time;
            double sigma = p->columns[p->rows[i].trace].sigma, slope, s = residual(p, i) / sigma;
            double psi = ss_fit_loss(p, s, &slope) * slope;
            for (int a = 0; a < n; a++)
                if (norm[a] > 0.0)
                    out->at[(out->count - 1) * n + a] +=
                        p->scratch.jacobian[(size_t)a * (size_t)p->m + (size_t)i] * psi / (sigma * norm[a]);
        }
        out->recording_end[r] = out->count;
    }
}

static long lags(const ss_fit_problem* p, long moments)
{
    double worst = 0.0, n = (double)moments;
    for (int c = 0; c < p->def.trace_count; c++) {
        double differences, squares;
        neighbours(p, c, &differences, &squares);
        if (squares > 0.0) worst = fmax(worst, fmin(1.0 - 0.5 * differences / squares, 0.97));
    }
    double alpha = 4.0 * worst * worst / ((1.0 - worst * worst) * (1.0 - worst * worst));
    double wanted = fmax(1.1447 * cbrt(alpha * n), 4.0 * pow(n / 100.0, 2.0 / 9.0));
    return (long)fmin(wanted, 0.25 * n);
}

// S, n x n.
static void sum_lags(const scores* g, int recordings, int n, long most, double out[])
{
    long first = 0;
    for (int r = 0; r < recordings; first = g->recording_end[r++])
        for (long lag = 0; lag <= most; lag++) {
            double weight = 1.0 - (double)lag / (double)(most + 1);
            for (long t = first; t + lag < g->recording_end[r]; t++)
                for (int a = 0; a < n; a++)
                    for (int b = 0; b < n; b++) {
                        double product = g->at[t * n + a] * g->at[(t + lag) * n + b];
                        out[a * n + b] += weight * product;
                        if (lag > 0) out[b * n + a] += weight * product;
                    }
        }
}

ss_status ss_fit_find_correlated(ss_fit* fit, const double inverse[], const double norm[], ss_error* err)
{
    const ss_fit_problem* p = fit->problem;
    int n = p->n;
    scores g = {.at = ss_new((size_t)p->m * (size_t)n, sizeof *g.at),
                .recording_end = ss_new((size_t)p->def.recording_count, sizeof *g.recording_end)};
    double* sum = ss_new((size_t)n * (size_t)n, sizeof *sum);
    bool good = g.at && g.recording_end && sum;
    if (good) {
        gather_scores(p, norm, &g);
        sum_lags(&g, p->def.recording_count, n, lags(p, g.count), sum);
    }
    // Under Huber's loss the slope of the scores is that share of the samples that count in full.
    double bread = 1.0, small = g.count > n ? (double)g.count / (double)(g.count - n) : 1.0;
    if (good && p->def.loss == SS_LOSS_HUBER) {
        long inside = 0, all = 0;
        for (long i = 0; i < p->m; i++) {
            if (!ss_fit_takes_part(p, i)) continue;
            inside += fabs(residual(p, i)) <= SS_FIT_HUBER * p->columns[p->rows[i].trace].sigma;
            all++;
        }
        bread = inside > 0 ? (double)all / (double)inside : 1.0;
    }
    for (int a = 0; a < n && good; a++) {
        double variance = 0.0;
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++) variance += inverse[a * n + b] * sum[b * n + c] * inverse[c * n + a];
        bool known = isfinite(fit->parameters[a].standard_error);
        fit->parameters[a].correlated_error =
            known ? bread * sqrt(small * fmax(variance, 0.0)) / norm[a] : INFINITY;
    }
    free(g.at);
    free(g.recording_end);
    free(sum);
    return good ? SS_OK : ss_fail_no_memory(err);
}
