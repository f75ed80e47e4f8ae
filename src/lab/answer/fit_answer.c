// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `fit`.
#include "answer/answer_impl.h"
#include "core/error.h"
#include "share/build.h"
#include "slipstick/fit.h"

#include <math.h>
#include <stdlib.h>

static void put_parameters(ss_answer* answer, const ss_fit* fit)
{
    ss_answer_put_object(answer, "parameters", true);
    for (int j = 0; j < ss_fit_parameter_count(fit); j++) {
        ss_fit_parameter q = ss_fit_get_parameter(fit, j);
        ss_answer_put_object(answer, ss_answer_keep(answer, q.name), false);
        ss_answer_put_number(answer, "value", q.value);
        ss_answer_put_number(answer, "stderr", q.standard_error);
        ss_answer_put_number(answer, "stderr_correlated", q.correlated_error);
        if (isnan(q.low) || isnan(q.high))
            ss_answer_put_null(answer, "interval_95");
        else
            ss_answer_put_numbers(answer, "interval_95", (const double[]){q.low, q.high}, 2);
        ss_answer_put_bool(answer, "profile", q.profiled);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

// Of a search that did not end there is none.
static void put_correlation(ss_answer* answer, const ss_fit* fit)
{
    int n = ss_fit_parameter_count(fit);
    if (ss_fit_get_outcome(fit) != SS_FIT_CONVERGED) {
        ss_answer_put_null(answer, "correlation");
        return;
    }
    ss_answer_put_list(answer, "correlation", false);
    for (int a = 0; a < n; a++) {
        ss_answer_list(answer, false);
        for (int b = 0; b < n; b++) ss_answer_number(answer, ss_fit_correlation(fit, a, b));
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_traces(ss_answer* answer, const ss_fit* fit)
{
    ss_answer_put_list(answer, "traces", true);
    for (int c = 0; c < ss_fit_trace_count(fit); c++) {
        ss_fit_residual q = ss_fit_get_residual(fit, c);
        ss_answer_object(answer, false);
        ss_answer_put_text(answer, "shows", ss_fit_trace_shows(fit, c));
        ss_answer_put_number(answer, "samples", (double)q.samples);
        ss_answer_put_number(answer, "rms", q.rms);
        ss_answer_put_number(answer, "sigma", q.sigma);
        ss_answer_put_number(answer, "durbin_watson", q.durbin_watson);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
}

static void put_texts(ss_answer* answer, const char* key, const ss_fit* fit, int count,
                      const char* (*text)(const ss_fit*, int))
{
    ss_answer_put_list(answer, key, true);
    for (int k = 0; k < count; k++) ss_answer_text(answer, text(fit, k));
    ss_answer_end(answer);
}

static void put_statistics(ss_answer* answer, const ss_fit* fit)
{
    ss_fit_statistics q = ss_fit_get_statistics(fit);
    ss_answer_put_number(answer, "samples", (double)q.samples);
    ss_answer_put_number(answer, "log_likelihood", q.log_likelihood);
    ss_answer_put_number(answer, "aic", q.aic);
    ss_answer_put_number(answer, "bic", q.bic);
    ss_answer_put_number(answer, "durbin_watson", q.durbin_watson);
}

// The members of the object that is open.
static void put_fit(ss_answer* answer, const ss_fit* fit)
{
    static const char* const outcomes[] = {
        [SS_FIT_CONVERGED] = "converged", [SS_FIT_INTERRUPTED] = "interrupted", [SS_FIT_GAVE_UP] = "gave-up"};
    put_parameters(answer, fit);
    ss_answer_put_number(answer, "rms", ss_fit_rms(fit));
    put_correlation(answer, fit);
    put_statistics(answer, fit);
    put_texts(answer, "warnings", fit, ss_fit_warning_count(fit), ss_fit_warning);
    put_texts(answer, "notes", fit, ss_fit_note_count(fit), ss_fit_note);
    put_traces(answer, fit);
    ss_answer_put_word(answer, "outcome", outcomes[ss_fit_get_outcome(fit)]);
    ss_answer_put_number(answer, "iterations", (double)ss_fit_iterations(fit));
}

ss_status ss_answer_fit(const ss_fit* fit, ss_answer** out, ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    put_fit(answer, fit);
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}

// The fit whose criterion is least; one without a criterion is none.
static int least_of(const ss_fit* const fits[], int count, bool bic)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        ss_fit_statistics q = ss_fit_get_statistics(fits[k]);
        double value = bic ? q.bic : q.aic;
        if (!(value < least)) continue;
        least = value;
        best = k;
    }
    return best;
}

// The next fit in order of aic; those without one come last, as they were given.
static int next_fit(const ss_fit* const fits[], int count, const bool used[])
{
    int next = -1;
    for (int k = 0; k < count; k++) {
        if (used[k]) continue;
        bool better =
            next < 0 || ss_fit_get_statistics(fits[k]).aic < ss_fit_get_statistics(fits[next]).aic ||
            (isnan(ss_fit_get_statistics(fits[next]).aic) && !isnan(ss_fit_get_statistics(fits[k]).aic));
        if (better) next = k;
    }
    return next;
}

static void put_fits(ss_answer* answer, const ss_fit* const fits[], const char* const names[], int count,
                     bool used[])
{
    int by_aic = least_of(fits, count, false), by_bic = least_of(fits, count, true);
    ss_answer_object(answer, true);
    ss_answer_put_object(answer, "best", false);
    for (int k = 0; k < 2; k++) {
        int best = k == 0 ? by_aic : by_bic;
        ss_answer_key(answer, k == 0 ? "aic" : "bic");
        if (best >= 0)
            ss_answer_text(answer, names[best]);
        else
            ss_answer_null(answer);
    }
    ss_answer_end(answer);
    ss_answer_put_list(answer, "models", true);
    for (int k; (k = next_fit(fits, count, used)) >= 0; used[k] = true) {
        ss_fit_statistics q = ss_fit_get_statistics(fits[k]);
        ss_answer_object(answer, true);
        ss_answer_put_text(answer, "model", names[k]);
        ss_answer_put_number(answer, "delta_aic",
                             q.aic - ss_fit_get_statistics(fits[by_aic < 0 ? k : by_aic]).aic);
        ss_answer_put_number(answer, "delta_bic",
                             q.bic - ss_fit_get_statistics(fits[by_bic < 0 ? k : by_bic]).bic);
        put_fit(answer, fits[k]);
        ss_answer_end(answer);
    }
    ss_answer_end(answer);
    ss_answer_end(answer);
}

ss_status ss_answer_fits(const ss_fit* const fits[], const char* const names[], int count, ss_answer** out,
                         ss_error* err)
{
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    bool* used = ss_new((size_t)count, sizeof *used);
    if (status == SS_OK && !used) {
        ss_answer_destroy(answer);
        return ss_fail_no_memory(err);
    }
    if (status == SS_OK) {
        put_fits(answer, fits, names, count, used);
        status = ss_answer_hand_over(answer, out, err);
    }
    free(used);
    return status;
}
