// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The course of a run: how it ends, and what the caller is told where it cannot go on.
#include "engine/sim.h"

#include "core/error.h"
#include "core/number_length.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void ss_begin_course(ss_proof* proof, ss_course* course)
{
    course->started = course->ended = course->failed = course->diverges = false;
    course->event_count = 0;
    course->stalls = course->blind_steps = 0;
    course->end_t = 0.0;
    proof->resting_since = NAN;
    proof->swings = 0;
    proof->ask_at = 1;
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

void ss_clear_fault(ss_course* course) { course->failed = false; }

void ss_count_stalls(const ss_step* step, ss_course* course, bool moved)
{
    course->stalls = moved ? 0 : course->stalls + 1;
    if (moved && ss_ends_in_event(step)) course->blind_steps = 0;
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

void ss_name_input(ss_inputs* inputs, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(inputs->bad, sizeof inputs->bad, format, arguments);
    va_end(arguments);
}

void ss_forget_input(ss_inputs* inputs)
{
    inputs->bad[0] = inputs->fault[0] = '\0';
    inputs->negative = inputs->no_motion = false;
}

void ss_name_fault(const ss_model* model, ss_inputs* inputs, int contact, const char* fault)
{
    ss_name_input(inputs, "contacts.%.100s", model->contacts[contact].name);
    snprintf(inputs->fault, sizeof inputs->fault, "%s", fault);
}

ss_status ss_fail_input(const ss_step* step, const ss_inputs* inputs, ss_course* course, ss_error* err)
{
    const char* name = inputs->bad[0] ? inputs->bad : NULL;
    if (inputs->negative) {
        ss_fail(&course->fault, SS_BAD_INPUT, name, "becomes negative at t = %.9g s", step->t);
        return ss_report_fault(course, err);
    }
    if (inputs->no_motion) {
        ss_fail(&course->fault, SS_BAD_INPUT, name, "%s at t = %.9g s", inputs->fault, step->t);
        return ss_report_fault(course, err);
    }
    ss_fail(&course->fault, SS_BAD_INPUT, name, "%snot a finite, admissible number at t = %.9g s%s%s",
            name ? "" : "an input is ", step->t, inputs->fault[0] ? ": " : "", inputs->fault);
    return ss_report_fault(course, err);
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
void ss_end_by_overflow(ss_step* step, ss_course* course)
{
    ss_leave_step(step);
    ss_end_run(step, course, SS_ESCAPED, step->t);
}

// Whether a motion whose steps have become shorter than time can tell is on its way to infinity in finite
// time: a cubic spring that pushes can do that, x'' = c x^3 goes as 1/(t_end - t). It is asked only there.
bool ss_runs_to_infinity(const ss_model* model, const ss_step* step, const ss_places* bodies)
{
    const double far = 1e6; // times the starts: a pole passes any share of them before steps vanish
    bool pushes = model->open && !model->nature.linear; // so may expressions
    for (int c = 0; c < model->connection_count; c++) pushes = pushes || model->connections[c].cubic < 0.0;
    double size = 0.0, start = 0.0;
    for (int i = 0; i < model->n; i++) size = fmax(size, fabs(step->q[i]));
    for (int b = 0; b < model->body_count; b++) start = fmax(start, fabs(bodies->start_x[b]));
    return pushes && size > far * start;
}

// Whether a speed or a state, of which `rate` and `change` are the derivatives, grows ever faster, and so
// much that a rounding of the time changes it: c/(t_end - t)^p does, and its logarithm.
static bool quickens(double value, double rate, double change, double rounding)
{
    const double share = 1e-3; // a logarithm that has come there is about 40 times its rate by a rounding
    bool grows = value * rate > 0.0 && rate * change > 0.0;
    return grows && fabs(rate) * rounding > share * fabs(value) &&
           fabs(change) * rounding > share * fabs(rate);
}

bool ss_quickens_to_infinity(const ss_model* model, const ss_step* step, const ss_open_run* open_run)
{
    double rounding = 64.0 * DBL_EPSILON * fabs(step->t);
    int n = model->n, states = open_run->states;
    if (!model->open || model->nature.linear || step->order < 3 || !(step->length < rounding)) return false;
    for (int i = 0; i < n; i++) {
        const double* q = step->q + i;
        if (quickens(q[n], 2.0 * q[2 * n], 6.0 * q[3 * n], rounding)) return true;
    }
    for (int j = 0; j < states; j++) {
        const double* s = step->s + j;
        if (quickens(s[0], s[states], 2.0 * s[2 * states], rounding)) return true;
    }
    return false;
}

void ss_note_now(ss_sim* sim, const char* text, const int contacts[], int count)
{
    ss_send_note(sim->model, &sim->def, &sim->work, sim->def.on_note,
                 &(ss_note){sim->step.t, text, contacts, count});
}

// Of contacts that are two halves the note says the name once.
void ss_send_note(const ss_model* model, const ss_sim_def* def, const ss_work* work, ss_note_sink sink,
                  const ss_note* note)
{
    ss_note told = *note;
    if (!sink) return;
    told.contacts = work->told_contacts;
    told.contact_count = 0;
    for (int k = 0; k < note->contact_count; k++) {
        int shown = ss_shown_contact(model, note->contacts[k]), j = 0;
        if (shown < 0) continue; // a tie
        while (j < told.contact_count && told.contacts[j] != shown) j++;
        if (j == told.contact_count) work->told_contacts[told.contact_count++] = shown;
    }
    sink(def->user, &told);
}
