// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Accelerations by all forces, those of contacts that hold included, order by order. Held contacts add the
// forces that keep W^T q'' + Wd^T d'' = 0 at every order, and the coordinates they fix are not integrated but
// copied from the ones they follow, so that stick is exact.
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include <math.h>

void ss_add_force(const ss_model* model, ss_pulls* pulls, int i, double force)
{
    const ss_row* row = &model->contacts[i].mobility;
    for (int k = 0; k < row->count; k++) pulls->accel[row->index[k]] += row->value[k] * force;
}

// The forces that keep group g still, beside those in lambda.
static void hold_still(ss_sim* sim, int g, int k, double lambda[])
{
    const double* d2 =
        sim->step.clock.stop ? NULL : sim->step.d + (size_t)(k + 2) * (size_t)sim->model->drive_count;
    ss_field_hold(sim->field, g, (k + 1) * (k + 2), d2, sim->pulls.accel, lambda);
}

void ss_apply_hold(ss_sim* sim, int g, int k)
{
    const ss_group* group = &sim->model->groups[g];
    const ss_hold* hold = &sim->modes.holds[g];
    double* lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        if (!sim->modes.contacts[i].pinned || ss_goes_by_level(sim, i)) continue;
        lambda[i] = sim->modes.contacts[i].idle       ? 0.0
                    : sim->modes.contacts[i].edge < 0 ? ss_hold_low(sim, i, k)
                                                      : ss_hold_high(sim, i, k);
        ss_add_force(sim->model, &sim->pulls, i, lambda[i]);
    }
    for (int a = 0; a < hold->count; a++) {
        int i = group->contacts[hold->places[a]];
        lambda[i] = hold->singular && k == 0 ? hold->bias[a] : 0.0;
        if (lambda[i] != 0.0) ss_add_force(sim->model, &sim->pulls, i, lambda[i]);
    }
    hold_still(sim, g, k, lambda);
}

void ss_update_hold(ss_sim* sim, int g, int k)
{
    hold_still(sim, g, k, sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count);
}

static void balance(ss_sim* sim, int k)
{
    ss_free_acceleration(sim, k);
    for (int j = 0; j < sim->modes.active_count; j++) ss_apply_hold(sim, sim->modes.active[j], k);
}

void ss_balance(ss_sim* sim, int k)
{
    enum { ROUNDS = 50 }; // of Newton's method, where levels are not affine in forces
    balance(sim, k);
    for (int round = 0; k == 0 && round < ROUNDS && ss_level_forces_moved(sim); round++) balance(sim, k);
}

void ss_accelerate(ss_sim* sim, int k)
{
    ss_balance(sim, k);
    ss_store_acceleration(sim, k);
}

void ss_constrain_order(const ss_model* model, const ss_step* step, const ss_modes* modes, int k)
{
    ss_constrain(model, modes, 0.0, step->d + (size_t)k * (size_t)model->drive_count,
                 step->q + (size_t)k * (size_t)model->n);
}

void ss_constrain_speed(const ss_model* model, const ss_step* step, const ss_modes* modes, int k)
{
    ss_constrain(model, modes, 0.0, NULL, step->clock.speed + (size_t)k * (size_t)model->n);
}

void ss_store_acceleration(ss_sim* sim, int k)
{
    if (sim->open.programs && ss_open_is_held(&sim->open)) ss_open_balance(sim, k);
    ss_store_free_accelerations(&sim->step, k, sim->model->n, sim->pulls.accel);
    if (sim->level_forces) ss_complete_levels(sim, k);
    if (sim->modes.active_count > 0) ss_constrain_order(sim->model, &sim->step, &sim->modes, k + 2);
}

double ss_hold_size(const ss_sim* sim, int i)
{
    const ss_contact* contact = &sim->model->contacts[i];
    const ss_group* group = &sim->model->groups[contact->group];
    const ss_hold* hold = &sim->modes.holds[contact->group];
    double sum = 0.0;
    for (int a = 0; a < hold->count; a++) {
        if (hold->places[a] != contact->place) continue;
        for (int c = 0; c < hold->count; c++)
            if (hold->inverse[a * hold->count + c] != 0.0)
                sum += fabs(hold->inverse[a * hold->count + c]) *
                       ss_acceleration_size(sim, group->contacts[hold->places[c]], 0);
    }
    return sum;
}
