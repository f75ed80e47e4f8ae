// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models before the theorems. Forces that are affine in the motion are springs and dampers, whichever
// way they are written, and have joined K and C; what is constant in them is a load. States that act,
// controllers, and whatever is not affine are outside the theorems, and the answer says so.
#include "lab/certify/certify.h"
#include "model/actions.h"
#include "model/joints.h"
#include "share/quantity.h"

#include <math.h>

// The first thing given in time that acts: an input, or part of a force.
static const char* varying_part(ss_pool* pool, const ss_open* open, const ss_actions* actions)
{
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_affine* affine = actions->pulls[p].affine;
        if (affine->rest && !ss_signal_is_constant(affine->rest))
            return p < open->force_count ? ss_cert_text(pool,
                                                        "forces[%d].force varies in time: the theorems want "
                                                        "constant forces",
                                                        open->forces[p].place)
                                         : ss_cert_text(pool, "a potential varies in time");
        for (int k = 0; k < affine->row.count; k++) {
            int input = affine->row.index[k] - open->first_input;
            if (input >= 0 && input < open->input_count && !ss_signal_is_constant(open->inputs[input].signal))
                return ss_cert_text(pool, "inputs.%.100s varies in time: the theorems want constant forces",
                                    open->inputs[input].name);
        }
    }
    return NULL;
}

// A state or a memory that acts on some body; NULL: none does.
static const char* acting_part(ss_pool* pool, const ss_open* open, const ss_actions* actions)
{
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_row* row = &actions->pulls[p].affine->row;
        for (int k = 0; k < row->count; k++) {
            int at = row->index[k];
            if (at >= open->first_memory)
                return ss_cert_text(pool,
                                    "the controller '%.100s' acts by steps in time: the theorems are about "
                                    "systems left to themselves",
                                    open->blocks[open->memory[at - open->first_memory].block].name);
            if (at >= open->first_state && at < open->first_input)
                return ss_cert_text(
                    pool,
                    "the state '%.100s' acts on the bodies: the theorems know M, C and K, and "
                    "nothing that integrates or lags",
                    open->states[at - open->first_state].name);
        }
    }
    return NULL;
}

const char* ss_cert_open_outside(ss_pool* pool, const ss_model* model)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (contact->follows_forces)
            return ss_cert_text(pool,
                                "the friction of contact '%s' follows forces and may vanish with them: the "
                                "theorems want a level that is constant",
                                contact->name);
    }
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (contact->turns)
            return ss_cert_text(pool,
                                "joint '%s' holds along a direction that turns with the motion: the theorems "
                                "want rows that are constant",
                                model->joints->list[contact->turns->joint].name);
        if (contact->is_tie)
            return ss_cert_text(pool,
                                "tie '%s' has a name, and a force of its own: the theorems want ties without "
                                "names, which take a coordinate away",
                                contact->name);
        if (ss_contact_is(contact, SS_TRAIT_LEVELS) &&
            (isinf(contact->coulomb.forward) || isinf(contact->coulomb.backward)))
            return ss_cert_text(pool, "contact '%s' never slips one way: the theorems want finite levels",
                                contact->name);
    }
    if (!open) return NULL;
    if (open->level_count > 0)
        return ss_cert_text(pool,
                            "the friction of contact '%s' follows the motion: the theorems want it "
                            "constant",
                            model->contacts[open->levels[0].contact].name);
    for (int p = 0; p < actions->pull_count; p++)
        if (!actions->pulls[p].affine)
            return p < open->force_count
                       ? ss_cert_text(pool,
                                      "forces[%d].force is not affine in the motion: the "
                                      "theorems want linear springs and dampers",
                                      open->forces[p].place)
                       : ss_cert_text(pool, "the potentials are not quadratic: the theorems want "
                                            "linear springs");
    const char* reason = varying_part(pool, open, actions);
    return reason ? reason : acting_part(pool, open, actions);
}

void ss_cert_open_load(const ss_model* model, const double d[], const double offset[], double load[])
{
    const ss_open* open = model->open;
    for (int p = 0; open && p < model->actions->pull_count; p++) {
        const ss_pull* pull = &model->actions->pulls[p];
        if (!pull->affine) continue;
        double sum = pull->affine->rest ? ss_signal_value(pull->affine->rest, 0.0) : 0.0;
        const ss_row* row = &pull->affine->row;
        for (int k = 0; k < row->count; k++) {
            int at = row->index[k], input = at - open->first_input;
            if (at < open->first_speed) {
                int drive = model->bodies[at].drive;
                sum += row->value[k] * (drive >= 0 ? d[drive] : offset[at]);
            }
            if (input >= 0 && input < open->input_count)
                sum += row->value[k] * ss_signal_value(open->inputs[input].signal, 0.0);
        }
        for (int k = 0; k < pull->q.count; k++) load[pull->q.index[k]] += pull->q.value[k] * sum;
    }
}
