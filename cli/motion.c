// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion.h"

#include "command.h"
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct mover {
    cli_run run;
    cli_motion* motion;
    ss_sim* sim;
} mover;

// ---- what the simulation calls ----

static void on_event(void* user, const ss_event* event)
{
    cli_record_event(&((mover*)user)->motion->record, event);
}

static void on_note(void* user, const ss_note* note)
{
    cli_record_note(&((mover*)user)->motion->record, note);
}

static void on_branch(void* user, const ss_branch* branch)
{
    cli_record_branch(&((mover*)user)->motion->record, branch);
}

static bool keep_going(void* user, double t) { return cli_run_keep_going(&((mover*)user)->run, t); }

// ---- what the run calls ----

static ss_status advance(void* self, double t, ss_outcome* outcome, ss_error* err)
{
    return ss_sim_advance(((mover*)self)->sim, t, outcome, err);
}

static ss_status advance_to_event(void* self, double t, bool* at_event, ss_outcome* outcome, ss_error* err)
{
    return ss_sim_advance_to_event(((mover*)self)->sim, t, at_event, outcome, err);
}

static ss_outcome conclude(void* self) { return ss_sim_conclude(((mover*)self)->sim); }

static double time_of(const void* self) { return ss_sim_time(((const mover*)self)->sim); }

static ss_trace_row look(void* self, double t)
{
    const mover* mv = self;
    cli_motion* m = mv->motion;
    const double *x = ss_sim_x(mv->sim), *v = ss_sim_v(mv->sim);
    m->t = t;
    for (int b = 0; b < m->record.bodies; b++) {
        m->x[b] = x[b];
        m->v[b] = v[b];
    }
    double* deflections = m->deflections;
    for (int c = 0; c < m->record.contacts; c++) {
        int elements = ss_trace_elements(m->model, c);
        m->contacts[c] = ss_sim_contact(mv->sim, c);
        if (elements > 0) ss_sim_deflections(mv->sim, c, deflections);
        deflections += elements;
    }
    return cli_motion_end(m);
}

static void keep(void* self, const ss_trace_row* row)
{
    cli_record_sample(&((mover*)self)->motion->record, row);
}

static bool out_of_memory(const void* self) { return ((const mover*)self)->motion->record.out_of_memory; }

static const cli_mover moving_bodies = {advance, advance_to_event, conclude, time_of, look,
                                        keep,    out_of_memory};

// ---- making and ending a run ----

static int make_motion(const ss_model* model, cli_motion* m)
{
    *m = (cli_motion){.model = model, .outcome = SS_TIME_REACHED, .record = cli_record_begin(model)};
    size_t bodies = (size_t)m->record.bodies + 1, contacts = (size_t)m->record.contacts + 1;
    m->x = calloc(bodies, sizeof *m->x);
    m->v = calloc(bodies, sizeof *m->v);
    m->limit_x = calloc(bodies, sizeof *m->limit_x);
    m->contacts = calloc(contacts, sizeof *m->contacts);
    m->deflections = calloc((size_t)m->record.elements + 1, sizeof *m->deflections);
    return m->x && m->v && m->limit_x && m->contacts && m->deflections ? CLI_GO_ON : cli_no_memory();
}

static int make_simulation(mover* mv, const ss_model* model, const cli_run_def* def)
{
    ss_sim_def sim = ss_sim_def_default();
    sim.tolerance = def->tolerance;
    sim.max_events = def->max_events;
    sim.escape = def->escape;
    sim.on_event = on_event;
    sim.on_note = on_note;
    sim.on_branch = on_branch;
    sim.keep_going = keep_going;
    sim.user = mv;
    ss_error err;
    return ss_sim_create(model, &sim, &mv->sim, &err) == SS_OK ? CLI_GO_ON : cli_tell_in(def->document, &err);
}

static void go(mover* mv)
{
    cli_motion* m = mv->motion;
    cli_run_go(&mv->run);
    look(mv, ss_sim_time(mv->sim));
    m->outcome = mv->run.outcome;
    m->energy = ss_sim_energy(mv->sim);
    for (int c = 0; c < m->record.contacts; c++) { // branches that no reversal has ended
        ss_branch branch = ss_sim_branch(mv->sim, c);
        if (branch.from != branch.to) cli_record_branch(&m->record, &branch);
    }
    m->settles = m->outcome == SS_TIME_REACHED && ss_sim_settles(mv->sim, m->limit_x);
}

int cli_motion_run(const cli_run_def* def, const ss_model* model, cli_motion* motion)
{
    mover mv = {.motion = motion};
    mv.run = cli_run_begin(def, &moving_bodies, &mv);
    int status = make_motion(model, motion);
    if (status == CLI_GO_ON) status = make_simulation(&mv, model, def);
    if (status == CLI_GO_ON) status = cli_run_open(&mv.run, (ss_trace_def){.model = model});
    if (status == CLI_GO_ON) {
        go(&mv);
        status = mv.run.status;
    } else {
        motion->model = NULL;
    }
    cli_run_end(&mv.run);
    ss_sim_destroy(mv.sim);
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
