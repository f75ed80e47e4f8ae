// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be asked of a run: time, places, both sides of an instant, contacts and energy where the caller
// has got to.
#include "core/algebra/polynomial.h"
#include "core/rounding.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/stiff.h"
#include "engine/record/record.h"
#include "share/run.h"

#include <math.h>
#include <string.h>

double ss_sim_next_break(const ss_sim* sim) { return sim->inputs.next_break; }

double ss_sim_time(const ss_sim* sim)
{
    return sim->course.ended ? sim->course.end_t : sim->step.t + ss_elapsed(&sim->step, sim->step.now);
}
long ss_sim_event_count(const ss_sim* sim) { return sim->course.event_count; }
const double* ss_sim_x(const ss_sim* sim) { return sim->bodies.out_x; }
const double* ss_sim_v(const ss_sim* sim) { return sim->bodies.out_v; }

ss_instant ss_sim_instant(const ss_sim* sim)
{
    const ss_instant_memory* stop = &sim->instant;
    return (ss_instant){stop->events, stop->event_count, stop->x, stop->v, stop->contacts, stop->numbers};
}

void ss_remember_before(ss_sim* sim)
{
    ss_instant_memory* stop = &sim->instant;
    ss_show_state(sim, sim->step.now);
    memcpy(stop->x, sim->bodies.out_x, (size_t)sim->model->body_count * sizeof(double));
    memcpy(stop->v, sim->bodies.out_v, (size_t)sim->model->body_count * sizeof(double));
    for (int i = 0; i < sim->model->contact_count; i++) stop->contacts[i] = ss_sim_contact(sim, i);
    ss_sim_numbers(sim, stop->numbers);
}

// Bound of the force of contact i, which holds, where the caller has got to.
static double bound_now(const ss_sim* sim, int i, bool high, int last)
{
    double sum = 0.0;
    for (int k = sim->inputs.level_at[i] >= 0 ? last : 0; k >= 0; k--)
        sum = sum * sim->step.now + (high ? ss_hold_high(sim, i, k) : ss_hold_low(sim, i, k));
    if (sim->inputs.level_at[i] < 0) return sum;
    return ss_clear_rounding(sum,
                             ss_level_size(sim->model, i, !high, ss_sim_time(sim))); // it acts against slip
}

// Of all forces by which the group of contact i could hold as it does, the one of contact i where their norm
// is least: the projection with b = -A lambda, lambda being the forces that the run goes by.
static double least_force(const ss_sim* sim, int i, int last)
{
    const ss_model* model = sim->model;
    const ss_group* group = &model->groups[model->contacts[i].group];
    int count = 0, m = model->contact_count, *held = sim->work.index;
    for (int p = 0; p < group->count; p++)
        if (ss_holds(&sim->step, &sim->modes, group->contacts[p])) held[count++] = p;
    double *a = sim->work.numbers, *b = a + count * count, *low = b + count, *high = low + count,
           *l = high + count;
    double *residual = l + count, *scratch = residual + count;
    for (int r = 0; r < count; r++) {
        int contact = group->contacts[held[r]];
        low[r] = bound_now(sim, contact, false, last);
        high[r] = bound_now(sim, contact, true, last);
        b[r] = 0.0;
        for (int c = 0; c < count; c++) {
            a[r * count + c] = group->coupling[held[r] * group->count + held[c]];
            b[r] -= a[r * count + c] *
                    ss_clear_value(sim->step.lambda + group->contacts[held[c]], m, last, sim->step.now);
        }
    }
    ss_projection problem = {count, a, b, low, high, l, residual, sim->work.at};
    ss_project(&problem, scratch);
    int r = 0;
    while (held[r] != model->contacts[i].place) r++;
    return l[r];
}

ss_contact_state ss_contact_of_run(const ss_sim* sim, int i)
{
    const ss_model* model = sim->model;
    const ss_contact_run* run = &sim->modes.contacts[i];
    int m = model->contact_count, last = sim->step.ready ? sim->step.order - 2 : 0;
    ss_contact_state state = {.mode = run->mode, .determined = run->determined};
    for (int k = 0; k < model->contacts[i].bodies.count; k++)
        state.velocity +=
            model->contacts[i].bodies.value[k] * sim->bodies.out_v[model->contacts[i].bodies.index[k]];
    bool slips = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
    bool bristle = ss_is_bristle(&sim->step, i);
    bool constant = slips && sim->inputs.level_at[i] < 0 && sim->step.laws.curved_at[i] < 0 && !bristle;
    if (run->mode != SS_MODE_OPEN)
        state.force =
            constant ? sim->step.lambda[i] : ss_clear_value(sim->step.lambda + i, m, last, sim->step.now);
    if (slips && sim->inputs.level_at[i] >= 0) {
        double size = ss_level_size(sim->model, i, run->mode == SS_MODE_SLIP_PLUS, ss_sim_time(sim));
        state.force = ss_clear_rounding(state.force, size);
    }
    if (slips) state.limit = bristle ? ss_bristle_limit(sim, i, state.velocity) : fabs(state.force);
    state.z = NAN;
    if (bristle) ss_bristle_describe(sim->model, &sim->step, i, &state);
    if (run->mode == SS_MODE_STICK) {
        state.velocity = 0.0;
        state.limit = state.force < 0.0 ? -bound_now(sim, i, false, last) : bound_now(sim, i, true, last);
    }
    if (run->mode == SS_MODE_CLOSED) state.limit = INFINITY;
    if (ss_holds(&sim->step, &sim->modes, i) &&
        fabs(state.force) < SS_FAINT * state.limit) // what balances may leave rounding
        state.force = ss_clear_rounding(state.force, ss_hold_size(sim, i));
    if (run->mode == SS_MODE_CLOSED && !ss_is_elastic(&sim->step, i)) state.velocity = 0.0;
    return state;
}

static ss_contact_state half_state(const ss_sim* sim, int i)
{
    ss_contact_state state = ss_contact_of_run(sim, i);
    int last = sim->step.ready ? sim->step.order - 2 : 0;
    if (state.determined || !ss_holds(&sim->step, &sim->modes, i)) return state;
    if (ss_has_level_forces(sim, sim->model->contacts[i].group)) return state; // levels are at these forces
    const ss_group* group = &sim->model->groups[sim->model->contacts[i].group];
    double size = 0.0;
    for (int p = 0; p < group->count; p++)
        if (ss_holds(&sim->step, &sim->modes, group->contacts[p]))
            size += ss_hold_size(sim, group->contacts[p]);
    state.force = ss_clear_rounding(least_force(sim, i, last), size);
    if (state.mode == SS_MODE_STICK) state.limit = fabs(bound_now(sim, i, state.force >= 0.0, last));
    return state;
}

// Two stops that are one contact: it is closed where one of them is.
ss_contact_state ss_sim_contact(const ss_sim* sim, int i)
{
    int second = sim->model->contacts[i].other;
    ss_contact_state state = half_state(sim, i);
    if (second < 0) return state;
    ss_contact_state other = half_state(sim, second);
    if (state.mode == SS_MODE_CLOSED) state.side = sim->model->contacts[i].stop.side;
    if (other.mode != SS_MODE_CLOSED) return state;
    other.side = state.mode == SS_MODE_CLOSED ? 0 : sim->model->contacts[second].stop.side;
    other.force += state.force;
    other.determined = other.determined && state.determined;
    return other;
}

ss_energy ss_sim_energy(const ss_sim* sim)
{
    ss_energy energy = sim->ledger.energy;
    if (sim->step.ready && sim->step.now > 0.0) ss_ledger_step(sim, sim->step.now, &energy);
    ss_ledger_close(sim, sim->step.ready ? sim->step.now : 0.0, &energy);
    return energy;
}
