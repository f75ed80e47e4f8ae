// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies as that which moves.
#include "core/error.h"
#include "engine/flow/open_series.h"
#include "engine/loop.h"
#include "motion/recorder.h"
#include "share/derivative.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <math.h>
#include <string.h>

static void on_event(void* user, const ss_event* event)
{
    ss_recorder* r = user;
    double* derivatives = r->present.derivatives; // room for one number per direction
    for (int j = 0; j < r->record.directions && r->derivative; j++)
        ss_derivative_event(r->derivative, j, ss_half_of(r->shown.model, event->contact, event->side),
                            &derivatives[j]);
    ss_record_add_event(&r->record, event, derivatives);
}

static void on_branch(void* user, const ss_branch* branch)
{
    ss_record_add_branch(&((ss_recorder*)user)->record, branch);
}

// A copy of a start, so that the motion can be followed once more; true where none is given.
static bool copy_start(const double from[], int bodies, double** out)
{
    if (!from) return true;
    *out = ss_new((size_t)bodies, sizeof **out);
    if (*out) memcpy(*out, from, (size_t)bodies * sizeof **out);
    return *out != NULL;
}

// Restarts the run that an earlier motion left, or makes one.
static ss_status take_run(ss_recorder* r, const ss_sim_def* def, ss_error* err)
{
    ss_sim** spare = r->def.spare;
    if (!spare || !*spare) return ss_sim_create(r->shown.model, def, &r->sim, err);
    r->sim = *spare;
    *spare = NULL;
    if (ss_sim_redefine(r->sim, def)) return ss_sim_restart(r->sim, def->start_x, def->start_v, err);
    ss_sim_destroy(r->sim);
    return ss_sim_create(r->shown.model, def, &r->sim, err);
}

static void give_back(ss_recorder* r)
{
    ss_sim** spare = r->def.spare;
    if (!spare || *spare || r->derivative) return;
    *spare = r->sim;
    r->sim = NULL;
}

static ss_status make_simulation(ss_recorder* r, ss_error* err)
{
    ss_sim_def def = ss_sim_def_default();
    def.start_x = r->present.start_x;
    def.start_v = r->present.start_v;
    def.tolerance = r->def.tolerance;
    def.max_events = r->def.max_events;
    def.escape = r->def.escape;
    def.on_event = on_event;
    def.on_note = ss_recorder_note;
    def.on_branch = on_branch;
    def.keep_going = ss_recorder_keeps_going;
    def.user = r;
    ss_status status = take_run(r, &def, err);
    if (status != SS_OK || r->record.directions == 0) return status;
    status =
        ss_derivative_create(r->shown.model, r->def.directions, r->def.direction_count, &r->derivative, err);
    return status == SS_OK ? ss_derivative_attach(r->derivative, r->sim, err) : status;
}

static ss_status create(ss_recorder* r, ss_error* err)
{
    const ss_model* model = r->shown.model;
    ss_record* record = &r->record;
    ss_present* p = &r->present;
    record->bodies = ss_model_body_count(model);
    record->contacts = ss_model_contact_count(model);
    for (int c = 0; c < record->contacts; c++) record->elements += ss_moment_elements(model, c);
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) record->numbers += ss_model_number_count(model, kind);
    record->directions = r->shown.direction_count = r->def.direction_count;
    r->shown.directions = r->def.directions;
    record->derivative_width = 2 * record->bodies + record->contacts + record->numbers;
    p->derivatives = ss_new((size_t)(record->directions * (record->derivative_width + 1)), sizeof(double));
    p->numbers = ss_new((size_t)record->numbers, sizeof *p->numbers);
    p->x = ss_new((size_t)record->bodies, sizeof *p->x);
    p->v = ss_new((size_t)record->bodies, sizeof *p->v);
    p->limit_x = ss_new((size_t)record->bodies, sizeof *p->limit_x);
    p->limit_states = ss_new((size_t)ss_model_state_count(model), sizeof *p->limit_states);
    p->contacts = ss_new((size_t)record->contacts, sizeof *p->contacts);
    p->deflections = ss_new((size_t)record->elements, sizeof *p->deflections);
    if (!p->x || !p->v || !p->limit_x || !p->limit_states || !p->contacts || !p->deflections || !p->numbers ||
        !p->derivatives || !copy_start(r->def.start_x, record->bodies, &p->start_x) ||
        !copy_start(r->def.start_v, record->bodies, &p->start_v))
        return ss_fail_no_memory(err);
    return make_simulation(r, err);
}

static void destroy(ss_recorder* r)
{
    ss_derivative_destroy(r->derivative);
    ss_sim_destroy(r->sim);
}

static ss_status advance(ss_recorder* r, double t, ss_outcome* outcome, ss_error* err)
{
    return ss_sim_advance(r->sim, t, outcome, err);
}

static ss_status advance_to_event(ss_recorder* r, double t, bool* at_event, ss_outcome* outcome,
                                  ss_error* err)
{
    return ss_sim_advance_to_event(r->sim, t, at_event, outcome, err);
}

static ss_outcome conclude(ss_recorder* r) { return ss_sim_conclude(r->sim); }

static double time_of(const ss_recorder* r) { return ss_sim_time(r->sim); }

static void look_at_derivatives(ss_recorder* r)
{
    const ss_record* record = &r->record;
    for (int j = 0; j < record->directions && !r->ahead.under_way; j++) {
        double* out = r->present.derivatives + (size_t)j * (size_t)record->derivative_width;
        ss_derivative_bodies(r->derivative, j, out, out + record->bodies);
        ss_derivative_forces(r->derivative, j, out + 2 * record->bodies);
        ss_derivative_numbers(r->derivative, j, out + 2 * record->bodies + record->contacts);
    }
}

static ss_moment show(const ss_present* p, double t)
{
    return (ss_moment){.t = t,
                       .x = p->x,
                       .v = p->v,
                       .contacts = p->contacts,
                       .deflections = p->deflections,
                       .numbers = p->numbers,
                       .derivatives = p->derivatives};
}

static void look_at_deflections(ss_recorder* r)
{
    double* deflections = r->present.deflections;
    for (int c = 0; c < r->record.contacts; c++) {
        int elements = ss_moment_elements(r->shown.model, c);
        if (elements > 0) ss_sim_deflections(r->sim, c, deflections);
        deflections += elements;
    }
}

static ss_moment look(ss_recorder* r, double t)
{
    ss_present* p = &r->present;
    size_t bodies = (size_t)r->record.bodies;
    memcpy(p->x, ss_sim_x(r->sim), bodies * sizeof *p->x);
    memcpy(p->v, ss_sim_v(r->sim), bodies * sizeof *p->v);
    for (int c = 0; c < r->record.contacts; c++) p->contacts[c] = ss_sim_contact(r->sim, c);
    look_at_deflections(r);
    ss_sim_numbers(r->sim, p->numbers);
    if (r->record.numbers > 0)
        ss_open_signals_at(r->sim, t, p->numbers + ss_model_state_count(r->shown.model));
    look_at_derivatives(r);
    return show(p, t);
}

// Deflections do not jump: they are on both sides what they are now.
static ss_moment look_before(ss_recorder* r, double t)
{
    ss_instant instant = ss_sim_instant(r->sim);
    look_at_deflections(r);
    for (int k = 0; k < r->record.directions * r->record.derivative_width; k++)
        r->present.derivatives[k] = NAN; // they are told after an instant only
    return (ss_moment){.t = t,
                       .x = instant.x,
                       .v = instant.v,
                       .contacts = instant.contacts,
                       .deflections = r->present.deflections,
                       .numbers = instant.numbers,
                       .derivatives = r->present.derivatives};
}

static void finish(ss_recorder* r)
{
    r->shown.energy = ss_sim_energy(r->sim);
    for (int c = 0; c < r->record.contacts; c++) { // branches that no reversal has ended
        ss_branch branch = ss_sim_branch(r->sim, c);
        if (branch.from != branch.to) ss_record_add_branch(&r->record, &branch);
    }
    r->shown.limit_x = r->present.limit_x;
    r->shown.settles = r->shown.outcome == SS_TIME_REACHED && ss_sim_settles(r->sim, r->present.limit_x);
    const double* states = ss_sim_limit_states(r->sim);
    r->shown.limit_states = states ? r->present.limit_states : NULL;
    if (r->shown.settles && states) // they are the run's, which may soon be another motion's
        memcpy(r->present.limit_states, states,
               (size_t)ss_model_state_count(r->shown.model) * sizeof(double));
}

// ---- for sketches

// A leap is looked at step by step only where its steps can be told apart.
static ss_stretch reach(ss_recorder* r, double until)
{
    static const double apart = 0.125; // of the time between two instants that are taken evenly
    ss_step_part* part = &r->ahead.step;
    *part = ss_step_before(r->sim, until);
    bool far = ss_step_leaps(r->sim) && part->end - ss_sim_time(r->sim) < apart * r->store->grid;
    return (ss_stretch){part->end, far ? SS_AHEAD_FAR : part->used_up ? SS_AHEAD_NOTHING : SS_AHEAD_KNOWN};
}

static void peek(ss_recorder* r, double share)
{
    const ss_step_part* part = &r->ahead.step;
    r->ahead.under_way = true;
    ss_step_look(r->sim, share < 1.0 ? part->from + share * (part->to - part->from) : part->to);
}

static void put_back(ss_recorder* r)
{
    ss_step_look(r->sim, r->ahead.step.from);
    r->ahead.under_way = false;
}

const ss_recorder_source ss_bodies_source = {.create = create,
                                             .destroy = destroy,
                                             .advance = advance,
                                             .advance_to_event = advance_to_event,
                                             .conclude = conclude,
                                             .time = time_of,
                                             .look = look,
                                             .look_before = look_before,
                                             .finish = finish,
                                             .give_back = give_back,
                                             .reach = reach,
                                             .peek = peek,
                                             .put_back = put_back};
