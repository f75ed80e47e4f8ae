// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include "command.h"
#include "lab/file/file.h"
#include "load.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cli_run cli_run_begin(const cli_run_def* def, const cli_mover* mover, void* self)
{
    return (cli_run){.def = def,
                     .mover = mover,
                     .self = self,
                     .outcome = SS_TIME_REACHED,
                     .status = CLI_DONE,
                     .moments = {.at = def->at, .every = def->every, .until = def->until},
                     .row_t = -1};
}

// While no moments are asked for, an output file has a row per event.
static bool goes_by_events(const cli_run_def* def)
{
    return def->out && def->at.count == 0 && !(def->every > 0);
}

// ---- the output file: HDF5 under a guard, text without one ----

typedef struct writing {
    cli_run* run;
    const ss_trace_def* def;
    const ss_trace_row* row;
} writing;

static ss_status create(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_create(w->def, &w->run->trace, err);
}

static ss_status add(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_add(w->run->trace, w->row, err);
}

static ss_status finish_trace(void* data, ss_error* err)
{
    writing* w = data;
    return ss_trace_finish(w->run->trace, ss_outcome_name(w->run->outcome), err);
}

static ss_status destroy(void* data, ss_error* err)
{
    writing* w = data;
    (void)err;
    ss_trace_destroy(w->run->trace);
    return SS_OK;
}

// Does one thing to the trace. Where memory runs out inside HDF5, the trace is beyond use: it is forgotten,
// and a file in the making is removed.
static ss_status write_guarded(cli_run* run, cli_guarded* work, writing* w, ss_error* err)
{
    w->run = run;
    if (!run->unfinished) return work(w, err);
    ss_status status = cli_guard_file(work, w, run->unfinished, err);
    if (cli_guard_was_left()) run->trace = NULL;
    return status;
}

static void close_trace(cli_run* run)
{
    ss_error err;
    if (run->trace) write_guarded(run, destroy, &(writing){0}, &err);
    run->trace = NULL;
}

static ss_status create_trace(cli_run* run, const ss_trace_def* def, ss_error* err)
{
    if (cli_ends_in(def->path, ".h5")) {
        char* target = ss_file_target(def->path);
        run->unfinished = target ? ss_file_temporary(target) : NULL;
        free(target);
        if (!run->unfinished) return ss_fail_no_memory(err);
    }
    return write_guarded(run, create, &(writing){.def = def}, err);
}

int cli_run_open(cli_run* run, ss_trace_def trace)
{
    if (!run->def->out) return CLI_GO_ON;
    trace.path = run->def->out;
    trace.model_text = run->def->model_text;
    ss_error err;
    ss_status status = create_trace(run, &trace, &err);
    if (status == SS_OK) return CLI_GO_ON;
    return cli_option_error("--out", run->def->out, &err);
}

bool cli_run_keep_going(cli_run* run, double t)
{
    cli_progress_update(&run->progress, run->def->until > 0 ? t / run->def->until : 1);
    return !cli_interrupted() && !run->mover->out_of_memory(run->self);
}

// ---- rows ----

static void stop_unfinished(cli_run* run)
{
    run->status = CLI_UNFINISHED;
    run->outcome = SS_INTERRUPTED;
}

static void tell_output_fault(cli_run* run, const ss_error* err)
{
    cli_progress_end(&run->progress);
    cli_option_fault("--out", run->def->out, "%s", err->text);
    close_trace(run);
    stop_unfinished(run);
}

static void write_row(cli_run* run, const ss_trace_row* row)
{
    ss_error err;
    if (!run->trace || row->t <= run->row_t) return;
    run->row_t = row->t;
    if (write_guarded(run, add, &(writing){.row = row}, &err) != SS_OK) tell_output_fault(run, &err);
}

static void look_and_write(cli_run* run, double t)
{
    ss_trace_row row = run->mover->look(run->self, t);
    write_row(run, &row);
}

// ---- the way ----

// How an advance towards t went. True if the run may go on, or all rests and the moment t looks as now.
static bool take_stock(cli_run* run, double t, ss_status status, ss_error* err)
{
    if (status != SS_OK) {
        cli_progress_end(&run->progress);
        cli_tell_in(run->def->document, err);
        stop_unfinished(run);
        return false;
    }
    if (cli_interrupted() && t < run->def->until) run->outcome = SS_INTERRUPTED;
    return run->outcome == SS_AT_REST || run->outcome == SS_TIME_REACHED;
}

// Goes to time t or the end of the motion.
static bool go_to(cli_run* run, double t)
{
    ss_error err;
    if (run->status == CLI_UNFINISHED) return false;
    return take_stock(run, t, run->mover->advance(run->self, t, &run->outcome, &err), &err);
}

// Goes to the end and asks for the verdict.
static void go_to_end(cli_run* run)
{
    if (go_to(run, run->def->until) && run->outcome == SS_TIME_REACHED)
        run->outcome = run->mover->conclude(run->self);
}

// The moments that were asked for, then the end.
static void go_by_moments(cli_run* run)
{
    for (double t = cli_moments_next(&run->moments); isfinite(t); t = cli_moments_next(&run->moments)) {
        if (!go_to(run, t)) return;
        ss_trace_row row = run->mover->look(run->self, t);
        if (run->def->keep_samples) run->mover->keep(run->self, &row);
        write_row(run, &row);
    }
    go_to_end(run);
}

// Rows at the start, at every event and at the end.
static void go_by_events(cli_run* run)
{
    bool at_event = true;
    if (!go_to(run, 0)) return;
    look_and_write(run, 0);
    while (at_event && run->outcome == SS_TIME_REACHED && run->status != CLI_UNFINISHED) {
        ss_error err;
        ss_status status =
            run->mover->advance_to_event(run->self, run->def->until, &at_event, &run->outcome, &err);
        bool goes_on = take_stock(run, run->def->until, status, &err);
        if (at_event) look_and_write(run, run->mover->time(run->self));
        if (!goes_on && run->outcome == SS_INTERRUPTED) return;
    }
    go_to_end(run);
    look_and_write(run, run->mover->time(run->self));
}

static void finish(cli_run* run)
{
    ss_error err;
    cli_progress_end(&run->progress);
    if (run->mover->out_of_memory(run->self)) {
        fputs("out of memory\n", stderr);
        run->status = CLI_UNFINISHED;
    }
    if (run->trace && write_guarded(run, finish_trace, &(writing){0}, &err) != SS_OK)
        tell_output_fault(run, &err);
    if (run->outcome == SS_EVENT_LIMIT || run->outcome == SS_INTERRUPTED) run->status = CLI_UNFINISHED;
}

void cli_run_go(cli_run* run)
{
    run->progress = cli_progress_begin();
    if (goes_by_events(run->def))
        go_by_events(run);
    else
        go_by_moments(run);
    finish(run);
}

void cli_run_end(cli_run* run)
{
    close_trace(run);
    free(run->unfinished);
    run->unfinished = NULL;
}
