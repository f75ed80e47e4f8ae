// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Relative motion at a contact along the present step: series of its position and velocity, and how far
// rounding may have moved them.
#include "engine/sim.h"

#include <float.h>
#include <math.h>

double ss_relative_position(const ss_model* model, const ss_step* step, int i, int k)
{
    const ss_contact* contact = &model->contacts[i];
    double x = ss_row_dot(&contact->q, step->q + (size_t)k * (size_t)model->n);
    if (contact->d.count > 0) x += ss_row_dot(&contact->d, step->d + (size_t)k * (size_t)model->drive_count);
    return x;
}

double ss_clocked_velocity(const ss_model* model, const ss_step_clock* clock, const ss_contact* contact,
                           int k)
{
    double v = ss_row_dot(&contact->q, clock->speed + (size_t)k * (size_t)model->n);
    return k == 0 && contact->d.count > 0 ? v + ss_row_dot(&contact->d, clock->drive_speed) : v;
}

double ss_relative_velocity_terms(const ss_model* model, const ss_step* step, int i, int k)
{
    const ss_contact* contact = &model->contacts[i];
    const double* q = step->q + (size_t)(k + 1) * (size_t)model->n;
    const double* d = step->d + (size_t)(k + 1) * (size_t)model->drive_count;
    double sum = 0.0;
    if (step->clock.stop) return fabs(ss_clocked_velocity(model, &step->clock, contact, k));
    for (int j = 0; j < contact->q.count; j++) sum += fabs(contact->q.value[j] * q[contact->q.index[j]]);
    for (int j = 0; j < contact->d.count; j++) sum += fabs(contact->d.value[j] * d[contact->d.index[j]]);
    return (k + 1) * sum;
}

double ss_velocity_rounding(const ss_model* model, const ss_step* step, const ss_modes* modes, int i)
{
    const ss_contact* contact = &model->contacts[i];
    const double *v = step->q + model->n, *dv = step->d + model->drive_count;
    int n = model->n, nd = model->drive_count;
    // The time is rounded too, and speeds that change with it.
    double size = modes->contacts[i].kick, late = 2.0 * fabs(step->t);
    for (int k = 0; k < contact->q.count; k++)
        size += fabs(contact->q.value[k]) *
                (fabs(v[contact->q.index[k]]) + (nd > 0 ? late * fabs(v[n + contact->q.index[k]]) : 0.0));
    for (int k = 0; k < contact->d.count; k++)
        size += fabs(contact->d.value[k]) *
                (fabs(dv[contact->d.index[k]]) + late * fabs(dv[nd + contact->d.index[k]]));
    return 64.0 * DBL_EPSILON * size;
}
