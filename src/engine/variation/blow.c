// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/variation/blow.h"
#include "engine/variation/surface.h"

#include "core/tolerance.h"

#include <math.h>
#include <string.h>

int ss_find_blow(const ss_variation* var)
{
    const ss_before* before = &var->before;
    const ss_values* at = &before->motion.at;
    const double* v = var->points[0].at.v;
    double change = 0.0, size = before->speed;
    if (!var->sim->modes.has_stops) return -2;
    for (int i = 0; i < var->n; i++) {
        change = fmax(change, fabs(v[i] - at->v[i]));
        size = fmax(size, fabs(v[i]) + fabs(at->v[i]));
    }
    if (change <= SS_FAINT * size) return -2;
    for (int i = 0; i < var->m; i++) {
        const ss_contact* stop = &var->model->contacts[i];
        if (before->surface[i] != SS_GAP || !ss_contact_is(stop, SS_TRAIT_RIGID)) continue;
        double speed = ss_row_dot(&stop->q, at->v) + ss_row_dot(&stop->d, at->d1);
        double size_of = ss_row_product(&stop->q, &stop->mobility, var->room.work, var->n);
        double factor = (1.0 + stop->rigid_stop.restitution) * speed / size_of, off = 0.0;
        memcpy(var->room.work, at->v, (size_t)var->n * sizeof(double));
        for (int k = 0; k < stop->mobility.count; k++)
            var->room.work[stop->mobility.index[k]] -= factor * stop->mobility.value[k];
        for (int k = 0; k < var->n; k++) off = fmax(off, fabs(var->room.work[k] - v[k]));
        if (off <= SS_CLEAR * size) return i;
    }
    return -1;
}

// Newton's blow v -= (1 + e) M^-1 W (W v + Wd d') / (W M^-1 W).
void ss_reflect(ss_variation* var, ss_heading* to, int i, double late)
{
    const ss_contact* stop = &var->model->contacts[i];
    const ss_values* at = &var->before.motion.at;
    const ss_change* change = to->change;
    double size = ss_row_product(&stop->q, &stop->mobility, var->room.work, var->n);
    double speed = ss_row_dot(&stop->q, at->v) + ss_row_dot(&stop->d, at->d1);
    double bounce = 1.0 + stop->rigid_stop.restitution, along = ss_row_dot(&stop->q, to->v);
    ss_given_at(var, to, &var->points[0].at, &var->delta);
    for (int k = 0; k < stop->d.count; k++)
        along += stop->d.value[k] * (var->delta.d1[stop->d.index[k]] + at->d2[stop->d.index[k]] * late);
    double size_change = 0.0;
    if (change) {
        along += ss_row_dot(&change->q[i], at->v) + ss_row_dot(&change->d[i], at->d1);
        size_change = ss_row_product(&change->q[i], &stop->mobility, var->room.work, var->n) +
                      ss_row_product(&stop->q, &change->mobility[i], var->room.work, var->n);
    }
    double factor = bounce * (along - speed * size_change / size) / size;
    if (change) factor += change->bounce[i] * speed / size;
    for (int k = 0; k < stop->mobility.count; k++)
        to->v[stop->mobility.index[k]] -= factor * stop->mobility.value[k];
    for (int k = 0; change && k < change->mobility[i].count; k++)
        to->v[change->mobility[i].index[k]] -= bounce * speed / size * change->mobility[i].value[k];
}
