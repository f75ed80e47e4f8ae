// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Instants of a run whose time is somebody else's. A solver meets an event to its own precision; here that
// becomes exact, and the instant is passed as in any run.
#include "engine/exchange.h"
#include "engine/flow/bristle.h"
#include "engine/flow/open.h"
#include "engine/proof/leap.h"
#include "engine/sim.h"

#include "core/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A solver finds an event to a share of the sizes in play like this.
static const double arrived = 1e-9;
// Slower than this share of the speeds in play, a body that bounces stays: a solver cannot follow what comes.
static const double faint = 1e-8;
static const double near_edge = 1e-6; // of its terms: where an elastic stop changes its formula

// Changes x (places or speeds of the coordinates) so that contact i moves by `by` along its row, with the
// least kinetic energy.
static void shift(const ss_sim* sim, int i, double by, double x[])
{
    const ss_contact* contact = &sim->model->contacts[i];
    const ss_group* group = &sim->model->groups[contact->group];
    double mobility = group->coupling[contact->place * (group->count + 1)];
    if (!(mobility > 0.0)) return;
    for (int k = 0; k < contact->mobility.count; k++)
        x[contact->mobility.index[k]] += contact->mobility.value[k] * by / mobility;
}

static void meet_rest(ss_sim* sim, int i)
{
    double* v = sim->step.q + sim->model->n;
    shift(sim, i, -ss_relative_velocity(sim, i, 0), v);
    sim->modes.contacts[i].hit = true;
    if (ss_is_bristle(sim, i)) sim->laws.bristles[sim->laws.bristle_at[i]].arrived = true;
}

static void meet_stop(ss_sim* sim, int i)
{
    ss_contact_run* run = &sim->modes.contacts[i];
    int side = sim->model->contacts[i].stop.side;
    double v = ss_relative_velocity(sim, i, 0);
    shift(sim, i, side * run->gap, sim->step.q);
    run->gap = 0.0;
    run->hit = true;
    if (fabs(v) < faint * ss_exchange_speed(sim->model)) shift(sim, i, -v, sim->step.q + sim->model->n);
}

static void meet_elastic(ss_sim* sim, int i, const double indicator[2])
{
    ss_contact_run* run = &sim->modes.contacts[i];
    run->hit = true;
    if (fabs(indicator[0]) <= arrived) run->gap = 0.0;
    ss_elastic* stop = &sim->laws.elastic[sim->laws.elastic_at[i]];
    bool closed = run->mode == SS_MODE_CLOSED;
    if (fabs(indicator[1]) <= near_edge) stop->at_edge = closed && stop->edge_count > 1 ? 2 : 1;
}

// Contacts whose indicators have vanished, and do not come from there.
static void meet_events(ss_sim* sim)
{
    double speed = ss_exchange_speed(sim->model), length = ss_exchange_length(sim->model);
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_contact_run* run = &sim->modes.contacts[i];
        double v = ss_relative_velocity(sim, i, 0), a = ss_relative_velocity(sim, i, 1), g[2];
        if (ss_slips(sim, i)) {
            double sign = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
            if (sign * v < 0.0 || (sign * v <= arrived * speed && sign * a < 0.0)) meet_rest(sim, i);
        } else if (ss_is_elastic(sim, i)) {
            ss_exchange_indicate_elastic(sim, i, g);
            if (g[0] <= arrived || g[1] <= arrived) meet_elastic(sim, i, g);
        } else if (ss_is_stop(sim, i) && run->mode == SS_MODE_OPEN) {
            double rate = -sim->model->contacts[i].stop.side * v;
            if (rate < 0.0 && run->gap <= arrived * length) meet_stop(sim, i);
        }
    }
}

// All contacts take part in the decision; those that have come to rest do so whatever rounding says.
static void wake(ss_sim* sim)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++)
        sim->work.note_contacts[i] = sim->modes.contacts[i].hit && ss_slips(sim, i);
    sim->step.end = SS_STEP_EVENT_AT_BREAK;
    ss_wake_contacts(sim);
    for (int i = 0; i < model->contact_count; i++)
        if (sim->work.note_contacts[i] && !ss_is_bristle(sim, i)) sim->modes.contacts[i].recheck = false;
    ss_follow_state(sim);
}

ss_status ss_exchange_pass(ss_sim* sim, ss_error* err)
{
    int order;
    double t = sim->step.t;
    bool ticks = sim->held.next <= t + 4.0 * DBL_EPSILON * fabs(t);
    ss_status status = ticks ? ss_pass_ticks(sim, err) : SS_OK;
    if (status == SS_OK && sim->held.changed) ss_take_held(sim);
    if (status == SS_OK) status = ss_pass_instant(sim, &order, err);
    sim->course.ended = false; // what is proved of the future is not for those who set its inputs
    sim->proof.resting_since = NAN;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_contact_run* run = &sim->modes.contacts[sim->laws.elastic[e].contact];
        sim->laws.elastic[e].cut_off = run->mode == SS_MODE_OPEN && run->gap < 0.0;
    }
    return status == SS_OK ? ss_exchange_evaluate(sim, err) : status;
}

ss_status ss_exchange_begin(ss_sim* sim, double t, const double start_x[], const double start_v[],
                            ss_error* err)
{
    ss_status status = ss_exchange_check(sim->model, err);
    if (status == SS_OK) status = ss_start_at(sim, t, start_x, start_v, err);
    sim->modes.exchanged = true;
    return status == SS_OK ? ss_exchange_pass(sim, err) : status;
}

ss_status ss_exchange_event(ss_sim* sim, ss_exchange_instant* out, ss_error* err)
{
    const ss_model* model = sim->model;
    size_t n = 2 * (size_t)model->n * sizeof(double);
    double* before = sim->work.points;
    long events = sim->course.event_count;
    memcpy(before, sim->step.q, n);
    meet_events(sim);
    wake(sim);
    ss_status status = ss_exchange_pass(sim, err);
    *out = (ss_exchange_instant){.changed = memcmp(before, sim->step.q, n) != 0,
                                 .modes = sim->course.event_count > events,
                                 .next_time = fmin(sim->inputs.next_break, sim->held.next)};
    return status;
}
