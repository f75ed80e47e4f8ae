// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/cycle_orbit.h"

#include "command.h"
#include "slipstick/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 400 }; // of a file, besides the first

int cli_orbit_check(cli_orbit* orbit, const cli_loaded* loaded)
{
    if (orbit->out && !ss_trace_knows(orbit->out))
        return cli_option_fault("--out", orbit->out, "the name must end in .csv, .h5 or .mat");
    if (orbit->plot.options.path && !orbit->plot.options.view) orbit->plot.options.view = "phase";
    int status = cli_plot_sheet(&orbit->plot.options, &orbit->plot.sheet);
    return status == CLI_GO_ON ? cli_motion_plot_check(&orbit->plot, loaded) : status;
}

static ss_status set(ss_document* document, double value, const char* path, ss_error* err)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return ss_document_set(document, path, text, "--out", err);
}

// Where memory of this name stands in the document: "sampled.servo.memory.sum".
static bool find_memory(const ss_document* document, const char* name, char* out, size_t size)
{
    const ss_node* sampled = ss_node_find(ss_document_root(document), "sampled");
    for (const ss_node* block = sampled ? ss_node_first(sampled) : NULL; block; block = ss_node_next(block)) {
        const ss_node* memory = ss_node_find(block, "memory");
        if (!memory || !ss_node_find(memory, name)) continue;
        snprintf(out, size, "sampled.%.100s.memory.%.100s", ss_node_key(block), name);
        return true;
    }
    return false;
}

// Puts the start of the model onto the cycle.
static ss_status set_start(ss_document* document, const ss_model* model, const ss_cycle* cycle, ss_error* err)
{
    ss_status status = SS_OK;
    char path[300];
    const double* numbers = ss_cycle_states(cycle);
    for (int b = 0; b < ss_model_body_count(model) && status == SS_OK; b++) {
        if (ss_model_body_is_driven(model, b)) continue;
        snprintf(path, sizeof path, "start.%.200s.x", ss_model_body_name(model, b));
        status = set(document, ss_cycle_x(cycle)[b], path, err);
        snprintf(path, sizeof path, "start.%.200s.v", ss_model_body_name(model, b));
        if (status == SS_OK) status = set(document, ss_cycle_v(cycle)[b], path, err);
    }
    int states = ss_model_state_count(model), first = 0;
    for (int k = 0; k < states && status == SS_OK; k++) {
        snprintf(path, sizeof path, "states.%.200s.start", ss_model_number_name(model, k));
        status = set(document, *numbers++, path, err);
    }
    for (int c = 0; c < ss_model_contact_count(model) && status == SS_OK; c++) {
        int elements = ss_model_contact_elements(model, c);
        if (!ss_model_contact_has_bristles(model, c)) continue;
        snprintf(path, sizeof path, "start.contacts.%.200s.z", ss_model_contact_name(model, c));
        if (elements == 0) status = set(document, *numbers, path, err);
        numbers += elements > 0 ? elements : 1;
    }
    for (int kind = 0; kind < SS_NUMBER_KINDS - 1; kind++) first += ss_model_number_count(model, kind);
    for (int k = 0; k < ss_model_number_count(model, SS_NUMBER_KINDS - 1) && status == SS_OK; k++)
        if (find_memory(document, ss_model_number_name(model, first + k), path, sizeof path))
            status = set(document, *numbers++, path, err);
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
        int code = cli_tell(&err);
        cli_unload(&there);
        return code;
    }
    double period = ss_cycle_period(cycle);
    cli_run_def def = {.loaded = &there,
                       .until = period,
                       .every = orbit->out ? period / ROWS : 0.0,
                       .escape = INFINITY,
                       .tolerance = fmin(common->tolerance, 1e-12),
                       .max_events = common->max_events,
                       .sketch = orbit->plot.options.path != NULL,
                       .out = orbit->out,
                       .model_text = model_text};
    ss_motion* motion = NULL;
    int status = cli_run(&def, &motion);
    if (status == CLI_DONE && orbit->plot.options.path)
        status = cli_motion_plot_draw(&orbit->plot, &def, motion);
    ss_motion_destroy(motion);
    cli_unload(&there);
    return status;
}
