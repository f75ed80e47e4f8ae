// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The course of a run: how it ends, and what the caller is told where it cannot go on.
#include "engine/sim.h"

#include "core/error.h"
#include "core/number_length.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ss_begin_course(ss_sim* sim)
{
    ss_course* course = &sim->course;
    course->started = course->ended = course->failed = course->diverges = false;
    course->event_count = 0;
    course->stalls = course->blind_steps = 0;
    course->end_t = 0.0;
    sim->proof.resting_since = NAN;
    sim->proof.swings = 0;
    sim->proof.ask_at = 1;
}

void ss_take_course(ss_sim* sim, const ss_sim* from)
{
    sim->course.started = true;
    sim->course.event_count = from->course.event_count;
}

void ss_reopen_run(ss_proof* proof, ss_course* course)
{
    course->ended = course->diverges = false;
    proof->resting_since = NAN;
}

void ss_clear_fault(ss_sim* sim) { sim->course.failed = false; }

void ss_count_stalls(ss_sim* sim, bool moved)
{
    sim->course.stalls = moved ? 0 : sim->course.stalls + 1;
    if (moved && ss_ends_in_event(sim)) sim->course.blind_steps = 0;
}

void ss_conclude_run(ss_course* course, ss_outcome outcome, double t)
{
    course->ended = true;
    course->outcome = outcome;
    course->end_t = t;
}

void ss_end_run(ss_step* step, ss_course* course, ss_outcome outcome, double t)
{
    ss_conclude_run(course, outcome, t);
    step->now = 0.0;
}

void ss_end_by_divergence(ss_step* step, ss_course* course)
{
    course->diverges = true;
    ss_end_run(step, course, SS_ESCAPED, step->t);
}

// The run cannot go on; whoever asks later is told the same.
ss_status ss_report_fault(ss_course* course, ss_error* err)
{
    course->failed = true;
    if (err) *err = course->fault;
    return course->fault.status;
}

void ss_name_input(ss_sim* sim, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(sim->inputs.bad, sizeof sim->inputs.bad, format, arguments);
    va_end(arguments);
}

void ss_forget_input(ss_inputs* inputs)
{
    inputs->bad[0] = inputs->fault[0] = '\0';
    inputs->negative = inputs->no_motion = false;
}

void ss_name_fault(ss_sim* sim, int contact, const char* fault)
{
    ss_name_input(sim, "contacts.%.100s", sim->model->contacts[contact].name);
    snprintf(sim->inputs.fault, sizeof sim->inputs.fault, "%s", fault);
}

ss_status ss_fail_input(ss_sim* sim, ss_error* err)
{
    const char* name = sim->inputs.bad[0] ? sim->inputs.bad : NULL;
    if (sim->inputs.negative) {
        ss_fail(&sim->course.fault, SS_BAD_INPUT, name, "becomes negative at t = %.9g s", sim->step.t);
        return ss_report_fault(&sim->course, err);
    }
    if (sim->inputs.no_motion) {
        ss_fail(&sim->course.fault, SS_BAD_INPUT, name, "%s at t = %.9g s", sim->inputs.fault, sim->step.t);
        return ss_report_fault(&sim->course, err);
    }
    ss_fail(&sim->course.fault, SS_BAD_INPUT, name, "%snot a finite, admissible number at t = %.9g s%s%s",
            name ? "" : "an input is ", sim->step.t, sim->inputs.fault[0] ? ": " : "", sim->inputs.fault);
    return ss_report_fault(&sim->course, err);
}

ss_status ss_fail_crushed(const ss_model* model, ss_course* course, int stop, double t, ss_error* err)
{
    char field[128];
    snprintf(field, sizeof field, "contacts.%.100s", model->contacts[stop].name);
    ss_fail(&course->fault, SS_BAD_INPUT, field,
            "closes at t = %.9g s on what another stop holds: no motion fits between them", t);
    return ss_report_fault(course, err);
}

// The motion has left what numbers can hold: the run ends where it was known last.
void ss_end_by_overflow(ss_sim* sim)
{
    ss_leave_step(sim);
    ss_end_run(&sim->step, &sim->course, SS_ESCAPED, sim->step.t);
}

// Whether a motion whose steps have become shorter than time can tell is on its way to infinity in finite
// time: a cubic spring that pushes can do that, x'' = c x^3 goes as 1/(t_end - t). It is asked only there.
bool ss_runs_to_infinity(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    const double far = 1e6; // times the starts: a pole passes any share of them before steps vanish
    bool pushes = model->open && !model->nature.linear; // so may expressions
    for (int c = 0; c < model->connection_count; c++) pushes = pushes || model->connections[c].cubic < 0.0;
    double size = 0.0, start = 0.0;
    for (int i = 0; i < model->n; i++) size = fmax(size, fabs(sim->step.q[i]));
    for (int b = 0; b < model->body_count; b++) start = fmax(start, fabs(sim->bodies.start_x[b]));
    return pushes && size > far * start;
}

void ss_note_now(ss_sim* sim, const char* text, const int contacts[], int count)
{
    ss_send_note(sim, sim->def.on_note, &(ss_note){sim->step.t, text, contacts, count});
}

// Of contacts that are two halves the note says the name once.
void ss_send_note(const ss_sim* sim, ss_note_sink sink, const ss_note* note)
{
    ss_note told = *note;
    if (!sink) return;
    told.contacts = sim->work.told_contacts;
    told.contact_count = 0;
    for (int k = 0; k < note->contact_count; k++) {
        int shown = ss_shown_contact(sim->model, note->contacts[k]), j = 0;
        if (shown < 0) continue; // a tie
        while (j < told.contact_count && told.contacts[j] != shown) j++;
        if (j == told.contact_count) sim->work.told_contacts[told.contact_count++] = shown;
    }
    sink(sim->def.user, &told);
}
