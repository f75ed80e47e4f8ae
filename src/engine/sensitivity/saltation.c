// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/sensitivity/saltation.h"
#include "engine/field/field.h"
#include "engine/sensitivity/event_surface.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/tolerance.h"
#include "engine/flow/level_forces.h"

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

// ---- impacts with friction (select/impulses.c)

bool ss_saltation_rubs(const ss_derivative* der)
{
    const ss_level_forces* own = der->sim->level_forces;
    return own && own->blow.count == 1 && own->blow.smooth;
}

// How the levels of the group change with the model and with the place, at the impulses of the blow.
static bool change_levels(ss_derivative* der, const ss_sensitivity* to, double out[])
{
    const ss_open* open = der->model->open;
    ss_level_forces* own = der->sim->level_forces;
    const ss_blow* blow = &own->blow;
    const ss_group* group = &der->model->groups[blow->group];
    memcpy(own->point, der->before.motion.at.vars, (size_t)open->first_force * sizeof(double));
    for (int i = 0; i < der->m; i++) own->point[open->first_force + i] = 0.0;
    for (int p = 0; p < group->count; p++)
        own->point[open->first_force + group->contacts[p]] = blow->impulse[p];
    if (!to->tangent->impulse.program) return false;
    (void)ss_run_values(&own->impulse, der->before.t, own->point, true, own->impulses);
    ss_tangent_values(&to->tangent->impulse, &own->impulse, der->before.t, der->delta.vars,
                      to->tangent->impulse_x, out);
    return true;
}

static double level_change(const ss_derivative* der, int i, bool forward, const double levels[])
{
    const ss_open* open = der->model->open;
    for (int l = 0; l < open->level_count; l++)
        if (open->levels[l].contact == i && open->levels[l].which == (forward ? SS_FORWARD : SS_BACKWARD))
            return isfinite(levels[l]) ? levels[l] : 0.0;
    return 0.0;
}

// The right sides of the system change by `out`: places that give by their speeds, restitution and mobility,
// friction that slips by its level.
static void change_right_sides(ss_derivative* der, const ss_sensitivity* to, double late,
                               const double levels[], double out[])
{
    const ss_blow* blow = &der->sim->level_forces->blow;
    const ss_group* group = &der->model->groups[blow->group];
    const ss_values* at = &der->before.motion.at;
    const ss_model_change* change = to->change;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        const ss_contact* contact = &der->model->contacts[i];
        out[p] = 0.0;
        if (blow->side[p] != 0) out[p] = blow->side[p] * level_change(der, i, blow->side[p] < 0, levels);
        if (blow->scale[p] == 0.0) continue;
        double dv = ss_row_dot(&contact->q, to->v), own = 1.0 - blow->target[p], pushed = 0.0;
        double v = ss_row_dot(&contact->q, at->v) + ss_row_dot(&contact->d, at->d1);
        for (int k = 0; k < contact->d.count; k++)
            dv += contact->d.value[k] *
                  (der->delta.d1[contact->d.index[k]] + at->d2[contact->d.index[k]] * late);
        if (change) {
            dv += ss_row_dot(&change->q[i], at->v) + ss_row_dot(&change->d[i], at->d1);
            for (int r = 0; r < group->count; r++) {
                int j = group->contacts[r];
                const ss_contact* other = &der->model->contacts[j];
                pushed += blow->impulse[r] *
                          (ss_row_product(&change->q[i], &other->mobility, der->room.work, der->n) +
                           ss_row_product(&contact->q, &change->mobility[j], der->room.work, der->n));
            }
            if (blow->target[p] != 0.0) pushed += change->bounce[i] * v;
        }
        out[p] = -blow->scale[p] * (own * dv + pushed);
    }
}

// v+ = v- + M^-1 W P, with P from a linear system whose matrix is that of the impact.
bool ss_saltation_with_friction(ss_derivative* der, ss_sensitivity* to, double late)
{
    const ss_blow* blow = &der->sim->level_forces->blow;
    const ss_group* group = &der->model->groups[blow->group];
    const ss_values *at = &der->before.motion.at, *after = &der->points[0].at;
    double *right = der->room.forces, *moved = der->room.turned, *levels = der->room.numbers;
    ss_given_at(der, to, after, &der->delta);
    for (int k = 0; k < der->n; k++) moved[k] = to->q[k] + at->v[k] * late; // at their own instant
    der->delta.q = moved;
    der->delta.v = to->v;
    der->delta.s = to->s;
    der->delta.m = der->delta.offset = NULL;
    ss_field_change_variables(der->sim->field, &der->delta);
    if (!change_levels(der, to, levels)) return false;
    change_right_sides(der, to, late, levels, right);
    for (int p = 0; p < group->count; p++) {
        double change = 0.0;
        int i = group->contacts[p];
        const ss_row* mobility = &der->model->contacts[i].mobility;
        for (int r = 0; r < group->count; r++) change += blow->inverse[p * group->count + r] * right[r];
        for (int k = 0; k < mobility->count; k++) to->v[mobility->index[k]] += mobility->value[k] * change;
        for (int k = 0; to->change && k < to->change->mobility[i].count; k++)
            to->v[to->change->mobility[i].index[k]] += to->change->mobility[i].value[k] * blow->impulse[p];
    }
    return true;
}
