// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Record: moving the run to the end of a step, and the log.
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/energy.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"
#include "engine/record/record.h"
#include "engine/run/step_state.h"
#include "engine/sensitivity/run_hooks.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Positions where the step ends in an event: a body that stops at 0 is there.
static void clear_stops(const ss_sim* sim, double s, double q[])
{
    int n = sim->model->n;
    for (int i = 0; i < n && !sim->step.clock.stop; i++) {
        if (fabs(q[i]) >= SS_RELATIVE_ZERO * fabs(sim->step.q[i])) continue;
        double size = ss_poly_bound(sim->step.q + i, n, sim->step.order, s);
        q[i] = ss_clear_rounding(q[i], fmax(size, ss_linear_propagator_size(sim, i)));
    }
}

// A gap that has not become zero keeps its sign.
static double keep_side(double before, double gap)
{
    if (before == 0.0 || gap * before > 0.0) return gap;
    return copysign(DBL_MIN, before);
}

// Gap of the stop whose clock runs: its penetration is the square of y = dt/ds.
static double clocked_gap(const ss_step* step, const ss_step_clock* clock, double s)
{
    double y = ss_poly_value(clock->pace, 1, step->order, s);
    return -y * y;
}

static void advance_gaps(const ss_model* model, ss_step* step, ss_modes* modes, double s)
{
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &modes->contacts[i];
        const ss_contact* contact = &model->contacts[i];
        bool elastic = ss_is_elastic(step, i);
        if (run->mode != SS_MODE_OPEN && !elastic) continue;
        double side = contact->stop.side, moved = 0.0;
        for (int k = step->order; k >= 1; k--)
            moved = (moved + (k < run->lead ? 0.0 : ss_relative_position(model, step, i, k))) * s;
        double gap = run->gap - side * moved;
        if (elastic && step->clock.stop == &step->laws.elastic[step->laws.elastic_at[i]])
            gap = clocked_gap(step, &step->clock, s);
        bool touches = elastic ? run->touches : run->hit;
        bool sinks = elastic && run->mode == SS_MODE_OPEN && run->gap == 0.0 && gap < 0.0 && !touches;
        // It sinks by a derivative higher than all that select asked for.
        if (sinks) ss_wake_group(modes, contact->group);
        run->gap = touches ? 0.0 : elastic ? keep_side(run->gap, gap) : fmax(gap, 0.0);
    }
}

// Books the step up to s. False, and nothing is booked, where an energy overflows: the run ends before its
// ledger holds what is no number.
static bool commit_energy(ss_sim* sim, double s, bool watch)
{
    if (watch && !isfinite(ss_stored_energy(sim, s))) return false;
    if (!sim->def.ledger || s == 0.0) return true;
    ss_energy after = sim->ledger.energy;
    ss_ledger_step(sim, s, &after);
    if (!isfinite(after.friction + after.damping + after.input + after.impact)) return false;
    ss_book(&sim->ledger, &after);
    return true;
}

// What has decayed to nothing is 0 from now on. Below, terms made of it lose their digits one by one, sums
// round back to where they were, and subnormal numbers take the processor a hundred times as long. What grows
// from there is left alone.
static void end_decay(const double before[], int count, double after[])
{
    for (int i = 0; i < count; i++)
        if (fabs(after[i]) < SS_NOT_ZERO && fabs(after[i]) <= fabs(before[i])) after[i] = 0.0;
}

// A place that is subnormal where its speed has decayed is what that speed left of 0.
static void end_rests(int n, double q[], const double v[])
{
    for (int c = 0; c < n; c++)
        if (v[c] == 0.0 && fabs(q[c]) < DBL_MIN) q[c] = 0.0;
}

bool ss_commit(ss_sim* sim, double s)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    double *q = sim->work.scratch_q, *q1 = q + n, *d = q1 + n, *d1 = d + nd;
    ss_state_at(sim, s, q, q1, d, d1);
    if (sim->derivative) ss_sensitivity_commit(sim->derivative, &sim->step, &sim->modes, s, q);
    if (ss_ends_in_event(&sim->step)) clear_stops(sim, s, q);
    end_decay(sim->step.q, 2 * n, q);
    end_rests(n, q, q1);
    end_decay(sim->step.s, sim->open.states, d1 + nd);
    ss_constrain(sim->model, &sim->modes, 1.0, d, q);
    double sum = 0.0, *state = q;
    for (int i = 0; i < 2 * n; i++) sum += fabs(q[i]);
    for (int j = 0; j < sim->open.states; j++) sum += fabs(d1[nd + j]);
    if (!isfinite(sum)) return false;
    // The energies are computed from the series and use the same scratch.
    if (sim->def.ledger || sum > SS_LARGE_STATE) {
        state = sim->work.next_state;
        memcpy(state, q, (2 * (size_t)n + 2 * (size_t)nd + (size_t)sim->open.states) * sizeof(double));
        if (!commit_energy(sim, s, sum > SS_LARGE_STATE)) return false;
    }
    if (sim->modes.has_stops || sim->step.laws.elastic_count > 0)
        advance_gaps(sim->model, &sim->step, &sim->modes, s);
    // The leading zeros of edges belong to the step that ends.
    for (int e = 0; e < sim->step.laws.elastic_count; e++)
        for (int w = 0; w < SS_STOP_EDGES; w++) sim->step.laws.elastic[e].edge_lead[w] = 0;
    if (sim->step.laws.bristle_count > 0)
        ss_bristle_commit(sim->model, &sim->inputs, &sim->def, &sim->step, s);
    if (!sim->model->nature.linear) ss_commit_slips(sim->model, &sim->step, &sim->modes, s);
    ss_put_state(sim->model, &sim->step, &sim->open, state, state + 2 * n + 2 * nd);
    if (nd > 0) {
        memcpy(sim->step.d, state + 2 * n, 2 * (size_t)nd * sizeof(double));
        memcpy(sim->inputs.drive_x, state + 2 * n, (size_t)nd * sizeof(double));
    }
    ss_set_time(&sim->step, ss_ends_at_break(&sim->step) ? sim->inputs.next_break
                                                         : sim->step.t + ss_elapsed(&sim->step, s));
    ss_clock_end(&sim->step);
    if (model->open) ss_open_leave(sim, s);
    if (sim->level_forces) ss_keep_last_forces(sim->model, &sim->step, s);
    ss_leave_step(&sim->step);
    ss_project_onto_joints(sim);
    return true;
}

// Counts changes of mode, and rests that end as soon as they begin, that follow each other within what
// rounding leaves of the time.
static void count_flip(const ss_step* step, ss_contact_run* run)
{
    double t = step->t;
    run->flips = t - run->flipped <= 256.0 * DBL_EPSILON * fabs(t) ? run->flips + 1 : 0;
    run->flipped = t;
}

// Emits one event per contact whose mode changed at this instant, in the order of the model.
void ss_log_changes(ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        bool impact = run->speed_in >= 0.0;
        bool slips_on = run->arrived && run->mode == run->logged;
        run->arrived = false;
        if (slips_on) count_flip(&sim->step, run);
        if (run->mode == run->logged && !impact) continue;
        const ss_contact* contact = &sim->model->contacts[i];
        ss_event event = {.t = sim->step.t,
                          .contact = ss_shown_contact(sim->model, i),
                          .from = run->logged,
                          .to = run->mode,
                          .side = contact->other >= 0 ? contact->stop.side : 0};
        if (impact) {
            event.kind = run->accumulated ? SS_EVENT_ACCUMULATION : SS_EVENT_IMPACT;
            event.speed_in = run->speed_in;
            event.speed_out = run->speed_out;
        }
        if (ss_is_bristle(&sim->step, i)) event.kind = SS_EVENT_REVERSAL;
        if (run->jammed) event.kind = SS_EVENT_JAM;
        run->jammed = false;
        run->logged = run->mode;
        count_flip(&sim->step, run);
        run->speed_in = -1.0;
        run->accumulated = false;
        if (!sim->course.started) continue; // modes at t = 0 are no events
        sim->course.event_count++;
        if (sim->instant.wanted) sim->instant.events[sim->instant.event_count++] = event;
        if (sim->def.on_event) sim->def.on_event(sim->def.user, &event);
    }
}
