// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Works of forces that are constant on a stretch: force times way.
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/open_series.h"

#include <math.h>

bool ss_slips_at_constant_force(const ss_sim* sim, int i)
{
    return ss_slips(&sim->modes, i) && sim->inputs.level_at[i] < 0 && sim->step.laws.curved_at[i] < 0 &&
           !ss_is_bristle(&sim->step, i);
}

double ss_largest_work(const ss_energy* e)
{
    return fmax(fmax(fabs(e->input), fabs(e->friction)), fmax(fabs(e->damping), fabs(e->impact)));
}

void ss_works_of_constants(const ss_sim* sim, const double pulls[], const double moved[], ss_energy* e,
                           double* passed)
{
    const ss_model* model = sim->model;
    const double* drive = moved + 2 * model->n;
    for (int i = 0; i < model->contact_count; i++) {
        if (!ss_slips_at_constant_force(sim, i)) continue;
        const ss_contact* contact = &model->contacts[i];
        bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
        double force = plus ? ss_kinetic_low(sim, i, 0) : ss_kinetic_high(sim, i, 0);
        double way = ss_row_dot(&contact->q, moved) + ss_row_dot(&contact->d, drive);
        ss_add_work(-force * way, &e->friction, passed);
    }
    for (int f = 0; f < model->force_count; f++)
        if (ss_signal_is_constant(model->forces[f].signal))
            ss_add_work(sim->inputs.force_constant[f] * ss_row_dot(&model->forces[f].q, moved), &e->input,
                        passed);
    for (int i = 0; i < model->n && model->matrices.constant; i++)
        ss_add_work(model->matrices.constant[i] * moved[i], &e->input, passed);
    if (model->open) ss_open_works(sim->model, pulls, moved, drive, e, passed);
}
