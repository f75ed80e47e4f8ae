// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion.h"

#include "command.h"
#include "load.h"
#include "moments.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// While no moments are asked for, an output file has a row per event, so the run must stop at events, which
// are known only once passed. A scout runs ahead in this many strides, the run proper follows and stops.
enum { STRIDES = 256 };

typedef struct run {
    const cli_motion_def* def;
    cli_motion* motion;
    ss_sim *sim, *scout;
    ss_trace* trace;
    cli_progress progress;
    double row_t;       // time of the last row written
    cli_record scouted; // events the scout has seen
    cli_moments moments;
    int status;
} run;

// ---- what the simulation calls
// -----------------------------------------------------------------------------

static void on_event(void* user, const ss_event* event)
{
    cli_record_event(&((run*)user)->motion->record, event);
}

static void on_note(void* user, const ss_note* note) { cli_record_note(&((run*)user)->motion->record, note); }

static void on_branch(void* user, const ss_branch* branch)
{
    cli_record_branch(&((run*)user)->motion->record, branch);
}

static void on_scouted(void* user, const ss_event* event) { cli_record_event(&((run*)user)->scouted, event); }

static bool keep_going(void* user, double t)
{
    run* r = user;
    cli_progress_update(&r->progress, r->def->until > 0 ? t / r->def->until : 1);
    return !cli_interrupted() && !r->motion->record.out_of_memory && !r->scouted.out_of_memory;
}

// ---- the run
// -----------------------------------------------------------------------------------------------

static void tell_output_fault(run* r, ss_error* err)
{
    cli_progress_end(&r->progress);
    cli_option_fault("--out", r->def->out, "%s", err->text);
    ss_trace_destroy(r->trace);
    r->trace = NULL;
    r->status = CLI_UNFINISHED;
    r->motion->outcome = SS_INTERRUPTED;
}

// Copies the present state to the answer, as of time t.
static void look(run* r, double t)
{
    cli_motion* m = r->motion;
    const double *x = ss_sim_x(r->sim), *v = ss_sim_v(r->sim);
    m->t = t;
    for (int b = 0; b < m->record.bodies; b++) {
        m->x[b] = x[b];
        m->v[b] = v[b];
    }
    double* deflections = m->deflections;
    for (int c = 0; c < m->record.contacts; c++) {
        int elements = ss_trace_elements(m->model, c);
        m->contacts[c] = ss_sim_contact(r->sim, c);
        if (elements > 0) ss_sim_deflections(r->sim, c, deflections);
        deflections += elements;
    }
}

static void write_row(run* r, double t)
{
    if (!r->trace || t <= r->row_t) return;
    look(r, t);
    ss_trace_row row = cli_motion_end(r->motion);
    ss_error err;
    r->row_t = t;
    if (ss_trace_add(r->trace, &row, &err) != SS_OK) tell_output_fault(r, &err);
}

// Goes to time t or the end of the motion. True if t was reached, or all rests and the moment t looks as now.
static bool go_to(run* r, double t)
{
    ss_error err;
    if (r->status == CLI_UNFINISHED) return false;
    if (ss_sim_advance(r->sim, t, &r->motion->outcome, &err) != SS_OK) {
        cli_progress_end(&r->progress);
        cli_tell_in(r->def->document, &err);
        r->status = CLI_UNFINISHED;
        r->motion->outcome = SS_INTERRUPTED;
        return false;
    }
    if (cli_interrupted() && t < r->def->until) r->motion->outcome = SS_INTERRUPTED;
    return r->motion->outcome == SS_AT_REST || r->motion->outcome == SS_TIME_REACHED;
}

// Goes to the end and asks for the verdict.
static void go_to_end(run* r)
{
    if (go_to(r, r->def->until) && r->motion->outcome == SS_TIME_REACHED)
        r->motion->outcome = ss_sim_conclude(r->sim);
}

// The moments that were asked for, then the end.
static void run_moments(run* r)
{
    for (double t = cli_moments_next(&r->moments); isfinite(t); t = cli_moments_next(&r->moments)) {
        if (!go_to(r, t)) return;
        look(r, t);
        ss_trace_row row = cli_motion_end(r->motion);
        if (r->def->keep_samples) cli_record_sample(&r->motion->record, &row);
        write_row(r, t);
    }
    go_to_end(r);
}

// Rows at the start, at every event and at the end.
static void run_events(run* r)
{
    size_t passed = 0;
    ss_outcome ahead = SS_TIME_REACHED;
    if (!go_to(r, 0)) return;
    write_row(r, 0);
    for (int k = 1; k <= STRIDES && ahead == SS_TIME_REACHED; k++) {
        double stride = k < STRIDES ? r->def->until * k / STRIDES : r->def->until;
        ss_error err;
        if (ss_sim_advance(r->scout, stride, &ahead, &err) != SS_OK) break; // the run proper meets it too
        for (; passed < r->scouted.event_count; passed++) {
            double t = r->scouted.events[passed].t;
            if (t <= r->row_t) continue;
            if (!go_to(r, t)) return;
            write_row(r, t);
        }
    }
    go_to_end(r);
    write_row(r, ss_sim_time(r->sim));
}

static void finish(run* r)
{
    cli_motion* m = r->motion;
    cli_progress_end(&r->progress);
    look(r, ss_sim_time(r->sim));
    m->energy = ss_sim_energy(r->sim);
    for (int c = 0; c < m->record.contacts; c++) { // branches that no reversal has ended
        ss_branch branch = ss_sim_branch(r->sim, c);
        if (branch.from != branch.to) cli_record_branch(&m->record, &branch);
    }
    m->settles = m->outcome == SS_TIME_REACHED && ss_sim_settles(r->sim, m->limit_x);
    if (m->record.out_of_memory || r->scouted.out_of_memory) {
        fputs("out of memory\n", stderr);
        r->status = CLI_UNFINISHED;
    }
    ss_error err;
    if (r->trace && ss_trace_finish(r->trace, ss_outcome_name(m->outcome), &err) != SS_OK)
        tell_output_fault(r, &err);
    if (m->outcome == SS_EVENT_LIMIT || m->outcome == SS_INTERRUPTED) r->status = CLI_UNFINISHED;
}

// ---- making and ending a run
// -------------------------------------------------------------------------------

static int no_memory(void)
{
    fputs("out of memory\n", stderr);
    return CLI_UNFINISHED;
}

static int make_motion(const ss_model* model, cli_motion* m)
{
    *m = (cli_motion){.model = model, .outcome = SS_TIME_REACHED, .record = cli_record_begin(model)};
    size_t bodies = (size_t)m->record.bodies + 1, contacts = (size_t)m->record.contacts + 1;
    m->x = calloc(bodies, sizeof *m->x);
    m->v = calloc(bodies, sizeof *m->v);
    m->limit_x = calloc(bodies, sizeof *m->limit_x);
    m->contacts = calloc(contacts, sizeof *m->contacts);
    m->deflections = calloc((size_t)m->record.elements + 1, sizeof *m->deflections);
    return m->x && m->v && m->limit_x && m->contacts && m->deflections ? CLI_GO_ON : no_memory();
}

static int make_simulations(run* r, bool by_events)
{
    const cli_motion_def* def = r->def;
    ss_sim_def sim = ss_sim_def_default();
    sim.tolerance = def->tolerance;
    sim.max_events = def->max_events;
    sim.escape = def->escape;
    sim.on_event = on_event;
    sim.on_note = on_note;
    sim.on_branch = on_branch;
    sim.keep_going = keep_going;
    sim.user = r;
    ss_error err;
    if (ss_sim_create(def->model, &sim, &r->sim, &err) != SS_OK) return cli_tell_in(def->document, &err);
    if (!by_events) return CLI_GO_ON;
    sim.on_event = on_scouted;
    sim.on_note = NULL;
    sim.on_branch = NULL;
    sim.ledger = false;
    return ss_sim_create(def->model, &sim, &r->scout, &err) == SS_OK ? CLI_GO_ON
                                                                     : cli_tell_in(def->document, &err);
}

static int make_output(run* r)
{
    if (!r->def->out) return CLI_GO_ON;
    ss_trace_def def = {.path = r->def->out, .model = r->def->model, .model_text = r->def->model_text};
    ss_error err;
    ss_status status = ss_trace_create(&def, &r->trace, &err);
    if (status == SS_OK) return CLI_GO_ON;
    cli_option_fault("--out", r->def->out, "%s", err.text);
    return status == SS_BAD_INPUT ? CLI_WRONG : CLI_UNFINISHED;
}

int cli_motion_run(const cli_motion_def* def, cli_motion* motion)
{
    run r = {.def = def,
             .motion = motion,
             .row_t = -1,
             .status = CLI_DONE,
             .moments = {.at = def->at, .every = def->every, .until = def->until}};
    bool by_events = def->out && def->at.count == 0 && !(def->every > 0);
    int status = make_motion(def->model, motion);
    motion->max_events = def->max_events;
    if (status == CLI_GO_ON) status = make_simulations(&r, by_events);
    if (status == CLI_GO_ON) status = make_output(&r);
    if (status == CLI_GO_ON) {
        r.progress = cli_progress_begin();
        if (by_events)
            run_events(&r);
        else
            run_moments(&r);
        finish(&r);
        status = r.status;
    } else {
        motion->model = NULL;
    }
    ss_trace_destroy(r.trace);
    ss_sim_destroy(r.scout);
    ss_sim_destroy(r.sim);
    cli_record_free(&r.scouted);
    return status;
}

void cli_motion_free(cli_motion* motion)
{
    cli_record_free(&motion->record);
    free(motion->x);
    free(motion->v);
    free(motion->limit_x);
    free(motion->contacts);
    free(motion->deflections);
}

ss_trace_row cli_motion_end(const cli_motion* motion)
{
    return (ss_trace_row){.t = motion->t,
                          .x = motion->x,
                          .v = motion->v,
                          .contacts = motion->contacts,
                          .deflections = motion->deflections};
}
