// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/sensitivity/saltation.h"
#include "engine/sensitivity/event_surface.h"

#include "core/tolerance.h"

#include <math.h>
#include <string.h>

int ss_saltation_stop(const ss_derivative* der)
{
    const ss_before* before = &der->before;
    const ss_values* at = &before->motion.at;
    const double* v = der->points[0].at.v;
    double change = 0.0, size = before->speed;
    if (!der->sim->modes.has_stops) return -2;
    for (int i = 0; i < der->n; i++) {
        change = fmax(change, fabs(v[i] - at->v[i]));
        size = fmax(size, fabs(v[i]) + fabs(at->v[i]));
    }
    if (change <= SS_FAINT * size) return -2;
    for (int i = 0; i < der->m; i++) {
        const ss_contact* stop = &der->model->contacts[i];
        if (before->surface[i] != SS_GAP || !ss_contact_is(stop, SS_TRAIT_RIGID)) continue;
        double speed = ss_row_dot(&stop->q, at->v) + ss_row_dot(&stop->d, at->d1);
        double size_of = ss_row_product(&stop->q, &stop->mobility, der->room.work, der->n);
        double factor = (1.0 + stop->rigid_stop.restitution) * speed / size_of, off = 0.0;
        memcpy(der->room.work, at->v, (size_t)der->n * sizeof(double));
        for (int k = 0; k < stop->mobility.count; k++)
            der->room.work[stop->mobility.index[k]] -= factor * stop->mobility.value[k];
        for (int k = 0; k < der->n; k++) off = fmax(off, fabs(der->room.work[k] - v[k]));
        if (off <= SS_CLEAR * size) return i;
    }
    return -1;
}

// Newton's impact law v -= (1 + e) M^-1 W (W v + Wd d') / (W M^-1 W).
void ss_saltation(ss_derivative* der, ss_sensitivity* to, int i, double late)
{
    const ss_contact* stop = &der->model->contacts[i];
    const ss_values* at = &der->before.motion.at;
    const ss_model_change* change = to->change;
    double size = ss_row_product(&stop->q, &stop->mobility, der->room.work, der->n);
    double speed = ss_row_dot(&stop->q, at->v) + ss_row_dot(&stop->d, at->d1);
    double bounce = 1.0 + stop->rigid_stop.restitution, along = ss_row_dot(&stop->q, to->v);
    ss_given_at(der, to, &der->points[0].at, &der->delta);
    for (int k = 0; k < stop->d.count; k++)
        along += stop->d.value[k] * (der->delta.d1[stop->d.index[k]] + at->d2[stop->d.index[k]] * late);
    double size_change = 0.0;
    if (change) {
        along += ss_row_dot(&change->q[i], at->v) + ss_row_dot(&change->d[i], at->d1);
        size_change = ss_row_product(&change->q[i], &stop->mobility, der->room.work, der->n) +
                      ss_row_product(&stop->q, &change->mobility[i], der->room.work, der->n);
    }
    double factor = bounce * (along - speed * size_change / size) / size;
    if (change) factor += change->bounce[i] * speed / size;
    for (int k = 0; k < stop->mobility.count; k++)
        to->v[stop->mobility.index[k]] -= factor * stop->mobility.value[k];
    for (int k = 0; change && k < change->mobility[i].count; k++)
        to->v[change->mobility[i].index[k]] -= bounce * speed / size * change->mobility[i].value[k];
}
