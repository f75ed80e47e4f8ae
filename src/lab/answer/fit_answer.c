// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `fit`.
#include "answer/answer.h"
#include "slipstick/fit.h"

#include <math.h>

static void put_parameters(ss_answer* answer, const ss_fit* fit)
{
    ss_answer_put_object(answer, "parameters", true);
    for (int j = 0; j < ss_fit_parameter_count(fit); j++) {
        ss_fit_parameter q = ss_fit_get_parameter(fit, j);
        ss_answer_put_object(answer, ss_answer_keep(answer, q.name), false);
        ss_answer_put_number(answer, "value", q.value);
        ss_answer_put_number(answer, "stderr", q.standard_error);
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

ss_status ss_answer_fit(const ss_fit* fit, ss_answer** out, ss_error* err)
{
    static const char* const outcomes[] = {
        [SS_FIT_CONVERGED] = "converged", [SS_FIT_INTERRUPTED] = "interrupted", [SS_FIT_GAVE_UP] = "gave-up"};
    ss_answer* answer;
    ss_status status = ss_answer_create(&answer, err);
    if (status != SS_OK) return status;
    ss_answer_object(answer, true);
    put_parameters(answer, fit);
    ss_answer_put_number(answer, "rms", ss_fit_rms(fit));
    put_correlation(answer, fit);
    put_texts(answer, "warnings", fit, ss_fit_warning_count(fit), ss_fit_warning);
    put_texts(answer, "notes", fit, ss_fit_note_count(fit), ss_fit_note);
    put_traces(answer, fit);
    ss_answer_put_word(answer, "outcome", outcomes[ss_fit_get_outcome(fit)]);
    ss_answer_put_number(answer, "iterations", (double)ss_fit_iterations(fit));
    ss_answer_end(answer);
    return ss_answer_hand_over(answer, out, err);
}
