// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "command/run.h"

#include "base/memory.h"
#include "base/progress.h"
#include "command.h"
#include "share/file.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"
#include "slipstick/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct run {
    const cli_run_def* def;
    ss_motion* motion;
    int status;
    ss_trace* trace;
    char* unfinished; // name of the trace's file in the making, while HDF5 writes it
    cli_progress progress;
    double kept; // numbers in memory
    bool too_many, went;
} run;

// ---- the output file: HDF5 and MAT under a guard, text without one

typedef struct writing {
    run* run;
    const ss_trace_def* def;
    const ss_moment* moment;
} writing;

static ss_status create(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_create(w->def, &w->run->trace, err);
}

static ss_status add(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_add(w->run->trace, w->moment, err);
}

static ss_status finish_trace(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_finish(w->run->trace, ss_outcome_name(w->run->motion->outcome), err);
}

static ss_status destroy(void* data, ss_error* err)
{
    writing* w = data;
    (void)err;
    ss_trace_destroy(w->run->trace);
    return SS_OK;
}

// Does one thing to the trace. Where memory runs out inside a library, the trace is beyond use: it is
// forgotten, and a file in the making is removed.
static ss_status write_guarded(run* r, cli_guarded* work, writing* w, ss_error* err)
{
    w->run = r;
    if (!r->unfinished) return work(w, err);
    ss_status status = cli_guard_file(work, w, r->unfinished, err);
    if (cli_guard_was_left()) r->trace = NULL;
    return status;
}

static void close_trace(run* r)
{
    ss_error err;
    if (r->trace) write_guarded(r, destroy, &(writing){0}, &err);
    r->trace = NULL;
}

static ss_status create_trace(run* r, const ss_trace_def* def, ss_error* err)
{
    if (cli_ends_in(def->path, ".h5") || cli_ends_in(def->path, ".mat")) {
        r->unfinished = ss_file_unfinished(def->path);
        if (!r->unfinished) return ss_fail_no_memory(err);
    }
    return write_guarded(r, create, &(writing){.def = def}, err);
}

static int open_trace(run* r)
{
    const cli_run_def* def = r->def;
    ss_trace_def trace = {.path = def->out,
                          .model = def->loaded->model,
                          .slider = def->loaded->slider,
                          .model_text = def->model_text,
                          .made = def->made,
                          .directions = def->directions,
                          .direction_count = def->direction_count};
    ss_error err;
    if (!def->out || create_trace(r, &trace, &err) == SS_OK) return CLI_GO_ON;
    return cli_option_error("--out", def->out, &err);
}

static void report_output_fault(run* r, const ss_error* err)
{
    cli_progress_end(&r->progress);
    cli_option_fault("--out", r->def->out, "%s", err->text);
    close_trace(r);
    r->status = CLI_UNFINISHED;
}

// ---- what the motion calls

// Numbers of a sample, with those of its derivatives.
static double numbers_of_row(const cli_run_def* def)
{
    const ss_model* model = def->loaded->model;
    if (!model) return 7.0 + 3.0 * ss_slider_support_count(def->loaded->slider);
    int contacts = ss_model_contact_count(model), width = 2 * ss_model_body_count(model) + contacts +
                                                          ss_model_state_count(model) +
                                                          ss_model_signal_count(model);
    for (int i = 0; i < contacts; i++) width += ss_moment_elements(model, i);
    return 1.0 + (double)width * (1.0 + def->direction_count);
}

// Counts what is kept for the answer. Beyond some GB nobody reads it, and other programs suffer; a file takes
// as many rows as the disk does.
static bool has_room(run* r)
{
    const double most = 2e7; // numbers; as JSON, each takes some 90 bytes before it is printed
    const cli_run_def* def = r->def;
    if (!def->keep_samples || !(def->every > 0)) return true;
    r->kept += numbers_of_row(def);
    if (r->kept <= most) return true;
    char text[32];
    snprintf(text, sizeof text, "%g s", def->every);
    cli_progress_end(&r->progress);
    cli_option_fault(
        "--every", text,
        "too many samples to keep in memory (%.3g until t = %g s); choose a larger step, or write "
        "them with --out FILE.csv and without --json, which keeps none",
        floor(def->until / def->every) + 1.0, def->until);
    close_trace(r); // unfinished: no file stays behind
    r->too_many = true;
    return false;
}

static bool on_moment(void* user, const ss_moment* moment)
{
    run* r = user;
    ss_error err;
    if (!has_room(r)) return false;
    if (!r->trace) return true;
    if (write_guarded(r, add, &(writing){.moment = moment}, &err) == SS_OK) return true;
    report_output_fault(r, &err);
    return false;
}

static bool keep_going(void* user, double t)
{
    run* r = user;
    cli_progress_update(&r->progress, r->def->until > 0 ? t / r->def->until : 1);
    return !cli_interrupted();
}

// ---- the motion

ss_motion_def cli_run_motion_def(const cli_run_def* def)
{
    ss_motion_def motion = ss_motion_def_default();
    motion.until = def->until;
    motion.tolerance = def->tolerance;
    motion.max_events = def->max_events;
    motion.escape = def->escape;
    motion.sketch = def->sketch;
    motion.sketch_from = def->sketch_from;
    motion.sketch_to = def->sketch_to;
    return motion;
}

static int make_motion(run* r)
{
    const cli_run_def* def = r->def;
    bool by_events = def->out && def->at.count == 0 && !(def->every > 0);
    ss_motion_def motion = cli_run_motion_def(def);
    motion.at = def->at.items;
    motion.at_count = def->at.count;
    motion.every = def->every;
    motion.directions = def->directions;
    motion.direction_count = def->direction_count;
    motion.at_events = by_events; // while no moments are asked for, an output file has a row per event
    motion.keep = def->keep_samples && !by_events;
    motion.on_moment = on_moment;
    motion.keep_going = keep_going;
    motion.user = r;
    ss_error err;
    const cli_loaded* loaded = def->loaded;
    ss_status made = loaded->slider ? ss_motion_create_sliding(loaded->slider, &motion, &r->motion, &err)
                                    : ss_motion_create(loaded->model, &motion, &r->motion, &err);
    return made == SS_OK ? CLI_GO_ON : cli_print_error_in(loaded->document, &err);
}

static void go(run* r)
{
    ss_error err;
    r->progress = cli_progress_begin();
    ss_status status = ss_motion_run(r->motion, &err);
    cli_progress_end(&r->progress);
    if (status != SS_OK) {
        cli_print_error_in(r->def->loaded->document, &err);
        r->status = CLI_UNFINISHED;
    }
    if (r->trace && write_guarded(r, finish_trace, &(writing){0}, &err) != SS_OK)
        report_output_fault(r, &err);
    if (r->motion->outcome == SS_EVENT_LIMIT || r->motion->outcome == SS_INTERRUPTED)
        r->status = CLI_UNFINISHED;
}

int cli_run(const cli_run_def* def, ss_motion** out)
{
    run r = {.def = def, .status = CLI_DONE};
    int status = make_motion(&r);
    if (status == CLI_GO_ON) status = open_trace(&r);
    if (status == CLI_GO_ON) {
        go(&r);
        r.went = true;
        status = r.too_many ? CLI_WRONG : r.status;
    }
    if (!r.went || r.too_many) {
        ss_motion_destroy(r.motion);
        r.motion = NULL;
    }
    close_trace(&r);
    free(r.unfinished);
    *out = r.motion;
    return status;
}
