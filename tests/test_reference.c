// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions known to forty digits (data/reference.h): every event, its time and modes, the states at events and
// at given times, where and when the motion rests. A motion known to go on must not be called at rest.
#include "data/reference.h"
#include "rig.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOTIONS = sizeof ref_motions / sizeof ref_motions[0] };

// Closed-form flow keeps the ledger to round-off; the cubic spring is integrated at the given tolerance.
static const double linear_energy = 1e-12, smooth_energy = 1e-9;

static ss_model* matrices_model(const ref_motion* m)
{
    double friction[2] = {m->contact[0].friction, m->contact[1].friction};
    int n = m->bodies;
    ss_matrices_def matrices = {
        .M = ss_matrix_whole(n, n, (const double[]){1.0, 0.0, 0.0, 1.0}),
        .C = ss_matrix_whole(n, n, m->C),
        .K = ss_matrix_whole(n, n, m->K),
        .W = ss_matrix_whole(n, m->contacts, m->W),
        .friction = friction,
        .start_x = m->start_x,
        .start_v = m->start_v,
    };
    ss_system_def def = ss_system_def_default();
    def.matrices = &matrices;
    ss_model* model = NULL;
    ss_error err = {0};
    assert_int_equal(ss_model_create(&def, &model, &err), SS_OK);
    return model;
}

static ss_model* bodies_model(const ref_motion* m)
{
    static rig r;
    rig_init(&r);
    for (int i = 0; i < m->bodies; i++) {
        if (m->mass[i] > 0.0)
            rig_body(&r, m->mass[i], m->start_x[i], m->start_v[i]);
        else
            rig_driven(&r, m->drive);
    }
    for (int i = 0; i < m->connections; i++) {
        const ref_connection* c = &m->connection[i];
        rig_spring(&r, c->a, c->b, c->stiffness, c->damping)->cubic = c->cubic;
    }
    if (m->force) rig_force(&r, 0, m->force);
    for (int i = 0; i < m->contacts; i++) {
        ss_contact_def* contact = rig_contact(&r, rig_full_row(&r, m->contact[i].row, m->bodies));
        contact->coulomb = ss_coulomb_make(m->contact[i].friction);
    }
    return rig_model(&r);
}

static bool is_smooth(const ref_motion* m) { return m->connections > 0 && m->connection[0].cubic != 0.0; }

static void check_state(const ref_motion* m, const ref_state* s, const run* r)
{
    char what[160];
    const double *x = ss_sim_x(r->sim), *v = ss_sim_v(r->sim);
    int count = m->drive ? 1 : m->bodies;
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "%s: x%d at t = %.9g", m->id, i + 1, s->t);
        expect_near(what, x[i], s->x[i], m->tolerance * s->x_scale[i]);
        snprintf(what, sizeof what, "%s: v%d at t = %.9g", m->id, i + 1, s->t);
        expect_near(what, v[i], s->v[i], m->tolerance * s->v_scale[i]);
    }
}

static void check_events(const ref_motion* m, const run* r)
{
    if (r->event_count < m->event_count || (m->whole && r->event_count != m->event_count))
        fail_msg("%s: expected %d events, got %ld", m->id, m->event_count, r->event_count);
    if (m->total > 0 && r->event_count != m->total)
        fail_msg("%s: expected %d events, got %ld", m->id, m->total, r->event_count);
    for (int i = 0; i < m->event_count; i++) {
        const ref_event* e = &m->events[i];
        expect_event(r, i, e->t, e->contact, e->from, e->to, m->tolerance * fmax(1.0, e->t));
        bool together = i > 0 && e->t - m->events[i - 1].t <= 1e-13 * fmax(1.0, e->t);
        if (together && r->events[i].t != r->events[i - 1].t)
            fail_msg("%s: simultaneous events have two times at t = %.12g", m->id, e->t);
    }
}

static void check_rest(const ref_motion* m, const run* r)
{
    if (r->outcome != SS_AT_REST) fail_msg("%s: not at rest but %s", m->id, ss_outcome_name(r->outcome));
    for (int i = 0; i < m->bodies; i++) {
        if (ss_sim_v(r->sim)[i] != 0.0) fail_msg("%s: moves at rest", m->id);
        if (m->rest_known) expect_near(m->id, ss_sim_x(r->sim)[i], m->rest_x[i], m->tolerance);
    }
    for (int i = 0; i < m->contacts; i++) {
        ss_contact_state c = ss_sim_contact(r->sim, i);
        assert_int_equal(c.mode, SS_MODE_STICK);
        assert_true(c.limit == m->contact[i].friction && fabs(c.force) <= c.limit * (1.0 + 1e-12));
    }
    if (m->rest_known)
        expect_near(m->id, ss_sim_time(r->sim), m->rest_t, m->tolerance * fmax(1.0, m->rest_t));
}

static void test_motion(void** state)
{
    const ref_motion* m = *state;
    ss_model* model = m->matrices ? matrices_model(m) : bodies_model(m);
    assert_true(ss_model_is_linear(model) == !is_smooth(m));
    static run r;
    ss_sim_def def = ss_sim_def_default();
    if (is_smooth(m)) def.tolerance = 1e-13; // the cycle is known to 1e-11 and repels
    run_start_def(&r, model, def);
    for (int i = 0; i < m->state_count; i++) {
        run_to(&r, m->states[i].t);
        check_state(m, &m->states[i], &r);
    }
    run_to(&r, m->until);
    check_events(m, &r);
    if (m->outcome == REF_RESTS) check_rest(m, &r);
    if (m->outcome == REF_GOES_ON && r.outcome != SS_TIME_REACHED && r.outcome != SS_ESCAPED)
        fail_msg("%s goes on, but is called %s", m->id, ss_outcome_name(r.outcome));
    double energy = run_energy_error(&r);
    if (!(energy <= (is_smooth(m) ? smooth_energy : linear_energy)))
        fail_msg("%s: energy residual %.3g of the energy in play", m->id, energy);
    run_stop(&r);
    ss_model_destroy(model);
}

int main(void)
{
    struct CMUnitTest tests[MOTIONS];
    for (int i = 0; i < MOTIONS; i++)
        tests[i] = (struct CMUnitTest){.name = ref_motions[i].id,
                                       .test_func = test_motion,
                                       .initial_state = (void*)(uintptr_t)&ref_motions[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
