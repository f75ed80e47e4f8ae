// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The balance of forces about which bristles ring: where it is, and where creep takes it.
#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/field/field.h"
#include "engine/flow/input_series.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/stiff.h"
#include "engine/proof/settle_bristles_parts.h"

#include <math.h>
#include <string.h>

// Coordinates, speeds and deflections; the acceleration, and what it would be if the speeds were 0. Of laws
// with elements the deflections are not among the states.
static void take_state(const ss_sim* sim, ss_settle_balance* at)
{
    int n = sim->model->n;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        int i = sim->step.laws.bristles[j].contact;
        at->state[n + j] = sim->model->contacts[i].elements > 0 ? 0.0 : ss_sim_contact(sim, i).z;
    }
    for (int i = 0; i < n; i++) {
        at->q[i] = ss_poly_both(sim->step.q + i, n, sim->step.order, sim->step.now, &at->speed[i]);
        at->state[i] = at->speed[i];
        at->noise[i] = SS_UNIT_NOISE * ss_pull_size(sim, i, 0);
    }
    ss_field_point point = {.t = sim->step.t + sim->step.now,
                            .q = at->q,
                            .v = at->state,
                            .z = at->state + n,
                            .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open,
                                                      sim->step.now, sim->field->given)};
    ss_field_rates(sim->field, &point, at->rate, at->lambda);
    memset(at->state, 0, (size_t)n * sizeof(double));
    ss_field_rates(sim->field, &point, at->rest, at->lambda);
}

// The derivatives at v = 0, z = 0.
static void differentiate(const ss_sim* sim, ss_settle_balance* at)
{
    const double flat[SS_SETTLE_LARGEST + SS_SETTLE_BRISTLES] = {0.0};
    ss_field_slopes* slopes = &sim->ways.stiff->slopes;
    ss_field_point point = {.t = sim->step.t + sim->step.now,
                            .q = at->q,
                            .v = flat,
                            .z = flat,
                            .given = ss_given_in(sim->model, &sim->open, sim->field->given)};
    ss_field_linearise(sim->field, &point, slopes);
    ss_field_jacobian(sim->field, slopes, at->jacobian, NULL);
}

bool ss_settle_find_balance(const ss_sim* sim, ss_settle_balance* at)
{
    int n = sim->model->n, width = 2 * n + sim->step.laws.bristle_count;
    take_state(sim, at);
    differentiate(sim, at);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) at->matrix[i * n + k] = at->jacobian[i * width + k];
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        const ss_contact* contact = &sim->model->contacts[sim->step.laws.bristles[j].contact];
        for (int i = 0; i < n; i++) {
            double pull = contact->elements > 0 ? 0.0 : at->jacobian[i * width + 2 * n + j];
            at->way[j * n + i] = pull;
            for (int k = 0; k < contact->q.count; k++)
                at->matrix[i * n + contact->q.index[k]] += pull * contact->q.value[k];
        }
    }
    memcpy(at->factor, at->matrix, (size_t)(n * n) * sizeof(double));
    if (!ss_lu_factor(at->factor, n, at->pivots)) return false;
    memcpy(at->shift, at->rest, (size_t)n * sizeof(double));
    ss_lu_solve(at->factor, n, at->pivots, at->shift);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        ss_lu_solve(at->factor, n, at->pivots, at->way + j * n);
    return true;
}
