// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The balance of forces about which bristles ring: where it is, and where creep takes it.
#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/series.h"
#include "engine/flow/stiff.h"
#include "engine/proof/settle_bristles_parts.h"

#include <math.h>
#include <string.h>

// Coordinates, speeds and deflections; the acceleration, and what it would be if the speeds were 0. Of laws
// with elements the deflections are not among the states.
static void take_state(ss_sim* probe)
{
    ss_settle_balance* at = &probe->proof.settle_bristles->at;
    int n = probe->model->n;
    for (int j = 0; j < probe->laws.bristle_count; j++) {
        int i = probe->laws.bristles[j].contact;
        at->state[n + j] = probe->model->contacts[i].elements > 0 ? 0.0 : ss_sim_contact(probe, i).z;
    }
    for (int i = 0; i < n; i++) {
        at->q[i] = ss_poly_both(probe->step.q + i, n, probe->step.order, probe->step.now, &at->speed[i]);
        at->state[i] = at->speed[i];
        at->noise[i] = SS_UNIT_NOISE * ss_pull_size(probe, i, 0);
    }
    ss_stiff_point point = {probe->step.now, at->q, at->state, at->drives};
    ss_stiff_drives(probe, probe->step.now, at->drives);
    ss_stiff_rates(probe, &point, at->rate, at->lambda);
    memset(at->state, 0, (size_t)n * sizeof(double));
    ss_stiff_rates(probe, &point, at->rest, at->lambda);
}

static bool find_balance(ss_sim* probe)
{
    ss_settle_balance* at = &probe->proof.settle_bristles->at;
    int n = probe->model->n, width = 2 * n + probe->laws.bristle_count;
    double flat[SS_SETTLE_LARGEST + SS_SETTLE_BRISTLES] = {0.0}; // at v = 0, z = 0
    ss_stiff_jacobian(probe, &(ss_stiff_point){probe->step.now, at->q, flat, at->drives}, at->jacobian);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) at->matrix[i * n + k] = at->jacobian[i * width + k];
    for (int j = 0; j < probe->laws.bristle_count; j++) {
        const ss_contact* contact = &probe->model->contacts[probe->laws.bristles[j].contact];
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
    for (int j = 0; j < probe->laws.bristle_count; j++)
        ss_lu_solve(at->factor, n, at->pivots, at->way + j * n);
    return true;
}

bool ss_settle_find_balance(const ss_sim* sim)
{
    ss_sim probe = *sim; // the scratch of the stiff steps is used
    memset(sim->ways.stiff->frozen, 0, (size_t)sim->model->n * sizeof(bool)); // what stands is asked, too
    take_state(&probe);
    return find_balance(&probe);
}
