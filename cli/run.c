// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include "command.h"
#include "load.h"

#include <math.h>
#include <stdio.h>

// Events are known only once passed, and a row per event means to stop at each: a scout runs ahead in this
// many strides, the run proper follows.
enum { STRIDES = 256 };

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

bool cli_run_needs_scout(const cli_run_def* def)
{
    return def->out && def->at.count == 0 && !(def->every > 0);
}

int cli_run_open(cli_run* run, ss_trace_def trace)
{
    if (!run->def->out) return CLI_GO_ON;
    trace.path = run->def->out;
    trace.model_text = run->def->model_text;
    ss_error err;
    ss_status status = ss_trace_create(&trace, &run->trace, &err);
    if (status == SS_OK) return CLI_GO_ON;
    cli_option_fault("--out", run->def->out, "%s", err.text);
    return status == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
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
    ss_trace_destroy(run->trace);
    run->trace = NULL;
    stop_unfinished(run);
}

static void write_row(cli_run* run, const ss_trace_row* row)
{
    ss_error err;
    if (!run->trace || row->t <= run->row_t) return;
    run->row_t = row->t;
    if (ss_trace_add(run->trace, row, &err) != SS_OK) tell_output_fault(run, &err);
}

static void look_and_write(cli_run* run, double t)
{
    ss_trace_row row = run->mover->look(run->self, t);
    write_row(run, &row);
}

// ---- the way ----

// Goes to time t or the end of the motion. True if t was reached, or all rests and the moment t looks as now.
static bool go_to(cli_run* run, double t)
{
    ss_error err;
    if (run->status == CLI_UNFINISHED) return false;
    if (run->mover->advance(run->self, t, &run->outcome, &err) != SS_OK) {
        cli_progress_end(&run->progress);
        cli_tell_in(run->def->document, &err);
        stop_unfinished(run);
        return false;
    }
    if (cli_interrupted() && t < run->def->until) run->outcome = SS_INTERRUPTED;
    return run->outcome == SS_AT_REST || run->outcome == SS_TIME_REACHED;
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
    size_t passed = 0;
    ss_outcome ahead = SS_TIME_REACHED;
    if (!go_to(run, 0)) return;
    look_and_write(run, 0);
    for (int k = 1; k <= STRIDES && ahead == SS_TIME_REACHED; k++) {
        double stride = k < STRIDES ? run->def->until * k / STRIDES : run->def->until;
        ss_error err;
        if (run->mover->scout(run->self, stride, &ahead, &err) != SS_OK) break; // the run proper meets it too
        for (; passed < run->mover->scouted_count(run->self); passed++) {
            double t = run->mover->scouted_time(run->self, passed);
            if (t <= run->row_t) continue;
            if (!go_to(run, t)) return;
            look_and_write(run, t);
        }
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
    if (run->trace && ss_trace_finish(run->trace, ss_outcome_name(run->outcome), &err) != SS_OK)
        tell_output_fault(run, &err);
    if (run->outcome == SS_EVENT_LIMIT || run->outcome == SS_INTERRUPTED) run->status = CLI_UNFINISHED;
}

void cli_run_go(cli_run* run)
{
    run->progress = cli_progress_begin();
    if (cli_run_needs_scout(run->def))
        go_by_events(run);
    else
        go_by_moments(run);
    finish(run);
}

void cli_run_end(cli_run* run) { ss_trace_destroy(run->trace); }
