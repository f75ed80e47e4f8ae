// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models under CVODE (slipstick/exchange.h): Adams, with its own search for roots of the event indicators,
// moves them as a run of Slipstick does by itself, with the same events in the same order, and a contact that
// sticks has a speed of exactly 0 for as long as it does.
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_EVENTS = 200, MARKS = 8, ROOM = 32 };

typedef struct event_log {
    ss_event at[MOST_EVENTS];
    int count;
} event_log;

static void note_event(void* user, const ss_event* event)
{
    event_log* l = user;
    assert_true(l->count < MOST_EVENTS);
    l->at[l->count++] = *event;
}

static int rates_at(double t, N_Vector y, N_Vector rates, void* sim)
{
    if (ss_exchange_put(sim, t, N_VGetArrayPointer(y), NULL) != SS_OK) return 1;
    ss_exchange_rates(sim, N_VGetArrayPointer(rates));
    return 0;
}

static int indicators_at(double t, N_Vector y, double* g, void* sim)
{
    if (ss_exchange_put(sim, t, N_VGetArrayPointer(y), NULL) != SS_OK) return 1;
    ss_exchange_indicators(sim, g);
    return 0;
}

typedef struct peer {
    SUNContext context;
    N_Vector y;
    SUNNonlinearSolver solver;
    void* memory;
} peer;

static void make_peer(peer* p, ss_sim* sim, int states, int indicators)
{
    assert_int_equal(SUNContext_Create(NULL, &p->context), 0);
    p->y = N_VNew_Serial(states, p->context);
    ss_exchange_get(sim, N_VGetArrayPointer(p->y));
    p->memory = CVodeCreate(CV_ADAMS, p->context);
    p->solver = SUNNonlinSol_FixedPoint(p->y, 0, p->context);
    assert_int_equal(CVodeInit(p->memory, rates_at, 0.0, p->y), 0);
    assert_int_equal(CVodeSStolerances(p->memory, 1e-12, 1e-14), 0);
    assert_int_equal(CVodeSetNonlinearSolver(p->memory, p->solver), 0);
    assert_int_equal(CVodeSetUserData(p->memory, sim), 0);
    assert_int_equal(CVodeSetMaxNumSteps(p->memory, 1000000), 0);
    assert_int_equal(CVodeRootInit(p->memory, indicators, indicators_at), 0);
    assert_int_equal(CVodeSetNoInactiveRootWarn(p->memory), 0);
}

static void free_peer(peer* p)
{
    CVodeFree(&p->memory);
    SUNNonlinSolFree(p->solver);
    N_VDestroy(p->y);
    SUNContext_Free(&p->context);
}

// Goes on to `until`, passing events on the way.
static void solve_to(peer* p, ss_sim* sim, double* t, double* next, double until)
{
    while (*t < until) {
        double goal = fmin(until, *next);
        int flag = CV_SUCCESS;
        assert_int_equal(CVodeSetStopTime(p->memory, goal), 0);
        flag = CVode(p->memory, goal, p->y, t, CV_NORMAL);
        assert_true(flag >= 0);
        assert_int_equal(ss_exchange_put(sim, *t, N_VGetArrayPointer(p->y), NULL), SS_OK);
        if (flag != CV_ROOT_RETURN && *t < *next) continue;
        ss_exchange_instant instant;
        assert_int_equal(ss_exchange_event(sim, &instant, NULL), SS_OK);
        *next = instant.next_time;
        ss_exchange_get(sim, N_VGetArrayPointer(p->y));
        assert_int_equal(CVodeReInit(p->memory, *t, p->y), 0);
    }
}

static void compare(const ss_model* model, const ss_sim* own, const ss_sim* sim, const char* name, double t)
{
    for (int b = 0; b < ss_model_body_count(model); b++) {
        double x = ss_sim_x(own)[b], v = ss_sim_v(own)[b];
        if (!(fabs(ss_sim_x(sim)[b] - x) <= 1e-7 * fmax(1.0, fabs(x)) &&
              fabs(ss_sim_v(sim)[b] - v) <= 1e-7 * fmax(1.0, fabs(v))))
            fail_msg("%s, t = %g: %s at %.12g with %.12g, not %.12g with %.12g", name, t,
                     ss_model_body_name(model, b), ss_sim_x(sim)[b], ss_sim_v(sim)[b], x, v);
    }
    for (int i = 0; i < ss_model_contact_count(model); i++) {
        ss_contact_state a = ss_sim_contact(own, i), b = ss_sim_contact(sim, i);
        if (a.mode != b.mode)
            fail_msg("%s, t = %.9g: %s is %s, not %s", name, t, ss_model_contact_name(model, i),
                     ss_mode_name(b.mode), ss_mode_name(a.mode));
        assert_true(fabs(a.force - b.force) <= 1e-6 * fmax(1.0, fabs(a.force)));
        if (b.mode == SS_MODE_STICK) assert_true(b.velocity == 0.0);
    }
}

static void compare_events(const event_log* own, const event_log* other, const char* name)
{
    if (own->count != other->count) fail_msg("%s: %d events, not %d", name, other->count, own->count);
    for (int k = 0; k < own->count; k++) {
        const ss_event *a = &own->at[k], *b = &other->at[k];
        if (a->contact != b->contact || a->from != b->from || a->to != b->to || a->kind != b->kind ||
            !(fabs(a->t - b->t) <= 1e-7 * fmax(1.0, a->t)))
            fail_msg("%s: event %d at %.12g, not at %.12g", name, k, b->t, a->t);
    }
}

static void exchange(const char* name, double until)
{
    char path[512];
    ss_document* document;
    ss_model* model;
    ss_sim *own, *sim;
    ss_error err;
    ss_outcome outcome;
    peer p;
    static event_log logs[2];
    logs[0].count = logs[1].count = 0;
    snprintf(path, sizeof path, "%s/models/%s.yaml", SS_SOURCE_DIR, name);
    assert_int_equal(ss_document_read_yaml(path, &document, &err), SS_OK);
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_OK);
    ss_sim_def def = ss_sim_def_default();
    def.on_event = note_event;
    def.user = &logs[0];
    assert_int_equal(ss_sim_create(model, &def, &own, &err), SS_OK);
    def.user = &logs[1];
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    assert_int_equal(ss_exchange_begin(sim, 0.0, NULL, NULL, &err), SS_OK);
    ss_exchange_instant first;
    assert_int_equal(ss_exchange_event(sim, &first, &err), SS_OK);
    make_peer(&p, sim, ss_exchange_state_count(model), ss_exchange_indicators(sim, NULL));
    double t = 0.0, next = first.next_time;
    for (int k = 1; k <= MARKS; k++) {
        double mark = until * k / MARKS;
        solve_to(&p, sim, &t, &next, mark);
        assert_int_equal(ss_sim_advance(own, mark, &outcome, &err), SS_OK);
        compare(model, own, sim, name, mark);
    }
    compare_events(&logs[0], &logs[1], name);
    free_peer(&p);
    ss_sim_destroy(own);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(document);
}

static void coulomb(void** state)
{
    (void)state;
    exchange("two-blocks", 20.0);
    exchange("block-on-floor", 20.0);
    exchange("two-blocks-matrices", 10.0);
    exchange("two-blocks-relative", 10.0);
    exchange("two-blocks-sum", 10.0);
    exchange("active-passive-pair", 10.0);
}

static void falling_levels(void** state)
{
    (void)state;
    exchange("stick-slip-belt", 30.0);
    exchange("wedge-brake", 5.0);
}

static void bristles_and_stops(void** state)
{
    (void)state;
    exchange("lugre-stop", 0.6);
    exchange("carried-disk", 0.39);
    exchange("struck-disk", 1.0);
}

static void open_models(void** state)
{
    (void)state;
    exchange("hunting-servo", 10.0);
    exchange("sampled-servo", 0.5);
    exchange("rusty-pendulum", 10.0);
    exchange("velocity-loop", 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coulomb), cmocka_unit_test(falling_levels),
                                       cmocka_unit_test(bristles_and_stops), cmocka_unit_test(open_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
