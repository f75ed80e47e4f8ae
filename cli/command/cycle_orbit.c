// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/cycle_orbit.h"

#include "command.h"
#include "slipstick/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 400 }; // of a file, besides the first

int cli_orbit_check(cli_orbit* orbit, const cli_common* common, const cli_loaded* loaded)
{
    if (orbit->out && !ss_trace_knows(orbit->out))
        return cli_option_fault("--out", orbit->out, "the name must end in .csv, .h5 or .mat");
    if (orbit->plot.options.path && !orbit->plot.options.view) orbit->plot.options.view = "phase";
    int status = cli_plot_sheet(&orbit->plot.options, common, &orbit->plot.sheet);
    return status == CLI_GO_ON ? cli_motion_plot_check(&orbit->plot, loaded) : status;
}

// Puts the start of the model onto the cycle.
static ss_status set_start(ss_document* document, const ss_model* model, const ss_cycle* cycle, ss_error* err)
{
    ss_status status = SS_OK;
    char path[500], text[40];
    double value;
    for (int k = 0;
         ss_cycle_start_number(cycle, model, document, k, path, sizeof path, &value) && status == SS_OK;
         k++) {
        snprintf(text, sizeof text, "%.17g", value);
        status = ss_document_set(document, path, text, "--out", err);
    }
    return status;
}

int cli_orbit_make(const cli_orbit* orbit, const cli_loaded* loaded, const cli_common* common,
                   const ss_cycle* cycle, const char* model_text)
{
    if (!orbit->out && !orbit->plot.options.path) return CLI_DONE;
    cli_loaded there = {0};
    ss_error err;
    ss_status made = ss_document_clone(loaded->document, &there.document, &err);
    if (made == SS_OK) made = set_start(there.document, loaded->model, cycle, &err);
    if (made == SS_OK) made = ss_model_create_from_document(there.document, &there.model, &err);
    if (made != SS_OK) {
        int code = cli_print_error(&err);
        cli_unload(&there);
        return code;
    }
    double period = ss_cycle_period(cycle);
    char line[CLI_MADE_LINE];
    cli_run_def def = {.loaded = &there,
                       .until = period,
                       .every = orbit->out ? period / ROWS : 0.0,
                       .escape = INFINITY,
                       .tolerance = fmin(common->tolerance, 1e-12),
                       .max_events = common->max_events,
                       .sketch = orbit->plot.options.path != NULL,
                       .out = orbit->out,
                       .model_text = model_text,
                       .made = cli_made_line(common, line)};
    ss_motion* motion = NULL;
    int status = cli_run(&def, &motion);
    if (status == CLI_DONE && orbit->plot.options.path)
        status = cli_motion_plot_draw(&orbit->plot, &def, motion);
    ss_motion_destroy(motion);
    cli_unload(&there);
    return status;
}
