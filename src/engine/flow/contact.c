// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What each law contributes to the series of a motion: the bounds of its force while it holds and the force
// itself while it slips, coefficient by coefficient. Under a normal force N that varies the law is one per
// newton: its rates are as without it, and its force is N times what it answers,
//
//     f_k = sum_j N_{k-j} u_j
#include "engine/flow/contact.h"
#include "core/algebra/product.h"
#include "engine/flow/bristle_run.h"
#include "law/table.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

static double level(const ss_sim* sim, int i, ss_level which, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    if (sim->inputs.level_at[i] >= 0)
        return sim->inputs.level[((size_t)sim->inputs.level_at[i] * 4 + (size_t)which) * WIDTH + (size_t)k] *
               ss_level_share(contact, which);
    double constant = contact->levels[which];
    return k == 0 || isinf(constant) ? constant : 0.0; // what is infinite stays so at every order
}

double ss_hold_low(const ss_sim* sim, int i, int k) { return -level(sim, i, SS_STATIC_FORWARD, k); }
double ss_hold_high(const ss_sim* sim, int i, int k) { return level(sim, i, SS_STATIC_BACKWARD, k); }
double ss_kinetic_low(const ss_sim* sim, int i, int k) { return -level(sim, i, SS_FORWARD, k); }
double ss_kinetic_high(const ss_sim* sim, int i, int k) { return level(sim, i, SS_BACKWARD, k); }

const double* ss_load_series(const ss_inputs* inputs, int i)
{
    return inputs->level + (size_t)inputs->level_at[i] * 4 * WIDTH;
}

double ss_law_coefficient(const ss_contact* contact, ss_along* along, int k)
{
    double force = contact->law_entry->series.next(ss_law_of(contact), along, k);
    if (contact->loaded) along->per_load[k] = force;
    return force;
}

double ss_loaded_coefficient(const ss_inputs* inputs, const ss_along* along, int i, int k)
{
    return ss_product(ss_load_series(inputs, i), along->per_load, k);
}

double ss_slip_step_bound(const ss_model* model, const ss_step* step, const ss_modes* modes, double h)
{
    double least = 64.0 * DBL_EPSILON * fabs(step->t);
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (step->laws.curved_at[i] < 0 || !ss_slips(modes, i) || !contact->law_entry->series.step_bound)
            continue;
        h = contact->law_entry->series.step_bound(
            ss_law_of(contact), &step->laws.curved[step->laws.curved_at[i]], step->order - 1, least, h);
    }
    return h;
}

// Coefficient k of what the law of contact i answers, which slips in the direction of its mode.
static double curved_slip(const ss_model* model, ss_step* step, const ss_modes* modes, int i, int k)
{
    ss_along* along = &step->laws.curved[step->laws.curved_at[i]];
    along->sign = modes->contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    // The contact starts from rest, exactly.
    along->v[k] = k < modes->contacts[i].lead ? 0.0 : ss_relative_velocity(model, step, i, k);
    // A body that has just begun to slip on one that moves has its speed, to the last digits, for a while.
    // What is left of the difference says nothing; steps by its size would never get past it.
    if (k == 0) {
        along->faint = 4.0 * DBL_EPSILON * ss_relative_velocity_terms(model, step, i, 0);
        if (fabs(along->v[0]) <= along->faint) along->v[0] = 0.0;
    }
    return ss_law_coefficient(&model->contacts[i], along, k);
}

void ss_start_slip(const ss_model* model, ss_step* step, const ss_modes* modes, int i)
{
    if (step->laws.curved_at[i] < 0) return;
    ss_along* along = &step->laws.curved[step->laws.curved_at[i]];
    along->sign = modes->contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
    for (int k = 0; k < modes->contacts[i].lead; k++) {
        along->v[k] = 0.0;
        (void)ss_law_coefficient(&model->contacts[i], along, k);
    }
}

double ss_slip_force(ss_sim* sim, int i, int k)
{
    bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
    if (sim->step.laws.curved_at[i] < 0)
        return plus ? -level(sim, i, SS_FORWARD, k) : level(sim, i, SS_BACKWARD, k);
    double force = curved_slip(sim->model, &sim->step, &sim->modes, i, k);
    const ss_along* along = &sim->step.laws.curved[sim->step.laws.curved_at[i]];
    return sim->model->contacts[i].loaded ? ss_loaded_coefficient(&sim->inputs, along, i, k) : force;
}

double ss_force_per_level(ss_sim* sim, int i)
{
    if (!sim->model->contacts[i].loaded) return sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? -1.0 : 1.0;
    if (ss_is_bristle(&sim->step, i)) return ss_bristle_start_force(sim, i);
    return curved_slip(sim->model, &sim->step, &sim->modes, i, 0);
}

void ss_slips_update_series(const ss_model* model, ss_step* step, const ss_modes* modes, int from)
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (step->laws.curved_at[i] < 0 || !ss_slips(modes, i) || !contact->law_entry->series.update)
            continue;
        ss_along* along = &step->laws.curved[step->laws.curved_at[i]];
        for (int k = from; k < step->order; k++) along->v[k] = ss_relative_velocity(model, step, i, k);
        contact->law_entry->series.update(ss_law_of(contact), along, from, step->order - 1);
    }
}

void ss_restart_slips(const ss_model* model, ss_law_series* laws)
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (laws->curved_at[i] >= 0 && contact->law_entry->memory.begin)
            contact->law_entry->memory.begin(ss_law_of(contact), &laws->curved[laws->curved_at[i]], NULL, 0.0,
                                             0.0);
    }
}

void ss_free_slips(const ss_model* model, ss_law_series* laws)
{
    ss_restart_slips(model, laws);
    for (int i = 0; i < model->contact_count; i++)
        if (laws->curved_at[i] >= 0 && model->contacts[i].law_entry->memory.begin)
            laws->curved[laws->curved_at[i]].branch = INT_MAX;
}

void ss_commit_slips(const ss_model* model, ss_step* step, const ss_modes* modes, double s)
{
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (step->laws.curved_at[i] < 0) continue;
        ss_along* along = &step->laws.curved[step->laws.curved_at[i]];
        if (contact->law_entry->memory.commit && ss_slips(modes, i))
            contact->law_entry->memory.commit(ss_law_of(contact), along, step->order - 1, s);
        along->yields = false;
    }
}

// ---- events of the law itself, while it slips

ss_along* ss_along_of(const ss_step* step, int i)
{
    if (ss_is_bristle(step, i)) return &step->laws.bristles[step->laws.bristle_at[i]].along;
    return step->laws.curved_at[i] >= 0 ? &step->laws.curved[step->laws.curved_at[i]] : NULL;
}

int ss_law_function(const ss_model* model, const ss_step* step, int i, int which, const double power[],
                    double c[])
{
    const ss_contact* contact = &model->contacts[i];
    if (ss_is_bristle(step, i) && step->laws.bristles[step->laws.bristle_at[i]].still) return -1;
    return contact->law_entry->events.function(ss_law_of(contact), ss_along_of(step, i), which, step->order,
                                               power, c);
}

bool ss_mark_law(ss_step* step, int i, int which)
{
    if (which == 0 && ss_is_bristle(step, i)) step->laws.bristles[step->laws.bristle_at[i]].arrived = true;
    if (which == 0) return true;
    ss_along* along = ss_along_of(step, i);
    along->yields = true;
    along->yielded = which - 1;
    return false;
}
