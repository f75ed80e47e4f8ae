// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The commonest series in one go: springs, dampers, states and contacts that slip, order by order, without
// asking at each order what else there may be. A stage under a loop whose friction falls with speed spends
// its time here; where friction is constant, orders cost least one by one.
//
//   reads    the series up to order `from` - 1
//   writes   q, s and lambda up to the order of the step
//   promise  the same numbers as ss_accelerate, order by order
#include "engine/flow/contact.h"
#include "engine/flow/series.h"
#include "model/actions.h"

// Whether nothing but springs, dampers, states and contacts that slip changes the accelerations at orders
// above 0, and all of it is linear but for the contacts.
bool ss_lean_applies(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool gains = sim->open.states > 0;
    for (int i = 0; i < model->contact_count; i++) {
        if (sim->inputs.level_at[i] >= 0) return false;
        gains = gains || sim->laws.curved_at[i] >= 0;
    }
    return gains && !sim->clock.stop && sim->modes.active_count == 0 && sim->laws.bristle_count == 0 &&
           sim->laws.elastic_count == 0 && model->drive_count == 0 && sim->inputs.varying_count == 0 &&
           !sim->pulls.has_cubic &&
           (!model->open || (!sim->open.varies && model->actions->motion.output_count == 0));
}

// What the states pull, and their rates: as open.c has it.
static void add_states(ss_sim* sim, int k)
{
    const ss_state_flow* flow = &sim->model->actions->flow;
    int n = sim->model->n, p = sim->open.states;
    const double *q = sim->step.q + k * n, *q1 = q + n, *s = sim->step.s + k * p;
    double *a = sim->pulls.accel, *next = sim->step.s + (k + 1) * p, factor = k + 1;
    for (int i = 0; i < n; i++)
        for (int l = flow->pull.start[i]; l < flow->pull.start[i + 1]; l++)
            a[i] += flow->pull.value[l] * s[flow->pull.index[l]];
    for (int j = 0; j < p; j++) {
        double places = 0.0, speeds = 0.0, own = 0.0;
        for (int l = flow->places.start[j]; l < flow->places.start[j + 1]; l++)
            places += flow->places.value[l] * q[flow->places.index[l]];
        for (int l = flow->speeds.start[j]; l < flow->speeds.start[j + 1]; l++)
            speeds += flow->speeds.value[l] * q1[flow->speeds.index[l]];
        for (int l = flow->own.start[j]; l < flow->own.start[j + 1]; l++)
            own += flow->own.value[l] * s[flow->own.index[l]];
        next[j] = (places + factor * speeds + own) / factor;
    }
}

// Orders from `from` > 0 on in one go: what ss_accelerate does, without asking each time what there is.
void ss_lean_series(ss_sim* sim, int from)
{
    const ss_operator* op = &sim->model->matrices.flow;
    int n = sim->model->n, m = sim->model->contact_count;
    for (int k = from; k <= sim->step.order - 2; k++) {
        const double *q = sim->step.q + k * n, *q1 = q + n;
        double *a = sim->pulls.accel, *lambda = sim->step.lambda + k * m, factor = k + 1;
        for (int i = 0; i < n; i++) {
            double stiff = 0.0, damp = 0.0;
            for (int l = op->start[i]; l < op->start[i + 1]; l++) {
                stiff += op->stiffness[l] * q[op->index[l]];
                damp += op->damping[l] * q1[op->index[l]];
            }
            a[i] = -(stiff + factor * damp);
        }
        if (sim->open.states > 0) add_states(sim, k);
        for (int i = 0; i < m; i++) {
            if (!ss_slips(sim, i)) continue;
            lambda[i] = sim->laws.curved_at[i] >= 0 ? ss_slip_force(sim, i, k) : 0.0;
            if (lambda[i] != 0.0) ss_add_force(sim, i, lambda[i]);
        }
        ss_store_free_acceleration(sim, k);
    }
}
