// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fitting a model to recordings: what callers see.
#include "lab/fit/fit_impl.h"

#include "core/definition.h"
#include "core/error.h"
#include "core/tolerance.h"

#include <stdlib.h>
#include <string.h>

ss_fit_free ss_fit_free_default(void)
{
    return (ss_fit_free){.least = -INFINITY, .most = INFINITY, .recording = -1, .guess = NAN};
}

bool ss_fit_trace_dimension(const ss_model* model, const char* shows, ss_dimension* out)
{
    ss_quantity of;
    ss_error ignored;
    if (ss_quantity_find(model, shows, &of, &ignored) != SS_OK) return false;
    *out = ss_quantity_dimension(model, of);
    return true;
}

static ss_status allocate(ss_fit* fit, ss_error* err)
{
    size_t n = (size_t)fit->problem->n;
    fit->x = ss_new(n, sizeof *fit->x);
    fit->parameters = ss_new(n, sizeof *fit->parameters);
    fit->correlation = ss_new(n * n, sizeof *fit->correlation);
    fit->spread = ss_new(n, sizeof *fit->spread);
    fit->residuals = ss_new((size_t)fit->problem->def.trace_count, sizeof *fit->residuals);
    bool good = fit->x && fit->parameters && fit->correlation && fit->spread && fit->residuals;
    return good ? SS_OK : ss_fail_no_memory(err);
}

ss_status ss_fit_run(const ss_fit_def* given, ss_fit** out, ss_error* err)
{
    ss_fit_def own = ss_fit_def_default();
    const ss_fit_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_fit_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    *out = NULL;
    ss_fit* fit = ss_new(1, sizeof *fit);
    if (!fit) return ss_fail_no_memory(err);
    ss_fit_end end = SS_FIT_END_LIMIT;
    ss_status status = ss_fit_problem_create(def, &fit->problem, err);
    if (status == SS_OK) status = allocate(fit, err);
    if (status == SS_OK) status = ss_fit_search(fit->problem, fit->x, &end, err);
    if (status == SS_OK) status = ss_fit_judge(fit, end, err);
    if (status == SS_OK && fit->problem->effort.no_memory) status = ss_fail_no_memory(err);
    if (status == SS_OK)
        *out = fit;
    else
        ss_fit_destroy(fit);
    return status;
}

void ss_fit_destroy(ss_fit* fit)
{
    if (!fit) return;
    ss_fit_problem_destroy(fit->problem);
    free(fit->x);
    free(fit->parameters);
    free(fit->correlation);
    free(fit->spread);
    free(fit->residuals);
    free(fit->warnings);
    free(fit->notes);
    free(fit);
}

ss_fit_outcome ss_fit_get_outcome(const ss_fit* fit) { return fit->outcome; }
int ss_fit_parameter_count(const ss_fit* fit) { return fit->problem->n; }
ss_fit_parameter ss_fit_get_parameter(const ss_fit* fit, int parameter) { return fit->parameters[parameter]; }
double ss_fit_correlation(const ss_fit* fit, int a, int b)
{
    return fit->correlation[a * fit->problem->n + b];
}
int ss_fit_trace_count(const ss_fit* fit) { return fit->problem->def.trace_count; }
const char* ss_fit_trace_shows(const ss_fit* fit, int trace) { return fit->problem->columns[trace].shows; }
const char* ss_fit_trace_unit(const ss_fit* fit, int trace)
{
    const char* unit = fit->problem->columns[trace].unit;
    return strcmp(unit, "1") == 0 ? "" : unit;
}
ss_fit_residual ss_fit_get_residual(const ss_fit* fit, int trace) { return fit->residuals[trace]; }
double ss_fit_rms(const ss_fit* fit) { return fit->rms; }
ss_fit_statistics ss_fit_get_statistics(const ss_fit* fit) { return fit->statistics; }
long ss_fit_iterations(const ss_fit* fit) { return fit->problem->effort.iterations; }
long ss_fit_motions(const ss_fit* fit) { return fit->problem->effort.motions; }
int ss_fit_warning_count(const ss_fit* fit) { return fit->warning_count; }
const char* ss_fit_warning(const ss_fit* fit, int warning) { return fit->warnings[warning]; }
int ss_fit_note_count(const ss_fit* fit) { return fit->note_count; }
const char* ss_fit_note(const ss_fit* fit, int note) { return fit->notes[note]; }
