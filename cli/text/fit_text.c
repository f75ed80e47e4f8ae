// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a fit found, for people.
#include "command/fit_request.h"

#include <math.h>
#include <string.h>

static const char* const outcome_words[] = {
    [SS_FIT_CONVERGED] = "fitted to",
    [SS_FIT_INTERRUPTED] = "interrupted: the best so far for",
    [SS_FIT_GAVE_UP] = "no end in sight: the best so far for",
};

static void print_head(const ss_fit* fit, const cli_fit_options* o, FILE* out)
{
    fprintf(out, "%s ", outcome_words[ss_fit_get_outcome(fit)]);
    for (int k = 0; k < o->data.count; k++) fprintf(out, "%s%s", k > 0 ? ", " : "", o->data.items[k]);
    fprintf(out, " in %ld iterations\n\n", ss_fit_iterations(fit));
}

// Digits that mean something: two more than the standard error leaves certain.
static int useful_digits(const ss_fit_parameter* q)
{
    double ratio = fabs(q->value) / q->standard_error;
    if (!isfinite(ratio) || ratio < 1.0) return isfinite(q->standard_error) && q->value != 0.0 ? 2 : 6;
    double digits = floor(log10(ratio)) + 3.0;
    return digits < 3.0 ? 3 : digits > 10.0 ? 10 : (int)digits;
}

static void print_parameter(const ss_fit_parameter* q, int width, FILE* out)
{
    char unit[40] = "", interval[64], error[32] = "unknown";
    int digits = useful_digits(q);
    if (q->has_unit) ss_dimension_format(q->dimension, unit, sizeof unit);
    if (strcmp(unit, "1") == 0) unit[0] = '\0';
    if (isfinite(q->standard_error)) snprintf(error, sizeof error, "%.2g", q->standard_error);
    if (isnan(q->standard_error)) snprintf(error, sizeof error, "-");
    if (isnan(q->low) || isnan(q->high))
        snprintf(interval, sizeof interval, "-");
    else
        snprintf(interval, sizeof interval, "%.*g .. %.*g", digits, q->low, digits, q->high);
    fprintf(out, "  %-*s %13.*g %11s   %-24s%s%s\n", width, q->name, digits, q->value, error, interval,
            unit[0] ? " " : "", unit);
}

static void print_parameters(const ss_fit* fit, int width, FILE* out)
{
    if (ss_fit_parameter_count(fit) == 0) {
        fprintf(out, "  the model as it is: it has none of the free numbers\n");
        return;
    }
    fprintf(out, "  %-*s %13s %11s   %s\n", width, "number", "value", "stderr", "95 % interval");
    for (int j = 0; j < ss_fit_parameter_count(fit); j++) {
        ss_fit_parameter q = ss_fit_get_parameter(fit, j);
        print_parameter(&q, width, out);
    }
}

// Of a search that did not end there is no correlation.
static bool has_correlation(const ss_fit* fit) { return ss_fit_get_outcome(fit) == SS_FIT_CONVERGED; }

static void print_correlation(const ss_fit* fit, int width, FILE* out)
{
    int n = ss_fit_parameter_count(fit);
    if (n < 2 || !has_correlation(fit)) return;
    fprintf(out, "\n  correlation\n");
    for (int a = 0; a < n; a++) {
        fprintf(out, "  %-*s", width, ss_fit_get_parameter(fit, a).name);
        for (int b = 0; b <= a; b++) fprintf(out, " %8.4f", ss_fit_correlation(fit, a, b));
        fputc('\n', out);
    }
}

static void print_traces(const ss_fit* fit, const cli_fit_request* r, FILE* out)
{
    fputc('\n', out);
    for (int c = 0; c < r->def.trace_count; c++) {
        ss_fit_residual q = ss_fit_get_residual(fit, c);
        bool given = !isnan(r->traces[c].sigma);
        if (q.samples == 0) {
            fprintf(out, "  %s: residuals were not computed\n", r->traces[c].shows);
            continue;
        }
        const char *unit = ss_fit_trace_unit(fit, c), *gap = unit[0] ? " " : "";
        fprintf(out, "  %s: %ld samples, rms of residuals %.4g%s%s", r->traces[c].shows, q.samples, q.rms,
                gap, unit);
        if (given) fprintf(out, ", noise given %.4g%s%s", q.sigma, gap, unit);
        fputc('\n', out);
    }
}

static void print_statistics(const ss_fit* fit, FILE* out)
{
    ss_fit_statistics q = ss_fit_get_statistics(fit);
    if (isnan(q.log_likelihood)) return;
    fprintf(out, "  log likelihood %.6g, AIC %.6g, BIC %.6g", q.log_likelihood, q.aic, q.bic);
    if (isfinite(q.durbin_watson)) fprintf(out, ", Durbin-Watson %.2f", q.durbin_watson);
    fputc('\n', out);
}

void cli_fit_ranking_text(const ss_fit* const fits[], const char* const names[], int count, FILE* out)
{
    int width = 5;
    double least_bic = INFINITY;
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(names[k]);
        width = length > width ? length : width;
        least_bic = fmin(least_bic, ss_fit_get_statistics(fits[k]).bic);
    }
    fprintf(out, "  %-*s %8s %12s %12s %12s %12s %8s\n", width, "model", "numbers", "AIC", "more by", "BIC",
            "more by", "D-W");
    for (int k = 0; k < count; k++) {
        ss_fit_statistics q = ss_fit_get_statistics(fits[k]);
        fprintf(out, "  %-*s %8d %12.6g %12.4g %12.6g %12.4g %8.2f\n", width, names[k], q.numbers, q.aic,
                q.aic - ss_fit_get_statistics(fits[0]).aic, q.bic, q.bic - least_bic, q.durbin_watson);
    }
}

void cli_fit_report_text(const ss_fit* fit, const cli_fit_options* o, const cli_fit_request* r,
                         const char* title, FILE* out)
{
    int width = 6;
    for (int j = 0; j < ss_fit_parameter_count(fit); j++) {
        int length = (int)strlen(ss_fit_get_parameter(fit, j).name);
        width = length > width ? length : width;
    }
    fprintf(out, "%s\n", title);
    print_head(fit, o, out);
    print_parameters(fit, width, out);
    print_correlation(fit, width, out);
    print_traces(fit, r, out);
    print_statistics(fit, out);
    if (ss_fit_warning_count(fit) + ss_fit_note_count(fit) > 0) fputc('\n', out);
    for (int k = 0; k < ss_fit_warning_count(fit); k++)
        fprintf(out, "  warning: %s\n", ss_fit_warning(fit, k));
    for (int k = 0; k < ss_fit_note_count(fit); k++) fprintf(out, "  note: %s\n", ss_fit_note(fit, k));
}
