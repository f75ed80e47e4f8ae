// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The rig's parts: each adds one element to the definition and checks that there is room.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void need(ss_status status, const ss_error* err)
{
    char text[1024];
    if (status != SS_OK) fail_msg("%s", ss_error_format(err, text, sizeof text));
}

void rig_init(rig* r)
{
    memset(r, 0, sizeof *r);
    r->def = ss_system_def_default();
    r->def.title = "rig";
    r->def.bodies = r->bodies;
    r->def.connections = r->connections;
    r->def.contacts = r->contacts;
    r->def.forces = r->forces;
    r->def.ties = r->ties;
}

static const char* new_name(rig* r, char letter, int number)
{
    assert_true(r->name_count < 2 * RIG_PARTS);
    char* name = r->names[r->name_count++];
    snprintf(name, sizeof r->names[0], "%c%d", letter, number);
    return name;
}

static int add_body(rig* r, ss_body_def body)
{
    assert_true(r->def.body_count < RIG_BODIES);
    int index = r->def.body_count++;
    body.name = new_name(r, 'b', index + 1);
    r->bodies[index] = body;
    return index;
}

int rig_body(rig* r, double mass, double x, double v)
{
    ss_body_def body = ss_body_def_default();
    body.mass = mass;
    body.start_x = x;
    body.start_v = v;
    return add_body(r, body);
}

static ss_signal* keep(rig* r, ss_signal* signal)
{
    assert_true(r->signal_count < RIG_PARTS);
    return r->signals[r->signal_count++] = signal;
}

ss_signal* rig_signal(rig* r, const char* expression)
{
    ss_scope scope = {.allow_time = true};
    ss_signal* signal = NULL;
    ss_error err = {0};
    need(ss_signal_parse(expression, &scope, (ss_dimension){0}, &signal, &err), &err);
    return keep(r, signal);
}

ss_signal* rig_table(rig* r, const double t[], const double value[], int count)
{
    ss_signal* signal = NULL;
    ss_error err = {0};
    need(ss_signal_table(t, value, count, &signal, &err), &err);
    return keep(r, signal);
}

int rig_driven(rig* r, const char* position)
{
    ss_body_def body = ss_body_def_default();
    body.position = rig_signal(r, position);
    return add_body(r, body);
}

int rig_driven_speed(rig* r, const char* speed)
{
    ss_body_def body = ss_body_def_default();
    body.speed = rig_signal(r, speed);
    return add_body(r, body);
}

ss_row_def rig_full_row(rig* r, const double factors[], int count)
{
    ss_row_def row = {.terms = r->terms + r->term_count};
    for (int i = 0; i < count; i++) {
        if (factors[i] == 0.0) continue;
        assert_true(r->term_count < RIG_TERMS);
        r->terms[r->term_count++] = (ss_term){.body = i, .factor = factors[i]};
        row.count++;
    }
    return row;
}

ss_row_def rig_row(rig* r, int a, double factor_a, int b, double factor_b)
{
    assert_true(r->term_count + 2 <= RIG_TERMS);
    ss_row_def row = {.terms = r->terms + r->term_count, .count = 2};
    r->terms[r->term_count++] = (ss_term){.body = a, .factor = factor_a};
    r->terms[r->term_count++] = (ss_term){.body = b, .factor = factor_b};
    return row;
}

ss_connection_def* rig_spring(rig* r, int a, int b, double stiffness, double damping)
{
    assert_true(r->def.connection_count < RIG_PARTS);
    ss_connection_def* spring = &r->connections[r->def.connection_count++];
    *spring = ss_connection_def_default();
    spring->along = rig_row(r, a, 1.0, b, -1.0);
    spring->stiffness = stiffness;
    spring->damping = damping;
    return spring;
}

void rig_force(rig* r, int body, const char* expression)
{
    assert_true(r->def.force_count < RIG_PARTS);
    r->forces[r->def.force_count++] = (ss_force_def){.body = body, .force = rig_signal(r, expression)};
}

ss_contact_def* rig_contact(rig* r, ss_row_def along)
{
    assert_true(r->def.contact_count < RIG_PARTS);
    int index = r->def.contact_count++;
    ss_contact_def* contact = &r->contacts[index];
    *contact = ss_contact_def_default();
    contact->name = new_name(r, 'c', index + 1);
    contact->along = along;
    return contact;
}

ss_contact_def* rig_coulomb(rig* r, int a, int b, double friction)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_COULOMB;
    contact->coulomb = ss_coulomb_make(friction);
    return contact;
}

ss_contact_def* rig_stop(rig* r, int a, int b, double position, int side, double restitution)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_RIGID_STOP;
    contact->rigid_stop = (ss_rigid_stop){.position = position, .side = side, .restitution = restitution};
    return contact;
}

ss_contact_def* rig_elastic(rig* r, int a, int b, ss_hunt_crossley law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_HUNT_CROSSLEY;
    contact->hunt_crossley = law;
    return contact;
}

ss_contact_def* rig_damped(rig* r, int a, int b, ss_elastic_stop law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = SS_LAW_ELASTIC_STOP;
    contact->elastic_stop = law;
    return contact;
}

ss_model* rig_model(rig* r)
{
    ss_model* model = NULL;
    ss_error err = {0};
    need(ss_model_create(&r->def, &model, &err), &err);
    for (int i = 0; i < r->signal_count; i++) ss_signal_destroy(r->signals[i]);
    r->signal_count = 0;
    return model;
}

static void keep_event(void* user, const ss_event* event)
{
    run* r = user;
    if (r->event_count < RIG_EVENTS) r->events[r->event_count] = *event;
    r->event_count++;
}

static void keep_note(void* user, const ss_note* note)
{
    run* r = user;
    if (r->note_count == RIG_NOTES) return;
    r->notes[r->note_count].t = note->t;
    r->notes[r->note_count].contact_count = note->contact_count;
    snprintf(r->notes[r->note_count].text, sizeof r->notes[0].text, "%s", note->text);
    r->note_count++;
}

void run_start_def(run* r, const ss_model* model, ss_sim_def def)
{
    r->event_count = 0;
    r->note_count = 0;
    r->sim = NULL;
    def.on_event = keep_event;
    def.on_note = keep_note;
    def.user = r;
    ss_error err = {0};
    need(ss_sim_create(model, &def, &r->sim, &err), &err);
}

void run_start(run* r, const ss_model* model, const double x[], const double v[])
{
    ss_sim_def def = ss_sim_def_default();
    def.start_x = x;
    def.start_v = v;
    run_start_def(r, model, def);
}

void run_to(run* r, double until)
{
    ss_error err = {0};
    need(ss_sim_advance(r->sim, until, &r->outcome, &err), &err);
}

void run_stop(run* r)
{
    ss_sim_destroy(r->sim);
    r->sim = NULL;
}

bool run_has_note(const run* r, const char* part)
{
    for (int i = 0; i < r->note_count; i++)
        if (strstr(r->notes[i].text, part)) return true;
    return false;
}

double run_energy_error(const run* r)
{
    ss_energy e = ss_sim_energy(r->sim);
    double parts[] = {e.start, e.end, e.input, e.friction, e.damping, e.impact};
    double play = 0.0;
    for (int i = 0; i < 6; i++) play = fmax(play, fabs(parts[i]));
    double gap = e.start + e.input - e.end - e.friction - e.damping - e.impact - e.residual;
    expect_near("sum of the ledger", gap, 0.0, 2e-12 * play);
    return play > 0.0 ? fabs(e.residual) / play : fabs(e.residual);
}

void expect_near(const char* what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: expected %.17g, got %.17g, off by %.3g where %.3g is allowed", what, want, got,
                 fabs(got - want), tolerance);
}

void expect_event(const run* r, long index, double t, int contact, ss_mode from, ss_mode to, double tolerance)
{
    if (index >= r->event_count)
        fail_msg("event %ld missing (%s to %s of contact %d at %.12g)", index, ss_mode_name(from),
                 ss_mode_name(to), contact, t);
    const ss_event* e = &r->events[index];
    if (e->contact != contact || e->from != from || e->to != to)
        fail_msg("event %ld: expected contact %d %s to %s at %.12g, got contact %d %s to %s at %.12g", index,
                 contact, ss_mode_name(from), ss_mode_name(to), t, e->contact, ss_mode_name(e->from),
                 ss_mode_name(e->to), e->t);
    expect_near("time of an event", e->t, t, tolerance);
}

ss_model* run_start_rig(run* r, rig* of)
{
    ss_model* model = rig_model(of);
    run_start(r, model, NULL, NULL);
    return model;
}

void run_end(run* r, ss_model* model, double residual)
{
    double error = isinf(residual) ? 0.0 : run_energy_error(r);
    if (!(error <= residual)) fail_msg("energy residual %.3g of the energy in play", error);
    run_stop(r);
    ss_model_destroy(model);
}

bool expect_events(const run* r, const ss_event events[], int count, bool doubtful, double doubts_at,
                   double tolerance, const char* name)
{
    for (int i = 0; i < count; i++) {
        const ss_event* e = &events[i];
        if (doubtful && e->t == doubts_at) return false;
        // Of a slip that dies out without an end rounding tells the end: sooner here, perhaps, than there.
        bool dies_out = doubtful && i < r->event_count && r->events[i].contact == events[count - 1].contact &&
                        r->events[i].to == SS_MODE_STICK && r->events[i].contact != e->contact;
        if (dies_out) return false;
        if (i >= r->event_count || r->events[i].contact != e->contact || r->events[i].to != e->to)
            fail_msg("%s: event %d (contact %d %s to %s at %.10g) is missing or another", name, i, e->contact,
                     ss_mode_name(e->from), ss_mode_name(e->to), e->t);
        expect_event(r, i, e->t, e->contact, e->from, e->to, tolerance);
    }
    if (!doubtful && r->event_count != count)
        fail_msg("%s: %ld events, expected %d", name, r->event_count, count);
    return !doubtful;
}
